//! Compares random play with figures from another, simpler program.

use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Play, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::Draw;
use serde_json::json;

use super::super::Round;
use super::situation::rules;

/// Returns the mean number of decisions per game of random play, and the mean number of legal actions.
fn measure(players: u8, mode: &str, games: u64) -> [f64; 2] {
    let rules = rules(json!({"players": players, "mode": mode}));
    let mut draw = Draw::new(11, u64::from(players));
    let (mut decisions, mut choices) = (0u64, 0u64);
    for seed in 0..games {
        let mut round = *Session::<Round>::new(rules, seed).round();
        while let Turn::Decide(seat) = round.turn() {
            let legal = Round::legal(round.view(seat));
            round.play(legal.random(&mut draw).unwrap());
            decisions += 1;
            choices += legal.count() as u64;
        }
    }
    [decisions as f64 / games as f64, choices as f64 / decisions as f64]
}

#[test]
fn random_games_are_about_as_long_as_elsewhere() {
    // The other program simplifies the rules, so its figures are right only to about 20 %.
    let single = [(2, 67.0), (3, 69.0), (4, 78.0), (6, 108.0), (8, 151.0), (10, 237.0)];
    let tournament = [(2, 655.0), (4, 866.0)];
    for (mode, games, table) in [("single", 600, &single[..]), ("tournament", 60, &tournament[..])] {
        for &(players, expected) in table {
            let [length, branching] = measure(players, mode, games);
            let off = (length - expected).abs() / expected;
            println!(
                "{mode}, {players} players: {length:.1} decisions, elsewhere {expected}; {branching:.2} legal"
            );
            assert!(off < 0.35, "{mode}, {players} players: {length:.1} decisions, elsewhere {expected}");
            assert!((1.5..3.5).contains(&branching), "{branching:.2} legal actions");
        }
    }
}
