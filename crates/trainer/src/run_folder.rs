//! The folder of a run. One process at a time trains in it, and it never contains two runs.
//!
//! `config.toml` is the effective configuration, sealed. `metrics.csv`, `timing.csv` and TensorBoard events are the
//! record. `checkpoints` has a folder for each checkpoint. The process that trains holds `lock`.

mod changes;
mod error;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cardsharp_bot::disk::{self, WRITING, is_at};
use cardsharp_bot::seal;
use cardsharp_env::Games;

use crate::checkpoint::{CheckpointError, Checkpoints, Files};
use crate::config::{self, Config, ConfigProblem, FieldDifference};
use crate::metrics;

pub use cardsharp_bot::run_record::CHECKPOINTS;
pub use changes::MAY_CHANGE;
use changes::shown;
pub use error::RunError;

const CONFIG: &str = "config.toml";
/// The copy of the configuration in a checkpoint. The name differs from [`CONFIG`], because a folder with that file is
/// a run.
const CONFIG_COPY: &str = "run.toml";
const LOCK: &str = "lock";
/// Default time to wait for the lock; `PAUSE` is the time between two tries. `cardsharp watch` shares the lock for a
/// moment to find out whether a process trains here.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(20);

/// The folder of a run that this process trains. Dropping it releases the lock.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    checkpoints: Checkpoints,
    lock: File,
    /// The lines of the configuration that list changes since the run started.
    changes: String,
    undo: Undo,
}

/// How to restore what was there before the folder was opened.
#[derive(Debug)]
enum Undo {
    Nothing,
    /// The run is new. These folders were created for it, the innermost first.
    Begun(Vec<PathBuf>),
    /// The configuration was changed. This is the text from before.
    Changed(String),
}

impl RunFolder {
    /// Starts a run: creates the folder and writes the configuration into it.
    ///
    /// # Errors
    /// The folder is not empty, another process trains in it, or it cannot be written.
    pub fn create(path: &Path, config: &Config) -> Result<Self, RunError> {
        let missing =
            path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let made = missing.map(Path::to_owned).collect();
        fs::create_dir_all(path).map_err(io_error(path))?;
        // Checked before locking, so that no lock file appears in a folder with other content.
        let fresh = || -> Result<(), RunError> {
            for entry in fs::read_dir(path).map_err(io_error(path))? {
                let name = entry.map_err(io_error(path))?.file_name();
                // Files that a process leaves if it stops before it writes the configuration.
                if name != LOCK && name != disk::beside(Path::new(CONFIG), WRITING).as_os_str() {
                    let path = path.to_owned();
                    let run = path.join(CONFIG).is_file();
                    return Err(if run { RunError::Taken { path } } else { RunError::Occupied { path } });
                }
            }
            Ok(())
        };
        fresh()?;
        let lock = lock(path, PATIENCE)?;
        fresh()?;
        let folder = Self::locked(path, config, lock, String::new(), Undo::Begun(made));
        let file = path.join(CONFIG);
        let write =
            |text: String| disk::replace(&file, seal::sealed(&text).as_bytes()).map_err(io_error(&file));
        config.toml().map_err(RunError::from).and_then(write).inspect_err(|_| folder.abandon())?;
        folder.prepared()
    }

    /// Resumes the run in a folder, which must have this configuration; only `threads` may differ.
    ///
    /// # Errors
    /// There is no run, its configuration was edited or differs, another process trains in it, or it cannot be read or
    /// cleaned.
    pub fn resume(path: &Path, config: &Config) -> Result<Self, RunError> {
        Self::resume_within(path, config, PATIENCE)
    }

    /// As [`RunFolder::resume`], but waits up to `patience` for another process that trains there. A lost process holds
    /// the lock until the system has cleared it away.
    ///
    /// # Errors
    /// As [`RunFolder::resume`].
    pub fn resume_within(path: &Path, config: &Config, patience: Duration) -> Result<Self, RunError> {
        let theirs = Self::config_among(&config.games, path)?;
        if let Some(difference) = theirs.difference(config) {
            return Err(RunError::Differs { path: path.to_owned(), difference });
        }
        Self::locked(path, config, lock(path, patience)?, Self::changes(path)?, Undo::Nothing).prepared()
    }

    /// Resumes the run in a folder with its own configuration and these `overrides` ([`Config::read`]). Only fields
    /// that no completed iteration depends on may change ([`MAY_CHANGE`]). Writes the configuration anew, with a list
    /// of the changes and their iteration.
    ///
    /// # Errors
    /// As [`RunFolder::resume`]; a field may not change; or the run has no checkpoint, or is beyond the new last
    /// iteration.
    pub fn resume_with(games: &Games, path: &Path, overrides: &[String]) -> Result<(Config, Self), RunError> {
        let begun = Self::config_among(games, path)?;
        let file = path.join(CONFIG);
        let config = Config::read_among(games, &file, overrides)?;
        let differences = begun.differences(&config);
        // The columns of the record stay the same.
        let columns = |config: &Config| config.algorithm().metrics(!config.net.critic.is_empty());
        let fits = columns(&begun) == columns(&config);
        let fixed = |of: &&FieldDifference| {
            !changes::may_change(&of.field) || !fits && changes::adds_columns(&of.field)
        };
        if let Some(difference) = differences.iter().find(fixed) {
            return Err(RunError::Fixed { path: path.to_owned(), difference: difference.clone() });
        }
        if differences.is_empty() {
            let folder = Self::resume(path, &config)?;
            return Ok((config, folder));
        }
        let lock = lock(path, PATIENCE)?;
        let Some(latest) = Checkpoints::new(&path.join(CHECKPOINTS), 1).latest_valid()? else {
            return Err(RunError::Unkept { path: path.to_owned() });
        };
        let (done, given) = (latest.checkpoint.iteration, config.iterations);
        if given < done {
            return Err(RunError::Done { path: path.to_owned(), given, done });
        }
        let before = config::text(&file)?;
        let lines = differences.iter().map(|difference| changes::line(done, difference));
        let changes = changes::lines(&before) + &lines.collect::<String>();
        let text = seal::sealed(&(config.toml()? + &changes));
        disk::replace(&file, text.as_bytes()).map_err(io_error(&file))?;
        let folder = Self::locked(path, &config, lock, changes, Undo::Changed(before)).prepared()?;
        Ok((config, folder))
    }

    /// Returns the lines that list changes since the run started.
    fn changes(path: &Path) -> Result<String, RunError> {
        Ok(changes::lines(&config::text(&path.join(CONFIG))?))
    }

    /// Reads the configuration of the run in a folder.
    ///
    /// # Errors
    /// There is no run, or its configuration cannot be read or was edited.
    pub fn config(path: &Path) -> Result<Config, RunError> {
        Self::config_among(&Games::shipped(), path)
    }

    /// As [`RunFolder::config`], for a run of one of these games.
    ///
    /// # Errors
    /// As [`RunFolder::config`].
    pub fn config_among(games: &Games, path: &Path) -> Result<Config, RunError> {
        let file = path.join(CONFIG);
        if !file.is_file() {
            return Err(RunError::Absent { path: path.to_owned() });
        }
        match seal::broken(&config::text(&file)?) {
            Some(problem) => Err(Self::changed(path, problem)),
            None => Config::read_among(games, &file, &[]).map_err(|error| match error.problem() {
                ConfigProblem::Renamed { .. } | ConfigProblem::Removed { .. } => {
                    RunError::Older { outdated: error }
                }
                _ => RunError::Config(error),
            }),
        }
    }

    fn locked(path: &Path, config: &Config, lock: File, changes: String, undo: Undo) -> Self {
        let checkpoints = Checkpoints::new(&path.join(CHECKPOINTS), config.checkpoint.keep);
        Self { path: path.to_owned(), checkpoints, lock, changes, undo }
    }

    /// Prepares the directory of checkpoints.
    fn prepared(self) -> Result<Self, RunError> {
        self.checkpoints.prepare().inspect_err(|_| self.abandon())?;
        Ok(self)
    }

    /// Restores what was there before the folder was opened, as far as possible: deletes a new run, or restores a
    /// changed configuration.
    pub(crate) fn abandon(&self) {
        // Keep a folder that was moved or replaced.
        if self.check().is_err() {
            return;
        }
        let (config, checkpoints) = (self.path.join(CONFIG), self.path.join(CHECKPOINTS));
        match &self.undo {
            Undo::Nothing => {}
            // The run has failed already and reports that error. The next start handles what is left here.
            Undo::Changed(text) => drop(disk::replace(&config, text.as_bytes())),
            // Keep a run with a complete checkpoint: it can be resumed.
            Undo::Begun(_) if self.checkpoints.list().is_ok_and(|whole| !whole.is_empty()) => {}
            Undo::Begun(made) => {
                metrics::remove(&self.path);
                // Remove what an incomplete checkpoint left.
                let _ = self.checkpoints.prepare();
                let _ = fs::remove_dir(checkpoints);
                let _ = fs::remove_file(config);
                let _ = fs::remove_file(self.path.join(LOCK));
                // Stops at the first folder with other content.
                let _ = made.iter().try_for_each(fs::remove_dir);
            }
        }
    }

    /// Returns the error for an edited configuration, with the place of its copy in the newest checkpoint.
    fn changed(path: &Path, problem: String) -> RunError {
        // Unreadable checkpoints have no copy. The first problem is more useful than their errors.
        let latest = Checkpoints::new(&path.join(CHECKPOINTS), 1).latest_valid().ok().flatten();
        let with_copy =
            latest.map(|latest| latest.checkpoint).filter(|found| found.files.contains_key(CONFIG_COPY));
        RunError::Changed {
            path: path.join(CONFIG),
            problem,
            copy: with_copy.map(|found| found.path.join(CONFIG_COPY)),
        }
    }

    /// Adds the configuration to the files of a checkpoint, without `threads`, which may differ after a resume.
    ///
    /// # Errors
    /// The configuration has no TOML form.
    pub(crate) fn add_config(&self, config: &Config, files: &mut Files) -> Result<(), RunError> {
        let text = Config { threads: 0, ..config.clone() }.toml()? + &self.changes;
        files.insert(CONFIG_COPY.to_owned(), seal::sealed(&text).into_bytes());
        Ok(())
    }

    /// Removes the configuration from the files of the checkpoint at `checkpoint` and compares it with `config`.
    ///
    /// # Errors
    /// The run has another configuration now, or the checkpoint's configuration is invalid.
    pub(crate) fn check_config(
        &self,
        config: &Config,
        checkpoint: &Path,
        files: &mut Files,
    ) -> Result<(), RunError> {
        let file = checkpoint.join(CONFIG_COPY);
        let Some(text) = files.remove(CONFIG_COPY) else {
            return Err(CheckpointError::Missing { path: file }.into());
        };
        let name = file.display().to_string();
        let theirs = Config::parse_among(&config.games, &name, &String::from_utf8_lossy(&text), &[])?;
        let is_listed = |field: &str| changes::may_change(field) && changes::list(&self.changes, field);
        let unlisted = theirs.differences(config).into_iter().find(|of| !is_listed(&of.field));
        let Some(FieldDifference { field, one, other }) = unlisted else { return Ok(()) };
        let problem = format!("`{field}` was {} and is {}", shown(&one), shown(&other));
        Err(RunError::Changed { path: self.path.join(CONFIG), problem, copy: Some(file) })
    }

    /// Checks that the folder is still at its path: files written to another place would be lost or incomplete.
    ///
    /// # Errors
    /// It was moved, removed or replaced.
    pub fn check(&self) -> Result<(), RunError> {
        let problem = match is_at(&self.lock, &self.path.join(LOCK)) {
            Ok(true) => return Ok(()),
            Ok(false) => format!("its `{LOCK}` is another file"),
            Err(error) => format!("its `{LOCK}`: {error}"),
        };
        Err(RunError::Gone { path: self.path.clone(), problem })
    }

    /// Whether the configuration was changed when this folder was opened.
    pub(crate) fn is_changed(&self) -> bool {
        matches!(self.undo, Undo::Changed(_))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The checkpoints of the run.
    pub fn checkpoints(&self) -> &Checkpoints {
        &self.checkpoints
    }
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    move |source| RunError::Io { path: path.to_owned(), source }
}

/// Takes the lock of a folder; waits up to `patience` for it.
pub(crate) fn lock(folder: &Path, patience: Duration) -> Result<File, RunError> {
    let path = folder.join(LOCK);
    let opened = File::options().create(true).write(true).truncate(false).open(&path);
    let file = opened.map_err(io_error(&path))?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if began.elapsed() < patience => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(RunError::Locked { path: folder.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(RunError::Io { path, source }),
        }
    }
}

#[cfg(test)]
mod tests;
