//! Whether a run is running, finished or stopped.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// The file in a run folder that the training process locks.
const LOCK: &str = "lock";

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
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
    pub(super) fn of(is_trained: io::Result<bool>, done: u64, iterations: u64) -> Self {
        match is_trained {
            Ok(true) => Self::Running,
            Ok(false) if done >= iterations => Self::Finished,
            Ok(false) => Self::Stopped,
            Err(error) => Self::Unknown(error.to_string()),
        }
    }

    /// Returns the state in one word.
    pub(super) fn word(&self) -> &'static str {
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
pub(super) fn is_trained(folder: &Path) -> io::Result<bool> {
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
    fn who_holds_the_lock_trains() {
        let folder = tempfile::tempdir().expect("a folder");
        let trained = || is_trained(folder.path()).expect("an answer");
        assert!(!trained(), "no lock");
        let lock = File::create(folder.path().join(LOCK)).expect("a file");
        assert!(!trained(), "held by nobody");
        lock.try_lock().expect("the lock");
        assert!(trained());
        drop(lock);
        assert!(!trained());
    }

    #[test]
    fn a_run_is_finished_when_nothing_is_left_and_nobody_trains() {
        let state = |trained, done| State::of(Ok(trained), done, 4);
        assert_eq!([state(true, 0), state(true, 4)], [State::Running, State::Running]);
        assert_eq!([state(false, 3), state(false, 4)], [State::Stopped, State::Finished]);
        let unknown = State::of(Err(io::ErrorKind::Unsupported.into()), 3, 4);
        assert_eq!(unknown.word(), "unknown");
    }
}
