//! Sessions as datasets.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use cardsharp_bot::disk;
use cardsharp_bot::text::{self, TextError};
use cardsharp_dataset::{
    Amount, DatasetError, DatasetProgress, DatasetSettings, Folder, PlayedSession, SessionWriter, Written,
};
use cardsharp_env::table::{MoveError, Step};
use cardsharp_env::{AnyGame, AnyTable, GameRules, trace};
use pyo3::exceptions::{PyFileExistsError, PyOSError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::bots::{means, players};
use crate::games::GameArg;
use crate::input::{self, Anything, ObjectArg, SeedArg, refused};
use crate::output::{self, Object};
use crate::outside::Raised;
use crate::work::interruptibly;

/// An exception of the fitting type.
fn unwritten(error: DatasetError) -> PyErr {
    match error {
        DatasetError::Taken { .. } | DatasetError::Foreign { .. } => {
            PyFileExistsError::new_err(error.to_string())
        }
        DatasetError::Io { .. } => PyOSError::new_err(error.to_string()),
        error => refused(error),
    }
}

fn folder(to: &std::path::Path, overwrite: bool) -> PyResult<Folder> {
    if overwrite { Folder::emptied(to) } else { Folder::new(to) }.map_err(unwritten)
}

/// What stands in the folder, as a dict.
fn summary<'py>(py: Python<'py>, written: &Written) -> PyResult<Object<'py>> {
    output::json(py, &json!(written)).map(Object)
}

/// What `cardsharp_rl.datasets.write` calls.
#[pyfunction]
// Its one caller names them all.
#[expect(clippy::too_many_arguments)]
pub(crate) fn write_dataset<'py>(
    py: Python<'py>,
    game: GameArg,
    bots: Vec<(Option<String>, Anything<'py>)>,
    to: PathBuf,
    rules: Vec<ObjectArg>,
    decisions: Option<u64>,
    sessions: Option<u64>,
    seed: SeedArg,
    forced: bool,
    shard: u64,
    temperature: f64,
    simulations: Option<u32>,
    threads: u32,
    overwrite: bool,
    progress: Option<Anything<'py>>,
) -> PyResult<Object<'py>> {
    let (game, raised) = (game.0, Raised::default());
    let means = means(temperature, simulations, 1)?;
    let players = players(game, &bots, &means, &raised)?;
    let rules: Vec<GameRules> =
        rules.into_iter().map(|rules| input::rules(game, Some(rules))).collect::<PyResult<_>>()?;
    let amount = match (decisions, sessions) {
        (Some(decisions), None) => Amount::Decisions(decisions),
        (None, Some(sessions)) => Amount::Sessions(sessions),
        _ => return Err(refused("expected either `decisions` or `sessions`")),
    };
    let threads = crate::work::threads(threads as usize)?;
    let settings = DatasetSettings {
        amount,
        seed: seed.0,
        forced,
        shard,
        threads,
        ..DatasetSettings::new(rules, players)
    };
    let folder = folder(&to, overwrite)?;
    let (stop, so_far) = (AtomicBool::new(false), Mutex::new(DatasetProgress::default()));
    let mut tick = |_: Python<'_>| -> PyResult<()> {
        // The first error of a player of Python's is as good as a signal.
        raised.again()?;
        let Some(progress) = &progress else { return Ok(()) };
        let DatasetProgress { sessions, decisions, .. } =
            *so_far.lock().unwrap_or_else(PoisonError::into_inner);
        progress.0.call1((sessions, decisions)).map(drop)
    };
    let written = interruptibly(py, &stop, &mut tick, |_| {
        settings.write(folder, &mut |now| *so_far.lock().unwrap_or_else(PoisonError::into_inner) = now, &stop)
    })?;
    raised.again()?;
    summary(py, &written.map_err(unwritten)?)
}

/// The longest text that is read, in bytes, once it is unpacked.
const LONGEST: u64 = 1 << 30;

/// The text of a file that any program wrote: a byte order mark is skipped, gzip is unpacked.
///
/// Raises OSError for a file that cannot be read, ValueError for one that is not UTF-8 text.
#[pyfunction]
pub(crate) fn read_text(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let read = || File::open(&path).map_err(TextError::from).and_then(|file| text::read(file, LONGEST));
    py.detach(read).map_err(|error| {
        let name = path.display();
        match error {
            TextError::Read(error) => {
                let error = disk::unopened(&path, error);
                io::Error::new(error.kind(), format!("{name}: {error}")).into()
            }
            other => refused(format!("{name}: {other}")),
        }
    })
}

/// What `cardsharp_rl.datasets.write_traces` calls.
#[pyfunction]
pub(crate) fn write_traces<'py>(
    py: Python<'py>,
    traces: Vec<(String, String)>,
    to: PathBuf,
    forced: bool,
    shard: u64,
    overwrite: bool,
) -> PyResult<Object<'py>> {
    let stop = AtomicBool::new(false);
    let written = interruptibly(py, &stop, &mut |_| Ok(()), |_| -> PyResult<Written> {
        let mut dataset: Option<SessionWriter> = None;
        if overwrite {
            // While the dataset that they are to replace is there.
            let mut first = None;
            for (name, text) in &traces {
                if stop.load(Ordering::Relaxed) {
                    // What stopped it is raised in the place of this.
                    return Err(refused("stopped"));
                }
                let (found, _) = whole(name, text)?;
                let (expected, found) = (*first.get_or_insert(found.name()), found.name());
                if expected != found {
                    return Err(unwritten(DatasetError::Game { expected, found }));
                }
            }
        }
        for (name, text) in &traces {
            let refuse = |problem: String| refused(format!("{name}: {problem}"));
            let header: Value =
                serde_json::from_str(trace::lines(text).next().unwrap_or_default().1).unwrap_or_default();
            let (game, table) = whole(name, text)?;
            let all = match &mut dataset {
                Some(all) => all,
                none => none.insert(
                    SessionWriter::new(folder(&to, overwrite)?, game, shard, forced).map_err(unwritten)?,
                ),
            };
            let names: Vec<String> = serde_json::from_value(header["bots"].clone()).map_err(refused)?;
            let rules = game.rules(&table.rules()).map_err(refused)?;
            let mut played = all.begin(&rules, table.seed(), &names).map_err(unwritten)?;
            show(table, &mut played).map_err(|error| refuse(error.to_string()))?;
            all.add(played).map_err(unwritten)?;
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        let all = dataset.ok_or_else(|| refused("traces: there are none: expected one at least"))?;
        if stop.load(Ordering::Relaxed) {
            Err(unwritten(all.stopped()))
        } else {
            all.finish().map_err(unwritten)
        }
    })?;
    summary(py, &written?)
}

/// The game of a trace and its session, which is over.
fn whole(name: &str, text: &str) -> PyResult<(&'static dyn AnyGame, Box<dyn AnyTable>)> {
    let refuse = |problem: String| refused(format!("{name}: {problem}"));
    let table = trace::replay(text).map_err(|error| refuse(error.to_string()))?;
    let game = input::named(table.game())?;
    if !table.over() {
        return Err(refuse("the session is not over: expected the trace of a whole one".to_owned()));
    }
    Ok((game, table))
}

/// Plays the session of a table once more, and shows every decision.
fn show(mut over: Box<dyn AnyTable>, played: &mut PlayedSession) -> Result<(), MoveError> {
    let steps: Vec<Step> = (1..=over.steps()).filter_map(|number| over.step(number)).collect();
    while over.undo().is_some() {}
    for step in steps {
        match step {
            Step::Move(_, action) => {
                played.decides(over.as_ref(), action);
                over.try_play(action)?;
                if let Some(payoff) = over.payoff() {
                    played.paid(&payoff);
                }
            }
            Step::Deal => {
                over.deal_next();
            }
            // The rules of a trace have all changes in them.
            Step::Change(_) => {}
        }
    }
    Ok(())
}
