//! The subcommands, one file each.

pub(crate) mod advise;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod bot;
pub(crate) mod completions;
#[cfg(feature = "dataset")]
pub(crate) mod dataset;
pub(crate) mod describe;
#[cfg(feature = "train")]
pub(crate) mod exploit;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod levels;
pub(crate) mod observe;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod review;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod trace;
#[cfg(feature = "train")]
pub(crate) mod train;
pub(crate) mod verify;
