//! Derives what a seat knows from its event log alone.
//!
//! An [`Observer`] reads the lines of a seat's event log and maintains an imagined round that fits them. Hidden
//! cards in that round are guessed. The seat's view of it still equals the seat's real view, because views show
//! nothing hidden. The observer compares every line with the line that the imagined round produces. It refuses a
//! line that the rules do not allow, and forgets it.

mod error;

use serde::Deserialize;
use serde_json::{Value, json};

use super::log::{Beginning, Comparing, Line, PROTOCOL, difference, named_change};
use super::seat_view::SeatView;
use crate::base::rng::{DealRng, Draw};
use crate::base::rules::{self, RosterChange, Rules};
use crate::base::{ActionId, MAX_SEATS, Seat, seed};
use crate::game::{Game, ImaginedRound, Payoff, Turn, Update, parse_label};

pub use error::ObserveError;

/// The most lines that wait until their move is complete. A move brings far fewer.
const MOST_AT_ONCE: usize = 256;

/// Lines that were read but not followed yet, because more may belong to the same move.
#[derive(Clone, Debug, Default)]
struct Pending {
    /// The number of the first line.
    first: usize,
    choice: Option<(Seat, Option<ActionId>)>,
    /// Whether the first of `lines` is the seating or the deal.
    opens: Option<Opening>,
    lines: Vec<Value>,
    turn: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Opening {
    Seated,
    Deal,
}

/// Observes the event log of a seat of game `G`.
#[derive(Clone, Debug)]
pub struct Observer<G: Game> {
    seat: Seat,
    rules: G::Rules,
    standing: G::SessionState,
    /// The round in play, from 1; 0 before the first.
    number: u32,
    /// The imagined round in play, until its payoff.
    imagined: Option<ImaginedRound<G>>,
    due: Option<Pending>,
    /// Number of lines so far.
    lines: usize,
    over: bool,
}

impl<G: Game> Observer<G> {
    /// Creates an observer from the first line of an event log.
    ///
    /// # Errors
    /// The line is not the header of an event log of this game and version, its rules are refused, or they have no
    /// such seat.
    pub fn new(header: &Value) -> Result<Self, ObserveError> {
        let Beginning { seat, players, rules, names, .. } = beginning(header, G::NAME)?;
        let rules: G::Rules = rules::read(&rules)?;
        let seats = usize::from(rules.seats());
        if players != seats {
            let problem = format!("`players` is {players}, but the rules have {seats} seats");
            return Err(ObserveError::Header(problem));
        }
        if !names.is_empty() && names.len() != seats {
            let problem = format!("`names` has {} names, expected {seats}, one for each seat", names.len());
            return Err(ObserveError::Header(problem));
        }
        let Some(seat) = seat else {
            let problem = "it has no `seat`: a public record has no view of a seat".to_owned();
            return Err(ObserveError::Header(problem));
        };
        // A seat that joins a live table later is not among the initial seats. `u32::MAX` is a round after every
        // change that the rules already contain, so these changes cannot interfere.
        let changes = |seat| [RosterChange::Join(Seat(seat)), RosterChange::Leave(Seat(seat))];
        let may_join =
            (0..MAX_SEATS as u8).flat_map(changes).any(|change| rules.with_change(u32::MAX, change).is_ok());
        let most = if may_join { MAX_SEATS } else { seats };
        if seat.index() >= most {
            let problem = format!("`seat` is {}, expected 0 to {}", seat.0, most - 1);
            return Err(ObserveError::Header(problem));
        }
        let standing = G::seating(&rules, &mut Draw::new(0, 0));
        Ok(Self { seat, rules, standing, number: 0, imagined: None, due: None, lines: 1, over: false })
    }

    /// Reads the next line. Some lines can only be checked together with those after them. The error then names the
    /// line that is wrong, and the observer forgets that line and the others of the same move.
    ///
    /// # Errors
    /// It is not an event log line, or the rules do not allow it here.
    pub fn hear(&mut self, line: &Value) -> Result<(), ObserveError> {
        let number = self.lines + 1;
        let form = |problem: String| ObserveError::Form { line: number, problem };
        let Some(fields) = line.as_object() else {
            return Err(form("expected a JSON object".to_owned()));
        };
        let kind = fields.get("line").and_then(Value::as_str).unwrap_or_default();
        if self.over {
            return Err(form("the session was over before this line".to_owned()));
        }
        match kind {
            "round" => self.open(line, Opening::Seated)?,
            "deal" => self.open(line, Opening::Deal)?,
            "event" => self.event(line)?,
            "turn" => self.turn(line)?,
            "move" => self.choice(line)?,
            "payoff" => self.payoff(line)?,
            "change" => self.change(line)?,
            "end" => self.end(line)?,
            "header" => return Err(form("a second header".to_owned())),
            other => {
                let expected =
                    "expected `round`, `deal`, `event`, `turn`, `move`, `payoff`, `change` or `end`";
                return Err(form(format!("there is no line `{other}`: {expected}")));
            }
        }
        self.lines = number;
        Ok(())
    }

    /// Returns what the seat knows now. Call it after all lines of a move: it completes the move, and later events
    /// no longer belong to it.
    ///
    /// # Errors
    /// The seat has no view, because no round is in play or it sits this one out. Or the last lines are impossible.
    pub fn view(&mut self) -> Result<SeatView<'_>, ObserveError> {
        self.follow()?;
        let none = |problem| ObserveError::NoView { seat: self.seat.0, problem };
        match &self.imagined {
            None => Err(none("no round is in play")),
            Some(imagined) if !imagined.round.present().has(self.seat.0) => {
                Err(none("it sits this round out"))
            }
            Some(imagined) => Ok(SeatView::of(&imagined.round, self.seat)),
        }
    }

    /// [`Observer::view`] at the seat's own decision, for event logs without `turn` lines. The caller says that it
    /// is the seat's turn.
    ///
    /// # Errors
    /// As [`Observer::view`]; or it is not the seat's turn.
    pub fn decide(&mut self) -> Result<SeatView<'_>, ObserveError> {
        self.follow()?;
        let asked = |imagined: &ImaginedRound<G>| imagined.round.turn() == Turn::Decide(self.seat);
        if self.imagined.as_ref().is_some_and(|imagined| !asked(imagined)) {
            self.due = Some(Pending { first: self.lines + 1, turn: true, ..Pending::default() });
        }
        self.view()
    }

    /// Returns the pending lines of the current move, to add a line to them.
    fn keep(&mut self) -> &mut Pending {
        let first = self.lines + 1;
        self.due.get_or_insert_with(|| Pending { first, ..Pending::default() })
    }

    fn impossible(&self, problem: impl Into<String>) -> ObserveError {
        ObserveError::Impossible { line: self.lines + 1, problem: problem.into() }
    }

    fn same(&self, expected: &Value, found: &Value) -> Result<(), ObserveError> {
        same(self.lines + 1, expected, found)
    }

    fn open(&mut self, line: &Value, opening: Opening) -> Result<(), ObserveError> {
        let within = self.imagined.is_some() || self.due.as_ref().is_some_and(|due| due.opens.is_some());
        if within && opening == Opening::Seated {
            return Err(self.impossible("a round is in play"));
        }
        let number = self.number + u32::from(!within);
        if !within && number > self.rules.rounds() {
            return Err(self.impossible(format!("the session has {} rounds", self.rules.rounds())));
        }
        self.same(&json!(number), &line["round"]).map_err(|error| at("round", error))?;
        // The second opening of a round is the deal that follows a choice before the deal.
        if within && self.due.as_ref().is_none_or(|due| due.choice.is_none() || !due.lines.is_empty()) {
            return Err(self.impossible("the cards of this round were dealt before"));
        }
        if !within {
            self.number = number;
        }
        let due = self.keep();
        due.opens = Some(opening);
        due.lines.push(line.clone());
        Ok(())
    }

    fn event(&mut self, line: &Value) -> Result<(), ObserveError> {
        self.in_round(line)?;
        if self.due.as_ref().is_some_and(|due| due.lines.len() >= MOST_AT_ONCE) {
            return Err(self.impossible(format!("more than {MOST_AT_ONCE} events of one move")));
        }
        self.keep().lines.push(line.clone());
        Ok(())
    }

    fn turn(&mut self, line: &Value) -> Result<(), ObserveError> {
        self.in_round(line)?;
        let before = self.clone();
        self.keep().turn = true;
        let followed = self.follow().and_then(|()| {
            let phase = self.imagined.as_ref().map_or("", |imagined| imagined.round.phase());
            let expected = Line::Turn { round: self.number, phase: phase.to_owned() }.json();
            self.same(&expected, line)
        });
        followed.inspect_err(|_| *self = before)
    }

    fn choice(&mut self, line: &Value) -> Result<(), ObserveError> {
        self.follow()?;
        self.in_round(line)?;
        let number = self.lines + 1;
        let form = |problem: &str| ObserveError::Form { line: number, problem: problem.to_owned() };
        let seat = line["seat"].as_u64().filter(|&seat| seat < u64::from(self.rules.seats()));
        let seat = Seat(seat.ok_or_else(|| form("`seat` is not a seat of this session"))? as u8);
        let choice = match line.get("choice") {
            None => None,
            Some(label) => Some(label.as_str().ok_or_else(|| form("`choice` is not a text"))?),
        };
        let Some(imagined) = &self.imagined else { return Err(self.impossible("no round is in play")) };
        let expected = Line::Move { round: self.number, seat, choice: choice.map(str::to_owned) };
        self.same(&expected.json(), line)?;
        let action = match choice {
            None => None,
            Some(label) => match parse_label::<G>(Some(imagined.round.table()), label) {
                Some(action) => Some(action),
                None => return Err(self.impossible(format!("there is no move `{label}`"))),
            },
        };
        self.keep().choice = Some((seat, action));
        Ok(())
    }

    fn payoff(&mut self, line: &Value) -> Result<(), ObserveError> {
        self.follow()?;
        self.in_round(line)?;
        let Some(imagined) = &self.imagined else { return Err(self.impossible("no round is in play")) };
        if imagined.round.turn() != Turn::RoundOver {
            return Err(self.impossible("the round is not over"));
        }
        let mut standing = self.standing;
        let payoff: Payoff = imagined.round.settle(&mut standing);
        self.same(&Line::payoff(self.number, &payoff).json(), line)?;
        (self.standing, self.imagined) = (standing, None);
        Ok(())
    }

    fn change(&mut self, line: &Value) -> Result<(), ObserveError> {
        self.follow()?;
        if self.number >= self.rules.rounds() {
            return Err(self.impossible("it is the last round of the session"));
        }
        let choice = line["choice"].as_str().unwrap_or_default();
        let Some(change) = named_change(choice) else {
            return Err(ObserveError::Form {
                line: self.lines + 1,
                problem: "`choice` is neither `join SEAT` nor `leave SEAT`".to_owned(),
            });
        };
        let round = self.number + 1;
        self.same(&Line::Change { round, choice: choice.to_owned() }.json(), line)?;
        self.rules =
            self.rules.with_change(round, change).map_err(|error| self.impossible(error.to_string()))?;
        Ok(())
    }

    fn end(&mut self, line: &Value) -> Result<(), ObserveError> {
        self.follow()?;
        if self.imagined.is_some() || self.number < self.rules.rounds() {
            return Err(self.impossible("the session is not over"));
        }
        let seed = seed::read(&line["seed"]).map_err(|error| ObserveError::Form {
            line: self.lines + 1,
            problem: format!("`seed`: {error}"),
        })?;
        self.same(&Line::End { seed }.json(), line)?;
        self.over = true;
        Ok(())
    }

    /// Checks that the line belongs to the round in play.
    fn in_round(&self, line: &Value) -> Result<(), ObserveError> {
        if self.imagined.is_none() && self.due.is_none() {
            return Err(self.impossible("no round is in play"));
        }
        self.same(&json!(self.number), &line["round"]).map_err(|error| at("round", error))
    }

    /// Returns the imagined round; `None` between rounds.
    pub(crate) fn round(&self) -> Option<&G> {
        self.imagined.as_ref().map(|imagined| &imagined.round)
    }

    /// Plays the pending lines in the imagined round.
    ///
    /// # Errors
    /// The rules do not allow what the lines say.
    pub(crate) fn follow(&mut self) -> Result<(), ObserveError> {
        let Some(due) = self.due.take() else { return Ok(()) };
        let begins = self.imagined.is_none();
        let followed = self.followed(&due);
        match followed {
            Ok(imagined) => {
                self.imagined = Some(imagined);
                Ok(())
            }
            Err(error) => {
                // The lines of one move are forgotten together.
                if begins {
                    self.number -= 1;
                }
                self.lines = due.first - 1;
                Err(error)
            }
        }
    }

    fn followed(&self, due: &Pending) -> Result<ImaginedRound<G>, ObserveError> {
        let opening = usize::from(due.opens.is_some());
        let first = due.lines.first().filter(|_| opening == 1);
        let update = Update {
            choice: due.choice,
            seated: first.filter(|_| due.opens == Some(Opening::Seated)),
            deal: first.filter(|_| due.opens == Some(Opening::Deal)),
            events: &due.lines[opening..],
            turn: due.turn,
        };
        let impossible = |problem| ObserveError::Impossible { line: due.first, problem };
        let mut imagined = match &self.imagined {
            Some(imagined) => {
                let mut imagined = imagined.clone();
                G::follow(&mut imagined, &update).map_err(impossible)?;
                imagined
            }
            None => {
                // Hidden cards are guessed, but always in the same way.
                let rng = DealRng::new(u64::from(self.seat.0), u64::from(self.number));
                G::imagine(&self.rules, &self.standing, self.seat, &update, rng).map_err(impossible)?
            }
        };
        // The choice is the first line of its move; `due.lines` has only those after it.
        let first = due.first + usize::from(due.choice.is_some());
        let lines = std::mem::take(&mut imagined.lines);
        for i in 0..lines.len().max(due.lines.len()) {
            let line = match (lines.get(i), due.lines.get(i)) {
                (Some(fields), _) => {
                    let kind = if i >= opening { "event" } else { opened(due.opens) };
                    let mut line = fields.clone();
                    line["line"] = json!(kind);
                    line["round"] = json!(self.number);
                    line
                }
                (None, _) => Value::Null,
            };
            same(first + i, &line, due.lines.get(i).unwrap_or(&Value::Null))?;
        }
        if due.turn && imagined.round.turn() != Turn::Decide(self.seat) {
            let problem = format!("it is not the turn of seat {}", self.seat.0);
            return Err(ObserveError::Impossible { line: self.lines + 1, problem });
        }
        Ok(imagined)
    }
}

fn opened(opening: Option<Opening>) -> &'static str {
    match opening {
        Some(Opening::Seated) => "round",
        _ => "deal",
    }
}

/// Refuses a line that differs from the expected one.
fn same(line: usize, expected: &Value, found: &Value) -> Result<(), ObserveError> {
    match difference(expected, found, Comparing::Loosely) {
        None => Ok(()),
        Some((at, expected, found)) => Err(ObserveError::Differs { line, at, expected, found }),
    }
}

/// Returns the error with the name of the field that it is about.
fn at(field: &str, error: ObserveError) -> ObserveError {
    match error {
        ObserveError::Differs { line, expected, found, .. } => {
            ObserveError::Differs { line, at: field.to_owned(), expected, found }
        }
        error => error,
    }
}

/// Reads the first line of an event log of `game`.
fn beginning(header: &Value, game: &str) -> Result<Beginning, ObserveError> {
    let wrong = |problem: String| ObserveError::Header(problem);
    let Some(mut fields) = header.as_object().cloned() else {
        return Err(wrong("expected a JSON object".to_owned()));
    };
    match fields.remove("line") {
        Some(kind) if kind == "header" => {}
        kind => {
            let kind = kind.map_or_else(|| "missing".to_owned(), |kind| kind.to_string());
            return Err(wrong(format!("`line` is {kind}, expected \"header\"")));
        }
    }
    match fields.get("protocol") {
        Some(version) if *version == PROTOCOL => {}
        Some(version) => {
            return Err(wrong(format!("`protocol` is {version}; this program reads protocol {PROTOCOL}")));
        }
        None if fields.contains_key("format") => {
            let seat = "`cardsharp trace --seat N` writes one";
            return Err(wrong(format!("it is the header of a trace, which shows all cards; {seat}")));
        }
        None => return Err(wrong("there is no field `protocol`".to_owned())),
    }
    match fields.get("game").and_then(Value::as_str) {
        Some(named) if named == game => {}
        Some(named) => return Err(wrong(format!("it is of game `{named}`, not of `{game}`"))),
        None => return Err(wrong("there is no field `game`".to_owned())),
    }
    Beginning::deserialize(&Value::Object(fields)).map_err(|error| wrong(error.to_string()))
}

/// An [`Observer`] of any game.
pub trait AnyObserver: Send + Sync {
    /// The seat whose event log it reads.
    fn seat(&self) -> Seat;
    /// Number of lines so far, including the header.
    fn lines(&self) -> usize;
    /// See [`Observer::hear`].
    ///
    /// # Errors
    /// As [`Observer::hear`].
    fn hear(&mut self, line: &Value) -> Result<(), ObserveError>;
    /// See [`Observer::view`].
    ///
    /// # Errors
    /// As [`Observer::view`].
    fn view(&mut self) -> Result<SeatView<'_>, ObserveError>;
    /// See [`Observer::decide`].
    ///
    /// # Errors
    /// As [`Observer::decide`].
    fn decide(&mut self) -> Result<SeatView<'_>, ObserveError>;
    /// Whether the session is over.
    fn over(&self) -> bool;
}

impl<G: Game> AnyObserver for Observer<G> {
    fn seat(&self) -> Seat {
        self.seat
    }
    fn lines(&self) -> usize {
        self.lines
    }
    fn hear(&mut self, line: &Value) -> Result<(), ObserveError> {
        Observer::hear(self, line)
    }
    fn view(&mut self) -> Result<SeatView<'_>, ObserveError> {
        Observer::view(self)
    }
    fn decide(&mut self) -> Result<SeatView<'_>, ObserveError> {
        Observer::decide(self)
    }
    fn over(&self) -> bool {
        self.over
    }
}
