//! Contests.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use cardsharp_bot::arena::luck::Gauged;
use cardsharp_bot::arena::{ArenaError, Contest, Report, Unit};
use cardsharp_bot::workers::{Stopped, until_stopped};
use cardsharp_env::Size;
use pyo3::prelude::*;

use crate::bots::{clock, means, players};
use crate::games::GameArg;
use crate::input::{self, Anything, ObjectArg, SeedArg, refused};
use crate::output::{self, Object};
use crate::outside::Raised;
use crate::work::interruptibly;

/// A contest under way.
struct Playing<'a> {
    threads: usize,
    stop: &'a AtomicBool,
    /// Units of work that are done.
    done: &'a AtomicU64,
}

/// Why a contest has no report.
enum Ended {
    Stopped,
    Refused(ArenaError),
}

impl From<Stopped> for Ended {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl Playing<'_> {
    fn work<T: Send>(&self, jobs: Range<u64>, job: impl Fn(u64) -> T + Sync) -> Result<Vec<T>, Stopped> {
        let count = (jobs.end - jobs.start) as usize;
        until_stopped(self.threads, count, self.stop, |number| {
            let result = job(jobs.start + number as u64);
            self.done.fetch_add(1, Ordering::Relaxed);
            result
        })
    }

    fn units(&self, contest: &Contest, units: Range<u64>) -> Result<Vec<Unit>, Stopped> {
        let now = clock();
        self.work(units, |unit| contest.play_until(unit, &mut || -> Duration { now() }, self.stop))
    }

    fn report(
        &self,
        contest: &Contest,
        until_known: Option<f64>,
        adjust_luck: bool,
    ) -> Result<Report, Ended> {
        if let Some(delta) = until_known {
            let mut test = contest.until_known(delta).map_err(Ended::Refused)?;
            while let Some(block) = test.block() {
                test.add(self.units(contest, block)?);
            }
            return Ok(test.report());
        }
        let units = self.units(contest, 0..contest.units())?;
        if !adjust_luck {
            return Ok(contest.report(&units));
        }
        let adjusting = contest.adjusting();
        let pilot = self.units(adjusting.pilot(), 0..adjusting.pilot().units())?;
        let gauges: Vec<Gauged> = self.work(0..adjusting.gauges(), |unit| adjusting.gauge(unit))?;
        Ok(adjusting.report(&units, &pilot, &gauges))
    }
}

/// What `cardsharp.arena` calls: the report as a dict.
#[pyfunction]
// Its one caller names them all.
#[expect(clippy::too_many_arguments)]
pub(crate) fn arena<'py>(
    py: Python<'py>,
    game: GameArg,
    bots: Vec<(Option<String>, Anything<'py>)>,
    rules: Option<ObjectArg>,
    rounds: Option<u32>,
    deals: u64,
    seed: SeedArg,
    round_robin: bool,
    seats: Option<Vec<usize>>,
    until_known: Option<f64>,
    adjust_luck: bool,
    habits: bool,
    temperature: f64,
    simulations: Option<u32>,
    threads: u32,
    progress: Option<Anything<'py>>,
) -> PyResult<Object<'py>> {
    let (game, raised) = (game.0, Raised::default());
    let rules = input::rules(game, rules)?.sized(Size { players: None, rounds });
    let rules = rules.map_err(|error| refused(format!("rules: {error}")))?;
    // All cores are busy with deals already.
    let means = means(temperature, simulations, 1)?;
    let players = players(game, &bots, &means, &raised)?;
    let new = if round_robin { Contest::round_robin } else { Contest::new };
    let mut contest = new(&rules, players, deals, seed.0).map_err(refused)?;
    if habits {
        contest = contest.with_habits();
    }
    if let Some(seats) = seats {
        contest = contest.seated_as(seats).map_err(refused)?;
    }
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let playing = Playing { threads: crate::work::threads(threads), stop: &stop, done: &done };
    let mut tick = |_: Python<'_>| match &progress {
        Some(progress) => {
            let done = done.load(Ordering::Relaxed).min(contest.units());
            progress.0.call1((done, contest.units())).map(drop)
        }
        None => Ok(()),
    };
    let report = interruptibly(py, &stop, &mut tick, |_| playing.report(&contest, until_known, adjust_luck))?;
    raised.again()?;
    match report {
        Ok(report) => output::json(py, &report).map(Object),
        Err(Ended::Refused(error)) => Err(refused(error)),
        Err(Ended::Stopped) => Err(refused("the contest was stopped")),
    }
}
