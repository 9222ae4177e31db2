//! A live session for people and bindings: checks moves, returns views, undoes moves.

use serde_json::{Value, json};

use super::log::{self, Audience, Header, Line, TRACE};
use super::seat_view::SeatView;
use crate::base::hands::Positions;
use crate::base::rng::DealRng;
use crate::base::rules::{RosterChange, Rules, RulesError};
use crate::base::{ActionId, Seat};
use crate::game::{DealError, Game, Label, Narrate, Payoff, Turn, has_label, parse_label};
use crate::runtime::session::Session;

/// Why a move was refused. The table is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MoveError {
    /// The action is not legal now.
    #[error("seat {} cannot play `{label}` now; legal: {}", seat.0, legal.join(", "))]
    Illegal {
        /// The seat that must act.
        seat: Seat,
        label: String,
        /// The labels of all legal actions.
        legal: Vec<String>,
    },
    /// The round has ended.
    #[error("the round is over")]
    RoundOver,
}

/// A live session of game `G` with its history.
#[derive(Clone, Debug)]
pub struct Table<G: Game> {
    /// The rules at the start of the session.
    rules: G::Rules,
    /// The deal of the first round, if it was chosen.
    deal: Option<Value>,
    session: Session<G>,
    payoff: Option<Payoff>,
    /// Number of first steps whose history was forgotten; `past` starts after them.
    forgotten: usize,
    past: Vec<Past<G>>,
}

/// The state before a step.
#[derive(Clone, Debug)]
struct Past<G: Game> {
    session: Session<G>,
    payoff: Option<Payoff>,
    step: Step,
}

/// A step of a session, which can be undone.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A seat played this action.
    Move(Seat, ActionId),
    /// The next round was dealt.
    Deal,
    /// A player joined or left between two rounds.
    Change(RosterChange),
}

impl<G: Game> Table<G> {
    /// Seats the players and deals the first round.
    pub fn new(rules: G::Rules, seed: u64) -> Self {
        Self::begun(rules, None, Session::new(rules, seed))
    }

    /// Seats the players and starts with a chosen deal; see [`Session::of`].
    ///
    /// # Errors
    /// As [`Session::of`].
    pub fn of(rules: G::Rules, seed: u64, deal: &Value) -> Result<Self, DealError> {
        let session = Session::of(rules, seed, deal)?;
        let deal = Narrate::describe_deal(session.round());
        Ok(Self::begun(rules, deal, session))
    }

    /// Continues a session right after the deal of round `number`. The table has no history, and counts `steps` steps.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn resumed(
        rules: G::Rules,
        seed: u64,
        number: u32,
        standing: G::SessionState,
        steps: usize,
    ) -> Self {
        let session = Session::resumed(rules, seed, number, standing);
        Self { forgotten: steps, ..Self::begun(rules, None, session) }
    }

    fn begun(rules: G::Rules, deal: Option<Value>, session: Session<G>) -> Self {
        Self { rules, deal, session, payoff: None, forgotten: 0, past: Vec::new() }
    }

    /// Saves the state before a step.
    fn remember(&mut self, step: Step) {
        self.past.push(Past { session: self.session, payoff: self.payoff, step });
    }

    /// The session and the payoff after step number `step`, which must not be forgotten.
    fn after(&self, step: usize) -> (&Session<G>, Option<Payoff>) {
        let past = step.checked_sub(self.forgotten).and_then(|step| self.past.get(step));
        past.map_or((&self.session, self.payoff), |past| (&past.session, past.payoff))
    }

    /// Returns the session that the table plays.
    pub fn session(&self) -> &Session<G> {
        &self.session
    }

    /// Checks and plays an action.
    ///
    /// # Errors
    /// The action is not legal, or the round is over; the table is unchanged.
    pub fn try_play(&mut self, action: ActionId) -> Result<(), MoveError> {
        let Turn::Decide(seat) = self.session.round().turn() else { return Err(MoveError::RoundOver) };
        let view = self.session.round().view(seat);
        let legal = G::legal(view);
        if !crate::base::mask::contains(crate::base::mask::Mask::words(&legal), action) {
            let names = crate::base::mask::actions(crate::base::mask::Mask::words(&legal));
            return Err(MoveError::Illegal {
                seat,
                label: label_or_number::<G>(self.session.round(), action),
                legal: names.map(|a| Label::<G>::at(view.table, a).to_string()).collect(),
            });
        }
        self.remember(Step::Move(seat, action));
        self.session.round_mut().play(action);
        if self.session.round().turn() == Turn::RoundOver {
            self.payoff = Some(self.session.settle());
        }
        Ok(())
    }
}

fn label_or_number<G: Game>(round: &G, action: ActionId) -> String {
    if usize::from(action.0) < crate::base::blocks::width(G::ACTIONS) {
        Label::<G>::at(round.table(), action).to_string()
    } else {
        format!("action {}", action.0)
    }
}

/// A [`Table`] of any game.
pub trait AnyTable: Send + Sync {
    /// The seat that must act; `None` when the round is over.
    fn turn(&self) -> Option<Seat>;
    /// The number of the round, from 1.
    fn round(&self) -> u32;
    /// Number of seats in the session.
    fn seats(&self) -> usize;
    /// The seats that play this round.
    fn present(&self) -> Positions;
    /// All options of the session's rules.
    fn rules(&self) -> Value;
    /// Lets a player join or leave before the next round.
    ///
    /// # Errors
    /// There is no next round, or the rules refuse the change; the table is unchanged.
    fn change_roster(&mut self, change: RosterChange) -> Result<(), RulesError>;
    /// The phase of the pending decision.
    fn phase(&self) -> &'static str;
    /// The legal actions of the seat that must act, ascending; empty when the round is over.
    fn legal(&self) -> Vec<ActionId>;
    /// The label of an action, with the card names of this round.
    fn label(&self, action: ActionId) -> String;
    /// The action with this label, with the card names of this round.
    fn parse(&self, label: &str) -> Option<ActionId>;
    /// Whether everyone at the table sees this action.
    fn is_public(&self, action: ActionId) -> bool;
    /// Checks and plays an action.
    ///
    /// # Errors
    /// The action is not legal, or the round is over; the table is unchanged.
    fn try_play(&mut self, action: ActionId) -> Result<(), MoveError>;
    /// The payoff of the round, once it is over.
    fn payoff(&self) -> Option<Payoff>;
    /// Whether the session is over: its last round was settled.
    fn over(&self) -> bool;
    /// Deals the next round. Returns false and does nothing while a round is in play or after the last one.
    fn deal_next(&mut self) -> bool;
    /// Undoes the last move, deal or change of players and returns it. `None` if there is none, or it was
    /// forgotten.
    fn undo(&mut self) -> Option<Step>;
    /// Number of moves, deals and changes of players so far. All can be undone, unless they were forgotten.
    fn steps(&self) -> usize;
    /// Forgets the history of the steps before number `before`: they have no lines and cannot be undone any more. A
    /// table stores some kilobytes for each step, and a long session has many thousands of steps.
    fn forget(&mut self, before: usize);
    /// Step number `number`, from 1; `None` if there is no such step, or it was forgotten.
    fn step(&self, number: usize) -> Option<Step>;
    /// Returns the trace or event log lines of step number `step`; 0 is the start of the session. Empty if there is
    /// no such step, or it was forgotten. [`AnyTable::header`] and the lines of all steps form the complete trace
    /// or log.
    fn lines(&self, step: usize, to: Audience) -> Vec<Line>;
    /// Returns the first line of a trace or event log. `names` has one name for each seat. The header of an event
    /// log has the rules at the start of the session; the header of a trace has the current ones.
    fn header(&self, to: Audience, names: Vec<String>) -> Line;
    /// The name of the game.
    fn game(&self) -> &'static str;
    /// The seed of the session.
    fn seed(&self) -> u64;
    /// The view of a seat. `None` if the seat sits this round out, or the session has no such seat.
    fn view(&self, seat: Seat) -> Option<SeatView<'_>>;
    /// The view of the seat that must act; `None` when the round is over.
    fn asked(&self) -> Option<SeatView<'_>> {
        self.view(self.turn()?)
    }
    /// Everything dealt this round, in card notation. `None` before the deal, and if the state at the deal was
    /// forgotten.
    fn describe_deal(&self) -> Option<Value>;
    /// Events right after the deal or with the last move, beyond the move itself.
    fn events(&self) -> Vec<Value>;
    /// Ranks and scores so far.
    fn standing(&self) -> Value;
    /// Returns a copy of the session with its history.
    fn copied(&self) -> Box<dyn AnyTable>;
    /// Returns a session that could be this one, as far as `seat` knows. Hidden cards of the round in play, and all
    /// later deals, come from `seed`. It has no history. `None` if the seat sits the round out, or no round fits
    /// its view.
    fn imagined(&self, seat: Seat, seed: u64) -> Option<Box<dyn AnyTable>>;
}

impl<G: Game> AnyTable for Table<G> {
    fn turn(&self) -> Option<Seat> {
        match self.session.round().turn() {
            Turn::Decide(seat) => Some(seat),
            Turn::RoundOver => None,
        }
    }
    fn round(&self) -> u32 {
        self.session.number()
    }
    fn seats(&self) -> usize {
        usize::from(self.session.rules().seats())
    }
    fn present(&self) -> Positions {
        self.session.round().present()
    }
    fn rules(&self) -> Value {
        json!(self.session.rules())
    }
    fn change_roster(&mut self, change: RosterChange) -> Result<(), RulesError> {
        let before = Past { session: self.session, payoff: self.payoff, step: Step::Change(change) };
        self.session.change_roster(change)?;
        self.past.push(before);
        Ok(())
    }
    fn phase(&self) -> &'static str {
        self.session.round().phase()
    }
    fn legal(&self) -> Vec<ActionId> {
        match self.turn() {
            Some(seat) => {
                let legal = G::legal(self.session.round().view(seat));
                crate::base::mask::actions(crate::base::mask::Mask::words(&legal)).collect()
            }
            None => Vec::new(),
        }
    }
    fn label(&self, action: ActionId) -> String {
        label_or_number::<G>(self.session.round(), action)
    }
    fn parse(&self, label: &str) -> Option<ActionId> {
        let table = Some(self.session.round().table());
        // Nearly always it is one of the few legal actions.
        let legal = self.legal().into_iter().find(|&action| has_label::<G>(table, action, label.trim()));
        legal.or_else(|| parse_label::<G>(table, label))
    }
    fn is_public(&self, action: ActionId) -> bool {
        G::is_public(action)
    }
    fn try_play(&mut self, action: ActionId) -> Result<(), MoveError> {
        Table::try_play(self, action)
    }
    fn payoff(&self) -> Option<Payoff> {
        self.payoff
    }
    fn over(&self) -> bool {
        self.payoff.is_some() && self.session.is_last()
    }
    fn deal_next(&mut self) -> bool {
        if self.payoff.is_none() || self.session.is_last() {
            return false;
        }
        self.remember(Step::Deal);
        self.payoff = None;
        self.session.deal_next();
        true
    }
    fn undo(&mut self) -> Option<Step> {
        let past = self.past.pop()?;
        (self.session, self.payoff) = (past.session, past.payoff);
        Some(past.step)
    }
    fn steps(&self) -> usize {
        self.forgotten + self.past.len()
    }
    fn forget(&mut self, before: usize) {
        // The entry of a step holds the state before it, so the entry of step `before` stays.
        let count = before.min(self.steps()).saturating_sub(self.forgotten + 1);
        self.past.drain(..count);
        // Otherwise a long round, or a session that was replayed, would occupy its memory for ever.
        if self.past.capacity() > 64 + 4 * self.past.len() {
            self.past.shrink_to(2 * self.past.len());
        }
        self.forgotten += count;
    }
    fn step(&self, number: usize) -> Option<Step> {
        self.past.get(number.checked_sub(self.forgotten + 1)?).map(|past| past.step)
    }
    fn lines(&self, step: usize, to: Audience) -> Vec<Line> {
        let is_forgotten = self.forgotten > 0 && step <= self.forgotten;
        if step > self.steps() || is_forgotten {
            return Vec::new();
        }
        let (session, payoff) = self.after(step);
        let (round, number) = (session.round(), session.number());
        let mut lines = match self.step(step) {
            None | Some(Step::Deal) => log::begun(round, number, to),
            Some(Step::Move(seat, action)) => {
                let before = self.after(step - 1).0.round();
                log::moved([before, round], seat, action, number, to)
            }
            // The header of a trace has the current rules, with all changes.
            Some(Step::Change(_)) if to == Audience::Referee => return Vec::new(),
            Some(Step::Change(change)) => {
                let mut lines = vec![Line::Change { round: number + 1, choice: log::change_name(change) }];
                // If too few players remain for another round, the round before the change was the last one.
                if payoff.is_some() && session.is_last() {
                    lines.push(Line::End { seed: session.seed() });
                }
                return lines;
            }
        };
        match payoff {
            // A trace has entries for all seats of the current rules, also in rounds before a player joined.
            Some(payoff) if to == Audience::Referee => {
                let seats = self.session.rules().seats();
                lines.push(Line::payoff(number, &Payoff { seats, ..payoff }));
            }
            Some(payoff) => lines.extend(log::ended(session, &payoff)),
            None => {}
        }
        lines
    }
    fn header(&self, to: Audience, names: Vec<String>) -> Line {
        match to {
            Audience::Referee => Line::Header(Header {
                format: TRACE,
                game: G::NAME.to_owned(),
                players: self.seats(),
                rules: AnyTable::rules(self),
                seed: self.seed(),
                bots: names,
                deal: self.deal.clone(),
            }),
            Audience::Seat(_) | Audience::Everybody => log::beginning::<G>(&self.rules, to, names),
        }
    }
    fn game(&self) -> &'static str {
        G::NAME
    }
    fn seed(&self) -> u64 {
        self.session.seed()
    }
    fn view(&self, seat: Seat) -> Option<SeatView<'_>> {
        let plays = self.present().iter().any(|present| present == seat.0);
        plays.then(|| SeatView::of(self.session.round(), seat))
    }
    fn describe_deal(&self) -> Option<Value> {
        let is_other = |past: &Past<G>| past.session.number() != self.session.number();
        let begun = self.past.iter().rposition(is_other).map_or(0, |last| last + 1);
        if begun == 0 && self.forgotten > 0 {
            return None;
        }
        let mut rounds =
            self.past[begun..].iter().map(|past| &past.session).chain([&self.session]).map(Session::round);
        rounds.find(|round| round.is_dealt())?.describe_deal()
    }
    fn events(&self) -> Vec<Value> {
        let before = self.past.last().map(|past| &past.session);
        let before = before.filter(|session| session.number() == self.session.number());
        G::events(before.map(Session::round), self.session.round())
    }
    fn standing(&self) -> Value {
        json!(self.session.standing())
    }
    fn copied(&self) -> Box<dyn AnyTable> {
        Box::new(self.clone())
    }
    fn imagined(&self, seat: Seat, seed: u64) -> Option<Box<dyn AnyTable>> {
        let mut round = *self.session.round();
        if !round.present().has(seat.0) {
            return None;
        }
        // A finished round hides nothing that still matters.
        if self.payoff.is_none() {
            round = G::determinize(round.view(seat), DealRng::new(seed, 0))?;
        }
        let (session, forgotten) = (self.session.imagined(round, seed), self.steps());
        let Self { rules, payoff, .. } = *self;
        Some(Box::new(Self { rules, deal: None, session, payoff, forgotten, past: Vec::new() }))
    }
}
