//! Help texts and tables, as they appear on a terminal: `tests/cmd/*.trycmd`. Errors are in `tests/mistakes`.
//!
//! After an intended change: `TRYCMD=overwrite cargo test --release -p cardsharp-cli cli::`,
//! and read the difference.

#[test]
fn commands_answer_as_recorded() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
