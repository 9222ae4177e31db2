//! The file of a network: refused with a reason, or it is written again to the same bytes.

#![no_main]

use cardsharp_bot::file::{from_bytes, to_bytes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok((header, net)) = from_bytes(bytes) {
        let again = to_bytes(&header, &net).expect("it was read");
        assert_eq!(from_bytes(&again).expect("it was written"), (header, net));
    }
});
