use cardsharp_env::game;
use serde_json::json;

use super::*;
use crate::bots::search::{Aimed, Budget};

fn settings(tries: u32) -> SearchSettings {
    SearchSettings::new(Budget::Simulations(tries), None)
}

fn reviewed(
    table: Box<dyn AnyTable>,
    seat: u8,
    thoroughness: Thoroughness,
) -> (Vec<ReviewedDecision>, Vec<RoundParts>) {
    let mut reviewer = Reviewer::new(table, Seat(seat), settings(60), thoroughness);
    let (mut decisions, mut rounds) = (Vec::new(), Vec::new());
    while let Some(Reviewed { decision, round }) = reviewer.advance() {
        decisions.extend(decision);
        rounds.extend(round);
    }
    let (done, all) = reviewer.progress();
    assert_eq!(done, all);
    (decisions, rounds)
}

/// Plays a session in which seat 0 plays the last legal move, and the others play as the scripted player does.
fn session(name: &str, rules: serde_json::Value, seed: u64) -> Box<dyn AnyTable> {
    let mut table = game(name).unwrap().rules(&rules).unwrap().table(seed);
    let mut bot = Player::scripted().bot(0);
    loop {
        while let Some(view) = table.asked() {
            let action = match view.seat() {
                Seat(0) => mask::actions(&view.legal_words()).last().unwrap(),
                _ => bot.pick(view),
            };
            table.try_play(action).unwrap();
        }
        if !table.deal_next() {
            return table;
        }
    }
}

const FEW: Thoroughness = Thoroughness { deals: 40, playouts: 4, seed: 3 };

#[test]
fn every_decision_with_a_choice_is_judged_and_the_parts_of_every_round_add_up() {
    for (name, rules) in [
        ("dalmuti", json!({ "hands": 2 })),
        ("tahimi", json!({ "rounds": 2, "decree": [{}, { "jokers": "wild" }] })),
        ("taki", json!({ "players": 3, "games": 1, "draw_policy": "anytime" })),
        ("tachtigen", json!({ "deals": 1 })),
    ] {
        let table = session(name, rules, 5);
        let (mut choices, mut payoffs) = (0, Vec::new());
        let mut again = game(name).unwrap().rules(&table.rules()).unwrap().table(5);
        for step in (1..=table.steps()).map(|number| table.step(number).unwrap()) {
            match step {
                Step::Move(seat, action) => {
                    choices += usize::from(seat == Seat(0) && again.legal().len() > 1);
                    again.try_play(action).unwrap();
                    payoffs.extend(again.payoff());
                }
                _ => assert!(again.deal_next()),
            }
        }
        let (decisions, rounds) = reviewed(table, 0, FEW);
        assert!(choices > 0, "{name}");
        assert_eq!((decisions.len(), rounds.len()), (choices, payoffs.len()), "{name}");
        let aims: Vec<&Aimed> = decisions
            .iter()
            .filter_map(|decision| decision.compared.as_ref())
            .flat_map(|compared| compared.aim.iter().flatten())
            .collect();
        assert!(!aims.is_empty(), "{name}");
        aims.into_iter().for_each(|aimed| holds_together(name, aimed));
        for (RoundParts { place, points, .. }, payoff) in rounds.into_iter().zip(payoffs) {
            for (parts, result) in
                [(place, f64::from(payoff.place[0])), (points, f64::from(payoff.points[0]))]
            {
                assert_eq!(parts.result, result, "{name}");
                let sum = parts.deal.mean + parts.decisions.mean + parts.rest;
                assert!((sum - result).abs() < 1e-9, "{name}: {parts:?}");
            }
        }
    }
}

/// Checks that the result of an aim is consistent.
fn holds_together(name: &str, aimed: &Aimed) {
    let Aimed { purpose, reached, rivals, by, .. } = aimed;
    let share = |share: f64| (0.0..=1.0).contains(&share);
    assert!(share(*reached) && by.iter().all(|answer| share(answer.share)), "{name}: {aimed:?}");
    // No seat did what it could not do, and each seat that could prevent the aim had a move for it.
    assert!(rivals.iter().all(|rival| rival.did <= rival.could && share(rival.could)), "{name}: {aimed:?}");
    assert_eq!(rivals.is_empty(), by.is_empty(), "{name}: {aimed:?}");
    assert!(rivals.is_sorted_by(|a, b| a.could >= b.could) && by.is_sorted_by(|a, b| a.share >= b.share));
    // In these games, a prevented aim is lost. In a trick of four cards, a partner may still win it back.
    let prevented: f64 = rivals.iter().map(|rival| rival.did).sum();
    match *purpose {
        "no player tops it" | "the next player has to draw" => {
            assert!((reached + prevented - 1.0).abs() < 1e-9, "{name}: {aimed:?}");
        }
        "the trick goes your way" => {}
        "the contract goes your way" => assert!(rivals.is_empty(), "{aimed:?}"),
        other => panic!("{name}: {other}"),
    }
}

#[test]
fn no_player_tops_aces_and_a_pass_has_no_aim() {
    let (mut aces, mut passes) = (0, 0);
    for seed in 0..12 {
        // The rules have no jokers, and twos are low.
        let session = session("tahimi", json!({ "players": 3, "rounds": 1 }), seed);
        for ReviewedDecision { played, better, compared, .. } in reviewed(session, 0, FEW).0 {
            let Some(Compared { left, aim, .. }) = compared else { continue };
            for ((name, left), aim) in [played, better].into_iter().zip(&left).zip(aim) {
                if name == "pass" {
                    passes += 1;
                    assert_eq!(aim, None);
                } else if name.starts_with('A') {
                    aces += 1;
                    let aim = aim.expect("a set was played");
                    assert_eq!((aim.reached, aim.rivals.len()), (1.0, 0), "{name}, {left} left");
                }
            }
        }
    }
    assert!(aces > 0 && passes > 0, "{aces} {passes}");
}

#[test]
fn a_seat_that_plays_as_the_judge_does_costs_itself_nothing() {
    let mut table = game("dalmuti").unwrap().rules(&json!({ "hands": 1 })).unwrap().table(7);
    let mut judge = Search::new("judge", settings(60), FEW.seed);
    let mut solver = EndgameSolver::default();
    let mut other = Player::scripted().bot(0);
    while let Some(view) = table.asked() {
        let certain = solver.solve(view, DEFAULT_POSITIONS).and_then(|values| values.best().next());
        let action = match view.seat() {
            Seat(2) => certain.unwrap_or_else(|| judge.pick(view)),
            _ => other.pick(view),
        };
        table.try_play(action).unwrap();
    }
    let (decisions, rounds) = reviewed(table, 2, FEW);
    assert!(decisions.iter().all(|decision| decision.compared.is_none()), "{decisions:?}");
    assert_eq!(rounds[0].place.decisions, Estimate::default());
}

#[test]
fn a_review_shows_the_cost_of_throwing_the_best_cards_away() {
    // Seat 0 always plays the last legal move: it passes, and gives its best cards away.
    let (decisions, rounds) =
        reviewed(session("dalmuti", json!({ "hands": 3 }), 11), 0, Thoroughness { deals: 200, ..FEW });
    let clear = decisions
        .iter()
        .filter_map(|decision| decision.compared.as_ref())
        .filter(|compared| compared.place.is_clear());
    assert!(clear.clone().count() > 0);
    assert!(clear.clone().filter(|compared| compared.place.mean > 0.0).count() * 2 > clear.count());
    let lost: f64 = rounds.iter().map(|round| round.place.decisions.mean).sum();
    assert!(lost > 0.5, "{lost}");
}

#[test]
fn the_same_session_gets_the_same_review_on_any_number_of_threads() {
    let review = |threads| {
        let settings = SearchSettings { threads, ..settings(60) };
        let mut reviewer =
            Reviewer::new(session("tahimi", json!({ "rounds": 1 }), 2), Seat(0), settings, FEW);
        std::iter::from_fn(|| reviewer.advance()).collect::<Vec<_>>()
    };
    assert_eq!(review(1), review(3));
}
