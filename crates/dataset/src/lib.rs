//! Sessions as datasets: every decision a row, in shards of Parquet.
//!
//! What a shard holds is documented in `docs/dataset.md`; [`COLUMNS`] is the list of its columns, [`About`] what stands
//! in its footer. Nothing of this project is needed to read one.
//!
//! # Sessions between bots
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use cardsharp_bot::Player;
//! use cardsharp_dataset::{Amount, Folder, Settings};
//! use cardsharp_env::{Size, game};
//!
//! let dalmuti = game("dalmuti").expect("one of the games");
//! let rules = dalmuti.default_rules().sized(Size { players: Some(5), rounds: Some(2) })?;
//! let bots = vec![Player::scripted(), Player::random()];
//! let settings = Settings { amount: Amount::Decisions(1000), ..Settings::new(vec![rules], bots) };
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
//! # Sessions that were played
//!
//! Whoever plays a session again at a [`Table`](cardsharp_env::AnyTable), from a trace or otherwise, shows every
//! decision to a [`Played`] and hands it to [`Sessions`].

mod about;
mod columns;
mod error;
mod folder;
mod played;
mod rows;
mod settings;
mod shard;
mod unit;
mod writer;
mod written;

pub use about::About;
pub use columns::{COLUMNS, Column, FORMAT, KEY, Kind, MOST_RULES, markdown};
pub use error::DatasetError;
pub use folder::Folder;
pub use played::{Played, Sessions};
pub use settings::{Amount, Progress, Settings};
pub use written::{SHARD, SHARD_DEFAULT, Written};
