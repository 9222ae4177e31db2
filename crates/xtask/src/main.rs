//! What is made of the project besides its command.
//!
//! `cargo run -p xtask -- web` makes the npm package of the engine, `page` the page over it, `dist` an archive with the command for
//! who has no compiler; `--help` at each says more. `target/web/cardsharp` is the package, with the trained bots at half precision in
//! `bots`; `target/web/page` is the page: any file server serves it from any folder.

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

/// Makes what is published: the npm package, the page, archives with the command.
#[derive(Parser)]
#[command(name = "cargo run -p xtask --")]
enum Task {
    /// The npm package of the engine, in target/web/cardsharp
    Web(Engine),
    /// The page over that package, in target/web/page; needs node 20 and npm
    Page {
        #[command(flatten)]
        engine: Engine,
        /// Serve the page on this machine, until Ctrl-C
        #[arg(long)]
        serve: bool,
    },
    /// An archive with the command for who has no compiler, and its SHA-256, in target/archives
    Dist(dist::Dist),
}

#[derive(Args)]
struct Engine {
    /// Binaryen's wasm-opt, which makes the engine a tenth smaller
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
