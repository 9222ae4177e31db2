//! Learners held against games whose answer is known.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::bots::Player;
use cardsharp_bot::solve::{Strategy, measure};
use cardsharp_trainer::config::Config;
use cardsharp_trainer::run_folder::RunFolder;
use cardsharp_trainer::train::train;
use serde_json::Value;

/// The exploitability of what a configuration of the project learns in so many iterations.
fn exploitability(file: &str, iterations: u64) -> f64 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/reference").join(file);
    let config = Config::read(&path, &[format!("iterations={iterations}")]).expect("a valid configuration");
    let folder = tempfile::tempdir().expect("a folder");
    let run = RunFolder::create(&folder.path().join("run"), &config).expect("a run folder");
    let outcome = train(&config, &run, &mut |_| (), &mut |_| (), &AtomicBool::new(false)).expect("a run");
    let game = cardsharp_env::game(&config.game).expect("a game of the list");
    let whole = game.enumerate(&Value::Null, 100_000).expect("a small game");
    let mut bot = Player::policy("learner", Arc::clone(&outcome.net), 1.0).bot(0);
    measure(whole.tree(), &Strategy::of(bot.as_mut(), game, whole.as_ref())).exploitability()
}

/// A tenth of the run that docs/solve.md reports. A random player has 0.458.
#[test]
fn self_play_comes_near_the_equilibrium_of_kuhn_poker() {
    let (start, end) = (exploitability("kuhn.toml", 1), exploitability("kuhn.toml", 50));
    assert!(start > 0.4, "{start}");
    assert!(end < 0.1, "{end}");
}
