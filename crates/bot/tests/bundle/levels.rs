//! Levels in a bundle.

use cardsharp_bot::bots::levels::{LEVELS, Level, Levels};
use serde_json::Value;

use super::*;

#[test]
fn a_level_that_believes_needs_a_model_in_its_bundle() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let game = sample().0.game;
    let plain = Level { temperature: 1.0, ..Level::default() };
    let verified = |simulations, beliefs| {
        let mut levels = vec![plain; usize::from(LEVELS)];
        levels[9] = Level { simulations, beliefs, ..plain };
        let game = game.clone();
        let levels = Levels { game, rules: Value::Null, deals: 1, seed: 1, others: Vec::new(), levels };
        let text = serde_json::to_vec(&levels).expect("JSON");
        Manifest::add(&to, "levels.json", &text).expect("written");
        verify(&Games::shipped(), &to).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(verified(400, false), Ok(()));
    let said = verified(400, true).expect_err("refused");
    assert!(said.contains("levels.json: the level draws deals by a model of beliefs"), "{said}");
    let said = verified(0, true).expect_err("refused");
    assert!(said.contains("level 10 has `beliefs` and no tries"), "{said}");
}
