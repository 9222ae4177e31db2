//! Tests of the command, as people and programs call it. They share one program, because separate ones would take a
//! quarter of an hour to compile.

mod arena;
#[cfg(all(feature = "bots", feature = "train"))]
mod beliefs;
#[cfg(feature = "bots")]
mod bots;
#[cfg(all(unix, feature = "dataset", feature = "train"))]
mod bundles;
#[cfg(feature = "train")]
mod campaigns;
mod certain;
#[cfg(feature = "train")]
mod cli;
#[cfg(feature = "dataset")]
mod dataset;
mod folder;
#[cfg(feature = "train")]
mod init;
mod levels;
mod man;
#[cfg(all(feature = "bots", feature = "train"))]
mod mistakes;
mod outputs;
mod play;
#[cfg(all(unix, feature = "dataset"))]
mod programs;
#[cfg(feature = "bots")]
mod puzzles;
mod registry;
#[cfg(feature = "train")]
mod releases;
mod report;
mod rules;
#[cfg(feature = "train")]
mod runs;
mod schemas;
#[cfg(unix)]
mod screen;
mod seats;
mod sessions;
#[cfg(feature = "train")]
mod strangers;
#[cfg(feature = "train")]
mod sweep;
#[cfg(unix)]
mod terminals;
#[cfg(all(unix, feature = "dataset", feature = "train"))]
mod texts;
#[cfg(feature = "train")]
mod training;
mod typed;
#[cfg(all(feature = "serve", feature = "train"))]
mod watch;
