//! Help texts, tables and refusals, as they appear at a terminal: `tests/cmd/*.trycmd`.
//!
//! After an intended change: `TRYCMD=overwrite cargo test --release -p cardsharp-cli --test cli`,
//! and read the difference.

#[test]
fn commands_answer_as_recorded() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
