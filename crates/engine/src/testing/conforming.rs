//! What the tests of every game ask of the conformance suite.

use crate::base::rules::Rules;
use crate::conformance::{Suite, SuiteReport};
use crate::game::Game;

/// Returns the number of random decisions to check, over all options and numbers of players: a million, or
/// `CARDSHARP_DECISIONS`.
fn decisions() -> u64 {
    std::env::var("CARDSHARP_DECISIONS").map_or(1_000_000, |decisions| {
        let number = decisions.parse().ok().filter(|&number| number >= 100_000);
        number.unwrap_or_else(|| panic!("CARDSHARP_DECISIONS must be 100000 or more, not {decisions:?}"))
    })
}

/// Asserts that random decisions satisfy the conformance suite: a million, or as many as `CARDSHARP_DECISIONS` says.
///
/// # Panics
/// They do not, or they cover too little.
pub fn random_decisions_conform<G: Game>() {
    let decisions = decisions();
    let report = run::<G>(decisions, 20);
    println!("{}", serde_json::to_string(&report).unwrap_or_default());
    assert_eq!(report.decisions, decisions);
    assert!(
        report.thorough > decisions / 100 && report.whole > decisions / 100_000 && report.forced < decisions
    );
    assert!(report.observed >= decisions / 10, "too few views made of records: {}", report.observed);
    // Hidden cards differ in most imagined rounds, so the views depend only on the event logs.
    assert!(report.imagined > report.observed / 4, "{} of {}", report.imagined, report.observed);
    for n in G::Rules::PLAYERS {
        assert!(
            report.players[usize::from(n)] > decisions / 50_000,
            "too few sessions of {n} players: {:?}",
            report.players
        );
    }
}

/// Asserts that the conformance suite is deterministic.
///
/// # Panics
/// Two runs with the same seed differ.
pub fn the_same_seed_checks_the_same_decisions<G: Game>() {
    assert_eq!(run::<G>(5_000, 1), run::<G>(5_000, 1));
}

fn run<G: Game>(decisions: u64, seed: u64) -> SuiteReport {
    Suite::<G>::whole().run(decisions, seed).unwrap_or_else(|finding| panic!("{finding}"))
}

/// Defines the tests of a game that run the conformance suite.
#[macro_export]
macro_rules! conformance_tests {
    ($round:ty) => {
        #[test]
        fn random_decisions_conform() {
            $crate::testing::random_decisions_conform::<$round>();
        }

        #[test]
        fn the_same_seed_checks_the_same_decisions() {
            $crate::testing::the_same_seed_checks_the_same_decisions::<$round>();
        }
    };
}
