//! Figures of Tahimi.

use cardsharp_climbing::testing::{Figures, measure};
use cardsharp_engine::Play;

use crate::{Deck, Round, Rules};

/// Decisions, tricks, branching and percent forced with the standard deck, from 1,500 rounds each of an independent
/// implementation. These are first rounds, so the figures describe the play alone.
const STANDARD: [(u8, [f64; 4]); 6] = [
    (3, [79.0, 18.0, 3.7, 37.0]),
    (4, [104.0, 18.0, 2.8, 47.0]),
    (5, [121.0, 18.0, 2.2, 54.0]),
    (6, [136.0, 18.0, 1.9, 59.0]),
    (7, [157.0, 18.0, 1.8, 62.0]),
    (8, [170.0, 18.0, 1.6, 66.0]),
];

/// Decisions with the special deck, from the same implementation.
const SPECIAL: [(u8, f64); 4] = [(5, 155.0), (6, 212.0), (7, 278.0), (8, 352.0)];

fn played(players: u8, deck: Deck) -> Figures {
    let rules = Rules { players, deck, rounds: 1, ..Rules::default() };
    measure::<Round>(rules, u64::from(players), 2000, |round| round.table().trick.size == 0)
}

#[test]
fn random_rounds_are_as_long_and_wide_as_elsewhere() {
    for (players, expected) in STANDARD {
        let found = played(players, Deck::Standard);
        println!("{players} players: {found:.2?}, elsewhere {expected:?}");
        let Figures { decisions, tricks, branching, forced } = found;
        let found = [decisions, tricks, branching, forced].into_iter();
        for (found, (wanted, tolerance)) in found.zip(expected.into_iter().zip([2.0, 0.8, 0.08, 1.0])) {
            assert!((found - wanted).abs() < tolerance, "{players} players: {found}, elsewhere {wanted}");
        }
    }
}

#[test]
fn random_rounds_with_the_special_deck_are_as_long_as_elsewhere() {
    for (players, expected) in SPECIAL {
        let found = played(players, Deck::Special).decisions;
        println!("{players} players: {found:.2}, elsewhere {expected}");
        assert!((found - expected).abs() < 3.0, "{players} players: {found}, elsewhere {expected}");
    }
}
