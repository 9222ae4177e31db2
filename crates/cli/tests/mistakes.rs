//! Mistakes of users, and the error messages: `tests/mistakes/*.trycmd`, by command, with the whole message and the
//! exit code. Read a changed message there, like a person who has never seen the program.
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
        cases.skip("tests/mistakes/serve.trycmd").skip("tests/mistakes/deals.trycmd");
    }
    cases.run();
    assert!(!Path::new("target-of-nobody").exists(), "a run that did not start left its folder");
}

#[cfg(all(unix, feature = "serve"))]
#[test]
fn a_server_that_was_to_be_protected_does_not_begin_without() {
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    let token = std::ffi::OsStr::from_bytes(b"\xff\xfeaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
    let output = command.args(["serve", "--listen", "127.0.0.1:0"]).env("CARDSHARP_TOKEN", token).output();
    let output = output.expect("the command ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("the variable CARDSHARP_TOKEN is not UTF-8 text"), "{message}");
}
