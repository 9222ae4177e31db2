//! Saving tables, restoring them, and deleting old saves.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use cardsharp_bot::disk;

use super::{HostedTable, TableRegistry, lock};
use crate::feed::TableFeed;
use crate::journal::{Journal, JournalError, JournalLine, Kept};
use crate::live::{Live, RebuildError, Replayed};
use crate::now::Closed;
use crate::refusal::Refusal;
use crate::secret::Secret;

pub(super) struct Aside {
    /// The journal in memory; none if it is in the data folder.
    pub(super) journal: Option<Journal>,
    /// The time of saving, by the registry's clock.
    pub(super) at: Duration,
}

impl TableRegistry {
    /// Saves a table and removes it from the live tables, so that no second copy can reveal hidden cards. Returns the
    /// secret that restores it. This is a job for [`TableRegistry::change`].
    ///
    /// # Errors
    /// There are too many saves, or the journal cannot be written or renamed.
    pub(crate) fn put_aside(&self, live: &mut Live, feed: &TableFeed) -> Result<String, Refusal> {
        let (id, most) = (live.opened.id.clone(), self.limits.saves);
        if lock(&self.saves).len() >= most {
            return Err(Refusal::Full { what: "saves", most });
        }
        let secret = Secret::new().map_err(|_| Refusal::Internal)?;
        let at = self.clock.now();
        live.journal.seal(secret.digest(), at)?;
        live.journal.rename(self.save_file(&id).as_deref()).map_err(|_| Refusal::Disk)?;
        let journal = std::mem::replace(&mut live.journal, Journal::none());
        let journal = self.data.is_none().then_some(journal);
        lock(&self.saves).insert(id.clone(), Aside { journal, at });
        self.take_out(live, feed, Closed::Saved);
        Ok(format!("{id}-{}", secret.reveal()))
    }

    /// Restores a saved table, with the secret of the save or of the host.
    ///
    /// # Errors
    /// There is no such save, it cannot be read, there are too many tables, or the journal cannot be renamed.
    pub(crate) async fn restore(
        self: &Arc<Self>,
        id: &str,
        secret: Secret,
    ) -> Result<Arc<HostedTable>, Refusal> {
        let id = id.to_owned();
        self.let_in(move |registry| {
            let aside = lock(&registry.saves).remove(&id).ok_or(Refusal::NoSave)?;
            registry.take_back(&id, &secret, aside)
        })
        .await
    }

    fn take_back(
        &self,
        id: &str,
        secret: &Secret,
        Aside { journal, at }: Aside,
    ) -> Result<Arc<HostedTable>, Refusal> {
        let read = match journal {
            Some(journal) => journal.read().map(|kept| (journal, kept)),
            None => {
                let file = self.save_file(id).ok_or(Refusal::NoSave)?;
                Journal::restore(&file, id, self.limits.journal)
            }
        };
        let (mut journal, kept) = match read.map_err(unread) {
            Ok(read) => read,
            Err(refusal) => {
                // Only a journal on disk can be unreadable. This server wrote those in memory.
                if refusal != Refusal::NoSave {
                    lock(&self.saves).insert(id.to_owned(), Aside { journal: None, at });
                }
                return Err(refusal);
            }
        };
        match self.replayed(&kept, secret, &mut journal) {
            Ok(replayed) => Ok(self.made(journal, kept, replayed)),
            Err(refusal) => {
                let journal = self.data.is_none().then_some(journal);
                lock(&self.saves).insert(id.to_owned(), Aside { journal, at });
                Err(refusal)
            }
        }
    }

    /// Replays the session of a save, and moves its journal to the folder of tables.
    fn replayed(&self, kept: &Kept, secret: &Secret, journal: &mut Journal) -> Result<Replayed, Refusal> {
        let own = secret.digest();
        match kept.entries.last() {
            Some(JournalLine::Saved { secret, .. }) if own == *secret || own == kept.opened.host => {}
            Some(JournalLine::Saved { .. }) => return Err(Refusal::NoSave),
            _ => return Err(Refusal::Unusable("the end of its journal is missing".to_owned())),
        }
        // The error has the number of a line, but not its content, which may have hidden cards.
        let replayed = self.rebuild(journal, kept).map_err(|error| match error {
            RebuildError::Game(_) | RebuildError::Rules(_) => Refusal::Unusable(error.to_string()),
            RebuildError::Step { line, .. } => no_line(line),
            RebuildError::Journal(error) => unread(error),
        })?;
        self.offers_bots_of(&replayed)?;
        let file = self.table_file(&kept.opened.id);
        journal.rename(file.as_deref()).map_err(|_| Refusal::Disk)?;
        Ok(replayed)
    }

    /// Deletes old saves. A client that lost the secret of a save cannot delete it.
    pub(super) async fn drop_saves(self: &Arc<Self>) {
        let now = self.clock.now();
        let is_old = |aside: &Aside| now.saturating_sub(aside.at) > self.limits.aside;
        let old: Vec<String> =
            lock(&self.saves).extract_if(|_, aside| is_old(aside)).map(|(id, _)| id).collect();
        let registry = Arc::clone(self);
        let removing = move || {
            for id in old {
                let removed = registry.save_file(&id).map_or(Ok(()), |file| disk::remove(&file));
                registry.notify(&match removed {
                    Ok(()) => format!("the save of the table {id} was deleted: it was too old"),
                    Err(error) => format!("the save of the table {id} cannot be deleted: {error}"),
                });
            }
        };
        let _ = tokio::task::spawn_blocking(removing).await;
    }
}

/// Returns the error for a save whose journal cannot be read.
fn unread(error: JournalError) -> Refusal {
    match error {
        JournalError::Io(error) if error.kind() == io::ErrorKind::NotFound => Refusal::NoSave,
        JournalError::Io(_) => Refusal::Disk,
        JournalError::Large => Refusal::Unusable("its journal is too large".to_owned()),
        JournalError::Line { line, .. } => no_line(line),
    }
}

fn no_line(line: usize) -> Refusal {
    Refusal::Unusable(format!("line {line} of its journal cannot be read"))
}
