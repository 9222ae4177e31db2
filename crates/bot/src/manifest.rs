//! `manifest.json`: what a bundle consists of, so that nobody takes a changed one for the one that was
//! written.
//!
//! It lists the length and the BLAKE3 sum of every other file and ends with its own sum, which it is sealed
//! with. That tells damage and edits by accident; it is no signature, and whoever changes a file can write
//! another manifest.

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

/// Files that a bundle may have.
pub(crate) const OPTIONAL: [&str; 3] = ["levels.json", "beliefs.safetensors", "cost.json"];

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 256 << 20;

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.json";
/// The version of its format.
pub const FORMAT: u32 = 1;
/// The longest manifest that is read, in bytes: some hundred are those of a file.
const LONGEST: u64 = 16 << 20;

/// One file, as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its length.
    pub bytes: u64,
    /// Its BLAKE3 sum, in hexadecimal.
    pub blake3: String,
}

impl Entry {
    /// The entry of a file that holds `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, blake3: blake3::hash(bytes).to_hex().to_string() }
    }

    /// Refuses other bytes than those that were written.
    ///
    /// # Errors
    /// How they differ.
    pub fn check(&self, bytes: &[u8]) -> Result<(), Changed> {
        let found = Self::of(bytes);
        if found.bytes != self.bytes {
            return Err(Changed::Length { found: found.bytes, written: self.bytes });
        }
        if found.blake3 != self.blake3 {
            return Err(Changed::Sum { found: found.blake3, written: self.blake3.clone() });
        }
        Ok(())
    }
}

/// How the bytes of a file differ from those that were written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Changed {
    /// It is shorter or longer.
    #[error("it has {found} bytes and was written with {written}")]
    Length {
        /// In the file.
        found: u64,
        /// In the manifest.
        written: u64,
    },
    /// It is as long, with other bytes.
    #[error("its hash is {found} and was {written}")]
    Sum {
        /// Of the file.
        found: String,
        /// In the manifest.
        written: String,
    },
}

/// The files of a bundle.
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
    files: BTreeMap<String, Entry>,
    /// The sum of this manifest with nothing here.
    blake3: String,
}

/// A field that is there, be it null.
fn even_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl Manifest {
    /// The manifest of these files, each with its name.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let files = files.into_iter().map(|(name, bytes)| (name.to_owned(), Entry::of(bytes))).collect();
        Self { format: FORMAT, iteration: None, best: None, files, blake3: String::new() }
    }

    /// Every file with its entry, by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.files.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// The same as the manifest of a checkpoint, after `iteration` iterations, with the iteration of the best one.
    pub fn at(self, iteration: u64, best: Option<u64>) -> Self {
        Self { iteration: Some(iteration), best: Some(best), ..self }
    }

    /// Of a checkpoint the iteration that it follows; none of a bundle.
    pub fn iteration(&self) -> Option<u64> {
        self.iteration
    }

    /// Of a checkpoint the iteration of the best one when it was written, if one had been measured; none of a bundle.
    pub fn best(&self) -> Option<Option<u64>> {
        self.best
    }

    /// The entry of a file.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.files.get(name)
    }

    /// The content of file `name` of the bundle in `folder`, as it was written; none of one that is neither listed
    /// nor there.
    ///
    /// # Errors
    /// It cannot be read, is there and not listed or listed and not there, or holds other bytes than were written.
    pub fn content(&self, folder: &Path, name: &str) -> Result<Option<Vec<u8>>, ManifestError> {
        let path = folder.join(name);
        let problem = match (self.get(name), read_regular(&path, MAX_FILE)) {
            (None, Err(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            (Some(_), Err(error)) if error.kind() == io::ErrorKind::NotFound => Problem::Lost,
            (_, Err(error)) => Problem::Read(error),
            (None, Ok(_)) => Problem::Foreign,
            (Some(entry), Ok(content)) => match entry.check(&content) {
                Ok(()) => return Ok(Some(content)),
                Err(changed) => Problem::Other(changed),
            },
        };
        Err(ManifestError { path, problem })
    }

    /// Its bytes, sealed. There is one way to write each manifest.
    ///
    /// # Errors
    /// JSON refuses it.
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
    /// There is none, it cannot be read, is one of something else, or was changed.
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

    /// Reads the manifest in `folder`; that of a checkpoint only if `checkpoints` may be read.
    fn read_as(folder: &Path, checkpoints: bool) -> Result<Self, ManifestError> {
        let path = folder.join(MANIFEST);
        let refuse = |problem| ManifestError { path: path.clone(), problem };
        let bytes = read_regular(&path, LONGEST).map_err(|error| {
            refuse(match error.kind() {
                io::ErrorKind::NotFound => Problem::Absent { folder: folder.to_owned() },
                _ => Problem::Read(error),
            })
        })?;
        Self::from_bytes(&bytes, checkpoints).map_err(refuse)
    }

    fn from_bytes(bytes: &[u8], checkpoints: bool) -> Result<Self, Problem> {
        let value: Value = text::from_json(bytes).map_err(Problem::Json)?;
        // The version first: other versions may have other fields.
        if let Some(given) = value["format"].as_u64().filter(|&given| given != u64::from(FORMAT)) {
            return Err(Problem::Format { given });
        }
        if !checkpoints && value.get("iteration").is_some() {
            return Err(Problem::Checkpoint);
        }
        let manifest: Self = serde_json::from_value(value).map_err(Problem::Json)?;
        match manifest.to_bytes().map_err(Problem::Json)? == bytes {
            true => Ok(manifest),
            false => Err(Problem::Changed),
        }
    }

    /// Writes file `name` into the bundle in `folder`, and then its manifest again with that file in it:
    /// each beside its place and renamed. A stop in between leaves a bundle that is refused until the file
    /// is written once more.
    ///
    /// # Errors
    /// The manifest cannot be read, or the disk refuses.
    pub fn add(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), ManifestError> {
        let mut manifest = Self::read(folder)?;
        manifest.files.insert(name.to_owned(), Entry::of(bytes));
        let refuse = |path: PathBuf| move |source| ManifestError { path, problem: Problem::Write(source) };
        disk::replace(&folder.join(name), bytes).map_err(refuse(folder.join(name)))?;
        let path = folder.join(MANIFEST);
        let sealed = manifest.to_bytes().map_err(io::Error::from);
        sealed.and_then(|bytes| disk::replace(&path, &bytes)).map_err(refuse(path.clone()))
    }
}

/// The command that writes the bundle in `folder` again, from its network and what was found out about it.
pub(super) fn again(folder: &Path) -> String {
    // A folder that has no name here, like `.`, cannot be replaced.
    let named = if folder.file_name().is_none() { folder.canonicalize().ok() } else { None };
    let folder = typed(named.as_deref().unwrap_or(folder));
    format!("`cardsharp export {folder} --to {folder}`")
}

/// The content of the file at `path`, at most `most` bytes of it. Everything that opens a bundle, a checkpoint or a file in
/// one reads it by this: where a manifest is in the same folder, the file must be the one that the manifest lists. A file
/// that has another name than those of bundles, and that the manifest does not list, is a file of its owner.
///
/// # Errors
/// It cannot be read, is longer, or is not the one that the manifest lists.
pub fn content(path: &Path, most: u64) -> Result<Vec<u8>, Problem> {
    let is_of_bundles = is_of_bundles(path);
    let bytes = match is_of_bundles {
        true => read_regular(path, most),
        // A pipe that was named on purpose will do.
        false => disk::read(path, most).and_then(|bytes| bytes.ok_or_else(|| too_large(most))),
    };
    let bytes = bytes.map_err(Problem::Read)?;
    check(path, &bytes)?;
    Ok(bytes)
}

/// Refuses the `bytes` of the file at `path` if they are not those that the manifest in its folder lists, as [`content`] does.
///
/// # Errors
/// They are not, or the manifest cannot be read.
pub fn check(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let manifest = match Manifest::of_any(disk::parent(path)) {
        Ok(manifest) => manifest,
        Err(ManifestError { problem: Problem::Absent { .. }, .. }) => return Ok(()),
        Err(error) if is_of_bundles(path) => return Err(Problem::Manifest(Box::new(error))),
        // The manifest is of something else, and so is the file.
        Err(_) => return Ok(()),
    };
    match path.file_name().and_then(|name| name.to_str()).and_then(|name| manifest.get(name)) {
        Some(entry) => entry.check(bytes).map_err(Problem::Other),
        None if is_of_bundles(path) => Err(Problem::Foreign),
        None => Ok(()),
    }
}

/// Whether a file has a name that bundles give to theirs.
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
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a manifest, or with a file of its bundle.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// There is none.
    #[error(
        "there is none, so nothing says what the files of this bundle were when they were written; {} writes it again from its \
         network, with a manifest",
        again(folder)
    )]
    Absent {
        /// The bundle's folder.
        folder: PathBuf,
    },
    /// It cannot be read.
    #[error("cannot read it: {0}")]
    Read(io::Error),
    /// The manifest of the folder that it is in is refused.
    #[error("{0}")]
    Manifest(Box<ManifestError>),
    /// It, or the file that was to be added, cannot be written.
    #[error("cannot write it: {0}")]
    Write(io::Error),
    /// It is not the JSON that it should be.
    #[error("not the manifest of a bundle: {0}")]
    Json(serde_json::Error),
    /// It belongs to a checkpoint.
    #[error(
        "it is the manifest of a checkpoint; `cardsharp export CHECKPOINT --to DIR` makes a bundle of one"
    )]
    Checkpoint,
    /// Another version.
    #[error("its format is {given}{}, expected {FORMAT}", by_a_newer(*given, FORMAT))]
    Format {
        /// The version as given.
        given: u64,
    },
    /// Its sum is not its own.
    #[error(
        "it was changed after it was written; restore it, or, if the other files are correct, delete it and \
         write it again by `cardsharp export DIR --to DIR`"
    )]
    Changed,
    /// A file that it lists holds other bytes.
    #[error("it was changed after it was written: {0}")]
    Other(Changed),
    /// A file that it lists is not there.
    #[error("the manifest lists it, and it is not there")]
    Lost,
    /// A file is there that it does not list.
    #[error("the manifest does not list it: it came later or from somewhere else")]
    Foreign,
}
/// Who wrote a file of a later format, at the end of a message.
pub fn by_a_newer(given: u64, known: u32) -> &'static str {
    if given > u64::from(known) { ", which a newer version of cardsharp writes" } else { "" }
}

/// The content of a regular file of at most `most` bytes.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    disk::read_regular(path, most)?.ok_or_else(|| too_large(most))
}

/// The error of a file that is longer than is read.
fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes"))
}
