//! Runs as they are at this moment: going on, finished, stopped, or gone.

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

/// What the clock said of a run, in its folder.
const TIMING: &str = "timing.csv";

/// A run that is looked at.
pub(crate) struct Seen {
    /// The folder, as named.
    name: String,
    now: Now,
}

/// How a run is.
enum Now {
    /// With what its files say.
    There(Box<There>),
    /// Its folder is not there any more.
    Gone,
    /// Its files cannot be read as they are now: why.
    Unread(String),
}

/// A run that is there.
struct There {
    run: Run,
    state: State,
    pace: Option<Pace>,
    /// How long ago its latest line was written.
    quiet: Option<Duration>,
    /// What its newest checkpoint plays.
    sessions: Result<Option<Sessions>, String>,
}

/// Sessions that the newest checkpoint of a run plays against itself when somebody asks for them.
pub(crate) struct Sessions {
    /// Iterations that were complete when the checkpoint was written.
    pub(crate) iteration: u64,
    /// Their number; they are counted from 1.
    pub(crate) count: u64,
    /// By which rules, for people.
    pub(crate) rules: String,
}

impl Seen {
    /// Looks at the run in a folder; `sessions` says what can be asked for.
    pub(crate) fn look(folder: &Path, sessions: impl FnOnce() -> Result<Option<Sessions>, String>) -> Self {
        let name = folder.display().to_string();
        if !folder.join("config.toml").is_file() {
            return Self { name, now: Now::Gone };
        }
        // Before its files are read: a run that ends in between still runs, and never was stopped halfway.
        let is_trained = state::is_trained(folder);
        let now = match source::going(folder) {
            Err(error) => Now::Unread(error.to_string()),
            Ok(run) => {
                let asked = &run.asked;
                let state = State::of(is_trained, run.record.iterations(), asked.iterations);
                // Before the first iteration there is none.
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

/// How long ago a file was written; none where the system does not say.
fn written(path: &Path) -> Option<Duration> {
    let modified = fs::metadata(path).ok()?.modified().ok()?;
    // A clock that was set back meanwhile: just now.
    Some(SystemTime::now().duration_since(modified).unwrap_or_default())
}

/// Refuses a folder in which there is no run to look at.
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
