//! Bots at tables make their moves.

use std::sync::Arc;
use std::time::Duration;

use super::{Hall, Table};
use crate::refusal::Refusal;

/// How long to wait until what refused is asked again.
const AGAIN: Duration = Duration::from_secs(1);

/// Lets bots move, and rounds be dealt, until a person must decide or nothing is left to do.
///
/// A decision that nobody may notice is made, written and told like any other, with the next that everybody sees: while
/// it is made no other seat can ask anything whose answer would be late.
pub(super) async fn drive(hall: Arc<Hall>, table: Arc<Table>) {
    loop {
        // The table first, as everybody takes them: who waits for a table keeps no thread from other thoughts.
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
            // Others may make room.
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
