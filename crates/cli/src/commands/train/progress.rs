//! The progress of a run on standard error: a bar on a terminal, otherwise plain lines.

use std::cell::Cell;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use cardsharp_bot::Report;
use cardsharp_bot::run_record::metric::{self, Metric};
use cardsharp_text::{escape, format};
use cardsharp_trainer::train::{Activity, Progress};
use indicatif::ProgressBar;

use crate::progress::bar;
use crate::terminal::OutputStream;

/// Width of a progress line without its two numbers and the figures: mark, activity, bar, spaces.
const BAR: usize = 2 + 10 + 13 + 1;
/// Time between two plain lines, unless there is news.
const QUIET: Duration = Duration::from_secs(10);

/// The display of a run's progress.
pub(super) struct RunProgress {
    bar: ProgressBar,
    begun: Instant,
    /// When the last plain line was written.
    written: Cell<Instant>,
    /// Iterations completed by this process.
    here: Cell<u32>,
    /// The last measured place score.
    score: Cell<Option<f64>>,
}

impl RunProgress {
    /// Shows the progress of a run of `iterations` in the folder `run`.
    pub(super) fn new(iterations: u64, run: &Path) -> Self {
        let bar = bar(iterations, "{spinner} {prefix:9} {bar:12} {pos}/{len} {msg}");
        bar.enable_steady_tick(Duration::from_millis(200));
        let now = Instant::now();
        let progress =
            Self { bar, begun: now, written: Cell::new(now), here: Cell::new(0), score: Cell::new(None) };
        progress.say(&format!("Run folder: {}. Press Ctrl-C to save and stop.", run.display()));
        progress
    }

    /// Shows the current activity of the run.
    pub(super) fn doing(&self, what: Activity) {
        self.bar.set_prefix(match what {
            Activity::Playing => "playing",
            Activity::Learning => "learning",
            Activity::Measuring => "measuring",
            Activity::Saving => "saving",
        });
    }

    pub(super) fn step(&self, step: &Progress<'_>) {
        let here = self.here.get() + 1;
        self.here.set(here);
        for warning in step.warnings {
            self.say(&format!("warning: {warning}"));
        }
        let left =
            self.begun.elapsed() / here * u32::try_from(step.iterations - step.iteration).unwrap_or(u32::MAX);
        let figure = |metric: Metric| {
            step.figures.iter().find(|(name, _)| *name == metric.name).map(|(_, value)| *value)
        };
        if let Some(report) = step.reports.first() {
            self.score.set(Some(report.place_score().mean));
        }
        // The most important figures come first, because a narrow terminal has room for only some.
        let mut parts = vec![format!("{} left", format::duration(left))];
        parts.extend(self.score.get().map(|score| format!("score {score:+.3}")));
        if let Some(rate) = figure(metric::DECISION_RATE) {
            parts.push(format!("{} decisions/s", short(rate)));
        }
        if let Some(entropy) = figure(metric::ENTROPY) {
            parts.push(format!("entropy {entropy:.2}"));
        }
        let times = [metric::ROLLOUT_TIME, metric::LEARN_TIME, metric::ITERATION_TIME].map(figure);
        if let [Some(play), Some(learn), Some(all)] = times {
            parts.push(format!("{:.0} % playing, {:.0} % learning", 100.0 * play / all, 100.0 * learn / all));
        }
        let message = parts.join(" · ");
        let before = BAR + format!("{}/{}", step.iteration, step.iterations).len();
        self.bar.set_position(step.iteration);
        self.bar
            .set_message(fitting(&parts, OutputStream::Err.columns().unwrap_or(80).saturating_sub(before)));
        let news = !step.reports.is_empty() || step.iteration == step.iterations;
        if self.bar.is_hidden() && (news || self.written.get().elapsed() >= QUIET || here == 1) {
            self.written.set(Instant::now());
            line(&format!("iteration {}/{} · {message}", step.iteration, step.iterations));
        }
        for report in step.reports {
            self.say(&measured(step.iteration, report));
        }
    }

    /// Removes the bar, and shows the warnings that no iteration has shown.
    pub(super) fn finish(&self, warnings: &[String]) {
        self.bar.finish_and_clear();
        for warning in warnings {
            self.say(&format!("warning: {warning}"));
        }
    }

    fn say(&self, text: &str) {
        let text = &escape::page(text);
        if self.bar.is_hidden() { line(text) } else { self.bar.println(text) }
    }
}

/// Joins the first parts of a message, as many as fit into `room` characters.
fn fitting(parts: &[String], room: usize) -> String {
    let mut text = String::new();
    for part in parts {
        let longer = if text.is_empty() { part.clone() } else { format!("{text} · {part}") };
        if longer.chars().count() > room {
            break;
        }
        text = longer;
    }
    text
}

/// Writes a line to standard error. Errors are ignored, so that the run can still save after the terminal was closed.
fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn measured(iteration: u64, report: &Report) -> String {
    let other = report.bots.get(1).map_or("itself", |bot| bot.name.as_str());
    let score = report.place_score();
    let (mean, low, high) = (score.mean, score.low, score.high);
    format!("iteration {iteration}: place score against {other} {mean:+.3} ({low:+.3} … {high:+.3})")
}

/// Formats a number; 12345 becomes `12.3k`.
fn short(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.1}M", n / 1e6),
        n if n >= 1e3 => format!("{:.1}k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{fitting, short};

    #[test]
    fn parts_without_room_are_left_out() {
        let parts = ["5m left", "score +0.1", "12k decisions/s"].map(str::to_owned);
        assert_eq!(fitting(&parts, 100), "5m left · score +0.1 · 12k decisions/s");
        assert_eq!(fitting(&parts, 25), "5m left · score +0.1");
        assert_eq!(fitting(&parts, 3), "");
    }

    #[test]
    fn numbers_are_shortened() {
        assert_eq!([12.0, 999.0, 1234.0, 2_500_000.0].map(short), ["12", "999", "1.2k", "2.5M"]);
    }
}
