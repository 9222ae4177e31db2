//! The file of a network: refused with a reason, or it is written again to the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    cardsharp_cli::fuzzing::weights(bytes);
});
