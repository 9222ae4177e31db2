//! Replaces a folder atomically: a reader finds either the old or the new one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::{self, Temporary, WRITING, beside, parent, sync, write_synced};

/// An operation that the system refused.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {}: {source}", path.display())]
pub struct FolderError {
    /// The operation, as a verb: `write`, `remove`.
    pub doing: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The reason that the system gave.
    pub source: io::Error,
}

pub(super) fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |source| FolderError { doing, path, source }
}

/// Replaces folder `to` with these files. They are written in order to a temporary folder next to it, which is flushed
/// to the disk and renamed. The new folder has the permissions of the old one. Symbolic links are followed. If no
/// folder can be created there or renamed, the files are replaced one by one. No temporary folder is left, even after
/// an error.
pub(super) fn write(to: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), FolderError> {
    let to = &disk::followed(to).map_err(at("write", to))?;
    let parent = parent(to);
    fs::create_dir_all(parent).map_err(at("create", parent))?;
    let [partial, former] = [WRITING, ".removing-"].map(|what| beside(to, what));
    // A process that was killed between its two renames leaves the folder aside.
    if former.exists() && !to.exists() {
        fs::rename(&former, to).map_err(at("rename", &former))?;
    }
    let partial = Temporary::new(partial);
    // A killed process may have left one.
    match disk::remove_all(partial.path()).and_then(|()| fs::create_dir(partial.path())) {
        Ok(()) => {}
        Err(_) if to.is_dir() => return write_in_place(to, files),
        Err(error) => return Err(at("create", partial.path())(error)),
    }
    fill(partial.path(), files)?;
    if !to.exists() {
        partial.rename(to).map_err(|(partial, error)| at("rename", partial.path())(error))?;
    } else {
        #[cfg(unix)]
        fs::metadata(to)
            .and_then(|found| fs::set_permissions(partial.path(), found.permissions()))
            .map_err(at("set the mode of", partial.path()))?;
        disk::remove_all(&former).map_err(at("remove", &former))?;
        match partial.swap(to, former) {
            Ok(former) => disk::remove_all(former.path()).map_err(at("remove", former.path()))?,
            Err((partial, error)) if disk::is_protected(&error) => {
                drop(partial);
                return write_in_place(to, files);
            }
            Err((_, error)) => return Err(at("rename", to)(error)),
        }
    }
    sync(parent).map_err(at("flush", parent))
}

/// Writes the files into a new folder, and flushes them to the disk.
fn fill(folder: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), FolderError> {
    for (name, bytes) in files {
        let path = folder.join(name);
        write_synced(&path, bytes).map_err(at("write", &path))?;
    }
    sync(folder).map_err(at("flush", folder))
}

/// Replaces the files of a folder one by one, and removes all others. The manifest comes last, so readers refuse the
/// bundle after an interruption.
fn write_in_place(to: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), FolderError> {
    for entry in fs::read_dir(to).map_err(at("read", to))? {
        let entry = entry.map_err(at("read", to))?;
        if !files.iter().any(|(name, _)| entry.file_name() == *name) {
            disk::remove_all(&entry.path()).map_err(at("remove", &entry.path()))?;
        }
    }
    for (name, bytes) in files {
        let path = to.join(name);
        disk::replace(&path, bytes).map_err(at("write", &path))?;
    }
    Ok(())
}

/// Returns whether a file of this name was left by an interrupted write.
pub(super) fn is_leftover(name: &str) -> bool {
    name.starts_with(WRITING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_folder_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("bundle");
        let file = |name, text: &str| (name, text.as_bytes().to_vec());
        write(&to, &[file("card.md", "old")]).expect("a folder");
        // The second file is in a folder that does not exist.
        let error = write(&to, &[file("card.md", "new"), file("no/file", "new")]).expect_err("no folder");
        assert!(error.to_string().starts_with("cannot write "), "{error}");
        assert_eq!(fs::read_to_string(to.join("card.md")).expect("a file"), "old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        let new = folder.path().join("new");
        write(&new, &[file("no/file", "new")]).expect_err("no folder");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
