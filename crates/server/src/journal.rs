//! The journal of a table: a JSON line for its opening, and one for every step since. With a data folder, every line is
//! on disk before any client learns of the step. The journal alone is enough to rebuild the table.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cardsharp_bot::disk;
use cardsharp_env::Seat;
use cardsharp_env::rules::RosterChange;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::TimeLimits;
use crate::deals::Salt;
use crate::limits::JOURNAL;
use crate::now::Spectators;
use crate::refusal::Refusal;
use crate::secret::Digest;

/// The number of hexadecimal digits of a checksum.
const SUM: usize = 16;
/// The version of the format, which the first line has.
const VERSION: u32 = 2;
/// The start of the value of a [checkpoint](JournalLine::Checkpoint), which ends with `}`.
const CHECKPOINT: &[u8] = b"{\"checkpoint\":";
/// The maximum size of a journal to read, in bytes. It is above [`JOURNAL`], because the last append may be long.
const MAX_FILE: u64 = 2 * JOURNAL as u64;

/// The player in a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sitter {
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

/// The opening of a table, as the first line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opened {
    pub(crate) journal: u32,
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) rules: Value,
    /// The seed of the deals. [`JournalLine::Start`] replaces it.
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<TimeLimits>,
    pub(crate) no_undo: bool,
    pub(crate) listed: bool,
    /// The server's part of what determines the seed; none if a client chose the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
    /// Whether the session starts only when all people are ready.
    pub(crate) ready_check: bool,
}

impl Opened {
    /// The version of new journals.
    pub(crate) const VERSION: u32 = VERSION;
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum JournalLine {
    /// A move, in the card notation of its round.
    Move { seat: Seat, choice: String },
    /// The person in a seat is ready, with or without a salt, or not any more.
    Ready { seat: Seat, ready: bool, salt: Option<String> },
    /// All people were ready, and the session started with this seed and these salts.
    Start { seed: u64, salts: Vec<Salt> },
    /// The next round was dealt.
    Deal,
    /// A player joined or left.
    Change(RosterChange),
    /// This many steps were taken back.
    Undo(usize),
    /// A player took a seat.
    Sits { seat: Seat, sitter: Sitter },
    /// The person in a seat changed their name.
    Named { seat: Seat, name: String },
    /// A bot plays for the person in a seat, or the person again; now, or from the next deal on.
    Substitute { seat: Seat, bot: Option<String>, at_deal: bool },
    /// The time that the person in a seat has used, in milliseconds.
    Time { seat: Seat, used: u64 },
    /// A player asked to join or leave before the next round.
    Wish(RosterChange),
    /// All requests to join or leave were carried out or ignored.
    WishesDone,
    /// The state of the session after a deal, which determines it without the entries before. [`Journal::mark`] writes
    /// it, and only [`Journal::restore`] reads it.
    #[serde(skip_serializing)]
    Checkpoint(IgnoredAny),
    /// The table was saved, and the secret of this hash restores it. It is the last entry of every save, so that a save
    /// that was cut is not restored as a shorter session.
    Saved {
        secret: Digest,
        /// The time by the server's clock, in milliseconds.
        at: u64,
    },
}

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JournalError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is too large.
    #[error("more than {MAX_FILE} bytes")]
    Large,
    /// A line is not valid.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// A table's journal. Each line is a JSON array of a value and a checksum of this value and all lines before it. So no
/// line can be changed, left out or moved, except at the end; a [saved](JournalLine::Saved) journal has an end mark.
pub(crate) struct Journal {
    bytes: Bytes,
    sum: Sum,
    /// The size in bytes at which the journal is full.
    most: usize,
}

enum Bytes {
    InMemory(Vec<u8>),
    /// The file is opened for every append, so that a table costs no open file.
    OnDisk {
        path: PathBuf,
        /// The size of the complete lines, in bytes.
        length: u64,
    },
}

/// The content of a journal.
pub(crate) struct Kept {
    pub(crate) opened: Opened,
    /// The JSON of all checkpoints, if the entries before the last one are left out.
    pub(crate) checkpoints: Vec<Vec<u8>>,
    pub(crate) entries: Vec<JournalLine>,
}

impl Kept {
    /// Returns the entries before the start of the session, its seed and its salts. None if the table has no ready-check,
    /// or its people were not all ready yet.
    fn start(&self) -> Option<(&[JournalLine], u64, &[Salt])> {
        self.entries.iter().enumerate().find_map(|(at, entry)| match entry {
            JournalLine::Start { seed, salts } => Some((&self.entries[..at], *seed, salts.as_slice())),
            _ => None,
        })
    }

    /// Returns whether the session has not started.
    pub(crate) fn waits(&self) -> bool {
        self.opened.ready_check && self.start().is_none()
    }

    /// Returns the seed of the session, once it has started.
    pub(crate) fn seed(&self) -> u64 {
        self.start().map_or(self.opened.seed, |(_, seed, _)| seed)
    }

    /// Returns the names of the players by seat when the session started.
    pub(crate) fn names(&self) -> Vec<String> {
        let before = self.start().map_or(&[][..], |(before, ..)| before);
        self.sitters_after(before).iter().map(|sitter| sitter.name().to_owned()).collect()
    }

    /// Returns the players by seat at the end.
    pub(crate) fn sitters(&self) -> Vec<Sitter> {
        self.sitters_after(&self.entries)
    }

    /// Returns the players by seat after these entries.
    fn sitters_after(&self, entries: &[JournalLine]) -> Vec<Sitter> {
        let mut sitters = self.opened.seats.clone();
        for entry in entries {
            match entry {
                JournalLine::Sits { seat, sitter } => match sitters.get_mut(seat.index()) {
                    Some(place) => *place = sitter.clone(),
                    None => sitters.push(sitter.clone()),
                },
                JournalLine::Named { seat, name: new } => {
                    if let Some(Sitter::Person { name, .. }) = sitters.get_mut(seat.index()) {
                        name.clone_from(new);
                    }
                }
                _ => {}
            }
        }
        sitters
    }
}

/// The checksum of a line: the first 16 hexadecimal digits of the BLAKE3 hash of the last checksum and the line's value.
#[derive(Clone, Default, PartialEq, Eq)]
struct Sum(String);

impl Sum {
    fn next(&self, value: &[u8]) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(self.0.as_bytes()).update(value);
        Self(hash.finalize().to_hex()[..SUM].to_owned())
    }

    /// Returns the line of a value, and moves on to its checksum.
    fn line(&mut self, value: &impl Serialize) -> io::Result<Vec<u8>> {
        let value = serde_json::to_vec(value).map_err(io::Error::other)?;
        *self = self.next(&value);
        Ok([b"[", value.as_slice(), b",\"", self.0.as_bytes(), b"\"]\n"].concat())
    }

    /// Returns the value of a line, and moves on to its checksum.
    fn value<'a>(&mut self, line: &'a [u8]) -> Result<&'a [u8], String> {
        let (value, sum) = parts(line).ok_or_else(|| "not a line of a journal".to_owned())?;
        *self = self.next(value);
        if sum == self.0.as_bytes() {
            Ok(value)
        } else {
            Err("wrong checksum: the file was changed".to_owned())
        }
    }
}

impl Journal {
    /// Creates the journal of a new table, in this file or in memory. It is full at `most` bytes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn open(to: Option<&Path>, opened: &Opened, most: usize) -> io::Result<Self> {
        let mut sum = Sum::default();
        let first = sum.line(opened)?;
        let bytes = match to {
            None => Bytes::InMemory(first),
            Some(path) => {
                disk::replace(path, &first)?;
                Bytes::OnDisk { path: path.to_owned(), length: first.len() as u64 }
            }
        };
        Ok(Self { bytes, sum, most: most.min(JOURNAL) })
    }

    /// Returns a placeholder, for a table that was saved.
    pub(crate) fn none() -> Self {
        Self { bytes: Bytes::InMemory(Vec::new()), sum: Sum::default(), most: 0 }
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
    pub(crate) fn append(&mut self, entries: &[JournalLine]) -> Result<(), Refusal> {
        self.has_room()?;
        self.write(entries).map_err(|_| Refusal::Disk)
    }

    /// Appends the last entry of a save, even if the journal is full.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn seal(&mut self, secret: Digest, at: Duration) -> Result<(), Refusal> {
        let at = at.as_millis() as u64;
        self.write(&[JournalLine::Saved { secret, at }]).map_err(|_| Refusal::Disk)
    }

    /// Returns the time at which the table in this file was saved. Reads only the last line, and does not check it.
    ///
    /// # Errors
    /// The file cannot be read, or its last line is another one.
    pub(crate) fn saved_at(path: &Path) -> io::Result<Duration> {
        /// More than the last line of a save has.
        const END: u64 = 512;
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(io::SeekFrom::Start(length.saturating_sub(END)))?;
        let mut bytes = Vec::new();
        file.take(END).read_to_end(&mut bytes)?;
        let last = bytes.split_inclusive(|&byte| byte == b'\n').next_back().unwrap_or_default();
        match parts(last).map(|(value, _)| serde_json::from_slice(value)) {
            Some(Ok(JournalLine::Saved { at, .. })) => Ok(Duration::from_millis(at)),
            _ => Err(io::Error::other("its end is missing")),
        }
    }

    /// Returns whether it is in a file.
    pub(crate) fn is_on_disk(&self) -> bool {
        matches!(self.bytes, Bytes::OnDisk { .. })
    }

    /// Appends a checkpoint.
    ///
    /// # Errors
    /// The journal has no room for it or cannot be written.
    pub(crate) fn mark(&mut self, checkpoint: &impl Serialize) -> Result<(), Refusal> {
        #[derive(Serialize)]
        struct Line<'a, T> {
            checkpoint: &'a T,
        }
        let mut sum = self.sum.clone();
        let more = sum.line(&Line { checkpoint }).map_err(|_| Refusal::Internal)?;
        if self.length() + more.len() as u64 > self.most as u64 {
            return Err(Refusal::LongRecord(self.most));
        }
        self.write_lines(more, sum).map_err(|_| Refusal::Disk)
    }

    fn write(&mut self, entries: &[JournalLine]) -> io::Result<()> {
        let (mut sum, mut more) = (self.sum.clone(), Vec::new());
        for entry in entries {
            more.extend(sum.line(entry)?);
        }
        self.write_lines(more, sum)
    }

    /// Appends lines, of which the last has this checksum.
    fn write_lines(&mut self, more: Vec<u8>, sum: Sum) -> io::Result<()> {
        match &mut self.bytes {
            Bytes::InMemory(bytes) => bytes.extend(more),
            Bytes::OnDisk { path, length } => {
                // Fails if the file or its folder is gone.
                let found = std::fs::metadata(&*path)?;
                if !found.is_file() || found.len() < *length {
                    let problem = "another file has its place, or it has become shorter";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
                }
                let mut file = OpenOptions::new().write(true).open(path)?;
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
        self.sum = sum;
        Ok(())
    }

    /// Reads all entries.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn read(&self) -> Result<Kept, JournalError> {
        let read = match &self.bytes {
            Bytes::InMemory(bytes) => understand(bytes, false),
            Bytes::OnDisk { path, length } => {
                let bytes = read(path)?;
                understand(bytes.get(..*length as usize).unwrap_or(&bytes), false)
            }
        };
        read.map(|(kept, ..)| kept)
    }

    /// Opens the journal of a table with this id. Reads its checkpoints and the entries after the last one. An incomplete
    /// last line is left out, and removed with the next append, because its step was never sent.
    ///
    /// # Errors
    /// The file cannot be read, or is not a journal of this table.
    pub(crate) fn restore(path: &Path, id: &str, most: usize) -> Result<(Self, Kept), JournalError> {
        let bytes = read(path)?;
        let (kept, length, sum) = understand(&bytes, true)?;
        if kept.opened.id != id {
            let reason = format!("the journal of the table `{}`", kept.opened.id);
            return Err(JournalError::Line { line: 1, reason });
        }
        let bytes = Bytes::OnDisk { path: path.to_owned(), length: length as u64 };
        Ok((Self { bytes, sum, most: most.min(JOURNAL) }, kept))
    }

    /// Renames its file. Does nothing in memory, or if `to` is none.
    ///
    /// # Errors
    /// The disk refused.
    pub(crate) fn rename(&mut self, to: Option<&Path>) -> io::Result<()> {
        if let (Bytes::OnDisk { path, .. }, Some(to)) = (&mut self.bytes, to) {
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

/// Splits a line into its value and its checksum.
fn parts(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = line.strip_prefix(b"[")?.strip_suffix(b"\"]\n")?;
    let (value, sum) = inner.split_at_checked(inner.len().checked_sub(SUM + 2)?)?;
    Some((value, sum.strip_prefix(b",\"")?))
}

fn read(path: &Path) -> Result<Vec<u8>, JournalError> {
    disk::read_regular(path, MAX_FILE)?.ok_or(JournalError::Large)
}

/// Parses a journal; with `recent` only the checkpoints and the entries after the last one. Returns its content, the size
/// of its complete lines in bytes, and its checksum.
fn understand(bytes: &[u8], recent: bool) -> Result<(Kept, usize, Sum), JournalError> {
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..length].split_inclusive(|&byte| byte == b'\n');
    let wrong = |line: usize, reason: String| JournalError::Line { line, reason };
    let mut sum = Sum::default();
    let first = lines.next().ok_or_else(|| wrong(1, "expected the first line of a table".to_owned()))?;
    let opened: Opened = sum.value(first).and_then(parsed).map_err(|reason| wrong(1, reason))?;
    if opened.journal != VERSION {
        let reason = format!("version {} of journals, expected {VERSION}", opened.journal);
        return Err(wrong(1, reason));
    }
    let (mut checkpoints, mut values) = (Vec::new(), Vec::new());
    for (number, line) in (2..).zip(lines) {
        let value = sum.value(line).map_err(|reason| wrong(number, reason))?;
        match value.strip_prefix(CHECKPOINT).and_then(|rest| rest.strip_suffix(b"}")) {
            Some(checkpoint) if recent => {
                checkpoints.push(checkpoint.to_vec());
                values.clear();
            }
            _ => values.push((number, value)),
        }
    }
    let entry = |(number, value)| parsed(value).map_err(|reason| wrong(number, reason));
    let entries = values.into_iter().map(entry).collect::<Result<_, _>>()?;
    Ok((Kept { opened, checkpoints, entries }, length, sum))
}

fn parsed<T: DeserializeOwned>(value: &[u8]) -> Result<T, String> {
    serde_json::from_slice(value).map_err(|error| error.to_string())
}

#[cfg(test)]
pub(crate) mod tests;
