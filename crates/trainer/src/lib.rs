//! Self-play training with burn, on the CPU or on a GPU.
//!
//! # Train from code
//!
//! A run is a [`config::Config`] and a folder, as on the command line.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::atomic::AtomicBool;
//!
//! use cardsharp_trainer::config::Config;
//! use cardsharp_trainer::run_folder::RunFolder;
//! use cardsharp_trainer::train::train;
//!
//! let config = Config::read(Path::new("configs/quickstart.toml"), &["iterations=10".to_owned()])?;
//! let folder = RunFolder::create(Path::new("runs/from-code"), &config)?;
//! let stop = AtomicBool::new(false);
//! let outcome = train(&config, &folder, &mut |step| println!("iteration {}", step.iteration), &mut |_| (), &stop)?;
//! println!("{} decisions, network {:?}", outcome.decisions, outcome.header.layers);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is where
//!
//! [`train`] is the loop. [`rollout`] plays sessions with the current policy on all threads. An algorithm of
//! [`algorithms`] learns from them, [`evaluate`] measures the policy, and [`checkpoint`] saves the state. [`config`]
//! describes a run, and a [`cardsharp_bot::bundle`] is the exported bot. [`nn`] has the networks and the operations
//! that make burn fast and deterministic here. `docs/your-own-algorithm.md` adds a loss.

#![warn(missing_docs)]

pub use burn;

pub mod algorithms;
pub mod checkpoint;
mod columns;
pub mod config;
pub mod device;
pub mod evaluate;
pub mod exploit;
pub mod league;
pub mod learner;
pub mod metrics;
pub mod net;
pub mod nn;
pub mod optimizer;
pub mod rollout;
pub mod run_folder;
pub mod state;
pub mod streams;
pub mod sweep;
mod tensorboard;
pub mod train;

/// The examples of the guide are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/your-own-algorithm.md")]
struct YourOwnAlgorithm;
