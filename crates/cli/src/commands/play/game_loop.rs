//! The loop of a session of one person and several bots.

use std::ops::ControlFlow::{self, Break, Continue};

use cardsharp_env::log::Line;
use cardsharp_env::rules::RosterChange;
use cardsharp_env::table::Step;
use cardsharp_env::{ActionId, AnyTable, AnyView, Audience, Payoff, Seat, SeatView, StepViews};
use serde_json::Value;

use super::interface::{Interface, Leaving, NOTHING_TO_UNDO};
use super::lessons::Lessons;
use super::players::Players;
use super::prompt::{Between, Command, Wish, between_choices};
use super::recording::Recording;
use crate::error::{CliError, Failure};

/// Standard input ended before the session.
#[derive(Debug, thiserror::Error)]
#[error("standard input ended before the session")]
pub(super) struct InputClosed;

impl Failure for InputClosed {
    fn code(&self) -> u8 {
        3
    }

    fn is_silent(&self) -> bool {
        true
    }
}

pub(super) struct GameLoop<'o> {
    interface: Interface<'o>,
    table: Box<dyn AnyTable>,
    players: Players,
    lessons: Lessons,
    recording: Option<Recording>,
    /// The number of steps of the table before each choice of the person.
    choices: Vec<usize>,
    /// The payoffs of the finished rounds.
    payoffs: Vec<Payoff>,
}

impl<'o> GameLoop<'o> {
    /// Starts a session at `table`.
    pub(super) fn new(
        interface: Interface<'o>,
        table: Box<dyn AnyTable>,
        players: Players,
        lessons: Lessons,
        recording: Option<Recording>,
    ) -> Self {
        let (choices, payoffs) = so_far(table.as_ref(), players.me);
        Self { interface, table, players, lessons, recording, choices, payoffs }
    }

    /// Plays until the session is over or the person leaves. The trace is completed even after an error.
    ///
    /// Returns whether the session is over.
    pub(super) fn run(mut self) -> Result<bool, CliError> {
        let ended = self.session();
        if let Some(recording) = self.recording.take() {
            recording.finish(self.table.as_ref(), &self.players.names)?;
        }
        self.interface.interrupted().map_or(ended, Err)?;
        Ok(self.table.over())
    }

    fn session(&mut self) -> Result<(), CliError> {
        let left = loop {
            if let Some(recording) = &mut self.recording {
                recording.follow(self.table.as_ref(), &self.players.names)?;
            }
            self.players.send_events(self.table.as_ref());
            if self.interface.show_position(self.table.as_ref(), &self.players)?.is_break() {
                break Some(Leaving::Asked);
            }
            let flow = match self.table.asked() {
                Some(view) => {
                    let seat = view.seat();
                    match self.players.pick(self.table.as_ref()) {
                        Ok(Some(action)) => {
                            self.play(seat, action)?;
                            Continue(())
                        }
                        Ok(None) => self.decide()?,
                        Err(failed) => {
                            self.interface.show_failure(&failed)?;
                            return Err(failed.into());
                        }
                    }
                }
                None => {
                    if self.payoffs.len() < self.table.round() as usize {
                        self.end_round()?;
                    }
                    if self.table.over() {
                        break None;
                    }
                    self.decide_between()?
                }
            };
            if let Break(why) = flow {
                break Some(why);
            }
        };
        self.interface.show_end(left, self.players.me, &self.totals(), self.payoffs.len())?;
        match left {
            Some(Leaving::InputClosed) => Err(InputClosed.into()),
            Some(Leaving::Asked) | None => Ok(()),
        }
    }

    /// Asks the person for a move, unless only one is legal.
    fn decide(&mut self) -> Result<ControlFlow<Leaving>, CliError> {
        let legal = self.table.legal();
        if let [only] = legal[..] {
            self.play(self.players.me, only)?;
            return Ok(Continue(()));
        }
        let explanations = self.lessons.news(self.table.as_ref(), &legal);
        self.interface.show_lessons(&explanations)?;
        self.show_decision(&legal)?;
        while let Some(line) = self.interface.ask("Your move: ")? {
            let table = self.table.as_ref();
            let line = self.interface.numbered(line, table, &legal);
            let why = |action| self.lessons.why_not(table, action);
            match self.interface.typist().understand(&line, table, &legal, &why) {
                Wish::Choice(action) => {
                    self.choices.push(self.table.steps());
                    self.play(self.players.me, action)?;
                    return Ok(Continue(()));
                }
                Wish::Command(Command::Undo) if self.undo() => return Ok(Continue(())),
                Wish::Command(Command::Undo) => self.interface.answer("undo", NOTHING_TO_UNDO)?,
                Wish::Command(Command::Hint) => self.hint()?,
                Wish::Command(Command::Show) => self.show_decision(&legal)?,
                Wish::Command(Command::More) => self.interface.list_moves(self.table.as_ref(), &legal)?,
                Wish::Command(Command::Rules) => self.interface.show_rules(self.table.as_ref())?,
                Wish::Command(Command::Explain) => {
                    let explanations = self.lessons.explained(self.table.as_ref(), &legal);
                    self.interface.explain(&explanations)?;
                }
                Wish::Command(Command::Help) => {
                    let labels: Vec<String> = legal.iter().map(|&action| self.table.label(action)).collect();
                    self.interface.show_help(&labels)?;
                }
                Wish::Command(Command::Quit) => return Ok(Break(Leaving::Asked)),
                Wish::Unclear(reason) => self.interface.answer("refused", &reason)?,
            }
        }
        Ok(Break(Leaving::InputClosed))
    }

    fn show_decision(&mut self, legal: &[ActionId]) -> Result<(), CliError> {
        let Some(view) = self.table.asked() else { return Ok(()) };
        let listed = legal.iter().map(|&action| self.lessons.is_listed(view, action)).collect();
        self.interface.show_decision(self.table.as_ref(), view, legal, listed)
    }

    /// Deals the next round. If the players can change, the person decides about that first.
    fn decide_between(&mut self) -> Result<ControlFlow<Leaving>, CliError> {
        let choices = between_choices(self.table.as_mut());
        if choices == [Between::Deal] {
            self.deal()?;
            return Ok(Continue(()));
        }
        let (round, me) = (self.table.round(), self.players.me);
        self.interface.show_between(round, me, &choices)?;
        while let Some(line) = self.interface.ask("Between rounds (Enter deals): ")? {
            match self.interface.typist().understand_between(&line, &choices) {
                Wish::Choice(choice) => {
                    self.choices.push(self.table.steps());
                    match choice {
                        Between::Deal => self.deal()?,
                        Between::Change(change) => self.change(change)?,
                    }
                    return Ok(Continue(()));
                }
                Wish::Command(Command::Undo) if self.undo() => return Ok(Continue(())),
                Wish::Command(Command::Undo) => self.interface.answer("undo", NOTHING_TO_UNDO)?,
                Wish::Command(Command::Hint) => {
                    self.interface.answer("refused", "There is no hint between rounds.")?;
                }
                Wish::Command(Command::Show | Command::More) => {
                    self.interface.show_between(round, me, &choices)?;
                }
                Wish::Command(Command::Rules) => self.interface.show_rules(self.table.as_ref())?,
                Wish::Command(Command::Explain) => {
                    let text = "You can deal the next round, or let players join or leave first.";
                    self.interface.answer("explain", text)?;
                }
                Wish::Command(Command::Help) => {
                    let labels: Vec<String> = choices.iter().map(Between::to_string).collect();
                    self.interface.show_help(&labels)?;
                }
                Wish::Command(Command::Quit) => return Ok(Break(Leaving::Asked)),
                Wish::Unclear(reason) => self.interface.answer("refused", &reason)?,
            }
        }
        Ok(Break(Leaving::InputClosed))
    }

    fn hint(&mut self) -> Result<(), CliError> {
        let Some(view) = self.table.asked() else { return Ok(()) };
        match self.players.advise(view) {
            Ok(advice) => self.interface.show_hint(self.table.as_ref(), self.players.adviser_name(), &advice),
            Err(failed) => self.interface.answer("refused", &format!("There is no hint: {failed}")),
        }
    }

    fn deal(&mut self) -> Result<(), CliError> {
        self.table.deal_next();
        self.show_effects(None, None)
    }

    /// Lets a player join or leave before the next round.
    fn change(&mut self, change: RosterChange) -> Result<(), CliError> {
        self.table.change_roster(change)?;
        self.players.add_bots(self.table.seats())?;
        self.recording.iter_mut().for_each(Recording::outdate);
        self.interface.show_change(&self.players, change, self.table.round() + 1)
    }

    /// Plays a move, and shows it unless it is hidden from the person.
    fn play(&mut self, seat: Seat, action: ActionId) -> Result<(), CliError> {
        let label = self.table.label(action);
        let (round, forced) = (self.table.round(), self.table.legal().len() == 1);
        let before = self.table.view(seat).map(SeatView::kept);
        self.table.try_play(action)?;
        if seat == self.players.me || self.table.is_public(action) {
            self.interface.show_move(&self.players, seat, &label, round, forced)?;
        }
        self.show_effects(before.as_deref().map(AnyView::view), Some((seat, action)))
    }

    /// Shows the effects of the last step: drawn or moved cards, tricks, the result of a contract.
    fn show_effects(
        &mut self,
        before: Option<SeatView<'_>>,
        chosen: Option<(Seat, ActionId)>,
    ) -> Result<(), CliError> {
        let (Some(teacher), false) = (&self.lessons.teacher, self.interface.is_json()) else { return Ok(()) };
        let me = self.players.me;
        // A person who sits out receives the public events.
        let plays = self.table.view(me).is_some();
        let to = if plays { Audience::Seat(me) } else { Audience::Everybody };
        let events: Vec<Value> =
            self.table.lines(self.table.steps(), to).into_iter().filter_map(event).collect();
        let present = self.table.present().lowest();
        let Some(after) = self.table.view(if plays { me } else { Seat(present) }) else { return Ok(()) };
        let who = |seat| self.players.name(seat);
        let effects = teacher.consequences(StepViews { before, chosen, after, events: &events, who: &who });
        self.interface.show_effects(&effects)
    }

    /// Shows and stores the payoffs of the round that ended.
    fn end_round(&mut self) -> Result<(), CliError> {
        let Some(payoff) = self.table.payoff() else { return Ok(()) };
        self.payoffs.push(payoff);
        self.interface.show_results(&self.players, self.table.round(), &payoff, &self.totals())
    }

    /// Returns the points of each seat so far.
    fn totals(&self) -> Vec<i32> {
        (0..self.table.seats()).map(|seat| self.payoffs.iter().map(|p| p.points[seat]).sum()).collect()
    }

    /// Takes back the person's last choice and everything after it; false if there was none.
    fn undo(&mut self) -> bool {
        let Some(then) = self.choices.pop() else { return false };
        while self.table.steps() > then && self.table.undo().is_some() {}
        self.players.resend_events();
        self.recording.iter_mut().for_each(Recording::outdate);
        let over = usize::from(self.table.payoff().is_some());
        self.payoffs.truncate(self.table.round() as usize - 1 + over);
        true
    }
}

/// Returns the number of steps before each choice of `me`, and the payoffs of the finished rounds. A session that is
/// continued has some.
fn so_far(table: &dyn AnyTable, me: Seat) -> (Vec<usize>, Vec<Payoff>) {
    let (mut choices, mut payoffs) = (Vec::new(), Vec::new());
    let mut then = table.copied();
    let mut finished = u32::MAX;
    loop {
        if let Some(payoff) = then.payoff().filter(|_| then.round() < finished) {
            finished = then.round();
            payoffs.push(payoff);
        }
        match then.undo() {
            Some(Step::Move(seat, _)) if seat == me && then.legal().len() > 1 => choices.push(then.steps()),
            Some(_) => {}
            None => break,
        }
    }
    choices.reverse();
    payoffs.reverse();
    (choices, payoffs)
}

fn event(line: Line) -> Option<Value> {
    if let Line::Event { event, .. } = line { Some(event) } else { None }
}
