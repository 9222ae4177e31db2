//! Progress bars on standard error, and contests that show one.

use std::ops::Range;
use std::time::{Duration, Instant};

use cardsharp_bot::arena::{Contest, ContestUnit, Report};
use cardsharp_bot::workers;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::OutputStream;

/// A progress bar over a known number of steps. It is invisible unless standard error is a terminal that can be drawn
/// on.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// Shows a bar of `length` steps with the label `what`.
    pub(crate) fn units(length: u64, what: &'static str) -> Self {
        Self(bar(length, "{bar:30} {pos}/{len} {msg}, {eta} left").with_message(what))
    }

    pub(crate) fn advance(&self) {
        self.0.inc(1);
    }

    /// Sets the number of completed steps.
    #[cfg(any(feature = "dataset", feature = "train"))]
    pub(crate) fn reach(&self, steps: u64) {
        self.0.set_position(steps);
    }

    /// Removes the bar from the terminal.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// Returns a bar with `template`, or with indicatif's default style if the template is invalid.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let target = if OutputStream::Err.is_drawable() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("█▉▊▋▌▍▎▏ ")),
        Err(_) => bar,
    }
}

/// Plays contests on several threads. The results do not depend on the number of threads.
pub(crate) struct ContestRunner {
    pub(crate) threads: usize,
    begun: Instant,
    /// Rounds played so far.
    pub(crate) rounds: u64,
    pub(crate) time: Duration,
}

impl ContestRunner {
    pub(crate) fn new(threads: usize) -> Self {
        Self { threads, begun: Instant::now(), rounds: 0, time: Duration::ZERO }
    }

    pub(crate) fn report(&mut self, contest: &Contest) -> Report {
        let bar = Bar::units(contest.units(), "blocks of deals");
        let played = self.units(contest, 0..contest.units(), &bar);
        bar.finish();
        contest.report(&played)
    }

    /// Plays some units of a contest on all threads. The results are in the order of the units.
    pub(crate) fn units(&mut self, contest: &Contest, units: Range<u64>, bar: &Bar) -> Vec<ContestUnit> {
        let begun = Instant::now();
        let count = (units.end - units.start) as usize;
        let played = workers::in_order(self.threads, count, |number| {
            let played = contest.play(units.start + number as u64, &mut || self.begun.elapsed());
            bar.advance();
            played
        });
        self.time += begun.elapsed();
        self.rounds += played.iter().map(ContestUnit::rounds_played).sum::<u64>();
        played
    }
}
