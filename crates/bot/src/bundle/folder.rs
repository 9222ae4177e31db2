//! Folders and files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

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
    let [partial, former] = ["writing", "removing"].map(|what| beside(to, what));
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

/// Writes one file: beside its place, flushed to the disk, and renamed.
pub(super) fn replace(to: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = beside(to, "writing");
    let written = write_synced(&partial, bytes).and_then(|()| fs::rename(&partial, to));
    written.inspect_err(|_| {
        // If half a file cannot be removed either, the first problem tells more.
        let _ = fs::remove_file(&partial);
    })?;
    sync(parent(to))
}

/// The content of a file of at most `most` bytes.
pub(super) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// Whether a file of this name was left by a write that was interrupted.
pub(super) fn is_leftover(name: &str) -> bool {
    name.starts_with(".writing-")
}

fn parent(of: &Path) -> &Path {
    of.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn beside(to: &Path, what: &str) -> PathBuf {
    to.with_file_name(format!(".{what}-{}", to.file_name().unwrap_or_default().to_string_lossy()))
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Waits until the names in a folder are on the disk.
fn sync(folder: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened as a file.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
