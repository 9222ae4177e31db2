//! Rules of any game, as JSON: refused, or complete, and a session can be dealt by them.

#![no_main]

use cardsharp_env::{Draw, GAMES};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Moves that are played by rules which were accepted.
const MOVES: usize = 60;

fuzz_target!(|bytes: &[u8]| {
    let Ok(given) = serde_json::from_slice::<Value>(bytes) else { return };
    for game in GAMES {
        let Ok(rules) = game.rules(&given) else { continue };
        assert_eq!(game.rules(rules.json()).expect("they were accepted before"), rules);
        let mut table = rules.table(1);
        let mut draw = Draw::new(1, 1);
        for _ in 0..MOVES {
            table.deal_next();
            if table.over() {
                break;
            }
            let action = draw.pick(&table.legal());
            table.try_play(action).expect("it is legal");
        }
    }
});
