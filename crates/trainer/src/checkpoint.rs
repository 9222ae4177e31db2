//! Checkpoints: directories that are complete or absent, and whose files are always checked.
//!
//! A checkpoint is written into a temporary directory (`.writing-NNNNNNNN`). Every file is synced to the disk. The last
//! one is `manifest.json`, with the length and BLAKE3 hash of each file. Then the directory is renamed to `NNNNNNNN`
//! (its iteration), and the parent is synced. Whenever the machine stops, directories with final names are complete.
//! Reading checks every byte.

mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use cardsharp_bot::bundle;
use cardsharp_bot::bundle::manifest::{BundleProblem, FORMAT, FileEntry, MANIFEST};
use cardsharp_bot::disk;

/// The files of a checkpoint by name, in memory.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A checkpoint that was read completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The directory that it was read from.
    pub path: PathBuf,
    /// Iterations that were complete when it was written.
    pub iteration: u64,
    /// The iteration of the best checkpoint at that time, if one had been measured.
    pub best: Option<u64>,
    /// The content of each file, without the manifest.
    pub files: Files,
}

/// The newest checkpoint that can be used.
#[derive(Debug)]
pub struct Latest {
    /// The newest checkpoint that is valid.
    pub checkpoint: Checkpoint,
    /// Why newer ones were refused, newest first. Show them as warnings.
    pub refused: Vec<CheckpointError>,
}

/// Why a checkpoint was refused or could not be written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CheckpointError {
    /// A file or directory could not be read, written or moved.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file of the checkpoint is missing.
    #[error("{}: the checkpoint lacks this file", path.display())]
    Missing { path: PathBuf },
    /// The directory has a file that the manifest does not list.
    #[error("{}: this file is not in the checkpoint's manifest", path.display())]
    Extra { path: PathBuf },
    /// A file is damaged.
    #[error("{}: the file is damaged: {problem}", path.display())]
    Damaged {
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A newer version of the program wrote the checkpoint.
    #[error(
        "{}: the checkpoint was written by a newer version of cardsharp: its format is {given}, this program reads {expected}",
        path.display()
    )]
    Newer {
        path: PathBuf,
        /// The format of the checkpoint.
        given: u64,
        /// The format of this program.
        expected: u32,
    },
    /// A checkpoint cannot hold a file of this name.
    #[error("a checkpoint cannot hold a file named `{name}`")]
    Name { name: String },
    /// There are checkpoints, but none can be used.
    #[error("{}: no checkpoint can be loaded; the newest: {newest}", root.display())]
    NoneLeft {
        /// The directory of checkpoints.
        root: PathBuf,
        /// Why the newest was refused.
        newest: Box<CheckpointError>,
    },
}

impl CheckpointError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

/// `manifest.json`: the files of a checkpoint, its iteration, and the best iteration so far. It has the form of a
/// bundle's manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Manifest {
    iteration: u64,
    best: Option<u64>,
    files: BTreeMap<String, FileEntry>,
}

impl Manifest {
    /// Returns the bytes of the manifest; equal manifests give equal bytes.
    fn write(iteration: u64, best: Option<u64>, files: &Files) -> serde_json::Result<Vec<u8>> {
        let files = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        bundle::Manifest::of(files).at(iteration, best).to_bytes()
    }

    /// Reads the manifest in a checkpoint's directory.
    fn read(directory: &Path) -> Result<Self, CheckpointError> {
        let read = bundle::Manifest::of_any(directory).map_err(|error| {
            let path = error.path;
            let damaged = |problem| CheckpointError::Damaged { path: path.clone(), problem };
            match error.problem {
                BundleProblem::Absent { .. } => CheckpointError::Missing { path },
                BundleProblem::Read(source) if source.kind() == io::ErrorKind::FileTooLarge => {
                    damaged(source.to_string())
                }
                BundleProblem::Read(source) => CheckpointError::Io { path, source },
                BundleProblem::Format { given } if given > u64::from(FORMAT) => {
                    CheckpointError::Newer { path, given, expected: FORMAT }
                }
                BundleProblem::Json(error) => damaged(error.to_string()),
                problem => damaged(problem.to_string()),
            }
        })?;
        let Some((iteration, best)) = read.iteration().zip(read.best()) else {
            let (path, problem) = (directory.join(MANIFEST), "it is the manifest of a bundle".to_owned());
            return Err(CheckpointError::Damaged { path, problem });
        };
        let files = read.files().map(|(name, entry)| (name.to_owned(), entry.clone())).collect();
        Ok(Self { iteration, best, files })
    }
}

/// The checkpoints of one run, in one directory.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    root: PathBuf,
    keep: usize,
}

impl Checkpoints {
    /// Describes the checkpoints in `root`, of which [`Checkpoints::write`] keeps the `keep` latest and the best. Does
    /// not touch the disk yet.
    pub fn new(root: &Path, keep: usize) -> Self {
        Self { root: root.to_owned(), keep }
    }

    /// Returns the path of the checkpoint of an iteration, whether it exists or not.
    pub fn path(&self, iteration: u64) -> PathBuf {
        self.root.join(directory_name(iteration))
    }

    /// Returns the iterations of all checkpoints, ascending, without reading them.
    ///
    /// # Errors
    /// The directory cannot be read. A missing directory has no checkpoints and is no error.
    pub fn list(&self) -> Result<Vec<u64>, CheckpointError> {
        let entries = match fs::read_dir(&self.root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(CheckpointError::io(&self.root))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(CheckpointError::io(&self.root))?;
            found.extend(entry.file_name().to_str().and_then(iteration_of));
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Reads the newest undamaged checkpoint; none if there are no checkpoints.
    ///
    /// # Errors
    /// The directory cannot be read. A checkpoint that is newer than all undamaged ones cannot be read. A newer version
    /// of the program wrote the newest checkpoint. Or every checkpoint is refused.
    pub fn latest_valid(&self) -> Result<Option<Latest>, CheckpointError> {
        let mut refused = Vec::new();
        for iteration in self.list()?.into_iter().rev() {
            match read(&self.path(iteration)) {
                Ok(checkpoint) => return Ok(Some(Latest { checkpoint, refused })),
                // It may be undamaged. Resuming from an older one would lose what was learned since.
                Err(unread @ (CheckpointError::Newer { .. } | CheckpointError::Io { .. })) => {
                    return Err(unread);
                }
                Err(error) => refused.push(error),
            }
        }
        match refused.into_iter().next() {
            Some(newest) => {
                Err(CheckpointError::NoneLeft { root: self.root.clone(), newest: Box::new(newest) })
            }
            None => Ok(None),
        }
    }

    /// Reads the best checkpoint, which the newest undamaged one names; none if it names none.
    ///
    /// # Errors
    /// As [`Checkpoints::latest_valid`], or the best one is refused.
    pub fn best(&self) -> Result<Option<Checkpoint>, CheckpointError> {
        match self.latest_valid()?.and_then(|latest| latest.checkpoint.best) {
            Some(iteration) => read(&self.path(iteration)).map(Some),
            None => Ok(None),
        }
    }
}

/// Reads a checkpoint and checks every file of it.
///
/// # Errors
/// A file is missing, damaged, not in the manifest, or cannot be read.
pub fn read(path: &Path) -> Result<Checkpoint, CheckpointError> {
    let manifest = Manifest::read(path)?;
    let damaged = |problem: String| CheckpointError::Damaged { path: path.join(MANIFEST), problem };
    let name = path.file_name().and_then(|name| name.to_str()).and_then(iteration_of);
    if name.is_some_and(|named| named != manifest.iteration) {
        return Err(damaged(format!("it is of iteration {}", manifest.iteration)));
    }
    let entries = fs::read_dir(path).map_err(|source| match source.kind() {
        // The process that trains removed it meanwhile.
        io::ErrorKind::NotFound => CheckpointError::Missing { path: path.to_owned() },
        _ => CheckpointError::Io { path: path.to_owned(), source },
    })?;
    for entry in entries {
        let name = entry.map_err(CheckpointError::io(path))?.file_name();
        if !name.to_str().is_some_and(|name| name == MANIFEST || manifest.files.contains_key(name)) {
            return Err(CheckpointError::Extra { path: path.join(name) });
        }
    }
    let mut files = Files::new();
    for (name, entry) in &manifest.files {
        let file = path.join(name);
        let bytes = read_file(&file, entry.bytes)?;
        entry
            .check(&bytes)
            .map_err(|changed| CheckpointError::Damaged { path: file, problem: changed.to_string() })?;
        files.insert(name.clone(), bytes);
    }
    Ok(Checkpoint { path: path.to_owned(), iteration: manifest.iteration, best: manifest.best, files })
}

fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, CheckpointError> {
    let path = path.to_owned();
    match disk::read_regular(&path, limit) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => {
            let problem = format!("it has more than {limit} bytes");
            Err(CheckpointError::Damaged { path, problem })
        }
        Err(source) if source.kind() == io::ErrorKind::NotFound => Err(CheckpointError::Missing { path }),
        Err(source) => Err(CheckpointError::Io { path, source }),
    }
}

fn directory_name(iteration: u64) -> String {
    format!("{iteration:08}")
}

/// Returns the iteration in the name of a directory; none if the name has another form.
fn iteration_of(name: &str) -> Option<u64> {
    let iteration = name.parse().ok()?;
    (directory_name(iteration) == name).then_some(iteration)
}
