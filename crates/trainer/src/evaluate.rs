//! Evaluates the learner in the arena, each time against the same baselines and on the same deals.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::arena::{ArenaError, Contest, Report, command};
use cardsharp_bot::bots::{BUILT_IN, OpenError, Player, load};
use cardsharp_bot::bundle::card;
use cardsharp_bot::file::Outputs;
use cardsharp_bot::run_record::metric;
use cardsharp_bot::workers::{Stopped, until_stopped};
use cardsharp_document::{FieldError, expect};
use cardsharp_env::{AnyGame, GameRules, Games, RulesError, seed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::streams::{self, StreamPurpose};

/// `[evaluate]`: evaluations during and after a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluateConfig {
    /// Iterations between evaluations, at least 0. At 0 only the last iteration is evaluated.
    pub every: u64,
    /// Deals per evaluation during the run, 2 to 1000000. Each deal is a whole session, played once from every seat.
    pub deals: usize,
    /// Deals of the evaluation after the last iteration, 2 to 1000000.
    pub final_deals: usize,
    /// Opponents, at least one: `random`, `scripted` or the path of an exported bot. The learner plays one seat against
    /// copies of each. The first one decides which checkpoint is the best.
    pub opponents: Vec<String>,
    /// Sampling temperature of the learner, 0 to 10: 0 = argmax, 1 = sample from the policy. A network of action values
    /// always plays the best action.
    pub temperature: f32,
    /// Sampling temperature of the opponents that are networks, 0 to 10.
    pub baseline_temperature: f32,
    /// Options of the game in evaluations. Empty means the rules of the first rollout table.
    pub rules: Map<String, Value>,
    /// Further rules by which to measure the finished bot once, after the last iteration.
    pub tables: Vec<EvaluateTable>,
}

/// `[[evaluate.tables]]`: rules by which the finished bot is measured against the first opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluateTable {
    /// Name of the table in the results: one line, different from the names of the other tables.
    pub name: String,
    /// Number of deals, 2 to 1000000.
    pub deals: usize,
    /// Options of the game. Missing options have the game's defaults.
    pub rules: Map<String, Value>,
    /// The learner's seats when a deal is first played, from 0; later, all players move on by one seat. The first
    /// opponent has the other seats. Each side needs at least one.
    pub seats: Vec<u8>,
}

impl Default for EvaluateTable {
    fn default() -> Self {
        Self { name: String::new(), deals: 200, rules: Map::new(), seats: vec![0] }
    }
}

impl Default for EvaluateConfig {
    fn default() -> Self {
        Self {
            every: 20,
            deals: 40,
            final_deals: 200,
            opponents: vec!["scripted".to_owned(), "random".to_owned()],
            temperature: 0.0,
            baseline_temperature: 0.0,
            rules: Map::new(),
            tables: Vec::new(),
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
        expect(!self.opponents.is_empty(), "opponents", "[]", "expected at least one opponent")?;
        for (field, temperature) in
            [("temperature", self.temperature), ("baseline_temperature", self.baseline_temperature)]
        {
            let right = (0.0..=10.0).contains(&temperature);
            expect(right, field, temperature, "expected a number from 0 to 10")?;
        }
        for (i, EvaluateTable { name, deals, .. }) in self.tables.iter().enumerate() {
            let field = |field: &str| format!("tables[{i}].{field}");
            let plain = !name.trim().is_empty() && !name.contains(char::is_control);
            expect(plain, &field("name"), format!("{name:?}"), "expected a name of one line")?;
            let own = self.tables[..i].iter().all(|other| other.name != *name);
            expect(own, &field("name"), format!("{name:?}"), "another table has this name")?;
            expect((2..=1_000_000).contains(deals), &field("deals"), deals, "expected 2 to 1000000")?;
        }
        Ok(())
    }
}

/// Why a policy cannot be evaluated.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum EvaluateError {
    /// A baseline cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The learner or the baseline has no seat, or there is no such seat.
    #[error(
        "`seats` of the evaluation table \"{table}\": expected seats from 0 to {}, each once, at least one \
         and not all", players - 1
    )]
    Seats {
        table: String,
        /// How many seats a session has.
        players: usize,
    },
    /// The contest is invalid.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The evaluation was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game refuses the rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// An evaluation by the rules of one of [`EvaluateConfig::tables`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableReport {
    /// The name of the table.
    pub table: String,
    /// The report of the arena.
    pub report: Report,
}

/// The results of the final evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Reports by the rules of the evaluation, one for each baseline.
    pub reports: Vec<Report>,
    /// Reports by the rules of each table, against the first baseline.
    pub tables: Vec<TableReport>,
}

impl Findings {
    /// Returns the findings with the commands that repeat them. A command runs in the folder of the bundle, wherever
    /// that is.
    ///
    /// # Errors
    /// A game refuses the rules of a report.
    pub fn contests(&self, games: &Games) -> Result<Vec<card::CardContest>, RulesError> {
        let main = self.reports.iter().map(|report| (None, report));
        let tables = self.tables.iter().map(|measured| (Some(measured.table.clone()), &measured.report));
        let contest = |(table, report): (Option<String>, &Report)| {
            let command = format!("cardsharp {}", command::measuring(games, report, ".")?);
            Ok(card::CardContest { table, command, report: report.clone() })
        };
        main.chain(tables).map(contest).collect()
    }
}

/// When an evaluation takes place. All evaluations during a run use the same deals, so that they can be compared. The
/// final one uses others, so that it does not benefit from luck with those.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// Between two iterations, on `evaluate.deals` deals.
    During,
    /// After the last one.
    Final,
}

/// The occasion's number in the seeds of contests on [`EvaluateConfig::tables`].
const TABLES: u64 = 2;

/// The baselines, loaded once.
#[derive(Debug)]
pub struct Baselines {
    players: Vec<Player>,
    /// The name of each baseline in metrics.
    labels: Vec<String>,
    rules: GameRules,
    /// The other tables, and their rules.
    tables: Vec<(EvaluateTable, GameRules)>,
}

impl Baselines {
    /// Loads the baselines of a configuration. `table` has the rules of the first table of the rollout.
    ///
    /// # Errors
    /// A baseline cannot be opened, or the game refuses the rules.
    pub fn new(
        config: &EvaluateConfig,
        game: &dyn AnyGame,
        table: &GameRules,
    ) -> Result<Self, EvaluateError> {
        let baseline = |spec: &String| load(spec, game, config.baseline_temperature);
        let players = config.opponents.iter().map(baseline).collect::<Result<_, _>>()?;
        // A path is no name for a column, so bots from files are numbered.
        let label = |(number, spec): (usize, &String)| match BUILT_IN.contains(&spec.as_str()) {
            true if !config.opponents[..number].contains(spec) => spec.clone(),
            _ => format!("bot{}", number + 1),
        };
        let labels = config.opponents.iter().enumerate().map(label).collect();
        let given = Value::Object(config.rules.clone());
        let rules = if config.rules.is_empty() { table.clone() } else { game.rules(&given)? };
        let full = |table: &EvaluateTable| {
            let rules = game.rules(&Value::Object(table.rules.clone()))?;
            let players = rules.seats();
            match seating(&table.seats, players) {
                Some(_) => Ok((table.clone(), rules)),
                None => Err(EvaluateError::Seats { table: table.name.clone(), players }),
            }
        };
        let tables = config.tables.iter().map(full).collect::<Result<_, EvaluateError>>()?;
        Ok(Self { players, labels, rules, tables })
    }

    /// The names of all metrics.
    pub fn metrics(&self) -> impl Iterator<Item = String> + '_ {
        self.labels.iter().flat_map(|label| metric::ARENA.iter().map(move |metric| metric.against(label)))
    }

    /// Returns the metrics of the reports of [`Baselines::run`], by name.
    pub fn figures(&self, reports: &[Report]) -> Vec<(String, f64)> {
        let values = reports.iter().filter_map(|report| report.bots.first()).flat_map(|bot| {
            [bot.place_score.mean, bot.place_score.low, bot.place_score.high, bot.first_rate.mean]
        });
        self.metrics().zip(values).collect()
    }

    /// Plays the learner's network against copies of each baseline; returns one report for each.
    ///
    /// # Errors
    /// The game refuses the rules, or the learner's `stop` was set.
    pub fn run(
        &self,
        learner: &EvaluatedPolicy<'_>,
        occasion: Occasion,
    ) -> Result<Vec<Report>, EvaluateError> {
        let deals = match occasion {
            Occasion::During => learner.config.deals,
            Occasion::Final => learner.config.final_deals,
        };
        let report = |(number, player)| {
            learner.report(&self.rules, &[0], player, deals, &[number as u64, occasion as u64])
        };
        self.players.iter().enumerate().map(report).collect()
    }

    /// Plays the learner's network against copies of the first baseline, by the rules of each other table.
    ///
    /// # Errors
    /// The game refuses the rules, or the learner's `stop` was set.
    pub fn run_tables(&self, learner: &EvaluatedPolicy<'_>) -> Result<Vec<TableReport>, EvaluateError> {
        let Some(player) = self.players.first() else { return Ok(Vec::new()) };
        let measured = |(number, (table, rules)): (usize, &(EvaluateTable, GameRules))| {
            let path = [number as u64, TABLES];
            let report = learner.report(rules, &table.seats, player, table.deals, &path)?;
            Ok(TableReport { table: table.name.clone(), report })
        };
        self.tables.iter().enumerate().map(measured).collect()
    }
}

/// Returns the bot of each seat: bot 0 in the seats `own`, bot 1 in the others; none unless both have a seat.
fn seating(own: &[u8], players: usize) -> Option<Vec<usize>> {
    let seats: Vec<usize> = (0..players).map(|seat| usize::from(!own.contains(&(seat as u8)))).collect();
    let held = seats.iter().filter(|&&bot| bot == 0).count();
    (held == own.len() && (1..players).contains(&held)).then_some(seats)
}

/// The policy to evaluate.
pub struct EvaluatedPolicy<'a> {
    /// The settings of all evaluations.
    pub config: &'a EvaluateConfig,
    /// The seed of the run.
    pub seed: u64,
    /// The meaning of the network's outputs.
    pub outputs: Outputs,
    /// The game that it plays.
    pub game: &'static dyn AnyGame,
    /// The network that is evaluated.
    pub net: &'a Arc<dyn PolicyNet>,
    /// Number of threads, at least 1; it does not influence the result.
    pub threads: usize,
    /// Once it is set, the evaluation ends without a result.
    pub stop: &'a AtomicBool,
}

impl EvaluatedPolicy<'_> {
    /// Runs the final evaluation.
    ///
    /// # Errors
    /// A baseline cannot be opened, the game refuses the rules, or `stop` was set.
    pub fn findings(&self) -> Result<Findings, EvaluateError> {
        let config = self.config;
        // A configuration from a file has the rules written out.
        let rules = self.game.rules(&Value::Object(config.rules.clone()))?;
        let baselines = Baselines::new(config, self.game, &rules)?;
        let reports = baselines.run(self, Occasion::Final)?;
        Ok(Findings { reports, tables: baselines.run_tables(self)? })
    }

    /// Plays one contest: the network in these seats against copies of `player`, on deals from stream `path`.
    fn report(
        &self,
        rules: &GameRules,
        seats: &[u8],
        player: &Player,
        deals: usize,
        path: &[u64],
    ) -> Result<Report, EvaluateError> {
        let (net, temperature) = (Arc::clone(self.net), self.config.temperature);
        let learner = Player::network("learner", net, self.outputs, temperature);
        let seed = seed::of_bits(streams::seed(self.seed, StreamPurpose::Evaluate, path));
        let contest = Contest::new(rules, vec![learner, player.clone()], deals as u64, seed)?
            .seated_as(seating(seats, rules.seats()).unwrap_or_default())?;
        let start = Instant::now();
        let units = until_stopped(self.threads, contest.units() as usize, self.stop, |unit| {
            contest.play_until(unit as u64, &mut || start.elapsed(), self.stop)
        })?;
        Ok(contest.report(&units))
    }
}
