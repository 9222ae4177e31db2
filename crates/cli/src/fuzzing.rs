//! Parsers of untrusted input, for the targets in `fuzz/`. They refuse the input with a reason, or what they read is
//! usable.

use std::path::Path;

use cardsharp_bot::file::{from_bytes, to_bytes};
use cardsharp_env::{AnyGame, Draw, GAMES};
use cardsharp_report::Context;
use cardsharp_text::input::{Lines, TRACE_LINE};
use serde_json::Value;

use crate::commands::bots::archive;
use crate::games;
use crate::recording::replay;

/// Moves that are played under accepted rules.
const MOVES: usize = 60;
/// Maximum number of positions in an endgame.
const MOST: u64 = 3_000;

/// Checks rules: they are refused, or they are complete and a session can be played. Returns whether they were
/// accepted.
pub fn rules(game: &dyn AnyGame, given: &Value) -> bool {
    let Ok(rules) = game.rules(given) else { return false };
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
    true
}

/// Checks a JSON list of rules and cards as an endgame of every game. It is refused, or completely listed to be solved.
/// Returns how many games refused it, and how many listed it.
pub fn endgame(bytes: &[u8]) -> (usize, usize) {
    let (mut refused, mut listed) = (0, 0);
    let Ok((rules, cards)) = serde_json::from_slice::<(Value, Value)>(bytes) else { return (0, 0) };
    for game in GAMES.iter() {
        let Ok(rules) = game.rules(&rules) else { continue };
        match rules.enumerate_endgame(&cards, MOST) {
            Ok(tree) => {
                listed += 1;
                assert!(tree.tree().deals > 0);
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    (refused, listed)
}

/// Checks a network file: it is refused, or writing and reading it again gives the same network. Returns whether it was
/// accepted.
pub fn weights(bytes: &[u8]) -> bool {
    let Ok((header, net)) = from_bytes(bytes) else { return false };
    let again = to_bytes(&header, &net).expect("it was read");
    assert_eq!(from_bytes(&again).expect("it was written"), (header, net));
    true
}

/// Checks the archive of a bot without its compression: it is refused, or its files have plain names.
pub fn archive(bytes: &[u8]) {
    match archive::files(bytes) {
        Ok(files) => assert!(
            files
                .iter()
                .all(|(name, _)| Path::new(name).file_name().is_some_and(|last| last == name.as_str()))
        ),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Checks a trace: it is refused, or its session is replayed.
pub fn trace(bytes: &[u8]) {
    if let Err(error) = replay::check(Lines::of("trace", bytes.to_vec(), TRACE_LINE), true) {
        assert!(!error.to_string().is_empty());
    }
}

/// Checks results of an arena, or the configuration and metrics of a run with a byte 0 between them. They are refused,
/// or shown on a page.
pub fn record(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let read = match text.split_once('\0') {
        Some((config, record)) => cardsharp_report::run_of(config, record),
        None => cardsharp_report::contests_of(games::all(), text),
    };
    let shown = read.and_then(|source| {
        cardsharp_report::page(&[source], None, Context { games: games::all(), viewer: "page/" })
    });
    match shown {
        Ok(page) => assert!(page.contains("</html>")),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
