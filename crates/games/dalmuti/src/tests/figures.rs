//! Figures of The Great Dalmuti.

use cardsharp_climbing::testing::{Figures, measure};
use cardsharp_engine::Actions;
use cardsharp_engine::Play;

use crate::{Round, Rules, Strip};

/// Decisions, tricks, branching and percent forced, from 1,500 hands each of an independent implementation. There
/// are no taxes, so the figures describe the play alone.
const EXPECTED: [(u8, Strip, [f64; 4]); 9] = [
    (4, Strip::None, [129.0, 23.0, 3.4, 48.0]),
    (5, Strip::None, [163.0, 24.0, 2.6, 55.0]),
    (6, Strip::None, [196.0, 25.0, 2.2, 60.0]),
    (7, Strip::None, [229.0, 25.0, 2.0, 64.0]),
    (8, Strip::None, [260.0, 26.0, 1.8, 67.0]),
    (10, Strip::None, [318.0, 26.0, 1.6, 71.0]),
    (12, Strip::None, [374.0, 27.0, 1.5, 75.0]),
    (4, Strip::Recommended, [98.0, 18.0, 2.9, 49.0]),
    (5, Strip::Recommended, [143.0, 22.0, 2.5, 56.0]),
];

#[test]
fn random_hands_are_as_long_and_wide_as_elsewhere() {
    for (players, strip, expected) in EXPECTED {
        let rules = Rules { players, strip, hands: 1, first_deal_revolution: true, ..Rules::default() };
        let is_lead = |round: &Round| round.phase() == "play" && round.table().trick.size == 0;
        let found = measure::<Round>(rules, u64::from(players), 2000, is_lead);
        println!("{players} players {strip:?}: {found:.2?}, elsewhere {expected:?}");
        let Figures { decisions, tricks, branching, forced } = found;
        let found = [decisions, tricks, branching, forced].into_iter();
        for (found, (wanted, tolerance)) in found.zip(expected.into_iter().zip([2.0, 0.8, 0.08, 1.0])) {
            assert!((found - wanted).abs() < tolerance, "{players} players: {found}, elsewhere {wanted}");
        }
    }
}
