//! The events of the session, line by line.

use ratatui::text::Line;

use super::styles::wrapped;

/// The lines so far, and the scroll position.
#[derive(Default)]
pub(super) struct Log {
    lines: Vec<Line<'static>>,
    /// Number of lines below the last visible one.
    up: usize,
}

impl Log {
    /// Adds a line. Someone who has scrolled back keeps seeing the same lines.
    pub(super) fn push(&mut self, line: Line<'static>) {
        self.lines.push(line);
        self.up += usize::from(self.is_back());
    }

    /// Scrolls by this number of lines; positive numbers go back.
    pub(super) fn scroll(&mut self, by: isize) {
        self.up = self.up.saturating_add_signed(by).min(self.lines.len().saturating_sub(1));
    }

    /// Whether newer lines are hidden.
    pub(super) fn is_back(&self) -> bool {
        self.up > 0
    }

    /// Returns the lines that fill `height` rows of `width` columns, the newest at the bottom.
    pub(super) fn shown(&self, width: usize, height: usize) -> Vec<Line<'static>> {
        let last = self.lines.len() - self.up;
        let mut rows: Vec<Line<'static>> = Vec::new();
        // Each line takes at least one row.
        for line in &self.lines[last.saturating_sub(height)..last] {
            rows.extend(wrapped(line, width, "  "));
        }
        rows.split_off(rows.len().saturating_sub(height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_do_not_move_what_someone_reads() {
        let mut log = Log::default();
        let push = |log: &mut Log, numbers: std::ops::Range<u32>| {
            numbers.for_each(|number| log.push(Line::from(number.to_string())));
        };
        push(&mut log, 0..10);
        assert_eq!(log.shown(20, 2), [Line::from("8"), Line::from("9")]);
        log.scroll(3);
        let seen = log.shown(20, 2);
        assert_eq!(seen, [Line::from("5"), Line::from("6")]);
        push(&mut log, 10..15);
        assert_eq!(log.shown(20, 2), seen);
        log.scroll(-8);
        assert_eq!((log.is_back(), log.shown(20, 1)), (false, vec![Line::from("14")]));
    }
}
