//! Training, and what comes of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use cardsharp_bot::bots::any_network;
use cardsharp_bot::bots::registry::{BotLocation, place};
use cardsharp_bot::bots::search::MOST_SIMULATIONS;
use cardsharp_bot::bundle::{self, Extras, FILES};
use cardsharp_bot::workers::{Stopped, until_stopped};
use cardsharp_env::Games;
use cardsharp_env::seed::MAX;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::exploit::{self, Question, Tried};
use cardsharp_trainer::rollout::{RemoteRollout, RolloutRequest, TakeBlock};
use cardsharp_trainer::run_folder::RunFolder;
use cardsharp_trainer::train::{Progress, RunOutcome, cost, train_with, worth_exporting};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBool;
use serde_json::{Map, Value, json};

use crate::bots::clock;
use crate::contest::{ContestJob, NamedBot, Terms, networks, played_by, unit};
use crate::failures::{uncosted, unrunnable, untrained};
use crate::games::GameArg;
use crate::input::{self, Anything, ObjectArg, SeedArg, refused};
use crate::output::{self, Object};
use crate::work::{Desk, PATIENCE, PendingQuestion, interruptibly, send, threads};
use crate::worker::{Block, Parcel};

/// What an iteration came to, as a callback gets it.
fn progress_value(step: &Progress<'_>) -> Value {
    let figures: Map<String, Value> =
        step.figures.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    json!({
        "iteration": step.iteration,
        "iterations": step.iterations,
        "decisions": step.decisions,
        "seconds": step.seconds,
        "figures": figures,
        "reports": step.reports,
        "checkpoint": step.checkpoint,
        "warnings": step.warnings,
    })
}

/// Whoever plays elsewhere.
struct Away<'a>(Desk<'a, RolloutRequest, Block>);

impl RemoteRollout for Away<'_> {
    fn play(
        &self,
        request: &RolloutRequest,
        take: &mut TakeBlock<'_>,
        stop: &AtomicBool,
    ) -> Result<(), Stopped> {
        self.0.ask(request.clone(), stop, |block| block.give(take))
    }
}

/// Calls what Python gave to play units; returns its iterator of blocks.
fn play<'py>(
    play: &Bound<'py, PyAny>,
    config: &str,
    request: &RolloutRequest,
) -> PyResult<Bound<'py, PyAny>> {
    let RolloutRequest { iteration, since, units, bots, nets } = request;
    let nets: Vec<Parcel> = nets.iter().map(|net| Parcel(Arc::clone(net))).collect();
    play.call1((config, iteration, since, units, bots, nets))
}

/// Trains to the end, or until Ctrl-C or the callback stops it: then a checkpoint is written, as the command does.
///
/// The learner waits for what the callback says, so that a run ends with the iteration that it was told of. `elsewhere`
/// plays units, where there is somebody.
fn run(
    py: Python<'_>,
    config: &Config,
    folder: &RunFolder,
    callback: Option<&Bound<'_, PyAny>>,
    elsewhere: Option<&Bound<'_, PyAny>>,
) -> PyResult<RunOutcome> {
    let stop = AtomicBool::new(false);
    let text = config.toml().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let (tell, heard) = mpsc::channel::<(Value, mpsc::Sender<()>)>();
    let (questions, asked) = mpsc::channel::<PendingQuestion<RolloutRequest, Block>>();
    let mut tick = |py: Python<'_>| -> PyResult<()> {
        if let Some(callback) = callback {
            // Dropping the sender says that the learner may go on.
            for (step, _waits) in heard.try_iter() {
                // `False` is an answer, anything else none.
                if callback.call1((output::json(py, &step)?,))?.is(PyBool::new(py, false)) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
        if let Some(elsewhere) = elsewhere {
            for (request, answer) in asked.try_iter() {
                send(&play(elsewhere, &text, &request)?, &answer)?;
            }
        }
        Ok(())
    };
    let (hears, away) = (callback.is_some(), elsewhere.is_some());
    let outcome = interruptibly(py, &stop, &mut tick, |job| {
        let crew = Away(Desk { questions, job });
        let mut hear = |step: &Progress<'_>| {
            let (waits, answered) = mpsc::channel();
            if !hears || tell.send((progress_value(step), waits)).is_err() {
                return;
            }
            job.ask();
            // Whoever raised an exception hears no more, and stops the run.
            while answered.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout)
                && !stop.load(Ordering::Relaxed)
            {}
        };
        let crew: Option<&dyn RemoteRollout> = if away { Some(&crew) } else { None };
        train_with(crew, config, folder, &mut hear, &mut |_| (), &stop)
    })?;
    outcome.map_err(untrained)
}

/// Writes the bundle of a run that is over, and says what came of it.
fn came(py: Python<'_>, config: &Config, folder: &RunFolder, outcome: &RunOutcome) -> PyResult<Value> {
    let run = folder.path();
    let bundle = outcome.finished.then(|| run.join("bundle"));
    if let Some(bundle) = &bundle {
        // A bundle must not make a folder anew that was moved.
        folder.check().map_err(unrunnable)?;
        py.detach(|| outcome.export(&Games::shipped(), config, bundle))
            .map_err(|error| PyOSError::new_err(error.to_string()))?;
    }
    Ok(json!({
        "finished": outcome.finished,
        "run": run,
        "bundle": bundle,
        "iterations": outcome.iteration,
        "decisions": outcome.decisions,
        "warnings": outcome.warnings,
        "reports": outcome.findings.reports,
        "tables": outcome.findings.tables.iter().map(|found| json!({ "table": found.table, "report": found.report })).collect::<Vec<_>>(),
    }))
}

/// The function behind `cardsharp_rl.train`. Returns the results of the run as a dict.
#[pyfunction]
#[pyo3(name = "train")]
// Its one caller names them all.
#[expect(clippy::too_many_arguments)]
pub(crate) fn train_run<'py>(
    py: Python<'py>,
    config: Option<PathBuf>,
    text: Option<ObjectArg>,
    overrides: Vec<String>,
    folder: Option<PathBuf>,
    runs: PathBuf,
    resume: Option<PathBuf>,
    threads: Option<usize>,
    callback: Option<Anything<'py>>,
    elsewhere: Option<Anything<'py>>,
) -> PyResult<Object<'py>> {
    let path = config.as_deref().unwrap_or(Path::new("config"));
    let threads = threads.map(|threads| format!("threads={threads}"));
    let overrides: Vec<String> = overrides.into_iter().chain(threads).collect();
    let create = |config: Config| {
        let folder = folder.unwrap_or_else(|| runs.join(config.run_name(path)));
        RunFolder::create(&folder, &config).map(|folder| (config, folder)).map_err(unrunnable)
    };
    let (config, folder) = match (&resume, &config, text) {
        (Some(run), ..) => RunFolder::resume_with(&Games::shipped(), run, &overrides).map_err(unrunnable)?,
        (None, Some(path), _) => create(Config::read(path, &overrides).map_err(refused)?)?,
        (None, None, Some(ObjectArg(given))) => {
            let text = toml::to_string(&given).map_err(|error| refused(format!("config: {error}")))?;
            create(Config::parse("config", &text, &overrides).map_err(refused)?)?
        }
        (None, None, None) => {
            return Err(refused("config: expected a path or a mapping, or a folder to resume"));
        }
    };
    let (callback, elsewhere) =
        (callback.as_ref().map(|given| &given.0), elsewhere.as_ref().map(|given| &given.0));
    let outcome = run(py, &config, &folder, callback, elsewhere)?;
    output::json(py, &came(py, &config, &folder, &outcome)?).map(Object)
}

/// The function behind `cardsharp_rl.exploit`. Returns the results of the first run as a dict, and the other attempts.
#[pyfunction]
#[pyo3(name = "exploit")]
// Its one caller names them all.
#[expect(clippy::too_many_arguments)]
pub(crate) fn exploit_run<'py>(
    py: Python<'py>,
    bot: &str,
    game: GameArg,
    rules: Option<ObjectArg>,
    rounds: Option<u32>,
    decisions: u64,
    scratch: bool,
    search: Option<u32>,
    seeds: u64,
    deals: usize,
    temperature: f32,
    seed: SeedArg,
    folder: PathBuf,
    threads: usize,
    callback: Option<Anything<'py>>,
    elsewhere: Option<Anything<'py>>,
    contests: Option<Anything<'py>>,
) -> PyResult<Object<'py>> {
    let within = |what: &str, given: u64, least: u64, most: u64| match (least..=most).contains(&given) {
        true => Ok(()),
        false => Err(refused(format!("{what}: {given} is out of range: expected {least} to {most}"))),
    };
    within("decisions", decisions, 1000, 100_000_000_000)?;
    within("search", search.unwrap_or(0).into(), 0, MOST_SIMULATIONS.into())?;
    within("seeds", seeds, 1, 100)?;
    within("seed", seed.0, 0, MAX + 1 - seeds)?;
    within("deals", deals as u64, 2, 1_000_000)?;
    if !(0.0..=10.0).contains(&temperature) {
        return Err(refused(format!("temperature: {temperature} is out of range: expected 0 to 10")));
    }
    let rules = input::session_rules(game.0, rules, rounds)?;
    let question = Question { rules, bot, temperature, scratch, deals, seed: seed.0, threads };
    let [callback, elsewhere, contests] =
        [&callback, &elsewhere, &contests].map(|given| given.as_ref().map(|given| &given.0));
    let mut first = None;
    let mut tried = Vec::new();
    for number in 0..seeds {
        let stop = AtomicBool::new(false);
        let question = Question { seed: seed.0 + number, ..question.clone() };
        let config = interruptibly(py, &stop, &mut |_| Ok(()), |_| {
            exploit::config_until(&question, decisions, &stop)
        })?;
        let config = config.map_err(refused)?;
        let folder = match seeds {
            1 => folder.clone(),
            _ => folder.join(question.seed.to_string()),
        };
        let folder = RunFolder::create(&folder, &config).map_err(unrunnable)?;
        let outcome = run(py, &config, &folder, callback, elsewhere)?;
        let mut came = came(py, &config, &folder, &outcome)?;
        came["curve"] = json!(exploit::curve(folder.path()).map_err(unrunnable)?);
        if let (true, Some(report)) = (outcome.finished, outcome.findings.reports.first()) {
            let bot = folder.path().join("bundle").display().to_string();
            tried.push(Tried { bot, report: report.clone() });
        }
        let (_, first) = first.get_or_insert((config, came));
        if !outcome.finished {
            // Nothing is compared of players that are not all there.
            first["finished"] = json!(false);
            return output::json(py, &first).map(Object);
        }
    }
    let Some((config, mut came)) = first else { return Err(refused("seeds: expected 1 to 100")) };
    let search = exploit::search(&config, search).map_err(refused)?;
    // Workers can open the search, but not a bundle, which is in a folder of this machine.
    let contests_of = |bot: &str| contests.filter(|_| search.as_deref() == Some(bot));
    if let Some(search) = &search {
        tried.push(measure(py, &config, search, 0, contests)?);
    }
    let best = exploit::best(&tried);
    let best = best.map(|best| measure(py, &config, &best.bot, 1, contests_of(&best.bot))).transpose()?;
    (came["tried"], came["best"]) = (json!(tried), json!(best));
    output::json(py, &came).map(Object)
}

/// Measures the gain of a response against the bot of a run, on the deals with this number. With `elsewhere` workers play
/// them.
fn measure(
    py: Python<'_>,
    config: &Config,
    bot: &str,
    number: u64,
    elsewhere: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tried> {
    let contest = exploit::contest(config, bot, number).map_err(refused)?;
    let tried = |report| Tried { bot: bot.to_owned(), report };
    if let Some(elsewhere) = elsewhere {
        let contest_job = job_of(config, bot, number)?;
        let played = played_by(elsewhere, &contest_job, 0..contest.units())?;
        let units = played.try_iter()?.map(|bytes| {
            let unit = unit(&bytes?.extract::<PyBackedBytes>()?);
            unit.map_err(|error| PyRuntimeError::new_err(format!("what was played elsewhere: {error}")))
        });
        let units = units.collect::<PyResult<Vec<_>>>()?;
        return Ok(tried(contest.report(&units)));
    }
    let (stop, threads) = (AtomicBool::new(false), threads(config.threads)?);
    let units = interruptibly(py, &stop, &mut |_| Ok(()), |_| {
        let now = clock();
        until_stopped(threads, contest.units() as usize, &stop, |unit| {
            contest.play_until(unit as u64, &mut || -> Duration { now() }, &stop)
        })
    })?;
    // Whoever stops it raises an exception, which is on its way.
    let units = units.map_err(|_| PyRuntimeError::new_err("stopped"))?;
    Ok(tried(contest.report(&units)))
}

/// The contest in which an answer is measured, for others.
fn job_of(config: &Config, bot: &str, number: u64) -> PyResult<ContestJob> {
    let league = &config.league;
    let named =
        |spec: &str, temperature: f64| NamedBot { name: spec.to_owned(), spec: spec.to_owned(), temperature };
    let bots = vec![named(bot, 0.0), named(&league.opponent, f64::from(league.temperature))];
    let deals = config.evaluate.final_deals as u64;
    let seed = exploit::measured_by(config, number);
    Ok(ContestJob {
        game: config.game.clone(),
        networks: networks(&bots)?,
        bots,
        rules: Value::Object(config.evaluate.rules.clone()),
        terms: Terms { deals, seed, round_robin: false, seats: None, habits: false },
        simulations: None,
    })
}

/// What `cardsharp_rl.export` calls: the names of the files.
#[pyfunction]
pub(crate) fn export(
    py: Python<'_>,
    source: PathBuf,
    to: PathBuf,
    seed: SeedArg,
    run: Option<PathBuf>,
    processor: Option<String>,
) -> PyResult<Vec<String>> {
    let failed = |error: bundle::ExportError| PyOSError::new_err(error.to_string());
    let place = match bot_at("source", &source)? {
        BotLocation::Shipped(bot) => BotLocation::Shipped(bot),
        BotLocation::Path(path) => {
            let from = worth_exporting(&Games::shipped(), &path).map_err(untrained)?;
            let empty = || refused(format!("{}: the run has no checkpoint yet", path.display()));
            BotLocation::Path(from.ok_or_else(empty)?)
        }
    };
    let from = place.path().unwrap_or(&source);
    if place.shipped().is_none() && !from.exists() {
        return Err(PyFileNotFoundError::new_err(format!("source: there is no {}", from.display())));
    }
    let (header, net) = any_network(text("source", from)?).map_err(crate::bots::unopened)?;
    let found = Extras::at(&place).map_err(failed)?;
    let cost = match run {
        Some(run) => Some(cost(&Games::shipped(), &run, &header, processor).map_err(uncosted)?),
        None => found.cost.clone(),
    };
    let extras = Extras { seed: seed.0, cost, ..found };
    let stop = AtomicBool::new(false);
    interruptibly(py, &stop, &mut |_| Ok(()), |_| {
        bundle::export_until(&Games::shipped(), &header, &net, &extras, &to, &stop)
    })?
    .map_err(failed)?;
    Ok(FILES.into_iter().chain(extras.files()).map(str::to_owned).collect())
}

/// Where the bot is that a source of `export` or `verify` names.
fn bot_at(parameter: &str, source: &Path) -> PyResult<BotLocation> {
    place(text(parameter, source)?).map_err(refused)
}

fn text<'path>(parameter: &str, path: &'path Path) -> PyResult<&'path str> {
    path.to_str().ok_or_else(|| refused(format!("{parameter}: {} is no text", path.display())))
}

/// What `cardsharp_rl.verify` calls: what was found as a dict.
#[pyfunction]
pub(crate) fn verify<'py>(py: Python<'py>, bundle: PathBuf) -> PyResult<Object<'py>> {
    let bundle = match bot_at("bundle", &bundle)? {
        BotLocation::Path(path) => path,
        BotLocation::Shipped(bot) => {
            let game = bot.game;
            return Err(refused(format!("bundle: '{game}' is part of the program: `export` it first")));
        }
    };
    if !bundle.is_dir() {
        return Err(PyFileNotFoundError::new_err(format!("bundle: there is no folder {}", bundle.display())));
    }
    let report = py.detach(|| bundle::verify(&Games::shipped(), &bundle)).map_err(refused)?;
    output::json(py, &report).map(Object)
}

/// The BLAKE3 sum of some bytes, in hexadecimal: the one that files of networks carry.
#[pyfunction]
pub(crate) fn blake3(data: &[u8]) -> String {
    ::blake3::hash(data).to_hex().to_string()
}
