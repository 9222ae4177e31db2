//! All tables of a server: access, tickets, streams, and deletion of idle tables.

mod data;
mod drive;
mod saves;
pub(crate) mod work;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cardsharp_env::{AnyGame, Audience, Seat};
use tokio::sync::Semaphore;

pub use data::DataError;

use crate::front::{Front, Listener};
use crate::hall::saves::Aside;
use crate::journal::Sitter;
use crate::limits::Limits;
use crate::live::Live;
use crate::monitor::{Metrics, Sizes};
use crate::refusal::Refusal;
use crate::secret::{Digest, Secret};
use crate::shelf::Shelf;
use crate::thinking::{Flow, Lane};

/// A table, shared by all requests.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) front: Front,
    pub(crate) flow: Flow,
    live: Arc<tokio::sync::Mutex<Live>>,
    host: Digest,
    watch: Digest,
    watched: Listener,
    streams: AtomicUsize,
    /// Permits for requests that wait for the table.
    waiting: Arc<Semaphore>,
    /// The time of the last request for the table, or of the end of its last stream.
    asked: Mutex<Instant>,
}

/// The role of a client at a table, which its secret determines.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// The person who opened the table.
    Host,
    /// The person in this seat.
    Seat(Seat),
    Spectator,
}

/// A ticket, which opens one stream before it expires.
struct Ticket {
    table: String,
    listener: Listener,
    secret: Digest,
    until: Instant,
}

pub(crate) struct Hall {
    pub(crate) games: Vec<&'static dyn AnyGame>,
    pub(crate) shelf: Shelf,
    pub(crate) limits: Limits,
    pub(crate) metrics: Arc<Metrics>,
    data: Option<PathBuf>,
    tables: Mutex<HashMap<String, Arc<Table>>>,
    /// The number of tables that are being opened. They count against the limit.
    opening: AtomicUsize,
    /// Saved tables by id.
    saves: Mutex<HashMap<String, Aside>>,
    tickets: Mutex<HashMap<String, Ticket>>,
    streams: AtomicUsize,
    /// The size of the event logs of all tables.
    bytes: Arc<AtomicUsize>,
    /// For bots that search.
    searches: Arc<Lane>,
    /// For all other bots.
    quick: Arc<Lane>,
    waiting: Arc<Semaphore>,
    /// Set when the server stops.
    closing: Arc<AtomicBool>,
}

/// Locks a mutex, even after a panic of another holder: the values change in single steps, so a panic leaves none half
/// done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An open stream. It counts against the limits until this is dropped.
pub(crate) struct Open {
    hall: Arc<Hall>,
    pub(crate) table: Arc<Table>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.hall.streams.fetch_sub(1, Ordering::Relaxed);
        self.table.streams.fetch_sub(1, Ordering::Relaxed);
        self.table.touch();
    }
}

impl Table {
    fn touch(&self) {
        *lock(&self.asked) = Instant::now();
    }

    /// Returns the role of the client with this secret, if the secret belongs to this table.
    pub(crate) fn asker(&self, secret: &Secret) -> Option<Asker> {
        let digest = secret.digest();
        if digest == self.host {
            return Some(Asker::Host);
        }
        if digest == self.watch {
            return Some(Asker::Spectator);
        }
        self.seat_of(digest).map(Asker::Seat)
    }

    fn seat_of(&self, digest: Digest) -> Option<Seat> {
        let inner = self.front.lock();
        let has = |sitter: &Sitter| matches!(sitter, Sitter::Person { secret, .. } if *secret == digest);
        inner.sitters.iter().position(has).map(|seat| Seat(seat as u8))
    }

    /// Returns whose event log this client may read; none for the host.
    pub(crate) fn listener(&self, asker: Asker) -> Option<Listener> {
        match asker {
            Asker::Host => None,
            Asker::Seat(seat) => Some(Listener::Seat(seat)),
            Asker::Spectator => Some(self.watched),
        }
    }

    /// Returns the event log of spectators.
    pub(crate) fn watched(&self) -> Listener {
        self.watched
    }

    /// Returns whether a stream that was opened with this secret may continue. The player in a seat can change.
    pub(crate) fn may_hear(&self, listener: Listener, secret: Digest) -> bool {
        match listener.audience() {
            Audience::Seat(seat) => self.seat_of(secret) == Some(seat),
            Audience::Everybody | Audience::Referee => secret == self.watch,
        }
    }
}

impl Hall {
    pub(crate) fn new(
        games: Vec<&'static dyn AnyGame>,
        shelf: Shelf,
        limits: Limits,
        data: Option<PathBuf>,
    ) -> Self {
        Self {
            games,
            shelf,
            metrics: Arc::new(Metrics::new()),
            data,
            tables: Mutex::default(),
            opening: AtomicUsize::new(0),
            saves: Mutex::default(),
            tickets: Mutex::default(),
            streams: AtomicUsize::new(0),
            bytes: Arc::default(),
            searches: Lane::new(limits.thinkers.max(1)),
            quick: Lane::new(limits.thinkers.max(1)),
            closing: Arc::default(),
            waiting: Arc::new(Semaphore::new(limits.waiting)),
            limits,
        }
    }

    /// Returns the game with this name.
    pub(crate) fn game(&self, name: &str) -> Result<&'static dyn AnyGame, Refusal> {
        let found = self.games.iter().find(|game| game.name() == name);
        found.copied().ok_or_else(|| Refusal::NoGame {
            given: name.chars().take(80).collect(),
            games: self.games.iter().map(|game| game.name()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Returns the table with this id, and notes the time of the request.
    pub(crate) fn table(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let found = lock(&self.tables).get(id).cloned();
        let table = found.ok_or_else(|| Refusal::NoTable(id.chars().take(40).collect()))?;
        table.touch();
        Ok(table)
    }

    /// Returns all tables, in arbitrary order.
    fn all(&self) -> Vec<Arc<Table>> {
        lock(&self.tables).values().cloned().collect()
    }

    /// Issues a ticket that opens one stream of this event log.
    pub(crate) fn ticket(
        &self,
        table: &Table,
        listener: Listener,
        secret: &Secret,
    ) -> Result<Secret, Refusal> {
        let ticket = Secret::new().map_err(|_| Refusal::Internal)?;
        let now = Instant::now();
        let mut tickets = lock(&self.tickets);
        tickets.retain(|_, ticket| ticket.until > now);
        if tickets.len() >= self.limits.streams {
            return Err(Refusal::Full { what: "tickets", most: self.limits.streams });
        }
        // Otherwise the clients of one table could use up the tickets of all tables.
        let most = self.limits.streams_of_table;
        if tickets.values().filter(|ticket| ticket.table == table.id).count() >= most {
            return Err(Refusal::Full { what: "tickets of this table", most });
        }
        let until = now + self.limits.ticket;
        let kept = Ticket { table: table.id.clone(), listener, secret: secret.digest(), until };
        tickets.insert(ticket.digest().hex(), kept);
        Ok(ticket)
    }

    /// Uses up a ticket. If it is valid, returns its event log and the hash of the secret that it was issued for.
    pub(crate) fn admit(&self, table: &Table, ticket: &Secret) -> Option<(Listener, Digest)> {
        let found = lock(&self.tickets).remove(&ticket.digest().hex())?;
        let is_right = found.table == table.id && found.until > Instant::now();
        is_right.then_some((found.listener, found.secret))
    }

    /// Counts a new stream, if the limits of the table and of the server allow it.
    pub(crate) fn open_stream(self: &Arc<Self>, table: Arc<Table>) -> Result<Open, Refusal> {
        let count = |counter: &AtomicUsize, what, most| {
            let one_more = |n| (n < most).then_some(n + 1);
            let counted = counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
            counted.map(|_| ()).map_err(|_| Refusal::Full { what, most })
        };
        count(&table.streams, "streams of this table", self.limits.streams_of_table)?;
        if let Err(full) = count(&self.streams, "streams", self.limits.streams) {
            table.streams.fetch_sub(1, Ordering::Relaxed);
            return Err(full);
        }
        Ok(Open { hall: Arc::clone(self), table })
    }

    /// Deletes tables that had no request for a long time, and old saves.
    pub(crate) async fn sweep(self: &Arc<Self>) {
        for table in self.all() {
            let idle = if table.front.lock().over() { self.limits.idle_over } else { self.limits.idle };
            let is_forgotten = lock(&table.asked).elapsed() > idle;
            if table.streams.load(Ordering::Relaxed) == 0 && is_forgotten {
                let hall = Arc::clone(self);
                // If the journal cannot be removed, the table stays, and the next sweep tries again.
                let _ = self.change(&table, move |live, front| hall.end(live, front)).await;
            }
        }
        self.drop_saves().await;
    }

    /// Returns how much the server has to do.
    pub(crate) fn sizes(&self) -> Sizes {
        Sizes {
            tables: lock(&self.tables).len(),
            saves: lock(&self.saves).len(),
            streams: self.streams.load(Ordering::Relaxed),
            waiting: self.limits.waiting.saturating_sub(self.waiting.available_permits()),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }

    /// Returns an error if the data folder is gone.
    pub(crate) async fn is_sound(&self) -> Result<(), Refusal> {
        let Some(tables) = self.data.as_ref().map(|data| data.join(data::TABLES)) else { return Ok(()) };
        let is_there = tokio::task::spawn_blocking(move || tables.is_dir()).await;
        if is_there.unwrap_or(false) { Ok(()) } else { Err(Refusal::NoData) }
    }

    /// Ends all streams and thoughts, because the server stops.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        self.all().iter().for_each(|table| table.front.close());
    }
}
