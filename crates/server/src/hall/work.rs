//! Jobs on a table: one at a time, on threads that do not serve connections.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::{Hall, Table, lock};
use crate::front::Front;
use crate::live::{Live, Next};
use crate::refusal::Refusal;

/// How long a job may take.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Moments: the job uses only rules and disk.
    Moments,
    /// As long as a bot thinks. The job needs one of the threads for bots.
    Thought,
}

/// Runs a future to its end, even if the client disconnects, which drops the future of the request.
pub(super) async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(work).await.map_err(|_| Refusal::Internal)?
}

/// Takes one of the permits for waiting requests.
fn wait(places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Refusal> {
    Arc::clone(places).try_acquire_owned().map_err(|_| Refusal::Busy)
}

impl Hall {
    /// Runs a job with exclusive access to a table, then lets its bots continue. If the client disconnects while it
    /// waits for the table, the job does not run. A job that has started runs to its end.
    ///
    /// # Errors
    /// The job fails, too many requests wait, or the table has ended meanwhile.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        table: &Arc<Table>,
        effort: Effort,
        job: impl FnOnce(&mut Live, &Front) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        // The permits of the table first: otherwise the clients of one table could use up the permits of all tables.
        let places = (wait(&table.waiting)?, wait(&self.waiting)?);
        let live = Arc::clone(&table.live).lock_owned().await;
        let thinker = match effort {
            Effort::Moments => None,
            Effort::Thought => Some(self.thinker().await?),
        };
        let (hall, table) = (Arc::clone(self), Arc::clone(table));
        to_the_end(async move {
            let _permits = (places, thinker);
            let (mut live, result) = hall.hold(&table, live, job).await?;
            hall.drive(&table, &mut live);
            result
        })
        .await
    }

    /// Runs a job without a table, on a thread for bots.
    ///
    /// # Errors
    /// The job fails, or too many requests wait.
    pub(crate) async fn think<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&Hall) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permits = (wait(&self.waiting)?, self.thinker().await?);
        let hall = Arc::clone(self);
        let thinking = move || {
            // Holds the permits until the job ends, even if the client disconnects.
            let _permits = permits;
            job(&hall)
        };
        tokio::task::spawn_blocking(thinking).await.map_err(|_| Refusal::Internal)?
    }

    /// Waits for one of the threads for bots.
    pub(super) async fn thinker(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.thinkers).acquire_owned().await.map_err(|_| Refusal::Internal)
    }

    /// Runs a job with a table that the caller has locked. Closes the table if the job panics.
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
            let result = catch_unwind(AssertUnwindSafe(|| job(&mut live, &of.front)));
            // Before the lock is released: otherwise the next job would use the broken table.
            live.gone |= result.is_err();
            result.map(|result| (live, result))
        });
        let Ok(Ok(done)) = done.await else {
            // The table may be inconsistent, but its journal is not. With a data folder the table returns when the
            // server starts again.
            lock(&self.tables).remove(&table.id);
            table.front.close();
            return Err(Refusal::Internal);
        };
        Ok(done)
    }

    /// Starts the task that plays for the bots, if it is their turn and no such task runs.
    pub(super) fn drive(self: &Arc<Self>, table: &Arc<Table>, live: &mut Live) {
        let next = live.next(&table.front.lock().sitters);
        if !live.driven && !live.gone && matches!(next, Next::Bot(_) | Next::Deal) {
            live.driven = true;
            tokio::spawn(super::drive::drive(Arc::clone(self), Arc::clone(table)));
        }
    }
}

#[cfg(test)]
mod tests;
