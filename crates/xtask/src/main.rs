//! `cargo run -p xtask -- web` makes the npm package of the engine.
//!
//! `target/web/cardsharp` is the package, `target/web/bots` the shipped bots at half precision, as a page would
//! fetch them. `--wasm-opt PROGRAM` names Binaryen's, which makes the engine a tenth smaller; without it the
//! package is as good and larger.

mod bots;
mod engine;
mod error;
mod package;
mod place;
mod typescript;

use std::path::Path;
use std::process::ExitCode;

use error::TaskError;

/// How it is called.
const USAGE: &str = "usage: cargo run -p xtask -- web [--wasm-opt PROGRAM]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), TaskError> {
    let wasm_opt = match arguments {
        ["web"] => None,
        ["web", "--wasm-opt", program] => Some(Path::new(program)),
        _ => return Err(TaskError::Usage(USAGE)),
    };
    let target = place::target();
    let (package, bots) = (target.join("web/cardsharp"), target.join("web/bots"));
    engine::build(&target, &package, wasm_opt)?;
    package::write(&package)?;
    bots::write(&bots)?;
    println!("{}", package.display());
    Ok(())
}
