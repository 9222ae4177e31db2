//! The size of a dataset on disk.

use std::ops::RangeInclusive;

use serde::Serialize;

/// The default number of decisions in a shard: about 10 MB, so that a reader can load it at once.
pub const SHARD_DEFAULT: u64 = 100_000;

/// The allowed numbers of decisions per shard. The maximum limits the memory, in which a shard is built.
pub const SHARD: RangeInclusive<u64> = 1..=10_000_000;

/// The size of a dataset: complete shards in the folder. Sessions without rows do not count.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Written {
    pub sessions: u64,
    /// Number of rows: one for each decision.
    pub decisions: u64,
    pub shards: u64,
    /// Bytes of all shards.
    pub bytes: u64,
}
