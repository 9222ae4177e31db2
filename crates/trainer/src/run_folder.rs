//! A run's folder: one trainer at a time, and never two different runs in one place.
//!
//! `config.toml` the effective configuration, sealed; `metrics.csv`, `timing.csv` and the events; the
//! checkpoints; `lock`, held by the process that trains here.

mod seal;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cardsharp_bot::disk::{self, WRITING};
use cardsharp_env::Games;

use crate::checkpoint::{CheckpointError, Checkpoints, Files};
use crate::config::{self, Config, ConfigError, Difference};
use crate::files::is_at;

const CONFIG: &str = "config.toml";
/// The copy of the configuration in a checkpoint. Of another name: a folder with the first one is a run.
const KEPT: &str = "run.toml";
/// The folder of the checkpoints in a run's folder.
pub const CHECKPOINTS: &str = "checkpoints";
const LOCK: &str = "lock";
/// How often the lock is asked for, and the time between: who only looks whether somebody trains here (`cardsharp watch`)
/// shares it for a moment.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(20);

/// The folder of a run that this process trains. Dropping it lets go of the lock.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    checkpoints: Checkpoints,
    lock: File,
}

/// Why a folder cannot be trained in.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The folder or a file in it could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is something in the folder already.
    #[error("{} is not empty: resume the run in it, or choose another name", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// There is no run in the folder.
    #[error("{}: there is no run to resume", path.display())]
    Absent {
        /// The folder.
        path: PathBuf,
    },
    /// Another process trains in the folder.
    #[error("{}: another process trains in this folder", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// What is at the folder's path is not the folder that this process trains in.
    #[error(
        "{}: the run's folder was moved, removed or replaced while it was trained in ({problem}); put it back, or \
         resume the run where it is now", path.display()
    )]
    Gone {
        /// The folder.
        path: PathBuf,
        /// What is there instead.
        problem: String,
    },
    /// The configuration is not the one that the run began with.
    #[error(
        "{}: the file was changed after the run began: {problem}; {}", path.display(), remedy(path, kept.as_deref())
    )]
    Changed {
        /// The configuration's file.
        path: PathBuf,
        /// How it shows.
        problem: String,
        /// A copy of what the run began with.
        kept: Option<PathBuf>,
    },
    /// The run has another configuration.
    #[error(
        "{} is the run of another configuration: `{}` is {} there and {} here",
        path.display(), difference.field, shown(&difference.one), shown(&difference.other)
    )]
    Differs {
        /// The folder.
        path: PathBuf,
        /// The first field that differs: in the folder, and as asked.
        difference: Difference,
    },
    /// The configuration in the folder cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The configuration has no TOML form.
    #[error("the configuration cannot be written: {0}")]
    Unwritable(#[from] toml::ser::Error),
    /// The directory of checkpoints cannot be made or cleaned.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

fn shown(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("not set")
}

fn remedy(path: &Path, kept: Option<&Path>) -> String {
    match kept {
        Some(kept) => format!("put back what it was: {}", kept.display()),
        None => format!("put back what it was, or begin a new run with `train {}`", path.display()),
    }
}

impl RunFolder {
    /// Starts a run: makes the folder and writes the configuration into it.
    ///
    /// # Errors
    /// The folder holds anything already, another process trains in it, or it cannot be written.
    pub fn create(path: &Path, config: &Config) -> Result<Self, RunError> {
        fs::create_dir_all(path).map_err(io_error(path))?;
        // Before the lock: its file must not appear in a folder that is someone's.
        let fresh = || -> Result<(), RunError> {
            for entry in fs::read_dir(path).map_err(io_error(path))? {
                let name = entry.map_err(io_error(path))?.file_name();
                // What a process that was stopped before it could write the configuration leaves.
                if name != LOCK && name != disk::beside(Path::new(CONFIG), WRITING).as_os_str() {
                    return Err(RunError::Taken { path: path.to_owned() });
                }
            }
            Ok(())
        };
        fresh()?;
        let lock = lock(path)?;
        fresh()?;
        let file = path.join(CONFIG);
        disk::replace(&file, seal::sealed(&config.toml()?).as_bytes()).map_err(io_error(&file))?;
        Self::locked(path, config, lock)
    }

    /// Goes on with the run in a folder, which must have this configuration; `threads` may differ.
    ///
    /// # Errors
    /// There is no run, its configuration was changed after it began or is another one, another process
    /// trains in it, or it cannot be read or cleaned.
    pub fn resume(path: &Path, config: &Config) -> Result<Self, RunError> {
        let theirs = Self::begun_among(&config.games, path)?;
        if let Some(difference) = theirs.difference(config) {
            return Err(RunError::Differs { path: path.to_owned(), difference });
        }
        Self::locked(path, config, lock(path)?)
    }

    /// The configuration that the run in a folder began with: to go on with it.
    ///
    /// # Errors
    /// There is no run, or its configuration cannot be read or was changed since.
    pub fn begun(path: &Path) -> Result<Config, RunError> {
        Self::begun_among(&Games::shipped(), path)
    }

    /// The same of a run of one of these games.
    ///
    /// # Errors
    /// As [`RunFolder::begun`].
    pub fn begun_among(games: &Games, path: &Path) -> Result<Config, RunError> {
        let file = path.join(CONFIG);
        if file.is_file()
            && let Some(problem) = seal::broken(&config::text(&file)?)
        {
            return Err(Self::changed(path, problem));
        }
        Self::config_among(games, path)
    }

    /// The configuration in a folder as it is now: to look at it.
    ///
    /// # Errors
    /// There is no run, or its configuration cannot be read.
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
        Ok(Config::read_among(games, &file, &[])?)
    }

    fn locked(path: &Path, config: &Config, lock: File) -> Result<Self, RunError> {
        let checkpoints = Checkpoints::new(&path.join(CHECKPOINTS), config.checkpoint.keep);
        checkpoints.prepare()?;
        Ok(Self { path: path.to_owned(), checkpoints, lock })
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
    pub(crate) fn keep_config(config: &Config, files: &mut Files) -> Result<(), RunError> {
        let kept = Config { threads: 0, ..config.clone() }.toml()?;
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
        let Some(Difference { field, one, other }) = theirs.difference(config) else { return Ok(()) };
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

fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join(LOCK);
    let opened = File::options().create(true).write(true).truncate(false).open(&path);
    let file = opened.map_err(io_error(&path))?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(source)) => return Err(RunError::Io { path, source }),
        }
    }
    Err(RunError::Locked { path: folder.to_owned() })
}

#[cfg(test)]
mod tests;
