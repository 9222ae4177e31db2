mod progress;
mod run;
mod seeds;

use std::path::{Path, PathBuf};

use cardsharp_bot::Report;
use cardsharp_bot::arena::Interval;
use cardsharp_bot::arena::command::{self, path as typed};
use cardsharp_bot::bundle::vectors;
use cardsharp_bot::disk;
use cardsharp_env::AnyGame;
use cardsharp_text::format::counted;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::run_folder::RunFolder;
use cardsharp_trainer::train::RunOutcome;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde_json::{Value, json};

use crate::args::{LogArg, program, thread_count};
use crate::error::CliError;
use crate::games;
use crate::output::Output;
use crate::signals::Signals;
pub(crate) use run::{TrainingError, train_to_end};
use seeds::Seeds;

/// Train a bot by self-play, measure it and export it.
///
/// The run folder (`runs/NAME-SEED`) has the configuration, metrics, TensorBoard events, checkpoints and, at the end, the
/// exported bot. Press Ctrl-C to save and stop, twice to stop at once; closing the terminal saves, too. `cardsharp init`
/// writes a configuration to start from.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp train configs/quickstart.toml
  cardsharp train configs/dalmuti.toml --set ppo.clip=0.1 --set seed=7
  cardsharp train configs/quickstart.toml --seeds 1..5
  cardsharp train --resume runs/quickstart-1
  cardsharp train --resume runs/quickstart-1 --set iterations=500

More: ", docs!("training.html"), " and ", docs!("configuration.html")))]
pub(crate) struct Train {
    /// The configuration (TOML); `cardsharp describe config` lists every field
    #[arg(required_unless_present = "resume")]
    config: Option<PathBuf>,
    /// Change a field of the configuration; may be repeated. With --resume only schedules, like `ppo.learning_rate`, and
    /// fields that earlier iterations did not depend on, like `iterations`
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Resume the run in this folder
    #[arg(long, value_name = "RUNDIR", conflicts_with = "config")]
    resume: Option<PathBuf>,
    /// Folder for run folders
    #[arg(long, value_name = "DIR", default_value = "runs", conflicts_with = "resume")]
    runs: PathBuf,
    /// The run folder [default: RUNS/NAME-SEED]
    #[arg(long, value_name = "RUNDIR", conflicts_with_all = ["resume", "runs"])]
    run: Option<PathBuf>,
    /// Train once for each seed, like 1..5 or 1,2,7, in folders RUNS/NAME/seed-N; the same command again resumes unfinished
    /// runs
    #[arg(long, value_name = "SEEDS", conflicts_with = "resume")]
    seeds: Option<Seeds>,
    /// Threads, 0 = one for each CPU core; does not change the result
    #[arg(long, value_name = "N", value_parser = thread_count())]
    threads: Option<usize>,
    #[command(flatten)]
    log: LogArg,
}

impl Train {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        self.log.open()?;
        if let Some(seeds) = &self.seeds {
            let path = self.config.as_deref().unwrap_or(Path::new(""));
            if path == Path::new(disk::STANDARD) {
                let expected = "expected a file with --seeds".to_owned();
                return Err(CliError::Option { option: "CONFIG", given: "-".to_owned(), expected });
            }
            let folder = self.run.clone().unwrap_or_else(|| self.runs.join(disk::stem(path)));
            return seeds::run(out, path, &self.overrides(), seeds, &folder);
        }
        let (config, folder) = self.open()?;
        let run = folder.path().to_owned();
        let outcome = train_to_end(out, "train", &config, &folder, &Signals::catch()?)?;
        let bundle = run.join("bundle");
        outcome.export(games::all(), &config, &bundle)?;
        let found = outcome.findings.reports.first().filter(|_| config.is_repeatable());
        let next = next(&config.game, &bundle, &run, found)?;
        if out.json {
            let next: serde_json::Map<String, Value> =
                next.into_iter().map(|(what, _, command)| (what.to_owned(), json!(command))).collect();
            return out.json_page(&json!({
                "finished": true, "run": run, "bundle": bundle, "iterations": outcome.iteration,
                "decisions": outcome.decisions, "reports": outcome.findings.reports,
                "tables": outcome.findings.tables, "next": next,
            }));
        }
        out.line(out.bold(format!(
            "Trained: {}, {}.\n\
             Place score: 1 = always first, 0 = average, −1 = always last; with 95 % confidence intervals.",
            counted(outcome.iteration, "iteration"),
            counted(outcome.decisions, "decision")
        )))?;
        let findings = &outcome.findings;
        let reports = findings.reports.iter().chain(findings.tables.iter().map(|measured| &measured.report));
        reports.flat_map(Report::faults_summaries).try_for_each(|text| out.line(text))?;
        let summary = summary(&outcome, &next);
        let lines: Vec<&str> = summary.lines().collect();
        let (found, next) = lines.split_at(lines.len().saturating_sub(next.len()));
        out.line(found.join("\n"))?;
        out.command(next.join("\n"))
    }

    /// Returns the fields of the configuration that options set.
    fn overrides(&self) -> Vec<String> {
        let threads = self.threads.map(|threads| format!("threads={threads}"));
        self.set.iter().cloned().chain(threads).collect()
    }

    fn open(self) -> Result<(Config, RunFolder), CliError> {
        let games = games::all();
        let overrides = self.overrides();
        if let Some(run) = self.resume {
            return Ok(RunFolder::resume_with(games, &run, &overrides)?);
        }
        let path = self.config.as_deref().unwrap_or(Path::new(""));
        let config = Config::read_among(games, path, &overrides)?;
        let run = self.run.unwrap_or_else(|| self.runs.join(config.run_name(path)));
        let folder = RunFolder::create(&run, &config)?;
        Ok((config, folder))
    }
}

/// Returns the next steps with a trained bot: a name, a description and the command.
fn next(
    game: &str,
    bundle: &Path,
    run: &Path,
    found: Option<&Report>,
) -> Result<Vec<(&'static str, &'static str, String)>, CliError> {
    let (program, bundle_name) = (program(), typed(bundle));
    let mut next =
        vec![("play", "play against it", format!("{program} play {game} --against {bundle_name}"))];
    if let Some(report) = found {
        let arena = command::measuring(games::all(), report, &bundle.display().to_string())?;
        next.push(("arena", "measure it again", format!("{program} {arena}")));
    }
    let vectors = typed(&bundle.join(vectors::FILE));
    let ask = format!("gzip -dc {vectors} | head -n 1 | {program} advise {bundle_name}");
    next.push(("advise", "ask it for a move", ask));
    next.push(("verify", "verify its files", format!("{program} verify {bundle_name}")));
    next.push(("events", "view the learning curves", format!("tensorboard --logdir {}", typed(run))));
    Ok(next)
}

/// Returns the name of a table as a prefix for its results.
fn named(table: Option<&str>) -> String {
    table.map(|name| format!("{name}: ")).unwrap_or_default()
}

/// Describes the strength of the bot and the next steps.
fn summary(outcome: &RunOutcome, next: &[(&str, &str, String)]) -> String {
    let findings = &outcome.findings;
    let tables = findings.tables.iter().map(|measured| (Some(measured.table.as_str()), &measured.report));
    let reports = findings.reports.iter().map(|report| (None, report)).chain(tables);
    let strength = reports.filter_map(|(table, report)| {
        let (own, other) = (report.bots.first()?, report.bots.get(1)?);
        let (score, first) = (own.place_score, own.first_rate);
        let held = report.seats.iter().filter(|&&bot| bot == 0).count().max(1);
        // With contracts or chips, points say more than places.
        let game = games::game(&report.game);
        let counts = !own.contracts.is_empty() || game.is_some_and(AnyGame::is_reference);
        let (unit, digits) =
            game.map_or(("points", 1), |game| (game.unit(), if game.is_reference() { 3 } else { 1 }));
        let ahead = own.points_ahead.filter(|_| counts).map(|Interval { mean, low, high }| {
            format!(", {unit} ahead per round {mean:+.digits$} ({low:+.digits$} … {high:+.digits$})")
        });
        Some(vec![
            format!("{}against {} × {}", named(table), report.players - held, other.name),
            format!(
                "place score {:+.3} ({:+.3} … {:+.3}), first {:.1} % ({:.1} … {:.1}){}; {} of {}",
                score.mean,
                score.low,
                score.high,
                100.0 * first.mean,
                100.0 * first.low,
                100.0 * first.high,
                ahead.unwrap_or_default(),
                counted(report.deals, "deal"),
                counted(report.rounds, "round")
            ),
        ])
    });
    let next = next.iter().map(|(_, what, command)| vec![(*what).to_owned(), command.clone()]);
    plain(strength.chain(next))
}

/// Formats a table without lines, whose last column can be copied from a terminal. Trailing spaces are removed, because
/// they would wrap into empty lines on a narrow terminal.
fn plain(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.add_rows(rows);
    table.trim_fmt()
}
