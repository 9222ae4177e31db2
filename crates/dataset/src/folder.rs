//! The folder of a dataset.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::disk;

use crate::error::DatasetError;

/// The beginning and the end of a shard's name, with its number between them.
const NAME: [&str; 2] = ["shard-", ".parquet"];

/// A folder that shards may be written to: nothing else is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl Folder {
    /// A folder that is empty, or was not there.
    ///
    /// # Errors
    /// There is something in it, or it cannot be made or read.
    pub fn new(path: &Path) -> Result<Self, DatasetError> {
        match names(path)?.is_empty() {
            true => Self::made(path),
            false => Err(DatasetError::Taken { path: path.to_owned() }),
        }
    }

    /// As [`Folder::new`], where a dataset that stands in the folder is removed.
    ///
    /// # Errors
    /// There is something in it that is no part of a dataset, or it cannot be made, read or emptied.
    pub fn emptied(path: &Path) -> Result<Self, DatasetError> {
        let names = names(path)?;
        if let Some(name) = names.iter().find(|name| !is_part(name)) {
            return Err(DatasetError::Foreign { path: path.to_owned(), name: name.clone() });
        }
        for name in names {
            let path = path.join(name);
            fs::remove_file(&path).map_err(|source| DatasetError::Io { path, source })?;
        }
        Self::made(path)
    }

    fn made(path: &Path) -> Result<Self, DatasetError> {
        fs::create_dir_all(path).map_err(|source| DatasetError::Io { path: path.to_owned(), source })?;
        Ok(Self(path.to_owned()))
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a shard, by its number from 0.
    pub fn shard(&self, number: u64) -> PathBuf {
        let [begin, end] = NAME;
        self.0.join(format!("{begin}{number:05}{end}"))
    }
}

/// Whether a file of this name is a shard, or was on its way to become one.
fn is_part(name: &str) -> bool {
    let name = name.strip_prefix(disk::WRITING).unwrap_or(name);
    let number = name.strip_prefix(NAME[0]).and_then(|rest| rest.strip_suffix(NAME[1]));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The names in a folder; none where there is no folder.
fn names(path: &Path) -> Result<Vec<String>, DatasetError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries,
    };
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let names = entries.and_then(|entries| entries.map(name).collect());
    names.map_err(|source| DatasetError::Io { path: path.to_owned(), source })
}
