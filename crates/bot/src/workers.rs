//! Runs jobs on several threads, with results that do not depend on their number.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The most threads that a command or a run may request.
pub const MOST_THREADS: usize = 1024;

/// Runs jobs `0..count` on at most `threads` threads, and returns their results in the order of the jobs. The jobs must
/// be pure functions. A free thread takes the next job.
pub fn in_order<T: Send>(threads: usize, count: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut done = Vec::with_capacity(count);
    in_turn(threads, count, job, |result| done.push(result));
    done
}

/// Works as [`in_order`], but passes every result to `take` in order, as soon as all earlier results are there. The
/// thread that delivers the due result calls `take`, while the others continue with their jobs.
fn in_turn<T: Send>(
    threads: usize,
    count: usize,
    job: impl Fn(usize) -> T + Sync,
    take: impl FnMut(T) + Send,
) {
    let threads = threads.min(count);
    if threads <= 1 {
        return (0..count).map(job).for_each(take);
    }
    let next = AtomicUsize::new(0);
    let (queue, take) =
        (Mutex::new(Queue { early: BTreeMap::new(), due: 0, taking: false }), Mutex::new(take));
    let bring = |number, result| {
        let mut waiting = lock(&queue);
        waiting.early.insert(number, result);
        if std::mem::replace(&mut waiting.taking, true) {
            return;
        }
        while let Some(result) = waiting.due() {
            drop(waiting);
            lock(&take)(result);
            waiting = lock(&queue);
        }
        waiting.taking = false;
    };
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            bring(number, job(number));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

/// Results that wait for earlier ones.
struct Queue<T> {
    early: BTreeMap<usize, T>,
    /// The number of the next result to take.
    due: usize,
    /// Whether a thread is calling `take`. It then also passes on the results that arrive in the meantime.
    taking: bool,
}

impl<T> Queue<T> {
    /// Returns the next result, if it is there.
    fn due(&mut self) -> Option<T> {
        let result = self.early.remove(&self.due)?;
        self.due += 1;
        Some(result)
    }
}

/// The work was stopped before its end.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done")]
pub struct Stopped;

/// Works as [`in_order`], but starts no more jobs once `stop` is set. Running jobs may end early.
///
/// # Errors
/// `stop` was set before the last job was done. All results are discarded.
pub fn until_stopped<T: Send>(
    threads: usize,
    count: usize,
    stop: &AtomicBool,
    job: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, Stopped> {
    let mut done = Vec::with_capacity(count);
    taken_until_stopped(threads, count, stop, job, |result| done.push(result))?;
    Ok(done)
}

/// Works as [`until_stopped`], but passes the results to `take` in the order of the jobs, while other jobs still run.
///
/// # Errors
/// As [`until_stopped`]. The results that were taken before must be discarded.
pub fn taken_until_stopped<T: Send>(
    threads: usize,
    count: usize,
    stop: &AtomicBool,
    job: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(T) + Send,
) -> Result<(), Stopped> {
    let goes_on = || !stop.load(Ordering::Relaxed);
    let mut whole = true;
    let job = |number| goes_on().then(|| job(number)).filter(|_| goes_on());
    in_turn(threads, count, job, |result| match result {
        Some(result) => take(result),
        None => whole = false,
    });
    if whole { Ok(()) } else { Err(Stopped) }
}

/// A thread that panics ends the whole scope, so a poisoned lock is never used afterwards.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        let expected: Vec<usize> = (0..100).map(|n| n * n).collect();
        for threads in [0, 1, 2, 7, 200] {
            let squares = in_order(threads, 100, |n| {
                std::thread::sleep(std::time::Duration::from_micros((n % 7) as u64 * 50));
                n * n
            });
            assert_eq!(squares, expected);
        }
        assert!(in_order(4, 0, |n| n).is_empty());
        // A slow job does not delay the next jobs, and its result still comes first.
        let begun = AtomicUsize::new(0);
        let mut seen = Vec::new();
        let job = |n| {
            begun.fetch_add(1, Ordering::Relaxed);
            while n == 0 && begun.load(Ordering::Relaxed) < 10 {
                std::thread::yield_now();
            }
            n
        };
        taken_until_stopped(2, 10, &AtomicBool::new(false), job, |n| seen.push(n)).unwrap();
        assert_eq!(seen, (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn no_job_begins_after_a_stop() {
        for threads in [1, 2, 7] {
            let (stop, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
            let stopped = until_stopped(threads, 100, &stop, |n| {
                begun.fetch_add(1, Ordering::Relaxed);
                stop.fetch_or(n == 10, Ordering::Relaxed);
            });
            // Jobs that other threads took before the stop may still run.
            assert_eq!(stopped, Err(Stopped));
            assert!((11..100).contains(&begun.into_inner()));
        }
        assert_eq!(until_stopped(2, 3, &AtomicBool::new(false), |n| n), Ok(vec![0, 1, 2]));
        // A job that was stopped early has no result, even if it was the last one.
        let stop = AtomicBool::new(false);
        assert_eq!(until_stopped(1, 1, &stop, |_| stop.store(true, Ordering::Relaxed)), Err(Stopped));
    }
}
