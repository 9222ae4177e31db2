//! The opponents and rules of a run, and the playing of its rollouts.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bots::program::Faults;
use cardsharp_bot::bots::search::{Budget, DEFAULT_SIMULATIONS};
use cardsharp_bot::bots::{self, load, search_settings};
use cardsharp_bot::workers::Stopped;
use cardsharp_env::AnyGame;

use super::{GivenUp, TrainError};
use crate::config::Config;
use crate::league::League;
use crate::rollout::{Decisions, Elsewhere, Errand, Rollout, Searchers, Setting, Tables, Unit};

/// The game, rules and opponents of a configuration, read and opened once for all iterations.
pub(super) struct Company {
    pub(super) game: &'static dyn AnyGame,
    pub(super) tables: Tables,
    /// The bot of `league.opponent`, which plays all seats but one.
    opponent: Option<bots::Player>,
    searchers: Option<Searchers>,
    /// Whether decisions include the hidden cells, which their seat cannot see.
    reveal: bool,
}

impl Company {
    pub(super) fn new(config: &Config) -> Result<Self, TrainError> {
        let game = config.game().ok_or_else(|| TrainError::Game { game: config.game.clone() })?;
        let tables = Tables::new(game, &config.rollout)?;
        let league = &config.league;
        let opponent = match league.opponent.as_str() {
            "" => None,
            spec => Some(load(spec, game, league.temperature)?),
        };
        let searchers = match league.searchers() {
            None => None,
            Some((_, true)) if config.network.is_set() => return Err(TrainError::Current),
            Some((spec, current)) => {
                let tries = spec.simulations.unwrap_or(DEFAULT_SIMULATIONS);
                let budget = Budget::Simulations(tries);
                let settings = match current {
                    true => spec.settings(budget),
                    false => search_settings(&spec, budget, game).map_err(TrainError::Searcher)?,
                };
                Some(Searchers { settings, current })
            }
        };
        let reveal = config.shapes(game).1.is_some();
        Ok(Self { game, tables, opponent, searchers, reveal })
    }

    /// Returns the opponent's faults so far, if it is a program.
    ///
    /// # Errors
    /// The opponent failed too often; random moves replace it from now on.
    pub(super) fn faults(&self) -> Result<Faults, GivenUp> {
        let faults = self.opponent.as_ref().and_then(bots::Player::faults).unwrap_or_default();
        match self.faults_summary("it").filter(|_| faults.given_up > 0) {
            Some(told) => Err(GivenUp { told }),
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
    ) -> Setting<'s> {
        let algorithm = config.algorithm();
        Setting {
            game: self.game,
            tables: &self.tables,
            sessions: config.rollout.sessions,
            reveal: self.reveal,
            discounts: algorithm.discounts(),
            acting: algorithm.acting(progress(config, done)),
            policy,
            league,
            seats: &config.league,
            exact: config.rollout.endgame_solver,
            searchers: self.searchers.as_ref(),
            teaching: algorithm.teaching(),
            opponent: self.opponent.as_ref(),
            seed: config.seed,
            iteration: done,
            imitate: imitates(config, done),
            stop,
        }
    }
}

/// Where the units of a rollout are played.
#[derive(Copy, Clone)]
pub(super) struct Hands<'a> {
    /// The workers in other processes, if there are any.
    pub(super) elsewhere: Option<&'a dyn Elsewhere>,
    /// Units of an iteration.
    pub(super) units: usize,
    /// Threads of this process.
    pub(super) threads: usize,
}

impl Hands<'_> {
    /// Plays a rollout in this process, or by workers if there is an errand.
    pub(super) fn play(
        &self,
        setting: &Setting<'_>,
        errand: Option<&Errand>,
        room: Decisions,
    ) -> Result<Rollout, TrainError> {
        let Some((elsewhere, errand)) = self.elsewhere.zip(errand) else {
            return Ok(Rollout::play(setting, self.units, self.threads, room)?);
        };
        let start = Instant::now();
        let (mut unit, widths) = (Unit::empty(room), setting.widths());
        let (mut taken, mut refused) = (0, None);
        let mut take = |block: &[u8]| {
            unit.append_bytes(block, widths).map_err(|source| {
                refused = Some(TrainError::Block { unit: taken, source });
                Stopped
            })?;
            taken += 1;
            Ok(())
        };
        let played = elsewhere.play(errand, &mut take, setting.stop);
        if let Some(refused) = refused {
            return Err(refused);
        }
        played?;
        match taken == errand.units {
            true => Ok(Rollout { unit, seconds: start.elapsed().as_secs_f64() }),
            false => Err(TrainError::Blocks { given: taken, expected: errand.units }),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::named::others;

    fn config(bot: &str) -> Config {
        let overrides = ["league.search=0.1".to_owned(), format!("league.searcher='search:4:beliefs+{bot}'")];
        Config::parse("run.toml", "game = \"dalmuti\"", &overrides).expect("a valid configuration")
    }

    #[test]
    fn a_searcher_that_believes_has_the_model_beside_its_network() {
        let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/dalmuti/bot");
        let company = Company::new(&config(shipped)).expect("a bundle with a model");
        assert!(company.searchers.is_some_and(|searchers| searchers.settings.beliefs.is_some()));

        let folder = tempfile::tempdir().expect("a folder");
        let config = config(&folder.path().display().to_string());
        let copy = |file: &str| {
            std::fs::copy(format!("{shipped}/{file}"), folder.path().join(file)).expect("a copy");
        };
        copy("bot.safetensors");
        let alone = others(&config).expect("a network");
        let refused = Company::new(&config).err().expect("no model").to_string();
        assert!(
            refused.starts_with("`league.searcher`: ") && refused.contains("beliefs.safetensors"),
            "{refused}"
        );
        copy("beliefs.safetensors");
        assert!(Company::new(&config).is_ok());
        assert_ne!(others(&config).expect("a network and its model"), alone);
    }
}
