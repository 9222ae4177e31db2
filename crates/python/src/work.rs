//! What takes long: it lets go of the interpreter, and ends within a moment of a signal.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How long a signal may wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// Does `job` on a thread of its own, while this one lets others run, looks for signals and calls `tick` every now and
/// then. What either raises sets `stop`, which the job must heed, and is raised once the job has ended.
pub(crate) fn interruptibly<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    job: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let end = End::default();
    thread::scope(|scope| {
        let working = scope.spawn(|| {
            // Told by dropping, so that a panic ends the wait, too.
            let _ending = Ending(&end);
            job()
        });
        let mut raised = Ok(());
        while !py.detach(|| end.wait(PATIENCE)) {
            if raised.is_ok() {
                raised = py.check_signals().and_then(|()| tick(py));
            }
            if raised.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        let result = py.detach(|| working.join());
        raised?;
        tick(py)?;
        match result {
            Ok(result) => Ok(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// As [`interruptibly`], for jobs that heed `stop` at times only: whatever is raised is raised at once, and the job is left to
/// end by itself.
pub(crate) fn or_abandon<T: Send + 'static>(
    py: Python<'_>,
    stop: &AtomicBool,
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    job: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let end = Arc::new(End::default());
    let told = Arc::clone(&end);
    let working = thread::spawn(move || {
        let _ending = Ending(&told);
        job()
    });
    while !py.detach(|| end.wait(PATIENCE)) {
        if let Err(error) = py.check_signals().and_then(|()| tick(py)) {
            stop.store(true, Ordering::Relaxed);
            return Err(error);
        }
    }
    match py.detach(|| working.join()) {
        Ok(result) => Ok(result),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Whether a job has ended.
#[derive(Default)]
struct End {
    ended: Mutex<bool>,
    told: Condvar,
}

impl End {
    /// Waits for the end, for so long at most; whether it came.
    fn wait(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        while !*ended {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            (ended, _) = self.told.wait_timeout(ended, left).unwrap_or_else(PoisonError::into_inner);
        }
        *ended
    }
}

/// A job under way.
struct Ending<'a>(&'a End);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        *self.0.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.told.notify_all();
    }
}

/// Threads for `given`, where 0 is one for each core.
pub(crate) fn threads(given: u32) -> usize {
    match given {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads as usize,
    }
}
