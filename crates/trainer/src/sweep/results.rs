//! The results of a sweep: one row for each setting, the best first.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{fs, io};

use cardsharp_bot::PolicyNet;
use cardsharp_bot::arena::Interval;
use cardsharp_bot::bots::network;
use cardsharp_bot::disk;
use cardsharp_bot::run_record::metric;
use cardsharp_bot::seal;
use cardsharp_bot::stats::over_seeds;
use cardsharp_document::plain;
use cardsharp_env::seed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::engine::{SettingEnd, Sweep};
use super::error::SweepError;
use super::folder::{SweepFolder, io_error};
use super::plan::{Better, RunIndex};
use crate::evaluate::{Baselines, EvaluateError, EvaluatedPolicy, Occasion};
use crate::train::TrainError;

const JSON: &str = "results.json";
const CSV: &str = "results.csv";

/// Names the random stream of the deals of the second evaluation. No run was measured on them.
const AGAIN: u64 = 0x7377_6167;

/// The results of a sweep. Their file ends with a hash of the rest (`blake3`), so that [`SweepResults::read`] notices
/// edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepResults {
    /// The name of the game.
    pub game: String,
    /// The metric that settings are compared by.
    pub figure: String,
    /// Which figures are better.
    pub better: Better,
    /// The seeds of every setting.
    pub seeds: Vec<u64>,
    /// Paths of the fields that were swept.
    pub fields: Vec<String>,
    /// The settings, the best first.
    pub settings: Vec<SettingRow>,
    /// The second evaluation of the best setting; none before it was made.
    pub again: Option<SecondEvaluation>,
}

/// The results of a setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingRow {
    /// Its number, from 1.
    pub setting: usize,
    /// The folder of its runs, relative to the folder of the sweep.
    pub folder: String,
    /// The values of the fields, in their order.
    pub values: Vec<Value>,
    /// How it ended: `finished`, `stopped`, `failed` or `refused`.
    pub end: String,
    /// Why it did not finish, if so.
    pub reason: Option<String>,
    /// The iteration of the last measurement that counts.
    pub iteration: Option<u64>,
    /// The values of its runs at that iteration.
    pub figures: Vec<OfSeed>,
    /// The mean of these values.
    pub mean: Option<f64>,
    /// 95 % confidence interval of the mean over seeds; none with one seed.
    pub interval: Option<Interval>,
}

/// The measured value of one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfSeed {
    /// The seed of the run.
    pub seed: u64,
    /// The value that it measured.
    pub figure: f64,
}

/// The second evaluation of the best setting. The best of many results is biased upwards, because luck helped to select
/// it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecondEvaluation {
    /// Its number, from 1.
    pub setting: usize,
    /// Deals for each of its runs: as many as in the final evaluation, but different ones.
    pub deals: usize,
    /// The values of its runs on these deals.
    pub figures: Vec<OfSeed>,
    /// The mean of these values.
    pub mean: Option<f64>,
    /// 95 % confidence interval of the mean over seeds; none with one seed.
    pub interval: Option<Interval>,
}

impl OfSeed {
    /// Returns the mean, and its 95 % confidence interval over seeds.
    pub(super) fn mean(of: &[Self]) -> (Option<f64>, Option<Interval>) {
        let figures: Vec<f64> = of.iter().map(|of| of.figure).collect();
        let mean = (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64);
        (mean, over_seeds(&figures))
    }
}

impl SweepResults {
    /// Returns the results of a sweep so far.
    pub fn of(sweep: &Sweep, folder: &SweepFolder) -> Self {
        let plan = sweep.plan();
        let row = |(number, state): (usize, &super::engine::SettingState)| {
            let (end, reason) = match &state.end {
                None => ("open", None),
                Some(SettingEnd::Finished) => ("finished", None),
                Some(SettingEnd::Stopped { median }) => {
                    ("stopped", Some(format!("below the median of those before it, {median}")))
                }
                Some(SettingEnd::Failed { reason }) => ("failed", Some(reason.clone())),
                Some(SettingEnd::Refused { reason }) => ("refused", Some(reason.clone())),
            };
            let (iteration, figures) = state.last().unzip();
            let figures = plan.seeds.iter().zip(figures.unwrap_or_default());
            let figures: Vec<OfSeed> = figures.map(|(&seed, figure)| OfSeed { seed, figure }).collect();
            let (mean, interval) = OfSeed::mean(&figures);
            SettingRow {
                setting: number + 1,
                folder: folder.setting(number),
                values: state.values.clone(),
                end: end.to_owned(),
                reason,
                iteration,
                figures,
                mean,
                interval,
            }
        };
        let mut settings: Vec<SettingRow> = sweep.settings().iter().enumerate().map(row).collect();
        let score = |row: &SettingRow| row.mean.map_or(f64::NEG_INFINITY, |mean| plan.score(mean));
        let better = |one: &SettingRow, other: &SettingRow| -> Ordering {
            let place = |row: &SettingRow| match row.end.as_str() {
                "finished" => 0,
                "open" | "stopped" => 1,
                _ => 2,
            };
            let further = || other.iteration.cmp(&one.iteration);
            let by_place = place(one).cmp(&place(other)).then_with(further);
            by_place.then_with(|| score(other).total_cmp(&score(one))).then(one.setting.cmp(&other.setting))
        };
        settings.sort_by(better);
        Self {
            game: plan.config.game.clone(),
            figure: plan.figure.clone(),
            better: plan.better,
            seeds: plan.seeds.clone(),
            fields: plan.fields.iter().map(|field| field.field.clone()).collect(),
            settings,
            again: None,
        }
    }

    /// Returns the results of a finished sweep and writes them into its folder. Evaluates the best setting again on
    /// `threads` threads, unless the folder has that evaluation.
    ///
    /// # Errors
    /// A bot cannot be read, the results cannot be written, or `stop` was set.
    pub fn finish(
        sweep: &Sweep,
        folder: &SweepFolder,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Self, SweepError> {
        let mut results = Self::of(sweep, folder);
        // Reuse an earlier second evaluation. Everything else follows from the runs, so a file that is damaged or from
        // another version is written anew.
        let before = folder.results().ok().flatten().filter(|before| before.settings == results.settings);
        results.again = match before.and_then(|before| before.again) {
            Some(again) => Some(again),
            None => again(sweep, folder, &results, threads, stop)?,
        };
        folder.write(&results)?;
        Ok(results)
    }

    /// Returns the best of the finished settings.
    pub fn best(&self) -> Option<&SettingRow> {
        self.settings.first().filter(|row| row.end == "finished")
    }

    /// Returns the results as JSON, with their hash.
    pub fn text(&self) -> String {
        /// The hash comes last.
        #[derive(Serialize)]
        struct Sealed<'r> {
            #[serde(flatten)]
            results: &'r SweepResults,
            blake3: String,
        }
        let sealed = Sealed { results: self, blake3: seal::json_sum(&json!(self)) };
        // Numbers and texts always have a JSON form.
        serde_json::to_string_pretty(&sealed).unwrap_or_default() + "\n"
    }

    /// Reads results from the text of a file.
    ///
    /// # Errors
    /// The text is not from [`SweepResults::text`], or was edited.
    pub(super) fn of_text(text: &str) -> Result<Self, String> {
        let mut all: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if let Some(problem) = seal::json_broken(&all) {
            return Err(problem);
        }
        all.as_object_mut().and_then(|fields| fields.remove(seal::JSON_FIELD));
        serde_json::from_value(all).map_err(|error| error.to_string())
    }

    /// Returns the results as CSV, one row for each setting.
    pub fn csv(&self) -> String {
        let seeds = self.seeds.iter().map(|seed| format!("seed-{seed}"));
        let names = ["place", "setting"].map(str::to_owned).into_iter().chain(self.fields.iter().cloned());
        let figures = ["end", "iteration", "mean", "low", "high"].map(str::to_owned);
        let mut text = line(names.chain(figures).chain(seeds));
        let cell = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        for (place, row) in self.settings.iter().enumerate() {
            let values = row.values.iter().map(plain);
            let iteration = row.iteration.map_or_else(String::new, |iteration| iteration.to_string());
            let (low, high) = row.interval.map(|of| (of.low, of.high)).unzip();
            let figure = |seed: &u64| row.figures.iter().find(|of| of.seed == *seed).map(|of| of.figure);
            let cells = [(place + 1).to_string(), row.setting.to_string()].into_iter().chain(values);
            let cells = cells.chain([row.end.clone(), iteration, cell(row.mean), cell(low), cell(high)]);
            text += &line(cells.chain(self.seeds.iter().map(|seed| cell(figure(seed)))));
        }
        text
    }
}

impl SweepResults {
    /// Reads the results of the sweep in `folder`; none if the sweep is not over, or if there is no sweep.
    ///
    /// # Errors
    /// The file cannot be read, or was edited.
    pub fn read(folder: &Path) -> Result<Option<Self>, SweepError> {
        let path = folder.join(JSON);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(SweepError::Io { path, source }),
        };
        match Self::of_text(&text) {
            Ok(results) => Ok(Some(results)),
            Err(problem) => Err(SweepError::Results { path, problem }),
        }
    }
}

impl SweepFolder {
    /// Returns the results, if they were written.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn results(&self) -> Result<Option<SweepResults>, SweepError> {
        SweepResults::read(self.path())
    }

    /// Writes the results.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, results: &SweepResults) -> Result<(), SweepError> {
        for (name, text) in [(CSV, results.csv()), (JSON, results.text())] {
            let path = self.path().join(name);
            disk::replace(&path, text.as_bytes()).map_err(io_error(&path))?;
        }
        Ok(())
    }
}

/// Evaluates the bundles of the best setting like the final evaluation of their runs, on unused deals. Returns none if
/// no setting finished, or if settings are not compared by an `arena/…` metric.
///
/// # Errors
/// A bot cannot be read, or `stop` was set.
fn again(
    sweep: &Sweep,
    folder: &SweepFolder,
    results: &SweepResults,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<SecondEvaluation>, SweepError> {
    let plan = sweep.plan();
    let of_arena = metric::ARENA.iter().any(|metric| metric.is_column(&plan.figure));
    let Some(best) = results.best().filter(|_| of_arena) else { return Ok(None) };
    let (mut figures, mut deals) = (Vec::new(), 0);
    for (number, &seed) in plan.seeds.iter().enumerate() {
        let run = RunIndex { setting: best.setting - 1, seed: number };
        let config = sweep.config(run)?;
        let game = config.game().ok_or_else(|| TrainError::Game { game: config.game.clone() })?;
        let net: Arc<dyn PolicyNet> =
            Arc::new(network(&folder.run(run).join("bundle").display().to_string(), game)?.1);
        let rules = game.rules(&Value::Object(config.evaluate.rules.clone())).map_err(EvaluateError::from)?;
        let baselines = Baselines::new(&config.evaluate, game, &rules)?;
        let learner = EvaluatedPolicy {
            config: &config.evaluate,
            seed: seed::derived(plan.seed, &[AGAIN, seed]),
            outputs: config.algorithm().outputs(),
            game,
            net: &net,
            threads,
            stop,
        };
        let found = baselines.figures(&baselines.run(&learner, Occasion::Final)?);
        deals = config.evaluate.final_deals;
        let figure = found.into_iter().find(|(name, _)| *name == plan.figure).map(|(_, figure)| figure);
        figures.extend(figure.map(|figure| OfSeed { seed, figure }));
    }
    let (mean, interval) = OfSeed::mean(&figures);
    Ok(Some(SecondEvaluation { setting: best.setting, deals, figures, mean, interval }))
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let quoted = |cell: String| match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
