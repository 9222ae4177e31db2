//! The threads of a batch.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use crate::input::refused;

/// How long threads look out for the next step before they sleep. Waking one up takes as long as a step of hundreds of lanes.
const AWAKE: Duration = Duration::from_micros(500);

/// How long the thread that asks looks at the others' work before it sleeps until they are done.
const PATIENCE: Duration = Duration::from_micros(100);

/// How long a thread takes to say that it is done.
const SETTLED: Duration = Duration::from_micros(1);

/// Threads that are there once there is work for them. Those of a process do not come along when it forks, so that a child has
/// threads of its own.
pub(super) struct Pool {
    threads: usize,
    running: Option<Running>,
}

/// The threads besides the one that asks, which works, too.
struct Running {
    process: u32,
    pool: ThreadPool,
    awake: Arc<Awake>,
    /// Whether there is a processor for each thread.
    has_room: bool,
}

/// Which threads look out for work, and for how long.
struct Awake {
    begun: Instant,
    /// Microseconds after `begun`.
    until: AtomicU64,
    threads: AtomicUsize,
}

impl Awake {
    fn now(&self) -> u64 {
        self.begun.elapsed().as_micros() as u64
    }

    /// Takes what work there is, as long as it is not time to sleep.
    fn look_out(&self) {
        while self.now() < self.until.load(Ordering::Relaxed) {
            if rayon::yield_now() != Some(Yield::Executed) {
                // Whoever has work goes first.
                thread::yield_now();
            }
        }
        self.threads.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Running {
    fn new(others: usize) -> PyResult<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(others).build();
        let pool = pool.map_err(|error| refused(format!("threads: {error}")))?;
        let (until, threads) = (AtomicU64::new(0), AtomicUsize::new(0));
        let awake = Arc::new(Awake { begun: Instant::now(), until, threads });
        let has_room = available_parallelism().is_ok_and(|processors| others < processors.get());
        Ok(Self { process: std::process::id(), pool, awake, has_room })
    }

    /// Has threads look out for what comes, if there is room for them.
    fn wake(&self) {
        if self.has_room {
            let others = self.pool.current_num_threads();
            self.awake.until.store(self.awake.now() + AWAKE.as_micros() as u64, Ordering::Relaxed);
            while self.awake.threads.load(Ordering::Relaxed) < others {
                self.awake.threads.fetch_add(1, Ordering::Relaxed);
                let awake = Arc::clone(&self.awake);
                self.pool.spawn(move || awake.look_out());
            }
        }
    }
}

impl Pool {
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, running: None }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Does every job, on all threads.
    pub(super) fn each<J: Send>(&mut self, jobs: Vec<J>, work: impl Fn(J) + Send + Sync) -> PyResult<()> {
        self.each_if(jobs, |_| true, work).map(|_| ())
    }

    /// Does every job if all of them may be done: each is asked first, on all threads too. Tells whether they were done.
    pub(super) fn each_if<J: Send>(
        &mut self,
        mut jobs: Vec<J>,
        may: impl Fn(&mut J) -> bool + Send + Sync,
        work: impl Fn(J) + Send + Sync,
    ) -> PyResult<bool> {
        if jobs.len() == 1 || self.threads == 1 {
            let all = jobs.iter_mut().all(may);
            if all {
                jobs.into_iter().for_each(work);
            }
            return Ok(all);
        }
        if let Some(stale) = self.running.take_if(|running| running.process != std::process::id()) {
            // It waits for threads that are not in this process.
            std::mem::forget(stale);
        }
        let running = match &mut self.running {
            Some(running) => running,
            none => none.insert(Running::new(self.threads - 1)?),
        };
        let shared = Shared::new(jobs, self.threads);
        running.pool.in_place_scope(|scope| {
            for thread in 1..self.threads.min(shared.jobs.len()) {
                let (shared, may, work) = (&shared, &may, &work);
                scope.spawn(move |_| shared.take(thread, may, work));
            }
            running.wake();
            shared.take(0, &may, &work);
            // The others are about to end: being woken up by them would take longer.
            let asked = Instant::now();
            while !shared.is_done() && asked.elapsed() < PATIENCE {
                thread::yield_now();
            }
            // The scope hears of it a moment later, and would put this thread to sleep until then.
            let ended = Instant::now();
            while ended.elapsed() < SETTLED {
                spin_loop();
            }
        });
        Ok(!shared.refused.load(Ordering::Relaxed))
    }
}

/// The jobs of a step, shared out among threads. Each begins with those it had the last time, whose memory is still near it;
/// whoever is done with his own takes what is left of the others'.
struct Shared<J> {
    threads: usize,
    jobs: Vec<Job<J>>,
    asked: AtomicUsize,
    done: AtomicUsize,
    refused: AtomicBool,
}

struct Job<J> {
    is_asked: AtomicBool,
    job: Mutex<Option<J>>,
}

impl<J> Job<J> {
    fn lock(&self) -> MutexGuard<'_, Option<J>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> Shared<J> {
    fn new(jobs: Vec<J>, threads: usize) -> Self {
        let job = |job| Job { is_asked: AtomicBool::new(false), job: Mutex::new(Some(job)) };
        Self {
            threads,
            jobs: jobs.into_iter().map(job).collect(),
            asked: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            refused: AtomicBool::new(false),
        }
    }

    /// All jobs, a thread's own first.
    fn from(&self, thread: usize) -> impl Iterator<Item = &Job<J>> {
        let (before, own) = self.jobs.split_at(self.jobs.len() * thread / self.threads);
        own.iter().chain(before)
    }

    fn is_done(&self) -> bool {
        self.refused.load(Ordering::Relaxed) || self.done.load(Ordering::Acquire) == self.jobs.len()
    }

    /// Asks and does what no other thread has taken.
    fn take(&self, thread: usize, may: &impl Fn(&mut J) -> bool, work: &impl Fn(J)) {
        for job in self.from(thread).filter(|job| !job.is_asked.swap(true, Ordering::Relaxed)) {
            if !job.lock().as_mut().is_none_or(may) {
                self.refused.store(true, Ordering::Relaxed);
            }
            self.asked.fetch_add(1, Ordering::Release);
        }
        // Another thread may still be at its last question.
        while self.asked.load(Ordering::Acquire) < self.jobs.len() {
            thread::yield_now();
        }
        if self.refused.load(Ordering::Relaxed) {
            return;
        }
        for job in self.from(thread) {
            let job = job.lock().take();
            if let Some(job) = job {
                work(job);
                self.done.fetch_add(1, Ordering::Release);
            }
        }
    }
}
