use std::collections::BTreeMap;

use cardsharp_env::games::{kuhn, leduc};
use cardsharp_env::{AnyTable, GAMES, Seat, game};
use serde_json::json;

use super::*;
use crate::Bot;
use crate::bots::search::{Budget, Search, SearchSettings};

/// Returns the rank of the other player's card at Kuhn poker; 0 is the jack.
fn opponent(view: SeatView<'_>, deal: &dyn Playout) -> usize {
    let other = deal.view(Seat(1 - view.seat().0)).expect("two play");
    other.typed::<kuhn::Round>().expect("Kuhn poker").own.card.rank()
}

/// Returns a table where seat 1 holds the queen and faces a bet.
fn queen() -> Box<dyn AnyTable> {
    let rules = game("kuhn").expect("a game").default_rules();
    let mut table = rules.table_of(1, &json!({ "hands": ["Ks", "Qs"] })).expect("a deal");
    table.try_play(table.parse("bet").expect("a move")).expect("legal");
    table
}

fn search(threads: usize) -> Search {
    let settings = SearchSettings::new(Budget::Simulations(400), None);
    Search::new("search", SearchSettings { threads, caution: 0.0, ..settings }, 1)
}

/// Counts the opponent's rank in 4,000 deals that are drawn with these weights.
fn ranks(weights: DealWeights<'_>) -> BTreeMap<usize, u32> {
    let (table, mut weighing, mut round) = (queen(), Weighing::default(), None);
    let view = table.asked().expect("a decision");
    let mut drawn = BTreeMap::new();
    for deal in 0..4000 {
        let rng = weighing.draw(weights, view, (7, deal), &mut round);
        let taken = view.determinize(rng, &mut round).expect("a deal");
        *drawn.entry(opponent(view, taken)).or_default() += 1;
    }
    assert_eq!(weighing.candidates, 4000 * u64::from(weights.candidates));
    drawn
}

#[test]
fn deals_are_drawn_as_often_as_they_weigh() {
    // By the view alone, jacks and kings are equally likely.
    let threefold =
        |view: SeatView<'_>, deal: &dyn Playout| if opponent(view, deal) == 2 { 3.0 } else { 1.0 };
    let kings = |candidates| {
        let drawn = ranks(DealWeights { of: &threefold, candidates });
        f64::from(drawn[&2]) / 4000.0
    };
    // Of n candidates, k are kings with a binomial distribution. A king is chosen with probability 3k / (3k + (n − k)).
    let expected = |n: u32| -> f64 {
        let ways = |k: u32| (0..k).fold(1.0, |ways, i| ways * f64::from(n - i) / f64::from(i + 1));
        let share = |k: u32| 3.0 * f64::from(k) / (2.0 * f64::from(k) + f64::from(n));
        (0..=n).map(|k| ways(k) * 0.5_f64.powi(n as i32) * share(k)).sum()
    };
    for candidates in [1, 2, 8, 40] {
        let (found, expected) = (kings(candidates), expected(candidates));
        assert!((found - expected).abs() < 0.03, "{candidates} candidates: {found}, expected {expected}");
    }
    assert!((expected(40) - 0.75).abs() < 0.01, "with many candidates deals are as probable as they weigh");
}

#[test]
fn only_how_weights_compare_matters() {
    let weights = |scale: f64| {
        move |view: SeatView<'_>, deal: &dyn Playout| {
            if opponent(view, deal) == 2 { scale } else { scale / 5.0 }
        }
    };
    let of = |scale: f64| ranks(DealWeights::new(&weights(scale)));
    assert_eq!(of(1.0), of(f64::MAX));
    assert_eq!(of(1.0), of(1e-300));
}

#[test]
fn a_deal_without_weight_is_never_drawn_unless_no_candidate_has_any() {
    let never = |view: SeatView<'_>, deal: &dyn Playout| f64::from(u8::from(opponent(view, deal) != 0));
    let drawn = ranks(DealWeights { of: &never, candidates: 20 });
    assert_eq!(drawn.get(&0).copied().unwrap_or_default(), 0);
    let nothing = |_: SeatView<'_>, _: &dyn Playout| 0.0;
    let mut bot = search(1);
    let table = queen();
    let view = table.asked().expect("a decision");
    assert_eq!(
        bot.advise_weighed(view, DealWeights::new(&nothing)),
        Ok(bot.advise(view)),
        "as without weights"
    );
    assert_eq!(bot.spent().weightless, bot.spent().deals / 2);
}

#[test]
fn with_weights_for_honest_bets_the_queen_folds() {
    let honest = |view: SeatView<'_>, deal: &dyn Playout| if opponent(view, deal) == 2 { 1.0 } else { 0.001 };
    let bluff = |view: SeatView<'_>, deal: &dyn Playout| if opponent(view, deal) == 0 { 1.0 } else { 0.001 };
    let table = queen();
    let view = table.asked().expect("a decision");
    let pick = |weigh: &dyn Weigh| {
        let action = search(1).pick_weighed(view, DealWeights::new(weigh)).expect("weights");
        view.label(action)
    };
    assert_eq!((pick(&honest), pick(&bluff)), ("fold".to_owned(), "call".to_owned()));
}

#[test]
fn one_candidate_or_no_weights_are_the_search_itself_on_any_number_of_threads() {
    let some = |_: SeatView<'_>, deal: &dyn Playout| f64::from(deal.scripted().0 % 3);
    for game in GAMES.iter() {
        let mut table = game.default_rules().table(3);
        for step in 0..12 {
            let Some(view) = table.asked() else { break };
            if step % 4 == 3 {
                let mut alone = search(1);
                let one = DealWeights { of: &some, candidates: 1 };
                assert_eq!(alone.advise_weighed(view, one), Ok(alone.advise(view)), "{}", game.name());
                let weighed = alone.advise_weighed(view, DealWeights::new(&some));
                for threads in [2, 3] {
                    let together = search(threads).advise_weighed(view, DealWeights::new(&some));
                    assert_eq!(weighed, together, "{}", game.name());
                }
            }
            let action = view.scripted();
            table.try_play(action).expect("a legal move");
        }
    }
}

#[test]
fn what_is_no_weight_is_refused_and_the_bot_goes_on() {
    let table = queen();
    let view = table.asked().expect("a decision");
    for (wrong, words) in [
        (f64::NAN, "a deal weighs NaN, expected a finite number, 0 or more"),
        (-1.0, "a deal weighs -1, expected a finite number, 0 or more"),
        (f64::INFINITY, "a deal weighs inf, expected a finite number, 0 or more"),
    ] {
        for threads in [1, 3] {
            let mut bot = search(threads);
            let weigh = move |_: SeatView<'_>, _: &dyn Playout| wrong;
            let error = bot.pick_weighed(view, DealWeights::new(&weigh)).expect_err("no weight");
            assert_eq!(error.to_string(), words);
            assert_eq!(bot.advise(view), search(1).advise(view), "nothing is left of it");
            let right = |_: SeatView<'_>, _: &dyn Playout| 1.0;
            assert!(bot.pick_weighed(view, DealWeights::new(&right)).is_ok());
        }
    }
    let right = |_: SeatView<'_>, _: &dyn Playout| 1.0;
    let none = DealWeights { of: &right, candidates: 0 };
    assert_eq!(search(1).pick_weighed(view, none), Err(WeightError::NoCandidates));
}

#[test]
fn a_candidate_shows_what_every_seat_would_know_and_nothing_of_the_round_in_play() {
    let rules = game("leduc").expect("a game").default_rules();
    let table = rules.table_of(1, &json!({ "hands": ["Ks", "Qs"], "board": "Kh" })).expect("a deal");
    let view = table.asked().expect("a decision");
    let mut round = None;
    let mut seen = BTreeMap::new();
    for n in 0..200 {
        let deal = view.determinize(DealRng::new(3, n), &mut round).expect("a deal");
        let own = |seat: u8| {
            deal.view(Seat(seat)).and_then(SeatView::typed::<leduc::Round>).expect("plays").own.card
        };
        assert_eq!(own(0).to_string(), "Ks", "the viewer's own card");
        *seen.entry(own(1).to_string()).or_insert(0) += 1;
        assert!(deal.view(Seat(2)).is_none());
    }
    assert_eq!(seen.len(), 5, "any other card: {seen:?}");
}
