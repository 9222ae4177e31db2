use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Padding, Paragraph};

use crate::layout::{LEAST_MOVES, Panels, SMALLEST, hand, table};
use crate::messages::RESULTS;
use crate::state::{Overlay, Screen};
use crate::text::{SELECTED, ascii, wrapped};

/// The keys at the bottom of the screen, for two widths.
const KEYS: &str = "Arrows Enter: play  F1 help  F2 hint  F3 undo  F4 rules  F5 speed  Esc quit";
const KEYS_SHORT: &str = "Enter: play  F1 help  F2 hint  F3 undo  F4 rules  Esc quit";

/// Draws the screen, in ASCII if the terminal shows nothing else.
pub(crate) fn draw(frame: &mut Frame<'_>, screen: &Screen) {
    draw_all(frame, screen);
    if screen.ascii {
        for cell in &mut frame.buffer_mut().content {
            let symbol: String = cell.symbol().chars().map(ascii).collect();
            cell.set_symbol(&symbol);
        }
    }
}

fn draw_all(frame: &mut Frame<'_>, screen: &Screen) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let (width, height) = SMALLEST;
        let text = format!(
            "This terminal is too small: it needs {width} columns and {height} rows. --plain works in any size."
        );
        let lines = wrapped(&Line::from(text), usize::from(area.width), "");
        return frame.render_widget(Paragraph::new(lines), area);
    }
    let panels = Panels::of(screen);
    frame.render_widget(Line::styled(screen.head.as_str(), screen.theme.strong()), panels.head);
    let at = panels.table;
    let lines = table(screen, usize::from(at.width) - 2, usize::from(at.height.saturating_sub(2)));
    panel(frame, screen, at, &round(screen), lines);
    let title = if screen.log.is_back() { "Events (PageDown: newer)" } else { "Events" };
    let (width, height) =
        (usize::from(panels.log.width) - 2, usize::from(panels.log.height.saturating_sub(2)));
    panel(frame, screen, panels.log, title, screen.log.visible(width, height));
    let hand = wrapped(&hand(screen), usize::from(panels.hand.width) - 2, "");
    panel(frame, screen, panels.hand, "Your hand", hand);
    moves(frame, screen, panels.moves);
    let keys = if area.width < 78 { KEYS_SHORT } else { KEYS };
    frame.render_widget(Line::styled(keys, screen.theme.faint()), panels.keys);
    overlay(frame, screen, area);
}

fn panel(frame: &mut Frame<'_>, screen: &Screen, at: Rect, title: &str, lines: Vec<Line<'static>>) {
    let title = Span::styled(format!(" {title} "), screen.theme.strong());
    let block = Block::bordered().border_style(screen.theme.faint()).title(title);
    frame.render_widget(Paragraph::new(lines).block(block), at);
}

/// Returns the title of the table: which round it is.
fn round(screen: &Screen) -> String {
    match screen.position.as_ref().map(|position| &position.scene) {
        Some(None) => "You sit this round out".to_owned(),
        Some(Some(scene)) if !scene.round.is_empty() => scene.round.clone(),
        Some(Some(_)) | None => "The table".to_owned(),
    }
}

/// Returns the title of the moves: the decision, or who is thinking.
fn decision(screen: &Screen) -> String {
    if let Some(moves) = screen.moves.as_ref().filter(|_| screen.is_asked) {
        let (matching, all) = (moves.matching.len(), moves.choices.labels.len());
        let some = if matching == all { all.to_string() } else { format!("{matching} of {all}") };
        return format!("{}: {some}", moves.choices.title);
    }
    let scene = screen.position.as_ref().and_then(|position| Some((position, position.scene.as_ref()?)));
    let turn = scene.and_then(|(position, scene)| {
        let player = scene.players.iter().find(|player| player.is_turn)?;
        position.names.get(player.seat.index())
    });
    turn.map_or("Waiting for the others".to_owned(), |name| format!("Turn: {name}"))
}

fn moves(frame: &mut Frame<'_>, screen: &Screen, at: Rect) {
    let (width, height) = (usize::from(at.width) - 2, usize::from(at.height.saturating_sub(2)));
    let answers = screen.answer.iter().flat_map(|line| wrapped(line, width, "  "));
    let mut answers: Vec<Line<'static>> = answers.collect();
    let asked = screen.moves.as_ref().filter(|_| screen.is_asked);
    // Answers leave room for some moves.
    let least =
        asked.map_or(0, |moves| moves.matching.len().div_ceil(moves.across(width).0).clamp(1, LEAST_MOVES));
    answers.truncate(height.saturating_sub(least));
    let rows = height - answers.len();
    let mut lines = Vec::new();
    let mut typed = None;
    if let Some(moves) = asked {
        let (across, cell) = moves.across(width);
        let selected = moves.selected / across;
        let all = moves.matching.len().div_ceil(across);
        let top = selected.saturating_sub(rows / 2).min(all.saturating_sub(rows));
        let digits = moves.choices.labels.len().to_string().len();
        for (row, numbers) in moves.matching.chunks(across).enumerate().skip(top).take(rows) {
            let mut line = Line::default();
            for (column, &i) in numbers.iter().enumerate() {
                let name = &moves.choices.names[i];
                let is_selected = row * across + column == moves.selected;
                let style = match (is_selected, moves.choices.listed[i]) {
                    (true, _) => SELECTED,
                    (false, true) => Style::new(),
                    (false, false) => screen.theme.faint(),
                };
                let gap = " ".repeat(cell - digits - 2 - name.text.chars().count());
                line.push_span(Span::styled(format!("#{:<digits$} ", i + 1), style.dim()));
                line.push_span(screen.theme.piece(name, style));
                line.push_span(Span::raw(gap));
            }
            lines.push(line);
        }
        if moves.matching.is_empty() {
            lines.push(Line::styled(
                "No move matches. Enter: see why, Esc: show all moves",
                screen.theme.faint(),
            ));
        }
        typed = (!moves.typed.is_empty()).then(|| format!(" typed: {}▏ ", moves.typed));
    }
    // The legend stays as long as there is room below the moves and an empty row.
    if typed.is_none() && answers.is_empty() {
        answers = screen.theme.legend().iter().flat_map(|line| wrapped(line, width, "  ")).collect();
        answers.truncate(if lines.len() + answers.len() < rows { answers.len() } else { 0 });
    }
    lines.resize((height - answers.len()).max(lines.len()), Line::default());
    lines.extend(answers);
    let title = Span::styled(format!(" {} ", decision(screen)), screen.theme.strong());
    let border = if screen.is_asked { Style::new() } else { screen.theme.faint() };
    let mut block = Block::bordered().border_style(border).title(title);
    if let Some(typed) = typed {
        block = block.title_bottom(Span::styled(typed, screen.theme.strong()));
    }
    frame.render_widget(Paragraph::new(lines).block(block), at);
}

/// Draws the panel over the table, if there is one.
fn overlay(frame: &mut Frame<'_>, screen: &Screen, area: Rect) {
    let (title, lines, keys) = match &screen.overlay {
        Overlay::None => return,
        Overlay::Text { title, lines, top } => {
            let lines = screen.rows(lines).split_off(*top);
            ((*title).to_owned(), lines, "↑↓ PageUp PageDown: scroll, Esc: close")
        }
        Overlay::Quit => ("Leave the table?".to_owned(), Vec::new(), "Enter: leave, Esc: stay"),
        Overlay::Results => {
            let round = screen.results.as_ref().map_or(0, |results| results.round);
            (format!("Round {round} is over"), results(screen), "Enter: continue")
        }
        Overlay::End => {
            let mut lines = results(screen);
            lines.extend(screen.rows(&[Line::from(screen.last.clone())]));
            ("The session is over".to_owned(), lines, "Enter: leave")
        }
    };
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(keys.len()).max(title.len()) + 4;
    let width = (widest as u16 + 2).min(area.width - 2);
    let height = (lines.len() as u16 + 2).min(area.height - 2);
    let at = area.centered(Constraint::Length(width), Constraint::Length(height));
    let block = Block::bordered()
        .title(Span::styled(format!(" {title} "), screen.theme.strong()))
        .title_bottom(format!(" {keys} "))
        .padding(Padding::horizontal(1));
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
