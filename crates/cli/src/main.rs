use std::process::ExitCode;

fn main() -> ExitCode {
    cardsharp_cli::main_with(&[])
}
