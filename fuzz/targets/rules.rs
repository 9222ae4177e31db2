//! Rules of any game, as JSON: refused, or complete, and a session can be dealt by them.

#![no_main]

use cardsharp_env::GAMES;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(given) = serde_json::from_slice::<Value>(bytes) else { return };
    for game in GAMES.iter() {
        cardsharp_cli::fuzzing::rules(*game, &given);
    }
});
