//! The task that makes the moves of a table's bots.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{HostedTable, TableRegistry};
use crate::feed::TableFeed;
use crate::live::{Go, Live, Thought};
use crate::refusal::Refusal;

/// How long to wait before the next try after a full limit or an error of the disk.
const AGAIN: Duration = Duration::from_secs(1);

/// Makes the moves of bots and deals rounds, until a person must decide or the session cannot continue.
///
/// The table is locked only for single steps: neither while a bot searches, nor while the task waits for a thread or for
/// the pace of the table. If other requests change the table meanwhile, the bots decide anew.
///
/// Decisions of bots that other seats must not notice are written and sent together with the next visible step. So the
/// delay of an answer does not reveal them.
pub(super) async fn drive(registry: Arc<TableRegistry>, table: Arc<HostedTable>) {
    while !registry.closing.load(Ordering::Relaxed) {
        let turn = registry.quick.turn(table.flow, 1).await;
        let (of, halt) = (Arc::clone(&registry), registry.halt());
        let next = move |live: &mut Live, feed: &TableFeed| {
            let next = live.go_on(feed, &of.catalog, &of.limits, halt);
            live.driven &= !matches!(next, Ok(Go::Rest));
            next
        };
        let next = step(&registry, &table, next).await;
        drop(turn);
        let done = match next {
            Ok(Go::Rest) => {
                table.feed.set_stopped(None);
                registry.start_clock(&table);
                return;
            }
            Ok(Go::Tell) => tell(&registry, &table).await,
            Ok(Go::Think(thought)) => think(&registry, &table, thought).await,
            Err(refusal) => Err(refusal),
        };
        let Err(refusal) = done else { continue };
        if matches!(refusal, Refusal::NoTable(_)) {
            return;
        }
        table.feed.set_stopped(Some(&refusal));
        match refusal {
            // Other tables may free room meanwhile.
            Refusal::Full { .. } | Refusal::Disk => tokio::time::sleep(AGAIN).await,
            _ => break,
        }
    }
    // If the table has ended meanwhile, no other task starts.
    let _ = step(&registry, &table, Live::rest).await;
}

/// Locks the table, runs a job with it, and unlocks it.
async fn step<T: Send + 'static>(
    registry: &TableRegistry,
    table: &Arc<HostedTable>,
    job: impl FnOnce(&mut Live, &TableFeed) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let live = Arc::clone(&table.live).lock_owned().await;
    registry.hold(table, live, job).await?.1
}

/// Sends the moves of bots when the pace of the table allows it.
async fn tell(registry: &TableRegistry, table: &Arc<HostedTable>) -> Result<(), Refusal> {
    let at = step(registry, table, |live, _| Ok(live.may_tell_at())).await?;
    tokio::time::sleep_until(at.into()).await;
    step(registry, table, |live, feed| live.tell(feed)).await?;
    table.feed.set_stopped(None);
    Ok(())
}

impl TableRegistry {
    /// Starts the task that ends the time of people, if a person must decide in limited time and no such task runs.
    pub(super) fn start_clock(self: &Arc<Self>, table: &Arc<HostedTable>) {
        let mut inner = table.feed.lock();
        if !inner.is_timed && inner.deadline().is_some() {
            inner.is_timed = true;
            tokio::spawn(time(Arc::clone(self), Arc::clone(table)));
        }
    }
}

/// Waits until the time of people is over, and then does what the clock of the table says.
async fn time(registry: Arc<TableRegistry>, table: Arc<HostedTable>) {
    let mut changed = table.feed.listen();
    loop {
        changed.mark_unchanged();
        let (number, seat, until, then) = {
            let mut inner = table.feed.lock();
            let (Some((number, seat, until)), Some(clock)) = (inner.deadline(), inner.about.clock) else {
                inner.is_timed = false;
                return;
            };
            (number, seat, until, clock.then)
        };
        tokio::select! {
            _ = changed.changed() => continue,
            () = tokio::time::sleep_until(until.into()) => {}
        }
        let of = Arc::clone(&registry);
        let job = move |live: &mut Live, feed: &TableFeed| {
            // The person may have decided meanwhile.
            let is_pending = feed.lock().deadline().is_some_and(|(pending, ..)| pending == number);
            if is_pending { live.time_over(feed, &of.catalog, seat, then) } else { Ok(()) }
        };
        if registry.change(&table, job).await.is_err() {
            tokio::time::sleep(AGAIN).await;
        }
    }
}

/// Lets a bot search, and plays its move if the table has not changed meanwhile.
async fn think(registry: &TableRegistry, table: &Arc<HostedTable>, thought: Thought) -> Result<(), Refusal> {
    let (seat, cost, halt) = (thought.seat, thought.cost, thought.halt.clone());
    let picked = registry.think(table.flow, cost, halt.clone(), move |stop| thought.pick(stop)).await;
    let action = match picked {
        Ok(action) => action,
        Err(_) if halt.is_cancelled() => return Ok(()),
        Err(refusal) => return Err(refusal),
    };
    let act = move |live: &mut Live, feed: &TableFeed| {
        if halt.is_cancelled() { Ok(()) } else { live.act(feed, seat, action) }
    };
    step(registry, table, act).await
}
