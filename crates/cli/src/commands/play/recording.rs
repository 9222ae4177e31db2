//! The trace of the session in progress.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use cardsharp_bot::disk::{self, Writer};
use cardsharp_env::log::Line;
use cardsharp_env::{AnyTable, Audience};

use crate::error::{CliError, Failure};
use crate::files;

/// The file holds a session already.
#[derive(Debug, thiserror::Error)]
#[error(
    "{} already holds a session: pass --overwrite to replace it, or name another file with --trace",
    path.display()
)]
struct RecordedError {
    path: PathBuf,
}

impl Failure for RecordedError {
    fn code(&self) -> u8 {
        2
    }
}

/// A trace that is updated after every step, so that a crash loses at most one move.
pub(super) struct Recording {
    path: PathBuf,
    to: To,
    /// The first step of the table whose lines are not written yet.
    next: usize,
    /// Whether written lines are out of date.
    stale: bool,
}

enum To {
    /// A file to which lines are appended.
    File(File),
    /// A device, a FIFO or a socket. It cannot be rewritten, so it gets the whole session at the end.
    Stream(Writer),
}

impl Recording {
    /// Opens the file and writes the start of the session. Replacing a nonempty file requires `overwrite`.
    pub(super) fn begin(
        path: PathBuf,
        overwrite: bool,
        table: &dyn AnyTable,
        names: &[String],
    ) -> Result<Self, CliError> {
        if disk::is_stdout(&path) {
            let expected = "expected a file: standard output shows the game".to_owned();
            return Err(CliError::Option { option: "--trace", given: path.display().to_string(), expected });
        }
        files::check(&path)?;
        let found = path.metadata().ok();
        if found.as_ref().is_some_and(|found| found.is_file() && found.len() > 0) && !overwrite {
            return Err(RecordedError { path }.into());
        }
        let to = match found {
            Some(found) if !found.is_file() => {
                To::Stream(Writer::create(&path).map_err(files::refused(&path))?)
            }
            _ => To::File(whole(&path, table, names)?),
        };
        Ok(Self { path, to, next: table.steps() + 1, stale: false })
    }

    /// Marks the written lines as out of date. Taking back steps, and players who join or leave, change earlier lines.
    pub(super) fn outdate(&mut self) {
        self.stale = true;
    }

    /// Writes what happened at the table since the last call.
    pub(super) fn follow(&mut self, table: &dyn AnyTable, names: &[String]) -> Result<(), CliError> {
        let To::File(file) = &mut self.to else { return Ok(()) };
        if std::mem::take(&mut self.stale) {
            *file = whole(&self.path, table, names)?;
        } else {
            let steps = self.next..=table.steps();
            let text = text(steps.flat_map(|step| table.lines(step, Audience::Referee)))?;
            file.write_all(&text).map_err(files::refused(&self.path))?;
        }
        self.next = table.steps() + 1;
        Ok(())
    }

    pub(super) fn finish(mut self, table: &dyn AnyTable, names: &[String]) -> Result<(), CliError> {
        self.follow(table, names)?;
        let refused = files::refused(&self.path);
        match self.to {
            To::File(file) if disk::is_at(&file, &self.path).unwrap_or(false) => {
                file.sync_all().map_err(refused)
            }
            // Another program removed or replaced the file.
            To::File(_) => whole(&self.path, table, names).map(|_| ()),
            To::Stream(mut to) => {
                let text = session(table, names)?;
                to.write_all(&text).and_then(|()| to.finish()).map_err(refused)
            }
        }
    }
}

/// Writes the session so far to a new file, and opens it to append lines.
fn whole(path: &Path, table: &dyn AnyTable, names: &[String]) -> Result<File, CliError> {
    files::write(path, &session(table, names)?)?;
    File::options().append(true).open(path).map_err(files::refused(path))
}

/// Returns the session so far as JSON lines.
fn session(table: &dyn AnyTable, names: &[String]) -> Result<Vec<u8>, CliError> {
    let header = table.header(Audience::Referee, names.to_vec());
    let lines = (0..=table.steps()).flat_map(|step| table.lines(step, Audience::Referee));
    text(std::iter::once(header).chain(lines))
}

fn text(lines: impl Iterator<Item = Line>) -> Result<Vec<u8>, CliError> {
    let mut text = Vec::new();
    for line in lines {
        serde_json::to_writer(&mut text, &line).map_err(CliError::Json)?;
        text.push(b'\n');
    }
    Ok(text)
}
