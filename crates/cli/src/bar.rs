//! Progress bars on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::Stream;

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
    let target =
        if Stream::Err.is_drawable() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.progress_chars("█▉▊▋▌▍▎▏ ")),
        Err(_) => bar,
    }
}
