//! A table's journal: a line of JSON for its opening and one for every step since. With a folder of data every line is on
//! the disk before anybody is told of it, and a table is what its journal says.

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

/// The version of journals, written in their first line.
const VERSION: u32 = 1;
/// The largest journal that is read, in bytes: what was written last may have been long.
const MAX_FILE: u64 = 2 * JOURNAL as u64;

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sitter {
    /// A person.
    Person {
        /// What the others call them.
        name: String,
        /// What is kept of the seat's secret.
        secret: Digest,
    },
    /// A bot, as it was named.
    Bot(String),
}

impl Sitter {
    /// What the others call whoever sits there.
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

/// How a table began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opened {
    pub(crate) journal: u32,
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) rules: Value,
    pub(crate) seed: u64,
    /// Of the bots' random streams.
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
    /// The version that is written.
    pub(crate) const VERSION: u32 = VERSION;
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Entry {
    /// A move, as cards are named in that round.
    Move { seat: Seat, choice: String },
    /// The next round was dealt.
    Deal,
    /// A player joined or left.
    Change(RosterChange),
    /// This many steps were taken back.
    Undo(usize),
    /// Somebody took a seat.
    Sits { seat: Seat, sitter: Sitter },
    /// Somebody wants to join or leave before the next round.
    Wish(RosterChange),
    /// The wishes were granted or refused; none is left.
    WishesDone,
}

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The disk refused it.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// More than is read.
    #[error("{}: more than {MAX_FILE} bytes", path.display())]
    Large {
        /// The file.
        path: PathBuf,
    },
    /// A line that is none of a journal.
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
    /// How many of them there may be before no more are written.
    most: usize,
}

enum Bytes {
    InMemory(Vec<u8>),
    OnDisk {
        path: PathBuf,
        file: File,
        /// How much of it is whole lines that were written to the end.
        length: u64,
    },
}

/// What a journal held.
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
    /// The journal of a table that opens: in this file, or in memory. It is full at `most` bytes.
    ///
    /// # Errors
    /// The file cannot be written; there is none then.
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

    /// That of a table that is no more.
    pub(crate) fn none() -> Self {
        Self { bytes: Bytes::InMemory(Vec::new()), most: 0 }
    }

    fn reopen(path: &Path, length: u64, most: usize) -> io::Result<Self> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.seek(io::SeekFrom::Start(length))?;
        let bytes = Bytes::OnDisk { path: path.to_owned(), file, length };
        Ok(Self { bytes, most: most.min(JOURNAL) })
    }

    /// Refuses where no more is to be written.
    pub(crate) fn has_room(&self) -> Result<(), Refusal> {
        let length = match &self.bytes {
            Bytes::InMemory(bytes) => bytes.len() as u64,
            Bytes::OnDisk { length, .. } => *length,
        };
        if length >= self.most as u64 { Err(Refusal::LongRecord(self.most)) } else { Ok(()) }
    }

    /// Writes entries, and returns once they are on the disk.
    ///
    /// # Errors
    /// It is full, or the disk refused; then nothing of them will be read.
    pub(crate) fn append(&mut self, entries: &[Entry]) -> Result<(), Refusal> {
        self.has_room()?;
        self.write(entries).map_err(|_| Refusal::Disk)
    }

    fn write(&mut self, entries: &[Entry]) -> io::Result<()> {
        let mut more = Vec::new();
        for entry in entries {
            more.extend(line(entry)?);
        }
        match &mut self.bytes {
            Bytes::InMemory(bytes) => bytes.extend(more),
            Bytes::OnDisk { file, length, .. } => {
                // Whatever an append that failed left behind goes first.
                file.set_len(*length)?;
                file.seek(io::SeekFrom::Start(*length))?;
                let written = file.write_all(&more).and_then(|()| file.sync_data());
                written.inspect_err(|_| {
                    // If it cannot be shortened either, the first problem tells more; the next append tries again.
                    let _ = file.set_len(*length);
                })?;
                *length += more.len() as u64;
            }
        }
        Ok(())
    }

    /// What it holds.
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

    /// The journal in this file, and what it holds. A last line that is torn was never told to anybody, and goes.
    ///
    /// # Errors
    /// It cannot be read, or is none.
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

    /// Renames its file, which has the time of that then, or keeps it as it is where there is none.
    ///
    /// # Errors
    /// The disk refused.
    pub(crate) fn rename(&mut self, to: Option<&Path>) -> io::Result<()> {
        if let (Bytes::OnDisk { path, file, .. }, Some(to)) = (&mut self.bytes, to) {
            file.set_modified(SystemTime::now())?;
            std::fs::rename(&*path, to)?;
            let from = std::mem::replace(path, to.to_owned());
            // It has happened, also where a folder does not say that this is on the disk.
            let _ = [to, from.as_path()].map(|file| disk::sync(disk::parent(file)));
        }
        Ok(())
    }

    /// Removes its file, if somebody else has not.
    ///
    /// # Errors
    /// The disk refused.
    pub(crate) fn remove(&self) -> io::Result<()> {
        match &self.bytes {
            Bytes::InMemory(_) => Ok(()),
            Bytes::OnDisk { path, .. } => {
                disk::remove(path)?;
                // As with other names.
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

/// What the bytes of a journal say, and how many of them are whole lines.
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
