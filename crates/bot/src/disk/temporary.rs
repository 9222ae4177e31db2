//! Temporary files and folders of this process, which are removed even after a failure or a signal.

use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// The most attempts to empty a folder in which another thread may still create a file.
const TRIES: usize = 100;

/// A temporary file or folder. Dropping it removes the file or folder.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// Registers a path, which the caller then creates.
    pub(crate) fn new(path: PathBuf) -> Self {
        all().push(path.clone());
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Renames the file or folder to its final name.
    pub(crate) fn rename(self, to: &Path) -> Result<(), (Self, io::Error)> {
        let mut all = all();
        if let Err(error) = fs::rename(&self.0, to) {
            drop(all);
            return Err((self, error));
        }
        all.retain(|path| *path != self.0);
        drop(all);
        mem::forget(self);
        Ok(())
    }

    /// Renames this folder to `to`, and the old folder at `to` to `aside`. Returns the old folder as a temporary one.
    /// No signal ends the process between the two renames.
    pub(crate) fn swap(self, to: &Path, aside: PathBuf) -> Result<Self, (Self, io::Error)> {
        let mut all = all();
        let renamed = fs::rename(to, &aside).and_then(|()| {
            fs::rename(&self.0, to).inspect_err(|_| {
                // Report the first error, even if the old folder cannot be restored.
                let _ = fs::rename(&aside, to);
            })
        });
        if let Err(error) = renamed {
            drop(all);
            return Err((self, error));
        }
        all.retain(|path| *path != self.0);
        all.push(aside.clone());
        drop(all);
        mem::forget(self);
        Ok(Self(aside))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut all = all();
        all.retain(|path| *path != self.0);
        // Ignore errors: the caller's error is more useful, and the next write removes leftovers.
        let _ = remove_all(&self.0);
    }
}

fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files and folders of this process, before a signal ends it. While the result is held, other
/// threads cannot create or rename any.
#[must_use]
pub fn abandon() -> impl Sized {
    let all = all();
    for path in &*all {
        // Another thread may add a file to the folder in the meantime.
        let _ = (0..TRIES).find(|_| remove_all(path).is_ok());
    }
    all
}

/// Removes a file, a link, or a folder with its content, if it exists.
///
/// # Errors
/// It exists, and the system refuses.
pub fn remove_all(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Err(error) => Err(error),
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
