//! `cargo run -p xtask -- web` makes the npm package of the engine, `cargo run -p xtask -- page` the page over it.
//!
//! `target/web/cardsharp` is the package, `target/web/bots` the shipped bots at half precision, as a page would
//! fetch them, `target/web/page` the page, whole: any file server serves it from any folder. `--serve` serves it here.
//! `--wasm-opt PROGRAM` names Binaryen's, which makes the engine a tenth smaller; without it the package is as good
//! and larger. The page needs node 20 and npm.

mod bots;
mod engine;
mod error;
mod package;
mod page;
mod place;
mod program;
mod typescript;

use std::path::Path;
use std::process::ExitCode;

use error::TaskError;

/// How it is called.
const USAGE: &str = "usage: cargo run -p xtask -- web|page [--serve] [--wasm-opt PROGRAM]";

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
    let (what, options) = arguments.split_first().ok_or(TaskError::Usage(USAGE))?;
    let (serves, options) = match options {
        ["--serve", rest @ ..] => (true, rest),
        _ => (false, options),
    };
    let wasm_opt = match options {
        [] => None,
        ["--wasm-opt", program] => Some(Path::new(program)),
        _ => return Err(TaskError::Usage(USAGE)),
    };
    let pages = match *what {
        "web" if !serves => false,
        "page" => true,
        _ => return Err(TaskError::Usage(USAGE)),
    };
    let target = place::target();
    let web = target.join("web");
    let package = web.join("cardsharp");
    engine::build(&target, &package, wasm_opt)?;
    package::write(&package)?;
    bots::write(&web.join("bots"))?;
    if !pages {
        println!("{}", package.display());
        return Ok(());
    }
    page::build(&web)?;
    println!("{}", web.join("page").display());
    if serves { page::serve(&web) } else { Ok(()) }
}
