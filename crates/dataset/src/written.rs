//! A dataset on the disk, in numbers.

use std::ops::RangeInclusive;

use serde::Serialize;

/// Decisions of a shard, if nothing is said: some 10 MB, which a reader takes at once.
pub const SHARD_DEFAULT: u64 = 100_000;

/// The decisions that a shard may be asked to have: one is made in memory before it is written.
pub const SHARD: RangeInclusive<u64> = 1..=10_000_000;

/// What stands in the folder: whole shards. Sessions without rows are not counted.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Written {
    /// Sessions.
    pub sessions: u64,
    /// Decisions: rows.
    pub decisions: u64,
    /// Shards.
    pub shards: u64,
    /// Bytes of all shards.
    pub bytes: u64,
}
