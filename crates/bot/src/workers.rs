//! Work on several threads whose results do not depend on how many there are.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The most threads that a command or a run may ask for.
pub const MOST_THREADS: usize = 1024;

/// Does jobs `0..count` on at most `threads` threads and returns their results in the order of the
/// jobs. The jobs must be pure; threads take the next one when they are free.
pub fn in_order<T: Send>(threads: usize, count: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = threads.min(count);
    if threads <= 1 {
        return (0..count).map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let result = job(number);
            lock(&done).push((number, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut done = std::mem::take(&mut *lock(&done));
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
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
    let goes_on = || !stop.load(Ordering::Relaxed);
    let jobs = in_order(threads, count, |number| goes_on().then(|| job(number)).filter(|_| goes_on()));
    jobs.into_iter().collect::<Option<_>>().ok_or(Stopped)
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
