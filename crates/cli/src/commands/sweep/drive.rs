//! Trains the runs of a sweep on threads of this process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cardsharp_trainer::config::Config;
use cardsharp_trainer::run_folder::{RunError, RunFolder};
use cardsharp_trainer::sweep::{RunIndex, Sweep, SweepError, SweepFolder, Verdict, recall};
use cardsharp_trainer::train::{TrainError, train};

use super::progress::SweepDisplay;
use crate::error::CliError;
use crate::games;
use crate::signals::Signals;

/// Time between two checks for signals.
const PAUSE: Duration = Duration::from_millis(50);

/// The resources for training.
#[derive(Copy, Clone)]
pub(super) struct TrainingResources {
    /// Number of concurrent runs.
    pub(super) at_once: usize,
    /// Threads of each run.
    pub(super) threads: usize,
}

/// A sweep, and the state of the threads that train its runs.
pub(super) struct Drive<'a> {
    folder: &'a SweepFolder,
    means: TrainingResources,
    progress: SweepDisplay,
    shared: Mutex<Shared>,
    /// Notified whenever another run may be due.
    news: Condvar,
}

/// Counts a thread as ended when dropped. If it panicked, the other threads stop and the panic propagates.
struct Leaving<'d, 'a>(&'d Drive<'a>);

impl Drop for Leaving<'_, '_> {
    fn drop(&mut self) {
        let mut shared = self.0.lock();
        shared.left += 1;
        if std::thread::panicking() {
            shared.stop();
        }
        self.0.news.notify_all();
    }
}

struct Shared {
    sweep: Sweep,
    /// The stop flag of each run in training.
    going: BTreeMap<RunIndex, Arc<AtomicBool>>,
    /// Whether no more runs may start.
    stopped: bool,
    error: Option<CliError>,
    /// Number of threads that have ended.
    left: usize,
}

impl Shared {
    fn stop(&mut self) {
        self.stopped = true;
        self.going.values().for_each(|stop| stop.store(true, Ordering::Relaxed));
    }

    fn fail(&mut self, error: CliError) {
        self.error.get_or_insert(error);
        self.stop();
    }
}

impl<'a> Drive<'a> {
    pub(super) fn new(sweep: Sweep, folder: &'a SweepFolder, means: TrainingResources) -> Self {
        let progress = SweepDisplay::new(&sweep, folder.path(), [means.at_once, means.threads]);
        let shared = Shared { sweep, going: BTreeMap::new(), stopped: false, error: None, left: 0 };
        Self { folder, means, progress, shared: Mutex::new(shared), news: Condvar::new() }
    }

    /// Trains until every setting has ended; returns `None` if a signal stopped it before.
    pub(super) fn run(self, signals: &Signals) -> Result<Option<Sweep>, CliError> {
        std::thread::scope(|scope| {
            for _ in 0..self.means.at_once {
                scope.spawn(|| {
                    let _leaving = Leaving(&self);
                    self.work();
                });
            }
            let mut asked = false;
            while self.lock().left < self.means.at_once {
                std::thread::sleep(PAUSE);
                if signals.is_set() && !asked {
                    asked = true;
                    self.progress.stopping();
                    self.lock().stop();
                    self.news.notify_all();
                }
            }
        });
        self.progress.finish();
        let shared = self.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.error {
            Some(error) => Err(error),
            None => Ok((shared.sweep.is_over() && !signals.is_set()).then_some(shared.sweep)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Trains runs one after another, as they become due.
    fn work(&self) {
        while let Some((run, stop)) = self.next() {
            let trained = self.train(run, &stop);
            let mut shared = self.lock();
            shared.going.remove(&run);
            shared.sweep.release(run);
            if let Err(error) = trained {
                shared.fail(error);
            }
            self.progress.report(&shared.sweep, shared.going.len());
            self.news.notify_all();
        }
    }

    /// Waits for the next run that is due; `None` if there will be none.
    fn next(&self) -> Option<(RunIndex, Arc<AtomicBool>)> {
        let mut shared = self.lock();
        loop {
            if shared.stopped || shared.sweep.is_over() {
                return None;
            }
            if let Some(run) = shared.sweep.ask() {
                let stop = Arc::<AtomicBool>::default();
                shared.going.insert(run, Arc::clone(&stop));
                self.progress.report(&shared.sweep, shared.going.len());
                return Some((run, stop));
            }
            shared = self.news.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Trains a run until it is held, ends or must stop.
    fn train(&self, run: RunIndex, stop: &AtomicBool) -> Result<(), CliError> {
        let path = self.folder.run(run);
        let (config, figure) = {
            let shared = self.lock();
            let config = Config { threads: self.means.threads, ..shared.sweep.config(run)? };
            (config, shared.sweep.plan().figure.clone())
        };
        let folder = match RunFolder::config_among(games::all(), &path) {
            Err(RunError::Absent { .. }) => RunFolder::create(&path, &config)?,
            other => {
                other?;
                RunFolder::resume(&path, &config)?
            }
        };
        let mut verdict = Verdict::GoOn;
        for (iteration, figure) in recall(&folder, &figure)? {
            verdict = self.tell(run, iteration, figure, verdict)?;
        }
        let done = folder.checkpoints().list().map_err(RunError::from)?.last() == Some(&config.iterations);
        let bundle = path.join("bundle");
        if done && verdict == Verdict::GoOn {
            return Err(SweepError::Unmeasured { path, figure, iteration: config.iterations }.into());
        }
        if (done && bundle.is_dir()) || (!done && verdict != Verdict::GoOn) {
            return Ok(());
        }
        let mut problem = None;
        let trained = train(
            &config,
            &folder,
            &mut |step| {
                self.progress.step(run, step);
                if !self.lock().sweep.is_measured(run, step.iteration) {
                    return;
                }
                let found = step.figures.iter().find(|(name, _)| *name == figure).map(|(_, figure)| *figure);
                let outcome = match found {
                    Some(found) => self.tell(run, step.iteration, found, Verdict::GoOn),
                    None => Err(SweepError::Unmeasured {
                        path: path.clone(),
                        figure: figure.clone(),
                        iteration: step.iteration,
                    }
                    .into()),
                };
                match outcome {
                    // At the last iteration, training ends without a stop and exports the bot.
                    Ok(Verdict::Hold | Verdict::Ended) if step.iteration < config.iterations => {
                        stop.store(true, Ordering::Relaxed);
                    }
                    Ok(_) => {}
                    Err(error) => {
                        problem = Some(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            },
            &mut |_| (),
            stop,
        );
        if let Some(error) = problem {
            return Err(error);
        }
        if let Ok(outcome) = &trained {
            self.progress.warn(run, &outcome.warnings);
        }
        match trained {
            Ok(outcome) if outcome.finished => {
                folder.check()?;
                Ok(outcome.export(games::all(), &config, &bundle)?)
            }
            Ok(_) => Ok(()),
            // Repeating the run would give the same error, because the setting causes it.
            Err(error @ (TrainError::Diverged(_) | TrainError::NothingToLearn)) => {
                self.lock().sweep.fail(run, error.to_string());
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reports a figure to the sweep if the run is measured at this iteration. Otherwise the verdict stays the same.
    fn tell(
        &self,
        run: RunIndex,
        iteration: u64,
        figure: f64,
        verdict: Verdict,
    ) -> Result<Verdict, CliError> {
        let mut shared = self.lock();
        if !shared.sweep.is_measured(run, iteration) {
            return Ok(verdict);
        }
        let verdict = shared.sweep.tell(run, iteration, figure)?;
        self.progress.report(&shared.sweep, shared.going.len());
        self.news.notify_all();
        Ok(verdict)
    }
}
