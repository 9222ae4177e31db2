//! Every game satisfies the conformance suite. Each game has separate tests, so that they run in parallel.

use cardsharp_env::{AnyGame, GAMES, game};

/// Random decisions for each game, over all options and player counts, in CI.
const DECISIONS: u64 = 1_000_000;

macro_rules! tests_of {
    ($($name:ident),*) => {
        /// The games that have tests here.
        const TESTED: &[&str] = &[$(stringify!($name)),*];

        $(mod $name {
            #[test]
            fn a_million_random_decisions_conform() {
                super::a_million_random_decisions_conform(super::listed(stringify!($name)));
            }

            #[test]
            fn the_same_seed_checks_the_same_decisions() {
                super::the_same_seed_checks_the_same_decisions(super::listed(stringify!($name)));
            }
        })*
    };
}

tests_of!(tahimi, dalmuti, taki, tachtigen, kuhn, leduc);

#[test]
fn no_game_is_left_out() {
    assert_eq!(TESTED, GAMES.iter().map(|game| game.name()).collect::<Vec<_>>());
}

fn listed(name: &str) -> &'static dyn AnyGame {
    game(name).expect("a game of the list")
}

fn a_million_random_decisions_conform(game: &dyn AnyGame) {
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

fn the_same_seed_checks_the_same_decisions(game: &dyn AnyGame) {
    let runs = [1, 1].map(|seed| game.conformance(5_000, seed).unwrap_or_else(|finding| panic!("{finding}")));
    assert_eq!(runs[0], runs[1]);
}
