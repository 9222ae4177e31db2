//! The record of a training run: its metrics, the tables that have them, and their seal.
//!
//! [`RunRecord`] reads `metrics.csv` and checks it against the hash in the run's newest checkpoint, as `train --resume`
//! does. [`MetricsTable`] reads the numbers, and [`metric`] defines them.
//!
//! A checkpoint stores the hash of the lines that `metrics.csv` had when it was written. Later rows belong to
//! iterations without a checkpoint; a finished run has none. A run folder that was copied without its checkpoints has
//! nothing to check its record against.

pub mod metric;
mod table;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::bundle::Manifest;
use crate::disk;

pub use metric::Metric;
pub use table::{IterationRow, Measured, MetricsTable, Strength, TableError};

/// The folder of checkpoints in a run folder.
pub const CHECKPOINTS: &str = "checkpoints";
/// The metrics in a run folder, which do not depend on the clock: a header line, then one row for each iteration.
pub const METRICS: &str = "metrics.csv";
/// The times in a run folder, in the same form.
pub const TIMING: &str = "timing.csv";
/// The file of a checkpoint with the hash of the record so far.
pub const METRICS_HASH: &str = "metrics.blake3";

/// The longest record that is read, in bytes.
const LONGEST: u64 = 256 << 20;

/// The hash of a run's record in its newest checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSeal {
    checkpoint: PathBuf,
    iteration: u64,
    hash: String,
}

/// Why a record is refused.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RecordError {
    /// A file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        source: io::Error,
    },
    /// No checkpoint is usable.
    #[error(
        "{}: none of the checkpoints can be read, so nothing shows whether the run's record was changed; the newest: {newest}",
        root.display()
    )]
    NoCheckpoint {
        /// The folder of the checkpoints.
        root: PathBuf,
        /// Why the newest checkpoint was refused.
        newest: String,
    },
    /// The record lacks rows.
    #[error(
        "{}: the file ends before the row of iteration {iteration}, which {} follows; put the whole file back",
        path.display(), checkpoint.display()
    )]
    Short {
        path: PathBuf,
        /// The iteration of the checkpoint.
        iteration: u64,
        checkpoint: PathBuf,
    },
    /// The record was edited.
    #[error(
        "{}: lines 1 to {} were edited after the run wrote them (hash {found}, expected {expected} from {}); restore them",
        path.display(), iteration + 1, checkpoint.display()
    )]
    Changed {
        path: PathBuf,
        /// Number of rows below the header line.
        iteration: u64,
        /// The hash of the lines.
        found: String,
        /// The hash in the checkpoint.
        expected: String,
        checkpoint: PathBuf,
    },
}

/// The record of a run, checked up to its newest checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRecord {
    /// The whole text of the file.
    pub text: String,
    /// The iteration of the newest checkpoint; `None` without checkpoints.
    pub checked: Option<u64>,
}

impl RunRecord {
    /// Reads and checks the record of the run in a folder.
    ///
    /// # Errors
    /// The record cannot be read, or was changed.
    pub fn read(run: &Path) -> Result<Self, RecordError> {
        // Read the seal before the record: a running trainer can only append to the record in the meantime.
        let seal = RecordSeal::newest(run)?;
        let path = run.join(METRICS);
        let refuse = |source| RecordError::Io { path: path.clone(), source };
        let too_long =
            || io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {LONGEST} bytes"));
        let bytes = disk::read_regular(&path, LONGEST)
            .and_then(|bytes| bytes.ok_or_else(too_long))
            .map_err(refuse)?;
        let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text");
        let text = String::from_utf8(bytes).map_err(no_text).map_err(refuse)?;
        seal.as_ref().map_or(Ok(()), |seal| seal.check(&path, &text))?;
        Ok(Self { text, checked: seal.map(|seal| seal.iteration) })
    }
}

impl RecordSeal {
    /// Returns the hash of the record in the newest checkpoint of the run in a folder, or `None` without checkpoints.
    /// Skips damaged checkpoints, as resuming does.
    ///
    /// # Errors
    /// The checkpoints cannot be listed, or each of them is refused.
    pub fn newest(run: &Path) -> Result<Option<Self>, RecordError> {
        let root = run.join(CHECKPOINTS);
        let mut found = checkpoints(&root)?;
        loop {
            let mut refused = None;
            for (iteration, checkpoint) in found.iter().rev() {
                match Self::of(checkpoint, *iteration) {
                    Ok(seal) => return Ok(Some(seal)),
                    Err(problem) => refused = refused.or(Some(problem)),
                }
            }
            let Some(newest) = refused else { return Ok(None) };
            // A running trainer may have written a new checkpoint in the meantime, and removed these.
            let now = checkpoints(&root)?;
            if now == found {
                return Err(RecordError::NoCheckpoint { root, newest });
            }
            found = now;
        }
    }

    fn of(checkpoint: &Path, iteration: u64) -> Result<Self, String> {
        let manifest = Manifest::of_any(checkpoint).map_err(|error| error.to_string())?;
        if manifest.iteration() != Some(iteration) {
            return Err(format!("{}: its manifest is not of iteration {iteration}", checkpoint.display()));
        }
        let hash = manifest.content(checkpoint, METRICS_HASH).map_err(|error| error.to_string())?;
        let hash = hash.ok_or_else(|| format!("{}: it has no {METRICS_HASH}", checkpoint.display()))?;
        let hash = String::from_utf8_lossy(&hash).trim_end().to_owned();
        Ok(Self { checkpoint: checkpoint.to_owned(), iteration, hash })
    }

    /// Checks a record, the `text` of the file at `path`, up to the checkpoint.
    ///
    /// # Errors
    /// A row is missing or was changed.
    pub fn check(&self, path: &Path, text: &str) -> Result<(), RecordError> {
        let Self { checkpoint, iteration, hash } = self;
        let (path, checkpoint, iteration) = (path.to_owned(), checkpoint.clone(), *iteration);
        // The header line comes before the rows.
        let rows = usize::try_from(iteration).unwrap_or(usize::MAX);
        let Some((last, _)) = text.match_indices('\n').nth(rows) else {
            return Err(RecordError::Short { path, iteration, checkpoint });
        };
        let found = blake3::hash(&text.as_bytes()[..=last]).to_string();
        match found == *hash {
            true => Ok(()),
            false => Err(RecordError::Changed { path, iteration, found, expected: hash.clone(), checkpoint }),
        }
    }
}

/// Returns the checkpoints in a folder, ascending by iteration. Checkpoints that are being written or removed have
/// other names.
fn checkpoints(root: &Path) -> Result<Vec<(u64, PathBuf)>, RecordError> {
    let refuse = |source| RecordError::Io { path: root.to_owned(), source };
    let entries = match fs::read_dir(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(refuse)?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(refuse)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let iteration = name.and_then(|name| name.parse().ok().filter(|of: &u64| format!("{of:08}") == name));
        found.extend(iteration.map(|iteration| (iteration, path)));
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "iteration,decisions,loss/policy\n1,100,-0.5\n2,210,-0.925\n3,300,-1\n";

    fn checkpoint(run: &Path, iteration: u64, record: &str) -> PathBuf {
        let path = run.join(CHECKPOINTS).join(format!("{iteration:08}"));
        let hash = blake3::hash(record.as_bytes()).to_string() + "\n";
        fs::create_dir_all(&path).expect("a folder");
        fs::write(path.join(METRICS_HASH), &hash).expect("a file");
        let manifest = Manifest::of([(METRICS_HASH, hash.as_bytes())]).at(iteration, None);
        fs::write(path.join("manifest.json"), manifest.to_bytes().expect("JSON")).expect("a file");
        path
    }

    fn refused(run: &Path) -> String {
        let error = RunRecord::read(run).expect_err("refused").to_string();
        error.replace(&format!("{}/", run.display()), "")
    }

    #[test]
    fn rows_up_to_the_newest_checkpoint_are_those_that_were_written() {
        let run = tempfile::tempdir().expect("a folder");
        let write = |text: &str| fs::write(run.path().join(METRICS), text).expect("a file");
        let read = || RunRecord::read(run.path()).expect("a record");
        write(RECORD);
        assert_eq!(read().checked, None, "a run without checkpoints has nothing to be checked against");
        let two = RECORD.rsplit_once("3,").expect("a third row").0;
        let first = checkpoint(run.path(), 2, two);
        assert_eq!(read(), RunRecord { text: RECORD.to_owned(), checked: Some(2) });
        // The trainer is still writing the rows after the checkpoint.
        write(&format!("{two}3,3"));
        assert_eq!(read().checked, Some(2));
        write(&RECORD.replace("-0.925", "0.99"));
        let said = refused(run.path());
        assert!(
            said.starts_with("metrics.csv: lines 1 to 3 were edited after the run wrote them (hash "),
            "{said}"
        );
        assert!(said.ends_with("; restore them"), "{said}");
        write(&two[..two.len() - 1]);
        let said = refused(run.path());
        assert!(
            said.starts_with("metrics.csv: the file ends before the row of iteration 2, which"),
            "{said}"
        );

        // A damaged checkpoint is skipped. If all are damaged, the record cannot be checked.
        write(RECORD);
        let second = checkpoint(run.path(), 3, RECORD);
        assert_eq!(read().checked, Some(3));
        fs::write(second.join(METRICS_HASH), "another").expect("a file");
        assert_eq!(read().checked, Some(2));
        fs::write(first.join("manifest.json"), "{}").expect("a file");
        let said = refused(run.path());
        assert!(
            said.starts_with("checkpoints: none of the checkpoints can be read, so nothing shows"),
            "{said}"
        );
    }
}
