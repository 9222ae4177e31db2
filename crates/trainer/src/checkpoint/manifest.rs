//! `manifest.json`: the files of a checkpoint. It has the form of a bundle's manifest, with the checkpoint's iteration.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use cardsharp_bot::bundle;
use cardsharp_bot::bundle::manifest::{Entry, FORMAT, Problem};

use super::{CheckpointError, Files};

/// The files of a checkpoint, its iteration, and the best iteration so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) iteration: u64,
    pub(super) best: Option<u64>,
    pub(super) files: BTreeMap<String, Entry>,
}

impl Manifest {
    /// Returns the bytes of the manifest; equal manifests give equal bytes.
    pub(super) fn write(iteration: u64, best: Option<u64>, files: &Files) -> serde_json::Result<Vec<u8>> {
        let files = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        bundle::Manifest::of(files).at(iteration, best).to_bytes()
    }

    /// Reads the manifest in a checkpoint's directory.
    pub(super) fn read(directory: &Path) -> Result<Self, CheckpointError> {
        let read = bundle::Manifest::of_any(directory).map_err(|error| {
            let path = error.path;
            let damaged = |problem| CheckpointError::Damaged { path: path.clone(), problem };
            match error.problem {
                Problem::Absent { .. } => CheckpointError::Missing { path },
                Problem::Read(source) if source.kind() == io::ErrorKind::FileTooLarge => {
                    damaged(source.to_string())
                }
                Problem::Read(source) => CheckpointError::Io { path, source },
                Problem::Format { given } if given > u64::from(FORMAT) => {
                    CheckpointError::Newer { path, given, expected: FORMAT }
                }
                Problem::Json(error) => damaged(error.to_string()),
                problem => damaged(problem.to_string()),
            }
        })?;
        let Some((iteration, best)) = read.iteration().zip(read.best()) else {
            let (path, problem) =
                (directory.join(bundle::MANIFEST), "it is the manifest of a bundle".to_owned());
            return Err(CheckpointError::Damaged { path, problem });
        };
        let files = read.files().map(|(name, entry)| (name.to_owned(), entry.clone())).collect();
        Ok(Self { iteration, best, files })
    }
}
