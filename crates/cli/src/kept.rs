//! What is found out about a bot, and kept beside its network.

use std::path::{Path, PathBuf};

use cardsharp_bot::bots::FILE as NETWORK;
use cardsharp_bot::bundle::{MANIFEST, Manifest};
use cardsharp_bot::disk;

use crate::error::CliError;
use crate::target;

/// Where it is written.
pub(crate) struct Kept {
    path: PathBuf,
    /// The bundle that it becomes part of.
    bundle: Option<PathBuf>,
}

impl Kept {
    /// At `to` or, if nothing was said, at `beside`, its place beside the network. Asked before hours of work: what is there already stays,
    /// unless it may be overwritten (`what` says what it is), and a checkpoint, or a bundle that was changed, takes no file more.
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

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is standard output, which has nothing else then.
    pub(crate) fn is_stdout(&self) -> bool {
        disk::is_stdout(&self.path)
    }

    /// Writes it; in a bundle it is called `name`.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CliError> {
        match &self.bundle {
            Some(folder) => Ok(Manifest::add(folder, name, bytes)?),
            None => target::write(&self.path, bytes),
        }
    }
}
