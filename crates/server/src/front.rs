//! What can be known of a table without asking the table: the lines that everybody was told so far, who sits where, who
//! must decide. It is locked for moments only, so that nobody waits here for somebody else's thoughts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cardsharp_env::hands::Positions;
use cardsharp_env::{Audience, MAX_SEATS, Seat};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::watch;

use crate::journal::Sitter;
use crate::limits::Limits;
use crate::refusal::Refusal;

/// Whose record is kept.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Listener {
    /// That of a seat.
    Seat(Seat),
    /// Of spectators, who see what everybody sees.
    Everybody,
    /// Of spectators, who see everything, later.
    Delayed,
}

impl Listener {
    /// Who is told.
    pub(crate) fn audience(self) -> Audience {
        match self {
            Self::Seat(seat) => Audience::Seat(seat),
            Self::Everybody => Audience::Everybody,
            Self::Delayed => Audience::Referee,
        }
    }
}

/// The lines that one step brought, for each record that is kept.
pub(crate) type Told = Vec<(Listener, Vec<Arc<str>>)>;

/// The record of one audience.
#[derive(Clone, Default)]
pub(crate) struct Log {
    lines: Vec<Arc<str>>,
    /// How many lines there were after each step; the header belongs to step 0.
    after: Vec<usize>,
    /// How many may be shown.
    shown: usize,
}

impl Log {
    /// One that begins with this header.
    pub(crate) fn new(header: Arc<str>) -> Self {
        Self { lines: vec![header], after: Vec::new(), shown: 1 }
    }

    /// Adds the lines of the next step.
    pub(crate) fn push(&mut self, lines: impl IntoIterator<Item = Arc<str>>) {
        self.lines.extend(lines);
        self.after.push(self.lines.len());
    }

    /// Forgets the steps after this one.
    pub(crate) fn take_back_to(&mut self, step: usize) {
        self.after.truncate(step + 1);
        self.lines.truncate(self.after.last().copied().unwrap_or(1));
        self.shown = self.shown.min(self.lines.len());
    }

    /// Lets everything be seen.
    pub(crate) fn show_all(&mut self) {
        self.shown = self.lines.len();
    }

    /// Bytes that it keeps.
    fn bytes(&self) -> usize {
        self.lines.iter().map(|line| line.len()).sum()
    }
}

/// Somebody wants to take a move back.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    /// Who began.
    pub(crate) by: Seat,
    /// The number of steps that would be left.
    pub(crate) to: usize,
    /// Who agrees.
    pub(crate) agreed: Vec<Seat>,
}

/// How far a listener has come.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// How often moves had been taken back.
    pub(crate) epoch: u64,
    /// The next line.
    pub(crate) next: usize,
    /// The last notice that it had.
    pub(crate) notice: u64,
    /// The line after which it was told what is legal.
    pub(crate) legal: usize,
}

/// The public facts of a table outside its event log.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct TableNow {
    /// The name of the game.
    pub(crate) game: &'static str,
    /// The person or bot in each seat.
    pub(crate) seats: Vec<SeatNow>,
    /// Whether people may take seats of bots without the host.
    pub(crate) open: bool,
    /// The pending request to take back a move.
    pub(crate) undo: Option<UndoNow>,
    /// Why the table cannot continue; null if it can.
    pub(crate) stopped: Option<String>,
    /// Whether the session is over.
    pub(crate) over: bool,
}

/// The person or bot in a seat.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct SeatNow {
    /// The seat.
    pub(crate) seat: u8,
    /// Whether the player is a person.
    pub(crate) person: bool,
    /// The name of the person or the bot.
    pub(crate) name: String,
}

/// A request to take back a move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct UndoNow {
    /// The seat whose last move it is.
    pub(crate) seat: u8,
    /// The seats of people that agree.
    pub(crate) agreed: Vec<u8>,
    /// The seats of people that have not answered.
    pub(crate) missing: Vec<u8>,
}

/// Who must decide.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    pub(crate) seat: Seat,
    /// What is legal, as JSON.
    pub(crate) legal: Arc<str>,
}

/// How a session stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stand {
    /// Who must decide; nobody between rounds.
    pub(crate) due: Option<Due>,
    /// The seats that play this round.
    pub(crate) present: Positions,
    /// Whether the session is over.
    pub(crate) over: bool,
}

/// What a front holds.
pub(crate) struct Inner {
    game: &'static str,
    pub(crate) open: bool,
    pub(crate) sitters: Vec<Sitter>,
    stand: Stand,
    pub(crate) proposal: Option<Proposal>,
    /// Why bots do not go on.
    pub(crate) stopped: Option<String>,
    pub(crate) logs: BTreeMap<Listener, Log>,
    epoch: u64,
    notice: u64,
    bytes: Bytes,
    gone: bool,
}

/// Bytes of the told lines of a table, as part of those of all tables.
struct Bytes {
    own: usize,
    all: Arc<AtomicUsize>,
}

impl Bytes {
    fn set(&mut self, own: usize) {
        // Both at once: a difference, which may be below 0.
        self.all.fetch_add(own.wrapping_sub(self.own), Ordering::Relaxed);
        self.own = own;
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        self.set(0);
    }
}

/// Refuses where no more lines are to be kept of all tables, which have so many bytes of them.
pub(crate) fn have_room(all: &AtomicUsize, limits: &Limits) -> Result<(), Refusal> {
    match all.load(Ordering::Relaxed) < limits.records {
        true => Ok(()),
        false => Err(Refusal::Full { what: "bytes of event logs", most: limits.records }),
    }
}

/// See above.
pub(crate) struct Front {
    inner: Mutex<Inner>,
    changed: watch::Sender<()>,
}

/// What the steps of one telling were.
pub(crate) struct Telling {
    /// Per step.
    pub(crate) steps: Vec<Told>,
    /// The last of these steps (by its place in `steps`) that dealt a round: what was before it may be shown to
    /// spectators with delay.
    pub(crate) dealt: Option<usize>,
    /// Records that begin now.
    pub(crate) newcomers: Vec<(Listener, Log)>,
    /// How the session stands after them.
    pub(crate) stand: Stand,
}

impl Front {
    pub(crate) fn new(
        game: &'static str,
        open: bool,
        sitters: Vec<Sitter>,
        logs: BTreeMap<Listener, Log>,
        epoch: u64,
        stand: Stand,
        all: &Arc<AtomicUsize>,
    ) -> Self {
        let mut bytes = Bytes { own: 0, all: Arc::clone(all) };
        bytes.set(logs.values().map(Log::bytes).sum());
        let inner = Inner {
            game,
            open,
            sitters,
            stand,
            proposal: None,
            stopped: None,
            logs,
            epoch,
            notice: 1,
            bytes,
            gone: false,
        };
        Self { inner: Mutex::new(inner), changed: watch::Sender::new(()) }
    }

    /// Whoever panicked while holding this had changed a line or none: it is whole.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes those who listen, now and whenever something was told.
    pub(crate) fn listen(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Tells everybody what they may know of some steps.
    pub(crate) fn tell(&self, telling: Telling) {
        let mut inner = self.lock();
        inner.tell(telling);
        drop(inner);
        self.changed.send_replace(());
    }

    /// Takes steps back: everybody's record begins anew.
    pub(crate) fn take_back_to(&self, step: usize, stand: Stand) {
        let mut inner = self.lock();
        inner.logs.values_mut().for_each(|log| log.take_back_to(step));
        let bytes = inner.logs.values().map(Log::bytes).sum();
        inner.bytes.set(bytes);
        inner.epoch += 1;
        (inner.stand, inner.proposal) = (stand, None);
        inner.notice += 1;
        drop(inner);
        self.changed.send_replace(());
    }

    /// Changes what everybody knows besides the record.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.lock();
        let result = change(&mut inner);
        inner.notice += 1;
        drop(inner);
        self.changed.send_replace(());
        result
    }

    /// The table is no more.
    pub(crate) fn close(&self) {
        self.lock().gone = true;
        self.changed.send_replace(());
    }
}

impl Inner {
    fn tell(&mut self, telling: Telling) {
        let Telling { steps, dealt, newcomers, stand } = telling;
        newcomers.into_iter().for_each(|(listener, log)| self.hear(listener, log));
        if dealt.is_some() && self.proposal.take().is_some() {
            self.notice += 1;
        }
        for (number, told) in steps.into_iter().enumerate() {
            if dealt == Some(number)
                && let Some(log) = self.logs.get_mut(&Listener::Delayed)
            {
                log.show_all();
            }
            for (listener, lines) in told {
                let more = lines.iter().map(|line| line.len()).sum::<usize>();
                self.bytes.set(self.bytes.own + more);
                if let Some(log) = self.logs.get_mut(&listener) {
                    log.push(lines);
                }
            }
        }
        if stand.over && !self.stand.over {
            self.notice += 1;
        }
        let over = stand.over;
        self.stand = stand;
        for (listener, log) in &mut self.logs {
            if over || *listener != Listener::Delayed {
                log.show_all();
            }
        }
    }

    /// Whether the session is over.
    pub(crate) fn over(&self) -> bool {
        self.stand.over
    }

    /// Whether this seat must decide.
    pub(crate) fn is_due(&self, seat: Seat) -> bool {
        self.stand.due.as_ref().is_some_and(|due| due.seat == seat)
    }

    /// Refuses while a round is in play.
    pub(crate) fn round_over(&self) -> Result<(), Refusal> {
        match &self.stand {
            Stand { over: true, .. } => Err(Refusal::Over),
            Stand { due: Some(_), .. } => Err(Refusal::RoundInPlay),
            _ => Ok(()),
        }
    }

    /// Begins to keep a record.
    pub(crate) fn hear(&mut self, listener: Listener, log: Log) {
        self.bytes.set(self.bytes.own + log.bytes());
        self.logs.insert(listener, log);
    }

    /// Keeps a record no longer.
    pub(crate) fn forget(&mut self, listener: Listener) {
        let log = self.logs.remove(&listener);
        self.bytes.set(self.bytes.own - log.map_or(0, |log| log.bytes()));
    }

    /// Refuses where no more lines are to be kept, of this table or of all.
    pub(crate) fn has_room(&self, limits: &Limits) -> Result<(), Refusal> {
        if self.bytes.own >= limits.record {
            return Err(Refusal::LongRecord(limits.record));
        }
        have_room(&self.bytes.all, limits)
    }

    /// Seats of people who play this round.
    pub(crate) fn people(&self) -> Vec<Seat> {
        let seats = (0..MAX_SEATS as u8).map(Seat).zip(&self.sitters);
        let people = seats.filter(|(_, sitter)| matches!(sitter, Sitter::Person { .. }));
        people.map(|(seat, _)| seat).filter(|seat| self.stand.present.has(seat.0)).collect()
    }

    /// What everybody knows besides the record.
    pub(crate) fn now(&self) -> TableNow {
        let seat = |(number, sitter): (usize, &Sitter)| SeatNow {
            seat: number as u8,
            person: matches!(sitter, Sitter::Person { .. }),
            name: sitter.name().to_owned(),
        };
        let undo = self.proposal.as_ref().map(|proposal| {
            let (agreed, missing) =
                self.people().into_iter().partition(|seat| proposal.agreed.contains(seat));
            let numbers = |seats: Vec<Seat>| seats.into_iter().map(|seat| seat.0).collect();
            UndoNow { seat: proposal.by.0, agreed: numbers(agreed), missing: numbers(missing) }
        });
        let seats = self.sitters.iter().enumerate().map(seat).collect();
        TableNow {
            game: self.game,
            seats,
            open: self.open,
            undo,
            stopped: self.stopped.clone(),
            over: self.stand.over,
        }
    }

    /// The last line that an audience may see, as the id of its event.
    pub(crate) fn last_id(&self, listener: Listener) -> String {
        let shown = self.logs.get(&listener).map_or(0, |log| log.shown);
        format!("{}-{}", self.epoch, shown.saturating_sub(1))
    }

    /// Where a listener begins who has had the event with this id.
    pub(crate) fn cursor(&self, listener: Listener, last: Option<&str>) -> Result<Cursor, Refusal> {
        let Some(last) = last else { return Ok(Cursor { epoch: self.epoch, next: 0, notice: 0, legal: 0 }) };
        let wrong = || Refusal::Query {
            option: "Last-Event-ID",
            given: last.chars().take(40).collect(),
            expected: "the id of an event of this stream, like 0-17",
        };
        let (epoch, line) = last.split_once('-').ok_or_else(wrong)?;
        let (epoch, line) =
            (epoch.parse::<u64>().map_err(|_| wrong())?, line.parse::<usize>().map_err(|_| wrong())?);
        let shown = self.logs.get(&listener).map_or(0, |log| log.shown);
        // What is not of this record is followed by all of it.
        let is_here = epoch == self.epoch && line < shown;
        let epoch = if is_here { epoch } else { u64::MAX };
        Ok(Cursor { epoch, next: line.saturating_add(1), notice: 0, legal: 0 })
    }

    /// The next events for a listener, about `most` bytes of them; none at the end of the stream. Empty text where there
    /// is nothing new.
    pub(crate) fn read(&self, listener: Listener, cursor: &mut Cursor, most: usize) -> Option<String> {
        let mut text = String::new();
        if cursor.epoch != self.epoch {
            text.push_str("event: reset\ndata: {}\n\n");
            (cursor.epoch, cursor.next, cursor.legal) = (self.epoch, 0, 0);
        }
        if cursor.notice != self.notice {
            let now = serde_json::to_string(&self.now()).unwrap_or_default();
            text.push_str(&format!("event: table\ndata: {now}\n\n"));
            cursor.notice = self.notice;
        }
        let Some(log) = self.logs.get(&listener) else {
            // The record of somebody who is to join begins when he does.
            return (!text.is_empty() || !self.gone).then_some(text);
        };
        while cursor.next < log.shown && text.len() < most {
            text.push_str(&format!(
                "id: {}-{}\ndata: {}\n\n",
                self.epoch, cursor.next, log.lines[cursor.next]
            ));
            cursor.next += 1;
        }
        if let Some(Due { seat, legal }) = &self.stand.due
            && listener == Listener::Seat(*seat)
            && cursor.next == log.shown
            && cursor.legal != cursor.next
        {
            text.push_str(&format!("event: legal\ndata: {legal}\n\n"));
            cursor.legal = cursor.next;
        }
        let finished = self.gone || (self.stand.over && cursor.next >= log.shown);
        (!text.is_empty() || !finished).then_some(text)
    }
}

#[cfg(test)]
mod tests;
