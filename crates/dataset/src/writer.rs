//! Sessions on their way into shards.

use cardsharp_bot::{disk, workers};
use cardsharp_env::AnyGame;

use crate::about::About;
use crate::error::DatasetError;
use crate::folder::Folder;
use crate::rows::Rows;
use crate::shard::{Encoding, Shard};
use crate::written::Written;

/// Rows that are encoded together, or more where the last session has more: enough for what they have in common to
/// show, few enough to be read in turn.
const GROUP: usize = 16_384;

/// Writes sessions into shards, in the order in which they come; the bytes depend on nothing else.
pub(crate) struct Writer {
    folder: Folder,
    encoding: Encoding,
    pub(crate) about: About,
    threads: usize,
    /// Rows of a shard at least, but for the last one.
    most: u64,
    /// Rows that wait to be encoded: whole groups, and one that is not full.
    waiting: Vec<Waiting>,
    shard: Shard,
    /// Sessions in the shard under way.
    sessions: u64,
    written: Written,
    /// The bytes of each shard.
    lengths: Vec<u64>,
}

/// A group of rows.
#[derive(Default)]
struct Waiting {
    rows: Rows,
    sessions: u64,
}

impl Writer {
    /// Writes into a folder.
    pub(crate) fn new(
        folder: Folder,
        game: &'static dyn AnyGame,
        about: About,
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

    /// What stands in the folder.
    pub(crate) fn written(&self) -> Written {
        self.written
    }

    /// Takes a session that was played to its end. One without rows leaves no trace.
    pub(crate) fn add(&mut self, session: Rows) {
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

    /// Encodes and writes what is complete.
    pub(crate) fn write(&mut self) -> Result<(), DatasetError> {
        let full = self.waiting.iter().take_while(|group| group.rows.len() >= GROUP).count();
        self.encode(full)
    }

    /// Writes all that is left.
    pub(crate) fn finish(mut self) -> Result<Written, DatasetError> {
        self.encode(self.waiting.len())?;
        if self.shard.rows > 0 {
            self.put()?;
        }
        self.folder.check(&self.lengths)?;
        Ok(self.written)
    }

    /// It ends here: what is not in a whole shard is dropped.
    pub(crate) fn stopped(self) -> DatasetError {
        match self.folder.check(&self.lengths) {
            Ok(()) => DatasetError::Stopped { written: self.written, path: self.folder.path().to_owned() },
            Err(error) => error,
        }
    }

    /// Encodes the first groups that wait.
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

    /// Puts the shard into the folder and begins the next.
    fn put(&mut self) -> Result<(), DatasetError> {
        let shard = std::mem::replace(&mut self.shard, self.encoding.shard()?);
        let decisions = shard.rows;
        self.about.shard = self.written.shards;
        let bytes = shard.finish(&self.about)?;
        let path = self.folder.shard(self.written.shards);
        // In a folder that took its place the shards would be incomplete.
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
