//! Output to the person.

use std::ops::ControlFlow::{self, Break, Continue};

use cardsharp_bot::Advice;
use cardsharp_env::{ActionId, Seat, SeatView};
use serde::Serialize;
use serde_json::json;

use super::{Asked, Leaving, Parlour};
use crate::answer::Answer;
use crate::bots;
use crate::commands::play::between::Between;
use crate::commands::play::screen::{Choices, Position, RESULTS, Results, Told};
use crate::commands::play::words::{columns, ordinal};
use crate::error::CliError;
use crate::tables;
use crate::terminal::{width, wrapped};
use cardsharp_env::log::Line;

/// The JSON line of a hint.
#[derive(Serialize)]
struct Hint {
    line: &'static str,
    #[serde(flatten)]
    answer: Answer,
}

impl Parlour<'_> {
    /// Shows the position on the screen, if there is one. Breaks if the person has left it.
    pub(super) fn show_position(&mut self) -> Result<ControlFlow<()>, CliError> {
        let Asked::Screen(screen) = &self.asked else { return Ok(Continue(())) };
        self.out.flush()?;
        let scene = self.table.view(self.company.me).map(SeatView::scene);
        let names = (0..self.table.seats()).map(|s| self.company.name(Seat(s as u8))).collect();
        screen.tell(Told::Position(Box::new(Position { scene, names })));
        Ok(if screen.is_left() { Break(()) } else { Continue(()) })
    }

    /// Shows the position and the legal moves.
    pub(super) fn show(&mut self, legal: &[ActionId]) -> Result<(), CliError> {
        let labels: Vec<String> = legal.iter().map(|&a| self.table.label(a)).collect();
        let Some(view) = self.table.asked() else { return Ok(()) };
        let listed: Vec<_> = legal.iter().map(|&action| self.lessons.is_listed(view, action)).collect();
        if let Asked::Screen(screen) = &self.asked {
            self.out.flush()?;
            let title = "Your move".to_owned();
            screen.tell(Told::Choices(Choices { title, labels, listed }));
            return Ok(());
        }
        if self.out.json {
            return self.out.json_line(&json!({
                "line": "turn", "round": self.table.round(), "seat": self.company.me, "phase": self.table.phase(),
                "legal": labels, "view": view.json(),
            }));
        }
        let picture = view.picture();
        self.out.line("")?;
        self.out.text(self.out.tinted(&picture, |word| self.lessons.tint(word)))?;
        self.out.line(self.out.bold("Your moves:"))?;
        let numbered = (1..).zip(&labels).zip(&listed).filter(|(_, listed)| **listed).map(|(label, _)| label);
        let columns = self.out.tinted(&columns(numbered, width()), |word| self.lessons.tint(word));
        self.out.text(columns)?;
        match listed.iter().filter(|&&listed| !listed).count() {
            0 => Ok(()),
            more => self.out.line(format!("  and {more} more; type `more` to list them")),
        }
    }

    /// Shows the choices between two rounds.
    pub(super) fn show_between(&mut self, choices: &[Between]) -> Result<(), CliError> {
        let (round, me) = (self.table.round(), self.company.me);
        let labels: Vec<String> = choices.iter().map(Between::to_string).collect();
        if let Asked::Screen(screen) = &self.asked {
            let (title, listed) = (format!("Before round {}", round + 1), vec![true; choices.len()]);
            screen.tell(Told::Choices(Choices { title, labels, listed }));
            return Ok(());
        }
        if self.out.json {
            return self
                .out
                .json_line(&json!({ "line": "between", "round": round, "seat": me, "legal": labels }));
        }
        let title = self.out.bold(format!("Before round {}:", round + 1));
        self.out.line(title)?;
        let columns = columns((1..).zip(&labels), width());
        self.out.text(columns)
    }

    /// Shows what the adviser would play.
    pub(super) fn hint(&mut self) -> Result<(), CliError> {
        let Some(view) = self.table.asked() else { return Ok(()) };
        let advice = self.company.adviser.advise(view);
        if let Err(failed) = bots::check(self.company.adviser.as_mut()) {
            return self.say("refused", &format!("There is no hint: {failed}"));
        }
        if self.out.json {
            let answer = Answer::new(|action| self.table.label(action), &advice);
            return self.out.json_line(&Hint { line: "hint", answer });
        }
        let Advice { moves, value } = advice;
        let best = moves.iter().take(3).filter(|m| m.probability >= 0.005);
        let best: Vec<String> = best
            .map(|m| format!("{} ({:.0} %)", self.table.label(m.action), 100.0 * m.probability))
            .collect();
        let value = value.map(|v| format!("; expected reward {v:+.2}")).unwrap_or_default();
        self.out.line(format!("  {} would play {}{value}", self.company.adviser.name(), best.join(", or ")))
    }

    /// Prints an answer; `line` is the kind of the JSON line.
    pub(super) fn say(&mut self, line: &str, text: &str) -> Result<(), CliError> {
        if self.out.json {
            return self.out.json_line(&json!({ "line": line, "text": text }));
        }
        // Keep the line breaks of texts that have them.
        if text.contains('\n') {
            return self.out.line(text);
        }
        wrapped(text, width(), "").into_iter().try_for_each(|line| self.out.line(line))
    }

    /// Shows and stores the payoffs of the round that ended.
    pub(super) fn scores(&mut self) -> Result<(), CliError> {
        let Some(payoff) = self.table.payoff() else { return Ok(()) };
        self.payoffs.push(payoff);
        let round = self.table.round();
        if self.out.json {
            return self.out.json_line(&Line::payoff(round, &payoff));
        }
        let mut seats: Vec<usize> = (0..self.table.seats()).filter(|&s| payoff.place[s] != 0).collect();
        seats.sort_by_key(|&s| payoff.place[s]);
        let rows = seats.into_iter().map(|s| {
            let who = self.company.name(Seat(s as u8));
            vec![payoff.place[s].to_string(), who, payoff.points[s].to_string(), self.total(s).to_string()]
        });
        let rows: Vec<_> = rows.collect();
        if let Asked::Screen(screen) = &self.asked {
            self.out.flush()?;
            screen.tell(Told::Results(Results { round, rows }));
            return Ok(());
        }
        let title = self.out.bold(format!("\nRound {round} is over"));
        self.out.line(title)?;
        self.out.line(tables::table(&RESULTS, &[0, 2, 3], rows))
    }

    /// Prints the end of a session; `left` says why it ended early.
    pub(super) fn farewell(&mut self, left: Option<Leaving>) -> Result<(), CliError> {
        if self.out.json {
            let why = match left {
                None => "over",
                Some(Leaving::Asked) => "quit",
                Some(Leaving::Closed) => "input closed",
            };
            let totals: Vec<i32> = (0..self.table.seats()).map(|s| self.total(s)).collect();
            return self.out.json_line(&json!({ "line": "end", "why": why, "points": totals }));
        }
        match left {
            None => {}
            Some(Leaving::Asked) => return self.out.line("You left the table."),
            Some(Leaving::Closed) => return self.out.line("The input ended. You left the table."),
        }
        let mine = self.total(self.company.me.index());
        let ahead = (0..self.table.seats()).filter(|&s| self.total(s) > mine).count();
        let rounds = self.payoffs.len();
        let session = if rounds == 1 { "one round".to_owned() } else { format!("{rounds} rounds") };
        self.out.line(format!(
            "After {session} you have {mine} points: {} of {}.",
            ordinal(ahead + 1),
            self.table.seats()
        ))
    }

    fn total(&self, seat: usize) -> i32 {
        self.payoffs.iter().map(|p| p.points[seat]).sum()
    }
}
