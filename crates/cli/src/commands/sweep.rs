mod drive;
mod progress;
mod shown;

use std::path::PathBuf;

use cardsharp_bot::arena::command::path as typed;
use cardsharp_report::Context;
use cardsharp_trainer::sweep::{Sweep as Engine, SweepFolder, SweepPlan, SweepResults};
use serde_json::json;

use crate::args::{LogArg, VIEWER, program, thread_count, threads};
use crate::error::CliError;
use crate::output::Output;
use crate::signals::Signals;
use crate::{files, games};
use drive::{Drive, TrainingResources};

/// Run a hyperparameter sweep: train with many settings, several seeds each, and compare them.
///
/// A sweep file lists fields of a configuration and their values: all combinations (grid), random ones, or ones suggested
/// by earlier results. Each setting and seed is a run with its own folder (`runs/NAME/setting-01/seed-1`). A stopping rule
/// in the file ends bad settings early. After an interruption, the same command resumes the sweep and produces the same
/// results: a table, `results.json`, `results.csv` and `report.html`.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp sweep configs/sweeps/dalmuti.toml
  cardsharp sweep configs/sweeps/dalmuti.toml --at-once 4 --threads 1
  cardsharp sweep configs/sweeps/dalmuti.toml --plan
  tensorboard --logdir runs/dalmuti

Fields of a sweep file, and the stopping rules: ", docs!("sweeps.html")))]
pub(crate) struct Sweep {
    /// The sweep file (TOML)
    sweep: PathBuf,
    /// Folder for sweep folders
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// The sweep folder [default: RUNS/NAME]
    #[arg(long, value_name = "DIR", conflicts_with = "runs")]
    folder: Option<PathBuf>,
    /// Runs at the same time, 0 = one for each CPU core; does not change the results
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    at_once: usize,
    /// Threads of each run, 0 = share the CPU cores between the runs; does not change the results
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    /// Check the file and list the settings that are known in advance, without training
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    log: LogArg,
}

impl Sweep {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        self.log.open()?;
        let plan = SweepPlan::read(games::all(), &self.sweep)?;
        if self.plan {
            return shown::plan(out, &Engine::new(plan));
        }
        let path = self.folder.clone().unwrap_or_else(|| self.runs.join(&plan.name));
        let folder = SweepFolder::open(&path, &plan)?;
        let signals = Signals::catch()?;
        let (cores, runs) = (threads(0), plan.trials * plan.seeds.len());
        let at_once = threads(self.at_once).min(runs);
        let each = if self.threads == 0 { (cores / at_once).max(1) } else { self.threads };
        let drive = Drive::new(Engine::new(plan), &folder, TrainingResources { at_once, threads: each });
        let sweep = drive.run(&signals)?;
        let Some(sweep) = sweep else {
            // Ignore errors: the terminal may be closed, and the exit code reports the interruption.
            let _ = stopped(out, &self, &folder).and_then(|()| out.flush());
            return Err(signals.interrupted());
        };
        let results = match SweepResults::finish(&sweep, &folder, cores, signals.stop()) {
            Err(_) if signals.is_set() => {
                let _ = stopped(out, &self, &folder).and_then(|()| out.flush());
                return Err(signals.interrupted());
            }
            other => other?,
        };
        let page = path.join("report.html");
        let context = Context { games: games::all(), viewer: VIEWER };
        let source = cardsharp_report::read(context.games, &path)?;
        files::write(&page, cardsharp_report::page(&[source], None, context)?.as_bytes())?;
        if out.json {
            return out.json_page(&json!({
                "finished": true, "folder": path, "results": results, "page": page,
                "next": { "events": format!("tensorboard --logdir {}", typed(&path)) },
            }));
        }
        shown::results(out, &results, &path, &page)
    }
}

fn stopped(out: &mut Output, asked: &Sweep, folder: &SweepFolder) -> Result<(), CliError> {
    let path = folder.path();
    if out.json {
        return out.json_page(&json!({ "finished": false, "folder": path }));
    }
    out.line(format!("Stopped. All runs are saved in {}.", path.display()))?;
    let place = match &asked.folder {
        Some(folder) => format!(" --folder {}", typed(folder)),
        None if asked.runs.as_os_str() != "runs" => format!(" --runs {}", typed(&asked.runs)),
        None => String::new(),
    };
    out.command(format!("Resume with: {} sweep {}{place}", program(), typed(&asked.sweep)))
}
