//! Datasets of sessions: one row per decision, in Parquet files (shards).
//!
//! `docs/dataset.md` documents the format. [`COLUMNS`] lists the columns, and [`ShardMetadata`] is the metadata in the
//! footer. Any Parquet reader can read a shard, without this project.
//!
//! # Sessions between bots
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use cardsharp_bot::Player;
//! use cardsharp_dataset::{Amount, DatasetSettings, Folder};
//! use cardsharp_env::{Size, game};
//!
//! let dalmuti = game("dalmuti").expect("one of the games");
//! let rules = dalmuti.default_rules().sized(Size { players: Some(5), rounds: Some(2) })?;
//! let bots = vec![Player::scripted(), Player::random()];
//! let settings = DatasetSettings { amount: Amount::Decisions(1000), ..DatasetSettings::new(vec![rules], bots) };
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("dalmuti");
//! let written = settings.write(Folder::new(&path)?, &mut |_| (), &AtomicBool::new(false))?;
//! assert!(written.decisions >= 1000 && written.shards == 1);
//! assert!(path.join("shard-00000.parquet").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same settings give the same bytes on any number of threads.
//!
//! # Recorded sessions
//!
//! To write recorded sessions, replay them at a [`Table`](cardsharp_env::AnyTable), for example from a trace. Pass each
//! decision to a [`PlayedSession`], and the finished [`PlayedSession`] to [`SessionWriter`].

mod columns;
mod error;
mod folder;
mod metadata;
mod played;
mod rows;
mod settings;
mod shard;
mod unit;
mod writer;
mod written;

pub use columns::{COLUMNS, Column, ColumnType, FORMAT, KEY, MOST_RULES, markdown};
pub use error::DatasetError;
pub use folder::Folder;
pub use metadata::ShardMetadata;
pub use played::{PlayedSession, SessionWriter};
pub use settings::{Amount, DatasetProgress, DatasetSettings};
pub use written::{SHARD, SHARD_DEFAULT, Written};
