//! Folders that are there whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::{self, WRITING, beside, parent, sync, write_synced};

/// Something that the disk refused to do.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {}: {source}", path.display())]
pub struct FolderError {
    /// What was tried.
    pub doing: &'static str,
    /// With which file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

pub(super) fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |source| FolderError { doing, path, source }
}

/// Writes these files as folder `to`, in their order: beside it, flushed to the disk, and renamed. A folder
/// that is already there is replaced.
pub(super) fn write(to: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), FolderError> {
    let parent = parent(to);
    fs::create_dir_all(parent).map_err(at("create", parent))?;
    let [partial, former] = [WRITING, ".removing-"].map(|what| beside(to, what));
    // An export that was interrupted between its two renames has put the folder aside.
    if former.exists() && !to.exists() {
        fs::rename(&former, to).map_err(at("rename", &former))?;
    }
    // Left by an export that was interrupted elsewhere.
    for leftover in [&partial, &former] {
        if leftover.exists() {
            fs::remove_dir_all(leftover).map_err(at("remove", leftover))?;
        }
    }
    fs::create_dir(&partial).map_err(at("create", &partial))?;
    for (name, bytes) in files {
        let path = partial.join(name);
        write_synced(&path, bytes).map_err(at("write", &path))?;
    }
    sync(&partial).map_err(at("flush", &partial))?;
    if to.exists() {
        fs::rename(to, &former).map_err(at("rename", to))?;
    }
    if let Err(error) = fs::rename(&partial, to) {
        // The first problem tells more than that the former folder cannot be put back either.
        let _ = fs::rename(&former, to);
        return Err(at("rename", &partial)(error));
    }
    sync(parent).map_err(at("flush", parent))?;
    if former.exists() {
        fs::remove_dir_all(&former).map_err(at("remove", &former))?;
    }
    Ok(())
}

/// The content of a regular file of at most `most` bytes.
pub(super) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    disk::read_regular(path, most)?.ok_or_else(|| too_large(most))
}

/// The error of a file that is longer than is read.
pub(super) fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes"))
}

/// Whether a file of this name was left by a write that was interrupted.
pub(super) fn is_leftover(name: &str) -> bool {
    name.starts_with(WRITING)
}
