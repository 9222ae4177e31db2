//! The threads of a batch.

use pyo3::prelude::*;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::input::refused;

/// Threads that are there once there is work for them. Those of a process do not come along when it forks, so that a child has
/// threads of its own.
pub(super) struct Pool {
    threads: usize,
    running: Option<(u32, ThreadPool)>,
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
        if jobs.len() < 2 {
            jobs.into_iter().for_each(work);
            return Ok(());
        }
        let own = std::process::id();
        if let Some((_, stale)) = self.running.take_if(|(process, _)| *process != own) {
            // It waits for threads that are not in this process.
            std::mem::forget(stale);
        }
        let (_, pool) = match &mut self.running {
            Some(running) => running,
            none => {
                let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
                none.insert((own, pool.map_err(|error| refused(format!("threads: {error}")))?))
            }
        };
        pool.install(|| jobs.into_par_iter().for_each(work));
        Ok(())
    }
}
