//! Checks of event logs: the log of a seat must reproduce its view.

use super::Violation;
use crate::base::blocks::width;
use crate::base::mask::{self, Mask};
use crate::base::rules::Rules;
use crate::base::{ActionId, Seat};
use crate::game::{Game, OwnedView};
use crate::runtime::log::{Audience, Line};
use crate::runtime::observer::{AnyObserver, ObserveError, Observer};
use crate::runtime::table::{AnyTable, Table};

/// One view in this many is also compared as text.
const AS_TEXT: u64 = 8;

/// Follows a session with these actions through the event log of each seat. Returns how many views were compared,
/// and in how many of them the imagined round has other hidden cards than the real round.
pub(super) fn check<G: Game>(
    rules: G::Rules,
    seed: u64,
    actions: &[ActionId],
) -> Result<[u64; 2], Violation> {
    follow(Table::<G>::new(rules, seed), actions)
}

/// Runs [`check`] on a session that has just begun.
pub(super) fn follow<G: Game>(mut table: Table<G>, actions: &[ActionId]) -> Result<[u64; 2], Violation> {
    let rules = *table.session().rules();
    let mut observers = (0..rules.seats())
        .map(|seat| SeatObserver::new(&table, Seat(seat)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut counted = [0, 0];
    for (i, &action) in actions.iter().enumerate() {
        if table.payoff().is_some() {
            AnyTable::deal_next(&mut table);
            observers.iter_mut().try_for_each(|observer| observer.listen(&table))?;
        }
        for observer in &mut observers {
            observer.compare(&table, &mut counted)?;
        }
        let refused = |error| Violation::Replay(format!("action {i}: {error}"));
        Table::try_play(&mut table, action).map_err(refused)?;
        observers.iter_mut().try_for_each(|observer| observer.listen(&table))?;
    }
    Ok(counted)
}

/// A seat with an observer of its event log.
struct SeatObserver<G: Game> {
    seat: Seat,
    observer: Observer<G>,
}

impl<G: Game> SeatObserver<G> {
    fn new(table: &Table<G>, seat: Seat) -> Result<Self, Violation> {
        let header = table.header(Audience::Seat(seat), Vec::new()).json();
        let observer = Observer::new(&header).map_err(|error| violation(seat, error))?;
        let mut observer = Self { seat, observer };
        observer.listen(table)?;
        Ok(observer)
    }

    fn wrong(&self, problem: String) -> Violation {
        Violation::EventLog { seat: self.seat.0, problem }
    }

    /// Passes the lines of the last step to the observer.
    fn listen(&mut self, table: &Table<G>) -> Result<(), Violation> {
        for line in table.lines(table.steps(), Audience::Seat(self.seat)) {
            if matches!(line, Line::Decision { .. } | Line::Header(_)) {
                return Err(self.wrong("it holds a line of a trace".to_owned()));
            }
            let written = line.json();
            self.observer.hear(&written).map_err(|error| {
                let seat = self.seat;
                Violation::EventLog { seat: seat.0, problem: format!("{error}; the last line: {written}") }
            })?;
        }
        Ok(())
    }

    /// Compares the views if the seat decides, or if everyone may know who does.
    fn compare(&mut self, table: &Table<G>, counted: &mut [u64; 2]) -> Result<(), Violation> {
        let round = table.session().round();
        let Some(turn) = table.turn() else { return Ok(()) };
        let legal = G::legal(round.view(turn));
        let open = mask::actions(legal.words()).all(G::is_public);
        if !round.present().has(self.seat.0) || turn != self.seat && !open {
            return Ok(());
        }
        let own: OwnedView<G> = round.view(self.seat).to_owned();
        let seat = self.seat;
        self.observer.follow().map_err(|error| violation(seat, error))?;
        let Some(imagined) = self.observer.round() else {
            return Err(self.wrong("no round is in play".to_owned()));
        };
        let made = imagined.view(seat).to_owned();
        let [observed, elsewhere] = counted;
        *observed += 1;
        *elsewhere += u64::from(hidden(imagined, seat) != hidden(round, seat));
        if made != own || observed.is_multiple_of(AS_TEXT) && text(&made) != text(&own) {
            return Err(self.wrong(format!("it makes the view {} instead of {}", text(&made), text(&own))));
        }
        if turn == seat
            && AnyObserver::view(&mut self.observer).map(|view| view.legal_words())
                != Ok(legal.words().to_vec())
        {
            return Err(self.wrong("it makes other legal actions".to_owned()));
        }
        Ok(())
    }
}

/// Returns the cells of what a seat cannot see in a round.
fn hidden<G: Game>(round: &G, seat: Seat) -> Vec<u8> {
    let mut row = vec![0; width(G::HIDDEN)];
    round.reveal(seat, &mut row);
    row
}

fn text<G: Game>(view: &OwnedView<G>) -> String {
    serde_json::to_string(view).unwrap_or_else(|error| error.to_string())
}

fn violation(seat: Seat, error: ObserveError) -> Violation {
    Violation::EventLog { seat: seat.0, problem: error.to_string() }
}
