//! What the tests of every game ask of the conformance suite.

use crate::any::AnyGame;

/// Random decisions, over all options and numbers of players.
const DECISIONS: u64 = 1_000_000;

/// Asserts that a million random decisions satisfy the conformance suite.
///
/// # Panics
/// They do not, or they cover too little.
pub fn a_million_random_decisions_conform(game: &dyn AnyGame) {
    let report = game.conformance(DECISIONS, 20).unwrap_or_else(|finding| panic!("{finding}"));
    println!("{}", serde_json::to_string(&report).unwrap_or_default());
    assert_eq!(report.decisions, DECISIONS);
    assert!(report.thorough > DECISIONS / 100 && report.whole > 10 && report.forced < DECISIONS);
    assert!(report.observed >= 100_000, "too few views made of records: {}", report.observed);
    // Hidden cards differ in most imagined rounds, so the views depend only on the event logs.
    assert!(report.imagined > report.observed / 4, "{} of {}", report.imagined, report.observed);
    for n in game.players() {
        assert!(report.players[usize::from(n)] > 20, "too few sessions of {n} players: {:?}", report.players);
    }
}

/// Asserts that the conformance suite is deterministic.
///
/// # Panics
/// Two runs with the same seed differ.
pub fn the_same_seed_checks_the_same_decisions(game: &dyn AnyGame) {
    let runs = [1, 1].map(|seed| game.conformance(5_000, seed).unwrap_or_else(|finding| panic!("{finding}")));
    assert_eq!(runs[0], runs[1]);
}
