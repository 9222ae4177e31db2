//! Programs that do a part of the work.

use std::process::Command;

use crate::error::TaskError;

/// Runs a program to its end.
pub(crate) fn run(command: &mut Command) -> Result<(), TaskError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let why = match command.status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(TaskError::Program { program, why })
}
