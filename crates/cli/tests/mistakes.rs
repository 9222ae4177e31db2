//! What people get wrong, and what they are told: `tests/mistakes/*.trycmd`, by command, with the whole message and the exit
//! code. Whoever changes a message reads it there as somebody would who has never seen the program.
//!
//! After an intended change: `TRYCMD=overwrite cargo test --release -p cardsharp-cli mistakes::`,
//! and read the difference.

use std::path::Path;

#[test]
fn mistakes_are_told_as_recorded() {
    let cases = trycmd::TestCases::new();
    cases.case("tests/mistakes/*.trycmd").case("tests/mistakes/*.toml");
    if cfg!(not(feature = "dataset")) {
        cases.skip("tests/mistakes/dataset.trycmd");
    }
    if cfg!(not(feature = "serve")) {
        cases.skip("tests/mistakes/serve.trycmd");
    }
    cases.run();
    assert!(!Path::new("target-of-nobody").exists(), "a run that did not start left its folder");
}
