//! Measuring the learner in the arena, against the same baselines and deals each time.

use std::sync::Arc;
use std::time::Instant;

use cardsharp_bot::arena::{ArenaError, Contest, Report};
use cardsharp_bot::bots::{BUILT_IN, OpenError, Player, load};
use cardsharp_bot::net::Net;
use cardsharp_env::{AnyGame, RulesError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::fields::{FieldError, expect};
use crate::streams::{self, Purpose};
use crate::workers::in_order;

/// `[evaluate]`: how strength is measured during and after a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluateConfig {
    /// Iterations between two evaluations, at least 0. At 0 only the last iteration is evaluated.
    pub every: u64,
    /// Deals (each a whole session, played from every seat) of an evaluation during the run, 2 to 1000000.
    pub deals: usize,
    /// Deals of the evaluation after the last iteration, 2 to 1000000.
    pub final_deals: usize,
    /// Baselines, at least one, each `random`, `scripted` or the path of an exported bot. The learner
    /// takes one seat among copies of each; the first decides which checkpoint is the best.
    pub against: Vec<String>,
    /// How the learner picks: 0 takes the most probable action, 1 draws by probability; 0 to 10.
    pub temperature: f32,
    /// Options of the game; empty: the rules of the first table of the rollout.
    pub rules: Map<String, Value>,
}

impl Default for EvaluateConfig {
    fn default() -> Self {
        Self {
            every: 20,
            deals: 40,
            final_deals: 200,
            against: vec!["scripted".to_owned(), "random".to_owned()],
            temperature: 0.0,
            rules: Map::new(),
        }
    }
}

impl EvaluateConfig {
    /// Refuses values out of range. The rules are the game's to check.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        for (field, deals) in [("deals", self.deals), ("final_deals", self.final_deals)] {
            expect((2..=1_000_000).contains(&deals), field, deals, "expected 2 to 1000000")?;
        }
        expect(!self.against.is_empty(), "against", "[]", "expected at least one baseline")?;
        let temperature = (0.0..=10.0).contains(&self.temperature);
        expect(temperature, "temperature", self.temperature, "expected a number from 0 to 10")
    }
}

/// Why strength cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    /// A baseline cannot be had.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The contest cannot be held.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The game refuses the rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// When an evaluation takes place. During the run all use the same deals, so that they can be compared;
/// the last one uses others, so that it owes nothing to luck with those.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// Between two iterations.
    During,
    /// After the last one.
    Final,
}

/// The baselines, loaded once.
#[derive(Debug)]
pub struct Baselines {
    players: Vec<Player>,
    /// Names for metrics.
    labels: Vec<String>,
    rules: Value,
}

/// The figures of an evaluation that are metrics.
const FIGURES: [&str; 4] = ["place_score", "place_score_low", "place_score_high", "first_rate"];

impl Baselines {
    /// Loads the baselines of a configuration. `table` is the first table of the rollout.
    ///
    /// # Errors
    /// A baseline cannot be had, or the game refuses the rules.
    pub fn new(config: &EvaluateConfig, game: &dyn AnyGame, table: &Value) -> Result<Self, EvaluateError> {
        let players = config.against.iter().map(|spec| load(spec, game, 0.0)).collect::<Result<_, _>>()?;
        // A path is no name for a column, so bots from files are numbered.
        let label = |(number, spec): (usize, &String)| match BUILT_IN.contains(&spec.as_str()) {
            true if !config.against[..number].contains(spec) => spec.clone(),
            _ => format!("bot{}", number + 1),
        };
        let labels = config.against.iter().enumerate().map(label).collect();
        let given = Value::Object(config.rules.clone());
        let rules = if config.rules.is_empty() { table.clone() } else { game.rules(&given)? };
        Ok(Self { players, labels, rules })
    }

    /// The names of all metrics.
    pub fn metrics(&self) -> impl Iterator<Item = String> + '_ {
        self.labels
            .iter()
            .flat_map(|label| FIGURES.iter().map(move |figure| format!("arena/{label}/{figure}")))
    }

    /// The metrics of the reports of [`Baselines::run`], by name.
    pub fn figures(&self, reports: &[Report]) -> Vec<(String, f64)> {
        let values = reports.iter().filter_map(|report| report.bots.first()).flat_map(|bot| {
            [bot.place_score.mean, bot.place_score.low, bot.place_score.high, bot.first_rate.mean]
        });
        self.metrics().zip(values).collect()
    }

    /// Seats `net` among copies of each baseline; one report for each.
    ///
    /// # Errors
    /// The game refuses the rules.
    pub fn run(
        &self,
        config: &EvaluateConfig,
        game: &'static dyn AnyGame,
        net: &Arc<Net>,
        occasion: Occasion,
        seed: u64,
        threads: usize,
    ) -> Result<Vec<Report>, EvaluateError> {
        let deals = match occasion {
            Occasion::During => config.deals,
            Occasion::Final => config.final_deals,
        };
        let mut reports = Vec::with_capacity(self.players.len());
        for (number, player) in self.players.iter().enumerate() {
            let learner = Player::policy("learner", Arc::clone(net), config.temperature);
            let seed = streams::seed(seed, Purpose::Evaluate, &[number as u64, occasion as u64]);
            let contest = Contest::new(game, &self.rules, vec![learner, player.clone()], deals as u64, seed)?;
            let start = Instant::now();
            let units = in_order(threads, contest.units() as usize, |unit| {
                contest.play(unit as u64, &mut || start.elapsed())
            });
            reports.push(contest.report(&units.into_iter().collect::<Result<Vec<_>, _>>()?));
        }
        Ok(reports)
    }
}
