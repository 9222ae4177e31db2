//! Builds the npm package, the browser page, and archives with the command.
//!
//! `cargo run -p xtask -- web` builds the npm package in `target/web/cardsharp`, with the trained bots at half precision in
//! `bots`. `page` builds the page in `target/web/page`; any file server can serve it. `dist` builds an archive with the
//! command. See `--help` of each.

mod bots;
mod dist;
mod engine;
mod error;
mod package;
mod page;
mod place;
mod program;
mod typescript;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser};

use error::TaskError;

/// Build the npm package, the browser page, and archives with the command
#[derive(Parser)]
#[command(name = "cargo run -p xtask --")]
enum Task {
    /// Build the npm package in target/web/cardsharp
    Web(Engine),
    /// Build the browser page in target/web/page (needs Node.js 20 and npm)
    Page {
        #[command(flatten)]
        engine: Engine,
        /// Serve the page on this machine until you press Ctrl-C
        #[arg(long)]
        serve: bool,
    },
    /// Build an archive with the command, and its SHA-256, in target/archives
    Dist(dist::Dist),
}

#[derive(Args)]
struct Engine {
    /// Path of Binaryen's wasm-opt, which makes the engine 10 % smaller
    #[arg(long, value_name = "PROGRAM")]
    wasm_opt: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(Task::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<(), TaskError> {
    let target = place::target();
    let web = target.join("web");
    match task {
        Task::Web(engine) => {
            println!("{}", make_package(&target, &web, &engine)?.display());
            Ok(())
        }
        Task::Page { engine, serve } => {
            make_package(&target, &web, &engine)?;
            page::build(&web)?;
            println!("{}", web.join("page").display());
            if serve { page::serve(&web) } else { Ok(()) }
        }
        Task::Dist(dist) => dist.run(&target),
    }
}

/// The package with its engine and the trained bots.
fn make_package(target: &Path, web: &Path, engine: &Engine) -> Result<PathBuf, TaskError> {
    let package = web.join("cardsharp");
    engine::build(target, &package, engine.wasm_opt.as_deref())?;
    package::write(&package)?;
    bots::write(&package.join("bots"))?;
    Ok(package)
}
