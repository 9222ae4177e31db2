//! A session of one person and several bots.

mod happened;
mod telling;

use std::ops::ControlFlow::{self, Break, Continue};

use cardsharp_env::rules::RosterChange;
use cardsharp_env::{ActionId, AnyTable, AnyView, Payoff, Seat, SeatView};
use serde_json::json;

use super::between::{self, Between};
use super::company::Company;
use super::lessons::Lessons;
use super::prompt::{Command, Typed, Typist, Wish, help, is_piped};
use super::recording::Recording;
use super::screen::Link;
use crate::error::CliError;
use crate::output::Output;
use crate::shown::quoted;

pub(super) use happened::LESSONS;

const NOTHING_TO_UNDO: &str = "You have no move to take back.";

/// Why a session ends before its last round is over.
#[derive(Copy, Clone)]
pub(super) enum Leaving {
    /// The person asked to leave.
    Asked,
    Closed,
}

/// A session in progress.
pub(super) struct Parlour<'o> {
    out: &'o mut Output,
    table: Box<dyn AnyTable>,
    company: Company,
    lessons: Lessons,
    /// The number of steps of the table before each choice of the person.
    mine: Vec<usize>,
    /// The payoffs of the finished rounds.
    payoffs: Vec<Payoff>,
    recording: Option<Recording>,
    /// The interface to the person.
    asked: Asked,
}

/// The interface to the person: a screen or lines.
pub(super) enum Asked {
    Screen(Link),
    Lines(Typed),
}

impl<'o> Parlour<'o> {
    /// Starts a session at `table`.
    pub(super) fn new(
        out: &'o mut Output,
        table: Box<dyn AnyTable>,
        company: Company,
        lessons: Lessons,
        recording: Option<Recording>,
        asked: Asked,
    ) -> Self {
        Self { out, table, company, lessons, mine: Vec::new(), payoffs: Vec::new(), recording, asked }
    }

    /// Plays until the session is over or the person leaves. The trace is completed even after an error.
    pub(super) fn run(mut self) -> Result<(), CliError> {
        let ended = self.session();
        if let (Asked::Screen(_), Err(CliError::Failed(failed))) = (&self.asked, &ended) {
            self.out.line(failed.to_string())?;
            self.out.flush()?;
        }
        self.complete()?;
        match &self.asked {
            Asked::Lines(typed) => typed.interrupted().map_or(ended, Err),
            Asked::Screen(_) => ended,
        }
    }

    /// Writes new events to the trace.
    fn record(&mut self) -> Result<(), CliError> {
        match &mut self.recording {
            Some(recording) => recording.follow(self.table.as_ref(), &self.company.names),
            None => Ok(()),
        }
    }

    fn complete(&mut self) -> Result<(), CliError> {
        match self.recording.take() {
            Some(recording) => recording.finish(self.table.as_ref(), &self.company.names),
            None => Ok(()),
        }
    }

    fn session(&mut self) -> Result<(), CliError> {
        let left = loop {
            self.record()?;
            self.company.tell(self.table.as_ref());
            if self.show_position()?.is_break() {
                break Some(Leaving::Asked);
            }
            let goes_on = match self.table.asked() {
                Some(view) => {
                    let seat = view.seat();
                    match self.company.pick(self.table.as_ref())? {
                        Some(action) => {
                            self.play(seat, action)?;
                            Continue(())
                        }
                        None => self.my_move()?,
                    }
                }
                None => {
                    if self.payoffs.len() < self.table.round() as usize {
                        self.scores()?;
                    }
                    if self.table.over() {
                        break None;
                    }
                    self.between()?
                }
            };
            if let Break(why) = goes_on {
                break Some(why);
            }
        };
        self.farewell(left)?;
        match left {
            Some(Leaving::Closed) => {
                self.out.flush()?;
                Err(CliError::InputClosed)
            }
            Some(Leaving::Asked) | None => Ok(()),
        }
    }

    fn my_move(&mut self) -> Result<ControlFlow<Leaving>, CliError> {
        let legal = self.table.legal();
        if let [only] = legal[..] {
            self.play(self.company.me, only)?;
            return Ok(Continue(()));
        }
        self.teach(&legal)?;
        self.show(&legal)?;
        while let Some(line) = self.ask("Your move: ")? {
            let table = self.table.as_ref();
            let why = |action| self.lessons.why_not(table, action);
            match self.typist().understand(&line, table, &legal, &why) {
                Wish::Choice(action) => {
                    self.mine.push(self.table.steps());
                    self.play(self.company.me, action)?;
                    return Ok(Continue(()));
                }
                Wish::Command(Command::Undo) if self.undo() => return Ok(Continue(())),
                Wish::Command(Command::Undo) => self.say("undo", NOTHING_TO_UNDO)?,
                Wish::Command(Command::Hint) => self.hint()?,
                Wish::Command(Command::Show) => self.show(&legal)?,
                Wish::Command(Command::More) => self.list(&legal)?,
                Wish::Command(Command::Rules) => self.rules()?,
                Wish::Command(Command::Explain) => self.explain(&legal)?,
                Wish::Command(Command::Help) => {
                    let labels: Vec<String> = legal.iter().map(|&action| self.table.label(action)).collect();
                    self.say("help", &help(&labels))?;
                }
                Wish::Command(Command::Quit) => return Ok(Break(Leaving::Asked)),
                Wish::Unclear(reason) => self.say("refused", &reason)?,
            }
        }
        Ok(Break(Leaving::Closed))
    }

    /// Deals the next round. If the players can change, the person decides about that first.
    fn between(&mut self) -> Result<ControlFlow<Leaving>, CliError> {
        let choices = between::choices(self.table.as_mut());
        if choices == [Between::Deal] {
            self.deal()?;
            return Ok(Continue(()));
        }
        self.show_between(&choices)?;
        while let Some(line) = self.ask("Between rounds (Enter deals): ")? {
            match self.typist().understand_between(&line, &choices) {
                Wish::Choice(choice) => {
                    self.mine.push(self.table.steps());
                    match choice {
                        Between::Deal => self.deal()?,
                        Between::Change(change) => self.change(change)?,
                    }
                    return Ok(Continue(()));
                }
                Wish::Command(Command::Undo) if self.undo() => return Ok(Continue(())),
                Wish::Command(Command::Undo) => self.say("undo", NOTHING_TO_UNDO)?,
                Wish::Command(Command::Hint) => {
                    self.say("refused", "There is no hint between rounds.")?;
                }
                Wish::Command(Command::Show | Command::More) => self.show_between(&choices)?,
                Wish::Command(Command::Rules) => self.rules()?,
                Wish::Command(Command::Explain) => {
                    self.say("explain", "You can deal the next round, or let players join or leave first.")?;
                }
                Wish::Command(Command::Help) => {
                    let labels: Vec<String> = choices.iter().map(Between::to_string).collect();
                    self.say("help", &help(&labels))?;
                }
                Wish::Command(Command::Quit) => return Ok(Break(Leaving::Asked)),
                Wish::Unclear(reason) => self.say("refused", &reason)?,
            }
        }
        Ok(Break(Leaving::Closed))
    }

    /// Returns who types: with `--json` a program.
    fn typist(&self) -> Typist {
        if self.out.json { Typist::Program } else { Typist::Person }
    }

    /// Returns the next line that the person types; `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>, CliError> {
        let typed = match &self.asked {
            Asked::Screen(screen) => {
                self.out.flush()?;
                return Ok(screen.ask());
            }
            Asked::Lines(typed) => typed,
        };
        if !self.out.json {
            self.out.text(prompt)?;
        }
        self.out.flush()?;
        let line = typed.next()?;
        match &line {
            _ if self.out.json => {}
            None => self.out.line("")?,
            Some(line) if is_piped() => self.out.line(quoted(line.trim_end()))?,
            Some(_) => {}
        }
        Ok(line)
    }

    fn deal(&mut self) -> Result<(), CliError> {
        self.table.deal_next();
        self.tell_what_came(None, None)
    }

    /// Lets a player join or leave before the next round.
    fn change(&mut self, change: RosterChange) -> Result<(), CliError> {
        self.table.change_roster(change)?;
        self.company.welcome(self.table.seats())?;
        self.recording.iter_mut().for_each(Recording::outdate);
        let round = self.table.round() + 1;
        if self.out.json {
            let choice = Between::Change(change).to_string();
            return self.out.json_line(&json!({ "line": "change", "round": round, "choice": choice }));
        }
        let (seat, does, do_) = match change {
            RosterChange::Join(seat) => (seat, "joins", "join"),
            RosterChange::Leave(seat) => (seat, "leaves", "leave"),
        };
        let verb = if seat == self.company.me { do_ } else { does };
        let (who, width) = (self.company.name(seat), self.company.width());
        self.out.line(format!("  {who:<width$}  {verb} before round {round}"))
    }

    /// Plays a move, and shows it unless it is hidden from the person.
    fn play(&mut self, seat: Seat, action: ActionId) -> Result<(), CliError> {
        let label = self.table.label(action);
        let (round, forced) = (self.table.round(), self.table.legal().len() == 1);
        let before = self.table.view(seat).map(SeatView::kept);
        self.table.try_play(action)?;
        if seat == self.company.me || self.table.is_public(action) {
            self.tell_move(seat, label, round, forced)?;
        }
        self.tell_what_came(before.as_deref().map(AnyView::view), Some((seat, action)))
    }

    fn tell_move(&mut self, seat: Seat, label: String, round: u32, forced: bool) -> Result<(), CliError> {
        if self.out.json {
            return self
                .out
                .json_line(&json!({ "line": "move", "round": round, "seat": seat, "choice": label }));
        }
        let (who, width) = (self.company.name(seat), self.company.width());
        let line = self.out.tinted(&format!("  {who:<width$}  {label}"), |word| self.lessons.tint(word));
        let only = forced && seat == self.company.me;
        self.out.line(if only { line.then(self.out.dim("  (your only move)")) } else { line })
    }

    /// Takes back the person's last choice and everything after it; false if there was none.
    fn undo(&mut self) -> bool {
        let Some(then) = self.mine.pop() else { return false };
        while self.table.steps() > then && self.table.undo().is_some() {}
        self.company.forget();
        self.recording.iter_mut().for_each(Recording::outdate);
        let over = usize::from(self.table.payoff().is_some());
        self.payoffs.truncate(self.table.round() as usize - 1 + over);
        true
    }
}
