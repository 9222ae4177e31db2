//! The current state of runs: running, finished, stopped or gone.

mod pace;
pub mod page;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use cardsharp_env::Games;
use cardsharp_text::input::{LARGE, read_file};

use crate::error::{METRICS, ReportError, TIMING};
use crate::source::{self, SourceRun};
use pace::Pace;

/// The state of a run folder at one moment.
pub struct WatchedRun {
    /// The name of the folder, as typed.
    name: String,
    status: Status,
}

/// The current state of a run.
enum Status {
    /// The run, as its files describe it.
    Present(Box<Snapshot>),
    /// The folder does not exist any more.
    Gone,
    /// The files cannot be read now, with the reason.
    Unreadable(String),
}

/// The content of a run folder.
struct Snapshot {
    run: SourceRun,
    state: State,
    pace: Option<Pace>,
    /// Time since the last line of the metrics was written.
    quiet: Option<Duration>,
    /// The sessions of the newest checkpoint.
    sessions: Result<Option<LiveSessions>, String>,
}

/// Sessions that the newest checkpoint of a run plays against itself on request.
pub struct LiveSessions {
    /// Number of completed iterations at the checkpoint.
    pub iteration: u64,
    /// Number of sessions; they count from 1.
    pub count: u64,
    /// The rules, as text.
    pub rules: String,
}

impl WatchedRun {
    /// Reads the run in a folder; `sessions` returns the available sessions.
    pub fn read(
        games: &Games,
        folder: &Path,
        sessions: impl FnOnce() -> Result<Option<LiveSessions>, String>,
    ) -> Self {
        let name = folder.display().to_string();
        if !folder.join("config.toml").is_file() {
            return Self { name, status: Status::Gone };
        }
        // Check this before reading the files. A run that ends in between still counts as running, not as stopped.
        let is_trained = is_trained(folder);
        let status = match source::running(games, folder) {
            Err(error) => Status::Unreadable(error.to_string()),
            Ok(run) => {
                let config = &run.config;
                let state = State::of(is_trained, run.record.iterations(), config.iterations);
                // The file does not exist before the first iteration.
                let timing = read_file(&folder.join(TIMING), LARGE).unwrap_or_default();
                let pace = Pace::of(&timing, config.iterations, config.evaluate);
                let quiet = written(&folder.join(METRICS));
                Status::Present(Box::new(Snapshot { state, pace, quiet, sessions: sessions(), run }))
            }
        };
        Self { name, status }
    }

    fn snapshot(&self) -> Option<&Snapshot> {
        match &self.status {
            Status::Present(snapshot) => Some(snapshot),
            Status::Gone | Status::Unreadable(_) => None,
        }
    }
}

/// Returns the time since a file was written; `None` if the system does not know it.
fn written(path: &Path) -> Option<Duration> {
    let modified = fs::metadata(path).ok()?.modified().ok()?;
    // If the clock was set back meanwhile, the file counts as new.
    Some(SystemTime::now().duration_since(modified).unwrap_or_default())
}

/// Refuses a folder without a run.
///
/// # Errors
/// There is no run in the folder, or its files cannot be read.
pub fn check(games: &Games, folder: &Path) -> Result<(), ReportError> {
    let refuse = |problem| Err(ReportError::NoWatchedRun { path: folder.to_owned(), problem });
    if !folder.is_dir() {
        return refuse("the folder does not exist");
    }
    if !folder.join("config.toml").is_file() {
        return refuse("it has no config.toml");
    }
    source::running(games, folder).map(|_| ())
}

/// The file in a run folder that the training process locks.
const LOCK: &str = "lock";

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// A process trains in the folder.
    Running,
    /// All iterations are complete, and no process trains.
    Finished,
    /// No process trains, but iterations are left.
    Stopped,
    /// The system does not report the state, with the reason.
    Unknown(String),
}

impl State {
    /// Returns the state of a run with `done` of `iterations` on record. `is_trained` must be checked before the record
    /// is read.
    fn of(is_trained: io::Result<bool>, done: u64, iterations: u64) -> Self {
        match is_trained {
            Ok(true) => Self::Running,
            Ok(false) if done >= iterations => Self::Finished,
            Ok(false) => Self::Stopped,
            Err(error) => Self::Unknown(error.to_string()),
        }
    }

    /// Returns the state in one word.
    fn word(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// Whether a process trains in a folder. The check holds a shared lock for a moment; a trainer that starts at this
/// moment tries again.
fn is_trained(folder: &Path) -> io::Result<bool> {
    let lock = match File::open(folder.join(LOCK)) {
        // A copied run may lack the file, like those that ship with the project.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        opened => opened?,
    };
    match lock.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_lock_means_training() {
        let folder = tempfile::tempdir().expect("a folder");
        let trained = || is_trained(folder.path()).expect("an answer");
        assert!(!trained(), "no lock");
        let lock = File::create(folder.path().join(LOCK)).expect("a file");
        assert!(!trained(), "no process holds it");
        lock.try_lock().expect("the lock");
        assert!(trained());
        drop(lock);
        assert!(!trained());
    }

    #[test]
    fn a_run_without_training_is_finished_or_stopped() {
        let state = |trained, done| State::of(Ok(trained), done, 4);
        assert_eq!([state(true, 0), state(true, 4)], [State::Running, State::Running]);
        assert_eq!([state(false, 3), state(false, 4)], [State::Stopped, State::Finished]);
        let unknown = State::of(Err(io::ErrorKind::Unsupported.into()), 3, 4);
        assert_eq!(unknown.word(), "unknown");
    }
}
