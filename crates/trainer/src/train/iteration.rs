//! One iteration of a run: play, learn, evaluate, write the metrics, save.

use std::sync::Arc;
use std::time::Instant;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::arena::Report;
use cardsharp_bot::run_record::metric;

use super::context::{imitates, progress as progress_of};
use super::record::{self, Times};
use super::{Activity, Progress, TrainError, Training};
use crate::algorithms::{self, UpdateContext};
use crate::evaluate::Occasion;
use crate::metrics::MetricsRow;
use crate::rollout::{Decisions, Rollout, RolloutUnit};
use crate::state::{Actors, Best, TrainState};

/// The result of learning from a rollout.
struct Learned {
    /// The state of the run after the iteration.
    state: TrainState,
    net: Arc<dyn PolicyNet>,
    report: algorithms::UpdateReport,
    /// The rollout that was played meanwhile.
    ahead: Option<Rollout>,
    seconds: f64,
}

/// The evaluation of an iteration; without reports if it has none.
struct Evaluation {
    reports: Vec<Report>,
    /// Whether this is the strongest policy so far.
    is_best: bool,
    seconds: f64,
}

impl Training<'_> {
    /// Runs one iteration. The state changes only after the row of metrics is written. So an iteration that is stopped
    /// before is repeated with byte-identical results.
    pub(super) fn iterate(
        &mut self,
        progress: &mut dyn FnMut(&Progress<'_>),
        doing: &mut dyn FnMut(Activity),
    ) -> Result<(), TrainError> {
        let start = Instant::now();
        doing(Activity::Playing);
        let Rollout { unit, seconds: rollout_seconds } = self.play()?;
        doing(Activity::Learning);
        let mut learned = self.learn(&unit)?;
        let measured = self.measure(&mut learned, doing)?;
        let seconds = start.elapsed().as_secs_f64();
        let figures = self.figures(&unit, rollout_seconds, &learned, &measured, seconds);
        self.write(&figures, learned, unit.decisions)?;

        let (config, counts) = (self.config, self.state.counts);
        let is_last = counts.iterations == config.iterations;
        let is_due = counts.iterations.is_multiple_of(config.checkpoint.every);
        let checkpoint = is_last || measured.is_best || is_due;
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
            reports: &measured.reports,
            checkpoint: checkpoint.then(|| self.folder.checkpoints().path(counts.iterations)),
            warnings: &std::mem::take(&mut self.warnings),
        });
        if is_last {
            self.reports = Some(measured.reports);
        }
        Ok(())
    }

    /// Returns the rollout of the iteration: the one that was played ahead, or a new one.
    fn play(&mut self) -> Result<Rollout, TrainError> {
        let (config, done) = (self.config, self.state.counts.iterations);
        let rollout = match self.ahead.take() {
            Some(ahead) => ahead,
            None => {
                let of_actors = self.state.actors.as_ref().map(|actors| (&actors.net, &actors.league));
                let (net, league) = of_actors.unwrap_or((&self.net, &self.state.league));
                let (net, league) = (Arc::clone(net), league.clone());
                let request = self.request(done, &net, &league)?;
                let spare = self.spare.pop().unwrap_or_default();
                let setting = self.context.setting(config, done, &net, &league, self.stop);
                self.workers.play(&setting, request.as_ref(), spare)?
            }
        };
        if rollout.unit.decisions.is_empty() {
            return Err(TrainError::NothingToLearn);
        }
        let faults = self.context.faults()?;
        if faults != self.faults {
            self.warnings.extend(self.context.faults_summary(&config.league.opponent));
            self.faults = faults;
        }
        Ok(rollout)
    }

    /// Learns from a rollout. With `rollout.overlap`, also plays the next one, with the policy from before the update.
    fn learn(&mut self, unit: &RolloutUnit) -> Result<Learned, TrainError> {
        let (config, done) = (self.config, self.state.counts.iterations);
        let behind = match config.rollout.overlap && done + 1 < config.iterations {
            true => {
                let (net, league) = (Arc::clone(&self.net), self.state.league.clone());
                Some((self.request(done + 1, &net, &league)?, self.spare.pop().unwrap_or_default()))
            }
            false => None,
        };
        let start = Instant::now();
        let mut state = self.state.clone();
        let step = UpdateContext {
            progress: progress_of(config, done),
            seed: config.seed,
            iteration: done,
            imitate: imitates(config, done),
            distill: &unit.distill,
            threads: self.workers.threads,
            device: &self.device,
            stop: self.stop,
        };
        let mut update = || config.algorithm().update(&mut state.learner, &unit.decisions, &step);
        let workers = self.workers;
        let setting = self.context.setting(config, done + 1, &self.net, &self.state.league, self.stop);
        let (report, ahead) = match behind {
            Some((request, spare)) => std::thread::scope(|scope| {
                let ahead = scope.spawn(|| workers.play(&setting, request.as_ref(), spare));
                (update(), Some(ahead.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
            }),
            None => (update(), None),
        };
        let report = report?;
        let ahead = ahead.transpose()?;
        state.actors = config.rollout.overlap.then(|| {
            let (net, league) = (Arc::clone(&self.net), self.state.league.clone());
            Actors { net, league }
        });
        let seconds = start.elapsed().as_secs_f64();

        let counts = &mut state.counts;
        counts.iterations += 1;
        counts.decisions += unit.decisions.len() as u64;
        counts.rounds += unit.played.rounds;
        counts.sessions += unit.played.sessions;
        let net = state.learner.actor()?;
        state.league.add(&config.league, state.counts.iterations, &net);
        Ok(Learned { state, net, report, ahead, seconds })
    }

    /// Evaluates the new policy, if an evaluation is due.
    fn measure(
        &mut self,
        learned: &mut Learned,
        doing: &mut dyn FnMut(Activity),
    ) -> Result<Evaluation, TrainError> {
        let (config, done) = (self.config, learned.state.counts.iterations);
        let start = Instant::now();
        let occasion = if done == config.iterations {
            Some(Occasion::Final)
        } else if config.evaluate.every > 0 && done.is_multiple_of(config.evaluate.every) {
            Some(Occasion::During)
        } else {
            None
        };
        let reports = match occasion {
            Some(occasion) => {
                doing(Activity::Measuring);
                self.baselines.run(&self.learner(&learned.net), occasion)?
            }
            None => Vec::new(),
        };
        let seconds = start.elapsed().as_secs_f64();
        self.warnings.extend(reports.iter().flat_map(Report::faults_summaries));
        let is_best = compare(&mut learned.state, &reports);
        Ok(Evaluation { reports, is_best, seconds })
    }

    /// Returns all metrics of the iteration by name; `seconds` is the time of the whole iteration.
    fn figures(
        &self,
        unit: &RolloutUnit,
        rollout_seconds: f64,
        learned: &Learned,
        measured: &Evaluation,
        seconds: f64,
    ) -> Vec<(String, f64)> {
        let Learned { state, report, seconds: learn_seconds, .. } = learned;
        let decisions = unit.decisions.len();
        let rollout = record::of_rollout(self.config, &unit.played, decisions, state.league.pool.len());
        let workers = &self.workers;
        let cores = (seconds - measured.seconds) * workers.threads as f64;
        let times = Times {
            decisions: decisions as f64,
            samples: report.samples as f64,
            iteration: seconds,
            rollout: rollout_seconds,
            learn: *learn_seconds,
            network: report.network,
            optimizer: report.optimizer,
            evaluate: measured.seconds,
            cores: workers.remote.is_none().then_some(cores),
        };
        let mut figures = record::figures(rollout);
        figures.extend(report.metrics.iter().map(|(name, value)| (name.to_string(), *value)));
        figures.extend(self.baselines.figures(&measured.reports));
        figures.extend(record::figures(times.metrics()));
        figures
    }

    /// Writes the row of metrics, then adopts the new state. The memory of `decisions` is reused.
    fn write(
        &mut self,
        figures: &[(String, f64)],
        learned: Learned,
        decisions: Decisions,
    ) -> Result<(), TrainError> {
        let Learned { state, net, report, ahead, .. } = learned;
        let mut row = MetricsRow::new(state.counts.iterations, state.counts.decisions);
        figures.iter().for_each(|(name, value)| row.set(name, *value));
        self.folder.check()?;
        self.metrics.write(&row)?;
        (self.state, self.net, self.ahead) = (state, net, ahead);
        self.spare.push(decisions);
        let every = self.config.metrics.histograms_every;
        if every > 0 && self.state.counts.iterations.is_multiple_of(every) {
            self.metrics.histogram(metric::ADVANTAGES.name, &report.advantages);
            self.metrics.histogram(metric::RETURNS.name, &report.returns);
            self.metrics.histogram(metric::WEIGHTS.name, &self.state.learner.policy.weights);
        }
        self.warnings.extend(self.metrics.warning());
        Ok(())
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
