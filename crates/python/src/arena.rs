//! Contests.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use cardsharp_bot::arena::{ArenaError, Contest, ContestUnit, Report};
use cardsharp_bot::workers::{Stopped, until_stopped};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::bots::{clock, means, players};
use crate::contest::{ContestJob, NamedBot, Terms, networks, played_by, unit};
use crate::games::GameArg;
use crate::input::{self, Anything, ObjectArg, SeedArg, refused};
use crate::output::{self, Object};
use crate::outside::Raised;
use crate::work::{Desk, PendingQuestion, interruptibly, send};

/// A contest under way.
struct Playing<'a> {
    threads: usize,
    /// Who plays elsewhere, if anybody does: units of the contest.
    away: Option<Desk<'a, Range<u64>, PyBackedBytes>>,
    stop: &'a AtomicBool,
    /// Units that are done.
    done: &'a AtomicU64,
}

/// Why a contest has no report.
enum Ended {
    Stopped,
    Refused(ArenaError),
    /// What was played elsewhere is no unit.
    Foreign(serde_json::Error),
}

impl From<Stopped> for Ended {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl Playing<'_> {
    fn units(&self, contest: &Contest, units: Range<u64>) -> Result<Vec<ContestUnit>, Ended> {
        if let Some(away) = &self.away {
            let mut played = Vec::new();
            away.ask(units, self.stop, |bytes| {
                self.done.fetch_add(1, Ordering::Relaxed);
                played.push(unit(&bytes));
                Ok(())
            })?;
            return played.into_iter().collect::<Result<_, _>>().map_err(Ended::Foreign);
        }
        let (now, count) = (clock(), (units.end - units.start) as usize);
        let played = until_stopped(self.threads, count, self.stop, |number| {
            let unit = units.start + number as u64;
            let played = contest.play_until(unit, &mut || -> Duration { now() }, self.stop);
            self.done.fetch_add(1, Ordering::Relaxed);
            played
        })?;
        Ok(played)
    }

    fn report(&self, contest: &Contest, sprt: Option<f64>) -> Result<Report, Ended> {
        if let Some(delta) = sprt {
            let mut test = contest.sprt(delta).map_err(Ended::Refused)?;
            while let Some(block) = test.block() {
                test.add(self.units(contest, block)?);
            }
            return Ok(test.report());
        }
        Ok(contest.report(&self.units(contest, 0..contest.units())?))
    }
}

/// What `cardsharp_rl.arena` calls: the report as a dict.
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
    sprt: Option<f64>,
    habits: bool,
    temperature: f64,
    simulations: Option<u32>,
    threads: u32,
    progress: Option<Anything<'py>>,
    elsewhere: Option<Anything<'py>>,
) -> PyResult<Object<'py>> {
    let (game, raised) = (game.0, Raised::default());
    let rules = input::session_rules(game, rules, rounds)?;
    // All cores are busy with deals already.
    let players = players(game, &bots, &means(temperature, simulations, 1)?, &raised)?;
    let terms = Terms { deals, seed: seed.0, round_robin, seats, habits };
    let contest = terms.contest(&rules, players.clone())?;
    let contest_job = match &elsewhere {
        None => None,
        Some(_) => {
            let mut named = Vec::new();
            for (player, (_, bot)) in players.iter().zip(&bots) {
                let spec = bot
                    .0
                    .extract::<String>()
                    .map_err(|_| input::mistyped("bots", "names, which any worker can load", &bot.0))?;
                named.push(NamedBot { name: player.name().to_owned(), spec, temperature });
            }
            let networks = networks(&named)?;
            let (game, rules) = (game.name().to_owned(), rules.json().clone());
            Some(ContestJob { game, bots: named, networks, rules, terms, simulations })
        }
    };
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let (questions, asked) = mpsc::channel::<PendingQuestion<Range<u64>, PyBackedBytes>>();
    let mut tick = |_: Python<'_>| -> PyResult<()> {
        if let (Some(elsewhere), Some(contest_job)) = (&elsewhere, &contest_job) {
            for (units, back) in asked.try_iter() {
                send(&played_by(&elsewhere.0, contest_job, units)?, &back)?;
            }
            return Ok(());
        }
        let Some(progress) = &progress else { return Ok(()) };
        progress.0.call1((done.load(Ordering::Relaxed), contest.units())).map(drop)
    };
    let (threads, away) = (crate::work::threads(threads as usize)?, elsewhere.is_some());
    let report = interruptibly(py, &stop, &mut tick, |job| {
        let away = away.then_some(Desk { questions, job });
        Playing { threads, away, stop: &stop, done: &done }.report(&contest, sprt)
    })?;
    raised.again()?;
    match report {
        Ok(report) => output::json(py, &report).map(Object),
        Err(Ended::Refused(error)) => Err(refused(error)),
        Err(Ended::Foreign(error)) => {
            Err(PyRuntimeError::new_err(format!("what was played elsewhere: {error}")))
        }
        Err(Ended::Stopped) => Err(refused("the contest was stopped")),
    }
}
