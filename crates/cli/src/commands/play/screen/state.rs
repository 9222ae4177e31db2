//! The state of the screen, and its changes by messages from the session.

use std::collections::VecDeque;
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

use ratatui::layout::Size;
use ratatui::style::{Style, Stylize};
use ratatui::text::Line;

use super::link::{Position, Results, Session, Told};
use super::log::Log;
use super::moves::Moves;
use super::styles::{Look, written};
use crate::commands::play::parlour::LESSONS;

/// Answers with up to this many lines appear next to the moves. Longer ones cover the screen.
const NOTICE: usize = 2;
/// Explanations with up to this many rows appear next to the moves, too.
const LESSON: usize = 4;
/// The pause after the person has turned pauses on.
const PAUSE: Duration = Duration::from_millis(600);

/// The panel over the table.
pub(super) enum Over {
    Nothing,
    /// A text, shown from line `top` on.
    Text {
        title: &'static str,
        lines: Vec<Line<'static>>,
        top: usize,
    },
    /// The results of a round.
    Results,
    /// The question whether to leave.
    Quit,
    /// The end of the session.
    End,
}

/// The state of the screen.
pub(in crate::commands::play) struct Screen {
    /// The title: game, number of players and seed.
    pub(super) head: String,
    pub(super) look: Look,
    pub(super) size: Size,
    pub(super) position: Option<Position>,
    pub(super) log: Log,
    /// The choices, from their message until the person chooses.
    pub(super) moves: Option<Moves>,
    /// Whether the session waits for the person.
    pub(super) is_asked: bool,
    /// Answers to the person's last command.
    pub(super) answer: Vec<Line<'static>>,
    pub(super) over: Over,
    /// The results of the last round.
    pub(super) results: Option<Results>,
    /// The text of the last event.
    pub(super) last: String,
    /// Explanations for the next choice.
    lessons: Vec<Line<'static>>,
    /// The title of the answer to the person's command.
    pub(super) title: &'static str,
    /// The pause after each event.
    pub(super) pause: Duration,
    /// The end of the current pause.
    until: Option<Instant>,
    /// Whether pauses are skipped until the session asks the person.
    pub(super) hurries: bool,
    /// Messages that are not shown yet.
    pub(super) told: VecDeque<Told>,
    /// Whether there were events since the last position.
    has_news: bool,
    /// Whether the person asked to take back a move.
    pub(super) takes_back: bool,
    /// Whether the person sent a command that gets an answer.
    pub(super) has_asked: bool,
    is_over: bool,
}

impl Screen {
    /// Creates a screen without messages; `head` is the title.
    pub(in crate::commands::play) fn new(game: &str, head: String, pause: Duration, colour: bool) -> Self {
        Self {
            head,
            look: Look::new(game, colour),
            size: Size::default(),
            position: None,
            log: Log::default(),
            moves: None,
            is_asked: false,
            answer: Vec::new(),
            over: Over::Nothing,
            results: None,
            last: String::new(),
            lessons: Vec::new(),
            title: "",
            pause,
            until: None,
            hurries: false,
            told: VecDeque::new(),
            has_news: false,
            takes_back: false,
            has_asked: false,
            is_over: false,
        }
    }

    /// Receives messages from the session, and shows those that are due. Returns whether there were any.
    pub(super) fn hear(&mut self, session: &Session, now: Instant) -> bool {
        loop {
            match session.told.try_recv() {
                Ok(told) => self.told.push_back(told),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.is_over = true;
                    break;
                }
            }
        }
        self.show(now)
    }

    /// Shows messages up to the next pause. Returns whether there were any.
    pub(super) fn show(&mut self, now: Instant) -> bool {
        let mut has_shown = false;
        while !matches!(self.over, Over::Results) {
            let waits = !self.hurries && self.until.is_some_and(|until| now < until);
            // Pauses delay events, but not the person's turn.
            if waits && matches!(self.told.front(), Some(Told::Line(_) | Told::Results(_))) {
                return has_shown;
            }
            let Some(told) = self.told.pop_front() else { break };
            self.take(told, now);
            has_shown = true;
        }
        if self.is_over && self.told.is_empty() && matches!(self.over, Over::Nothing) {
            self.over = Over::End;
            has_shown = true;
        }
        has_shown
    }

    fn take(&mut self, told: Told, now: Instant) {
        match told {
            Told::Line(text) => self.line(&text),
            Told::Position(position) => {
                self.position = Some(*position);
                if std::mem::take(&mut self.has_news) {
                    self.until = Some(now + self.pause);
                }
            }
            Told::Choices(choices) => {
                if std::mem::take(&mut self.takes_back) {
                    self.log.push(Line::from("You took back your last choice.").style(self.look.faint()));
                }
                self.moves = Some(Moves::new(choices));
                self.has_asked = false;
                self.answer = std::mem::take(&mut self.lessons);
                if self.rows(&self.answer).len() > LESSON && matches!(self.over, Over::Nothing) {
                    let lines = std::mem::take(&mut self.answer);
                    self.over = Over::Text { title: "Help", lines, top: 0 };
                }
            }
            Told::Results(results) => {
                self.log.push(Line::from(format!("Round {} is over: points (total)", results.round)).bold());
                for row in &results.rows {
                    let text = format!("{}. {}  {} ({})", row[0], row[1], row[2], row[3]);
                    self.log.push(Line::from(text));
                }
                self.results = Some(results);
                self.over = Over::Results;
                self.hurries = false;
            }
            Told::Waiting => {
                self.is_asked = true;
                (self.hurries, self.takes_back) = (false, false);
                // Explanations that came with the choices stay.
                if std::mem::take(&mut self.has_asked) && self.answer.len() > NOTICE {
                    let lines = std::mem::take(&mut self.answer);
                    self.over = Over::Text { title: self.title, lines, top: 0 };
                }
            }
        }
    }

    /// Handles a line: an answer if there are choices, otherwise an event.
    fn line(&mut self, text: &str) {
        let line = written(text);
        if self.moves.is_some() {
            self.answer.push(line);
            return;
        }
        if let Some(lesson) = text.strip_prefix(LESSONS) {
            self.lessons.push(written(lesson));
            return;
        }
        // A narrow panel has no room for the columns of plain mode.
        let words: Vec<&str> = text.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
        if words.is_empty() {
            return;
        }
        self.log.push(written(&words.join("  ")));
        self.last = text.trim().to_owned();
        self.has_news = true;
    }

    /// Turns pauses on or off.
    pub(super) fn change_pause(&mut self) {
        self.pause = if self.pause.is_zero() { PAUSE } else { Duration::ZERO };
        self.until = None;
        let word = if self.pause.is_zero() { "at once" } else { "one by one" };
        self.answer = vec![Line::styled(format!("Opponents' moves are shown {word}."), Style::new())];
    }
}
