//! Sweeps whose runs are trained in other processes.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cardsharp_env::Games;
use cardsharp_trainer::run_folder::{RunError, RunFolder};
use cardsharp_trainer::sweep::{self, RunIndex, SweepFolder, SweepPlan, SweepResults, Verdict};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::json;

use crate::failures::unrunnable;
use crate::input::refused;
use crate::output::{self, Object};
use crate::work::{interruptibly, threads};

fn failed(error: impl ToString) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// A sweep: asked which run is due, and told what runs measured. It holds the lock of its folder.
#[pyclass(module = "cardsharp_rl._core", frozen)]
pub(crate) struct Sweep {
    /// None once it was closed.
    open: Mutex<Option<(sweep::Sweep, SweepFolder)>>,
    path: PathBuf,
}

impl Sweep {
    fn with<T>(&self, does: impl FnOnce(&mut sweep::Sweep, &SweepFolder) -> T) -> PyResult<T> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (sweep, folder) = open.as_mut().ok_or_else(|| refused("the sweep was closed"))?;
        Ok(does(sweep, folder))
    }

    fn run(&self, setting: usize, seed: usize) -> PyResult<RunIndex> {
        let (settings, seeds) = self.with(|sweep, _| (sweep.known(), sweep.plan().seeds.len()))?;
        if setting >= settings || seed >= seeds {
            return Err(refused(format!("run: there is no run {seed} of setting {setting}")));
        }
        Ok(RunIndex { setting, seed })
    }
}

#[pymethods]
impl Sweep {
    /// The sweep of a file, in its folder: a new one, or one that goes on.
    #[new]
    fn new(file: PathBuf, folder: Option<PathBuf>, runs: PathBuf) -> PyResult<Self> {
        let plan = SweepPlan::read(&Games::shipped(), &file).map_err(refused)?;
        let path = folder.unwrap_or_else(|| runs.join(&plan.name));
        let folder = SweepFolder::open(&path, &plan).map_err(refused)?;
        Ok(Self { open: Mutex::new(Some((sweep::Sweep::new(plan), folder))), path })
    }

    /// Its folder.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Whether every setting has ended.
    #[getter]
    fn over(&self) -> PyResult<bool> {
        self.with(|sweep, _| sweep.is_over())
    }

    /// How many settings have ended, how many there will be, and seeds of each.
    #[getter]
    fn counts(&self) -> PyResult<(usize, usize, usize)> {
        self.with(|sweep, _| {
            let ended = (0..sweep.known()).filter(|&setting| sweep.end(setting).is_some()).count();
            (ended, sweep.plan().trials, sweep.plan().seeds.len())
        })
    }

    /// A run that may go on and that nobody trains, which is then somebody's until `release`; None if there is none now.
    fn ask<'py>(&self, py: Python<'py>) -> PyResult<Option<Object<'py>>> {
        let asked = self.with(|sweep, folder| -> PyResult<_> {
            let Some(run) = sweep.ask() else { return Ok(None) };
            let config = sweep.config(run).map_err(failed)?;
            let measured: Vec<u64> =
                (1..=config.iterations).filter(|&iteration| sweep.is_measured(run, iteration)).collect();
            Ok(Some(json!({
                "setting": run.setting,
                "seed": run.seed,
                "config": config.toml().map_err(failed)?,
                "path": folder.run(run),
                "figure": sweep.plan().figure,
                "measured": measured,
            })))
        })??;
        asked.map(|run| output::json(py, &run).map(Object)).transpose()
    }

    /// What a run measured at an iteration: "go on", "hold" or "ended". What was told before may be told again.
    fn tell(&self, setting: usize, seed: usize, iteration: u64, figure: f64) -> PyResult<&'static str> {
        let run = self.run(setting, seed)?;
        // The record of a run has what it measured besides.
        let verdict = self.with(|sweep, _| match sweep.is_measured(run, iteration) {
            true => sweep.tell(run, iteration, figure),
            false => Ok(sweep.verdict(run)),
        })?;
        Ok(match verdict.map_err(failed)? {
            Verdict::GoOn => "go on",
            Verdict::Hold => "hold",
            Verdict::Ended => "ended",
        })
    }

    /// A run cannot go on, and never will.
    fn fail(&self, setting: usize, seed: usize, reason: String) -> PyResult<()> {
        let run = self.run(setting, seed)?;
        self.with(|sweep, _| sweep.fail(run, reason))
    }

    /// Nobody trains the run any more.
    fn release(&self, setting: usize, seed: usize) -> PyResult<()> {
        let run = self.run(setting, seed)?;
        self.with(|sweep, _| sweep.release(run))
    }

    /// Lets go of the folder.
    fn close(&self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Measures the best setting once more, writes what came of the sweep into its folder, and gives it.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        if !self.over()? {
            return Err(failed("the sweep is not over"));
        }
        let (stop, threads) = (AtomicBool::new(false), threads(0)?);
        let found = interruptibly(py, &stop, &mut |_| Ok(()), |_| {
            self.with(|sweep, folder| SweepResults::finish(sweep, folder, threads, &stop))
        })?;
        output::json(py, &found?.map_err(failed)?).map(Object)
    }
}

/// How long a worker that was lost is waited for: it holds its run's folder until its machine has cleared it away.
const PATIENCE: Duration = Duration::from_secs(30);

/// The figures that the run in a folder has measured, by iteration, up to its newest checkpoint; none of a folder that is
/// no run yet. Whoever trains there is waited for, half a minute at most.
#[pyfunction]
pub(crate) fn recall(py: Python<'_>, path: PathBuf, figure: &str) -> PyResult<Vec<(u64, f64)>> {
    let config = match RunFolder::config(Path::new(&path)) {
        Err(RunError::Absent { .. }) => return Ok(Vec::new()),
        other => other.map_err(unrunnable)?,
    };
    let folder = py.detach(|| RunFolder::resume_within(&path, &config, PATIENCE)).map_err(unrunnable)?;
    sweep::recall(&folder, figure).map_err(failed)
}
