//! The journal of a table: a JSON line for its opening, and one for every step since. With a data folder, every line is
//! on disk before any client learns of the step. The journal alone is enough to rebuild the table.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cardsharp_bot::disk;
use cardsharp_env::Seat;
use cardsharp_env::rules::RosterChange;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::limits::JOURNAL;
use crate::refusal::Refusal;
use crate::secret::Digest;

/// The version of the format, which the first line has.
const VERSION: u32 = 1;
/// The maximum size of a journal to read, in bytes. It is above [`JOURNAL`], because the last append may be long.
const MAX_FILE: u64 = 2 * JOURNAL as u64;

/// The player in a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sitter {
    /// A person.
    Person {
        /// The name that others see.
        name: String,
        /// The hash of the seat's secret.
        secret: Digest,
    },
    /// A bot, by the name in the request.
    Bot(String),
}

impl Sitter {
    /// Returns the name that others see.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Person { name, .. } | Self::Bot(name) => name,
        }
    }
}

/// What spectators see.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Spectators {
    /// What everyone at the table sees, live.
    #[default]
    Public,
    /// All cards, one round late: a round when the next one is dealt, and the last round when the session is over.
    Delayed,
}

/// The opening of a table, as the first line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opened {
    pub(crate) journal: u32,
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) rules: Value,
    pub(crate) seed: u64,
    /// The seed of the bots' random streams.
    pub(crate) bots: u64,
    pub(crate) seats: Vec<Sitter>,
    pub(crate) host: Digest,
    pub(crate) watch: Digest,
    pub(crate) spectators: Spectators,
    pub(crate) open: bool,
    pub(crate) deal: bool,
    pub(crate) pace: u32,
}

impl Opened {
    /// The version of new journals.
    pub(crate) const VERSION: u32 = VERSION;
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Entry {
    /// A move, in the card notation of its round.
    Move { seat: Seat, choice: String },
    /// The next round was dealt.
    Deal,
    /// A player joined or left.
    Change(RosterChange),
    /// This many steps were taken back.
    Undo(usize),
    /// A player took a seat.
    Sits { seat: Seat, sitter: Sitter },
    /// A player asked to join or leave before the next round.
    Wish(RosterChange),
    /// All requests to join or leave were carried out or ignored.
    WishesDone,
    /// The table was saved. Its secret, of which this is the hash, restores it.
    Saved(Digest),
}

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is too large.
    #[error("{}: more than {MAX_FILE} bytes", path.display())]
    Large {
        /// The file.
        path: PathBuf,
    },
    /// A line is not valid.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// A table's journal.
pub(crate) struct Journal {
    bytes: Bytes,
    /// The size in bytes at which the journal is full.
    most: usize,
}

enum Bytes {
    InMemory(Vec<u8>),
    OnDisk {
        path: PathBuf,
        file: File,
        /// The size of the complete lines, in bytes.
        length: u64,
    },
}

/// The content of a journal.
pub(crate) struct Kept {
    pub(crate) opened: Opened,
    pub(crate) entries: Vec<Entry>,
}

fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value).map_err(io::Error::other)?;
    line.push(b'\n');
    Ok(line)
}

impl Journal {
    /// Creates the journal of a new table, in this file or in memory. It is full at `most` bytes.
    ///
    /// # Errors
    /// The file cannot be written or opened.
    pub(crate) fn open(to: Option<&Path>, opened: &Opened, most: usize) -> io::Result<Self> {
        let first = line(opened)?;
        match to {
            None => Ok(Self { bytes: Bytes::InMemory(first), most: most.min(JOURNAL) }),
            Some(path) => {
                disk::replace(path, &first)?;
                Self::reopen(path, first.len() as u64, most)
            }
        }
    }

    /// Returns a placeholder, for a table that was saved.
    pub(crate) fn none() -> Self {
        Self { bytes: Bytes::InMemory(Vec::new()), most: 0 }
    }

    fn reopen(path: &Path, length: u64, most: usize) -> io::Result<Self> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.seek(io::SeekFrom::Start(length))?;
        let bytes = Bytes::OnDisk { path: path.to_owned(), file, length };
        Ok(Self { bytes, most: most.min(JOURNAL) })
    }

    /// Returns its size in bytes.
    pub(crate) fn length(&self) -> u64 {
        match &self.bytes {
            Bytes::InMemory(bytes) => bytes.len() as u64,
            Bytes::OnDisk { length, .. } => *length,
        }
    }

    /// Returns an error if the journal is full.
    pub(crate) fn has_room(&self) -> Result<(), Refusal> {
        if self.length() >= self.most as u64 { Err(Refusal::LongRecord(self.most)) } else { Ok(()) }
    }

    /// Appends entries, and returns once they are on disk.
    ///
    /// # Errors
    /// The journal is full or cannot be written. None of the entries will then be read.
    pub(crate) fn append(&mut self, entries: &[Entry]) -> Result<(), Refusal> {
        self.has_room()?;
        self.write(entries).map_err(|_| Refusal::Disk)
    }

    /// Appends the entry of a table that is saved, even if the journal is full.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn seal(&mut self, secret: Digest) -> Result<(), Refusal> {
        self.write(&[Entry::Saved(secret)]).map_err(|_| Refusal::Disk)
    }

    fn write(&mut self, entries: &[Entry]) -> io::Result<()> {
        let mut more = Vec::new();
        for entry in entries {
            more.extend(line(entry)?);
        }
        match &mut self.bytes {
            Bytes::InMemory(bytes) => bytes.extend(more),
            Bytes::OnDisk { file, length, .. } => {
                // Removes what a failed append may have left.
                file.set_len(*length)?;
                file.seek(io::SeekFrom::Start(*length))?;
                let written = file.write_all(&more).and_then(|()| file.sync_data());
                written.inspect_err(|_| {
                    // If this fails, too, the first error is more useful. The next append truncates the file again.
                    let _ = file.set_len(*length);
                })?;
                *length += more.len() as u64;
            }
        }
        Ok(())
    }

    /// Reads the entries.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn read(&self) -> Result<Kept, JournalError> {
        match &self.bytes {
            Bytes::InMemory(bytes) => understand(Path::new("memory"), bytes).map(|(kept, _)| kept),
            Bytes::OnDisk { path, length, .. } => {
                let bytes = read(path)?;
                let whole = bytes.get(..*length as usize).unwrap_or(&bytes);
                understand(path, whole).map(|(kept, _)| kept)
            }
        }
    }

    /// Opens the journal in this file, and reads its entries. Removes an incomplete last line, whose step was never
    /// sent.
    ///
    /// # Errors
    /// The file cannot be read, or is not a journal.
    pub(crate) fn restore(path: &Path, most: usize) -> Result<(Self, Kept), JournalError> {
        let bytes = read(path)?;
        let (kept, length) = understand(path, &bytes)?;
        let refused = |source| JournalError::Io { path: path.to_owned(), source };
        let journal = Self::reopen(path, length as u64, most).map_err(refused)?;
        if let Bytes::OnDisk { file, .. } = &journal.bytes {
            file.set_len(length as u64).and_then(|()| file.sync_all()).map_err(refused)?;
        }
        Ok((journal, kept))
    }

    /// Renames its file, and sets the modification time to now. Does nothing in memory, or if `to` is none.
    ///
    /// # Errors
    /// The disk refused.
    pub(crate) fn rename(&mut self, to: Option<&Path>) -> io::Result<()> {
        if let (Bytes::OnDisk { path, file, .. }, Some(to)) = (&mut self.bytes, to) {
            file.set_modified(SystemTime::now())?;
            std::fs::rename(&*path, to)?;
            let from = std::mem::replace(path, to.to_owned());
            // The file is renamed, even if the folders cannot be synced to disk.
            let _ = [to, from.as_path()].map(|file| disk::sync(disk::parent(file)));
        }
        Ok(())
    }

    /// Removes its file. A file that is already gone is no error.
    ///
    /// # Errors
    /// The disk refused.
    pub(crate) fn remove(&self) -> io::Result<()> {
        match &self.bytes {
            Bytes::InMemory(_) => Ok(()),
            Bytes::OnDisk { path, .. } => {
                disk::remove(path)?;
                // The file is removed, even if the folder cannot be synced to disk.
                let _ = disk::sync(disk::parent(path));
                Ok(())
            }
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, JournalError> {
    let bytes = disk::read(path, MAX_FILE);
    let bytes = bytes.map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
    bytes.ok_or_else(|| JournalError::Large { path: path.to_owned() })
}

/// Parses a journal. Returns its content, and the size of its complete lines in bytes.
fn understand(path: &Path, bytes: &[u8]) -> Result<(Kept, usize), JournalError> {
    let wrong = |line: usize, reason: String| JournalError::Line { path: path.to_owned(), line, reason };
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..length].split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().ok_or_else(|| wrong(1, "expected the first line of a table".to_owned()))?;
    let opened: Opened = serde_json::from_slice(first).map_err(|error| wrong(1, error.to_string()))?;
    if opened.journal != VERSION {
        let reason = format!("version {} of journals, expected {VERSION}", opened.journal);
        return Err(wrong(1, reason));
    }
    let entries = lines.enumerate().map(|(number, line)| {
        serde_json::from_slice(line).map_err(|error| wrong(number + 2, error.to_string()))
    });
    Ok((Kept { opened, entries: entries.collect::<Result<_, _>>()? }, length))
}

#[cfg(test)]
mod tests;
