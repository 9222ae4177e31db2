//! Replays a journal, to rebuild its session and event logs.

use std::collections::BTreeMap;
use std::sync::Arc;

use cardsharp_env::rules::{RosterChange, RulesError};
use cardsharp_env::{AnyGame, AnyTable, Audience, Seat};
use serde_json::Value;

use super::{Course, lines};
use crate::front::{Listener, Log};
use crate::journal::{Entry, Kept, Opened, Sitter, Spectators};

/// Why a journal does not describe a valid session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// There is no such game.
    #[error("there is no game `{0}`")]
    Game(String),
    /// The rules are not valid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A step is impossible.
    #[error("line {line}: {reason}")]
    Step {
        /// The line of the journal, from 1.
        line: usize,
        /// Why the step is impossible.
        reason: String,
    },
}

/// A session at the point where its journal ends.
pub(crate) struct Replayed {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) table: Box<dyn AnyTable>,
    pub(crate) course: Course,
    pub(crate) sitters: Vec<Sitter>,
    pub(crate) logs: BTreeMap<Listener, Log>,
    /// The number of times that moves were taken back.
    pub(crate) epoch: u64,
}

/// Returns the names of the first players, by seat.
pub(crate) fn names(opened: &Opened) -> Vec<String> {
    opened.seats.iter().map(|sitter| sitter.name().to_owned()).collect()
}

/// Returns the first line of an event log. It has no seed, even for spectators who see all cards.
fn header(table: &dyn AnyTable, to: Listener, names: &[String]) -> Arc<str> {
    let audience = match to {
        Listener::Seat(seat) => Audience::Seat(seat),
        Listener::Everybody | Listener::Delayed => Audience::Everybody,
    };
    table.header(audience, names.to_vec()).json().to_string().into()
}

/// Returns the event logs of these listeners when a table has opened.
pub(crate) fn opening(
    table: &dyn AnyTable,
    names: &[String],
    listeners: impl IntoIterator<Item = Listener>,
) -> BTreeMap<Listener, Log> {
    let log = |to| {
        let mut log = Log::new(header(table, to, names));
        log.push(lines(table, to));
        if to != Listener::Delayed {
            log.show_all();
        }
        (to, log)
    };
    listeners.into_iter().map(log).collect()
}

/// Returns whose event logs a table has: of people, by seat, and of spectators.
pub(crate) fn listeners(spectators: Spectators, sitters: &[Sitter], seats: usize) -> Vec<Listener> {
    let people = sitters.iter().take(seats).enumerate();
    let people = people.filter(|(_, sitter)| matches!(sitter, Sitter::Person { .. }));
    let spectators = match spectators {
        Spectators::Public => Listener::Everybody,
        Spectators::Delayed => Listener::Delayed,
    };
    people.map(|(seat, _)| Listener::Seat(Seat(seat as u8))).chain([spectators]).collect()
}

/// Puts a player into a seat. A new seat must be the one after the last.
pub(crate) fn sit(sitters: &mut Vec<Sitter>, seat: Seat, sitter: Sitter) {
    match sitters.get_mut(seat.index()) {
        Some(place) => *place = sitter,
        None => sitters.push(sitter),
    }
}

/// Replays a journal. Returns the event logs of spectators and of the people who are in seats at its end.
///
/// # Errors
/// The journal does not describe a valid session of these games.
pub(crate) fn replay(games: &[&'static dyn AnyGame], kept: &Kept) -> Result<Replayed, ReplayError> {
    let opened = &kept.opened;
    let game = games.iter().find(|game| game.name() == opened.game);
    let game = *game.ok_or_else(|| ReplayError::Game(opened.game.clone()))?;
    let table = game.rules(&opened.rules)?.table(opened.seed);
    let mut sitters = opened.seats.clone();
    for entry in &kept.entries {
        if let Entry::Sits { seat, sitter } = entry {
            sit(&mut sitters, *seat, sitter.clone());
        }
    }
    let names = names(opened);
    let listeners = listeners(opened.spectators, &sitters, table.seats());
    let logs = opening(table.as_ref(), &names, listeners);
    let mut replayed = Replayed { game, table, course: Course::default(), sitters, logs, epoch: 0 };
    replayed.follow(kept, &names, Changes::Told)?;
    Ok(replayed)
}

/// Returns the event log of a seat that has joined with the last entry. The session is replayed with the current rules.
/// They say when the seat joined, so the event log has this from its first line.
///
/// # Errors
/// The journal does not describe a valid session of this game.
pub(crate) fn joined(
    game: &'static dyn AnyGame,
    kept: &Kept,
    rules: &Value,
    names: &[String],
    seat: Seat,
) -> Result<Log, ReplayError> {
    let table = game.rules(rules)?.table(kept.opened.seed);
    let mut names = names.to_vec();
    names.resize(table.seats(), String::new());
    let logs = opening(table.as_ref(), &names, [Listener::Seat(seat)]);
    let mut replayed =
        Replayed { game, table, course: Course::default(), sitters: Vec::new(), logs, epoch: 0 };
    replayed.follow(kept, &names, Changes::InTheRules)?;
    let missing = || ReplayError::Step { line: 1, reason: "there is no such record".to_owned() };
    replayed.logs.into_values().next().ok_or_else(missing)
}

/// Where a replay takes the changes of players from.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Changes {
    /// From the journal.
    Told,
    /// From the rules of the replay, which have all of them.
    InTheRules,
}

impl Replayed {
    fn follow(&mut self, kept: &Kept, names: &[String], changes: Changes) -> Result<(), ReplayError> {
        for (number, entry) in kept.entries.iter().enumerate() {
            self.step(entry, changes).map_err(|reason| ReplayError::Step { line: number + 2, reason })?;
            let Entry::Change(RosterChange::Join(seat)) = entry else { continue };
            let to = Listener::Seat(*seat);
            let is_person = matches!(self.sitters.get(seat.index()), Some(Sitter::Person { .. }));
            if changes == Changes::Told && is_person && !self.logs.contains_key(&to) {
                let so_far = Kept { opened: kept.opened.clone(), entries: kept.entries[..=number].to_vec() };
                let log = joined(self.game, &so_far, &self.table.rules(), names, *seat)?;
                self.logs.insert(to, log);
            }
        }
        for (to, log) in &mut self.logs {
            if *to != Listener::Delayed || self.table.over() {
                log.show_all();
            }
        }
        Ok(())
    }

    fn step(&mut self, entry: &Entry, changes: Changes) -> Result<(), String> {
        let Self { table, course, logs, .. } = self;
        match entry {
            Entry::Move { seat, choice } => {
                let action = table.parse(choice).ok_or_else(|| format!("`{choice}` is not a move"))?;
                table.try_play(action).map_err(|error| error.to_string())?;
                course.decisions.push((*seat, course.steps));
            }
            Entry::Deal => {
                if !table.deal_next() {
                    return Err("no round can be dealt here".to_owned());
                }
                (course.floor, course.decisions) = (course.steps + 1, Vec::new());
            }
            Entry::Change(_) if changes == Changes::InTheRules => {
                // A step without lines, so that steps have the same numbers in all event logs.
                course.steps += 1;
                logs.values_mut().for_each(|log| log.push([]));
                return Ok(());
            }
            Entry::Change(change) => table.change_roster(*change).map_err(|error| error.to_string())?,
            Entry::Undo(count) => {
                if *count > course.steps || !(0..*count).all(|_| table.undo().is_some()) {
                    return Err(format!("there are no {count} steps to take back"));
                }
                course.take_back_to(course.steps - count);
                logs.values_mut().for_each(|log| log.take_back_to(course.steps));
                self.epoch += 1;
                return Ok(());
            }
            Entry::Wish(change) => {
                course.wishes.push(*change);
                return Ok(());
            }
            Entry::WishesDone => {
                course.wishes.clear();
                return Ok(());
            }
            Entry::Sits { .. } | Entry::Saved(_) => return Ok(()),
        }
        course.steps += 1;
        for (to, log) in logs {
            if *entry == Entry::Deal && *to == Listener::Delayed {
                log.show_all();
            }
            log.push(lines(table.as_ref(), *to));
        }
        Ok(())
    }
}
