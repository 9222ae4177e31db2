//! How far a sweep is, on standard error: a bar at a terminal, plain lines elsewhere.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cardsharp_trainer::sweep::{End, Run, Sweep};
use cardsharp_trainer::train;
use indicatif::ProgressBar;

use super::drive::Means;
use crate::bar::bar;
use crate::tables::signed;
use crate::{duration, shown};

/// Between two plain lines, unless there is news.
const QUIET: Duration = Duration::from_secs(10);

/// How far a sweep is.
pub(super) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    runs: usize,
    known: Mutex<Known>,
}

/// What was seen of it so far.
struct Known {
    /// Iterations that are done of each run.
    done: BTreeMap<Run, u64>,
    /// Iterations that this process has done.
    here: u64,
    /// Settings whose end was told.
    told: Vec<bool>,
    /// Runs that need no more training.
    ended: usize,
    going: usize,
    /// The best mean of those that finished, and the number of its setting.
    best: Option<(f64, usize)>,
    line: Instant,
}

impl Progress {
    /// A sweep in `folder`.
    pub(super) fn new(sweep: &Sweep, folder: &Path, means: Means) -> Self {
        let plan = sweep.plan();
        let runs = plan.trials * plan.seeds.len();
        let bar = bar(runs as u64 * plan.config.iterations, "{spinner} {bar:12} {msg}");
        bar.enable_steady_tick(Duration::from_millis(200));
        let known = Known {
            done: BTreeMap::new(),
            here: 0,
            told: Vec::new(),
            ended: 0,
            going: 0,
            best: None,
            line: Instant::now(),
        };
        let progress = Self { bar, begun: Instant::now(), runs, known: Mutex::new(known) };
        progress.say(&format!(
            "Sweep folder: {}. {runs} runs, {} at once with {} each. Press Ctrl-C to save and stop.",
            folder.display(),
            means.at_once,
            crate::tables::counted(means.threads as u64, "thread")
        ));
        progress
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What went wrong in a run without stopping it.
    pub(super) fn warn(&self, run: Run, warnings: &[String]) {
        for warning in warnings {
            self.say(&format!("warning: setting {}: {warning}", run.setting + 1));
        }
    }

    /// A run has done an iteration.
    pub(super) fn step(&self, run: Run, step: &train::Progress<'_>) {
        self.warn(run, step.warnings);
        let mut known = self.known();
        known.here += 1;
        known.done.insert(run, step.iteration);
        self.show(&mut known);
    }

    /// Something was decided, or runs began or ended.
    pub(super) fn told(&self, sweep: &Sweep, going: usize) {
        let mut known = self.known();
        known.going = going;
        known.told.resize(sweep.known(), false);
        let (plan, mut news) = (sweep.plan(), Vec::new());
        for setting in 0..sweep.known() {
            let Some(end) = sweep.end(setting).filter(|_| !known.told[setting]) else { continue };
            known.told[setting] = true;
            known.ended += plan.seeds.len();
            let mean = sweep.mean(setting);
            let figure = mean.map_or_else(String::new, |(_, mean)| signed(mean, 3));
            let told = match (end, mean) {
                (End::Finished, Some((_, mean))) => {
                    let better = |best: f64| plan.score(mean) > plan.score(best);
                    if known.best.is_none_or(|(best, _)| better(best)) {
                        known.best = Some((mean, setting));
                    }
                    format!("{figure}, finished")
                }
                (End::Stopped { .. }, Some((iteration, _))) => {
                    format!("{figure}, stopped at iteration {iteration}")
                }
                (End::Failed { reason } | End::Refused { reason }, _) => format!("failed: {reason}"),
                _ => figure,
            };
            let values = plan.told(sweep.values(setting));
            news.push(format!("setting {} of {} ({values}): {told}", setting + 1, plan.trials));
            for seed in 0..plan.seeds.len() {
                known.done.insert(Run { setting, seed }, plan.config.iterations);
            }
        }
        news.iter().for_each(|line| self.say(line));
        self.show(&mut known);
    }

    fn show(&self, known: &mut Known) {
        let done: u64 = known.done.values().sum();
        let all = self.bar.length().unwrap_or(done);
        let rate = known.here as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let mut parts = vec![format!("{}/{} runs · {} running", known.ended, self.runs, known.going)];
        if known.here > 0 {
            let left = Duration::from_secs_f64((all.saturating_sub(done) as f64 / rate.max(1e-6)).min(1e8));
            parts.push(format!("{} left · {rate:.1} iterations/s", duration::short(left)));
        }
        parts.extend(
            known.best.map(|(mean, setting)| format!("best {} (setting {})", signed(mean, 3), setting + 1)),
        );
        let text = parts.join(" · ");
        self.bar.set_position(done.min(all));
        self.bar.set_message(text.clone());
        if self.bar.is_hidden() && known.line.elapsed() >= QUIET {
            known.line = Instant::now();
            line(&text);
        }
    }

    /// A signal asked to stop.
    pub(super) fn stopping(&self) {
        self.say("Saving all runs …");
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, text: &str) {
        let text = &shown::page(text);
        if self.bar.is_hidden() { line(text) } else { self.bar.println(text) }
    }
}

/// A line on standard error. A sweep whose reader has left goes on to save.
fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
