//! Tables that are put aside, and come back or are dropped.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use super::{Hall, Table, lock};
use crate::hall::work::Effort;
use crate::journal::Journal;
use crate::live::replay;
use crate::refusal::Refusal;
use crate::secret::Secret;

/// A table put aside.
pub(super) struct Aside {
    /// Without a folder of data; with one the journal is there.
    pub(super) journal: Option<Journal>,
    /// When it was put aside: on the disk the time of its file.
    pub(super) since: SystemTime,
}

impl Hall {
    /// Puts a table aside: it is nowhere but in its save, so that nobody can look into a copy of it.
    ///
    /// # Errors
    /// There are too many saves, or the disk refused.
    pub(crate) async fn put_aside(self: &Arc<Self>, table: &Arc<Table>) -> Result<Secret, Refusal> {
        let most = self.limits.saves;
        if lock(&self.saves).len() >= most {
            return Err(Refusal::Full { what: "tables put aside", most });
        }
        let secret = Secret::new().map_err(|_| Refusal::Internal)?;
        let name = secret.digest().hex();
        let hall = Arc::clone(self);
        self.work(table, Effort::Moments, move |live, front| {
            live.journal.rename(hall.save_file(&name).as_deref()).map_err(|_| Refusal::Disk)?;
            let journal = std::mem::replace(&mut live.journal, Journal::none());
            let journal = hall.data.is_none().then_some(journal);
            lock(&hall.saves).insert(name, Aside { journal, since: SystemTime::now() });
            live.gone = true;
            lock(&hall.tables).remove(&live.opened.id);
            front.close();
            Ok(())
        })
        .await?;
        Ok(secret)
    }

    /// Brings back a table that was put aside.
    ///
    /// # Errors
    /// There is no such save, there are too many tables, or the disk refused.
    pub(crate) async fn restore(self: &Arc<Self>, save: &Secret) -> Result<Arc<Table>, Refusal> {
        let name = save.digest().hex();
        self.let_in(move |hall| {
            let aside = lock(&hall.saves).remove(&name).ok_or(Refusal::NoSave)?;
            hall.take_back(&name, aside)
        })
        .await
    }

    fn take_back(&self, name: &str, Aside { journal, since }: Aside) -> Result<Arc<Table>, Refusal> {
        let read = match journal {
            Some(journal) => journal.read().map(|kept| (journal, kept)),
            None => {
                let file = self.save_file(name).ok_or(Refusal::NoSave)?;
                Journal::restore(&file, self.limits.journal)
            }
        };
        let Ok((mut journal, kept)) = read else {
            // One in memory was written by this server and can be read.
            lock(&self.saves).insert(name.to_owned(), Aside { journal: None, since });
            return Err(Refusal::Disk);
        };
        let file = self.table_file(&kept.opened.id);
        let replayed = replay(&self.games, &kept);
        match replayed.ok().filter(|_| journal.rename(file.as_deref()).is_ok()) {
            Some(replayed) => Ok(self.enter(journal, kept.opened, replayed)),
            None => {
                let journal = self.data.is_none().then_some(journal);
                lock(&self.saves).insert(name.to_owned(), Aside { journal, since });
                Err(Refusal::Disk)
            }
        }
    }

    /// Drops what was put aside long ago: nobody can end a table whose secret was lost.
    pub(super) async fn drop_saves(&self) {
        let is_old = |aside: &Aside| aside.since.elapsed().is_ok_and(|age| age > self.limits.aside);
        let old: Vec<String> =
            lock(&self.saves).extract_if(|_, aside| is_old(aside)).map(|(name, _)| name).collect();
        let files: Vec<PathBuf> = old.iter().filter_map(|name| self.save_file(name)).collect();
        let removing = move || {
            for file in files {
                // One that cannot be removed is there again when the server starts, and is dropped again.
                let _ = fs::remove_file(file);
            }
        };
        let _ = tokio::task::spawn_blocking(removing).await;
    }
}
