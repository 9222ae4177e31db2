//! The folder of a dataset.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardsharp_bot::disk;

use crate::error::DatasetError;

/// The prefix and the suffix of a shard's file name, with its number between them.
const NAME: [&str; 2] = ["shard-", ".parquet"];

/// A folder with the shards of one dataset and nothing else.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// The open folder, which shows whether the path leads to another folder later. None except on Unix, where folders
    /// can be opened.
    opened: Option<Arc<File>>,
}

impl Folder {
    /// Opens an empty folder, or creates it.
    ///
    /// # Errors
    /// The folder is not empty, or cannot be created or read.
    pub fn new(path: &Path) -> Result<Self, DatasetError> {
        match names(path)?.is_empty() {
            true => Self::made(path),
            false => Err(DatasetError::Taken { path: path.to_owned() }),
        }
    }

    /// Like [`Folder::new`], but first deletes a dataset in the folder.
    ///
    /// # Errors
    /// The folder has a file that does not belong to a dataset, or cannot be created, read or emptied.
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
        let refused = |source| DatasetError::Io { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(refused)?;
        let opened = cfg!(unix).then(|| File::open(path)).transpose().map_err(refused)?;
        Ok(Self { path: path.to_owned(), opened: opened.map(Arc::new) })
    }

    /// Returns an error if the folder was moved, removed or replaced since it was opened, or if a written shard is
    /// missing or has another length. `shards` has the length of each written shard in bytes.
    pub(crate) fn check(&self, shards: &[u64]) -> Result<(), DatasetError> {
        let is_there = match &self.opened {
            None => self.path.is_dir(),
            Some(opened) => match disk::is_at(opened, &self.path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                found => found.map_err(|source| DatasetError::Io { path: self.path.clone(), source })?,
            },
        };
        if !is_there {
            return Err(DatasetError::Replaced { path: self.path.clone() });
        }
        for (number, &bytes) in (0..).zip(shards) {
            let path = self.shard(number);
            if fs::metadata(&path).ok().is_none_or(|found| found.len() != bytes) {
                return Err(DatasetError::Lost { path });
            }
        }
        Ok(())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a shard by its number from 0.
    pub fn shard(&self, number: u64) -> PathBuf {
        let [begin, end] = NAME;
        self.path.join(format!("{begin}{number:05}{end}"))
    }
}

/// Whether this is the file name of a shard, or of the temporary file for one.
fn is_part(name: &str) -> bool {
    let name = name.strip_prefix(disk::WRITING).unwrap_or(name);
    let number = name.strip_prefix(NAME[0]).and_then(|rest| rest.strip_suffix(NAME[1]));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the file names in a folder; none if it does not exist.
fn names(path: &Path) -> Result<Vec<String>, DatasetError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries,
    };
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let names = entries.and_then(|entries| entries.map(name).collect());
    names.map_err(|source| DatasetError::Io { path: path.to_owned(), source })
}
