//! Work on a table: one at a time, off the threads that serve connections.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

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

/// Does something to its end: a request's own future is dropped where its client hangs up.
pub(super) async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(work).await.map_err(|_| Refusal::Internal)?
}

/// A place among the requests that wait.
fn wait(places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Refusal> {
    Arc::clone(places).try_acquire_owned().map_err(|_| Refusal::Busy)
}

impl Hall {
    /// Does something with a table, alone, then lets its bots go on. Who hangs up while he waits for the table asks for
    /// nothing any more; what has begun goes to its end.
    ///
    /// # Errors
    /// What the job says; too much is being asked; the table has ended meanwhile.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        table: &Arc<Table>,
        effort: Effort,
        job: impl FnOnce(&mut Live, &Front) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        // Its own places first: else who is at one table could keep everybody from all others.
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

    /// Does a job that needs no table, on a thread for bots.
    ///
    /// # Errors
    /// What the job says; too much is being asked.
    pub(crate) async fn think<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&Hall) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permits = (wait(&self.waiting)?, self.thinker().await?);
        let hall = Arc::clone(self);
        let thinking = move || {
            // As long as it is thought, whoever still waits for it.
            let _permits = permits;
            job(&hall)
        };
        tokio::task::spawn_blocking(thinking).await.map_err(|_| Refusal::Internal)?
    }

    /// A thread to think on.
    pub(super) async fn thinker(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.thinkers).acquire_owned().await.map_err(|_| Refusal::Internal)
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
            let result = catch_unwind(AssertUnwindSafe(|| job(&mut live, &of.front)));
            // Before it is let go: the next who waits for it would go on with it.
            live.gone |= result.is_err();
            result.map(|result| (live, result))
        });
        let Ok(Ok(done)) = done.await else {
            // The table may be half of what it was. Its journal is whole: with a folder of data it is there again when
            // the server starts.
            lock(&self.tables).remove(&table.id);
            table.front.close();
            return Err(Refusal::Internal);
        };
        Ok(done)
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

#[cfg(test)]
mod tests;
