//! An endgame of any game, as a JSON list of rules and cards: refused, or all of it is there to be solved.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    cardsharp_cli::fuzzing::endgame(bytes);
});
