//! Writes checkpoints in steps, so that a stop between any two steps does no harm.

use std::fs;
use std::io;
use std::path::Path;

use cardsharp_bot::bundle::manifest::MANIFEST;
use cardsharp_bot::disk::{self, WRITING};

use super::{CheckpointError, Checkpoints, Files, Manifest, directory_name};

/// Prefix of a directory that is being removed.
const REMOVING: &str = ".removing-";
/// The file that names the best checkpoint, for people.
const BEST: &str = "best";

/// One step of writing a checkpoint.
#[derive(Debug)]
enum WriteStep<'a> {
    /// Creates an empty temporary directory.
    Begin,
    /// Writes a file and syncs it to the disk.
    File(&'a str, &'a [u8]),
    /// Syncs the directory, so that the names of the files are on the disk.
    SyncFiles,
    /// Removes an older checkpoint of the same iteration.
    Clear,
    /// Renames the directory to its final name: from here on the checkpoint exists.
    Rename,
    /// Syncs the parent, so that the final name is on the disk.
    SyncName,
}

impl Checkpoints {
    /// Creates the directory of checkpoints and removes what an interrupted process left in it. Only the process that
    /// trains here may call this.
    ///
    /// # Errors
    /// The directory cannot be created, read or cleaned.
    pub fn prepare(&self) -> Result<(), CheckpointError> {
        fs::create_dir_all(&self.root).map_err(CheckpointError::io(&self.root))?;
        for entry in fs::read_dir(&self.root).map_err(CheckpointError::io(&self.root))? {
            let entry = entry.map_err(CheckpointError::io(&self.root))?;
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| name.starts_with(WRITING) || name.starts_with(REMOVING)) {
                remove_all(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Writes the checkpoint of an iteration, replacing an older one of that iteration. Removes those that are neither
    /// among the latest nor the best. `best` is the iteration with the best measured strength so far: this one or that
    /// of an earlier checkpoint. The file `best` repeats it for people.
    ///
    /// # Errors
    /// A name is not valid for a file, or something could not be written; earlier checkpoints stay.
    pub fn write(&self, iteration: u64, best: Option<u64>, files: &Files) -> Result<(), CheckpointError> {
        for name in files.keys() {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
            if name.is_empty() || name.starts_with('.') || name == MANIFEST || !name.chars().all(fits) {
                return Err(CheckpointError::Name { name: name.clone() });
            }
        }
        let manifest = Manifest::write(iteration, best, files).map_err(io::Error::from);
        let manifest = manifest.map_err(CheckpointError::io(&self.path(iteration)))?;
        for step in steps(files, &manifest) {
            self.take(iteration, &step)?;
        }
        self.tidy(iteration, best)
    }

    /// Writes the file `best` and removes all checkpoints but the latest and the best, as the last step of
    /// [`Checkpoints::write`]. A resumed run repeats it, because the earlier process may have stopped before it.
    ///
    /// # Errors
    /// The file cannot be written, or a checkpoint cannot be removed.
    pub fn tidy(&self, iteration: u64, best: Option<u64>) -> Result<(), CheckpointError> {
        self.write_best(best)?;
        self.prune(iteration, best)
    }

    fn take(&self, iteration: u64, step: &WriteStep<'_>) -> Result<(), CheckpointError> {
        let name = directory_name(iteration);
        let (directory, target) = (self.root.join(format!("{WRITING}{name}")), self.path(iteration));
        match step {
            WriteStep::Begin => {
                remove_all(&directory)?;
                // Fails if the directory of checkpoints was moved: a new one must not start in its place.
                fs::create_dir(&directory).map_err(CheckpointError::io(&directory))
            }
            WriteStep::File(name, bytes) => {
                let path = directory.join(name);
                disk::write_synced(&path, bytes).map_err(CheckpointError::io(&path))
            }
            WriteStep::SyncFiles => disk::sync(&directory).map_err(CheckpointError::io(&directory)),
            WriteStep::Clear => self.remove(iteration),
            WriteStep::Rename => fs::rename(&directory, &target).map_err(CheckpointError::io(&target)),
            WriteStep::SyncName => disk::sync(&self.root).map_err(CheckpointError::io(&self.root)),
        }
    }

    /// Writes the name of the best checkpoint into a file, atomically.
    fn write_best(&self, best: Option<u64>) -> Result<(), CheckpointError> {
        let Some(best) = best else { return Ok(()) };
        let path = self.root.join(BEST);
        let name = format!("{}\n", directory_name(best));
        disk::replace(&path, name.as_bytes()).map_err(CheckpointError::io(&path))
    }

    /// Removes checkpoints before the `keep` latest up to `iteration`. Later ones are from before the run went back to
    /// an older checkpoint. They are replaced when the run reaches their iterations again.
    fn prune(&self, iteration: u64, best: Option<u64>) -> Result<(), CheckpointError> {
        let mut past = self.list()?;
        past.retain(|&i| i <= iteration);
        let old = past.len().saturating_sub(self.keep);
        past.truncate(old);
        past.into_iter().filter(|&i| Some(i) != best).try_for_each(|i| self.remove(i))
    }

    /// Renames the directory before removing it: a partly removed one must not have a checkpoint's name.
    fn remove(&self, iteration: u64) -> Result<(), CheckpointError> {
        let path = self.path(iteration);
        let aside = self.root.join(format!("{REMOVING}{}", directory_name(iteration)));
        remove_all(&aside)?;
        match fs::rename(&path, &aside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            renamed => renamed.map_err(CheckpointError::io(&path)).and_then(|()| remove_all(&aside)),
        }
    }
}

fn steps<'a>(files: &'a Files, manifest: &'a [u8]) -> Vec<WriteStep<'a>> {
    let mut steps = vec![WriteStep::Begin];
    steps.extend(files.iter().map(|(name, bytes)| WriteStep::File(name, bytes)));
    steps.extend([
        WriteStep::File(MANIFEST, manifest),
        WriteStep::SyncFiles,
        WriteStep::Clear,
        WriteStep::Rename,
        WriteStep::SyncName,
    ]);
    steps
}

fn remove_all(path: &Path) -> Result<(), CheckpointError> {
    let removed = match fs::symlink_metadata(path) {
        Err(error) => Err(error),
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(CheckpointError::io(path)),
    }
}

#[cfg(test)]
mod tests;
