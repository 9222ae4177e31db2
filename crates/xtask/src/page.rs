//! Builds and serves the page of `crates/web`, which uses the package.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::error::{TaskError, at};
use crate::program::{self, project};

/// Builds the page into `web/page` of the target folder. The package must be built.
pub(crate) fn build(web: &Path) -> Result<(), TaskError> {
    install(web)?;
    npm(web, &["run", "--silent", "build"])
}

/// Installs the libraries of the page, unless they are installed. `.ci/lib.sh` does the same with the same files.
fn install(web: &Path) -> Result<(), TaskError> {
    let folder = project().join("crates/web");
    let (wanted, installed) = (folder.join("package-lock.json"), folder.join("node_modules/installed.json"));
    if fs::read(&installed).ok() == Some(fs::read(&wanted).map_err(at(&wanted))?) {
        return Ok(());
    }
    npm(web, &["ci", "--no-audit", "--no-fund", "--loglevel=error"])?;
    fs::copy(wanted, &installed).map(|_| ()).map_err(at(installed))
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
