//! Text about a sweep: its settings, its state and its results.

use std::path::Path;

use cardsharp_bot::arena::Interval;
use cardsharp_bot::arena::command::path as typed;
use cardsharp_document::plain;
use cardsharp_text::format::{counted, signed};
use cardsharp_trainer::sweep::{Better, Method, Rule, SettingRow, Sweep, SweepResults};
use comfy_table::Table;
use serde_json::{Value, json};

use crate::args::program;
use crate::error::CliError;
use crate::output::Output;
use crate::tables::table;

/// Maximum number of settings shown on a terminal. The files have all settings.
const MOST: usize = 20;

/// Shows the settings that are known in advance.
pub(super) fn plan(out: &mut Output, sweep: &Sweep) -> Result<(), CliError> {
    let plan = sweep.plan();
    let settings: Vec<&[Value]> = (0..sweep.known()).map(|setting| sweep.values(setting)).collect();
    let fields: Vec<&str> = plan.fields.iter().map(|field| field.field.as_str()).collect();
    if out.json {
        return out.json_page(&json!({
            "method": plan.method, "trials": plan.trials, "seeds": plan.seeds, "figure": plan.figure,
            "better": plan.better, "stop": plan.stop, "fields": fields, "settings": settings,
        }));
    }
    let runs = (plan.trials * plan.seeds.len()) as u64;
    let (settings_text, seeds) =
        (counted(plan.trials as u64, "setting"), counted(plan.seeds.len() as u64, "seed"));
    out.line(out.bold(format!("{settings_text}, {seeds}: {}", counted(runs, "run"))))?;
    out.line(format!("Compared by {}, {} is better.", plan.figure, word(plan.better)))?;
    if plan.stop.rule == Rule::Median {
        out.line(format!(
            "A setting stops if it is worse than the median of the earlier ones, once there are {}, from iteration {} on.",
            plan.stop.after, plan.stop.from
        ))?;
    }
    let heads: Vec<&str> = ["setting"].into_iter().chain(fields).collect();
    let row = |(number, setting): (usize, &&[Value])| {
        [(number + 1).to_string()].into_iter().chain(setting.iter().map(plain)).collect()
    };
    let right: Vec<usize> = (0..heads.len()).collect();
    out.line(table(&heads, &right, settings.iter().enumerate().map(row)))?;
    if plan.method == Method::Suggested && settings.len() < plan.trials {
        out.line(format!("The other settings are suggested during the sweep, {} at a time.", plan.batch))?;
    }
    Ok(())
}

fn word(better: Better) -> &'static str {
    match better {
        Better::Higher => "higher",
        Better::Lower => "lower",
    }
}

/// Shows the results of a sweep.
pub(super) fn results(
    out: &mut Output,
    results: &SweepResults,
    folder: &Path,
    page: &Path,
) -> Result<(), CliError> {
    let runs = results.settings.len() * results.seeds.len();
    out.line(out.bold(format!(
        "{} with {} in {}: {}",
        counted(results.settings.len() as u64, "setting"),
        counted(results.seeds.len() as u64, "seed"),
        folder.display(),
        counted(runs as u64, "run")
    )))?;
    out.line(settings(results))?;
    if results.settings.len() > MOST {
        out.line(format!("These are the best {MOST} settings; results.csv has all."))?;
    }
    for row in results.settings.iter().filter(|row| ["failed", "refused"].contains(&row.end.as_str())) {
        let reason = row.reason.as_deref().unwrap_or("unknown reason");
        out.line(format!("Setting {} {}: {reason}.", row.setting, row.end))?;
    }
    out.line(format!(
        "Mean of {} over seeds with its 95 % confidence interval; {} is better.",
        results.figure,
        word(results.better)
    ))?;
    if results.best().is_some() && results.settings.len() > 1 {
        out.line("The best of many settings is overestimated (selection bias).")?;
    }
    if let (Some(again), Some(best)) = (&results.again, results.best())
        && let Some(mean) = again.mean
    {
        out.line(format!(
            "Setting {} on {} more, held out: {}.",
            best.setting,
            counted(again.deals as u64, "deal"),
            with_interval(mean, again.interval)
        ))?;
    }
    let (shown, name) = (typed(folder), program());
    let next = [
        ("open the report", page.display().to_string()),
        ("write the report again", format!("{name} report {shown} --to report.html")),
        ("compare runs by settings", format!("tensorboard --logdir {shown}")),
    ];
    next.into_iter().try_for_each(|(what, how)| out.command(format!("{what:25} {how}")))
}

/// Returns a table of the best settings.
fn settings(results: &SweepResults) -> Table {
    let fields = results.fields.iter().map(|field| field.as_str());
    let heads: Vec<&str> = ["setting"].into_iter().chain(fields).chain(["mean", "ended"]).collect();
    let row = |row: &SettingRow| {
        let values = row.values.iter().map(plain);
        let mean = row.mean.map_or_else(|| "-".to_owned(), |mean| with_interval(mean, row.interval));
        [row.setting.to_string()].into_iter().chain(values).chain([mean, ended(row)]).collect()
    };
    let right: Vec<usize> = (0..heads.len() - 1).collect();
    table(&heads, &right, results.settings.iter().take(MOST).map(row))
}

/// Returns how a setting ended, and at which iteration.
fn ended(row: &SettingRow) -> String {
    match (row.end.as_str(), row.iteration) {
        ("finished", _) => "finished".to_owned(),
        ("stopped", Some(iteration)) => format!("stopped at {iteration}"),
        (end, _) => end.to_owned(),
    }
}

fn with_interval(mean: f64, interval: Option<Interval>) -> String {
    let ends = interval.map(|of| format!(" ({} … {})", signed(of.low, 3), signed(of.high, 3)));
    signed(mean, 3) + &ends.unwrap_or_default()
}
