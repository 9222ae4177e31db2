//! Bars for people, on standard error at a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::Stream;

/// A bar over a known number of steps; invisible unless standard error is a terminal that can be drawn on.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar of `length` steps called `what`.
    pub(crate) fn units(length: u64, what: &'static str) -> Self {
        Self(bar(length, "{bar:30} {pos}/{len} {msg}, {eta} left").with_message(what))
    }

    /// One more step is done.
    pub(crate) fn advance(&self) {
        self.0.inc(1);
    }

    /// So many steps are done.
    #[cfg(any(feature = "dataset", feature = "train"))]
    pub(crate) fn reach(&self, steps: u64) {
        self.0.set_position(steps);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// `bar` with a template; indicatif's own where it does not know a word of it.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    let target =
        if Stream::Err.is_drawable() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("█▉▊▋▌▍▎▏ ")),
        Err(_) => bar,
    }
}
