//! All tables of a server: access, tickets, streams, and deletion of idle tables.

mod data;
mod drive;
mod saves;
pub(crate) mod work;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cardsharp_bot::disk;
use cardsharp_env::{AnyGame, Audience, Seat};
use tokio::sync::{OnceCell, Semaphore};

pub use data::DataError;
pub(crate) use data::prepare;

use crate::catalog::BotCatalog;
use crate::feed::{Listener, TableFeed};
use crate::journal::Sitter;
use crate::limits::Limits;
use crate::live::Live;
use crate::monitor::{ServerMetrics, Sizes};
use crate::now::{Closed, TableNow};
use crate::refusal::Refusal;
use crate::registry::data::DataClock;
use crate::registry::saves::Aside;
use crate::secret::{Digest, Secret};
use crate::thinking::{Flow, Lane};

/// A table, shared by all requests.
pub(crate) struct HostedTable {
    pub(crate) id: String,
    pub(crate) feed: TableFeed,
    pub(crate) flow: Flow,
    live: Arc<tokio::sync::Mutex<Live>>,
    host: Digest,
    /// The hash of the secret of spectators, if the table has any.
    watch: Option<Digest>,
    watched: Listener,
    streams: Mutex<Streams>,
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

/// Gets messages for the person who operates the server, such as the name of a damaged file.
pub type Notices = Arc<dyn Fn(&str) + Send + Sync>;

/// A table that clients can ask for.
struct Slot {
    /// The table in memory. It is empty while the table sleeps.
    table: Arc<OnceCell<Arc<HostedTable>>>,
    /// The time of the last request, of a table that sleeps.
    asked: Instant,
    /// Whether the session was over when the table fell asleep.
    over: bool,
}

impl Slot {
    fn awake(table: Arc<HostedTable>) -> Self {
        Self { table: Arc::new(OnceCell::new_with(Some(table))), asked: Instant::now(), over: false }
    }

    fn asleep(asked: Instant, over: bool) -> Self {
        Self { table: Arc::default(), asked, over }
    }
}

pub(crate) struct TableRegistry {
    pub(crate) games: Vec<&'static dyn AnyGame>,
    pub(crate) catalog: BotCatalog,
    pub(crate) limits: Limits,
    pub(crate) metrics: Arc<ServerMetrics>,
    data: Option<PathBuf>,
    clock: DataClock,
    notices: Option<Notices>,
    tables: Mutex<HashMap<String, Slot>>,
    /// The number of tables that are being opened. They count against the limit.
    opening: AtomicUsize,
    /// Saved tables by id.
    saves: Mutex<HashMap<String, Aside>>,
    tickets: Mutex<HashMap<String, Ticket>>,
    /// The number of streams of spectators and of seats.
    streams: Mutex<[usize; 2]>,
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

/// The open streams of a table: whose event log each sends, and its number.
#[derive(Default)]
struct Streams {
    open: Vec<(Listener, u64)>,
    /// The number of the next stream.
    next: u64,
}

impl Streams {
    fn of(&self, listener: Listener) -> usize {
        self.open.iter().filter(|(to, _)| *to == listener).count()
    }
}

/// Returns an error if there is no place for one more stream or ticket, where spectators have the first of `counts`, and
/// seats the second. Spectators can take three quarters of all places. `what` names all and those of spectators.
fn has_place(
    limits: &Limits,
    counts: [usize; 2],
    listener: Listener,
    what: [&'static str; 2],
) -> Result<(), Refusal> {
    let all = limits.streams;
    let watching = all - all / 4;
    if counts[0] + counts[1] >= all {
        return Err(Refusal::Full { what: what[0], most: all });
    }
    if !listener.is_seat() && counts[0] >= watching {
        return Err(Refusal::Full { what: what[1], most: watching });
    }
    Ok(())
}

/// An open stream. It counts against the limits until this is dropped.
pub(crate) struct Open {
    registry: Arc<TableRegistry>,
    pub(crate) table: Arc<HostedTable>,
    listener: Listener,
    number: u64,
}

impl Open {
    /// Returns whether the stream may continue. Newer streams of the same seat can replace it.
    pub(crate) fn is_open(&self) -> bool {
        lock(&self.table.streams).open.iter().any(|(_, number)| *number == self.number)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        lock(&self.registry.streams)[usize::from(self.listener.is_seat())] -= 1;
        lock(&self.table.streams).open.retain(|(_, number)| *number != self.number);
        self.table.feed.count_stream(self.listener, false);
        self.table.touch();
    }
}

impl HostedTable {
    fn touch(&self) {
        *lock(&self.asked) = Instant::now();
    }

    /// Returns the role of the client with this secret, if the secret belongs to this table.
    pub(crate) fn asker(&self, secret: &Secret) -> Option<Asker> {
        let digest = secret.digest();
        if digest == self.host {
            return Some(Asker::Host);
        }
        if Some(digest) == self.watch {
            return Some(Asker::Spectator);
        }
        self.seat_of(digest).map(Asker::Seat)
    }

    fn seat_of(&self, digest: Digest) -> Option<Seat> {
        let inner = self.feed.lock();
        let has = |sitter: &Sitter| matches!(sitter, Sitter::Person { secret, .. } if *secret == digest);
        inner.players.sitters.iter().position(has).map(|seat| Seat(seat as u8))
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
            Audience::Everybody | Audience::Referee => Some(secret) == self.watch,
        }
    }
}

impl TableRegistry {
    pub(crate) fn new(
        games: Vec<&'static dyn AnyGame>,
        catalog: BotCatalog,
        limits: Limits,
        data: Option<PathBuf>,
        time: Duration,
        notices: Option<Notices>,
    ) -> Self {
        Self {
            games,
            catalog,
            metrics: Arc::new(ServerMetrics::new()),
            data,
            clock: DataClock::new(time),
            notices,
            tables: Mutex::default(),
            opening: AtomicUsize::new(0),
            saves: Mutex::default(),
            tickets: Mutex::default(),
            streams: Mutex::default(),
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

    /// Returns the table with this id, and notes the time of the request. Wakes it if it sleeps.
    pub(crate) async fn table(self: &Arc<Self>, id: &str) -> Result<Arc<HostedTable>, Refusal> {
        let found = lock(&self.tables).get(id).map(|slot| Arc::clone(&slot.table));
        let found = found.ok_or_else(|| Refusal::NoTable(id.chars().take(40).collect()))?;
        let table = found.get_or_try_init(|| self.wake(id)).await?;
        table.touch();
        Ok(Arc::clone(table))
    }

    /// Returns all tables that are awake, in arbitrary order.
    fn awake(&self) -> Vec<Arc<HostedTable>> {
        lock(&self.tables).values().filter_map(|slot| slot.table.get().cloned()).collect()
    }

    /// Returns the tables that are in the list of tables and in memory, by id, unless their session is over.
    pub(crate) fn listed(&self) -> Vec<(String, TableNow)> {
        let facts = |table: &Arc<HostedTable>| {
            let inner = table.feed.lock();
            let is_listed = inner.about.listed && !inner.over();
            is_listed.then(|| (table.id.clone(), inner.now()))
        };
        let mut tables: Vec<_> = self.awake().iter().filter_map(facts).collect();
        tables.sort_by(|(a, _), (b, _)| a.cmp(b));
        tables
    }

    /// Tells the person who operates the server something.
    fn notify(&self, text: &str) {
        self.notices.iter().for_each(|notices| notices(text));
    }

    /// Issues a ticket that opens one stream of this event log.
    pub(crate) fn ticket(
        &self,
        table: &HostedTable,
        listener: Listener,
        secret: &Secret,
    ) -> Result<Secret, Refusal> {
        let ticket = Secret::new().map_err(|_| Refusal::Internal)?;
        let now = Instant::now();
        let mut tickets = lock(&self.tickets);
        tickets.retain(|_, ticket| ticket.until > now);
        let seated = tickets.values().filter(|ticket| ticket.listener.is_seat()).count();
        let counts = [tickets.len() - seated, seated];
        has_place(&self.limits, counts, listener, ["tickets", "tickets for spectators"])?;
        // Otherwise the clients of one event log could use up the tickets of all.
        let is_own = |kept: &&Ticket| kept.table == table.id && kept.listener == listener;
        let most =
            if listener.is_seat() { self.limits.streams_of_seat } else { self.limits.streams_of_table };
        if tickets.values().filter(is_own).count() >= most {
            return Err(Refusal::Full { what: "tickets for this event log", most });
        }
        let until = now + self.limits.ticket;
        let kept = Ticket { table: table.id.clone(), listener, secret: secret.digest(), until };
        tickets.insert(ticket.digest().hex(), kept);
        Ok(ticket)
    }

    /// Uses up a ticket. If it is valid, returns its event log and the hash of the secret that it was issued for.
    pub(crate) fn admit(&self, table: &HostedTable, ticket: &Secret) -> Option<(Listener, Digest)> {
        let found = lock(&self.tickets).remove(&ticket.digest().hex())?;
        let is_right = found.table == table.id && found.until > Instant::now();
        is_right.then_some((found.listener, found.secret))
    }

    /// Counts a new stream, if the limits of the table and of the server allow it. Too many streams of a seat end the
    /// oldest of them, because connections that broke may still count.
    pub(crate) fn open_stream(
        self: &Arc<Self>,
        table: Arc<HostedTable>,
        listener: Listener,
    ) -> Result<Open, Refusal> {
        let Limits { streams_of_table, streams_of_seat, .. } = self.limits;
        let mut own = lock(&table.streams);
        if !listener.is_seat() && own.of(listener) >= streams_of_table {
            return Err(Refusal::Full {
                what: "streams for spectators of this table",
                most: streams_of_table,
            });
        }
        let mut counts = lock(&self.streams);
        has_place(&self.limits, *counts, listener, ["streams", "streams for spectators"])?;
        counts[usize::from(listener.is_seat())] += 1;
        drop(counts);
        if listener.is_seat() && own.of(listener) >= streams_of_seat {
            let oldest = own.open.iter().position(|(to, _)| *to == listener);
            oldest.map(|oldest| own.open.remove(oldest));
            table.feed.wake();
        }
        let number = own.next;
        own.next += 1;
        own.open.push((listener, number));
        drop(own);
        table.feed.count_stream(listener, true);
        Ok(Open { registry: Arc::clone(self), table, listener, number })
    }

    /// Deletes tables that had no request for a long time, and old saves. Lets tables sleep that are not in use.
    pub(crate) async fn sweep(self: &Arc<Self>) {
        self.drop_asleep().await;
        for table in self.awake() {
            let idle = if table.feed.lock().over() { self.limits.idle_over } else { self.limits.idle };
            let is_forgotten = lock(&table.asked).elapsed() > idle;
            if lock(&table.streams).open.is_empty() && is_forgotten {
                let registry = Arc::clone(self);
                let ended = self.change(&table, move |live, feed| registry.end(live, feed)).await;
                self.notify(&match ended {
                    Ok(()) => format!("the table {} was deleted: no request for {idle:?}", table.id),
                    Err(refusal) => format!("the table {} cannot be deleted: {refusal}", table.id),
                });
            }
        }
        self.let_sleep();
        self.drop_saves().await;
        let registry = Arc::clone(self);
        let _ = tokio::task::spawn_blocking(move || registry.keep_time()).await;
    }

    /// Lets tables sleep that have a journal on disk and are not in use.
    fn let_sleep(&self) {
        if self.data.is_none() {
            return;
        }
        for slot in lock(&self.tables).values_mut() {
            let Some(table) = slot.table.get() else { continue };
            let asked = *lock(&table.asked);
            // Requests, streams and bots hold the table. New ones get it from this map, which is locked.
            let is_used = Arc::strong_count(table) > 1 || Arc::strong_count(&slot.table) > 1;
            if !is_used && asked.elapsed() > self.limits.asleep {
                let over = table.feed.lock().over();
                *slot = Slot::asleep(asked, over);
            }
        }
    }

    /// Deletes tables that sleep and had no request for a long time.
    async fn drop_asleep(self: &Arc<Self>) {
        let is_forgotten = |slot: &Slot| {
            let idle = if slot.over { self.limits.idle_over } else { self.limits.idle };
            // A request that wakes the table holds its cell.
            !slot.table.initialized() && Arc::strong_count(&slot.table) == 1 && slot.asked.elapsed() > idle
        };
        let forgotten: Vec<String> =
            lock(&self.tables).extract_if(|_, slot| is_forgotten(slot)).map(|(id, _)| id).collect();
        let registry = Arc::clone(self);
        let removing = move || {
            for id in forgotten {
                let removed = registry.table_file(&id).map_or(Ok(()), |file| disk::remove(&file));
                registry.notify(&match removed {
                    Ok(()) => format!("the table {id} was deleted: no request for a long time"),
                    Err(error) => format!("the table {id} cannot be deleted: {error}"),
                });
            }
        };
        let _ = tokio::task::spawn_blocking(removing).await;
    }

    /// Returns how much the server has to do.
    pub(crate) fn sizes(&self) -> Sizes {
        Sizes {
            tables: lock(&self.tables).len(),
            saves: lock(&self.saves).len(),
            streams: lock(&self.streams).iter().sum(),
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
        self.awake().iter().for_each(|table| table.feed.close(Closed::Stopping));
    }
}
