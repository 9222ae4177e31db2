//! Checkpoints in journals: the state of a session right after a deal. A table is read from its last checkpoint, so that a
//! long session costs little more than a short one.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use cardsharp_env::{AnyGame, AnyTable, GameRules};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::replay::{Replayed, listeners};
use super::{Live, SessionSteps};
use crate::feed::{Listener, ListenerLog, TableFeed};
use crate::journal::Kept;
use crate::players::Players;

/// The state of a session right after a deal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SessionCheckpoint {
    /// The number of steps so far.
    steps: usize,
    /// The number of times that moves were taken back.
    epoch: u64,
    /// The rules, with all changes of players.
    rules: Value,
    seed: u64,
    /// The number of the round that was dealt.
    round: u32,
    standing: Value,
    players: Players,
    /// The lines that event logs have got since the last checkpoint, without repetition.
    lines: Vec<String>,
    logs: Vec<Piece>,
}

/// What an event log has got since the last checkpoint.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    to: Listener,
    /// The number of its steps in earlier checkpoints.
    from: usize,
    /// The lines of each later step, as indices.
    steps: Vec<Vec<usize>>,
}

/// What the checkpoints of a journal have.
#[derive(Clone, Debug, Default)]
pub(super) struct Marked {
    /// The number of steps of the session.
    pub(super) steps: usize,
    /// The header of each event log, and the number of its steps.
    logs: BTreeMap<Listener, (Arc<str>, usize)>,
}

impl Marked {
    /// Describes journals whose last checkpoint has these event logs.
    fn of(steps: usize, logs: &BTreeMap<Listener, ListenerLog>) -> Self {
        let logs = logs.iter().filter_map(|(to, log)| Some((*to, (log.header()?.clone(), log.steps()))));
        Self { steps, logs: logs.collect() }
    }

    /// Returns the number of steps of an event log that are in checkpoints. Another player's event log may have the same
    /// seat, but then it has another header.
    fn steps_of(&self, to: Listener, log: &ListenerLog) -> usize {
        self.logs.get(&to).filter(|(header, _)| log.header() == Some(header)).map_or(0, |(_, steps)| *steps)
    }
}

impl SessionCheckpoint {
    /// Describes a session right after a deal.
    fn new(
        table: &dyn AnyTable,
        players: &Players,
        logs: &BTreeMap<Listener, ListenerLog>,
        epoch: u64,
        marked: &Marked,
    ) -> Self {
        let (mut lines, mut known) = (Vec::new(), HashMap::new());
        let mut index = |line: &Arc<str>| {
            *known.entry(Arc::clone(line)).or_insert_with(|| {
                lines.push(line.to_string());
                lines.len() - 1
            })
        };
        let mut piece = |(to, log): (&Listener, &ListenerLog)| {
            let from = marked.steps_of(*to, log);
            let steps = log.since(from).map(|lines| lines.iter().map(&mut index).collect()).collect();
            Piece { to: *to, from, steps }
        };
        let logs = logs.iter().map(&mut piece).collect();
        Self {
            steps: table.steps(),
            epoch,
            rules: table.rules(),
            seed: table.seed(),
            round: table.round(),
            standing: table.standing(),
            players: players.clone(),
            lines,
            logs,
        }
    }

    /// Returns the event logs at this checkpoint, made from those at the last one. None if they do not fit together.
    fn logs(&self, mut earlier: BTreeMap<Listener, ListenerLog>) -> Option<BTreeMap<Listener, ListenerLog>> {
        let lines: Vec<Arc<str>> = self.lines.iter().map(|line| line.as_str().into()).collect();
        let mut logs = BTreeMap::new();
        for Piece { to, from, steps } in &self.logs {
            let mut log = if *from == 0 { ListenerLog::default() } else { earlier.remove(to)? };
            if log.steps() != *from {
                return None;
            }
            for step in steps {
                // Delayed spectators see everything before the last deal, which is the last step.
                log.show_all();
                log.push(step.iter().map(|at| lines.get(*at).cloned()).collect::<Option<Vec<_>>>()?);
            }
            logs.insert(*to, log);
        }
        Some(logs)
    }

    /// Returns the session at this checkpoint.
    fn session(self, game: &'static dyn AnyGame, logs: BTreeMap<Listener, ListenerLog>) -> Option<Replayed> {
        let Self { steps, epoch, rules, seed, round, standing, players, .. } = self;
        let rules: GameRules = game.rules(&rules).ok()?;
        let table = rules.resumed(seed, round, &standing, steps)?;
        let course = SessionSteps { steps, floor: steps, ..SessionSteps::default() };
        let marked = Marked::of(steps, &logs);
        Some(Replayed { game, table, course, players, logs, epoch, waits: false, marked })
    }
}

/// Rebuilds a session from the last checkpoint of its journal. None if there is none, or if the event log of a person is
/// missing there, because they took their seat later. The whole journal then gives the session.
pub(crate) fn resume(games: &[&'static dyn AnyGame], kept: &Kept) -> Option<Replayed> {
    let (mut logs, mut last) = (BTreeMap::new(), None);
    for checkpoint in &kept.checkpoints {
        let checkpoint: SessionCheckpoint = serde_json::from_slice(checkpoint).ok()?;
        logs = checkpoint.logs(logs)?;
        last = Some(checkpoint);
    }
    let game = games.iter().find(|game| game.name() == kept.opened.game)?;
    let mut session = last?.session(*game, logs)?;
    session.resume(&kept.entries).ok()?;
    let needed = listeners(kept.opened.spectators, &session.players.sitters, session.table.seats());
    needed.iter().all(|to| session.logs.contains_key(to)).then_some(session)
}

impl Live {
    /// Whether the next deal is followed by a checkpoint.
    pub(super) fn is_mark_due(&self) -> bool {
        self.journal.is_on_disk() && self.course.steps >= self.marked.steps + self.mark_after
    }

    /// Appends a checkpoint to the journal. The last step must be a deal. If the disk refuses, the table continues, because
    /// its journal has everything; the next deal tries again.
    pub(super) fn mark(&mut self, feed: &TableFeed) {
        let inner = feed.lock();
        let (table, marked) = (self.table.as_ref(), &self.marked);
        let checkpoint = SessionCheckpoint::new(table, &inner.players, &inner.logs, inner.epoch, marked);
        let marked = Marked::of(self.course.steps, &inner.logs);
        drop(inner);
        if self.journal.mark(&checkpoint).is_ok() {
            self.marked = marked;
        }
    }
}

#[cfg(test)]
mod tests;
