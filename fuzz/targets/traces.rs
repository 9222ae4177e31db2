//! A trace of a session: refused with the line and a reason, or played again.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| cardsharp_cli::fuzzing::trace(bytes));
