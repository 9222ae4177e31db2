//! Draws the screen.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::link::RESULTS;
use super::places::{Places, SMALLEST};
use super::state::{Over, Screen};
use super::styles::{CHOSEN, wrapped};
use crate::commands::play::words::shortened;

/// Rows of moves that are always visible, if there are that many.
pub(super) const LEAST: usize = 3;

/// Draws the whole screen.
pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let (width, height) = SMALLEST;
        let text = format!(
            "This terminal is too small: it needs {width} columns and {height} rows. --plain works in any size."
        );
        let lines = wrapped(&Line::from(text), usize::from(area.width), "");
        return frame.render_widget(Paragraph::new(lines), area);
    }
    let places = Places::of(screen);
    head(frame, screen, places.head);
    let at = places.table;
    let table = screen.table(usize::from(at.width) - 2, usize::from(at.height.saturating_sub(2)));
    panel(frame, screen, at, &screen.round(), table);
    let title = if screen.log.is_back() { "Events (PageDown: newer)" } else { "Events" };
    let (width, height) =
        (usize::from(places.log.width) - 2, usize::from(places.log.height.saturating_sub(2)));
    panel(frame, screen, places.log, title, screen.log.shown(width, height));
    let hand = wrapped(&screen.hand(), usize::from(places.hand.width) - 2, "");
    panel(frame, screen, places.hand, "Your hand", hand);
    moves(frame, screen, places.moves);
    let keys = "Arrows Enter: play  F1 help  F2 hint  F3 undo  F4 rules  F5 speed  Esc quit";
    frame.render_widget(Line::styled(keys, screen.look.faint()), places.keys);
    over(frame, screen, area);
}

fn head(frame: &mut Frame<'_>, screen: &Screen, at: Rect) {
    frame.render_widget(Line::styled(screen.head.as_str(), screen.look.strong()), at);
}

fn panel(frame: &mut Frame<'_>, screen: &Screen, at: Rect, title: &str, lines: Vec<Line<'static>>) {
    let title = Span::styled(format!(" {title} "), screen.look.strong());
    let block = Block::bordered().border_style(screen.look.faint()).title(title);
    frame.render_widget(Paragraph::new(lines).block(block), at);
}

/// Joins as many notes as fit into `width` characters, or the start of the first one. A mark shows that some are
/// missing.
pub(super) fn some_of(notes: &[String], width: usize) -> String {
    let all = notes.join(", ");
    let fits = |text: &String| text.chars().count() <= width;
    if fits(&all) {
        return all;
    }
    let some = (1..notes.len()).rev().map(|count| format!("{}, …", notes[..count].join(", "))).find(fits);
    some.unwrap_or_else(|| shortened(&all, width))
}

impl Screen {
    /// Breaks lines for a frame over the table.
    pub(super) fn rows(&self, lines: &[Line<'static>]) -> Vec<Line<'static>> {
        let width = usize::from(self.size.width).saturating_sub(6);
        lines.iter().flat_map(|line| wrapped(line, width, "  ")).collect()
    }

    /// Returns the title of the table: which round it is.
    fn round(&self) -> String {
        match self.position.as_ref().map(|position| &position.scene) {
            Some(None) => "You sit this round out".to_owned(),
            Some(Some(scene)) if !scene.round.is_empty() => scene.round.clone(),
            Some(Some(_)) | None => "The table".to_owned(),
        }
    }

    /// Returns the players and the other facts, in at most `width` columns and `height` rows. If they do not fit, notes
    /// of players are shortened, then the first facts are dropped. The cards on the table come last, so they stay.
    pub(super) fn table(&self, width: usize, height: usize) -> Vec<Line<'static>> {
        let Some(position) = &self.position else { return Vec::new() };
        let Some(scene) = &position.scene else { return Vec::new() };
        let name = |seat: usize| position.names[seat].as_str();
        let widest = scene.players.iter().map(|player| name(player.seat.index()).chars().count()).max();
        let widest = widest.unwrap_or(0);
        let has_points = scene.players.iter().any(|player| player.points.is_some());
        let (mut whole, mut short) = (Vec::new(), Vec::new());
        for player in &scene.players {
            let mark = if player.is_turn { "▶ " } else { "  " };
            let cards = match player.cards {
                None => "out".to_owned(),
                Some(1) => " 1 card ".to_owned(),
                Some(cards) => format!("{cards:>2} cards"),
            };
            let points =
                player.points.filter(|_| has_points).map_or(String::new(), |p| format!("{p:>5} pts"));
            let text = format!("{mark}{:<widest$} {cards:<8}{points}  ", name(player.seat.index()));
            let style = if player.is_turn { self.look.strong() } else { Style::new() };
            let noted = |notes: String| {
                let notes = Span::styled(notes, if player.is_turn { style } else { self.look.faint() });
                Line::from(vec![Span::styled(text.clone(), style), notes])
            };
            whole.extend(wrapped(&noted(player.notes.join(", ")), width, "      "));
            short.push(noted(some_of(&player.notes, width.saturating_sub(text.chars().count()))));
        }
        let rows = |text: &String| wrapped(&Line::from(self.look.words(text, Style::new())), width, "  ");
        let known: Vec<_> = scene.table.iter().flat_map(rows).collect();
        let mut lines = if whole.len() + known.len() <= height { whole } else { short };
        let room = height.saturating_sub(lines.len()).min(known.len());
        lines.extend_from_slice(&known[known.len() - room..]);
        lines
    }

    /// Returns the person's cards.
    pub(super) fn hand(&self) -> Line<'static> {
        let scene = self.position.as_ref().and_then(|position| position.scene.as_ref());
        let mut line = Line::default();
        for (i, group) in scene.iter().flat_map(|scene| &scene.hand).enumerate() {
            if i > 0 {
                line.push_span(Span::styled(" │ ", self.look.faint()));
            }
            self.look
                .words(&group.join(" "), Style::new().bold())
                .into_iter()
                .for_each(|word| line.push_span(word));
        }
        line
    }

    /// Returns the title of the moves: the decision, or who is thinking.
    fn title(&self) -> String {
        if let Some(moves) = self.moves.as_ref().filter(|_| self.is_asked) {
            let (left, all) = (moves.left.len(), moves.choices.labels.len());
            let some = if left == all { all.to_string() } else { format!("{left} of {all}") };
            return format!("{}: {some}", moves.choices.title);
        }
        let scene = self.position.as_ref().and_then(|position| Some((position, position.scene.as_ref()?)));
        let turn = scene.and_then(|(position, scene)| {
            let player = scene.players.iter().find(|player| player.is_turn)?;
            position.names.get(player.seat.index())
        });
        turn.map_or("Waiting for the others".to_owned(), |name| format!("Turn: {name}"))
    }
}

fn moves(frame: &mut Frame<'_>, screen: &Screen, at: Rect) {
    let (width, height) = (usize::from(at.width) - 2, usize::from(at.height.saturating_sub(2)));
    let answers = screen.answer.iter().flat_map(|line| wrapped(line, width, "  "));
    let mut answers: Vec<Line<'static>> = answers.collect();
    let asked = screen.moves.as_ref().filter(|_| screen.is_asked);
    // Answers leave room for some moves.
    let least = asked.map_or(0, |moves| moves.left.len().div_ceil(moves.across(width).0).clamp(1, LEAST));
    answers.truncate(height.saturating_sub(least));
    let rows = height - answers.len();
    let mut lines = Vec::new();
    let mut typed = None;
    if let Some(moves) = asked {
        let (across, cell) = moves.across(width);
        let marked = moves.marked / across;
        let all = moves.left.len().div_ceil(across);
        let top = marked.saturating_sub(rows / 2).min(all.saturating_sub(rows));
        let digits = moves.choices.labels.len().to_string().len();
        for (row, numbers) in moves.left.chunks(across).enumerate().skip(top).take(rows) {
            let mut line = Line::default();
            for (column, &i) in numbers.iter().enumerate() {
                let label = &moves.choices.labels[i];
                let is_marked = row * across + column == moves.marked;
                let style = match (is_marked, moves.choices.listed[i]) {
                    (true, _) => CHOSEN,
                    (false, true) => Style::new(),
                    (false, false) => screen.look.faint(),
                };
                let gap = " ".repeat(cell - digits - 2 - label.chars().count());
                line.push_span(Span::styled(format!("#{:<digits$} ", i + 1), style.dim()));
                screen.look.words(label, style).into_iter().for_each(|word| line.push_span(word));
                line.push_span(Span::raw(gap));
            }
            lines.push(line);
        }
        if moves.left.is_empty() {
            lines.push(Line::styled(
                "No move matches. Press Enter to see why, Esc to show all moves.",
                screen.look.faint(),
            ));
        }
        typed = (!moves.typed.is_empty()).then(|| format!(" typed: {}▏ ", moves.typed));
    }
    lines.resize(rows.max(lines.len()), Line::default());
    lines.extend(answers);
    let title = Span::styled(format!(" {} ", screen.title()), screen.look.strong());
    let border = if screen.is_asked { Style::new() } else { screen.look.faint() };
    let mut block = Block::bordered().border_style(border).title(title);
    if let Some(typed) = typed {
        block = block.title_bottom(Span::styled(typed, screen.look.strong()));
    }
    frame.render_widget(Paragraph::new(lines).block(block), at);
}

/// Draws the panel over the table, if there is one.
fn over(frame: &mut Frame<'_>, screen: &Screen, area: Rect) {
    let (title, lines, keys) = match &screen.over {
        Over::Nothing => return,
        Over::Text { title, lines, top } => {
            let lines = screen.rows(lines).split_off(*top);
            ((*title).to_owned(), lines, "↑↓ PageUp PageDown: scroll, Esc: close")
        }
        Over::Quit => ("Leave the table?".to_owned(), Vec::new(), "Enter: leave, Esc: stay"),
        Over::Results => {
            let round = screen.results.as_ref().map_or(0, |results| results.round);
            (format!("Round {round} is over"), results(screen), "Enter: continue")
        }
        Over::End => {
            let mut lines = results(screen);
            lines.extend(screen.rows(&[Line::from(screen.last.clone())]));
            ("The session is over".to_owned(), lines, "Enter: leave")
        }
    };
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(keys.len()).max(title.len()) + 4;
    let width = (widest as u16 + 2).min(area.width - 2);
    let height = (lines.len() as u16 + 2).min(area.height - 2);
    let at = area
        .centered(ratatui::layout::Constraint::Length(width), ratatui::layout::Constraint::Length(height));
    let block = Block::bordered()
        .title(Span::styled(format!(" {title} "), screen.look.strong()))
        .title_bottom(format!(" {keys} "))
        .padding(ratatui::widgets::Padding::horizontal(1));
    frame.render_widget(Clear, at);
    frame.render_widget(Paragraph::new(lines).block(block), at);
}

/// Returns the results of the last round as a table.
fn results(screen: &Screen) -> Vec<Line<'static>> {
    let Some(results) = &screen.results else { return Vec::new() };
    let widest =
        results.rows.iter().map(|row| row[1].chars().count()).max().unwrap_or(0).max(RESULTS[1].len());
    let line = |[place, player, points, total]: [&str; 4]| {
        Line::from(format!("{place:>5}  {player:<widest$}  {points:>6}  {total:>6}"))
    };
    let rows = results.rows.iter().map(|row| line([&row[0], &row[1], &row[2], &row[3]]));
    std::iter::once(line(RESULTS).bold()).chain(rows).chain([Line::default()]).collect()
}
