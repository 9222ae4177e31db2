//! The threads of a batch.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
const SETTLED: Duration = Duration::from_micros(2);

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
        if jobs.len() == 1 || self.threads == 1 {
            jobs.into_iter().for_each(work);
            return Ok(());
        }
        if let Some(stale) = self.running.take_if(|running| running.process != std::process::id()) {
            // It waits for threads that are not in this process.
            std::mem::forget(stale);
        }
        let running = match &mut self.running {
            Some(running) => running,
            none => none.insert(Running::new(self.threads - 1)?),
        };
        let jobs: Vec<Mutex<Option<J>>> = jobs.into_iter().map(|job| Mutex::new(Some(job))).collect();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // Whoever is free takes the next one.
        let take = || {
            while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let job = job.lock().unwrap_or_else(PoisonError::into_inner).take();
                job.into_iter().for_each(&work);
                done.fetch_add(1, Ordering::Release);
            }
        };
        running.pool.in_place_scope(|scope| {
            for _ in 1..self.threads.min(jobs.len()) {
                scope.spawn(|_| take());
            }
            running.wake();
            take();
            // The others are about to end: being woken up by them would take longer.
            let asked = Instant::now();
            while done.load(Ordering::Acquire) < jobs.len() && asked.elapsed() < PATIENCE {
                thread::yield_now();
            }
            // The scope hears of it a moment later, and would put this thread to sleep until then.
            let ended = Instant::now();
            while ended.elapsed() < SETTLED {
                spin_loop();
            }
        });
        Ok(())
    }
}
