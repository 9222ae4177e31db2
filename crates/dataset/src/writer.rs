//! Groups the rows of sessions, encodes them, and writes shards.

use cardsharp_bot::{disk, workers};
use cardsharp_env::AnyGame;

use crate::error::DatasetError;
use crate::folder::Folder;
use crate::metadata::ShardMetadata;
use crate::rows::DecisionColumns;
use crate::shard::{Encoding, Shard};
use crate::written::Written;

/// The number of rows in a group, which the last session of the group may exceed. Groups are large enough to compress
/// well, and small enough for readers that load one at a time.
const GROUP: usize = 16_384;

/// Writes sessions into shards, in the order of [`ShardWriter::add`]. The number of threads does not change the bytes.
pub(crate) struct ShardWriter {
    folder: Folder,
    encoding: Encoding,
    pub(crate) about: ShardMetadata,
    threads: usize,
    /// The minimum number of rows in a shard, except in the last one.
    most: u64,
    /// Groups to encode. Only the last one may be not full yet.
    waiting: Vec<Waiting>,
    shard: Shard,
    /// Sessions in the unfinished shard.
    sessions: u64,
    written: Written,
    /// The length of each written shard in bytes.
    lengths: Vec<u64>,
}

/// A group of rows before encoding.
#[derive(Default)]
struct Waiting {
    rows: DecisionColumns,
    sessions: u64,
}

impl ShardWriter {
    /// Returns a writer for a folder.
    pub(crate) fn new(
        folder: Folder,
        game: &'static dyn AnyGame,
        about: ShardMetadata,
        most: u64,
        threads: usize,
    ) -> Result<Self, DatasetError> {
        let encoding = Encoding::new(game)?;
        let shard = encoding.shard()?;
        Ok(Self {
            folder,
            encoding,
            about,
            threads,
            most,
            waiting: Vec::new(),
            shard,
            sessions: 0,
            written: Written::default(),
            lengths: Vec::new(),
        })
    }

    /// The size of the shards in the folder.
    pub(crate) fn written(&self) -> Written {
        self.written
    }

    /// Adds a finished session. Ignores a session without rows.
    pub(crate) fn add(&mut self, session: DecisionColumns) {
        if session.len() == 0 {
            return;
        }
        if self.waiting.last().is_none_or(|group| group.rows.len() >= GROUP) {
            self.waiting.push(Waiting::default());
        }
        if let Some(group) = self.waiting.last_mut() {
            group.rows.append(session);
            group.sessions += 1;
        }
    }

    /// Encodes the full groups, and writes the full shards.
    pub(crate) fn write(&mut self) -> Result<(), DatasetError> {
        let full = self.waiting.iter().take_while(|group| group.rows.len() >= GROUP).count();
        self.encode(full)
    }

    /// Writes the remaining rows, and checks that all shards are still in the folder.
    pub(crate) fn finish(mut self) -> Result<Written, DatasetError> {
        self.encode(self.waiting.len())?;
        if self.shard.rows > 0 {
            self.put()?;
        }
        self.folder.check(&self.lengths)?;
        Ok(self.written)
    }

    /// Drops rows that are not in a written shard. Returns the error that says what the folder has.
    pub(crate) fn stopped(self) -> DatasetError {
        match self.folder.check(&self.lengths) {
            Ok(()) => DatasetError::Stopped { written: self.written, path: self.folder.path().to_owned() },
            Err(error) => error,
        }
    }

    /// Encodes the first `count` groups in parallel, appends them to the shard, and writes each full shard.
    fn encode(&mut self, count: usize) -> Result<(), DatasetError> {
        let groups: Vec<Waiting> = self.waiting.drain(..count).collect();
        let (encoding, bots) = (&self.encoding, &self.about.bots);
        let encoded = workers::in_order(self.threads, groups.len(), |number| {
            encoding.group(&groups[number].rows, bots)
        });
        for (encoded, group) in encoded.into_iter().zip(groups) {
            self.shard.append(encoded?)?;
            self.sessions += group.sessions;
            if self.shard.rows >= self.most {
                self.put()?;
            }
        }
        Ok(())
    }

    /// Writes the shard into the folder, and starts the next one.
    fn put(&mut self) -> Result<(), DatasetError> {
        let shard = std::mem::replace(&mut self.shard, self.encoding.shard()?);
        let decisions = shard.rows;
        self.about.shard = self.written.shards;
        let bytes = shard.finish(&self.about)?;
        let path = self.folder.shard(self.written.shards);
        // If another folder has taken its place, the earlier shards are not there.
        self.folder.check(&[])?;
        disk::replace(&path, &bytes).map_err(|source| DatasetError::Io { path, source })?;
        self.written.sessions += std::mem::take(&mut self.sessions);
        self.written.decisions += decisions;
        self.written.shards += 1;
        self.written.bytes += bytes.len() as u64;
        self.lengths.push(bytes.len() as u64);
        Ok(())
    }
}
