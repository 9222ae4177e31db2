//! Work on a table: one at a time, off the threads that serve connections.

use std::sync::Arc;

use tokio::sync::OwnedMutexGuard;

use super::{Hall, Table, lock};
use crate::front::Front;
use crate::live::{Live, Next};
use crate::refusal::Refusal;

/// How long a piece of work may take.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Moments: rules and the disk.
    Moments,
    /// As long as a bot thinks.
    Thought,
}

impl Hall {
    /// Does something with a table, alone, then lets its bots go on.
    ///
    /// # Errors
    /// What the job says; too much is being asked; the table has ended meanwhile.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        table: &Arc<Table>,
        effort: Effort,
        job: impl FnOnce(&mut Live, &Front) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _place = self.waiting.try_acquire().map_err(|_| Refusal::Busy)?;
        let _thinker = match effort {
            Effort::Moments => None,
            Effort::Thought => Some(self.thinkers.acquire().await.map_err(|_| Refusal::Internal)?),
        };
        let live = Arc::clone(&table.live).lock_owned().await;
        let (mut live, result) = self.hold(table, live, job).await?;
        self.drive(table, &mut live);
        result
    }

    /// Does a job that needs no table, on a thread for bots.
    ///
    /// # Errors
    /// What the job says; too much is being asked.
    pub(crate) async fn think<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&Hall) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _place = self.waiting.try_acquire().map_err(|_| Refusal::Busy)?;
        let _thinker = self.thinkers.acquire().await.map_err(|_| Refusal::Internal)?;
        let hall = Arc::clone(self);
        tokio::task::spawn_blocking(move || job(&hall)).await.map_err(|_| Refusal::Internal)?
    }

    /// Does a job with a table that is held.
    pub(super) async fn hold<T: Send + 'static>(
        &self,
        table: &Arc<Table>,
        mut live: OwnedMutexGuard<Live>,
        job: impl FnOnce(&mut Live, &Front) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<(OwnedMutexGuard<Live>, Result<T, Refusal>), Refusal> {
        if live.gone {
            return Err(Refusal::NoTable(table.id.clone()));
        }
        let of = Arc::clone(table);
        let done = tokio::task::spawn_blocking(move || {
            let result = job(&mut live, &of.front);
            (live, result)
        });
        done.await.map_err(|_| {
            // The table may be half of what it was. Its journal is whole: with a folder of data it is there again when
            // the server starts.
            lock(&self.tables).remove(&table.id);
            table.front.close();
            Refusal::Internal
        })
    }

    /// Lets bots go on if it is their turn and nobody lets them yet.
    pub(super) fn drive(self: &Arc<Self>, table: &Arc<Table>, live: &mut Live) {
        let next = live.next(&table.front.lock().sitters);
        if !live.driven && !live.gone && matches!(next, Next::Bot(_) | Next::Deal) {
            live.driven = true;
            tokio::spawn(super::drive::drive(Arc::clone(self), Arc::clone(table)));
        }
    }
}
