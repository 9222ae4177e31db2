//! Logs the conversations between tables and programs, in the format of `docs/protocol.md`.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// The log of this process, if there is one.
static LOG: OnceLock<Arc<ProgramLog>> = OnceLock::new();

/// A file with the conversations of all programs. Each line has the seconds since the start of the log, the number of
/// the process, and the speaker.
#[derive(Debug)]
pub struct ProgramLog {
    path: PathBuf,
    begun: Instant,
    /// Number of processes so far.
    processes: AtomicU64,
    /// The file, and the first error of writing it.
    to: Mutex<(File, Option<io::Error>)>,
}

impl ProgramLog {
    /// Creates a log in this file, and replaces its old content.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let to = Mutex::new((File::create(path)?, None));
        Ok(Self { path: path.to_owned(), begun: Instant::now(), processes: AtomicU64::new(0), to })
    }

    /// Makes this the log of all programs that are later started with [`LoadOptions::default`](crate::LoadOptions).
    /// Only the first call in a process has an effect.
    pub fn keep(self) {
        LOG.get_or_init(|| Arc::new(self));
    }

    /// Returns the log that [`ProgramLog::keep`] set.
    pub fn kept() -> Option<Arc<Self>> {
        LOG.get().cloned()
    }

    /// Returns the path of its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns and clears the first error of writing a line, if there was one.
    pub fn take_error(&self) -> Option<io::Error> {
        self.to.lock().unwrap_or_else(PoisonError::into_inner).1.take()
    }

    /// Creates the conversation of a new process.
    pub(super) fn process(self: &Arc<Self>) -> Conversation {
        let process = 1 + self.processes.fetch_add(1, Ordering::Relaxed);
        Conversation { log: Arc::clone(self), process }
    }
}

/// The speaker of a log line.
#[derive(Copy, Clone, Debug)]
pub(super) enum Speaker {
    /// The table, to the program.
    Table,
    /// The program, to the table.
    Program,
    /// The program, on standard error.
    Errors,
    /// A status of the process.
    Process,
}

/// The part of a log for one process.
#[derive(Clone, Debug)]
pub(super) struct Conversation {
    log: Arc<ProgramLog>,
    process: u64,
}

impl Conversation {
    /// Writes a line. Errors go to [`ProgramLog::take_error`].
    pub(super) fn write(&self, speaker: Speaker, line: &str) {
        let mark = match speaker {
            Speaker::Table => '>',
            Speaker::Program => '<',
            Speaker::Errors => '!',
            Speaker::Process => '=',
        };
        let seconds = self.log.begun.elapsed().as_secs_f64();
        let text = format!("{seconds:.3} {} {mark} {}\n", self.process, line.trim_end());
        let mut to = self.log.to.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, problem) = &mut *to;
        if problem.is_none() {
            *problem = file.write_all(text.as_bytes()).err();
        }
    }
}
