//! The loop of a training run.
//!
//! `record` lists the metrics of an iteration, and each algorithm its own. `cardsharp_bot::run_record::metric` defines
//! all of them.

mod context;
mod error;
mod iteration;
mod outcome;
mod record;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::arena::Report;
use cardsharp_bot::bots::program::Faults;
use cardsharp_bot::disk;
use cardsharp_bot::file::Header;

use crate::checkpoint::{Checkpoint, Latest};
use crate::config::Config;
use crate::device::Device;
use crate::evaluate::{Baselines, EvaluatedPolicy, Findings, Occasion};
use crate::league::League;
use crate::metrics::Metrics;
use crate::nn::pool;
use crate::rollout::{Decisions, RemoteRollout, Rollout, RolloutRequest, SerializedNets};
use crate::run_folder::{RunError, RunFolder};
use crate::state::TrainState;

use context::{BotChecksums, RunContext, Workers, opponent_checksum};

pub use error::{BundleError, GivenUp, TrainError};
pub use outcome::{CostError, RunOutcome, cost, worth_exporting};
pub use worker::{Worker, WorkerError};

/// The current activity of a run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Playing sessions with the current policy.
    Playing,
    /// Learning from a rollout.
    Learning,
    /// Evaluating against the baselines.
    Measuring,
    /// Writing the state to a checkpoint.
    Saving,
}

/// The progress of a run, reported after each iteration.
#[derive(Debug)]
pub struct Progress<'a> {
    /// Iterations that are complete.
    pub iteration: u64,
    /// Iterations of the whole run.
    pub iterations: u64,
    /// Decisions of the learner since the run began.
    pub decisions: u64,
    /// Seconds that the iteration took.
    pub seconds: f64,
    /// All metrics of the iteration by name, as in `metrics.csv` and `timing.csv`.
    pub figures: &'a [(String, f64)],
    /// Evaluations, one for each baseline; empty if the iteration had none.
    pub reports: &'a [Report],
    /// The checkpoint that was written, if any.
    pub checkpoint: Option<PathBuf>,
    /// Problems that did not stop the run.
    pub warnings: &'a [String],
}

/// Trains until the last iteration of `config`, or until `stop` is set. A stop drops the current iteration or
/// evaluation and writes a checkpoint.
///
/// It resumes from the newest checkpoint in `folder`, if there is one, and reaches exactly the state of an
/// uninterrupted run. It calls `progress` after each iteration, and `doing` when the activity of the run changes.
///
/// # Errors
/// The configuration does not fit the game. The folder cannot be read or written, was moved, or was edited. Or the
/// weights of the network are no longer finite. An error before the end of the first iteration restores the folder: a
/// new run's folder is deleted.
pub fn train(
    config: &Config,
    folder: &RunFolder,
    progress: &mut dyn FnMut(&Progress<'_>),
    doing: &mut dyn FnMut(Activity),
    stop: &AtomicBool,
) -> Result<RunOutcome, TrainError> {
    train_with(None, config, folder, progress, doing, stop)
}

/// As [`train`], but workers ([`Worker`]) in other processes play the units, if `remote` is set. Learning and
/// evaluation stay in this process.
///
/// # Errors
/// As [`train`]; a network cannot be sent, or a worker's block is invalid.
pub fn train_with(
    remote: Option<&dyn RemoteRollout>,
    config: &Config,
    folder: &RunFolder,
    progress: &mut dyn FnMut(&Progress<'_>),
    doing: &mut dyn FnMut(Activity),
    stop: &AtomicBool,
) -> Result<RunOutcome, TrainError> {
    let mut run = Training::open(remote, config, folder, stop).inspect_err(|_| folder.abandon())?;
    let begun = run.state.counts.iterations;
    let ended = match run.finish(progress, doing) {
        Err(TrainError::Stopped(_)) => run.save().map(|()| (false, Findings::default())),
        ended => ended.map(|findings| (true, findings)),
    };
    if ended.is_err() && run.state.counts.iterations == begun {
        folder.abandon();
    }
    pool::clear();
    let (finished, findings) = ended?;
    Ok(run.outcome(finished, findings))
}

struct Training<'a> {
    workers: Workers<'a>,
    config: &'a Config,
    folder: &'a RunFolder,
    stop: &'a AtomicBool,
    context: RunContext,
    baselines: Baselines,
    device: Device,
    /// Memory for the decisions of an iteration, for reuse: the system would clear new memory each time.
    spare: Vec<Decisions>,
    /// The networks that were sent to workers.
    sent: SerializedNets,
    /// Checksum of the opponent's network, which workers need a copy of; empty without workers.
    opponent_checksum: String,
    /// Checksums of the bots that the configuration names.
    bots: BotChecksums,
    /// Faults of the opponent that were reported, if it is a program.
    faults: Faults,
    /// The rollout that was played while the last iteration learned.
    ahead: Option<Rollout>,
    state: TrainState,
    net: Arc<dyn PolicyNet>,
    metrics: Metrics,
    /// Iterations that were complete at the last checkpoint.
    saved: Option<u64>,
    warnings: Vec<String>,
    /// The evaluation after the last iteration.
    reports: Option<Vec<Report>>,
}

impl<'a> Training<'a> {
    fn open(
        remote: Option<&'a dyn RemoteRollout>,
        config: &'a Config,
        folder: &'a RunFolder,
        stop: &'a AtomicBool,
    ) -> Result<Self, TrainError> {
        let context = RunContext::new(config)?;
        let opponent_checksum = if remote.is_some() { opponent_checksum(config)? } else { String::new() };
        let game = context.game;
        let baselines = Baselines::new(&config.evaluate, game, &context.tables.rules[0])?;
        let bots = BotChecksums::new(config)?;
        let mut warnings = Vec::new();
        let (state, saved, record) = match folder.checkpoints().latest_valid()? {
            Some(Latest { checkpoint: Checkpoint { path, iteration, best, mut files }, refused }) => {
                folder.checkpoints().tidy(iteration, best)?;
                warnings.extend(refused.iter().map(|error| format!("checkpoint passed over: {error}")));
                folder.check_config(config, &path, &mut files)?;
                bots.check(&path, &mut files)?;
                let record = record::hash_from(&mut files)?;
                (TrainState::from_files(config, game, &files)?, Some(iteration), Some(record))
            }
            None => {
                // If the run stopped between a row and the first checkpoint, the record has up to that many rows.
                Metrics::check_unbegun(folder.path(), config.checkpoint.every)?;
                (TrainState::begin(config, game)?, None, None)
            }
        };
        let device = config.open_device()?;
        let done = state.counts.iterations;
        let columns = record::columns(config, &baselines);
        let tensorboard = config.metrics.tensorboard;
        let mut metrics = Metrics::open(folder.path(), columns, done, record.as_deref(), tensorboard)?;
        // A checkpoint needs the record, so the record's name has to be on the disk first.
        disk::sync(folder.path())
            .map_err(|source| RunError::Io { path: folder.path().to_owned(), source })?;
        if done == 0 || folder.is_changed() {
            metrics.text("config", &record::described(config));
            metrics.settings(&config.json(), &folder.path().display().to_string());
        }
        let threads = match config.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let net = state.learner.actor()?;
        let reports = None;
        Ok(Self {
            workers: Workers { remote, units: config.rollout.units, threads },
            config,
            folder,
            stop,
            context,
            baselines,
            device,
            spare: Vec::new(),
            sent: SerializedNets::default(),
            opponent_checksum,
            bots,
            faults: Faults::default(),
            ahead: None,
            state,
            net,
            metrics,
            saved,
            warnings,
            reports,
        })
    }

    /// Trains the remaining iterations, then runs the final evaluation.
    fn finish(
        &mut self,
        progress: &mut dyn FnMut(&Progress<'_>),
        doing: &mut dyn FnMut(Activity),
    ) -> Result<Findings, TrainError> {
        while self.state.counts.iterations < self.config.iterations {
            self.iterate(progress, doing)?;
        }
        let reports = match self.reports.take() {
            Some(reports) => reports,
            // The run was resumed after its last iteration: repeat the final evaluation.
            None => {
                doing(Activity::Measuring);
                let reports = self.baselines.run(&self.learner(&self.net), Occasion::Final)?;
                self.warnings.extend(reports.iter().flat_map(Report::faults_summaries));
                reports
            }
        };
        if !self.config.evaluate.tables.is_empty() {
            doing(Activity::Measuring);
        }
        let tables = self.baselines.run_tables(&self.learner(&self.net))?;
        self.warnings.extend(tables.iter().flat_map(|measured| measured.report.faults_summaries()));
        Ok(Findings { reports, tables })
    }

    /// Returns the request to workers for iteration `done`; none without workers.
    fn request(
        &mut self,
        done: u64,
        net: &Arc<dyn PolicyNet>,
        league: &League,
    ) -> Result<Option<RolloutRequest>, TrainError> {
        if self.workers.remote.is_none() {
            return Ok(None);
        }
        let (header, imitated) = (self.header(), self.config.algorithm().imitated());
        Ok(Some(RolloutRequest {
            iteration: done,
            since: if done < imitated { 0 } else { imitated },
            units: self.workers.units,
            bots: self.opponent_checksum.clone(),
            nets: self.sent.serialize(&header, net, league)?,
        }))
    }

    /// Returns the policy `net` with the settings of its evaluations.
    fn learner<'n>(&'n self, net: &'n Arc<dyn PolicyNet>) -> EvaluatedPolicy<'n> {
        EvaluatedPolicy {
            config: &self.config.evaluate,
            seed: self.config.seed,
            outputs: self.config.algorithm().outputs(),
            game: self.context.game,
            net,
            threads: self.workers.threads,
            stop: self.stop,
        }
    }

    fn header(&self) -> Header {
        self.state.header(self.config, self.context.game, &self.context.tables.rules)
    }

    /// Writes a checkpoint, unless the last one has the same state.
    fn save(&mut self) -> Result<(), TrainError> {
        let iteration = self.state.counts.iterations;
        if self.saved != Some(iteration) {
            let mut files = self.state.to_files(&self.header())?;
            self.folder.add_config(self.config, &mut files)?;
            record::add_hash(&self.metrics, &mut files);
            self.bots.add(&mut files);
            self.folder.check()?;
            self.metrics.sync()?;
            let best = self.state.best.as_ref().map(|best| best.iteration);
            if let Err(error) = self.folder.checkpoints().write(iteration, best, &files) {
                // A missing folder is a better explanation than the file that could not be written.
                self.folder.check()?;
                return Err(error.into());
            }
            self.saved = Some(iteration);
        }
        Ok(())
    }

    fn outcome(self, finished: bool, findings: Findings) -> RunOutcome {
        let header = self.header();
        let counts = self.state.counts;
        let (iteration, decisions) = (counts.iterations, counts.decisions);
        RunOutcome {
            finished,
            iteration,
            decisions,
            net: self.net,
            header,
            best: self.state.best,
            findings,
            warnings: self.warnings,
        }
    }
}
