//! Plays contests on several threads.

use std::time::{Duration, Instant};

use cardsharp_bot::arena::{Contest, Report, Unit};
use cardsharp_bot::workers;

use crate::bar::Bar;

/// Plays contests on several threads. The results do not depend on the number of threads.
pub(crate) struct Playing {
    pub(crate) threads: usize,
    begun: Instant,
    /// Rounds played so far.
    pub(crate) rounds: u64,
    /// Total playing time.
    pub(crate) time: Duration,
}

impl Playing {
    /// Starts without any rounds.
    pub(crate) fn new(threads: usize) -> Self {
        Self { threads, begun: Instant::now(), rounds: 0, time: Duration::ZERO }
    }

    /// Plays a whole contest.
    pub(crate) fn report(&mut self, contest: &Contest) -> Report {
        contest.report(&self.whole(contest))
    }

    /// Runs jobs on all threads. The results are in the order of the jobs.
    pub(crate) fn work<T: Send>(
        &self,
        jobs: std::ops::Range<u64>,
        bar: &Bar,
        job: impl Fn(u64, &mut dyn FnMut() -> Duration) -> T + Sync,
    ) -> Vec<T> {
        let count = (jobs.end - jobs.start) as usize;
        workers::in_order(self.threads, count, |number| {
            let done = job(jobs.start + number as u64, &mut || self.begun.elapsed());
            bar.advance();
            done
        })
    }

    /// Plays some units of a contest.
    pub(crate) fn units(&mut self, contest: &Contest, units: std::ops::Range<u64>, bar: &Bar) -> Vec<Unit> {
        let begun = Instant::now();
        let played = self.work(units, bar, |unit, clock| contest.play(unit, clock));
        self.time += begun.elapsed();
        self.rounds += played.iter().map(Unit::rounds_played).sum::<u64>();
        played
    }

    /// Plays all units of a contest.
    pub(crate) fn whole(&mut self, contest: &Contest) -> Vec<Unit> {
        let bar = Bar::units(contest.units(), "blocks of deals");
        let played = self.units(contest, 0..contest.units(), &bar);
        bar.finish();
        played
    }
}
