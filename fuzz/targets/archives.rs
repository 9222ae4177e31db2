//! The archive of a bot without its compression: refused, or its files have plain names.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| cardsharp_cli::fuzzing::archive(bytes));
