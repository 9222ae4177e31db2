//! Files that commands write.

use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::bots::FILE as NETWORK;
use cardsharp_bot::bundle::manifest::{BundleProblem, ManifestError};
use cardsharp_bot::bundle::{MANIFEST, Manifest};
use cardsharp_bot::disk;

use crate::error::{CliError, Failure};

/// Refuses a folder, and a file in a missing folder, before the work whose result is written there.
pub(crate) fn check(path: &Path) -> Result<(), CliError> {
    if disk::is_stdout(path) {
        return Ok(());
    }
    if path.is_dir() {
        let source = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; expected a file");
        return Err(CliError::Write { path: path.to_owned(), source });
    }
    match disk::parent(path).is_dir() {
        true => Ok(()),
        false => Err(CliError::NoFolder { path: path.to_owned() }),
    }
}

/// Writes a file, or to standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    disk::replace(path, bytes).map_err(refused(path))
}

/// Returns the error for a file that cannot be written.
pub(crate) fn refused(path: &Path) -> impl Fn(io::Error) -> CliError {
    move |source| match disk::is_stdout(path) {
        true => CliError::from_stdout(source),
        false => CliError::Write { path: path.to_owned(), source },
    }
}

/// Refuses `-` for a folder.
pub(crate) fn folder(path: PathBuf) -> Result<PathBuf, &'static str> {
    match path == Path::new(disk::STANDARD) {
        true => Err("expected a folder; for a folder named `-`, use `./-`"),
        false => Ok(path),
    }
}

/// Measured levels or a belief model would be replaced.
#[derive(Debug, thiserror::Error)]
#[error(
    "{} already exists and holds {content}: pass --overwrite to replace the file, or --to FILE to write another one",
    path.display()
)]
struct MeasuredError {
    path: PathBuf,
    content: &'static str,
}

impl Failure for MeasuredError {
    fn code(&self) -> u8 {
        2
    }
}

impl Failure for ManifestError {
    fn code(&self) -> u8 {
        if matches!(self.problem, BundleProblem::Write(_)) { 1 } else { 2 }
    }
}

/// A file with measurements of a bot, stored next to its network.
pub(crate) struct MeasurementFile {
    path: PathBuf,
    /// The bundle that the file becomes part of.
    bundle: Option<PathBuf>,
}

impl MeasurementFile {
    /// Checks the place of the file before hours of work: `to`, or `default`, next to the network.
    ///
    /// An existing file with this `content` is replaced only with `overwrite`. A checkpoint or a modified bundle accepts
    /// no more files.
    pub(crate) fn new(
        to: Option<&Path>,
        default: PathBuf,
        overwrite: bool,
        content: &'static str,
    ) -> Result<Self, CliError> {
        let path = to.map_or(default, Path::to_owned);
        check(&path)?;
        if path.is_file() && !overwrite {
            return Err(MeasuredError { path, content }.into());
        }
        let bundle = path.parent().filter(|folder| to.is_none() && folder.join(MANIFEST).exists());
        if let Some(folder) = bundle {
            Manifest::read(folder)?.content(folder, NETWORK)?;
        }
        Ok(Self { bundle: bundle.map(Path::to_owned), path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file is standard output, which then has nothing else.
    pub(crate) fn is_stdout(&self) -> bool {
        disk::is_stdout(&self.path)
    }

    /// Writes the file; in a bundle its name is `name`.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CliError> {
        match &self.bundle {
            Some(folder) => Ok(Manifest::add(folder, name, bytes)?),
            None => write(&self.path, bytes),
        }
    }
}
