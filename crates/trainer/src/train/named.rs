//! The bots that a configuration names by a path: who plays beside the learner and who measures it has to stay who it was.

use std::collections::BTreeMap;
use std::path::Path;

use cardsharp_bot::bots::{networks_sum, path_of};
use serde_json::json;

use super::TrainError;
use crate::checkpoint::{CheckpointError, Files};
use crate::config::Config;

/// The file of a checkpoint that holds their sums, in runs that name any.
const FILE: &str = "named.json";

/// The paths of those who play with the learner.
fn players(config: &Config) -> impl Iterator<Item = &str> {
    let opponent = Some(config.league.opponent.as_str()).filter(|spec| !spec.is_empty()).and_then(path_of);
    let searcher = config.league.searchers().filter(|(_, current)| !current).and_then(|(spec, _)| spec.net);
    opponent.into_iter().chain(searcher)
}

/// The sum of those who play with the learner ([`networks_sum`]).
///
/// # Errors
/// One cannot be had here.
pub(super) fn others(config: &Config) -> Result<String, TrainError> {
    Ok(networks_sum(players(config))?)
}

/// The sum of each, by its path.
#[derive(Debug)]
pub(super) struct Named(BTreeMap<String, String>);

impl Named {
    /// Those of a configuration, as they are now.
    ///
    /// # Errors
    /// One cannot be had here.
    pub(super) fn new(config: &Config) -> Result<Self, TrainError> {
        let baselines = config.evaluate.opponents.iter().filter_map(|spec| path_of(spec));
        let sum = |path: &str| Ok((path.to_owned(), networks_sum([path])?));
        Ok(Self(players(config).chain(baselines).map(sum).collect::<Result<_, TrainError>>()?))
    }

    /// Adds the sums to the files of a checkpoint, if there are any.
    pub(super) fn add(&self, files: &mut Files) {
        if !self.0.is_empty() {
            files.insert(FILE.to_owned(), format!("{:#}\n", json!(self.0)).into_bytes());
        }
    }

    /// Takes the sums out of the files of a checkpoint; one of an earlier program may have none.
    ///
    /// # Errors
    /// One of the bots is another one now, or the file is none of sums.
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
