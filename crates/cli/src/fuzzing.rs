//! Readers of what others wrote, for the targets of `fuzz/`: whatever they are given, they refuse it with a reason, or
//! what was read can be used.

use crate::input::{Lines, TRACE_LINE};
use crate::recording::replay;
use crate::report;

/// A trace is refused, or its session is played again.
pub fn trace(bytes: &[u8]) {
    if let Err(error) = replay::check(Lines::of("trace", bytes.to_vec(), TRACE_LINE), true) {
        assert!(!error.to_string().is_empty());
    }
}

/// What an arena found is refused, or shown on a page; so are the configuration and the record of a run, with a
/// byte 0 between them.
pub fn record(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let read = match text.split_once('\0') {
        Some((config, record)) => report::run_of(config, record),
        None => report::contests_of(text),
    };
    let shown = read.and_then(|source| report::page(&[source], None, "page/"));
    match shown {
        Ok(page) => assert!(page.contains("</html>")),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
