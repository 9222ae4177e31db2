//! Replays a journal, to rebuild its session and event logs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use cardsharp_env::rules::{RosterChange, RulesError};
use cardsharp_env::{AnyGame, AnyTable, Audience, MAX_SEATS, Seat};
use serde_json::Value;

use super::{Marked, SessionSteps, exposed, new_lines};
use crate::feed::{Listener, ListenerLog};
use crate::journal::{JournalError, JournalLine, Kept, Sitter};
use crate::now::Spectators;
use crate::players::Players;

/// Why a journal does not describe a valid session.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RebuildError {
    /// There is no such game.
    #[error("there is no game `{0}`")]
    Game(String),
    /// The rules are not valid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
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
    pub(crate) course: SessionSteps,
    pub(crate) players: Players,
    pub(crate) logs: BTreeMap<Listener, ListenerLog>,
    /// The number of times that moves were taken back.
    pub(crate) epoch: u64,
    /// Whether the session has not started, because some people are not ready.
    pub(crate) waits: bool,
    /// What the checkpoints of the journal have.
    pub(super) marked: Marked,
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
) -> BTreeMap<Listener, ListenerLog> {
    let log = |(to, lines)| {
        let mut log = ListenerLog::new(header(table, to, names));
        log.push(lines);
        if to != Listener::Delayed {
            log.show_all();
        }
        (to, log)
    };
    new_lines(table, listeners).into_iter().map(log).collect()
}

/// Returns whose event logs a table has: of people, by seat, and of spectators.
pub(crate) fn listeners(spectators: Spectators, sitters: &[Sitter], seats: usize) -> Vec<Listener> {
    let people = sitters.iter().take(seats).enumerate();
    let people = people.filter(|(_, sitter)| matches!(sitter, Sitter::Person { .. }));
    let spectators = match spectators {
        // The host uses this event log, too.
        Spectators::Public | Spectators::Off => Listener::Everybody,
        Spectators::Delayed => Listener::Delayed,
    };
    people.map(|(seat, _)| Listener::Seat(Seat(seat as u8))).chain([spectators]).collect()
}

/// Replays a whole journal. Returns the event logs of spectators and of the people who are in seats at its end. The table
/// has the history of the last round.
///
/// # Errors
/// The journal does not describe a valid session of these games.
pub(crate) fn replay(games: &[&'static dyn AnyGame], kept: &Kept) -> Result<Replayed, RebuildError> {
    let opened = &kept.opened;
    let game = games.iter().find(|game| game.name() == opened.game);
    let game = *game.ok_or_else(|| RebuildError::Game(opened.game.clone()))?;
    let rules = game.rules(&opened.rules)?;
    if opened.seats.len() != rules.seats() {
        let reason = format!("{} players for {} seats", opened.seats.len(), rules.seats());
        return Err(RebuildError::Step { line: 1, reason });
    }
    let table = rules.table(kept.seed());
    let mut logs = BTreeMap::new();
    if !kept.waits() {
        let listeners = listeners(opened.spectators, &kept.sitters(), table.seats());
        logs = opening(table.as_ref(), &kept.names(), listeners);
    }
    let mut replayed = Replayed { logs, waits: opened.ready_check, ..Replayed::begun(game, table, kept) };
    replayed.follow(kept, Changes::InTheJournal)?;
    let last = listeners(opened.spectators, &replayed.players.sitters, replayed.table.seats());
    replayed.logs.retain(|to, _| last.contains(to));
    Ok(replayed)
}

/// Returns the event log of a seat that has joined with the last entry, or a trace of the whole session. The session is
/// replayed with the current rules. They say when players joined, so the event log has this from its first line.
///
/// # Errors
/// The journal does not describe a valid session of this game.
fn by_rules(
    game: &'static dyn AnyGame,
    kept: &Kept,
    rules: &Value,
    to: Listener,
) -> Result<Replayed, RebuildError> {
    let table = game.rules(rules)?.table(kept.seed());
    let mut names = kept.names();
    names.resize(table.seats(), String::new());
    let logs = opening(table.as_ref(), &names, [to]);
    let mut replayed = Replayed { logs, ..Replayed::begun(game, table, kept) };
    replayed.follow(kept, Changes::InTheRules)?;
    Ok(replayed)
}

/// Returns the event log of a seat that has joined with the last entry.
///
/// # Errors
/// The journal does not describe a valid session of this game.
pub(crate) fn joined(
    game: &'static dyn AnyGame,
    kept: &Kept,
    rules: &Value,
    seat: Seat,
) -> Result<ListenerLog, RebuildError> {
    let logs = by_rules(game, kept, rules, Listener::Seat(seat))?.logs;
    let missing = || RebuildError::Step { line: 1, reason: "there is no such record".to_owned() };
    logs.into_values().next().ok_or_else(missing)
}

/// Returns the trace of a session that is over.
///
/// # Errors
/// The journal does not describe a valid session of this game.
pub(crate) fn trace(game: &'static dyn AnyGame, kept: &Kept, rules: &Value) -> Result<String, RebuildError> {
    let replayed = by_rules(game, kept, rules, Listener::Delayed)?;
    let mut names = kept.names();
    names.extend(kept.sitters().iter().skip(names.len()).map(|sitter| sitter.name().to_owned()));
    names.truncate(replayed.table.seats());
    let header = replayed.table.header(Audience::Referee, names).json().to_string();
    // A trace has its own header.
    let lines = replayed.logs.values().flat_map(|log| log.since(0).flatten().skip(1));
    Ok(std::iter::once(header.as_str())
        .chain(lines.map(AsRef::as_ref))
        .flat_map(|line| [line, "\n"])
        .collect())
}

/// Where a replay takes the changes of players from.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Changes {
    /// From the journal.
    InTheJournal,
    /// From the rules of the replay, which have all of them.
    InTheRules,
}

impl Replayed {
    fn begun(game: &'static dyn AnyGame, table: Box<dyn AnyTable>, kept: &Kept) -> Self {
        Self {
            game,
            table,
            course: SessionSteps::default(),
            players: Players::new(kept.opened.seats.clone()),
            logs: BTreeMap::new(),
            epoch: 0,
            waits: false,
            marked: Marked::default(),
        }
    }

    /// Follows the entries after a checkpoint.
    ///
    /// # Errors
    /// An entry does not fit, or needs the entries before the checkpoint.
    pub(super) fn resume(&mut self, entries: &[JournalLine]) -> Result<(), String> {
        for entry in entries {
            self.step(entry, Changes::InTheJournal)?;
        }
        self.show();
        Ok(())
    }

    fn follow(&mut self, kept: &Kept, changes: Changes) -> Result<(), RebuildError> {
        for (number, entry) in kept.entries.iter().enumerate() {
            self.step(entry, changes).map_err(|reason| RebuildError::Step { line: number + 2, reason })?;
            let JournalLine::Change(RosterChange::Join(seat)) = entry else { continue };
            let to = Listener::Seat(*seat);
            let is_person = self.players.has_person(*seat);
            if changes == Changes::InTheJournal && is_person && !self.logs.contains_key(&to) {
                let entries = kept.entries[..=number].to_vec();
                let so_far = Kept { opened: kept.opened.clone(), checkpoints: Vec::new(), entries };
                let log = joined(self.game, &so_far, &self.table.rules(), *seat)?;
                self.logs.insert(to, log);
            }
        }
        self.show();
        Ok(())
    }

    /// Shows the lines that each listener may see.
    fn show(&mut self) {
        for (to, log) in &mut self.logs {
            if *to != Listener::Delayed || self.table.over() {
                log.show_all();
            }
            log.shrink();
        }
    }

    fn step(&mut self, entry: &JournalLine, changes: Changes) -> Result<(), String> {
        let Self { table, course, logs, players, .. } = self;
        match entry {
            JournalLine::Move { seat, choice } => {
                if table.turn() != Some(*seat) {
                    return Err(format!("seat {} has no decision to make", seat.0));
                }
                let action = table.parse(choice).ok_or_else(|| format!("`{choice}` is not a move"))?;
                table.try_play(action).map_err(|error| error.to_string())?;
                course.decisions.push((*seat, course.steps));
            }
            JournalLine::Deal => {
                if !table.deal_next() {
                    return Err("no round can be dealt here".to_owned());
                }
                (course.floor, course.decisions) = (course.steps + 1, Vec::new());
                players.dealt();
            }
            JournalLine::Change(_) if changes == Changes::InTheRules => {
                // A step without lines, so that steps have the same numbers in all event logs.
                course.steps += 1;
                logs.values_mut().for_each(|log| log.push([]));
                return Ok(());
            }
            JournalLine::Change(change) => table.change_roster(*change).map_err(|error| error.to_string())?,
            JournalLine::Undo(count) => {
                if *count > course.steps || !(0..*count).all(|_| table.undo().is_some()) {
                    return Err(format!("there are no {count} steps to take back"));
                }
                course.take_back_to(course.steps - count);
                logs.values_mut().for_each(|log| log.take_back_to(course.steps));
                self.epoch += 1;
                return Ok(());
            }
            _ => return self.apply_besides(entry),
        }
        course.steps += 1;
        let lines = new_lines(table.as_ref(), logs.keys().copied());
        for ((to, log), (_, lines)) in logs.iter_mut().zip(lines) {
            if *entry == JournalLine::Deal && *to == Listener::Delayed {
                log.show_all();
            }
            log.push(lines);
        }
        if *entry == JournalLine::Deal {
            table.forget(course.floor);
        }
        Ok(())
    }

    /// Follows an entry that is no step of the game.
    fn apply_besides(&mut self, entry: &JournalLine) -> Result<(), String> {
        let Self { table, course, players, waits, .. } = self;
        match entry {
            JournalLine::Wish(change) => course.wishes.push(*change),
            JournalLine::WishesDone => course.wishes.clear(),
            JournalLine::Sits { seat, sitter } => {
                if seat.index() > players.sitters.len() || seat.index() >= MAX_SEATS {
                    return Err(format!("there is no seat {}", seat.0));
                }
                let round = if *waits { None } else { exposed(table.as_ref(), *seat) };
                players.sit(*seat, sitter.clone(), round);
            }
            JournalLine::Named { seat, name } => players.rename(*seat, name.clone()),
            JournalLine::Ready { seat, ready, salt } => players.set_ready(*seat, *ready, salt.clone()),
            JournalLine::Start { salts, .. } => {
                players.start(salts.clone());
                *waits = false;
            }
            JournalLine::Substitute { seat, bot, at_deal } => players.hand(*seat, bot.clone(), *at_deal),
            JournalLine::Time { seat, used } => players.set_used(*seat, Duration::from_millis(*used)),
            // The entries of steps, and those that only help to load a journal.
            JournalLine::Move { .. }
            | JournalLine::Deal
            | JournalLine::Change(_)
            | JournalLine::Undo(_)
            | JournalLine::Checkpoint(_)
            | JournalLine::Saved { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
