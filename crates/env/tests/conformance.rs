//! Every game satisfies the conformance suite.

use cardsharp_env::GAMES;

/// Over all rules options and player counts, in CI.
const DECISIONS: u64 = 1_000_000;

#[test]
fn a_million_random_decisions_of_every_game_conform() {
    for game in GAMES {
        let report = game.conformance(DECISIONS, 20).unwrap_or_else(|finding| panic!("{finding}"));
        println!("{}: {}", game.name(), serde_json::to_string(&report).unwrap_or_default());
        assert_eq!(report.decisions, DECISIONS);
        assert!(report.thorough > DECISIONS / 100 && report.whole > 10 && report.forced < DECISIONS);
        let players = game.players();
        for n in players {
            assert!(
                report.players[usize::from(n)] > 20,
                "too few sessions of {n} players: {:?}",
                report.players
            );
        }
    }
}

#[test]
fn the_same_seed_checks_the_same_decisions() {
    for game in GAMES {
        let runs =
            [1, 1].map(|seed| game.conformance(5_000, seed).unwrap_or_else(|finding| panic!("{finding}")));
        assert_eq!(runs[0], runs[1]);
    }
}
