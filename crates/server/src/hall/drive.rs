//! The task that makes the moves of a table's bots.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Hall, HostedTable};
use crate::front::Front;
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
pub(super) async fn drive(hall: Arc<Hall>, table: Arc<HostedTable>) {
    while !hall.closing.load(Ordering::Relaxed) {
        let turn = hall.quick.turn(table.flow, 1).await;
        let (of, halt) = (Arc::clone(&hall), hall.halt());
        let next = move |live: &mut Live, front: &Front| {
            let next = live.go_on(front, &of.shelf, &of.limits, halt);
            live.driven &= !matches!(next, Ok(Go::Rest));
            next
        };
        let next = step(&hall, &table, next).await;
        drop(turn);
        let done = match next {
            Ok(Go::Rest) => {
                table.front.set_stopped(None);
                hall.start_clock(&table);
                return;
            }
            Ok(Go::Tell) => tell(&hall, &table).await,
            Ok(Go::Think(thought)) => think(&hall, &table, thought).await,
            Err(refusal) => Err(refusal),
        };
        let Err(refusal) = done else { continue };
        if matches!(refusal, Refusal::NoTable(_)) {
            return;
        }
        table.front.set_stopped(Some(&refusal));
        match refusal {
            // Other tables may free room meanwhile.
            Refusal::Full { .. } | Refusal::Disk => tokio::time::sleep(AGAIN).await,
            _ => break,
        }
    }
    // If the table has ended meanwhile, no other task starts.
    let _ = step(&hall, &table, Live::rest).await;
}

/// Locks the table, runs a job with it, and unlocks it.
async fn step<T: Send + 'static>(
    hall: &Hall,
    table: &Arc<HostedTable>,
    job: impl FnOnce(&mut Live, &Front) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let live = Arc::clone(&table.live).lock_owned().await;
    hall.hold(table, live, job).await?.1
}

/// Sends the moves of bots when the pace of the table allows it.
async fn tell(hall: &Hall, table: &Arc<HostedTable>) -> Result<(), Refusal> {
    let at = step(hall, table, |live, _| Ok(live.may_tell_at())).await?;
    tokio::time::sleep_until(at.into()).await;
    step(hall, table, |live, front| live.tell(front)).await?;
    table.front.set_stopped(None);
    Ok(())
}

impl Hall {
    /// Starts the task that ends the time of people, if a person must decide in limited time and no such task runs.
    pub(super) fn start_clock(self: &Arc<Self>, table: &Arc<HostedTable>) {
        let mut inner = table.front.lock();
        if !inner.is_timed && inner.deadline().is_some() {
            inner.is_timed = true;
            tokio::spawn(time(Arc::clone(self), Arc::clone(table)));
        }
    }
}

/// Waits until the time of people is over, and then does what the clock of the table says.
async fn time(hall: Arc<Hall>, table: Arc<HostedTable>) {
    let mut changed = table.front.listen();
    loop {
        changed.mark_unchanged();
        let (number, seat, until, then) = {
            let mut inner = table.front.lock();
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
        let of = Arc::clone(&hall);
        let job = move |live: &mut Live, front: &Front| {
            // The person may have decided meanwhile.
            let is_pending = front.lock().deadline().is_some_and(|(pending, ..)| pending == number);
            if is_pending { live.time_over(front, &of.shelf, seat, then) } else { Ok(()) }
        };
        if hall.change(&table, job).await.is_err() {
            tokio::time::sleep(AGAIN).await;
        }
    }
}

/// Lets a bot search, and plays its move if the table has not changed meanwhile.
async fn think(hall: &Hall, table: &Arc<HostedTable>, thought: Thought) -> Result<(), Refusal> {
    let (seat, cost, halt) = (thought.seat, thought.cost, thought.halt.clone());
    let picked = hall.think(table.flow, cost, halt.clone(), move |stop| thought.pick(stop)).await;
    let action = match picked {
        Ok(action) => action,
        Err(_) if halt.is_cancelled() => return Ok(()),
        Err(refusal) => return Err(refusal),
    };
    let act = move |live: &mut Live, front: &Front| {
        if halt.is_cancelled() { Ok(()) } else { live.act(front, seat, action) }
    };
    step(hall, table, act).await
}
