//! The loop of a training run.
//!
//! | metric | what it tells |
//! |---|---|
//! | `rollout/sessions`, `rollout/rounds` | what the iteration played |
//! | `rollout/decisions` | how many decisions of the learner came out of it, forced moves left out |
//! | `rollout/score_past`, `rollout/score_scripted` | mean place score of the learner's seats in the sessions with past selves and with the scripted player |
//! | `rollout/score_searching`, `rollout/score_opponent` | the same in sessions with searchers and with the opponent, in runs that have any |
//! | `rollout/moved` | mean divergence KL(target ‖ π), in nats, of what searchers taught from the policy that played, in runs that learn of it: how much search has to say |
//! | `league/snapshots` | past selves in the pool |
//! | `arena/NAME/…` | the learner in one seat among copies of a baseline, with its 95 % interval |
//! | `throughput/decisions_per_second` | decisions of the whole iteration over its time, evaluation included |
//! | `throughput/rollout`, `throughput/learner` | decisions per second while playing; samples (decisions times epochs) per second while learning |
//! | `time/iteration`, `time/rollout`, `time/learn`, `time/optimizer`, `time/evaluate` | seconds |
//! | `time/network` | seconds of all threads together |
//!
//! Where rollouts overlap with learning, `time/rollout` was for the most part spent while another iteration learned.
//!
//! The algorithm's own metrics are explained in its file.

mod error;
mod record;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use cardsharp_bot::arena::Report;
use cardsharp_bot::bots::search::{Budget, DEFAULT_SIMULATIONS};
use cardsharp_bot::bots::{self, load, network};
use cardsharp_bot::bundle::{self, Extras};
use cardsharp_bot::disk;
use cardsharp_bot::file::Header;
use cardsharp_bot::net::Net;
use cardsharp_env::{AnyGame, Games};

use crate::algorithms::{Desks, Step};
use crate::checkpoint::{Checkpoint, Checkpoints, Latest};
use crate::config::Config;
use crate::device::Device;
use crate::evaluate::{Baselines, Findings, Learner, Occasion};
use crate::league::League;
use crate::metrics::{Metrics, Row};
use crate::rollout::{Decisions, Rollout, Searchers, Setting, Tables};
use crate::run_folder::{CHECKPOINTS, RunError, RunFolder};
use crate::state::{Actors, Best, TrainState};

pub use error::{BundleError, TrainError};

/// What a run is doing.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Playing sessions with the current policy.
    Playing,
    /// Learning from what was played.
    Learning,
    /// Playing against the baselines.
    Measuring,
    /// Writing a checkpoint.
    Saving,
}

/// What is told after every iteration.
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
    /// All figures of the iteration by name, as in the record.
    pub figures: &'a [(String, f64)],
    /// What the arena found, one report for each baseline; empty where none was held.
    pub reports: &'a [Report],
    /// The checkpoint that was written, if any.
    pub checkpoint: Option<PathBuf>,
    /// What went wrong without stopping the run.
    pub warnings: &'a [String],
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// Whether all iterations are complete; otherwise it was asked to stop.
    pub finished: bool,
    /// Iterations that are complete.
    pub iteration: u64,
    /// Decisions of the learner since the run began.
    pub decisions: u64,
    /// The learner as it is now.
    pub net: Arc<Net>,
    /// What a file of that network says about itself.
    pub header: Header,
    /// The strongest state that was measured and kept.
    pub best: Option<Best>,
    /// The evaluation after the last iteration; empty if stopped before.
    pub findings: Findings,
}

impl Outcome {
    /// Writes the network that came of a run by `config`, with what was measured, as a bundle. An existing one is
    /// replaced.
    ///
    /// # Errors
    /// The network fits no game of `games`, or the folder cannot be written.
    pub fn export(&self, games: &Games, config: &Config, to: &Path) -> Result<(), BundleError> {
        // A command finds the figures again only if all networks pick alike, as they do at 0.
        let contests = if config.is_repeatable() { self.findings.contests(games)? } else { Vec::new() };
        let extras = Extras { contests, levels: None, seed: config.seed };
        Ok(bundle::export(games, &self.header, &self.net, &extras, to)?)
    }
}

/// Trains until the last iteration of `config`, or until `stop` is set: then what is under way, an iteration
/// or a measurement, is dropped, a checkpoint written and the run left. Goes on from the newest checkpoint in
/// `folder`, if it has any, to exactly the state that it would have reached in one go. `progress` is called
/// after each iteration, `doing` whenever the run turns to something else.
///
/// # Errors
/// The configuration does not fit the game, the folder cannot be read or written, is not where it was or
/// is not as the run left it, or the numbers of the network are no longer finite. If that was before the first
/// iteration was done, the folder is as it was before it was opened: that of a new run is gone.
pub fn train(
    config: &Config,
    folder: &RunFolder,
    progress: &mut dyn FnMut(&Progress<'_>),
    doing: &mut dyn FnMut(Activity),
    stop: &AtomicBool,
) -> Result<Outcome, TrainError> {
    let mut run = Run::open(config, folder, stop).inspect_err(|_| folder.abandon())?;
    let begun = run.state.counts.iterations;
    match run.finish(progress, doing) {
        Ok(findings) => Ok(run.outcome(true, findings)),
        Err(TrainError::Stopped(_)) => {
            run.save()?;
            Ok(run.outcome(false, Findings::default()))
        }
        Err(error) => {
            if run.state.counts.iterations == begun {
                folder.abandon();
            }
            Err(error)
        }
    }
}

/// The checkpoint of a run that is worth exporting: its best one, or the newest where none was measured. What is no
/// folder of a run is given back as it is; none of a run without a checkpoint.
///
/// # Errors
/// The run cannot be read, or is of no game of `games`.
pub fn worth_exporting(games: &Games, given: &Path) -> Result<Option<PathBuf>, TrainError> {
    match RunFolder::config_among(games, given) {
        Err(RunError::Absent { .. }) => return Ok(Some(given.to_owned())),
        other => other?,
    };
    let checkpoints = Checkpoints::new(&given.join(CHECKPOINTS), 1);
    let latest = checkpoints.latest_valid()?;
    Ok(latest.map(|Latest { checkpoint, .. }| {
        checkpoint.best.map_or(checkpoint.path, |iteration| checkpoints.path(iteration))
    }))
}

/// A run in progress.
struct Run<'a> {
    config: &'a Config,
    folder: &'a RunFolder,
    stop: &'a AtomicBool,
    game: &'static dyn AnyGame,
    tables: Tables,
    baselines: Baselines,
    /// The bot that holds all seats but one, if there is one.
    opponent: Option<bots::Player>,
    /// Who searches, if anybody does.
    searchers: Option<Searchers>,
    threads: usize,
    device: Device,
    desks: Desks,
    /// Memory for the decisions of an iteration, which are so many that the system would have to clear it anew each time.
    rooms: Vec<Decisions>,
    /// What was played while the last iteration learned.
    ahead: Option<Rollout>,
    state: TrainState,
    /// The policy as actors use it.
    net: Arc<Net>,
    metrics: Metrics,
    /// Iterations that were complete at the last checkpoint.
    saved: Option<u64>,
    warnings: Vec<String>,
    /// The evaluation after the last iteration.
    reports: Option<Vec<Report>>,
}

impl<'a> Run<'a> {
    fn open(config: &'a Config, folder: &'a RunFolder, stop: &'a AtomicBool) -> Result<Self, TrainError> {
        let game = config.game().ok_or_else(|| TrainError::Game { game: config.game.clone() })?;
        let tables = Tables::new(game, &config.rollout)?;
        let baselines = Baselines::new(&config.evaluate, game, &tables.rules[0])?;
        let league = &config.league;
        let opponent = match league.opponent.as_str() {
            "" => None,
            spec => Some(load(spec, game, league.temperature)?),
        };
        let searchers = match league.searchers() {
            None => None,
            Some((spec, current)) => {
                let tries = spec.simulations.unwrap_or(DEFAULT_SIMULATIONS);
                let mut settings = spec.settings(Budget::Simulations(tries));
                if let Some(bot) = spec.net.filter(|_| !current) {
                    let (_, net) = network(bot, game).map_err(TrainError::Searcher)?;
                    settings.net = Some(Arc::new(net));
                }
                Some(Searchers { settings, current })
            }
        };
        let mut warnings = Vec::new();
        let (state, saved, record) = match folder.checkpoints().latest_valid()? {
            Some(Latest { checkpoint: Checkpoint { path, iteration, best, mut files }, refused }) => {
                folder.checkpoints().tidy(iteration, best)?;
                warnings.extend(refused.iter().map(|error| format!("checkpoint passed over: {error}")));
                folder.check_config(config, &path, &mut files)?;
                let record = record::hash_from(&mut files)?;
                (TrainState::from_files(config, game, &files)?, Some(iteration), Some(record))
            }
            None => {
                // A stop between a row and the first checkpoint, which is due then, leaves that many.
                Metrics::check_unbegun(folder.path(), config.checkpoint.every)?;
                (TrainState::begin(config, game)?, None, None)
            }
        };
        let device = config.device.open()?;
        let done = state.counts.iterations;
        let columns = record::columns(config, &baselines);
        let tensorboard = config.metrics.tensorboard;
        let mut metrics = Metrics::open(folder.path(), columns, done, record.as_deref(), tensorboard)?;
        // A checkpoint that is on the disk needs the record under its name.
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
        let net = Arc::new(state.learner.net()?);
        let reports = None;
        Ok(Self {
            config,
            folder,
            stop,
            game,
            tables,
            baselines,
            opponent,
            searchers,
            threads,
            device,
            desks: Desks::default(),
            rooms: Vec::new(),
            ahead: None,
            state,
            net,
            metrics,
            saved,
            warnings,
            reports,
        })
    }

    /// The iterations that are left, and what is measured after the last one.
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
            // The run was resumed after its last iteration: measure the same once more.
            None => {
                doing(Activity::Measuring);
                self.baselines.run(&self.learner(&self.net), Occasion::Final)?
            }
        };
        if !self.config.evaluate.tables.is_empty() {
            doing(Activity::Measuring);
        }
        let tables = self.baselines.run_tables(&self.learner(&self.net))?;
        Ok(Findings { reports, tables })
    }

    /// One iteration: play, learn, measure, record, keep. Until it is on record nothing of it shows in the
    /// state: one that is stopped before is played again, to the same bytes.
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
                let room = self.rooms.pop().unwrap_or_default();
                let TrainState { actors, league, .. } = &self.state;
                let (net, league) = actors.as_ref().map_or((&self.net, league), |a| (&a.net, &a.league));
                Rollout::play(
                    &self.setting(done, net, league),
                    self.config.rollout.units,
                    self.threads,
                    room,
                )?
            }
        };
        let Rollout { decisions, lessons, played, seconds: rollout_seconds } = rollout;
        if decisions.is_empty() {
            return Err(TrainError::NothingToLearn);
        }

        let learn = Instant::now();
        doing(Activity::Learning);
        let mut next = self.state.clone();
        let step = Step {
            progress: self.progress(done),
            seed: config.seed,
            iteration: done,
            imitate: self.imitates(done),
            lessons: &lessons,
            threads: self.threads,
            device: &self.device,
            desks: &self.desks,
            stop: self.stop,
        };
        let mut update = || config.algorithm().update(&mut next.learner, &decisions, &step);
        let (report, ahead) = if config.rollout.overlap && done + 1 < config.iterations {
            let room = self.rooms.pop().unwrap_or_default();
            let setting = self.setting(done + 1, &self.net, &self.state.league);
            let (units, threads) = (config.rollout.units, self.threads);
            std::thread::scope(|scope| {
                let ahead = scope.spawn(|| Rollout::play(&setting, units, threads, room));
                (update(), ahead.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).ok())
            })
        } else {
            (update(), None)
        };
        let report = report?;
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
        let net = Arc::new(next.learner.net()?);
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
            measure.elapsed().as_secs_f64(),
        ]));
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

    /// Whether the iteration after so many imitates the scripted player.
    fn imitates(&self, done: u64) -> bool {
        done < self.config.algorithm().imitated()
    }

    /// 0 in the first, 1 in the last iteration, which comes after so many.
    fn progress(&self, done: u64) -> f32 {
        done as f32 / (self.config.iterations - 1).max(1) as f32
    }

    /// What the iteration after so many is played with, by a policy with these past selves.
    fn setting<'s>(&'s self, done: u64, policy: &'s Arc<Net>, league: &'s League) -> Setting<'s> {
        let algorithm = self.config.algorithm();
        Setting {
            game: self.game,
            tables: &self.tables,
            sessions: self.config.rollout.sessions,
            reveal: self.state.learner.critic.is_some(),
            discounts: algorithm.discounts(),
            acting: algorithm.acting(self.progress(done)),
            policy,
            league,
            seats: &self.config.league,
            searchers: self.searchers.as_ref(),
            teaching: algorithm.teaching(),
            opponent: self.opponent.as_ref(),
            seed: self.config.seed,
            iteration: done,
            imitate: self.imitates(done),
            stop: self.stop,
        }
    }

    /// A policy to be measured.
    fn learner<'n>(&'n self, net: &'n Arc<Net>) -> Learner<'n> {
        Learner {
            config: &self.config.evaluate,
            seed: self.config.seed,
            outputs: self.config.algorithm().outputs(),
            game: self.game,
            net,
            threads: self.threads,
            stop: self.stop,
        }
    }

    fn header(&self) -> Header {
        self.state.header(self.config, self.game, &self.tables.rules)
    }

    /// Writes a checkpoint of the state, unless the last one is of the same.
    fn save(&mut self) -> Result<(), TrainError> {
        let iteration = self.state.counts.iterations;
        if self.saved != Some(iteration) {
            let mut files = self.state.to_files(&self.header())?;
            self.folder.keep_config(self.config, &mut files)?;
            record::add_hash(&self.metrics, &mut files);
            self.folder.check()?;
            self.metrics.sync()?;
            let best = self.state.best.as_ref().map(|best| best.iteration);
            if let Err(error) = self.folder.checkpoints().write(iteration, best, &files) {
                // That the folder went says more than which of its files could not be written.
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
        Outcome { finished, iteration, decisions, net: self.net, header, best: self.state.best, findings }
    }
}

/// Whether the reports show the strongest state so far; the state then remembers it.
fn compare(state: &mut TrainState, reports: &[Report]) -> bool {
    let Some(bot) = reports.first().and_then(|report| report.bots.first()) else { return false };
    let place_score = bot.place_score.mean;
    if state.best.as_ref().is_some_and(|best| place_score <= best.place_score) {
        return false;
    }
    state.best = Some(Best { iteration: state.counts.iterations, place_score });
    true
}
