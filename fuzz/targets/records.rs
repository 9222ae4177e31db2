//! What arenas and runs wrote down: refused with a reason, or shown on a page.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| cardsharp_cli::fuzzing::record(bytes));
