//! Help texts and tables, as they appear at a terminal: `tests/cmd/*.trycmd`. What is refused stands in `tests/mistakes`.
//!
//! After an intended change: `TRYCMD=overwrite cargo test --release -p cardsharp-cli cli::`,
//! and read the difference.

#[test]
fn commands_answer_as_recorded() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
