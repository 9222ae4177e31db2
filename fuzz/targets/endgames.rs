//! An endgame of any game, as a JSON list of rules and cards: refused, or all of it is there to be solved.

#![no_main]

use cardsharp_env::GAMES;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// What has more positions than this is refused, as a caller may ask.
const MOST: u64 = 3_000;

fuzz_target!(|bytes: &[u8]| {
    let Ok((rules, cards)) = serde_json::from_slice::<(Value, Value)>(bytes) else { return };
    for game in GAMES {
        let Ok(rules) = game.rules(&rules) else { continue };
        match rules.enumerate_endgame(&cards, MOST) {
            Ok(tree) => assert!(tree.tree().deals > 0),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
