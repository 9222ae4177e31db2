//! Deterministic archives: the same files give the same bytes, on every machine and at any time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::error::{TaskError, at};

/// The modification time of every file, in Unix seconds: the start of 2000. Some programs treat 0 as no time.
const TIME: u64 = 946_684_800;

/// A file of an archive.
pub(crate) struct ArchiveFile {
    /// The path within the archive's folder.
    pub path: String,
    pub bytes: Vec<u8>,
    /// Whether the file is executable.
    pub runs: bool,
}

impl ArchiveFile {
    /// Returns a file without permission to execute.
    pub(crate) fn text(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into(), runs: false }
    }

    /// Reads such a file.
    pub(crate) fn file(from: &Path, path: impl Into<String>) -> Result<Self, TaskError> {
        Ok(Self::text(path, fs::read(from).map_err(at(from))?))
    }

    /// Adds all files of a folder and of the folders in it, with `before` in front of their paths.
    pub(crate) fn folder(from: &Path, before: &str, to: &mut Vec<Self>) -> Result<(), TaskError> {
        for entry in fs::read_dir(from).map_err(at(from))? {
            let entry = entry.map_err(at(from))?;
            let path = format!("{before}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                Self::folder(&entry.path(), &format!("{path}/"), to)?;
            } else {
                to.push(Self::file(&entry.path(), path)?);
            }
        }
        Ok(())
    }
}

/// Packs files into `FOLDER.tar.gz` under `to`, in the order of their paths. Windows unpacks such an archive, too.
pub(crate) fn pack(to: &Path, folder: &str, mut entries: Vec<ArchiveFile>) -> Result<PathBuf, TaskError> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let path = to.join(format!("{folder}.tar.gz"));
    fs::create_dir_all(to).map_err(at(to))?;
    let file = File::create(&path).map_err(at(&path))?;
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::best()));
    for entry in &entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(if entry.runs { 0o755 } else { 0o644 });
        header.set_mtime(TIME);
        let within = format!("{folder}/{}", entry.path);
        archive.append_data(&mut header, within, entry.bytes.as_slice()).map_err(at(&path))?;
    }
    archive.into_inner().and_then(GzEncoder::finish).map_err(at(&path))?;
    Ok(path)
}

/// Returns the SHA-256 of a file, as hexadecimal digits.
pub(crate) fn digest(file: &Path) -> Result<String, TaskError> {
    let digest = Sha256::digest(fs::read(file).map_err(at(file))?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes the SHA-256 of a file next to it, in the format of `sha256sum --check`.
pub(crate) fn sum(file: &Path) -> Result<(), TaskError> {
    let digits = digest(file)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = file.with_file_name(format!("{name}.sha256"));
    fs::write(&beside, format!("{digits}  {name}\n")).map_err(at(beside))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    fn packed(order: [usize; 2]) -> (tempfile::TempDir, PathBuf) {
        let to = tempfile::tempdir().expect("a folder");
        let entry = |index: usize| match index {
            0 => ArchiveFile { path: "cardsharp".to_owned(), bytes: vec![1, 2, 3], runs: true },
            _ => ArchiveFile::text("rules/taki.md", "Draw."),
        };
        let path = pack(to.path(), "cardsharp-0", order.map(entry).into()).expect("packed");
        (to, path)
    }

    #[test]
    fn an_archive_is_the_same_bytes_in_any_order_of_its_files() {
        let [one, other] = [[0, 1], [1, 0]].map(packed);
        assert_eq!(fs::read(&one.1).expect("read"), fs::read(&other.1).expect("read"));
    }

    #[test]
    fn programs_can_be_run_and_texts_read() {
        let (_folder, path) = packed([1, 0]);
        let mut archive = tar::Archive::new(GzDecoder::new(File::open(path).expect("opened")));
        let files = archive.entries().expect("entries").map(|entry| {
            let mut entry = entry.expect("an entry");
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("read");
            let path = entry.path().expect("a path").display().to_string();
            (path, entry.header().mode().expect("a mode"), bytes)
        });
        let program = ("cardsharp-0/cardsharp".to_owned(), 0o755, vec![1, 2, 3]);
        let text = ("cardsharp-0/rules/taki.md".to_owned(), 0o644, b"Draw.".to_vec());
        assert_eq!(files.collect::<Vec<_>>(), [program, text]);
    }

    #[test]
    fn the_sum_is_the_one_that_everybody_computes() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("abc");
        fs::write(&file, "abc").expect("written");
        sum(&file).expect("a sum");
        let said = fs::read_to_string(folder.path().join("abc.sha256")).expect("read");
        // The first example of FIPS 180-4.
        assert_eq!(said, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc\n");
    }
}
