//! The game satisfies the conformance suite of all games.

use cardsharp_env::conformance::Suite;
use crazy_eights::{CRAZY_EIGHTS, Round};

const DECISIONS: u64 = 100_000;

#[test]
fn random_decisions_over_all_rules_conform() {
    let report = Suite::<Round>::whole().run(DECISIONS, 20).unwrap_or_else(|finding| panic!("{finding}"));
    println!("{}", serde_json::to_string(&report).unwrap());
    assert_eq!(report.decisions, DECISIONS);
    assert!(report.thorough > DECISIONS / 100 && report.whole > 10 && report.forced < DECISIONS);
    let sessions: Vec<u64> = CRAZY_EIGHTS.players().map(|n| report.players[usize::from(n)]).collect();
    assert!(sessions.iter().all(|&sessions| sessions > 20), "too few sessions of some players: {sessions:?}");
}
