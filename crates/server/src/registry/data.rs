//! The data folder: opening, waking and ending tables. A table with a journal on disk is in memory only while clients or
//! bots use it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cardsharp_bot::disk;
use cardsharp_env::AnyGame;
use tokio::sync::Semaphore;

use super::{HostedTable, Slot, TableRegistry, lock};
use crate::feed::{Listener, TableFeed, TableInfo, have_room};
use crate::journal::{Journal, JournalError, Kept, Opened};
use crate::live::{Live, RebuildError, Replayed, replay, resume, stand};
use crate::now::{Closed, Spectators};
use crate::refusal::Refusal;
use crate::registry::saves::Aside;
use crate::registry::work::to_the_end;
use crate::thinking::Flow;

/// Why the data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another server uses it.
    #[error("{}: another server uses this folder", .0.display())]
    InUse(PathBuf),
}

pub(super) const TABLES: &str = "tables";
const SAVES: &str = "saves";
/// Journals that cannot be read.
const DAMAGED: &str = "damaged";
const LOCK: &str = "lock";
/// How long servers have used the folder, in milliseconds.
const CLOCK: &str = "clock";
const NEW_CLOCK: &str = ".clock";
const JSONL: &str = "jsonl";
/// The number of hexadecimal digits of a table's id.
const ID: usize = 16;

/// A clock that runs while a server uses the data folder. Unlike the system's clock, it never jumps.
pub(super) struct DataClock {
    /// Its time when the server started.
    base: Duration,
    started: Instant,
}

impl DataClock {
    pub(super) fn new(base: Duration) -> Self {
        Self { base, started: Instant::now() }
    }

    pub(super) fn now(&self) -> Duration {
        self.base + self.started.elapsed()
    }
}

/// Creates the folders of a data folder, and locks it against other servers until the returned file is dropped. Also
/// returns its clock.
///
/// # Errors
/// The folder cannot be used.
pub(crate) fn prepare(data: &Path) -> Result<(File, Duration), DataError> {
    for folder in [TABLES, SAVES] {
        let path = data.join(folder);
        private_folder(&path).map_err(|source| DataError::Io { path, source })?;
    }
    let path = data.join(LOCK);
    // Otherwise opening a pipe would wait for its reader.
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        let source = io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file: remove it");
        return Err(DataError::Io { path, source });
    }
    let file = File::create(&path).map_err(|source| DataError::Io { path: path.clone(), source })?;
    match file.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Err(DataError::InUse(data.to_owned())),
        Err(fs::TryLockError::Error(source)) => return Err(DataError::Io { path, source }),
    }
    // Without the file, saves live longer.
    let clock = disk::read_regular(&data.join(CLOCK), 100).ok().flatten();
    let clock = clock.and_then(|text| String::from_utf8(text).ok()?.trim().parse().ok());
    Ok((file, Duration::from_millis(clock.unwrap_or_default())))
}

/// Creates a folder, and the folders above it, that only this user can open, because journals show all cards. Also
/// closes a folder that exists already.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        builder.mode(0o700).create(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
    }
    #[cfg(not(unix))]
    builder.create(path)
}

impl TableRegistry {
    pub(super) fn table_file(&self, id: &str) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join(TABLES).join(id).with_extension(JSONL))
    }

    pub(super) fn save_file(&self, id: &str) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join(SAVES).join(id).with_extension(JSONL))
    }

    /// Lists the tables and saves of the data folder, if there is one. Their journals are read when clients ask for them.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub(crate) fn list(&self) -> Result<(), DataError> {
        let Some(data) = &self.data else { return Ok(()) };
        for id in self.ids(&data.join(TABLES))? {
            lock(&self.tables).insert(id, Slot::asleep(Instant::now(), false));
        }
        for id in self.ids(&data.join(SAVES))? {
            let path = data.join(SAVES).join(&id).with_extension(JSONL);
            let at = Journal::saved_at(&path).unwrap_or_else(|error| {
                self.notify(&format!("{}: {error}", path.display()));
                self.clock.now()
            });
            lock(&self.saves).insert(id, Aside { journal: None, at });
        }
        Ok(())
    }

    /// Returns the ids of the journals in a folder.
    fn ids(&self, folder: &Path) -> Result<Vec<String>, DataError> {
        let refused = |source| DataError::Io { path: folder.to_owned(), source };
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).map_err(refused)? {
            let path = entry.map_err(refused)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_id = |id: &&str| id.len() == ID && id.bytes().all(|c| c.is_ascii_hexdigit());
            match name.strip_suffix(".jsonl").filter(is_id) {
                Some(id) if path.is_file() => found.push(id.to_owned()),
                // The names of temporary files start with a dot. Their content was never sent to a client.
                _ if name.starts_with('.') => {}
                _ => self.notify(&format!("{}: not the journal of a table", path.display())),
            }
        }
        Ok(found)
    }

    /// Writes the clock of the data folder.
    pub(crate) fn keep_time(&self) {
        if let Some(data) = &self.data {
            let (file, new) = (data.join(CLOCK), data.join(NEW_CLOCK));
            let now = self.clock.now().as_millis().to_string();
            let written = disk::remove(&new).and_then(|()| disk::write_synced(&new, now.as_bytes()));
            // Without the file, saves live longer.
            let _ = written.and_then(|()| fs::rename(new, file));
        }
    }

    /// Reads a table that sleeps, and starts its bots.
    ///
    /// # Errors
    /// Its journal cannot be read, or needs a bot that the server does not offer.
    pub(super) async fn wake(self: &Arc<Self>, id: &str) -> Result<Arc<HostedTable>, Refusal> {
        /// Compared with the moves of a bot.
        const COST: u32 = 100;
        let (registry, id) = (Arc::clone(self), id.to_owned());
        // After a restart many clients ask at once. Tables that are awake do not wait for all of them.
        let turn = self.quick.turn(Flow::new(), COST).await;
        let woken = tokio::task::spawn_blocking(move || registry.read(&id)).await;
        drop(turn);
        let table = woken.map_err(|_| Refusal::Internal)??;
        self.begin(&table).await;
        Ok(table)
    }

    fn read(&self, id: &str) -> Result<Arc<HostedTable>, Refusal> {
        have_room(&self.bytes, &self.limits)?;
        let file = self.table_file(id).ok_or_else(|| Refusal::NoTable(id.to_owned()))?;
        let damaged = |error: &dyn std::fmt::Display| {
            self.set_aside(id, &file, error);
            Refusal::NoTable(id.to_owned())
        };
        let (journal, kept) = match Journal::restore(&file, id, self.limits.journal) {
            Ok(read) => read,
            Err(JournalError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                lock(&self.tables).remove(id);
                return Err(Refusal::NoTable(id.to_owned()));
            }
            Err(JournalError::Io(_)) => return Err(Refusal::Disk),
            Err(error) => return Err(damaged(&error)),
        };
        let replayed = self.rebuild(&journal, &kept).map_err(|error| damaged(&error))?;
        self.offers_bots_of(&replayed)?;
        Ok(self.made(journal, kept, replayed))
    }

    /// Rebuilds the session of a journal: from its last checkpoint or, if none fits, from its start.
    pub(super) fn rebuild(&self, journal: &Journal, kept: &Kept) -> Result<Replayed, RebuildError> {
        if kept.checkpoints.is_empty() {
            return replay(&self.games, kept);
        }
        resume(&self.games, kept).map_or_else(|| replay(&self.games, &journal.read()?), Ok)
    }

    /// Moves a journal that cannot be read out of the way, and says so.
    fn set_aside(&self, id: &str, file: &Path, error: &dyn std::fmt::Display) {
        lock(&self.tables).remove(id);
        let Some(folder) = self.data.as_ref().map(|data| data.join(DAMAGED)) else { return };
        let to = folder.join(id).with_extension(JSONL);
        let moved = private_folder(&folder).and_then(|()| fs::rename(file, &to));
        let place = match moved {
            Ok(()) => format!("it is now {}", to.display()),
            Err(error) => format!("and it cannot be moved: {error}"),
        };
        self.notify(&format!("{}: {error}; {place}", file.display()));
    }

    /// Returns an error if the table has a bot that the server does not offer.
    pub(super) fn offers_bots_of(&self, replayed: &Replayed) -> Result<(), Refusal> {
        replayed.players.bots().try_for_each(|bot| {
            let player = self.catalog.player(bot, replayed.game, 0.0);
            player.map(|_| ()).map_err(|refusal| Refusal::Unusable(refusal.to_string()))
        })
    }

    /// Opens a table.
    ///
    /// # Errors
    /// There are too many tables, or the journal cannot be written.
    pub(crate) async fn open(
        self: &Arc<Self>,
        game: &'static dyn AnyGame,
        opened: Opened,
    ) -> Result<Arc<HostedTable>, Refusal> {
        self.let_in(move |registry| {
            let file = registry.table_file(&opened.id);
            let journal = Journal::open(file.as_deref(), &opened, registry.limits.journal);
            let journal = journal.map_err(|_| Refusal::Disk)?;
            let kept = Kept { opened, checkpoints: Vec::new(), entries: Vec::new() };
            let replayed = replay(&[game], &kept).map_err(|_| Refusal::Internal)?;
            Ok(registry.made(journal, kept, replayed))
        })
        .await
    }

    /// Adds the table that `come` makes to the others, and starts its bots. Completes even if the client disconnects.
    ///
    /// # Errors
    /// There are too many tables, the event logs are full, or `come` fails.
    pub(super) async fn let_in(
        self: &Arc<Self>,
        come: impl FnOnce(&TableRegistry) -> Result<Arc<HostedTable>, Refusal> + Send + 'static,
    ) -> Result<Arc<HostedTable>, Refusal> {
        let place = self.place()?;
        let registry = Arc::clone(self);
        to_the_end(async move {
            let of = Arc::clone(&registry);
            let coming = tokio::task::spawn_blocking(move || come(&of));
            let table = coming.await.map_err(|_| Refusal::Internal)??;
            lock(&registry.tables).insert(table.id.clone(), Slot::awake(Arc::clone(&table)));
            drop(place);
            registry.begin(&table).await;
            Ok(table)
        })
        .await
    }

    /// Starts the bots of a table.
    pub(crate) async fn begin(self: &Arc<Self>, table: &Arc<HostedTable>) {
        let mut live = Arc::clone(&table.live).lock_owned().await;
        self.drive(table, &mut live);
    }

    /// Reserves room for one more table. The caller drops the result once the table is among the others.
    fn place(self: &Arc<Self>) -> Result<Place, Refusal> {
        have_room(&self.bytes, &self.limits)?;
        let most = self.limits.tables;
        let tables = lock(&self.tables);
        if tables.len() + self.opening.load(Ordering::Relaxed) >= most {
            return Err(Refusal::Full { what: "tables", most });
        }
        self.opening.fetch_add(1, Ordering::Relaxed);
        Ok(Place(Arc::clone(self)))
    }

    /// Makes a table from its journal. It is not among the others yet.
    pub(super) fn made(&self, journal: Journal, kept: Kept, replayed: Replayed) -> Arc<HostedTable> {
        let opened = kept.opened;
        let game = replayed.game.name();
        let stand = stand(replayed.table.as_ref(), replayed.waits);
        let Opened { open, clock, spectators, no_undo, listed, .. } = opened;
        let secret = opened.secret.clone();
        let about = TableInfo { game, open, clock, spectators, no_undo, listed, secret };
        let watched = match opened.spectators {
            Spectators::Public | Spectators::Off => Listener::Everybody,
            Spectators::Delayed => Listener::Delayed,
        };
        let watch = (opened.spectators != Spectators::Off).then_some(opened.watch);
        let (id, host) = (opened.id.clone(), opened.host);
        let (mut live, players, logs, epoch) = Live::new(journal, opened, replayed, self.limits.checkpoint);
        let feed = TableFeed::new(about, players, logs, epoch, stand, &self.bytes);
        live.forget();
        let live = Arc::new(tokio::sync::Mutex::new(live));
        let (streams, asked) = (Mutex::default(), Mutex::new(Instant::now()));
        let waiting = Arc::new(Semaphore::new(self.limits.waiting_of_table));
        let flow = Flow::new();
        Arc::new(HostedTable { id, feed, flow, live, host, watch, watched, streams, waiting, asked })
    }

    /// Ends a table, and deletes its journal. This is a job for [`TableRegistry::change`].
    ///
    /// # Errors
    /// The journal cannot be removed. The table then continues.
    pub(crate) fn end(&self, live: &mut Live, feed: &TableFeed) -> Result<(), Refusal> {
        live.journal.remove().map_err(|_| Refusal::Disk)?;
        self.take_out(live, feed, Closed::Deleted);
        Ok(())
    }

    /// Takes a table out of the live tables.
    pub(super) fn take_out(&self, live: &mut Live, feed: &TableFeed, why: Closed) {
        live.gone = true;
        lock(&self.tables).remove(&live.opened.id);
        feed.close(why);
    }
}

/// Room for a table that is being opened.
struct Place(Arc<TableRegistry>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.opening.fetch_sub(1, Ordering::Relaxed);
    }
}
