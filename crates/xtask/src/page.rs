//! The page of `crates/web`: built over the package, and served to look at it.

use std::path::Path;
use std::process::Command;

use crate::error::TaskError;
use crate::place::project;
use crate::program;

/// Builds the page into `web/page` of the target folder, around the package that is there.
pub(crate) fn build(web: &Path) -> Result<(), TaskError> {
    npm(web, &["ci", "--no-audit", "--no-fund", "--loglevel=error"])?;
    npm(web, &["run", "--silent", "build"])
}

/// Serves the page that was built, on this machine alone, until somebody ends it.
pub(crate) fn serve(web: &Path) -> Result<(), TaskError> {
    npm(web, &["run", "--silent", "serve"])
}

fn npm(web: &Path, arguments: &[&str]) -> Result<(), TaskError> {
    program::run(
        Command::new("npm").current_dir(project().join("crates/web")).env("WEB", web).args(arguments),
    )
}
