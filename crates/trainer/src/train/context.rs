//! What the iterations of a run share: its rules and opponents, the checksums of its bots, and where its rollouts are
//! played.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bots::program::Faults;
use cardsharp_bot::bots::{self, load, networks_sum, path_of};
use cardsharp_bot::workers::Stopped;
use cardsharp_env::AnyGame;
use serde_json::json;

use super::{GivenUp, TrainError};
use crate::checkpoint::{CheckpointError, Files};
use crate::config::Config;
use crate::league::League;
use crate::rollout::{
    Decisions, RemoteRollout, Rollout, RolloutContext, RolloutRequest, RolloutUnit, Tables,
};

/// The game, rules and opponent of a configuration, read and opened once for all iterations.
pub(super) struct RunContext {
    pub(super) game: &'static dyn AnyGame,
    pub(super) tables: Tables,
    /// The bot of `league.opponent`, which plays all seats but one.
    opponent: Option<bots::Player>,
    /// Whether decisions include the hidden cells, which their seat cannot see.
    reveal: bool,
}

impl RunContext {
    pub(super) fn new(config: &Config) -> Result<Self, TrainError> {
        let game = config.game().ok_or_else(|| TrainError::Game { game: config.game.clone() })?;
        let tables = Tables::new(game, &config.rollout)?;
        let league = &config.league;
        let opponent = match league.opponent.as_str() {
            "" => None,
            spec => Some(load(spec, game, league.temperature)?),
        };
        let reveal = config.shapes(game).1.is_some();
        Ok(Self { game, tables, opponent, reveal })
    }

    /// Returns the opponent's faults so far, if it is a program.
    ///
    /// # Errors
    /// The opponent failed too often; random moves replace it from now on.
    pub(super) fn faults(&self) -> Result<Faults, GivenUp> {
        let faults = self.opponent.as_ref().and_then(bots::Player::faults).unwrap_or_default();
        match self.faults_summary("it").filter(|_| faults.given_up > 0) {
            Some(summary) => Err(GivenUp { summary }),
            None => Ok(faults),
        }
    }

    /// Describes the opponent's faults so far, calling it `name`; none without faults, or if it is not a program.
    pub(super) fn faults_summary(&self, name: &str) -> Option<String> {
        let opponent = self.opponent.as_ref()?;
        opponent.faults()?.summary(name, opponent.first_fault().as_ref())
    }

    /// Returns the setting of iteration `done`, with a policy and its snapshots.
    pub(super) fn setting<'s>(
        &'s self,
        config: &'s Config,
        done: u64,
        policy: &'s Arc<dyn PolicyNet>,
        league: &'s League,
        stop: &'s AtomicBool,
    ) -> RolloutContext<'s> {
        let algorithm = config.algorithm();
        RolloutContext {
            game: self.game,
            tables: &self.tables,
            sessions: config.rollout.sessions,
            reveal: self.reveal,
            discounts: algorithm.discounts(),
            acting: algorithm.acting(progress(config, done)),
            policy,
            league,
            seats: &config.league,
            endgame_solver: config.rollout.endgame_solver,
            distill: algorithm.distills(),
            opponent: self.opponent.as_ref(),
            seed: config.seed,
            iteration: done,
            imitate: imitates(config, done),
            stop,
        }
    }
}

/// Whether iteration `done` imitates the scripted player. The first iteration is 0.
pub(super) fn imitates(config: &Config, done: u64) -> bool {
    done < config.algorithm().imitated()
}

/// Returns the progress of iteration `done`: 0 in the first, 1 in the last iteration.
pub(super) fn progress(config: &Config, done: u64) -> f32 {
    done as f32 / (config.iterations - 1).max(1) as f32
}

/// Where the units of a rollout are played.
#[derive(Copy, Clone)]
pub(super) struct Workers<'a> {
    /// The workers in other processes, if there are any.
    pub(super) remote: Option<&'a dyn RemoteRollout>,
    /// Units of an iteration.
    pub(super) units: usize,
    /// Threads of this process.
    pub(super) threads: usize,
}

impl Workers<'_> {
    /// Plays a rollout in this process, or by workers if there is a request. It reuses the memory of `spare`.
    pub(super) fn play(
        &self,
        setting: &RolloutContext<'_>,
        request: Option<&RolloutRequest>,
        spare: Decisions,
    ) -> Result<Rollout, TrainError> {
        let Some((remote, request)) = self.remote.zip(request) else {
            return Ok(Rollout::play(setting, self.units, self.threads, spare)?);
        };
        let start = Instant::now();
        let (mut unit, widths) = (RolloutUnit::empty(spare), setting.widths());
        let (mut taken, mut refused) = (0, None);
        let mut take = |block: &[u8]| {
            unit.append_bytes(block, widths).map_err(|source| {
                refused = Some(TrainError::Block { unit: taken, source });
                Stopped
            })?;
            taken += 1;
            Ok(())
        };
        let played = remote.play(request, &mut take, setting.stop);
        if let Some(refused) = refused {
            return Err(refused);
        }
        played?;
        match taken == request.units {
            true => Ok(Rollout { unit, seconds: start.elapsed().as_secs_f64() }),
            false => Err(TrainError::Blocks { given: taken, expected: request.units }),
        }
    }
}

/// The file of a checkpoint with the checksums of bots, if the configuration names any.
const FILE: &str = "named.json";

/// Returns the path of the opponent's network, if it has one.
fn opponent(config: &Config) -> Option<&str> {
    Some(config.league.opponent.as_str()).filter(|spec| !spec.is_empty()).and_then(path_of)
}

/// Returns the checksum of the opponent's network ([`networks_sum`]), which workers compare.
///
/// # Errors
/// The network cannot be read here.
pub(super) fn opponent_checksum(config: &Config) -> Result<String, TrainError> {
    Ok(networks_sum(opponent(config))?)
}

/// The checksum of each bot that a configuration names by a path. A run resumes only with the same bots, because they
/// play with the learner or evaluate it.
#[derive(Debug)]
pub(super) struct BotChecksums(BTreeMap<String, String>);

impl BotChecksums {
    /// Computes the checksums of the bots of a configuration.
    ///
    /// # Errors
    /// One of the bots cannot be read here.
    pub(super) fn new(config: &Config) -> Result<Self, TrainError> {
        let baselines = config.evaluate.opponents.iter().filter_map(|spec| path_of(spec));
        let sum = |path: &str| Ok((path.to_owned(), networks_sum([path])?));
        Ok(Self(opponent(config).into_iter().chain(baselines).map(sum).collect::<Result<_, TrainError>>()?))
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
        let stored: BTreeMap<String, String> = serde_json::from_slice(&bytes).map_err(|error| {
            CheckpointError::Damaged { path: checkpoint.join(FILE), problem: error.to_string() }
        })?;
        let replaced =
            |(path, sum): &(&String, &String)| stored.get(*path).is_some_and(|stored| stored != *sum);
        match self.0.iter().find(replaced) {
            None => Ok(()),
            Some((bot, _)) => {
                Err(TrainError::Replaced { bot: bot.clone(), checkpoint: checkpoint.to_owned() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(bot: &str) -> Config {
        let opponent = format!("league.opponent='search:4:beliefs+{bot}'");
        let overrides = ["league.past=0".to_owned(), "league.scripted=0".to_owned(), opponent];
        Config::parse("run.toml", "game = \"dalmuti\"", &overrides).expect("a valid configuration")
    }

    #[test]
    fn the_checksum_of_a_search_with_beliefs_covers_the_model() {
        let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/dalmuti/bot");
        assert!(RunContext::new(&config(shipped)).is_ok());

        let folder = tempfile::tempdir().expect("a folder");
        let config = config(&folder.path().display().to_string());
        let copy = |file: &str| {
            std::fs::copy(format!("{shipped}/{file}"), folder.path().join(file)).expect("a copy");
        };
        copy("bot.safetensors");
        let network = opponent_checksum(&config).expect("a network");
        let refused = RunContext::new(&config).err().expect("no model").to_string();
        assert!(
            refused.starts_with("`league.opponent`: ") && refused.contains("beliefs.safetensors"),
            "{refused}"
        );
        copy("beliefs.safetensors");
        assert!(RunContext::new(&config).is_ok());
        assert_ne!(opponent_checksum(&config).expect("a network and its model"), network);
    }
}
