//! The current state of runs: running, finished, stopped or gone.

mod pace;
pub(crate) mod page;
mod state;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::error::{METRICS, ReportError};
use super::source::{self, Run};
use crate::input::{LARGE, read_file};
use pace::Pace;
use state::State;

/// The file with the times of a run, in its folder.
const TIMING: &str = "timing.csv";

pub(crate) struct Seen {
    /// The name of the folder, as typed.
    name: String,
    now: Now,
}

/// The current state of a run.
enum Now {
    /// The run, as its files describe it.
    There(Box<There>),
    /// The folder does not exist any more.
    Gone,
    /// The files cannot be read now, with the reason.
    Unread(String),
}

/// The content of a run folder.
struct There {
    run: Run,
    state: State,
    pace: Option<Pace>,
    /// Time since the last line of the metrics was written.
    quiet: Option<Duration>,
    /// The sessions of the newest checkpoint.
    sessions: Result<Option<Sessions>, String>,
}

/// Sessions that the newest checkpoint of a run plays against itself on request.
pub(crate) struct Sessions {
    /// Number of completed iterations at the checkpoint.
    pub(crate) iteration: u64,
    /// Number of sessions; they count from 1.
    pub(crate) count: u64,
    /// The rules, as text.
    pub(crate) rules: String,
}

impl Seen {
    /// Reads the run in a folder; `sessions` returns the available sessions.
    pub(crate) fn look(folder: &Path, sessions: impl FnOnce() -> Result<Option<Sessions>, String>) -> Self {
        let name = folder.display().to_string();
        if !folder.join("config.toml").is_file() {
            return Self { name, now: Now::Gone };
        }
        // Check this before reading the files. A run that ends in between still counts as running, not as stopped.
        let is_trained = state::is_trained(folder);
        let now = match source::going(folder) {
            Err(error) => Now::Unread(error.to_string()),
            Ok(run) => {
                let asked = &run.asked;
                let state = State::of(is_trained, run.record.iterations(), asked.iterations);
                // The file does not exist before the first iteration.
                let timing = read_file(&folder.join(TIMING), LARGE).unwrap_or_default();
                let pace = Pace::of(&timing, asked.iterations, asked.evaluate);
                let quiet = written(&folder.join(METRICS));
                Now::There(Box::new(There { state, pace, quiet, sessions: sessions(), run }))
            }
        };
        Self { name, now }
    }

    fn there(&self) -> Option<&There> {
        match &self.now {
            Now::There(there) => Some(there),
            Now::Gone | Now::Unread(_) => None,
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
pub(crate) fn check(folder: &Path) -> Result<(), ReportError> {
    let refuse = |problem| Err(ReportError::NotGoing { path: folder.to_owned(), problem });
    if !folder.is_dir() {
        return refuse("the folder does not exist");
    }
    if !folder.join("config.toml").is_file() {
        return refuse("it has no config.toml");
    }
    source::going(folder).map(|_| ())
}
