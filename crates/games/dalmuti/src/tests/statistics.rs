//! Statistics of random play against numbers from another program: a test of the complete engine.

use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Play, Turn};
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::Draw;
use serde_json::json;

use super::super::Round;
use super::super::state::Stage;
use super::situation::rules;

/// Means over hands of random play: decisions in the play, tricks taken (the last one never is), legal actions, and
/// percentage of forced decisions.
fn measure(players: u8, strip: &str, hands: u64) -> [f64; 4] {
    let rules = rules(json!({"players": players, "strip": strip, "hands": 1}));
    let mut draw = Draw::new(11, u64::from(players));
    let (mut decisions, mut tricks, mut actions, mut forced) = (0u64, 0u64, 0u64, 0u64);
    for seed in 0..hands {
        let mut session = Session::<Round>::new(rules, seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let round = session.round();
            let legal = Round::legal(round.view(seat));
            let count = mask::count(legal.words());
            let pick = legal.random(&mut draw).unwrap();
            if round.table.stage == Stage::Play {
                decisions += 1;
                actions += u64::from(count);
                forced += u64::from(count == 1);
            }
            let lay = round.table.trick.size > 0;
            session.round_mut().play(pick);
            tricks += u64::from(lay && session.round().table.trick.size == 0);
        }
    }
    let (hands, all) = (hands as f64, decisions as f64);
    [all / hands, tricks as f64 / hands, actions as f64 / all, 100.0 * forced as f64 / all]
}

#[test]
fn random_play_takes_as_long_as_it_should() {
    // Decisions, tricks, legal actions, percentage forced. The numbers are rounded as shown.
    let table = [
        (4, "none", [129.0, 23.0, 3.4, 48.0]),
        (5, "none", [163.0, 24.0, 2.6, 55.0]),
        (8, "none", [260.0, 26.0, 1.8, 67.0]),
        (12, "none", [374.0, 27.0, 1.5, 75.0]),
        (4, "recommended", [98.0, 18.0, 2.9, 49.0]),
        (5, "recommended", [143.0, 22.0, 2.5, 56.0]),
    ];
    for (players, strip, expected) in table {
        let got = measure(players, strip, 1_500);
        for (i, (got, expected)) in got.into_iter().zip(expected).enumerate() {
            // Allow 2 %, and half a unit of the last digit in the table.
            let digit = if i == 2 { 0.05 } else { 0.5 };
            let off = (got - expected).abs();
            assert!(
                off <= 0.02 * expected + digit,
                "{players} players, strip {strip}: figure {i} is {got:.2}, not {expected}"
            );
        }
    }
}
