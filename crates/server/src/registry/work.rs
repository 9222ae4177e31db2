//! Jobs on a table, one at a time, and thoughts of bots. Both run on threads that do not serve connections.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use cardsharp_bot::Stop;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::{HostedTable, Slot, TableRegistry, lock};
use crate::feed::TableFeed;
use crate::live::{Live, NextStep};
use crate::now::Closed;
use crate::refusal::Refusal;
use crate::thinking::{Flow, Halt, LaneTurn};

/// The number of lines above which work on an event log is long. A session of 100 rounds has about as many.
const LONG: usize = 20_000;
/// Lines that are read in about the time of a bot's move.
const LINES: usize = 20;

/// Runs a future to its end, even if the client disconnects, which drops the future of the request.
pub(super) async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(work).await.map_err(|_| Refusal::Internal)?
}

/// Permits of a request that waits for a table or a bot.
pub(crate) struct WaitPermits {
    _own: Option<OwnedSemaphorePermit>,
    _all: OwnedSemaphorePermit,
}

impl TableRegistry {
    /// Counts a request that has to wait.
    ///
    /// # Errors
    /// Too many requests wait, for this table or for all.
    pub(crate) fn places(&self, table: Option<&HostedTable>) -> Result<WaitPermits, Refusal> {
        let place = |places: &Arc<Semaphore>| Arc::clone(places).try_acquire_owned();
        // The permits of the table first: otherwise the clients of one table could use up the permits of all tables.
        let own = table.map(|table| place(&table.waiting)).transpose().map_err(|_| Refusal::Busy)?;
        Ok(WaitPermits { _own: own, _all: place(&self.waiting).map_err(|_| Refusal::Busy)? })
    }

    /// Runs a job with exclusive access to a table. If the client disconnects while it waits for the table, the job does
    /// not run. A job that has started runs to its end.
    ///
    /// # Errors
    /// The job fails, too many requests wait, or the table has ended meanwhile.
    pub(crate) async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        table: &Arc<HostedTable>,
        job: impl FnOnce(&mut Live, &TableFeed) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let places = self.places(Some(table))?;
        let live = Arc::clone(&table.live).lock_owned().await;
        let (registry, table) = (Arc::clone(self), Arc::clone(table));
        to_the_end(async move {
            let _places = places;
            let (mut live, result) = registry.hold(&table, live, job).await?;
            registry.drive(&table, &mut live);
            result
        })
        .await
    }

    /// Runs a job that may change a table, as [`Live::change`] does, then lets its bots continue.
    ///
    /// # Errors
    /// As [`TableRegistry::look`].
    pub(crate) async fn change<T: Send + 'static>(
        self: &Arc<Self>,
        table: &Arc<HostedTable>,
        job: impl FnOnce(&mut Live, &TableFeed) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.look(table, move |live, feed| live.change(feed, job)).await
    }

    /// Lets a bot think, on a thread for bots of its kind, without any table. `cost` is that of [`BotCatalog::cost`].
    ///
    /// # Errors
    /// The bot panics, or its thought is cancelled before it begins.
    ///
    /// [`BotCatalog::cost`]: crate::catalog::BotCatalog::cost
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        flow: Flow,
        cost: u32,
        halt: Halt,
        thought: impl FnOnce(Stop) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let lane = if cost > 1 { &self.searches } else { &self.quick };
        let turn = lane.turn(flow, cost).await;
        let thinking = move || {
            let _turn = turn;
            if halt.is_cancelled() { Err(Refusal::Busy) } else { Ok(thought(halt.started_now())) }
        };
        tokio::task::spawn_blocking(thinking).await.map_err(|_| Refusal::Internal)?
    }

    /// Waits for a thread for work on an event log of this many lines, or on its session. Long work waits with the searches,
    /// because it would delay bots that decide at once.
    pub(crate) async fn turn(&self, flow: Flow, lines: usize) -> LaneTurn {
        let lane = if lines > LONG { &self.searches } else { &self.quick };
        lane.turn(flow, 1 + (lines / LINES) as u32).await
    }

    /// Returns what ends a thought early.
    pub(crate) fn halt(&self) -> Halt {
        Halt::new(&self.closing, self.limits.think)
    }

    /// Runs a job with a table that the caller has locked. Closes the table if the job panics.
    pub(super) async fn hold<T: Send + 'static>(
        &self,
        table: &Arc<HostedTable>,
        mut live: OwnedMutexGuard<Live>,
        job: impl FnOnce(&mut Live, &TableFeed) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<(OwnedMutexGuard<Live>, Result<T, Refusal>), Refusal> {
        if live.gone {
            return Err(Refusal::NoTable(table.id.clone()));
        }
        let of = Arc::clone(table);
        let done = tokio::task::spawn_blocking(move || {
            let result = catch_unwind(AssertUnwindSafe(|| job(&mut live, &of.feed)));
            // Before the lock is released: otherwise the next job would use the broken table.
            live.gone |= result.is_err();
            result.map(|result| (live, result))
        });
        let Ok(Ok(done)) = done.await else {
            // The table may be inconsistent, but its journal is not. With a data folder, the next request reads it again.
            self.forget(table);
            table.feed.close(Closed::Failed);
            return Err(Refusal::Internal);
        };
        Ok(done)
    }

    /// Removes a table that is broken. With a data folder it then sleeps.
    fn forget(&self, table: &HostedTable) {
        let mut tables = lock(&self.tables);
        if self.data.is_none() {
            tables.remove(&table.id);
        } else if let Some(slot) = tables.get_mut(&table.id) {
            *slot = Slot::asleep(Instant::now(), false);
        }
    }

    /// Starts the task that plays for the bots, if it is their turn and no such task runs.
    pub(super) fn drive(self: &Arc<Self>, table: &Arc<HostedTable>, live: &mut Live) {
        let next = live.next(&table.feed.lock().players);
        let is_open = !live.gone && !self.closing.load(Ordering::Relaxed);
        if !live.driven && is_open && matches!(next, NextStep::Bot(_) | NextStep::Deal | NextStep::Start) {
            live.driven = true;
            tokio::spawn(super::drive::drive(Arc::clone(self), Arc::clone(table)));
        }
        self.start_clock(table);
    }
}

#[cfg(test)]
mod tests;
