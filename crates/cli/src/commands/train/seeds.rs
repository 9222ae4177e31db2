//! `cardsharp train CONFIG --seeds 1..5`: trains runs one after another, and averages them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use cardsharp_bot::arena::command::path as typed;
use cardsharp_env::seed;
use cardsharp_report::{Opponent, SEED, Source, read};
use cardsharp_text::format::{counted, signed};
use cardsharp_trainer::config::Config;
use cardsharp_trainer::run_folder::{RunError, RunFolder};
use serde_json::{Value, json};

use super::run::train_to_end;
use crate::args::program;
use crate::error::CliError;
use crate::games;
use crate::output::Output;
use crate::signals::Signals;
use crate::tables::table;

/// Maximum number of seeds of one command.
const MOST: u64 = 1000;

/// Several seeds: `1..5`, both ends included, or `1,2,7`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seeds(Vec<u64>);

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected different seeds like 1..5 (five seeds) or 1,2,7, at most {MOST}");
        let number = |text: &str| {
            let seed = text.trim().parse().map_err(|_| wrong())?;
            seed::check(seed).map_err(|error| error.to_string())
        };
        let seeds: Vec<u64> = match text.split_once("..") {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                if last < first || last - first >= MOST {
                    return Err(wrong());
                }
                (first..=last).collect()
            }
            None => text.split(',').map(number).collect::<Result<_, _>>()?,
        };
        let once = seeds.iter().enumerate().all(|(at, seed)| !seeds[..at].contains(seed));
        if once && seeds.len() as u64 <= MOST { Ok(Self(seeds)) } else { Err(wrong()) }
    }
}

/// Trains the unfinished runs, each in its own folder within `folder`, and reports the results of all runs.
pub(super) fn run(
    out: &mut Output,
    path: &Path,
    overrides: &[String],
    seeds: &Seeds,
    folder: &Path,
) -> Result<(), CliError> {
    let signals = Signals::catch()?;
    let configured = |seed: &u64| -> Result<(PathBuf, Config), CliError> {
        let overrides: Vec<String> = overrides.iter().cloned().chain([format!("seed={seed}")]).collect();
        Ok((folder.join(format!("{SEED}{seed}")), Config::read_among(games::all(), path, &overrides)?))
    };
    // Read all configurations first, so that a mistake does not appear after hours.
    let runs = seeds.0.iter().map(configured).collect::<Result<Vec<_>, _>>()?;
    for (at, (run, config)) in runs.iter().enumerate() {
        let Some(opened) = opened(run, config)? else { continue };
        show_start(out, at, runs.len(), run)?;
        let trained = train_to_end(out, "train", config, &opened, &signals);
        if matches!(trained, Err(CliError::Interrupted { .. })) && !out.json {
            // Ignore errors: the terminal may be closed.
            let _ =
                out.line("Or run the same command again to resume this run and continue with the others.");
            let _ = out.flush();
        }
        trained?.export(games::all(), config, &run.join("bundle"))?;
    }
    show_results(out, folder, &runs)
}

/// Opens the folder of a run; `None` if the run is finished.
fn opened(run: &Path, config: &Config) -> Result<Option<RunFolder>, CliError> {
    match RunFolder::config_among(games::all(), run) {
        Err(RunError::Absent { .. }) => return Ok(Some(RunFolder::create(run, config)?)),
        other => other?,
    };
    let folder = RunFolder::resume(run, config)?;
    let done = folder.checkpoints().list().map_err(RunError::from)?.last() == Some(&config.iterations);
    Ok((!done || !run.join("bundle").is_dir()).then_some(folder))
}

fn show_start(out: &mut Output, at: usize, count: usize, run: &Path) -> Result<(), CliError> {
    if out.json {
        return Ok(());
    }
    out.line(out.bold(format!("Run {} of {count}: {}", at + 1, run.display())))?;
    out.flush()
}

/// Reports the results of the runs, and their mean.
fn show_results(out: &mut Output, folder: &Path, runs: &[(PathBuf, Config)]) -> Result<(), CliError> {
    let opponents = match read(games::all(), folder)? {
        Source::Seeds(seeds) => seeds.opponents(),
        Source::Run(_) | Source::Contests(_) | Source::Sweep(_) => Vec::new(),
    };
    let page = format!("{} report {} --to report.html", program(), typed(folder));
    if out.json {
        let against: Vec<Value> = opponents.iter().map(json_of).collect();
        let runs: Vec<&PathBuf> = runs.iter().map(|(run, _)| run).collect();
        return out.json_page(&json!({
            "finished": true, "folder": folder, "runs": runs, "against": against, "next": { "report": page },
        }));
    }
    out.line(out.bold(format!("{} in {}", counted(runs.len() as u64, "run"), folder.display())))?;
    let header: Vec<String> = opponents.iter().map(|opponent| format!("against {}", opponent.name)).collect();
    let header: Vec<&str> = ["seed"].into_iter().chain(header.iter().map(String::as_str)).collect();
    let row = |(_, config): &(PathBuf, Config)| {
        let score = |opponent: &Opponent| {
            opponent.last.iter().find(|(seed, _)| *seed == config.seed).map(|(_, score)| *score)
        };
        let cells = opponents
            .iter()
            .map(|opponent| score(opponent).map_or_else(String::new, |score| signed(score, 3)));
        [config.seed.to_string()].into_iter().chain(cells).collect()
    };
    let mean = |opponent: &Opponent| {
        let of = |of: cardsharp_bot::arena::Interval| {
            format!("{} ({} … {})", signed(of.mean, 3), signed(of.low, 3), signed(of.high, 3))
        };
        opponent.mean().map_or_else(String::new, of)
    };
    let last = ["mean".to_owned()].into_iter().chain(opponents.iter().map(mean)).collect();
    let right: Vec<usize> = (0..header.len()).collect();
    out.line(table(&header, &right, runs.iter().map(row).chain([last])))?;
    out.line("Place score: 1 = always first, 0 = average, −1 = always last. The mean over seeds has a 95 % confidence interval.")?;
    out.command(format!("Write a report of all seeds: {page}"))
}

fn json_of(opponent: &Opponent) -> Value {
    let scores: Vec<Value> =
        opponent.last.iter().map(|(seed, score)| json!({ "seed": seed, "place_score": score })).collect();
    json!({ "opponent": opponent.name, "scores": scores, "mean": opponent.mean() })
}

#[cfg(test)]
mod tests {
    use super::Seeds;

    #[test]
    fn seeds_are_a_range_or_a_list() {
        let read = |text: &str| text.parse::<Seeds>();
        assert_eq!(read("1..5"), Ok(Seeds(vec![1, 2, 3, 4, 5])));
        assert_eq!(read("3,1, 7"), Ok(Seeds(vec![3, 1, 7])));
        for wrong in ["", "9007199254740992", "5..1", "1,1", "-1..3", "1..", "1..100000", "many"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
