//! The loop of a training run.
//!
//! | metric | meaning |
//! |---|---|
//! | `rollout/sessions`, `rollout/rounds` | sessions and rounds of the iteration |
//! | `rollout/decisions` | decisions of the learner in them, without forced moves |
//! | `rollout/score_past`, `rollout/score_scripted` | mean place score of the learner's seats in the sessions with snapshots and with the scripted player |
//! | `rollout/score_search`, `rollout/score_opponent` | the same in sessions with a search bot and with the opponent, in runs that have them |
//! | `rollout/moved` | mean KL(target ‖ π), in nats, between new distillation targets and the policy that played, with `algorithm = "expert"` |
//! | `league/snapshots` | snapshots in the pool |
//! | `arena/NAME/…` | the learner in one seat among copies of a baseline, with its 95 % interval |
//! | `throughput/decisions_per_second` | decisions of the whole iteration over its time, evaluation included |
//! | `throughput/rollout`, `throughput/learner` | decisions per second while playing; samples (decisions times epochs) per second while learning |
//! | `time/iteration`, `time/rollout`, `time/learn`, `time/optimizer`, `time/evaluate` | seconds |
//! | `time/network` | seconds in the network and the loss, summed over all threads |
//! | `time/cores` | seconds of the iteration without its evaluation, times the number of threads; empty where workers play rollouts |
//!
//! With `rollout.overlap`, most of `time/rollout` was spent during the learning of another iteration.
//!
//! Each file of an algorithm explains its own metrics.

mod company;
mod cost;
mod error;
mod named;
mod outcome;
mod record;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::arena::Report;
use cardsharp_bot::bots::program::Faults;
use cardsharp_bot::disk;
use cardsharp_bot::file::Header;

use crate::algorithms::Step;
use crate::checkpoint::{Checkpoint, Latest};
use crate::config::Config;
use crate::device::Device;
use crate::evaluate::{Baselines, Findings, Learner, Occasion};
use crate::league::League;
use crate::metrics::{Metrics, Row};
use crate::nn::pool;
use crate::rollout::{Decisions, Elsewhere, Errand, Parcels, Rollout, Unit};
use crate::run_folder::{RunError, RunFolder};
use crate::state::{Actors, Best, TrainState};

use company::{Company, Hands, imitates, progress as progress_of};
use named::Named;

pub use cost::{CostError, cost};
pub use error::{BundleError, GivenUp, TrainError};
pub use outcome::{Outcome, worth_exporting};
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
    /// Writing a checkpoint.
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
) -> Result<Outcome, TrainError> {
    train_with(None, config, folder, progress, doing, stop)
}

/// As [`train`], but workers ([`Worker`]) in other processes play the units, if `elsewhere` is set. Learning and
/// evaluation stay in this process.
///
/// # Errors
/// As [`train`]; a network cannot be sent, or a worker's block is invalid.
pub fn train_with(
    elsewhere: Option<&dyn Elsewhere>,
    config: &Config,
    folder: &RunFolder,
    progress: &mut dyn FnMut(&Progress<'_>),
    doing: &mut dyn FnMut(Activity),
    stop: &AtomicBool,
) -> Result<Outcome, TrainError> {
    let mut run = Run::open(elsewhere, config, folder, stop).inspect_err(|_| folder.abandon())?;
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

struct Run<'a> {
    hands: Hands<'a>,
    config: &'a Config,
    folder: &'a RunFolder,
    stop: &'a AtomicBool,
    company: Company,
    baselines: Baselines,
    device: Device,
    /// Memory for the decisions of an iteration, for reuse: the system would clear new memory each time.
    rooms: Vec<Decisions>,
    /// The networks that were sent to workers.
    parcels: Parcels,
    /// Checksum of the bots that workers need a copy of; empty without workers.
    others: String,
    /// Checksums of the bots that the configuration names.
    named: Named,
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

impl<'a> Run<'a> {
    fn open(
        elsewhere: Option<&'a dyn Elsewhere>,
        config: &'a Config,
        folder: &'a RunFolder,
        stop: &'a AtomicBool,
    ) -> Result<Self, TrainError> {
        let company = Company::new(config)?;
        let others = if elsewhere.is_some() { named::others(config)? } else { String::new() };
        let game = company.game;
        let baselines = Baselines::new(&config.evaluate, game, &company.tables.rules[0])?;
        let named = Named::new(config)?;
        let mut warnings = Vec::new();
        let (state, saved, record) = match folder.checkpoints().latest_valid()? {
            Some(Latest { checkpoint: Checkpoint { path, iteration, best, mut files }, refused }) => {
                folder.checkpoints().tidy(iteration, best)?;
                warnings.extend(refused.iter().map(|error| format!("checkpoint passed over: {error}")));
                folder.check_config(config, &path, &mut files)?;
                named.check(&path, &mut files)?;
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
            hands: Hands { elsewhere, units: config.rollout.units, threads },
            config,
            folder,
            stop,
            company,
            baselines,
            device,
            rooms: Vec::new(),
            parcels: Parcels::default(),
            others,
            named,
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

    /// Runs one iteration: play, learn, evaluate, write the record, save. The state changes only after the row is
    /// written. So an iteration that is stopped before is repeated with byte-identical results.
    fn iterate(
        &mut self,
        progress: &mut dyn FnMut(&Progress<'_>),
        doing: &mut dyn FnMut(Activity),
    ) -> Result<(), TrainError> {
        let config = self.config;
        let start = Instant::now();
        doing(Activity::Playing);
        let done = self.state.counts.iterations;
        let rollout = match self.ahead.take() {
            Some(ahead) => ahead,
            None => {
                let of_actors = self.state.actors.as_ref().map(|actors| (&actors.net, &actors.league));
                let (net, league) = of_actors.unwrap_or((&self.net, &self.state.league));
                let (net, league) = (Arc::clone(net), league.clone());
                let errand = self.errand(done, &net, &league)?;
                let room = self.rooms.pop().unwrap_or_default();
                let setting = self.company.setting(config, done, &net, &league, self.stop);
                self.hands.play(&setting, errand.as_ref(), room)?
            }
        };
        let Rollout { unit: Unit { decisions, lessons, played }, seconds: rollout_seconds } = rollout;
        if decisions.is_empty() {
            return Err(TrainError::NothingToLearn);
        }
        let faults = self.company.faults()?;
        if faults != self.faults {
            self.warnings.extend(self.company.faults_summary(&config.league.opponent));
            self.faults = faults;
        }

        // The rollout during learning uses the policy from before the update.
        let behind = match config.rollout.overlap && done + 1 < config.iterations {
            true => {
                let (net, league) = (Arc::clone(&self.net), self.state.league.clone());
                Some((self.errand(done + 1, &net, &league)?, self.rooms.pop().unwrap_or_default()))
            }
            false => None,
        };
        let learn = Instant::now();
        doing(Activity::Learning);
        let mut next = self.state.clone();
        let step = Step {
            progress: progress_of(config, done),
            seed: config.seed,
            iteration: done,
            imitate: imitates(config, done),
            lessons: &lessons,
            threads: self.hands.threads,
            device: &self.device,
            stop: self.stop,
        };
        let mut update = || config.algorithm().update(&mut next.learner, &decisions, &step);
        let hands = self.hands;
        let setting = self.company.setting(config, done + 1, &self.net, &self.state.league, self.stop);
        let (report, ahead) = match behind {
            Some((errand, room)) => std::thread::scope(|scope| {
                let ahead = scope.spawn(|| hands.play(&setting, errand.as_ref(), room));
                (update(), Some(ahead.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
            }),
            None => (update(), None),
        };
        let report = report?;
        let ahead = ahead.transpose()?;
        next.actors = config.rollout.overlap.then(|| {
            let (net, league) = (Arc::clone(&self.net), self.state.league.clone());
            Actors { net, league }
        });
        let learn_seconds = learn.elapsed().as_secs_f64();

        let counts = &mut next.counts;
        counts.iterations += 1;
        counts.decisions += decisions.len() as u64;
        counts.rounds += played.rounds;
        counts.sessions += played.sessions;
        let counts = *counts;
        let net = next.learner.actor()?;
        next.league.add(&config.league, counts.iterations, &net);

        let measure = Instant::now();
        let last = counts.iterations == config.iterations;
        let due = config.evaluate.every > 0 && counts.iterations.is_multiple_of(config.evaluate.every);
        if last || due {
            doing(Activity::Measuring);
        }
        let reports = match (last, due) {
            (true, _) => self.baselines.run(&self.learner(&net), Occasion::Final)?,
            (false, true) => self.baselines.run(&self.learner(&net), Occasion::During)?,
            (false, false) => Vec::new(),
        };
        let measuring = measure.elapsed().as_secs_f64();
        self.warnings.extend(reports.iter().flat_map(Report::faults_summaries));
        let improved = compare(&mut next, &reports);

        let pool = next.league.pool.len();
        let mut figures = record::of_rollout(config, &played, decisions.len(), pool);
        figures.extend(report.metrics.iter().map(|(name, value)| (name.to_string(), *value)));
        figures.extend(self.baselines.figures(&reports));
        let seconds = start.elapsed().as_secs_f64();
        figures.extend(record::of_clock([
            decisions.len() as f64 / seconds,
            decisions.len() as f64 / rollout_seconds,
            report.samples as f64 / learn_seconds,
            seconds,
            rollout_seconds,
            learn_seconds,
            report.network,
            report.optimizer,
            measuring,
        ]));
        if self.hands.elsewhere.is_none() {
            figures.push((record::CORES.to_owned(), (seconds - measuring) * self.hands.threads as f64));
        }
        let mut row = Row::new(counts.iterations, counts.decisions);
        figures.iter().for_each(|(name, value)| row.set(name, *value));
        self.folder.check()?;
        self.metrics.write(&row)?;
        (self.state, self.net, self.ahead) = (next, net, ahead);
        self.rooms.push(decisions);
        let every = config.metrics.histograms_every;
        if every > 0 && counts.iterations.is_multiple_of(every) {
            self.metrics.histogram("value/advantages", &report.advantages);
            self.metrics.histogram("value/returns", &report.returns);
            self.metrics.histogram("policy/weights", &self.state.learner.policy.weights);
        }
        self.warnings.extend(self.metrics.warning());

        let checkpoint = last || improved || counts.iterations.is_multiple_of(config.checkpoint.every);
        if checkpoint {
            doing(Activity::Saving);
            self.save()?;
        }
        progress(&Progress {
            iteration: counts.iterations,
            iterations: config.iterations,
            decisions: counts.decisions,
            seconds,
            figures: &figures,
            reports: &reports,
            checkpoint: checkpoint.then(|| self.folder.checkpoints().path(counts.iterations)),
            warnings: &std::mem::take(&mut self.warnings),
        });
        if last {
            self.reports = Some(reports);
        }
        Ok(())
    }

    /// Returns the request to workers for iteration `done`; none without workers.
    fn errand(
        &mut self,
        done: u64,
        net: &Arc<dyn PolicyNet>,
        league: &League,
    ) -> Result<Option<Errand>, TrainError> {
        if self.hands.elsewhere.is_none() {
            return Ok(None);
        }
        let (header, imitated) = (self.header(), self.config.algorithm().imitated());
        Ok(Some(Errand {
            iteration: done,
            since: if done < imitated { 0 } else { imitated },
            units: self.hands.units,
            others: self.others.clone(),
            nets: self.parcels.pack(&header, net, league)?,
        }))
    }

    /// Returns the policy `net` with the settings of its evaluations.
    fn learner<'n>(&'n self, net: &'n Arc<dyn PolicyNet>) -> Learner<'n> {
        Learner {
            config: &self.config.evaluate,
            seed: self.config.seed,
            outputs: self.config.algorithm().outputs(),
            game: self.company.game,
            net,
            threads: self.hands.threads,
            stop: self.stop,
        }
    }

    fn header(&self) -> Header {
        self.state.header(self.config, self.company.game, &self.company.tables.rules)
    }

    /// Writes a checkpoint, unless the last one has the same state.
    fn save(&mut self) -> Result<(), TrainError> {
        let iteration = self.state.counts.iterations;
        if self.saved != Some(iteration) {
            let mut files = self.state.to_files(&self.header())?;
            self.folder.keep_config(self.config, &mut files)?;
            record::add_hash(&self.metrics, &mut files);
            self.named.add(&mut files);
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

    fn outcome(self, finished: bool, findings: Findings) -> Outcome {
        let header = self.header();
        let counts = self.state.counts;
        let (iteration, decisions) = (counts.iterations, counts.decisions);
        Outcome {
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

/// Returns whether the reports show the strongest policy so far, and stores its score in the state.
fn compare(state: &mut TrainState, reports: &[Report]) -> bool {
    let Some(bot) = reports.first().and_then(|report| report.bots.first()) else { return false };
    let place_score = bot.place_score.mean;
    if state.best.as_ref().is_some_and(|best| place_score <= best.place_score) {
        return false;
    }
    state.best = Some(Best { iteration: state.counts.iterations, place_score });
    true
}
