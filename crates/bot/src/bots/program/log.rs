//! What tables and programs say to each other, written down as it is said: `docs/protocol.md` has its form.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// The log of this process, if it keeps one.
static LOG: OnceLock<Arc<Log>> = OnceLock::new();

/// A file with the conversations of all programs: a line for each line, with the seconds since the log began, the
/// number of the process, and who speaks.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    begun: Instant,
    /// Processes so far.
    processes: AtomicU64,
    /// The file, and why it could not be written at first.
    to: Mutex<(File, Option<io::Error>)>,
}

impl Log {
    /// A log in this file, in place of what the file holds.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let to = Mutex::new((File::create(path)?, None));
        Ok(Self { path: path.to_owned(), begun: Instant::now(), processes: AtomicU64::new(0), to })
    }

    /// Keeps this log of all programs that are started from now on with [`Means::default`](crate::Means). Only the
    /// first one of a process is kept.
    pub fn keep(self) {
        LOG.get_or_init(|| Arc::new(self));
    }

    /// The log that [`Log::keep`] set.
    pub fn kept() -> Option<Arc<Self>> {
        LOG.get().cloned()
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the error that kept a line from being written, if there was one.
    pub fn take_error(&self) -> Option<io::Error> {
        self.to.lock().unwrap_or_else(PoisonError::into_inner).1.take()
    }

    /// The part of a process that begins now.
    pub(super) fn process(self: &Arc<Self>) -> Conversation {
        let process = 1 + self.processes.fetch_add(1, Ordering::Relaxed);
        Conversation { log: Arc::clone(self), process }
    }
}

/// Who speaks in a log.
#[derive(Copy, Clone, Debug)]
pub(super) enum Speaker {
    /// The table, to the program.
    Table,
    /// The program, to the table.
    Program,
    /// The program, on standard error.
    Errors,
    /// What became of the process.
    Process,
}

/// A process in a log.
#[derive(Clone, Debug)]
pub(super) struct Conversation {
    log: Arc<Log>,
    process: u64,
}

impl Conversation {
    /// Writes a line down. An error is for [`Log::take_error`].
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
