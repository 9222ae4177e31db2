//! The progress of a sweep on standard error: a bar on a terminal, otherwise plain lines.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cardsharp_text::escape;
use cardsharp_text::format::{counted, duration, signed};
use cardsharp_trainer::sweep::{RunIndex, SettingEnd, Sweep};
use cardsharp_trainer::train;
use indicatif::ProgressBar;

use crate::progress::bar;

/// Time between two plain lines, unless there is news.
const QUIET: Duration = Duration::from_secs(10);

/// The display of a sweep's progress.
pub(super) struct SweepDisplay {
    bar: ProgressBar,
    begun: Instant,
    runs: usize,
    known: Mutex<Known>,
}

/// The part of the sweep's state that is shown.
struct Known {
    /// Completed iterations of each run.
    done: BTreeMap<RunIndex, u64>,
    /// Iterations completed by this process.
    here: u64,
    /// Whether the end of each setting was reported.
    reported: Vec<bool>,
    /// Runs that need no more training.
    ended: usize,
    going: usize,
    /// The best mean of finished settings, and the number of its setting.
    best: Option<(f64, usize)>,
    line: Instant,
}

impl SweepDisplay {
    /// Shows the progress of a sweep in `folder`, with the number of concurrent runs and the threads of each.
    pub(super) fn new(sweep: &Sweep, folder: &Path, [at_once, threads]: [usize; 2]) -> Self {
        let plan = sweep.plan();
        let runs = plan.trials * plan.seeds.len();
        let bar = bar(runs as u64 * plan.config.iterations, "{spinner} {bar:12} {msg}");
        bar.enable_steady_tick(Duration::from_millis(200));
        let known = Known {
            done: BTreeMap::new(),
            here: 0,
            reported: Vec::new(),
            ended: 0,
            going: 0,
            best: None,
            line: Instant::now(),
        };
        let progress = Self { bar, begun: Instant::now(), runs, known: Mutex::new(known) };
        progress.say(&format!(
            "Sweep folder: {}. {runs} runs, {at_once} at once with {} each. Press Ctrl-C to save and stop.",
            folder.display(),
            counted(threads as u64, "thread")
        ));
        progress
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn warn(&self, run: RunIndex, warnings: &[String]) {
        for warning in warnings {
            self.say(&format!("warning: setting {}: {warning}", run.setting + 1));
        }
    }

    /// Counts an iteration of a run.
    pub(super) fn step(&self, run: RunIndex, step: &train::Progress<'_>) {
        self.warn(run, step.warnings);
        let mut known = self.known();
        known.here += 1;
        known.done.insert(run, step.iteration);
        self.show(&mut known);
    }

    /// Shows decisions about settings, and the number of runs in training.
    pub(super) fn report(&self, sweep: &Sweep, going: usize) {
        let mut known = self.known();
        known.going = going;
        known.reported.resize(sweep.known(), false);
        let (plan, mut news) = (sweep.plan(), Vec::new());
        for setting in 0..sweep.known() {
            let Some(end) = sweep.end(setting).filter(|_| !known.reported[setting]) else { continue };
            known.reported[setting] = true;
            known.ended += plan.seeds.len();
            let mean = sweep.mean(setting);
            let figure = mean.map_or_else(String::new, |(_, mean)| signed(mean, 3));
            let outcome = match (end, mean) {
                (SettingEnd::Finished, Some((_, mean))) => {
                    let better = |best: f64| plan.score(mean) > plan.score(best);
                    if known.best.is_none_or(|(best, _)| better(best)) {
                        known.best = Some((mean, setting));
                    }
                    format!("{figure}, finished")
                }
                (SettingEnd::Stopped { .. }, Some((iteration, _))) => {
                    format!("{figure}, stopped at iteration {iteration}")
                }
                (SettingEnd::Failed { reason } | SettingEnd::Refused { reason }, _) => {
                    format!("failed: {reason}")
                }
                _ => figure,
            };
            let values = plan.describe(sweep.values(setting));
            news.push(format!("setting {} of {} ({values}): {outcome}", setting + 1, plan.trials));
            for seed in 0..plan.seeds.len() {
                known.done.insert(RunIndex { setting, seed }, plan.config.iterations);
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
            parts.push(format!("{} left · {rate:.1} iterations/s", duration(left)));
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

    /// Reports that a signal asked to stop.
    pub(super) fn stopping(&self) {
        self.say("Saving all runs …");
    }

    /// Removes the bar from the terminal.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, text: &str) {
        let text = &escape::page(text);
        if self.bar.is_hidden() { line(text) } else { self.bar.println(text) }
    }
}

/// Writes a line to standard error. Errors are ignored, so that the sweep can save its runs.
fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
