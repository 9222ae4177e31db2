//! Checksums of the bots that a configuration names by a path. A run resumes only with the same bots, because they play
//! with the learner or evaluate it.

use std::collections::BTreeMap;
use std::path::Path;

use cardsharp_bot::bots::{networks_sum, path_of};
use serde_json::json;

use super::TrainError;
use crate::checkpoint::{CheckpointError, Files};
use crate::config::Config;

/// The file of a checkpoint with the checksums, if the configuration names any bot.
const FILE: &str = "named.json";

/// Returns the paths of the bots that play with the learner: the opponent, and the network of the search bot.
fn players(config: &Config) -> impl Iterator<Item = &str> {
    let opponent = Some(config.league.opponent.as_str()).filter(|spec| !spec.is_empty()).and_then(path_of);
    let searcher = config.league.searchers().filter(|(_, current)| !current).and_then(|(spec, _)| spec.net);
    opponent.into_iter().chain(searcher)
}

/// Returns the checksum of the bots that play with the learner ([`networks_sum`]).
///
/// # Errors
/// One of the bots cannot be read here.
pub(super) fn others(config: &Config) -> Result<String, TrainError> {
    Ok(networks_sum(players(config))?)
}

/// The checksum of each bot by its path.
#[derive(Debug)]
pub(super) struct Named(BTreeMap<String, String>);

impl Named {
    /// Computes the checksums of the bots of a configuration.
    ///
    /// # Errors
    /// One of the bots cannot be read here.
    pub(super) fn new(config: &Config) -> Result<Self, TrainError> {
        let baselines = config.evaluate.opponents.iter().filter_map(|spec| path_of(spec));
        let sum = |path: &str| Ok((path.to_owned(), networks_sum([path])?));
        Ok(Self(players(config).chain(baselines).map(sum).collect::<Result<_, TrainError>>()?))
    }

    /// Adds the checksums to the files of a checkpoint, if there are any.
    pub(super) fn add(&self, files: &mut Files) {
        if !self.0.is_empty() {
            files.insert(FILE.to_owned(), format!("{:#}\n", json!(self.0)).into_bytes());
        }
    }

    /// Removes the checksums from the files of a checkpoint and compares them. A checkpoint of an earlier version may
    /// have none.
    ///
    /// # Errors
    /// One of the bots was replaced, or the file of checksums is damaged.
    pub(super) fn check(&self, checkpoint: &Path, files: &mut Files) -> Result<(), TrainError> {
        let Some(bytes) = files.remove(FILE) else { return Ok(()) };
        let kept: BTreeMap<String, String> = serde_json::from_slice(&bytes).map_err(|error| {
            CheckpointError::Damaged { path: checkpoint.join(FILE), problem: error.to_string() }
        })?;
        let replaced = |(path, sum): &(&String, &String)| kept.get(*path).is_some_and(|kept| kept != *sum);
        match self.0.iter().find(replaced) {
            None => Ok(()),
            Some((bot, _)) => {
                Err(TrainError::Replaced { bot: bot.clone(), checkpoint: checkpoint.to_owned() })
            }
        }
    }
}
