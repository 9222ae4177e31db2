//! Tests of levels in bundles.

use cardsharp_bot::bots::levels::{LEVELS, Level, Levels};
use serde_json::Value;

use super::*;

/// Returns the content of a valid file of levels for the sample.
pub(super) fn sound() -> Vec<u8> {
    of(&sample().0.game, Level::default())
}

/// Returns levels with this highest level.
fn of(game: &str, highest: Level) -> Vec<u8> {
    let mut levels = vec![Level { temperature: 1.0, ..Level::default() }; usize::from(LEVELS)];
    levels[9] = Level { temperature: 1.0, ..highest };
    let game = game.to_owned();
    let levels = Levels { game, rules: Value::Null, deals: 1, seed: 1, others: Vec::new(), levels };
    serde_json::to_vec(&levels).expect("JSON")
}

#[test]
fn levels_that_do_not_fit_are_not_written_into_a_bundle() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    let (header, net) = sample();
    let refused = |levels: &[u8], beliefs: Option<Vec<u8>>| {
        let extras = Extras { levels: Some(levels.to_vec()), beliefs, ..Extras::default() };
        let said = export(&Games::shipped(), &header, &net, &extras, &to).expect_err("refused").to_string();
        assert!(!to.exists());
        said
    };
    assert!(refused(b"{}", None).starts_with("levels.json: not a file of levels"));
    assert!(
        refused(&of("kuhn", Level::default()), None)
            .contains("the levels are for a bot that plays `kuhn`, but")
    );
    let believes = Level { simulations: 9, beliefs: true, ..Level::default() };
    assert!(refused(&of(&header.game, believes), None).contains("this level needs a belief model"));
    assert!(refused(&sound(), Some(b"nothing".to_vec())).starts_with("beliefs.safetensors: "));
}

#[test]
fn a_level_that_believes_needs_a_model_in_its_bundle() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("bundle");
    bundle(&to);
    let game = sample().0.game;
    let verified = |simulations, beliefs| {
        let text = of(&game, Level { simulations, beliefs, ..Level::default() });
        Manifest::add(&to, "levels.json", &text).expect("written");
        verify(&Games::shipped(), &to).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(verified(400, false), Ok(()));
    let said = verified(400, true).expect_err("refused");
    assert!(said.contains("levels.json: this level needs a belief model"), "{said}");
    let said = verified(0, true).expect_err("refused");
    assert!(said.contains("level 10 has `beliefs` but no search"), "{said}");
}
