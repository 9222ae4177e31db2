//! The layout of the screen: the panels, and the lines in those whose size depends on their content.

use cardsharp_env::Seated;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::messages::TableView;
use crate::state::Screen;
use crate::text::wrapped;

/// Columns and rows of the smallest terminal that can show everything.
pub(crate) const SMALLEST: (u16, u16) = (60, 20);
/// From this width on, the events have a column on the right.
const WIDE: u16 = 104;
/// Below this width, the events are under the table if there is room.
const NARROW: u16 = 76;
/// The fewest and the most rows of the events under the table, with their frame.
const LOG_ROWS: [u16; 2] = [3, 7];
/// Rows of the table below the players that are visible at least, if the events are under it.
const LEAST_FACTS: u16 = 2;
/// The fewest columns of the events to the right of the table, with their frame.
const LEAST_LOG: u16 = 16;
/// Rows of moves that are always visible, if there are that many.
pub(crate) const LEAST_MOVES: usize = 3;

pub(crate) struct Panels {
    pub(crate) head: Rect,
    pub(crate) table: Rect,
    pub(crate) log: Rect,
    pub(crate) hand: Rect,
    pub(crate) moves: Rect,
    pub(crate) keys: Rect,
}

impl Panels {
    /// Returns the panels for the current size of the screen.
    pub(crate) fn of(screen: &Screen) -> Self {
        let area = Rect::from((Position::ORIGIN, screen.size));
        let [head, body, keys] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)]).areas(area);
        let is_wide = area.width >= WIDE;
        let (main, right) = match is_wide {
            true => {
                let across = [Constraint::Fill(1), Constraint::Length(area.width / 3)];
                let [main, log] = Layout::horizontal(across).areas(body);
                (main, Some(log))
            }
            false => (body, None),
        };
        let hand_lines = wrapped(&hand(screen), usize::from(main.width.saturating_sub(2)), "").len() as u16;
        let table_lines =
            |width: u16| table(screen, usize::from(width.saturating_sub(2)), usize::MAX).len() as u16;
        // The whole hand and some moves are always visible. The table gets what it needs of the other rows.
        let width = usize::from(main.width.saturating_sub(2));
        let rows =
            screen.moves.as_ref().map_or(1, |moves| moves.matching.len().div_ceil(moves.across(width).0));
        let least_moves = rows.clamp(1, LEAST_MOVES).max(2) as u16 + 2;
        let hand_height = hand_lines + 2;
        let rest = main.height.saturating_sub(hand_height + least_moves);
        let full = table_lines(main.width) + 2;
        let lines = |height: usize| table(screen, usize::MAX, height).len() as u16;
        // Without room there are only the players.
        let (players, all) = (lines(0), lines(usize::MAX));
        let least = all.min(players + LEAST_FACTS) + 2 + LOG_ROWS[0];
        let is_stacked = !is_wide && main.width < NARROW && least <= rest;
        let usual = main.width * 3 / 5;
        let table_width = match () {
            () if is_wide || is_stacked => main.width,
            () if table_lines(usual) + 2 <= rest => usual,
            // The rows of the players need more columns to be complete.
            () => usual.max((players_width(screen) as u16 + 2).min(main.width.saturating_sub(LEAST_LOG))),
        };
        let enough = match () {
            () if is_wide => full,
            () if is_stacked => full + LOG_ROWS[1],
            () => (table_lines(table_width) + 2).max(8),
        };
        let rows =
            [Constraint::Length(enough.min(rest)), Constraint::Length(hand_height), Constraint::Fill(1)];
        let [top, hand, moves] = Layout::vertical(rows).areas(main);
        let [table, log] = match right {
            Some(log) => [top, log],
            None if is_stacked => {
                let rows = full.min(top.height.saturating_sub(LOG_ROWS[0]));
                Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(top)
            }
            None => Layout::horizontal([Constraint::Length(table_width), Constraint::Fill(1)]).areas(top),
        };
        Self { head, table, log, hand, moves, keys }
    }
}

/// The row of a player: the text, and the notes after it.
struct PlayerRow {
    text: String,
    notes: Vec<String>,
    is_turn: bool,
}

impl PlayerRow {
    fn line(&self, screen: &Screen, notes: String) -> Line<'static> {
        let style = if self.is_turn { screen.theme.strong() } else { Style::new() };
        let faint = if self.is_turn { style } else { screen.theme.faint() };
        Line::from(vec![Span::styled(self.text.clone(), style), Span::styled(notes, faint)])
    }
}

/// Returns the rows of the players. Short rows have no names of bots and no wide columns.
fn player_rows(position: &TableView, is_short: bool) -> Vec<PlayerRow> {
    let Some(scene) = &position.scene else { return Vec::new() };
    let name = |seat: usize| match position.names[seat].split_once(" (") {
        Some((name, _)) if is_short => name,
        _ => position.names[seat].as_str(),
    };
    let widest = scene.players.iter().map(|player| name(player.seat.index()).chars().count()).max();
    let widest = widest.unwrap_or(0);
    let written = |points: i32| if is_short { format!(" {points} pts") } else { format!("{points:>5} pts") };
    let points = |player: &Seated| player.points.map_or(String::new(), written);
    let wide = scene.players.iter().map(|player| points(player).len()).max().unwrap_or(0);
    let row = |player: &Seated| {
        let mark = if player.is_turn { "▶ " } else { "  " };
        let cards = match player.cards {
            None => "out".to_owned(),
            Some(1) => " 1 card ".to_owned(),
            Some(cards) => format!("{cards:>2} cards"),
        };
        let (name, points) = (name(player.seat.index()), points(player));
        let text = format!("{mark}{name:<widest$} {cards:<8}{points:>wide$}  ");
        PlayerRow { text, notes: player.notes.clone(), is_turn: player.is_turn }
    };
    scene.players.iter().map(row).collect()
}

/// Returns the columns that the short rows of the players need.
fn players_width(screen: &Screen) -> usize {
    let rows = screen.position.iter().flat_map(|position| player_rows(position, true));
    rows.map(|row| row.line(screen, row.notes.join(", ")).width()).max().unwrap_or(0)
}

/// Returns the players and the other facts, in at most `width` columns and `height` rows. If they do not fit, the
/// names and notes of players are shortened, then the first facts are dropped. The cards on the table are last, so they
/// stay.
pub(crate) fn table(screen: &Screen, width: usize, height: usize) -> Vec<Line<'static>> {
    let Some(position) = &screen.position else { return Vec::new() };
    let Some(scene) = &position.scene else { return Vec::new() };
    let theme = &screen.theme;
    let rows = |text: &String| wrapped(&Line::from(theme.words(text, Style::new())), width, "  ");
    let known: Vec<_> = scene.table.iter().flat_map(rows).collect();
    let whole = |is_short: bool| -> Vec<_> {
        let rows = player_rows(position, is_short);
        rows.iter()
            .flat_map(|row| wrapped(&row.line(screen, row.notes.join(", ")), width, "      "))
            .collect()
    };
    let cut = |row: PlayerRow| {
        let room = width.saturating_sub(row.text.chars().count());
        row.line(screen, fitting_notes(&row.notes, room))
    };
    let fits = |lines: &Vec<Line<'static>>| lines.len() + known.len() <= height;
    let mut lines = [false, true]
        .into_iter()
        .map(whole)
        .find(fits)
        .unwrap_or_else(|| player_rows(position, true).into_iter().map(cut).collect());
    let room = height.saturating_sub(lines.len()).min(known.len());
    lines.extend_from_slice(&known[known.len() - room..]);
    lines
}

/// Joins as many notes as fit into `width` characters, the last ones rather than the first ones, or the start of the
/// last one. A mark shows that some are missing.
pub(crate) fn fitting_notes(notes: &[String], width: usize) -> String {
    let all = notes.join(", ");
    let fits = |text: &String| text.chars().count() <= width;
    if fits(&all) {
        return all;
    }
    let mut some = (1..notes.len()).rev().flat_map(|count| {
        let (first, last) = (&notes[..count], &notes[notes.len() - count..]);
        [format!("…, {}", last.join(", ")), format!("{}, …", first.join(", "))]
    });
    some.find(fits).unwrap_or_else(|| {
        let last = notes.last().map_or("", String::as_str);
        last.chars().take(width.saturating_sub(1)).chain(['…']).collect()
    })
}

/// Returns the person's cards.
pub(crate) fn hand(screen: &Screen) -> Line<'static> {
    let scene = screen.position.as_ref().and_then(|position| position.scene.as_ref());
    let mut line = Line::default();
    for (i, group) in scene.iter().flat_map(|scene| &scene.hand).enumerate() {
        if i > 0 {
            line.push_span(Span::styled(" │ ", screen.theme.faint()));
        }
        let cards = screen.theme.group(group, Style::new().bold());
        cards.into_iter().for_each(|card| line.push_span(card));
    }
    line
}
