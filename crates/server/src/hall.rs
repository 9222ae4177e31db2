//! All tables of a server, and who may work on them.

mod data;
mod drive;
mod saves;
pub(crate) mod work;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
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
use crate::refusal::Refusal;
use crate::secret::{Digest, Secret};
use crate::shelf::Shelf;

/// A table, as requests know it.
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) front: Front,
    live: Arc<tokio::sync::Mutex<Live>>,
    host: Digest,
    watch: Digest,
    watched: Listener,
    /// Open streams.
    streams: AtomicUsize,
    /// Places for requests that wait for it.
    waiting: Arc<Semaphore>,
    /// When somebody last asked for it.
    asked: Mutex<Instant>,
}

/// Who asks something of a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// Whoever opened it.
    Host,
    /// The person in this seat.
    Seat(Seat),
    /// A spectator.
    Spectator,
}

/// A ticket: it opens one stream, soon.
struct Ticket {
    table: String,
    listener: Listener,
    secret: Digest,
    until: Instant,
}

/// All tables.
pub(crate) struct Hall {
    pub(crate) games: Vec<&'static dyn AnyGame>,
    pub(crate) shelf: Shelf,
    pub(crate) limits: Limits,
    data: Option<PathBuf>,
    tables: Mutex<HashMap<String, Arc<Table>>>,
    /// Tables that are about to be among them.
    opening: AtomicUsize,
    /// Tables put aside, by what is kept of their secret.
    saves: Mutex<HashMap<String, Aside>>,
    tickets: Mutex<HashMap<String, Ticket>>,
    streams: AtomicUsize,
    /// Of the told lines of all tables.
    bytes: Arc<AtomicUsize>,
    thinkers: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

/// Maps of whole entries: a panic elsewhere leaves nothing half done in them.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A stream that is open; it counts as long as this is kept.
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

    /// Who has this secret.
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

    /// Refuses a seat that has nothing to decide, by what it was told: nobody waits for the table to hear that.
    pub(crate) fn must_decide(&self, seat: Seat) -> Result<(), Refusal> {
        let inner = self.front.lock();
        match inner.is_due(seat) {
            true => Ok(()),
            false if inner.over() => Err(Refusal::Over),
            false => Err(Refusal::NotYourTurn(seat.0)),
        }
    }

    /// Whose record this asker hears.
    pub(crate) fn listener(&self, asker: Asker) -> Option<Listener> {
        match asker {
            Asker::Host => None,
            Asker::Seat(seat) => Some(Listener::Seat(seat)),
            Asker::Spectator => Some(self.watched),
        }
    }

    /// Whether who began to listen with this secret may go on: seats change hands.
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
            data,
            tables: Mutex::default(),
            opening: AtomicUsize::new(0),
            saves: Mutex::default(),
            tickets: Mutex::default(),
            streams: AtomicUsize::new(0),
            bytes: Arc::default(),
            thinkers: Arc::new(Semaphore::new(limits.thinkers.max(1))),
            waiting: Arc::new(Semaphore::new(limits.waiting)),
            limits,
        }
    }

    /// The game of this name.
    pub(crate) fn game(&self, name: &str) -> Result<&'static dyn AnyGame, Refusal> {
        let found = self.games.iter().find(|game| game.name() == name);
        found.copied().ok_or_else(|| Refusal::NoGame {
            given: name.chars().take(80).collect(),
            games: self.games.iter().map(|game| game.name()).collect::<Vec<_>>().join(", "),
        })
    }

    /// The table with this id.
    pub(crate) fn table(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let found = lock(&self.tables).get(id).cloned();
        let table = found.ok_or_else(|| Refusal::NoTable(id.chars().take(40).collect()))?;
        table.touch();
        Ok(table)
    }

    /// All tables, in no order.
    fn all(&self) -> Vec<Arc<Table>> {
        lock(&self.tables).values().cloned().collect()
    }

    /// A ticket that opens one stream of this listener.
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
        // Else who may listen at one table could keep everybody from all others.
        let most = self.limits.streams_of_table;
        if tickets.values().filter(|ticket| ticket.table == table.id).count() >= most {
            return Err(Refusal::Full { what: "tickets of this table", most });
        }
        let until = now + self.limits.ticket;
        let kept = Ticket { table: table.id.clone(), listener, secret: secret.digest(), until };
        tickets.insert(ticket.digest().hex(), kept);
        Ok(ticket)
    }

    /// What a ticket is for; it is used up.
    pub(crate) fn admit(&self, table: &Table, ticket: &Secret) -> Option<(Listener, Digest)> {
        let found = lock(&self.tickets).remove(&ticket.digest().hex())?;
        let is_right = found.table == table.id && found.until > Instant::now();
        is_right.then_some((found.listener, found.secret))
    }

    /// Opens a stream.
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

    /// Drops tables that nobody asked for in a long time, and those that were put aside longer ago still.
    pub(crate) async fn sweep(self: &Arc<Self>) {
        for table in self.all() {
            let idle = if table.front.lock().over() { self.limits.idle_over } else { self.limits.idle };
            let is_forgotten = lock(&table.asked).elapsed() > idle;
            if table.streams.load(Ordering::Relaxed) == 0 && is_forgotten {
                // A journal that cannot be removed is there again when the server starts, and is swept again.
                let _ = self.end(&table).await;
            }
        }
        self.drop_saves().await;
    }

    /// Ends all streams, because the server does.
    pub(crate) fn close(&self) {
        self.all().iter().for_each(|table| table.front.close());
    }
}
