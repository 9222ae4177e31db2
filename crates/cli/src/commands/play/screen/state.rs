//! What the screen shows, and what becomes of it by what the session tells.

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

/// An answer of so many lines is a notice beside the moves; a longer one has the screen.
const NOTICE: usize = 2;
/// An explanation of so many rows, too.
const LESSON: usize = 4;
/// The pause when the person asks for one where there was none.
const PAUSE: Duration = Duration::from_millis(600);

/// What lies over the table.
pub(super) enum Over {
    /// Nothing.
    Nothing,
    /// A text to read, from one of its lines on.
    Text { title: &'static str, lines: Vec<Line<'static>>, top: usize },
    /// What a round was worth.
    Results,
    /// Whether to leave.
    Quit,
    /// The session is over.
    End,
}

/// The screen.
pub(in crate::commands::play) struct Screen {
    /// What is played.
    pub(super) head: String,
    pub(super) look: Look,
    pub(super) size: Size,
    pub(super) position: Option<Position>,
    pub(super) log: Log,
    /// What there is to choose from, from when it is told until something is chosen.
    pub(super) moves: Option<Moves>,
    /// The session waits for the person.
    pub(super) is_asked: bool,
    /// Answers to what the person said last, which was no choice.
    pub(super) answer: Vec<Line<'static>>,
    pub(super) over: Over,
    /// The last round that was paid.
    pub(super) results: Option<Results>,
    /// The last line of what happened.
    pub(super) last: String,
    /// What is explained of the choice that comes.
    lessons: Vec<Line<'static>>,
    /// What the person asked to read.
    pub(super) title: &'static str,
    /// How long a move stands before the next.
    pub(super) pause: Duration,
    /// Nothing more is shown before then.
    until: Option<Instant>,
    /// Until the person is asked, nothing pauses.
    pub(super) hurries: bool,
    /// What was told and not shown yet.
    pub(super) told: VecDeque<Told>,
    /// Something has happened since the last position.
    has_news: bool,
    /// The person has asked to take back a move.
    pub(super) takes_back: bool,
    /// The person has said something that is answered.
    pub(super) has_asked: bool,
    is_over: bool,
}

impl Screen {
    /// A screen that was told nothing yet; `head` says what is played.
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

    /// Hears what the session has told, as far as it is time to show it; whether there was anything to show.
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

    /// Shows what was told up to the next pause; whether there was anything.
    pub(super) fn show(&mut self, now: Instant) -> bool {
        let mut has_shown = false;
        while !matches!(self.over, Over::Results) {
            let waits = !self.hurries && self.until.is_some_and(|until| now < until);
            // Nobody waits for his own turn.
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

    /// A line: an answer while there are moves to choose from, else something that happened.
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
        // Columns of plain lines would be lost in a narrow panel.
        let words: Vec<&str> = text.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
        if words.is_empty() {
            return;
        }
        self.log.push(written(&words.join("  ")));
        self.last = text.trim().to_owned();
        self.has_news = true;
    }

    /// Faster or slower: without pauses, or with them.
    pub(super) fn change_pause(&mut self) {
        self.pause = if self.pause.is_zero() { PAUSE } else { Duration::ZERO };
        self.until = None;
        let word = if self.pause.is_zero() { "at once" } else { "one by one" };
        self.answer = vec![Line::styled(format!("Opponents' moves are shown {word}."), Style::new())];
    }
}
