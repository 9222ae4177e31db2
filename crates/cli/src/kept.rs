//! Files with measurements of a bot, stored next to its network.

use std::path::{Path, PathBuf};

use cardsharp_bot::bots::FILE as NETWORK;
use cardsharp_bot::bundle::{MANIFEST, Manifest};
use cardsharp_bot::disk;

use crate::error::CliError;
use crate::target;

/// The place of such a file.
pub(crate) struct Kept {
    path: PathBuf,
    /// The bundle that the file becomes part of.
    bundle: Option<PathBuf>,
}

impl Kept {
    /// Checks the place of the file before hours of work: `to`, or the default `beside`, next to the network.
    ///
    /// An existing file, described by `what`, is replaced only with `overwrite`. A checkpoint or a modified bundle
    /// accepts no more files.
    pub(crate) fn at(
        to: Option<&Path>,
        beside: PathBuf,
        overwrite: bool,
        what: &'static str,
    ) -> Result<Self, CliError> {
        let path = to.map_or(beside, Path::to_owned);
        target::check(&path)?;
        if path.is_file() && !overwrite {
            return Err(CliError::Measured { path, what });
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
            None => target::write(&self.path, bytes),
        }
    }
}
