//! Work on several threads whose results do not depend on how many there are.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The most threads that a command or a run may ask for.
pub const MOST_THREADS: usize = 1024;

/// Does jobs `0..count` on at most `threads` threads and returns their results in the order of the
/// jobs. The jobs must be pure; threads take the next one when they are free.
pub fn in_order<T: Send>(threads: usize, count: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut done = Vec::with_capacity(count);
    in_turn(threads, count, job, |result| done.push(result));
    done
}

/// As [`in_order`], but every result is given to `take` in its turn, as soon as those before it were: by the thread that
/// brought the one whose turn it was, while the others go on with their jobs.
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

/// Results whose turn has not come.
struct Queue<T> {
    early: BTreeMap<usize, T>,
    /// The number of the one whose turn it is.
    due: usize,
    /// Whether a thread is giving results away; then it gives those that come meanwhile, too.
    taking: bool,
}

impl<T> Queue<T> {
    /// The result whose turn it is, if it is there.
    fn due(&mut self) -> Option<T> {
        let result = self.early.remove(&self.due)?;
        self.due += 1;
        Some(result)
    }
}

/// The work was stopped before it was done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before it was done")]
pub struct Stopped;

/// As [`in_order`], and no job begins any more once `stop` is set; those under way may end early.
///
/// # Errors
/// It was set before the last job was done. What was found is dropped.
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

/// As [`until_stopped`], but the results are given to `take`, in the order of the jobs, while others are still under way.
///
/// # Errors
/// As of [`until_stopped`]; what was taken before is of no use.
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

/// A thread that panicked stops the whole scope, so a poisoned list is never read afterwards.
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
        // One that takes long meanwhile keeps nobody from the next jobs, and comes first all the same.
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
            // Besides job 10 and those before it, those that the other threads had taken already may run.
            assert_eq!(stopped, Err(Stopped));
            assert!((11..100).contains(&begun.into_inner()));
        }
        assert_eq!(until_stopped(2, 3, &AtomicBool::new(false), |n| n), Ok(vec![0, 1, 2]));
        // What a job found that was stopped before its end is no result, even if it was the last one.
        let stop = AtomicBool::new(false);
        assert_eq!(until_stopped(1, 1, &stop, |_| stop.store(true, Ordering::Relaxed)), Err(Stopped));
    }
}
