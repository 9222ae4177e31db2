//! The configuration of a run, as TOML: refused with its place, or complete, and written again to the same.

#![no_main]

use cardsharp_trainer::config::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Config::parse("fuzz.toml", text, &[]) {
        Ok(config) => {
            let written = config.toml().expect("it has a TOML form");
            let again = Config::parse("written.toml", &written, &[]).expect("it was accepted before");
            assert_eq!(again.toml().as_ref(), Ok(&written));
        }
        Err(error) => assert!(error.to_string().starts_with("fuzz.toml")),
    }
});
