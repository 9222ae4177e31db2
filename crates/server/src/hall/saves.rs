//! Saving tables, restoring them, and deleting old saves.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use super::{Hall, Table, lock};
use crate::front::Front;
use crate::journal::{Entry, Journal, JournalError, Kept};
use crate::live::{Live, ReplayError, Replayed, replay};
use crate::refusal::Refusal;
use crate::secret::Secret;

/// Returns the error for a line of a save that cannot be read. It has the number of the line, but not the content,
/// which may have hidden cards.
fn no_line(line: usize) -> Refusal {
    Refusal::Save(format!("this version cannot read line {line} of its journal"))
}

/// Returns the error for a save whose journal cannot be read.
fn unread(error: JournalError) -> Refusal {
    match error {
        JournalError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => Refusal::NoSave,
        JournalError::Io { .. } => Refusal::Disk,
        JournalError::Large { .. } => Refusal::Save("its journal is too large".to_owned()),
        JournalError::Line { line, .. } => no_line(line),
    }
}

pub(super) struct Aside {
    /// The journal in memory; none if it is in the data folder.
    pub(super) journal: Option<Journal>,
    /// The time of saving, which is the modification time of its file.
    pub(super) since: SystemTime,
}

impl Hall {
    /// Saves a table and removes it from the live tables, so that no second copy can reveal hidden cards. Returns the
    /// secret that restores it. This is a job for [`Hall::change`].
    ///
    /// # Errors
    /// There are too many saves, or the journal cannot be written or renamed.
    pub(crate) fn put_aside(&self, live: &mut Live, front: &Front) -> Result<String, Refusal> {
        let (id, most) = (live.opened.id.clone(), self.limits.saves);
        if lock(&self.saves).len() >= most {
            return Err(Refusal::Full { what: "saves", most });
        }
        let secret = Secret::new().map_err(|_| Refusal::Internal)?;
        live.journal.seal(secret.digest())?;
        live.journal.rename(self.save_file(&id).as_deref()).map_err(|_| Refusal::Disk)?;
        let journal = std::mem::replace(&mut live.journal, Journal::none());
        let journal = self.data.is_none().then_some(journal);
        lock(&self.saves).insert(id.clone(), Aside { journal, since: SystemTime::now() });
        self.take_out(live, front);
        Ok(format!("{id}-{}", secret.reveal()))
    }

    /// Restores a saved table, with the secret of the save or of the host.
    ///
    /// # Errors
    /// There is no such save, it cannot be read, there are too many tables, or the journal cannot be renamed.
    pub(crate) async fn restore(self: &Arc<Self>, id: &str, secret: Secret) -> Result<Arc<Table>, Refusal> {
        let id = id.to_owned();
        self.let_in(move |hall| {
            let aside = lock(&hall.saves).remove(&id).ok_or(Refusal::NoSave)?;
            hall.take_back(&id, &secret, aside)
        })
        .await
    }

    fn take_back(
        &self,
        id: &str,
        secret: &Secret,
        Aside { journal, since }: Aside,
    ) -> Result<Arc<Table>, Refusal> {
        let read = match journal {
            Some(journal) => journal.read().map(|kept| (journal, kept)),
            None => {
                let file = self.save_file(id).ok_or(Refusal::NoSave)?;
                Journal::restore(&file, self.limits.journal)
            }
        };
        let (mut journal, kept) = match read.map_err(unread) {
            Ok(read) => read,
            Err(refusal) => {
                // Only a journal on disk can be unreadable. This server wrote those in memory.
                if refusal != Refusal::NoSave {
                    lock(&self.saves).insert(id.to_owned(), Aside { journal: None, since });
                }
                return Err(refusal);
            }
        };
        match self.made_of(&kept, secret, &mut journal) {
            Ok(replayed) => Ok(self.enter(journal, kept.opened, replayed)),
            Err(refusal) => {
                let journal = self.data.is_none().then_some(journal);
                lock(&self.saves).insert(id.to_owned(), Aside { journal, since });
                Err(refusal)
            }
        }
    }

    /// Replays the session of a save, and moves its journal to the folder of tables.
    fn made_of(&self, kept: &Kept, secret: &Secret, journal: &mut Journal) -> Result<Replayed, Refusal> {
        let own = secret.digest();
        let is_right = kept.opened.host == own || kept.entries.last() == Some(&Entry::Saved(own));
        if !is_right {
            return Err(Refusal::NoSave);
        }
        let replayed = replay(&self.games, kept).map_err(|error| match error {
            ReplayError::Game(_) | ReplayError::Rules(_) => Refusal::Save(error.to_string()),
            ReplayError::Step { line, .. } => no_line(line),
        })?;
        self.offers_bots_of(&replayed).map_err(|refusal| Refusal::Save(refusal.to_string()))?;
        let file = self.table_file(&kept.opened.id);
        journal.rename(file.as_deref()).map_err(|_| Refusal::Disk)?;
        Ok(replayed)
    }

    /// Deletes old saves. A client that lost the secret of a save cannot delete it.
    pub(super) async fn drop_saves(&self) {
        let is_old = |aside: &Aside| aside.since.elapsed().is_ok_and(|age| age > self.limits.aside);
        let old: Vec<String> =
            lock(&self.saves).extract_if(|_, aside| is_old(aside)).map(|(id, _)| id).collect();
        let files: Vec<PathBuf> = old.iter().filter_map(|id| self.save_file(id)).collect();
        let removing = move || {
            for file in files {
                // A file that cannot be removed is loaded when the server starts again, and then deleted.
                let _ = fs::remove_file(file);
            }
        };
        let _ = tokio::task::spawn_blocking(removing).await;
    }
}
