//! Writing checkpoints, step by step, so that a stop between any two steps does no harm.

use std::fs;
use std::io;
use std::path::Path;

use cardsharp_bot::bundle::manifest::MANIFEST;
use cardsharp_bot::disk::{self, WRITING};

use super::manifest::Manifest;
use super::{CheckpointError, Checkpoints, Files, directory_name};

/// Begins the name of a directory that is being removed.
const REMOVING: &str = ".removing-";
/// The file that names the best checkpoint, for people.
const BEST: &str = "best";

/// One step of writing a checkpoint.
#[derive(Debug)]
enum Step<'a> {
    /// Makes an empty directory to write in.
    Begin,
    /// Writes a file and brings it onto the disk.
    File(&'a str, &'a [u8]),
    /// Brings the names of the files onto the disk.
    SyncFiles,
    /// Takes an older checkpoint of the same iteration out of the way.
    Clear,
    /// Gives the directory its final name: from here on the checkpoint exists.
    Rename,
    /// Brings the final name onto the disk.
    SyncName,
}

impl Checkpoints {
    /// Makes the directory of checkpoints and removes what an interrupted writer left in it. Only for
    /// the one process that writes here.
    ///
    /// # Errors
    /// The directory cannot be made, read or cleaned.
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

    /// Writes the checkpoint of an iteration, replacing an older one of that iteration, and removes
    /// those that are neither among the latest nor the best. `best` is the iteration (this one or an
    /// earlier checkpoint's) with the best measured strength so far; the file `best` repeats it for
    /// people.
    ///
    /// # Errors
    /// A name that cannot be a file's, or something could not be written; earlier checkpoints stay.
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

    /// What comes after a checkpoint was written, as [`Checkpoints::write`] does it: the file `best`, and no
    /// checkpoints but the latest and the best. Once more for a checkpoint that is gone on from, since its writer may
    /// have been stopped in between.
    ///
    /// # Errors
    /// The file cannot be written, or a checkpoint not be removed.
    pub fn tidy(&self, iteration: u64, best: Option<u64>) -> Result<(), CheckpointError> {
        self.write_best(best)?;
        self.prune(iteration, best)
    }

    fn take(&self, iteration: u64, step: &Step<'_>) -> Result<(), CheckpointError> {
        let name = directory_name(iteration);
        let (directory, target) = (self.root.join(format!("{WRITING}{name}")), self.path(iteration));
        match step {
            Step::Begin => {
                remove_all(&directory)?;
                // Only in a directory that is there: one that was moved must not begin anew.
                fs::create_dir(&directory).map_err(CheckpointError::io(&directory))
            }
            Step::File(name, bytes) => {
                let path = directory.join(name);
                disk::write_synced(&path, bytes).map_err(CheckpointError::io(&path))
            }
            Step::SyncFiles => disk::sync(&directory).map_err(CheckpointError::io(&directory)),
            Step::Clear => self.remove(iteration),
            Step::Rename => fs::rename(&directory, &target).map_err(CheckpointError::io(&target)),
            Step::SyncName => disk::sync(&self.root).map_err(CheckpointError::io(&self.root)),
        }
    }

    /// Names the best checkpoint in a file, which is replaced whole.
    fn write_best(&self, best: Option<u64>) -> Result<(), CheckpointError> {
        let Some(best) = best else { return Ok(()) };
        let path = self.root.join(BEST);
        let name = format!("{}\n", directory_name(best));
        disk::replace(&path, name.as_bytes()).map_err(CheckpointError::io(&path))
    }

    /// Removes checkpoints before the `keep` latest up to `iteration`. Later ones belong to a time
    /// that the run went back from; they are replaced when it comes there again.
    fn prune(&self, iteration: u64, best: Option<u64>) -> Result<(), CheckpointError> {
        let mut past = self.list()?;
        past.retain(|&i| i <= iteration);
        let old = past.len().saturating_sub(self.keep);
        past.truncate(old);
        past.into_iter().filter(|&i| Some(i) != best).try_for_each(|i| self.remove(i))
    }

    /// Renamed first: a directory that is half removed must not have a checkpoint's name.
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

fn steps<'a>(files: &'a Files, manifest: &'a [u8]) -> Vec<Step<'a>> {
    let mut steps = vec![Step::Begin];
    steps.extend(files.iter().map(|(name, bytes)| Step::File(name, bytes)));
    steps.extend([
        Step::File(MANIFEST, manifest),
        Step::SyncFiles,
        Step::Clear,
        Step::Rename,
        Step::SyncName,
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
