//! What happened, line by line.

use ratatui::text::Line;

use super::styles::wrapped;

/// The lines so far, and how far the person has scrolled back.
#[derive(Default)]
pub(super) struct Log {
    lines: Vec<Line<'static>>,
    /// Lines below the last one that is shown.
    up: usize,
}

impl Log {
    /// Adds a line. Who looks at older ones goes on seeing them.
    pub(super) fn push(&mut self, line: Line<'static>) {
        self.lines.push(line);
    }

    /// Scrolls back by so many lines, or on.
    pub(super) fn scroll(&mut self, by: isize) {
        self.up = self.up.saturating_add_signed(by).min(self.lines.len().saturating_sub(1));
    }

    /// Whether newer lines are hidden.
    pub(super) fn is_back(&self) -> bool {
        self.up > 0
    }

    /// The lines that fill so many rows and columns, the newest at the bottom.
    pub(super) fn shown(&self, width: usize, height: usize) -> Vec<Line<'static>> {
        let last = self.lines.len() - self.up;
        let mut rows: Vec<Line<'static>> = Vec::new();
        // No line is less than a row high.
        for line in &self.lines[last.saturating_sub(height)..last] {
            rows.extend(wrapped(line, width, "  "));
        }
        rows.split_off(rows.len().saturating_sub(height))
    }
}
