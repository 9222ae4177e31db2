//! `cardsharp sweep SWEEP.toml`.

mod drive;
mod progress;
mod shown;

use std::path::PathBuf;

use cardsharp_bot::arena::command::path as typed;
use cardsharp_trainer::sweep::{Plan, Results, Sweep as Engine, SweepFolder};
use serde_json::json;

use crate::args::{LogArg, VIEWER, program, thread_count, threads};
use crate::error::CliError;
use crate::list;
use crate::output::Output;
use crate::report;
use crate::signals::Signals;
use crate::target;
use drive::{Drive, Means};

/// Train with many settings, several seeds each, and compare them.
///
/// A file says which fields of a configuration take which values: all combinations, some drawn, or some suggested by what came
/// of others. Every run is a run like any other, in a folder of its own (`runs/NAME/setting-01/seed-1`). Settings that are
/// hopeless by the rule of the file are stopped early. The same command again goes on where it was stopped, by Ctrl-C or
/// without a warning, and ends with the same results: a table, `results.json`, `results.csv` and the page `report.html`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp sweep configs/sweeps/dalmuti.toml
  cardsharp sweep configs/sweeps/dalmuti.toml --at-once 4 --threads 1
  cardsharp sweep configs/sweeps/dalmuti.toml --plan
  tensorboard --logdir runs/dalmuti

docs/sweeps.md explains every field of the file, and the rule.")]
pub(crate) struct Sweep {
    /// What to sweep, as TOML; `configs/sweeps/dalmuti.toml` explains every field
    sweep: PathBuf,
    /// Where folders of sweeps go
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// The sweep's folder itself [default: RUNS/NAME]
    #[arg(long, value_name = "DIR", conflicts_with = "runs")]
    folder: Option<PathBuf>,
    /// Runs at the same time; 0 is one for each core. Does not change the results
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    at_once: usize,
    /// Threads of each run; 0 shares the cores between those that run at the same time. Does not change the results
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    /// Check the file and list the settings that are known from the beginning; train nothing
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    log: LogArg,
}

impl Sweep {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        self.log.open()?;
        let plan = Plan::read(list::games(), &self.sweep)?;
        if self.plan {
            return shown::plan(out, &Engine::new(plan));
        }
        let path = self.folder.clone().unwrap_or_else(|| self.runs.join(&plan.name));
        let folder = SweepFolder::open(&path, &plan)?;
        let signals = Signals::catch()?;
        let (cores, runs) = (threads(0), plan.trials * plan.seeds.len());
        let at_once = threads(self.at_once).min(runs);
        let each = if self.threads == 0 { (cores / at_once).max(1) } else { self.threads };
        let drive = Drive::new(Engine::new(plan), &folder, Means { at_once, threads: each });
        let sweep = drive.run(&signals)?;
        let Some(sweep) = sweep else {
            // Whoever closed the terminal does not read this, and the exit code tells all the same.
            let _ = stopped(out, &self, &folder).and_then(|()| out.flush());
            return Err(signals.interrupted());
        };
        let results = match Results::finish(&sweep, &folder, cores, signals.stop()) {
            Err(_) if signals.is_set() => {
                let _ = stopped(out, &self, &folder).and_then(|()| out.flush());
                return Err(signals.interrupted());
            }
            other => other?,
        };
        let page = path.join("report.html");
        let source = report::read(&path)?;
        target::write(&page, report::page(&[source], None, VIEWER)?.as_bytes())?;
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
    out.line(format!("Saved all runs in {} and left.", path.display()))?;
    let place = match &asked.folder {
        Some(folder) => format!(" --folder {}", typed(folder)),
        None if asked.runs.as_os_str() != "runs" => format!(" --runs {}", typed(&asked.runs)),
        None => String::new(),
    };
    out.command(format!("Go on with: {} sweep {}{place}", program(), typed(&asked.sweep)))
}
