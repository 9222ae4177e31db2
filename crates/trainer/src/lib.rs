//! Self-play training with burn.
//!
//! [`train`] is the loop: [`rollout`] plays sessions with the current policy on all cores, an algorithm
//! of [`algorithms`] learns from them, [`evaluate`] measures, [`checkpoint`] keeps. [`config`] says what
//! a run is; what others can play against is a [`cardsharp_bot::bundle`]. Burn is used in [`net`], [`device`]
//! and [`algorithms`] only.

pub mod algorithms;
pub mod checkpoint;
pub mod config;
pub mod device;
pub mod evaluate;
pub mod exploit;
pub mod fields;
mod files;
pub mod league;
pub mod learner;
pub mod metrics;
pub mod net;
pub mod optimizer;
pub mod rollout;
pub mod run_folder;
pub mod state;
pub mod streams;
mod tensorboard;
pub mod train;
