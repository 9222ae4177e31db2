//! Temporary files and folders of this process, so that neither a failure nor a signal leaves one.

use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All that exist.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// How often a folder is emptied in which another thread may create one more file.
const TRIES: usize = 100;

/// A temporary file or folder, which is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// The file or folder of this name, which the caller creates.
    pub(crate) fn new(path: PathBuf) -> Self {
        all().push(path.clone());
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Gives it its final name.
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

    /// Gives a folder its final name, and `aside` to the folder that has that name now, which is returned. No signal ends the
    /// process between the two.
    pub(crate) fn swap(self, to: &Path, aside: PathBuf) -> Result<Self, (Self, io::Error)> {
        let mut all = all();
        let renamed = fs::rename(to, &aside).and_then(|()| {
            fs::rename(&self.0, to).inspect_err(|_| {
                // The first problem says more than that the former folder cannot be put back either.
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
        // The error that led here says more; the next write removes what is left.
        let _ = remove_all(&self.0);
    }
}

fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files and folders of this process, for a process that a signal ends. Other threads can create and
/// rename no more of them while the result is held.
#[must_use]
pub fn abandon() -> impl Sized {
    let all = all();
    for path in &*all {
        // Another thread may write one more file into a folder that is being emptied.
        let _ = (0..TRIES).find(|_| remove_all(path).is_ok());
    }
    all
}

/// Removes a file, a link or a folder with all that is in it, if it is there.
///
/// # Errors
/// It is there, and the system refuses.
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
