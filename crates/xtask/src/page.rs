//! Builds and serves the page of `crates/web`, which uses the package.

use std::path::Path;
use std::process::Command;

use crate::error::TaskError;
use crate::program::{self, project};

/// Builds the page into `web/page` of the target folder. The package must be built.
pub(crate) fn build(web: &Path) -> Result<(), TaskError> {
    npm(web, &["ci", "--no-audit", "--no-fund", "--loglevel=error"])?;
    npm(web, &["run", "--silent", "build"])
}

/// Serves the built page on this machine only, until the process is stopped.
pub(crate) fn serve(web: &Path) -> Result<(), TaskError> {
    npm(web, &["run", "--silent", "serve"])
}

fn npm(web: &Path, arguments: &[&str]) -> Result<(), TaskError> {
    program::run(
        Command::new("npm").current_dir(project().join("crates/web")).env("WEB", web).args(arguments),
    )
}
