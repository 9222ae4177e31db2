//! A contest that can be told to other processes, and its units, which they play.

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cardsharp_bot::arena;
use cardsharp_bot::bots::{networks_sum, path_of};
use cardsharp_bot::{Player, load_with};
use cardsharp_env::GameRules;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bots::{clock, means, unopened};
use crate::input::{self, refused};
use crate::work::interruptibly;

/// Who plays what how often, in words.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContestJob {
    pub(crate) game: String,
    pub(crate) bots: Vec<NamedBot>,
    /// The sum of the networks that bots name.
    pub(crate) networks: String,
    pub(crate) rules: Value,
    pub(crate) terms: Terms,
    pub(crate) simulations: Option<u32>,
}

/// A bot that can be told of.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedBot {
    /// What it is called.
    pub(crate) name: String,
    /// What opens it.
    pub(crate) spec: String,
    /// How it picks if it is a network.
    pub(crate) temperature: f64,
}

/// What a contest is besides its bots and rules.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Terms {
    pub(crate) deals: u64,
    pub(crate) seed: u64,
    pub(crate) round_robin: bool,
    pub(crate) seats: Option<Vec<usize>>,
    pub(crate) habits: bool,
}

impl Terms {
    /// The contest of these players.
    pub(crate) fn contest(&self, rules: &GameRules, players: Vec<Player>) -> PyResult<arena::Contest> {
        let new = if self.round_robin { arena::Contest::round_robin } else { arena::Contest::new };
        let mut contest = new(rules, players, self.deals, self.seed).map_err(refused)?;
        if self.habits {
            contest = contest.with_habits();
        }
        match &self.seats {
            Some(seats) => contest.seated_as(seats.clone()).map_err(refused),
            None => Ok(contest),
        }
    }
}

/// The sum of the networks that these bots name.
pub(crate) fn networks(bots: &[NamedBot]) -> PyResult<String> {
    networks_sum(bots.iter().filter_map(|bot| path_of(&bot.spec))).map_err(unopened)
}

/// Plays units of one contest, each a pure function of what it is told and its number, but for the times that moves
/// take.
#[pyclass(module = "cardsharp_rl._core", frozen)]
pub(crate) struct Contest(arena::Contest);

#[pymethods]
impl Contest {
    /// The contest that this JSON tells.
    #[new]
    fn new(job: &str) -> PyResult<Self> {
        let job: ContestJob =
            serde_json::from_str(job).map_err(|error| refused(format!("contest: {error}")))?;
        let game = input::named(&job.game)?;
        let rules = game.rules(&job.rules).map_err(|error| refused(format!("rules: {error}")))?;
        if networks(&job.bots)? != job.networks {
            return Err(refused(
                "bots: a network here differs from the one on the reporting machine: expected the same file on every machine",
            ));
        }
        let player = |NamedBot { name, spec, temperature }: &NamedBot| {
            let means = means(*temperature, job.simulations, 1)?;
            load_with(spec, game, &means).map(|player| player.named(name)).map_err(unopened)
        };
        let players = job.bots.iter().map(player).collect::<PyResult<_>>()?;
        job.terms.contest(&rules, players).map(Self)
    }

    /// Plays this unit: what goes back to where the contest is reported.
    fn play<'py>(&self, py: Python<'py>, unit: u64) -> PyResult<Bound<'py, PyBytes>> {
        if unit >= self.0.units() {
            return Err(refused(format!(
                "unit: {unit} is out of range: expected 0 to {}",
                self.0.units().saturating_sub(1)
            )));
        }
        let stop = AtomicBool::new(false);
        let played = interruptibly(py, &stop, &mut |_| Ok(()), |_| {
            let now = clock();
            self.0.play_until(unit, &mut || -> Duration { now() }, &stop)
        })?;
        let bytes =
            serde_json::to_vec(&played).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// The units of a contest that others play, as they come: by what Python gave for it, told the contest, and the first
/// and the last.
pub(crate) fn played_by<'py>(
    elsewhere: &Bound<'py, PyAny>,
    job: &ContestJob,
    units: Range<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    elsewhere.call1((json!(job).to_string(), units.start, units.end))
}

/// A unit that others played.
pub(crate) fn unit(bytes: &[u8]) -> Result<arena::ContestUnit, serde_json::Error> {
    serde_json::from_slice(bytes)
}
