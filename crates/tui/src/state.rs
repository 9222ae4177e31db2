//! The state of the screen, and its changes by messages from the session.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ratatui::layout::Size;
use ratatui::style::{Style, Stylize};
use ratatui::text::Line;

use crate::messages::{Choices, EXPLANATION, Message, RoundResults, SessionLink, SessionOver, TableView};
use crate::text::{Theme, from_ansi, wrapped};

/// Answers with up to this many lines appear next to the moves. Longer ones cover the screen.
const SHORT_ANSWER: usize = 2;
/// Explanations with up to this many rows appear next to the moves, too.
const SHORT_EXPLANATION: usize = 4;
/// The pause after the person has turned pauses on.
const PAUSE: Duration = Duration::from_millis(600);

/// The panel over the table.
pub(crate) enum Overlay {
    None,
    /// A text, shown from line `top` on.
    Text {
        title: &'static str,
        lines: Vec<Line<'static>>,
        top: usize,
    },
    Results,
    Quit,
    End,
}

/// The state of the screen.
pub struct Screen {
    /// The title: game, number of players and seed.
    pub(crate) head: String,
    pub(crate) theme: Theme,
    /// Whether only ASCII characters are drawn.
    pub(crate) ascii: bool,
    pub(crate) size: Size,
    pub(crate) position: Option<TableView>,
    pub(crate) log: LogPanel,
    /// The choices, from their message until the person chooses.
    pub(crate) moves: Option<MoveList>,
    /// Whether the session waits for the person.
    pub(crate) is_asked: bool,
    /// Answers to the person's last command.
    pub(crate) answer: Vec<Line<'static>>,
    pub(crate) overlay: Overlay,
    /// The results of the last round.
    pub(crate) results: Option<RoundResults>,
    /// The text of the last event.
    pub(crate) last: String,
    /// Explanations for the next choice.
    explanations: Vec<Line<'static>>,
    /// The title of the answer to the person's command.
    pub(crate) title: &'static str,
    pub(crate) pause: Duration,
    /// The end of the current pause.
    until: Option<Instant>,
    /// Whether pauses are skipped until the session asks the person.
    pub(crate) hurries: bool,
    /// Messages that are not shown yet.
    pub(crate) queue: VecDeque<Message>,
    /// Whether there were events since the last position.
    has_news: bool,
    /// Whether the person asked to take back a move.
    pub(crate) takes_back: bool,
    /// Whether the person sent a command that gets an answer.
    pub(crate) has_asked: bool,
    is_over: bool,
}

impl Screen {
    /// Creates a screen without messages; `head` is the title.
    pub fn new(game: &str, head: String, pause: Duration, color: bool, ascii: bool) -> Self {
        Self {
            head,
            theme: Theme::new(game, color),
            ascii,
            size: Size::default(),
            position: None,
            log: LogPanel::default(),
            moves: None,
            is_asked: false,
            answer: Vec::new(),
            overlay: Overlay::None,
            results: None,
            last: String::new(),
            explanations: Vec::new(),
            title: "",
            pause,
            until: None,
            hurries: false,
            queue: VecDeque::new(),
            has_news: false,
            takes_back: false,
            has_asked: false,
            is_over: false,
        }
    }

    /// Returns the results of the last round.
    pub fn results(&self) -> Option<&RoundResults> {
        self.results.as_ref()
    }

    /// Returns the last line of the session; `None` if the person left before its end.
    pub fn last_line(&self) -> Option<&str> {
        matches!(self.overlay, Overlay::End).then_some(self.last.as_str())
    }

    /// Receives messages from the session, and shows those that are due. Returns whether there were any.
    pub(crate) fn receive(&mut self, session: &SessionLink, now: Instant) -> bool {
        loop {
            match session.next_message() {
                Ok(Some(message)) => self.queue.push_back(message),
                Ok(None) => break,
                Err(SessionOver) => {
                    self.is_over = true;
                    break;
                }
            }
        }
        self.show(now)
    }

    /// Shows messages up to the next pause. Returns whether there were any.
    pub(crate) fn show(&mut self, now: Instant) -> bool {
        let mut has_shown = false;
        while !matches!(self.overlay, Overlay::Results) {
            let waits = !self.hurries && self.until.is_some_and(|until| now < until);
            // Pauses delay events, but not the person's turn.
            if waits && matches!(self.queue.front(), Some(Message::Line(_) | Message::Results(_))) {
                return has_shown;
            }
            let Some(message) = self.queue.pop_front() else { break };
            self.apply(message, now);
            has_shown = true;
        }
        if self.is_over && self.queue.is_empty() && matches!(self.overlay, Overlay::None) {
            self.overlay = Overlay::End;
            has_shown = true;
        }
        has_shown
    }

    fn apply(&mut self, message: Message, now: Instant) {
        match message {
            Message::Line(text) => self.line(&text),
            Message::Position(position) => {
                self.position = Some(*position);
                if std::mem::take(&mut self.has_news) {
                    self.until = Some(now + self.pause);
                }
            }
            Message::Choices(choices) => {
                if std::mem::take(&mut self.takes_back) {
                    self.log.push(Line::from("You took back your last choice.").style(self.theme.faint()));
                }
                self.moves = Some(MoveList::new(choices));
                self.has_asked = false;
                self.answer = std::mem::take(&mut self.explanations);
                let is_long = self.rows(&self.answer).len() > SHORT_EXPLANATION;
                if is_long && matches!(self.overlay, Overlay::None) {
                    let lines = std::mem::take(&mut self.answer);
                    self.overlay = Overlay::Text { title: "Help", lines, top: 0 };
                }
            }
            Message::Results(results) => {
                self.log.push(Line::from(format!("Round {} is over: points (total)", results.round)).bold());
                for row in &results.rows {
                    let text = format!("{}. {}  {} ({})", row[0], row[1], row[2], row[3]);
                    self.log.push(Line::from(text));
                }
                self.results = Some(results);
                self.overlay = Overlay::Results;
                self.hurries = false;
            }
            Message::Waiting => {
                self.is_asked = true;
                (self.hurries, self.takes_back) = (false, false);
                // Explanations that came with the choices stay.
                if std::mem::take(&mut self.has_asked) && self.answer.len() > SHORT_ANSWER {
                    let lines = std::mem::take(&mut self.answer);
                    self.overlay = Overlay::Text { title: self.title, lines, top: 0 };
                }
            }
        }
    }

    /// Handles a line: an answer if there are choices, otherwise an event.
    fn line(&mut self, text: &str) {
        let line = from_ansi(text);
        if self.moves.is_some() {
            self.answer.push(line);
            return;
        }
        if let Some(explanation) = text.strip_prefix(EXPLANATION) {
            self.explanations.push(from_ansi(explanation));
            return;
        }
        // A narrow panel has no room for the columns of plain mode.
        let words: Vec<&str> = text.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
        if words.is_empty() {
            return;
        }
        self.log.push(from_ansi(&words.join("  ")));
        self.last = text.trim().to_owned();
        self.has_news = true;
    }

    pub(crate) fn toggle_pause(&mut self) {
        self.pause = if self.pause.is_zero() { PAUSE } else { Duration::ZERO };
        self.until = None;
        let word = if self.pause.is_zero() { "at once" } else { "one by one" };
        self.answer = vec![Line::styled(format!("Opponents' moves are shown {word}."), Style::new())];
    }

    /// Breaks lines for a panel over the table.
    pub(crate) fn rows(&self, lines: &[Line<'static>]) -> Vec<Line<'static>> {
        let width = usize::from(self.size.width).saturating_sub(6);
        lines.iter().flat_map(|line| wrapped(line, width, "  ")).collect()
    }
}

/// The events of the session, line by line, and the scroll position.
#[derive(Default)]
pub(crate) struct LogPanel {
    lines: Vec<Line<'static>>,
    /// Number of lines below the last visible one.
    up: usize,
}

impl LogPanel {
    /// Adds a line. Someone who has scrolled back keeps seeing the same lines.
    fn push(&mut self, line: Line<'static>) {
        self.lines.push(line);
        self.up += usize::from(self.is_back());
    }

    /// Scrolls by this number of lines; positive numbers go back.
    pub(crate) fn scroll(&mut self, by: isize) {
        self.up = self.up.saturating_add_signed(by).min(self.lines.len().saturating_sub(1));
    }

    /// Whether newer lines are hidden.
    pub(crate) fn is_back(&self) -> bool {
        self.up > 0
    }

    /// Returns the lines that fill `height` rows of `width` columns, the newest at the bottom.
    pub(crate) fn visible(&self, width: usize, height: usize) -> Vec<Line<'static>> {
        let last = self.lines.len() - self.up;
        let mut rows: Vec<Line<'static>> = Vec::new();
        // Each line takes at least one row.
        for line in &self.lines[last.saturating_sub(height)..last] {
            rows.extend(wrapped(line, width, "  "));
        }
        rows.split_off(rows.len().saturating_sub(height))
    }
}

/// The choices, those that match the typed text, and the selected one.
pub(crate) struct MoveList {
    pub(crate) choices: Choices,
    pub(crate) typed: String,
    /// Indices of the matching choices: first those of `listed`, then the others, each in ascending order.
    pub(crate) matching: Vec<usize>,
    /// Position of the selected choice in `matching`.
    pub(crate) selected: usize,
}

impl MoveList {
    fn new(choices: Choices) -> Self {
        let mut moves = Self { choices, typed: String::new(), matching: Vec::new(), selected: 0 };
        moves.set_typed(String::new());
        moves
    }

    /// Filters the choices by a new text, and selects the best match: the move of that name, otherwise that of that
    /// number, as in plain mode.
    pub(crate) fn set_typed(&mut self, typed: String) {
        self.typed = typed;
        let text = self.typed.trim().to_lowercase();
        let number = text.strip_prefix('#').unwrap_or(&text).parse::<usize>().ok();
        let (labels, names) = (&self.choices.labels, &self.choices.names);
        let is_nth = |i: usize| number == Some(i + 1);
        let contains = |name: &str| name.to_lowercase().contains(&text);
        let matches = |&i: &usize| contains(&labels[i]) || contains(&names[i].text) || is_nth(i);
        self.matching = (0..labels.len()).filter(matches).collect();
        self.matching.sort_by_key(|&i| !self.choices.listed[i]);
        let find = |is: &dyn Fn(usize) -> bool| self.matching.iter().position(|&i| is(i));
        let named = find(&|i| labels[i].to_lowercase() == text);
        self.selected = named.or_else(|| find(&is_nth)).unwrap_or(0);
    }

    /// Moves the selection by this number of places.
    pub(crate) fn select(&mut self, by: isize) {
        let last = self.matching.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    /// Returns the line that Enter sends: the number of the selected choice. If no choice matches, it is the typed
    /// text, which is a command or gets an error.
    pub(crate) fn entered(&self) -> Option<String> {
        let selected = self.matching.get(self.selected).map(|i| format!("#{}", i + 1));
        let words = self.typed.trim();
        selected.or_else(|| (!words.is_empty()).then(|| words.to_owned()))
    }

    /// Returns how many choices fit next to each other in `width` columns, and the columns of each.
    pub(crate) fn across(&self, width: usize) -> (usize, usize) {
        let widest = self.choices.names.iter().map(|name| name.text.chars().count()).max().unwrap_or(0);
        // `#` and the number, a gap, the name, and a gap before the next choice.
        let cell = self.choices.labels.len().to_string().len() + 1 + 1 + widest + 3;
        ((width / cell).max(1), cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_do_not_move_the_lines_in_view() {
        let mut log = LogPanel::default();
        let push = |log: &mut LogPanel, numbers: std::ops::Range<u32>| {
            numbers.for_each(|number| log.push(Line::from(number.to_string())));
        };
        push(&mut log, 0..10);
        assert_eq!(log.visible(20, 2), [Line::from("8"), Line::from("9")]);
        log.scroll(3);
        let seen = log.visible(20, 2);
        assert_eq!(seen, [Line::from("5"), Line::from("6")]);
        push(&mut log, 10..15);
        assert_eq!(log.visible(20, 2), seen);
        log.scroll(-8);
        assert_eq!((log.is_back(), log.visible(20, 1)), (false, vec![Line::from("14")]));
    }
}
