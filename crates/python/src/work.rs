//! What takes long: it lets go of the interpreter, and ends within a moment of a signal.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError, TryLockResult};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use cardsharp_bot::workers::{MOST_THREADS, Stopped};
use pyo3::PyClass;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct;

/// How long a signal may wait.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Does `job` on a thread of its own, while this one lets others run, looks for signals and calls `tick` every now and
/// then, and whenever the job asks for it. What either raises sets `stop`, which the job must heed, and is raised once
/// the job has ended.
pub(crate) fn interruptibly<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    job: impl FnOnce(&Ending<'_>) -> T + Send,
) -> PyResult<T> {
    let end = End::default();
    thread::scope(|scope| {
        let working = scope.spawn(|| {
            // Told by dropping, so that a panic ends the wait, too.
            let ending = Ending(&end);
            job(&ending)
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

/// As [`interruptibly`], for jobs that heed `stop` at times only: whatever is raised is raised at once, and the job is
/// left to end by itself.
pub(crate) fn or_abandon<T: Send + 'static>(
    py: Python<'_>,
    stop: &AtomicBool,
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    job: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let end = Arc::new(End::default());
    let ended = Arc::clone(&end);
    let working = thread::spawn(move || {
        let _ending = Ending(&ended);
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

/// Watches for signals during a job that runs on the thread that asked for it. It costs next to nothing to ask often.
pub(crate) struct SignalWatch {
    begun: Instant,
    thread: Mutex<ThreadId>,
    /// Milliseconds after `begun` when signals are looked for again.
    due: AtomicU64,
    raised: Mutex<Option<PyErr>>,
    stop: AtomicBool,
}

impl SignalWatch {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            begun: Instant::now(),
            thread: Mutex::new(thread::current().id()),
            due: AtomicU64::new(0),
            raised: Mutex::new(None),
            stop: AtomicBool::new(false),
        })
    }

    fn postpone(&self) {
        let due = self.begun.elapsed() + PATIENCE;
        self.due.store(due.as_millis() as u64, Ordering::Relaxed);
    }

    /// Whether the job must end: a signal raised an exception. Only the thread that began the job can find one.
    pub(crate) fn is_stopped(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        let is_due = self.begun.elapsed().as_millis() as u64 >= self.due.load(Ordering::Relaxed);
        if is_due && thread::current().id() == *lock(&self.thread) {
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                *lock(&self.raised) = Some(error);
                self.stop.store(true, Ordering::Relaxed);
                return true;
            }
            self.postpone();
        }
        false
    }

    /// Does a job of this thread, which ends early once the flag is set, and raises what a signal raised.
    pub(crate) fn during<T: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&AtomicBool) -> T + Send,
    ) -> PyResult<T> {
        *lock(&self.thread) = thread::current().id();
        self.stop.store(false, Ordering::Relaxed);
        self.postpone();
        let result = py.detach(|| job(&self.stop));
        lock(&self.raised).take().map_or(Ok(result), Err)
    }
}

/// A thread that panics ends the job, so a poisoned lock is never read.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The object for this thread alone, to change it.
///
/// # Errors
/// Another thread, or a player that the object asks, is using it.
pub(crate) fn alone<'py, T: PyClass<Frozen = boolean_struct::False>>(
    object: &Bound<'py, T>,
) -> PyResult<PyRefMut<'py, T>> {
    object.try_borrow_mut().map_err(|_| in_use(&name(object)))
}

/// The object, to read it.
///
/// # Errors
/// Another thread, or a player that the object asks, is changing it.
pub(crate) fn shared<'py, T: PyClass>(object: &Bound<'py, T>) -> PyResult<PyRef<'py, T>> {
    object.try_borrow().map_err(|_| in_use(&name(object)))
}

/// The name of an object's class.
fn name<T: PyClass>(object: &Bound<'_, T>) -> String {
    T::type_object(object.py()).name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// The error of a thread that finds an object of this class in use.
fn in_use(class: &str) -> PyErr {
    PyRuntimeError::new_err(format!(
        "the {class} is in use: another thread, or a player inside this call, is using it; give each thread its own"
    ))
}

/// The guard of a lock that no other thread holds. A panic of an earlier holder is ignored.
///
/// # Errors
/// Another thread holds it.
pub(crate) fn unlocked<G>(tried: TryLockResult<G>, class: &str) -> PyResult<G> {
    match tried {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(guard)) => Ok(guard.into_inner()),
        Err(TryLockError::WouldBlock) => Err(in_use(class)),
    }
}

/// Whether a job has ended, and whether it asks for a tick.
#[derive(Default)]
struct State {
    ended: bool,
    asks: bool,
}

/// What a job tells whoever waits for its end.
#[derive(Default)]
struct End {
    state: Mutex<State>,
    changed: Condvar,
}

impl End {
    /// Waits for the end, until the job asks for a tick, and for so long at most; whether the end came.
    fn wait(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.ended && !std::mem::take(&mut state.asks) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            (state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
        state.ended
    }

    /// Changes the state, and tells of it.
    fn tell(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// A job under way.
pub(crate) struct Ending<'a>(&'a End);

impl Ending<'_> {
    /// Has `tick` called at once, by the thread that waits.
    pub(crate) fn ask(&self) {
        self.0.tell(|state| state.asks = true);
    }
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.tell(|state| state.ended = true);
    }
}

/// A question, and where its answers go, one after the other; nothing is the last one.
pub(crate) type PendingQuestion<Question, Answer> = (Question, mpsc::Sender<Option<Answer>>);

/// Has questions answered by the thread that has the interpreter.
pub(crate) struct Desk<'a, Question, Answer> {
    pub(crate) questions: mpsc::Sender<PendingQuestion<Question, Answer>>,
    pub(crate) job: &'a Ending<'a>,
}

impl<Question, Answer> Desk<'_, Question, Answer> {
    /// Takes the answers that the thread's `tick` gives, as they come.
    ///
    /// # Errors
    /// `stop` was set, the tick raised an exception, or `take` wants no more.
    pub(crate) fn ask(
        &self,
        question: Question,
        stop: &AtomicBool,
        mut take: impl FnMut(Answer) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let (answer, answered) = mpsc::channel();
        self.questions.send((question, answer)).map_err(|_| Stopped)?;
        self.job.ask();
        loop {
            match answered.recv_timeout(PATIENCE) {
                Ok(Some(answer)) => take(answer)?,
                Ok(None) => return Ok(()),
                Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Relaxed) => {}
                Err(_) => return Err(Stopped),
            }
        }
    }
}

/// Sends on what Python gives, one after the other.
pub(crate) fn send<'py, Answer: FromPyObjectOwned<'py>>(
    given: &Bound<'py, PyAny>,
    to: &mpsc::Sender<Option<Answer>>,
) -> PyResult<()> {
    for answer in given.try_iter()? {
        // Who asked may have been stopped meanwhile.
        if to.send(Some(answer?.extract().map_err(Into::into)?)).is_err() {
            return Ok(());
        }
    }
    let _ = to.send(None);
    Ok(())
}

/// Threads for `given`, where 0 is one for each core.
pub(crate) fn threads(given: usize) -> PyResult<usize> {
    match given {
        0 => Ok(thread::available_parallelism().map_or(1, usize::from)),
        threads @ 1..=MOST_THREADS => Ok(threads),
        _ => {
            let text = format!("threads: {given} is out of range: expected 0 to {MOST_THREADS}");
            Err(PyValueError::new_err(text))
        }
    }
}
