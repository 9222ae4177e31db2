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
    pub(crate) time: Duration,
}

impl Playing {
    /// Starts without any rounds.
    pub(crate) fn new(threads: usize) -> Self {
        Self { threads, begun: Instant::now(), rounds: 0, time: Duration::ZERO }
    }

    /// Plays a whole contest.
    pub(crate) fn report(&mut self, contest: &Contest) -> Report {
        let bar = Bar::units(contest.units(), "blocks of deals");
        let played = self.units(contest, 0..contest.units(), &bar);
        bar.finish();
        contest.report(&played)
    }

    /// Plays some units of a contest on all threads. The results are in the order of the units.
    pub(crate) fn units(&mut self, contest: &Contest, units: std::ops::Range<u64>, bar: &Bar) -> Vec<Unit> {
        let begun = Instant::now();
        let count = (units.end - units.start) as usize;
        let played = workers::in_order(self.threads, count, |number| {
            let played = contest.play(units.start + number as u64, &mut || self.begun.elapsed());
            bar.advance();
            played
        });
        self.time += begun.elapsed();
        self.rounds += played.iter().map(Unit::rounds_played).sum::<u64>();
        played
    }
}
