//! A run's folder: one trainer at a time, and never two different runs in one place.
//!
//! `config.toml` the effective configuration, sealed; `metrics.csv`, `timing.csv` and the events; the
//! checkpoints; `lock`, held by the process that trains here.

mod changes;
mod error;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cardsharp_bot::disk::{self, WRITING};
use cardsharp_bot::seal;
use cardsharp_env::Games;

use crate::checkpoint::{CheckpointError, Checkpoints, Files};
use crate::config::{self, Config, Difference, Problem};
use crate::files::is_at;
use crate::metrics;

pub use cardsharp_bot::run_record::CHECKPOINTS;
pub use changes::MAY_CHANGE;
use changes::shown;
pub use error::RunError;

const CONFIG: &str = "config.toml";
/// The copy of the configuration in a checkpoint. Of another name: a folder with the first one is a run.
const KEPT: &str = "run.toml";
const LOCK: &str = "lock";
/// How long the lock is asked for if nobody says, and the time between: who only looks whether somebody trains here
/// (`cardsharp watch`) shares it for a moment.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(20);

/// The folder of a run that this process trains. Dropping it lets go of the lock.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    checkpoints: Checkpoints,
    lock: File,
    /// The lines of the configuration that say what was changed since the run began.
    changes: String,
    undo: Undo,
}

/// How to leave things as they were before the folder was opened.
#[derive(Debug)]
enum Undo {
    /// They are.
    Nothing,
    /// The run is new, and these folders were made for it, the innermost first.
    Begun(Vec<PathBuf>),
    /// The configuration was this one.
    Changed(String),
}

impl RunFolder {
    /// Starts a run: makes the folder and writes the configuration into it.
    ///
    /// # Errors
    /// The folder holds anything already, another process trains in it, or it cannot be written.
    pub fn create(path: &Path, config: &Config) -> Result<Self, RunError> {
        let missing =
            path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let made = missing.map(Path::to_owned).collect();
        fs::create_dir_all(path).map_err(io_error(path))?;
        // Before the lock: its file must not appear in a folder that is someone's.
        let fresh = || -> Result<(), RunError> {
            for entry in fs::read_dir(path).map_err(io_error(path))? {
                let name = entry.map_err(io_error(path))?.file_name();
                // What a process that was stopped before it could write the configuration leaves.
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

    /// Goes on with the run in a folder, which must have this configuration; `threads` may differ.
    ///
    /// # Errors
    /// There is no run, its configuration was changed after it began or is another one, another process
    /// trains in it, or it cannot be read or cleaned.
    pub fn resume(path: &Path, config: &Config) -> Result<Self, RunError> {
        Self::resume_within(path, config, PATIENCE)
    }

    /// The same, but another process that trains there is waited for, for so long: one that was lost holds the lock until
    /// the system has cleared it away.
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

    /// Goes on with the run in a folder by its own configuration with these `overrides` ([`Config::read`]), of fields that
    /// no iteration depended on that is done ([`MAY_CHANGE`]). The folder's configuration is written anew, with what was
    /// changed and after which iteration.
    ///
    /// # Errors
    /// As [`RunFolder::resume`]; a field that may not change; a run that has no checkpoint, or is beyond where it should end.
    pub fn resume_with(games: &Games, path: &Path, overrides: &[String]) -> Result<(Config, Self), RunError> {
        let begun = Self::config_among(games, path)?;
        let file = path.join(CONFIG);
        let config = Config::read_among(games, &file, overrides)?;
        let differences = begun.differences(&config);
        // The columns of a record do not change.
        let columns = |config: &Config| config.algorithm().metrics(!config.net.critic.is_empty());
        let fits = columns(&begun) == columns(&config);
        let fixed =
            |of: &&Difference| !changes::may_change(&of.field) || !fits && changes::adds_columns(&of.field);
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

    /// The lines that say what was changed since the run began.
    fn changes(path: &Path) -> Result<String, RunError> {
        Ok(changes::lines(&config::text(&path.join(CONFIG))?))
    }

    /// The configuration of the run in a folder.
    ///
    /// # Errors
    /// There is no run, or its configuration cannot be read or was changed since the run wrote it.
    pub fn config(path: &Path) -> Result<Config, RunError> {
        Self::config_among(&Games::shipped(), path)
    }

    /// The same of a run of one of these games.
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
                Problem::Renamed { .. } => RunError::Older { renamed: error },
                _ => RunError::Config(error),
            }),
        }
    }

    fn locked(path: &Path, config: &Config, lock: File, changes: String, undo: Undo) -> Self {
        let checkpoints = Checkpoints::new(&path.join(CHECKPOINTS), config.checkpoint.keep);
        Self { path: path.to_owned(), checkpoints, lock, changes, undo }
    }

    /// The folder, ready for checkpoints.
    fn prepared(self) -> Result<Self, RunError> {
        self.checkpoints.prepare().inspect_err(|_| self.abandon())?;
        Ok(self)
    }

    /// Leaves things as they were before the folder was opened, as far as that is possible: of a run that was new
    /// nothing, of one that was changed the configuration it had.
    pub(crate) fn abandon(&self) {
        // What is elsewhere now, or somebody else's, stays.
        if self.check().is_err() {
            return;
        }
        let (config, checkpoints) = (self.path.join(CONFIG), self.path.join(CHECKPOINTS));
        match &self.undo {
            Undo::Nothing => {}
            // The run has failed already, and its error is told; whatever stays is found by the next start.
            Undo::Changed(text) => drop(disk::replace(&config, text.as_bytes())),
            // A checkpoint that is whole is one to go on from.
            Undo::Begun(_) if self.checkpoints.list().is_ok_and(|whole| !whole.is_empty()) => {}
            Undo::Begun(made) => {
                metrics::remove(&self.path);
                // What a checkpoint that could not be written left.
                let _ = self.checkpoints.prepare();
                let _ = fs::remove_dir(checkpoints);
                let _ = fs::remove_file(config);
                let _ = fs::remove_file(self.path.join(LOCK));
                // The first that holds something else ends it.
                let _ = made.iter().try_for_each(fs::remove_dir);
            }
        }
    }

    /// The error of a configuration that was changed, with the place of a copy of what it was.
    fn changed(path: &Path, problem: String) -> RunError {
        // Checkpoints that cannot be read have no copy; the first problem tells more.
        let latest = Checkpoints::new(&path.join(CHECKPOINTS), 1).latest_valid().ok().flatten();
        let kept = latest.map(|latest| latest.checkpoint).filter(|found| found.files.contains_key(KEPT));
        RunError::Changed { path: path.join(CONFIG), problem, kept: kept.map(|found| found.path.join(KEPT)) }
    }

    /// Adds the configuration to the files of a checkpoint; but for `threads`, which may differ from one
    /// resume to the next.
    ///
    /// # Errors
    /// The configuration has no TOML form.
    pub(crate) fn keep_config(&self, config: &Config, files: &mut Files) -> Result<(), RunError> {
        let kept = Config { threads: 0, ..config.clone() }.toml()? + &self.changes;
        files.insert(KEPT.to_owned(), seal::sealed(&kept).into_bytes());
        Ok(())
    }

    /// Takes the configuration out of the files of the checkpoint at `kept`, and compares.
    ///
    /// # Errors
    /// The run has another configuration now, or that of the checkpoint is none.
    pub(crate) fn check_config(
        &self,
        config: &Config,
        kept: &Path,
        files: &mut Files,
    ) -> Result<(), RunError> {
        let file = kept.join(KEPT);
        let Some(text) = files.remove(KEPT) else {
            return Err(CheckpointError::Missing { path: file }.into());
        };
        let name = file.display().to_string();
        let theirs = Config::parse_among(&config.games, &name, &String::from_utf8_lossy(&text), &[])?;
        let told = |field: &str| changes::may_change(field) && changes::tell(&self.changes, field);
        let untold = theirs.differences(config).into_iter().find(|of| !told(&of.field));
        let Some(Difference { field, one, other }) = untold else { return Ok(()) };
        let problem = format!("`{field}` was {} and is {}", shown(&one), shown(&other));
        Err(RunError::Changed { path: self.path.join(CONFIG), problem, kept: Some(file) })
    }

    /// Whether the folder is where it was: what is written elsewhere would be lost, or in pieces.
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

    /// Whether the run goes on otherwise than before.
    pub(crate) fn is_changed(&self) -> bool {
        matches!(self.undo, Undo::Changed(_))
    }

    /// The folder.
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

/// Takes the lock of a folder, which is asked for so long.
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
