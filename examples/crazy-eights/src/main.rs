//! The `cardsharp` command with one more game.

use std::process::ExitCode;

fn main() -> ExitCode {
    cardsharp_cli::main_with(&[crazy_eights::CRAZY_EIGHTS])
}
