//! The bots play every game, rate their moves, and beat random play.

use std::time::Duration;

use cardsharp_bot::bot::tell;
use cardsharp_bot::bots::Search;
use cardsharp_bot::bots::search::{Budget, SearchSettings};
use cardsharp_bot::{Bot, Contest, Player};
use cardsharp_env::log::Line;
use cardsharp_env::{ActionId, AnyTable, Audience, DealRng, Playout, Seat, SeatView, Size, game, games};
use own_bot::{Memory, Moved, Reader, Rollouts, weight};

/// Calls `look` at some of the first decisions in a session of every game, which the scripted player plays.
fn at_decisions(mut look: impl FnMut(cardsharp_env::SeatView<'_>, &[ActionId])) {
    for game in games::GAMES.iter() {
        let mut table = game.default_rules().table(7);
        for step in 0..24 {
            let Some(view) = table.asked() else { break };
            if step % 4 == 0 {
                look(view, &table.legal());
            }
            let action = view.scripted();
            table.try_play(action).unwrap();
        }
    }
}

#[test]
fn advice_ranks_every_legal_move_and_agrees_with_play() {
    at_decisions(|view, legal| {
        let mut bot = Rollouts::new(20, 1);
        let advice = bot.advise(view);
        let mut moves: Vec<ActionId> = advice.moves.iter().map(|ranked| ranked.action).collect();
        assert_eq!(moves[0], bot.pick(view));
        moves.sort();
        assert_eq!(moves, legal, "{}", view.game());
        let surely: Vec<f64> = advice.moves.iter().map(|ranked| ranked.probability).collect();
        assert!(surely[0] == 1.0 && surely[1..].iter().all(|&probability| probability == 0.0));
        assert!(legal.len() == 1 || advice.moves.iter().all(|ranked| ranked.value.is_some()));
        assert_eq!(advice.value, advice.moves[0].value);
    });
}

#[test]
fn the_answer_follows_from_seed_and_view_alone() {
    let mut asked_before = Rollouts::new(20, 1);
    at_decisions(|view, _| {
        let read = games::game(view.game()).unwrap().view(&view.json().to_string()).unwrap();
        let answer = Rollouts::new(20, 1).advise(read.view());
        assert_eq!(answer, asked_before.advise(view), "{}", view.game());
    });
}

#[test]
fn it_beats_players_who_move_at_random() {
    let rules = game("dalmuti").unwrap().default_rules();
    let rules = rules.sized(Size { players: Some(4), rounds: Some(1) }).unwrap();
    let own = Player::new("rollouts", |seed| Box::new(Rollouts::new(20, seed)));
    let report = Contest::new(&rules, vec![own, Player::random()], 12, 1).unwrap();
    let score = report.run(&mut || Duration::ZERO).bots[0].place_score;
    assert!(score.low > 0.0, "{score:?}");
}

#[test]
fn who_remembers_folds_to_those_who_never_bluff_and_calls_the_others() {
    let kuhn = game("kuhn").unwrap();
    let points = |bot: Player, other: Player, hands: u32| {
        let rules = kuhn.default_rules().sized(Size { rounds: Some(hands), ..Size::AS_GIVEN }).unwrap();
        let contest = Contest::new(&rules, vec![bot, other], 40, 1).unwrap();
        let units: Vec<_> =
            (0..contest.units()).map(|unit| contest.play(unit, &mut || Duration::ZERO)).collect();
        contest.report(&units).bots[0].points
    };
    let memory = || Player::new("memory", |_| Box::new(Memory::default()));
    // The scripted player bets kings alone.
    let long = points(memory(), Player::scripted(), 100);
    assert!(long.low > 0.0, "{long:?}");
    // In one hand there is nothing to remember, and both play alike.
    assert_eq!(points(memory(), Player::scripted(), 1).mean, 0.0);
    // A random player bets jacks as often as kings, so the bot keeps calling and gains what the scripted player gains.
    let (own, scripted) =
        (points(memory(), Player::random(), 100), points(Player::scripted(), Player::random(), 100));
    assert!((own.mean - scripted.mean).abs() < 0.02, "{own:?} {scripted:?}");
}

/// Calls `look` at every decision in 20 deals of Tachtigen between scripted players. The moves so far are from the
/// event log of the seat to move.
fn in_deals(mut look: impl FnMut(SeatView<'_>, &[Moved], &dyn AnyTable)) {
    let rules = game("tachtigen").unwrap().default_rules();
    let rules = rules.sized(Size { rounds: Some(1), ..Size::AS_GIVEN }).unwrap();
    for seed in 0..20 {
        let mut table = rules.table(seed);
        while let Some(view) = table.asked() {
            let mut moves = Vec::new();
            for line in (0..=table.steps()).flat_map(|step| table.lines(step, Audience::Seat(view.seat()))) {
                match line {
                    Line::Event { event, .. } if event["event"] == "redeal" => moves.clear(),
                    Line::Move { seat, choice, .. } => {
                        moves.push((seat, choice.map(|label| table.parse(&label).unwrap())));
                    }
                    _ => {}
                }
            }
            look(view, &moves, table.as_ref());
            let action = view.scripted();
            table.try_play(action).unwrap();
        }
    }
}

#[test]
fn the_deal_in_play_weighs_most_where_all_play_by_rule() {
    let (mut imagined, mut count) = (0.0, 0.0);
    let mut deal: Option<Box<dyn Playout>> = None;
    in_deals(|view, moves, table| {
        assert_eq!(weight(view, moves, |seat| table.view(seat)), 1.0, "{moves:?}");
        for n in 0..3 {
            let deal = view.determinize(DealRng::new(5, n), &mut deal).unwrap();
            let weighs = weight(view, moves, |seat| deal.view(seat));
            assert!(weighs > 0.0, "a deal that the view allows can be played so");
            imagined += weighs;
            count += 1.0;
        }
    });
    let mean = imagined / count;
    assert!(mean < 0.4, "deals that nobody weighed: {mean} of {count}");
}

#[test]
fn the_reader_weighs_what_it_hears_and_plays_like_a_search_where_it_hears_nothing() {
    let rules = game("tachtigen").unwrap().default_rules();
    let (mut differ, mut reader) = (0, Reader::new(60, 1));
    for seed in 0..3 {
        let (mut table, mut heard) = (rules.table(seed), 0);
        while let Some(view) = table.asked() {
            if view.seat() == Seat(0) {
                tell(&mut reader, 0, Seat(0), table.as_ref(), &mut heard);
                let mut search = Search::new("search", SearchSettings::new(Budget::Simulations(60), None), 1);
                let deaf = Reader::new(60, 1).pick(view);
                assert_eq!(deaf, search.pick(view));
                let reads = reader.pick_at(0, view);
                assert!(table.legal().contains(&reads));
                differ += usize::from(reads != deaf);
            }
            let action = view.scripted();
            table.try_play(action).unwrap();
        }
    }
    let spent = reader.spent();
    assert!(differ > 0 && spent.candidates == 8 * spent.deals, "{differ} {spent:?}");
}
