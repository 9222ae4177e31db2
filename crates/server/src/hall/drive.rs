//! The task that makes the moves of a table's bots.

use std::sync::Arc;
use std::time::Duration;

use super::{Hall, Table};
use crate::refusal::Refusal;

/// How long to wait before the next try after a full limit or an error of the disk.
const AGAIN: Duration = Duration::from_secs(1);

/// Makes the moves of bots and deals rounds, until a person must decide or the session cannot continue.
///
/// Decisions of bots that other seats must not notice are written and sent together with the next visible step. So the
/// delay of an answer does not reveal them.
pub(super) async fn drive(hall: Arc<Hall>, table: Arc<Table>) {
    loop {
        // All tasks lock the table first and then take a thread, so a task that waits for a table occupies no thread.
        let live = Arc::clone(&table.live).lock_owned().await;
        let Ok(thinker) = hall.thinker().await else { return };
        let of = Arc::clone(&hall);
        let moved =
            hall.hold(&table, live, move |live, front| live.go_on(front, &of.shelf, &of.limits)).await;
        drop(thinker);
        let Ok((mut live, moved)) = moved else { return };
        let stopped = moved.as_ref().err().map(Refusal::to_string);
        if table.front.lock().stopped != stopped {
            table.front.change(|inner| inner.stopped = stopped);
        }
        match moved {
            Ok(true) => {}
            // Other tables may free room meanwhile.
            Err(Refusal::Full { .. } | Refusal::Disk) => {
                drop(live);
                tokio::time::sleep(AGAIN).await;
                continue;
            }
            Ok(false) | Err(_) => {
                live.driven = false;
                return;
            }
        }
        tokio::time::sleep_until(live.may_tell_at().into()).await;
        let Ok((live, told)) = hall.hold(&table, live, |live, front| live.tell(front)).await else { return };
        drop(live);
        if told == Err(Refusal::Disk) {
            tokio::time::sleep(AGAIN).await;
        }
    }
}
