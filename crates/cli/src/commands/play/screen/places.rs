//! The layout of the screen.

use ratatui::layout::{Constraint, Layout, Rect};

use super::draw::LEAST;
use super::state::Screen;
use super::styles::wrapped;

/// Columns and rows of the smallest terminal that can show everything.
pub(super) const SMALLEST: (u16, u16) = (60, 20);
/// From this width on, the events have a column on the right.
const WIDE: u16 = 104;

/// The panels of the screen.
pub(super) struct Places {
    pub(super) head: Rect,
    pub(super) table: Rect,
    pub(super) log: Rect,
    pub(super) hand: Rect,
    pub(super) moves: Rect,
    pub(super) keys: Rect,
}

impl Places {
    /// Returns the panels for the current size of the screen.
    pub(super) fn of(screen: &Screen) -> Self {
        let area = Rect::from((ratatui::layout::Position::ORIGIN, screen.size));
        let [head, body, keys] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)]).areas(area);
        let is_wide = area.width >= WIDE;
        let (main, beside) = match is_wide {
            true => {
                let across = [Constraint::Fill(1), Constraint::Length(area.width / 3)];
                let [main, log] = Layout::horizontal(across).areas(body);
                (main, Some(log))
            }
            false => (body, None),
        };
        let table_width = if is_wide { main.width } else { main.width * 3 / 5 };
        let hand_lines = wrapped(&screen.hand(), usize::from(main.width.saturating_sub(2)), "").len() as u16;
        let table_lines = screen.table(usize::from(table_width.saturating_sub(2)), usize::MAX).len() as u16;
        // The whole hand and some moves are always visible. The table gets what it needs of the other rows.
        let width = usize::from(main.width.saturating_sub(2));
        let rows = screen.moves.as_ref().map_or(1, |moves| moves.left.len().div_ceil(moves.across(width).0));
        let least_moves = rows.clamp(1, LEAST).max(2) as u16 + 2;
        let hand_height = hand_lines + 2;
        let rest = main.height.saturating_sub(hand_height + least_moves);
        let enough = if is_wide { table_lines + 2 } else { (table_lines + 2).max(8) };
        let rows =
            [Constraint::Length(enough.min(rest)), Constraint::Length(hand_height), Constraint::Fill(1)];
        let [top, hand, moves] = Layout::vertical(rows).areas(main);
        let [table, log] = match beside {
            Some(log) => [top, log],
            None => Layout::horizontal([Constraint::Length(table_width), Constraint::Fill(1)]).areas(top),
        };
        Self { head, table, log, hand, moves, keys }
    }
}
