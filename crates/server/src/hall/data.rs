//! Opening and ending tables, and their files on disk.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use cardsharp_env::AnyGame;
use tokio::sync::Semaphore;

use super::{Hall, Table, lock};
use crate::front::{Front, Listener, have_room};
use crate::hall::saves::Aside;
use crate::hall::work::to_the_end;
use crate::journal::{Journal, JournalError, Opened, Sitter, Spectators};
use crate::live::{Course, Live, ReplayError, Replayed, opening, replay, stand};
use crate::refusal::Refusal;
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
    /// A journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A journal does not describe a valid session.
    #[error("{}: {source}", path.display())]
    Session {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ReplayError,
    },
    /// A table has a bot that the server no longer offers.
    #[error("{}: {reason}", path.display())]
    Bot {
        /// The file.
        path: PathBuf,
        /// Which bot is missing, and which ones the server offers.
        reason: String,
    },
}

pub(super) const TABLES: &str = "tables";
const SAVES: &str = "saves";
const LOCK: &str = "lock";
const JSONL: &str = "jsonl";

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

impl Hall {
    pub(super) fn table_file(&self, id: &str) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join(TABLES).join(id).with_extension(JSONL))
    }

    pub(super) fn save_file(&self, id: &str) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join(SAVES).join(id).with_extension(JSONL))
    }

    /// Loads the tables and saves of the data folder, if there is one. The returned file locks the folder against other
    /// servers until it is dropped.
    ///
    /// # Errors
    /// The folder cannot be used, or a journal in it is not valid.
    pub(crate) fn load(&self) -> Result<Option<File>, DataError> {
        let Some(data) = &self.data else { return Ok(None) };
        for folder in [TABLES, SAVES] {
            let path = data.join(folder);
            private_folder(&path).map_err(|source| DataError::Io { path, source })?;
        }
        let path = data.join(LOCK);
        let lock_file = File::create(&path).map_err(|source| DataError::Io { path: path.clone(), source })?;
        match lock_file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(DataError::InUse(data.clone())),
            Err(fs::TryLockError::Error(source)) => return Err(DataError::Io { path, source }),
        }
        for path in journals(&data.join(SAVES))? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let since = fs::metadata(&path).and_then(|file| file.modified());
            let since = since.map_err(|source| DataError::Io { path, source })?;
            lock(&self.saves).insert(name, Aside { journal: None, since });
        }
        for path in journals(&data.join(TABLES))? {
            let (journal, kept) = Journal::restore(&path, self.limits.journal)?;
            let session = |source| DataError::Session { path: path.clone(), source };
            let replayed = replay(&self.games, &kept).map_err(session)?;
            let bot = |refusal: Refusal| DataError::Bot { path: path.clone(), reason: refusal.to_string() };
            self.offers_bots_of(&replayed).map_err(bot)?;
            self.enter(journal, kept.opened, replayed);
        }
        Ok(Some(lock_file))
    }

    /// Returns an error if the table has a bot that the server does not offer.
    pub(super) fn offers_bots_of(&self, replayed: &Replayed) -> Result<(), Refusal> {
        replayed.sitters.iter().try_for_each(|sitter| match sitter {
            Sitter::Bot(bot) => self.shelf.player(bot, replayed.game, 0.0).map(|_| ()),
            Sitter::Person { .. } => Ok(()),
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
    ) -> Result<Arc<Table>, Refusal> {
        self.let_in(move |hall| {
            let rules = game.rules(&opened.rules)?;
            let table = rules.table(opened.seed);
            let file = hall.table_file(&opened.id);
            let journal = Journal::open(file.as_deref(), &opened, hall.limits.journal);
            let journal = journal.map_err(|_| Refusal::Disk)?;
            let names: Vec<String> = opened.seats.iter().map(|sitter| sitter.name().to_owned()).collect();
            let listeners = crate::live::listeners(opened.spectators, &opened.seats, table.seats());
            let logs = opening(table.as_ref(), &names, listeners);
            let sitters = opened.seats.clone();
            let replayed = Replayed { game, table, course: Course::default(), sitters, logs, epoch: 0 };
            Ok(hall.enter(journal, opened, replayed))
        })
        .await
    }

    /// Adds the table that `come` makes, and starts its bots. Completes even if the client disconnects.
    ///
    /// # Errors
    /// There are too many tables, the event logs are full, or `come` fails.
    pub(super) async fn let_in(
        self: &Arc<Self>,
        come: impl FnOnce(&Hall) -> Result<Arc<Table>, Refusal> + Send + 'static,
    ) -> Result<Arc<Table>, Refusal> {
        let place = self.place()?;
        let hall = Arc::clone(self);
        to_the_end(async move {
            let of = Arc::clone(&hall);
            let coming = tokio::task::spawn_blocking(move || come(&of));
            let table = coming.await.map_err(|_| Refusal::Internal)??;
            drop(place);
            hall.begin(&table).await;
            Ok(table)
        })
        .await
    }

    /// Starts the bots of a table.
    pub(crate) async fn begin(self: &Arc<Self>, table: &Arc<Table>) {
        let mut live = Arc::clone(&table.live).lock_owned().await;
        self.drive(table, &mut live);
    }

    /// Starts the bots of all tables, when the server starts.
    pub(crate) async fn begin_all(self: &Arc<Self>) {
        for table in self.all() {
            self.begin(&table).await;
        }
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

    pub(super) fn enter(&self, journal: Journal, opened: Opened, replayed: Replayed) -> Arc<Table> {
        let Replayed { game, table, course, sitters, logs, epoch } = replayed;
        let stand = stand(table.as_ref());
        let front = Front::new(game.name(), opened.open, sitters, logs, epoch, stand, &self.bytes);
        let watched = match opened.spectators {
            Spectators::Public => Listener::Everybody,
            Spectators::Delayed => Listener::Delayed,
        };
        let (id, host, watch) = (opened.id.clone(), opened.host, opened.watch);
        let mut live = Live::new(game, table, journal, opened, course);
        live.forget();
        let live = Arc::new(tokio::sync::Mutex::new(live));
        let (streams, asked) = (AtomicUsize::new(0), std::sync::Mutex::new(Instant::now()));
        let waiting = Arc::new(Semaphore::new(self.limits.waiting_of_table));
        let name = id.clone();
        let flow = Flow::new();
        let table =
            Arc::new(Table { id: name, front, flow, live, host, watch, watched, streams, waiting, asked });
        lock(&self.tables).insert(id, Arc::clone(&table));
        table
    }

    /// Ends a table, and deletes its journal. This is a job for [`Hall::change`].
    ///
    /// # Errors
    /// The journal cannot be removed. The table then continues.
    pub(crate) fn end(&self, live: &mut Live, front: &Front) -> Result<(), Refusal> {
        live.journal.remove().map_err(|_| Refusal::Disk)?;
        self.take_out(live, front);
        Ok(())
    }

    /// Takes a table out of the live tables.
    pub(super) fn take_out(&self, live: &mut Live, front: &Front) {
        live.gone = true;
        lock(&self.tables).remove(&live.opened.id);
        front.close();
    }
}

/// Room for a table that is being opened.
struct Place(Arc<Hall>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.opening.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the paths of the journals in a folder, sorted.
fn journals(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    let refused = |source| DataError::Io { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        // The names of temporary files start with a dot. Their content was never sent to a client.
        let is_whole = path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'));
        if is_whole && path.extension().is_some_and(|extension| extension == JSONL) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
