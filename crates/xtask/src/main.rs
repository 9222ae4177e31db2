//! Builds the npm package, the browser page, archives with the command, and all files of a release.
//!
//! `cargo xtask web` builds the npm package in `target/web/cardsharp`, with the trained bots at half precision in
//! `bots`. `page` builds the page in `target/web/page`; any file server can serve it. `dist` builds an archive with the
//! command, and `release` everything. See `--help` of each.

mod bots;
mod dist;
mod engine;
mod error;
mod package;
mod page;
mod program;
mod release;
mod typescript;
mod version;

use std::process::ExitCode;

use clap::Parser;

use error::TaskError;
use package::Engine;

/// Build the npm package, the browser page, archives with the command, and releases
#[derive(Parser)]
#[command(name = "cargo xtask")]
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
    /// Build all files of a release that this machine can build, in target/release-files
    Release(release::Release),
    /// Set the version of the next release in all files
    Version(version::Version),
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
    let target = program::target();
    let web = target.join("web");
    match task {
        Task::Web(engine) => {
            println!("{}", package::build(&target, &web, &engine)?.display());
            Ok(())
        }
        Task::Page { engine, serve } => {
            package::build(&target, &web, &engine)?;
            page::build(&web)?;
            println!("{}", web.join("page").display());
            if serve { page::serve(&web) } else { Ok(()) }
        }
        Task::Dist(dist) => dist.run(&target),
        Task::Release(release) => release.run(&target),
        Task::Version(version) => version.run(),
    }
}
