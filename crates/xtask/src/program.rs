//! Folders of the project, and programs that the tasks start.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::TaskError;

/// Returns the root of the project.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the folder for generated files.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| project().join("target"), PathBuf::from)
}

/// Returns a command for cargo in the root of the project.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(project());
    cargo
}

/// Returns a compiler flag that removes cargo's home folder from the source paths of dependencies. Panic messages have
/// these paths, so programs from different machines would differ without it.
pub(crate) fn without_sources() -> Option<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    home.map(|home| format!("--remap-path-prefix={}=", home.join("registry/src").display()))
}

/// Returns an error if a program is not installed.
pub(crate) fn present(program: &Command, remedy: &'static str) -> Result<(), TaskError> {
    let name = program.get_program();
    match Command::new(name).arg("--help").output() {
        Ok(_) => Ok(()),
        Err(_) => Err(TaskError::Missing { program: name.to_string_lossy().into_owned(), remedy }),
    }
}

/// Returns an error if rustup has not installed a target.
pub(crate) fn installed(triple: &'static str) -> Result<(), TaskError> {
    let folder = output(Command::new("rustc").args(["--print", "target-libdir", "--target", triple]))?;
    if Path::new(folder.trim()).is_dir() { Ok(()) } else { Err(TaskError::Target(triple)) }
}

/// Runs a program to its end. Returns an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<(), TaskError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let why = match command.status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(TaskError::Program { program, why })
}

/// Runs a program, and returns its standard output if it succeeds.
pub(crate) fn output(command: &mut Command) -> Result<String, TaskError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |why: String| TaskError::Program { program, why };
    match command.output() {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => Err(failed(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))),
        Err(error) => Err(failed(error.to_string())),
    }
}
