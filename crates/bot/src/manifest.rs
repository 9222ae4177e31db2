//! `manifest.json`: the list of a bundle's files, which reveals changes.
//!
//! It lists the length and the BLAKE3 hash of every other file, and ends with a hash of itself. These checksums detect
//! damage and accidental edits. They are not a signature: a person who changes a file can also write a new manifest.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::shell::path as typed;
use crate::{disk, text};

/// The files of a bundle.
pub const FILES: [&str; 8] = [
    "actions.json",
    "arena.json",
    "bot.safetensors",
    "card.md",
    "encoding.json",
    "model.onnx",
    "vectors.jsonl.gz",
    MANIFEST,
];

/// Files that a bundle may have in addition.
pub(crate) const OPTIONAL: [&str; 4] =
    ["levels.json", "beliefs.safetensors", "cost.json", crate::identity::FILE];

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 256 << 20;

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.json";
/// The version of the manifest's format.
pub const FORMAT: u32 = 1;
/// The longest manifest that is read, in bytes. A file takes some hundred of them.
const LONGEST: u64 = 16 << 20;

/// Length and checksum of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Length of the file, in bytes.
    pub bytes: u64,
    /// BLAKE3 hash of the file's content, in hexadecimal.
    pub blake3: String,
}

impl FileEntry {
    /// The entry of a file that holds `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, blake3: blake3::hash(bytes).to_hex().to_string() }
    }

    /// Refuses bytes that differ from those that were written.
    ///
    /// # Errors
    /// The difference.
    pub fn check(&self, bytes: &[u8]) -> Result<(), FileChange> {
        let found = Self::of(bytes);
        if found.bytes != self.bytes {
            return Err(FileChange::Length { found: found.bytes, written: self.bytes });
        }
        if found.blake3 != self.blake3 {
            return Err(FileChange::Sum { found: found.blake3, written: self.blake3.clone() });
        }
        Ok(())
    }
}

/// How the bytes of a file differ from those that were written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileChange {
    /// The file has another length.
    #[error("it has {found} bytes and was written with {written}")]
    Length {
        /// The length of the file.
        found: u64,
        /// The length in the manifest.
        written: u64,
    },
    /// The length is the same, and the bytes differ.
    #[error("its hash is {found} and was {written}")]
    Sum {
        /// The hash of the file.
        found: String,
        /// The hash in the manifest.
        written: String,
    },
}

/// The list of a bundle's files, with the length and the checksum of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: u32,
    /// Of a checkpoint: the iteration that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    iteration: Option<u64>,
    /// Of a checkpoint: the iteration of the best one then, null if none was measured.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "even_null")]
    #[schemars(skip)]
    best: Option<Option<u64>>,
    files: BTreeMap<String, FileEntry>,
    /// BLAKE3 hash of this manifest as compact JSON with an empty string in this field, in hexadecimal.
    blake3: String,
}

/// Reads a field that may be null: `Some(None)` for null, and `None` only if the field is missing.
fn even_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl Manifest {
    /// Creates the manifest of these files, each with its name.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let files = files.into_iter().map(|(name, bytes)| (name.to_owned(), FileEntry::of(bytes))).collect();
        Self { format: FORMAT, iteration: None, best: None, files, blake3: String::new() }
    }

    /// Returns every file with its entry, sorted by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &FileEntry)> {
        self.files.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// Returns the manifest of a checkpoint after `iteration` iterations, with the iteration of the best checkpoint.
    pub fn at(self, iteration: u64, best: Option<u64>) -> Self {
        Self { iteration: Some(iteration), best: Some(best), ..self }
    }

    /// Returns the iteration of a checkpoint, or `None` for a bundle.
    pub fn iteration(&self) -> Option<u64> {
        self.iteration
    }

    /// Returns the iteration of the best checkpoint when this one was written: `Some(None)` if none had been measured,
    /// and `None` for a bundle.
    pub fn best(&self) -> Option<Option<u64>> {
        self.best
    }

    /// Returns the entry of a file.
    pub fn get(&self, name: &str) -> Option<&FileEntry> {
        self.files.get(name)
    }

    /// Returns the content of file `name` of the bundle in `folder`, checked against its entry. Returns `None` if the
    /// file is neither listed nor present.
    ///
    /// # Errors
    /// The file cannot be read, is present but not listed, is listed but missing, or holds other bytes than were
    /// written.
    pub fn content(&self, folder: &Path, name: &str) -> Result<Option<Vec<u8>>, ManifestError> {
        let path = folder.join(name);
        let problem = match (self.get(name), read_regular(&path, MAX_FILE)) {
            (None, Err(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            (Some(_), Err(error)) if error.kind() == io::ErrorKind::NotFound => BundleProblem::Lost,
            (_, Err(error)) => BundleProblem::Read(error),
            (None, Ok(_)) => BundleProblem::Foreign,
            (Some(entry), Ok(content)) => match entry.check(&content) {
                Ok(()) => return Ok(Some(content)),
                Err(changed) => BundleProblem::Other(changed),
            },
        };
        Err(ManifestError { path, problem })
    }

    /// Returns the bytes of the manifest with its hash. They are determined by its content.
    ///
    /// # Errors
    /// JSON cannot represent the manifest.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut sealed = Self { blake3: String::new(), ..self.clone() };
        sealed.blake3 = blake3::hash(&serde_json::to_vec(&sealed)?).to_hex().to_string();
        let mut bytes = serde_json::to_vec_pretty(&sealed)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads the manifest of the bundle in `folder`.
    ///
    /// # Errors
    /// There is no manifest, it cannot be read, it belongs to something else, or it was changed.
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        Self::read_as(folder, false)
    }

    /// Reads the manifest of the bundle or checkpoint in `folder`.
    ///
    /// # Errors
    /// As [`Manifest::read`].
    pub fn of_any(folder: &Path) -> Result<Self, ManifestError> {
        Self::read_as(folder, true)
    }

    /// Reads the manifest in `folder`. Refuses that of a checkpoint unless `checkpoints` is set.
    fn read_as(folder: &Path, checkpoints: bool) -> Result<Self, ManifestError> {
        let path = folder.join(MANIFEST);
        let refuse = |problem| ManifestError { path: path.clone(), problem };
        let bytes = read_regular(&path, LONGEST).map_err(|error| {
            refuse(match error.kind() {
                io::ErrorKind::NotFound => BundleProblem::Absent { folder: folder.to_owned() },
                _ => BundleProblem::Read(error),
            })
        })?;
        Self::from_bytes(&bytes, checkpoints).map_err(refuse)
    }

    /// Reads the bytes of a manifest. Refuses that of a checkpoint unless `checkpoints` is set.
    pub(crate) fn from_bytes(bytes: &[u8], checkpoints: bool) -> Result<Self, BundleProblem> {
        let value: Value = text::from_json(bytes).map_err(BundleProblem::Json)?;
        // Check the version first, because other versions may have other fields.
        if let Some(given) = value["format"].as_u64().filter(|&given| given != u64::from(FORMAT)) {
            return Err(BundleProblem::Format { given });
        }
        if !checkpoints && value.get("iteration").is_some() {
            return Err(BundleProblem::Checkpoint);
        }
        let manifest: Self = serde_json::from_value(value).map_err(BundleProblem::Json)?;
        match manifest.to_bytes().map_err(BundleProblem::Json)? == bytes {
            true => Ok(manifest),
            false => Err(BundleProblem::Changed),
        }
    }

    /// Writes file `name` into the bundle in `folder`, and then a manifest that lists it. Each is replaced atomically.
    /// After an interruption between the two, readers refuse the bundle until the file is written again.
    ///
    /// # Errors
    /// The manifest cannot be read, or the system refuses to write.
    pub fn add(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), ManifestError> {
        let mut manifest = Self::read(folder)?;
        manifest.files.insert(name.to_owned(), FileEntry::of(bytes));
        let refuse =
            |path: PathBuf| move |source| ManifestError { path, problem: BundleProblem::Write(source) };
        disk::replace(&folder.join(name), bytes).map_err(refuse(folder.join(name)))?;
        let path = folder.join(MANIFEST);
        let sealed = manifest.to_bytes().map_err(io::Error::from);
        sealed.and_then(|bytes| disk::replace(&path, &bytes)).map_err(refuse(path.clone()))
    }
}

/// Returns the command that writes the bundle in `folder` again, from its network and its measurements.
pub(super) fn again(folder: &Path) -> String {
    // A folder without a name, like `.`, cannot be replaced.
    let named = if folder.file_name().is_none() { folder.canonicalize().ok() } else { None };
    let folder = typed(named.as_deref().unwrap_or(folder));
    format!("`cardsharp export {folder} --to {folder}`")
}

/// Returns the content of the file at `path`, at most `most` bytes. Everything that opens a bundle, a checkpoint or one
/// of their files reads it with this function. If the folder has a manifest, the file must match it. Files with other
/// names than those of bundles may be missing from the manifest: they belong to the user.
///
/// # Errors
/// The file cannot be read, is longer, or differs from the manifest.
pub fn content(path: &Path, most: u64) -> Result<Vec<u8>, BundleProblem> {
    let is_of_bundles = is_of_bundles(path);
    let bytes = match is_of_bundles {
        true => read_regular(path, most),
        // The user may name a pipe on purpose.
        false => disk::read(path, most).and_then(|bytes| bytes.ok_or_else(|| too_large(most))),
    };
    let bytes = bytes.map_err(BundleProblem::Read)?;
    check(path, &bytes)?;
    Ok(bytes)
}

/// Checks the `bytes` of the file at `path` against the manifest in its folder, as [`content`] does.
///
/// # Errors
/// They differ from the manifest, or the manifest cannot be read.
pub fn check(path: &Path, bytes: &[u8]) -> Result<(), BundleProblem> {
    let manifest = match Manifest::of_any(disk::parent(path)) {
        Ok(manifest) => manifest,
        Err(ManifestError { problem: BundleProblem::Absent { .. }, .. }) => return Ok(()),
        Err(error) if is_of_bundles(path) => return Err(BundleProblem::Manifest(Box::new(error))),
        // The manifest and the file belong to something else.
        Err(_) => return Ok(()),
    };
    match path.file_name().and_then(|name| name.to_str()).and_then(|name| manifest.get(name)) {
        Some(entry) => entry.check(bytes).map_err(BundleProblem::Other),
        None if is_of_bundles(path) => Err(BundleProblem::Foreign),
        None => Ok(()),
    }
}

/// Returns whether a file has a name that bundles use.
fn is_of_bundles(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| FILES.iter().chain(&OPTIONAL).any(|file| *file == name))
}

/// Why the manifest of a bundle is refused, or a file was not added to it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct ManifestError {
    /// The file at fault.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: BundleProblem,
}

/// What is wrong with a manifest, or with a file of its bundle.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum BundleProblem {
    /// There is no manifest.
    #[error(
        "there is none, so nothing says what the files of this bundle were when they were written; {} writes it again from its \
         network, with a manifest",
        again(folder)
    )]
    Absent { folder: PathBuf },
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    Read(io::Error),
    /// The manifest in the file's folder is refused.
    #[error("{0}")]
    Manifest(Box<ManifestError>),
    /// The manifest, or the file to be added, cannot be written.
    #[error("cannot write it: {0}")]
    Write(io::Error),
    /// The manifest is not the expected JSON.
    #[error("not the manifest of a bundle: {0}")]
    Json(serde_json::Error),
    /// The manifest belongs to a checkpoint.
    #[error(
        "it is the manifest of a checkpoint; `cardsharp export CHECKPOINT --to DIR` makes a bundle of one"
    )]
    Checkpoint,
    /// The manifest has another version of the format.
    #[error("its format is {given}{}, expected {FORMAT}", by_a_newer(*given, FORMAT))]
    Format {
        /// The version in the file.
        given: u64,
    },
    /// The hash of the manifest does not match its content.
    #[error(
        "it was changed after it was written; restore it, or, if the other files are correct, delete it and \
         write it again by `cardsharp export DIR --to DIR`"
    )]
    Changed,
    /// A listed file holds other bytes.
    #[error("it was changed after it was written: {0}")]
    Other(FileChange),
    /// A listed file is missing.
    #[error("the manifest lists it, and it is not there")]
    Lost,
    /// The manifest does not list a file that is present.
    #[error("the manifest does not list it: it came later or from somewhere else")]
    Foreign,
}
/// Returns the end of a message: that a newer version of cardsharp writes this format, if it is newer.
pub fn by_a_newer(given: u64, known: u32) -> &'static str {
    if given > u64::from(known) { ", which a newer version of cardsharp writes" } else { "" }
}

/// Returns the content of a regular file of at most `most` bytes.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    disk::read_regular(path, most)?.ok_or_else(|| too_large(most))
}

/// Returns the error for a file that is longer than the limit.
fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes"))
}
