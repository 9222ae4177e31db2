//! The feed of a table: event logs, players, and the pending decision. It is locked only for moments, so that reading
//! it never waits for a bot.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cardsharp_env::hands::Positions;
use cardsharp_env::{Audience, MAX_SEATS, Seat};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::clock::TimeLimits;
use crate::deals::{Salt, SeedSource};
use crate::emotes::{Emote, Emotes};
use crate::journal::Sitter;
use crate::limits::Limits;
use crate::now::{Closed, SeatNow, Spectators, State, TableNow, UndoNow};
use crate::players::Players;
use crate::refusal::Refusal;

/// The reader of an event log.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Listener {
    /// The player in a seat.
    Seat(Seat),
    /// Spectators who see what everyone at the table sees.
    Everybody,
    /// Spectators who see all cards, with a delay.
    Delayed,
}

impl Listener {
    /// Returns whether the reader is the player in a seat.
    pub(crate) fn is_seat(self) -> bool {
        matches!(self, Self::Seat(_))
    }

    /// Returns the audience whose lines the event log has.
    pub(crate) fn audience(self) -> Audience {
        match self {
            Self::Seat(seat) => Audience::Seat(seat),
            Self::Everybody => Audience::Everybody,
            Self::Delayed => Audience::Referee,
        }
    }
}

/// The lines of one step, for each event log.
pub(crate) type NewLines = Vec<(Listener, Vec<Arc<str>>)>;

/// The event log of one listener.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ListenerLog {
    lines: Vec<Arc<str>>,
    /// The number of lines after each step. The header belongs to step 0.
    after: Vec<usize>,
    /// The number of lines that may be sent.
    shown: usize,
}

impl ListenerLog {
    /// Returns an event log with this header.
    pub(crate) fn new(header: Arc<str>) -> Self {
        Self { lines: vec![header], after: Vec::new(), shown: 1 }
    }

    /// Adds the lines of the next step.
    pub(crate) fn push(&mut self, lines: impl IntoIterator<Item = Arc<str>>) {
        self.lines.extend(lines);
        self.after.push(self.lines.len());
    }

    /// Returns the number of steps, with step 0.
    pub(crate) fn steps(&self) -> usize {
        self.after.len()
    }

    /// Returns the first line.
    pub(crate) fn header(&self) -> Option<&Arc<str>> {
        self.lines.first()
    }

    /// Returns the lines of each step from number `from` on.
    pub(crate) fn since(&self, from: usize) -> impl Iterator<Item = &[Arc<str>]> {
        let begin = |step: usize| step.checked_sub(1).map_or(0, |before| self.after[before]);
        (from..self.after.len()).map(move |step| &self.lines[begin(step)..self.after[step]])
    }

    /// Removes the lines of the steps after this one.
    pub(crate) fn take_back_to(&mut self, step: usize) {
        self.after.truncate(step + 1);
        self.lines.truncate(self.after.last().copied().unwrap_or(1));
        self.shown = self.shown.min(self.lines.len());
    }

    /// Allows to send all lines.
    pub(crate) fn show_all(&mut self) {
        self.shown = self.lines.len();
    }

    /// Frees memory that is reserved for more lines.
    pub(crate) fn shrink(&mut self) {
        self.lines.shrink_to_fit();
        self.after.shrink_to_fit();
    }

    /// Returns the size of all lines in bytes.
    fn bytes(&self) -> usize {
        self.lines.iter().map(|line| line.len()).sum()
    }
}

/// A pending request to take back a move.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    /// The seat whose move it is.
    pub(crate) by: Seat,
    /// The number of steps that remain if it is granted.
    pub(crate) to: usize,
    /// The seats that agree.
    pub(crate) agreed: Vec<Seat>,
}

/// The position of a stream.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The epoch that was sent: how often moves had been taken back.
    pub(crate) epoch: u64,
    /// The next line to send.
    pub(crate) next: usize,
    /// The number of the last `table` event.
    pub(crate) notice: u64,
    /// The number of lines that were sent before the last `legal` event.
    pub(crate) legal: usize,
    /// The number of the next emote to send.
    pub(crate) emote: u64,
}

/// The pending decision.
#[derive(Clone, Debug)]
pub(crate) struct Due {
    pub(crate) seat: Seat,
    /// The legal moves, as the JSON of a `legal` event.
    pub(crate) legal: Arc<str>,
}

/// The state of a session, as far as the feed needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stand {
    /// The pending decision; none between rounds.
    pub(crate) due: Option<Due>,
    /// The seats that play this round.
    pub(crate) present: Positions,
    /// Whether the session is over.
    pub(crate) over: bool,
    /// Whether the session has not started, because some people are not ready.
    pub(crate) waiting: bool,
}

/// What never changes at a table.
pub(crate) struct TableInfo {
    pub(crate) game: &'static str,
    /// Whether people may take seats of bots without the host.
    pub(crate) open: bool,
    pub(crate) clock: Option<TimeLimits>,
    pub(crate) spectators: Spectators,
    pub(crate) no_undo: bool,
    pub(crate) listed: bool,
    /// The secret from which the seed is made; none if a client chose the seed.
    pub(crate) secret: Option<String>,
}

/// The data of a feed.
pub(crate) struct Inner {
    pub(crate) about: TableInfo,
    pub(crate) players: Players,
    /// The number of streams of each seat.
    streams: BTreeMap<Seat, usize>,
    stand: Stand,
    /// The number of the pending decision, and when it began.
    decision: (u64, Instant),
    /// Whether a task waits for the end of the time for a decision.
    pub(crate) is_timed: bool,
    pub(crate) proposal: Option<Proposal>,
    emotes: Emotes,
    /// Why the bots cannot continue; none if they can.
    pub(crate) stopped: Option<String>,
    pub(crate) logs: BTreeMap<Listener, ListenerLog>,
    /// The number of times that moves were taken back.
    pub(crate) epoch: u64,
    notice: u64,
    bytes: Bytes,
    /// Why the table is gone; none if it is not.
    gone: Option<Closed>,
}

/// The size of a table's event logs in bytes, which also counts in the total of all tables.
struct Bytes {
    own: usize,
    all: Arc<AtomicUsize>,
}

impl Bytes {
    fn set(&mut self, own: usize) {
        // Adds the difference in one step. It may be negative, and then wraps around.
        self.all.fetch_add(own.wrapping_sub(self.own), Ordering::Relaxed);
        self.own = own;
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        self.set(0);
    }
}

/// Returns an error if the event logs of all tables, with `all` bytes together, have reached their limit.
pub(crate) fn have_room(all: &AtomicUsize, limits: &Limits) -> Result<(), Refusal> {
    match all.load(Ordering::Relaxed) < limits.records {
        true => Ok(()),
        false => Err(Refusal::Full { what: "bytes of event logs", most: limits.records }),
    }
}

/// The feed of a table, see the module's documentation.
pub(crate) struct TableFeed {
    inner: Mutex<Inner>,
    changed: watch::Sender<()>,
}

/// Steps that are sent together.
pub(crate) struct Telling {
    /// The lines of each step.
    pub(crate) steps: Vec<NewLines>,
    /// The index in `steps` of the last step that dealt a round. Delayed spectators may see everything before it.
    pub(crate) dealt: Option<usize>,
    /// The event logs of players who have just joined.
    pub(crate) newcomers: Vec<(Listener, ListenerLog)>,
    /// Whether one of the steps refuses an open request to take a move back.
    pub(crate) refuses: bool,
    /// The time that the person who moved has used, if it is limited.
    pub(crate) used: Option<(Seat, Duration)>,
    /// The state of the session after these steps.
    pub(crate) stand: Stand,
}

impl TableFeed {
    pub(crate) fn new(
        about: TableInfo,
        players: Players,
        logs: BTreeMap<Listener, ListenerLog>,
        epoch: u64,
        stand: Stand,
        all: &Arc<AtomicUsize>,
    ) -> Self {
        let mut bytes = Bytes { own: 0, all: Arc::clone(all) };
        bytes.set(logs.values().map(ListenerLog::bytes).sum());
        let inner = Inner {
            about,
            players,
            streams: BTreeMap::new(),
            stand,
            decision: (0, Instant::now()),
            is_timed: false,
            proposal: None,
            emotes: Emotes::default(),
            stopped: None,
            logs,
            epoch,
            notice: 1,
            bytes,
            gone: None,
        };
        Self { inner: Mutex::new(inner), changed: watch::Sender::new(()) }
    }

    /// Locks the data, even after a panic of another holder, which cannot have left half a line.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a receiver that is notified of every change.
    pub(crate) fn listen(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Adds the lines of some steps to the event logs, and wakes all streams.
    pub(crate) fn tell(&self, telling: Telling) {
        let mut inner = self.lock();
        inner.tell(telling);
        drop(inner);
        self.changed.send_replace(());
    }

    /// Takes back all steps after `step`. All streams then start again from the first line.
    pub(crate) fn take_back_to(&self, step: usize, stand: Stand) {
        let mut inner = self.lock();
        inner.logs.values_mut().for_each(|log| log.take_back_to(step));
        let bytes = inner.logs.values().map(ListenerLog::bytes).sum();
        inner.bytes.set(bytes);
        inner.epoch += 1;
        inner.proposal = None;
        inner.set_stand(stand);
        inner.notice += 1;
        drop(inner);
        self.changed.send_replace(());
    }

    /// Changes the public facts outside the event logs, and wakes all streams.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.lock();
        let result = change(&mut inner);
        inner.notice += 1;
        drop(inner);
        self.changed.send_replace(());
        result
    }

    /// Returns an error if the seat has no decision to make, as far as its event log shows. The answer does not wait for
    /// the live table.
    pub(crate) fn must_decide(&self, seat: Seat) -> Result<(), Refusal> {
        let inner = self.lock();
        match inner.is_due(seat) {
            true => Ok(()),
            false if inner.over() => Err(Refusal::Over),
            false if inner.stand.waiting => Err(Refusal::Waiting),
            false => Err(Refusal::NotYourTurn(seat.0)),
        }
    }

    /// Returns the lines that a listener may see.
    pub(crate) fn lines(&self, listener: Listener) -> Vec<Arc<str>> {
        let inner = self.lock();
        inner.logs.get(&listener).map_or(Vec::new(), |log| log.lines[..log.shown].to_vec())
    }

    /// Returns an error if `last` is not the last event that this listener may see: the client has missed something.
    pub(crate) fn is_last(&self, listener: Listener, last: &str) -> Result<(), Refusal> {
        let inner = self.lock();
        if inner.last_id(listener) == last {
            return Ok(());
        }
        // An id that no event has is another error.
        inner.cursor(listener, Some(last))?;
        Err(Refusal::Stale(Box::new(inner.state(listener))))
    }

    /// Shows why the bots cannot continue; none if they can.
    pub(crate) fn set_stopped(&self, why: Option<&Refusal>) {
        let stopped = why.map(Refusal::to_string);
        if self.lock().stopped != stopped {
            self.change(|inner| inner.stopped = stopped);
        }
    }

    /// Puts a player into a seat, with an event log for a person who is in the round. `round` is as in
    /// [`Players::sit`].
    pub(crate) fn sit(&self, seat: Seat, sitter: Sitter, round: Option<u32>, log: Option<ListenerLog>) {
        let to = Listener::Seat(seat);
        self.change(|inner| {
            inner.players.sit(seat, sitter, round);
            inner.forget(to);
            if let Some(log) = log {
                inner.hear(to, log);
            }
            // The new player has not agreed to anything.
            inner.proposal = None;
            inner.decide_anew(seat);
        });
    }

    /// Starts the session of a table with a ready-check.
    pub(crate) fn start(&self, salts: Vec<Salt>, logs: BTreeMap<Listener, ListenerLog>, stand: Stand) {
        self.change(|inner| {
            inner.players.start(salts);
            logs.into_iter().for_each(|(to, log)| inner.hear(to, log));
            inner.set_stand(stand);
        });
    }

    /// Lets a bot play for the person in a seat, or the person again.
    pub(crate) fn hand(&self, seat: Seat, bot: Option<String>, at_deal: bool) {
        self.change(|inner| {
            inner.players.hand(seat, bot, at_deal);
            inner.decide_anew(seat);
        });
    }

    /// Notes that a stream opens, or closes. Everyone at the table sees which people are present.
    pub(crate) fn count_stream(&self, listener: Listener, opens: bool) {
        let Listener::Seat(seat) = listener else { return };
        let mut inner = self.lock();
        let streams = inner.streams.entry(seat).or_default();
        let before = *streams;
        *streams = if opens { before + 1 } else { before.saturating_sub(1) };
        let changes = (before > 0) != (*streams > 0);
        drop(inner);
        if changes {
            self.change(|_| ());
        }
    }

    /// Shows an emote to everyone who listens.
    pub(crate) fn show(&self, seat: Seat, emote: Emote, now: Instant) -> Result<(), Refusal> {
        self.lock().emotes.show(seat, emote, now)?;
        self.wake();
        Ok(())
    }

    /// Wakes all streams, to check whether they may continue.
    pub(crate) fn wake(&self) {
        self.changed.send_replace(());
    }

    /// Ends all streams, because the table is gone.
    pub(crate) fn close(&self, why: Closed) {
        self.lock().gone = Some(why);
        self.changed.send_replace(());
    }
}

impl Inner {
    fn tell(&mut self, telling: Telling) {
        let Telling { steps, dealt, newcomers, refuses, used, stand } = telling;
        if let Some((seat, used)) = used {
            self.players.set_used(seat, used);
        }
        if dealt.is_some() && self.players.change_at_deal() {
            self.players.dealt();
            self.notice += 1;
        }
        newcomers.into_iter().for_each(|(listener, log)| self.hear(listener, log));
        if (refuses || dealt.is_some()) && self.proposal.take().is_some() {
            self.notice += 1;
        }
        for (number, new_lines) in steps.into_iter().enumerate() {
            if dealt == Some(number)
                && let Some(log) = self.logs.get_mut(&Listener::Delayed)
            {
                log.show_all();
            }
            for (listener, lines) in new_lines {
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
        self.set_stand(stand);
        for (listener, log) in &mut self.logs {
            if over || *listener != Listener::Delayed {
                log.show_all();
            }
        }
    }

    fn set_stand(&mut self, stand: Stand) {
        self.stand = stand;
        self.begin_decision();
    }

    /// The time for the pending decision begins now.
    fn begin_decision(&mut self) {
        self.decision = (self.decision.0 + 1, Instant::now());
    }

    /// If the decision of this seat is pending, the time for it begins now: another player decides.
    fn decide_anew(&mut self, seat: Seat) {
        if self.stand.due.as_ref().is_some_and(|due| due.seat == seat) {
            self.begin_decision();
        }
    }

    /// Returns the time that the person in this seat has used, with that for the pending decision. None if it is not
    /// limited.
    pub(crate) fn time_used(&self, seat: Seat) -> Option<Duration> {
        let counts = self.about.clock.is_some_and(TimeLimits::counts);
        counts.then(|| self.players.used(seat) + self.decision.1.elapsed())
    }

    /// Returns the person who must decide in a limited time: the number of the decision, the seat, and when the time is
    /// over.
    pub(crate) fn deadline(&self) -> Option<(u64, Seat, Instant)> {
        let (clock, due) = (self.about.clock?, self.stand.due.as_ref()?);
        let (number, begun) = self.decision;
        let is_person = self.players.bot(due.seat).is_none() && self.gone.is_none();
        is_person.then(|| (number, due.seat, begun + clock.time(self.players.used(due.seat))))
    }

    /// Whether the session is over.
    pub(crate) fn over(&self) -> bool {
        self.stand.over
    }

    /// Whether the person in this seat must decide.
    pub(crate) fn is_due(&self, seat: Seat) -> bool {
        self.stand.due.as_ref().is_some_and(|due| due.seat == seat) && self.players.substitute(seat).is_none()
    }

    /// Returns an error while a round is in play, or if the session is over.
    pub(crate) fn round_over(&self) -> Result<(), Refusal> {
        match &self.stand {
            Stand { over: true, .. } => Err(Refusal::Over),
            Stand { waiting: true, .. } => Err(Refusal::Waiting),
            Stand { due: Some(_), .. } => Err(Refusal::RoundInPlay),
            _ => Ok(()),
        }
    }

    /// Adds an event log.
    pub(crate) fn hear(&mut self, listener: Listener, log: ListenerLog) {
        self.bytes.set(self.bytes.own + log.bytes());
        self.logs.insert(listener, log);
    }

    /// Removes an event log.
    pub(crate) fn forget(&mut self, listener: Listener) {
        let log = self.logs.remove(&listener);
        self.bytes.set(self.bytes.own - log.map_or(0, |log| log.bytes()));
    }

    /// Returns an error if the event logs of this table or of all tables have reached their limit.
    pub(crate) fn has_room(&self, limits: &Limits) -> Result<(), Refusal> {
        if self.bytes.own >= limits.record {
            return Err(Refusal::LongRecord(limits.record));
        }
        have_room(&self.bytes.all, limits)
    }

    /// Returns the number of lines of the longest event log.
    pub(crate) fn longest(&self) -> usize {
        self.logs.values().map(|log| log.lines.len()).max().unwrap_or_default()
    }

    /// Returns the seats of people who play this round themselves.
    pub(crate) fn people(&self) -> Vec<Seat> {
        let seats = (0..self.players.sitters.len().min(MAX_SEATS) as u8).map(Seat);
        seats.filter(|seat| self.players.bot(*seat).is_none() && self.stand.present.has(seat.0)).collect()
    }

    /// Returns the public facts outside the event logs.
    pub(crate) fn now(&self) -> TableNow {
        let salts = self.players.salts();
        let seat = |(number, sitter): (usize, &Sitter)| {
            let seat = Seat(number as u8);
            let person = self.players.has_person(seat);
            SeatNow {
                seat: seat.0,
                person,
                name: sitter.name().to_owned(),
                present: !person || self.streams.get(&seat).is_some_and(|streams| *streams > 0),
                substitute: self.players.substitute(seat).map(str::to_owned),
                ready: !self.stand.waiting || self.players.is_ready(seat),
                salted: salts.iter().any(|salt| salt.seat == seat.0),
            }
        };
        let undo = self.proposal.as_ref().map(|proposal| {
            let (agreed, missing) =
                self.people().into_iter().partition(|seat| proposal.agreed.contains(seat));
            let numbers = |seats: Vec<Seat>| seats.into_iter().map(|seat| seat.0).collect();
            UndoNow { seat: proposal.by.0, agreed: numbers(agreed), missing: numbers(missing) }
        });
        let seats = self.players.sitters.iter().enumerate().map(seat).collect();
        let secret = self.about.secret.clone();
        let deals = secret.map(|secret| SeedSource { secret, salts }.published(self.stand.over));
        TableNow {
            game: self.about.game,
            seats,
            open: self.about.open,
            undo,
            stopped: self.stopped.clone(),
            over: self.stand.over,
            clock: self.about.clock,
            spectators: self.about.spectators,
            undo_allowed: !self.about.no_undo,
            listed: self.about.listed,
            seed_chosen: self.about.secret.is_none(),
            waiting: self.stand.waiting,
            deals,
            planned: self.players.planned(),
            seen: self.players.seen().to_vec(),
        }
    }

    /// Returns the public facts, with the id of the last event that this listener may see.
    pub(crate) fn state(&self, listener: Listener) -> State {
        State { now: self.now(), last: self.last_id(listener) }
    }

    /// Returns the id of the last event that a listener may see: `EPOCH-LINE`.
    pub(crate) fn last_id(&self, listener: Listener) -> String {
        let shown = self.logs.get(&listener).map_or(0, |log| log.shown);
        format!("{}-{}", self.epoch, shown.saturating_sub(1))
    }

    /// Returns the position of a new stream: after the event with this id, or at the start.
    pub(crate) fn cursor(&self, listener: Listener, last: Option<&str>) -> Result<Cursor, Refusal> {
        let emote = self.emotes.count();
        let Some(last) = last else {
            return Ok(Cursor { epoch: self.epoch, next: 0, notice: 0, legal: 0, emote });
        };
        let wrong = || Refusal::Query {
            option: "Last-Event-ID",
            given: last.chars().take(40).collect(),
            expected: "the id of an event of this stream, like 0-17",
        };
        let (epoch, line) = last.split_once('-').ok_or_else(wrong)?;
        let (epoch, line) =
            (epoch.parse::<u64>().map_err(|_| wrong())?, line.parse::<usize>().map_err(|_| wrong())?);
        let shown = self.logs.get(&listener).map_or(0, |log| log.shown);
        // After an id that this event log does not have, the stream starts again from the first line.
        let is_here = epoch == self.epoch && line < shown;
        let epoch = if is_here { epoch } else { u64::MAX };
        Ok(Cursor { epoch, next: line.saturating_add(1), notice: 0, legal: 0, emote })
    }

    /// Returns why streams that have sent everything end.
    pub(crate) fn closed(&self) -> Closed {
        self.gone.unwrap_or(Closed::Over)
    }

    /// Returns the next events for a listener, about `most` bytes. The text is empty if there is nothing new. Returns
    /// none at the end of the stream.
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
        text.push_str(&self.emotes.since(cursor.emote));
        cursor.emote = self.emotes.count();
        let Some(log) = self.logs.get(&listener) else {
            // A player who will join later has no event log yet.
            return (!text.is_empty() || self.gone.is_none()).then_some(text);
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
            && self.is_due(*seat)
            && cursor.next == log.shown
            && cursor.legal != cursor.next
        {
            let left = self.deadline().map(|(_, _, until)| until.saturating_duration_since(Instant::now()));
            let legal = match (left, legal.strip_suffix('}')) {
                (Some(left), Some(open)) => format!("{open},\"seconds\":{:.1}}}", left.as_secs_f64()),
                _ => legal.to_string(),
            };
            text.push_str(&format!("event: legal\ndata: {legal}\n\n"));
            cursor.legal = cursor.next;
        }
        let finished = self.gone.is_some() || (self.stand.over && cursor.next >= log.shown);
        (!text.is_empty() || !finished).then_some(text)
    }
}

#[cfg(test)]
mod tests;
