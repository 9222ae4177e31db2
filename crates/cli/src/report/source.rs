//! Sources of a page: files that other commands wrote. Reading checks them.

use std::path::{Path, PathBuf};

use cardsharp_bot::Report;
use cardsharp_bot::arena::command;
use cardsharp_bot::arena::report::BotReport;
use cardsharp_bot::bots::FILE;
use cardsharp_bot::bundle::card::Contest as Listed;
use cardsharp_bot::bundle::manifest;
use cardsharp_bot::run_record::RecordSeal;
use cardsharp_bot::seal;

use super::asked::Asked;
use super::error::{CONTESTS, METRICS, ReportError};
use super::record::Record;
use super::swept::{self, Swept};
use super::timed::{self, Timed};
use crate::input::{self, LARGE, SMALL, read_text};
use crate::shown::quoted;

/// A source of a page.
pub(crate) enum Source {
    /// Contests of the arena, or the list in a bundle.
    Contests(Contests),
    Run(Box<Run>),
    /// Training runs that differ only in their seeds.
    Seeds(Seeds),
    Sweep(Box<Swept>),
}

impl Source {
    /// Returns the number of contests.
    pub(crate) fn contests(&self) -> usize {
        let listed = match self {
            Self::Contests(contests) => Some(contests),
            Self::Run(run) => run.contests.as_ref(),
            Self::Seeds(_) | Self::Sweep(_) => None,
        };
        listed.map_or(0, |listed| listed.contests.len())
    }

    /// Returns the run, if it is one.
    pub(crate) fn run(&self) -> Option<&Run> {
        match self {
            Self::Contests(_) | Self::Seeds(_) | Self::Sweep(_) => None,
            Self::Run(run) => Some(run),
        }
    }

    /// Returns the number of runs.
    pub(crate) fn runs(&self) -> usize {
        match self {
            Self::Contests(_) => 0,
            Self::Run(_) => 1,
            Self::Seeds(seeds) => seeds.runs.len(),
            Self::Sweep(swept) => swept.runs,
        }
    }

    /// Returns the name of the game.
    pub(super) fn game(&self) -> &str {
        match self {
            // There is at least one.
            Self::Contests(contests) => contests.contests.first().map_or("", |contest| &contest.report.game),
            Self::Run(run) => &run.asked.game,
            // There is at least one.
            Self::Seeds(seeds) => seeds.runs.first().map_or("", |run| &run.asked.game),
            Self::Sweep(swept) => &swept.found.game,
        }
    }
}

/// The contests of one file.
pub(crate) struct Contests {
    /// The name of the file, as typed.
    pub(super) name: String,
    /// At least one contest.
    pub(super) contests: Vec<Contest>,
}

/// A contest and its origin.
pub(crate) struct Contest {
    /// The name of the table in the configuration, if it has one.
    pub(super) table: Option<String>,
    /// The command that repeats the contest, or why this program does not know it.
    pub(super) command: Result<String, String>,
    pub(super) report: Report,
}

pub(crate) struct Run {
    /// The name of the folder, as typed.
    pub(super) name: String,
    pub(super) asked: Asked,
    /// The text of the configuration file.
    pub(super) config_text: String,
    /// The metrics of each iteration.
    pub(super) record: Record,
    /// The final contests of the bot.
    pub(super) contests: Option<Contests>,
    /// The times of iterations, if they are known.
    pub(super) timing: Vec<Timed>,
}

/// Runs that differ only in their seeds.
pub(crate) struct Seeds {
    /// The name of the folder that contains theirs, as typed.
    pub(super) name: String,
    /// At least one run, by ascending seed.
    pub(super) runs: Vec<Run>,
}

/// Prefix of the folder names of runs with several seeds. The seed follows.
pub(crate) const SEED: &str = "seed-";

/// Reads a file or a folder.
pub(crate) fn read(path: &Path) -> Result<Source, ReportError> {
    if !path.is_dir() {
        return Ok(Source::Contests(contests(path)?));
    }
    if let Some(swept) = swept::read(path)? {
        return Ok(Source::Sweep(Box::new(swept)));
    }
    let [metrics, config, listed] = [METRICS, "config.toml", CONTESTS].map(|name| path.join(name));
    if !metrics.is_file() && listed.is_file() {
        return Ok(Source::Contests(contests(&listed)?));
    }
    if !config.is_file() {
        let runs = of_seeds(path)?;
        if !runs.is_empty() {
            return Ok(Source::Seeds(Seeds { name: path.display().to_string(), runs }));
        }
    }
    for (file, missing) in [(&metrics, METRICS), (&config, "config.toml")] {
        if !file.is_file() {
            return Err(ReportError::NoRun { path: path.to_owned(), missing });
        }
    }
    let record = record(path, &metrics)?;
    Ok(Source::Run(Box::new(run(path, record)?)))
}

/// Reads the metrics of the run in a folder. The part before the newest checkpoint must be unmodified.
fn record(run: &Path, metrics: &Path) -> Result<Record, ReportError> {
    // Read the seal first, because a running trainer extends the metrics.
    let seal = RecordSeal::newest(run)?;
    let text = read_text(metrics, LARGE)?;
    seal.map_or(Ok(()), |seal| seal.check(metrics, &text))?;
    Record::parse(&metrics.display().to_string(), &text)
}

/// Reads a run's configuration, which must be unmodified.
pub(crate) fn config(path: &Path) -> Result<String, ReportError> {
    let text = read_text(path, SMALL)?;
    match seal::broken(&text) {
        Some(problem) => Err(ReportError::Changed { path: path.display().to_string(), problem }),
        None => Ok(text),
    }
}

/// Reads the runs in folders named after their seeds, if they have metrics.
pub(super) fn of_seeds(path: &Path) -> Result<Vec<Run>, ReportError> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let seed = |name: String| name.strip_prefix(SEED)?.parse::<u64>().ok();
    let mut seeds: Vec<u64> =
        entries.filter_map(|entry| seed(entry.file_name().into_string().ok()?)).collect();
    seeds.sort_unstable();
    let folders = seeds.into_iter().map(|seed| path.join(format!("{SEED}{seed}")));
    let begun = folders.filter(|folder| folder.join(METRICS).is_file());
    let run = |folder: PathBuf| match read(&folder)? {
        Source::Run(run) => Ok(Some(*run)),
        Source::Contests(_) | Source::Seeds(_) | Source::Sweep(_) => Ok(None),
    };
    begun.map(run).filter_map(Result::transpose).collect()
}

/// Reads the run in a folder, with these metrics.
fn run(path: &Path, record: Record) -> Result<Run, ReportError> {
    let [file, measured] = [path.join("config.toml"), path.join("bundle").join(CONTESTS)];
    let config_text = config(&file)?;
    Ok(Run {
        name: path.display().to_string(),
        asked: Asked::parse(&file.display().to_string(), &config_text)?,
        config_text,
        record,
        contests: if measured.is_file() { Some(contests(&measured)?) } else { None },
        // Nothing depends on this file, and a copied run may lack it.
        timing: read_text(&path.join("timing.csv"), LARGE)
            .ok()
            .and_then(|text| timed::rows(&text))
            .unwrap_or_default(),
    })
}

/// Reads the run in a folder while the trainer may be writing to it. Missing metrics count as empty.
#[cfg(feature = "serve")]
pub(super) fn going(path: &Path) -> Result<Run, ReportError> {
    let metrics = path.join(METRICS);
    // The header is written first, and in one piece.
    let begun = metrics.is_file() && read_text(&metrics, LARGE)?.contains('\n');
    // After the first checkpoint, a missing file or header is damage.
    let unbegun = || match RecordSeal::newest(path)? {
        Some(seal) => seal.check(&metrics, "").map(|()| Record::default()),
        None => Ok(Record::default()),
    };
    run(path, if begun { record(path, &metrics)? } else { unbegun()? })
}

/// Reads a run from the texts of its configuration and its metrics.
pub(crate) fn run_of(config: &str, record: &str) -> Result<Source, ReportError> {
    Ok(Source::Run(Box::new(Run {
        name: "run".to_owned(),
        asked: Asked::parse("config.toml", config)?,
        config_text: config.to_owned(),
        record: Record::parse(METRICS, record)?,
        contests: None,
        timing: Vec::new(),
    })))
}

/// Reads contests from the text of a file.
pub(crate) fn contests_of(text: &str) -> Result<Source, ReportError> {
    parse(CONTESTS, text).map(Source::Contests)
}

/// Reads the contests of a file, or of standard input for `-`. Commands in a bundle refer to it as the current folder;
/// the path of the bundle replaces that.
fn contests(path: &Path) -> Result<Contests, ReportError> {
    let (name, text) = (input::name(path), read_text(path, LARGE)?);
    manifest::check(path, text.as_bytes())
        .map_err(|problem| ReportError::Bundle { path: name.clone(), problem })?;
    let mut read = parse(&name, &text)?;
    let bundle = path.parent().filter(|folder| !folder.as_os_str().is_empty() && folder.join(FILE).is_file());
    let folder = bundle.map(|folder| folder.display().to_string());
    for contest in &mut read.contests {
        if let (Ok(command), Some(folder)) = (&contest.command, &folder)
            && command.contains(IN_ITS_FOLDER)
        {
            let found = command::measuring(crate::list::games(), &contest.report, folder);
            contest.command =
                found.map(|words| format!("cardsharp {words}")).map_err(|error| error.to_string());
        }
    }
    Ok(read)
}

/// The option of a command that must be typed in the folder of the first bot.
const IN_ITS_FOLDER: &str = " --bots .,";

/// Parses the contests in a text; messages call it `name`.
pub(super) fn parse(name: &str, text: &str) -> Result<Contests, ReportError> {
    let refuse = |problem: String| ReportError::NoContest { path: name.to_owned(), problem };
    // Choose one format first, so that errors name the place.
    let contests = if text.trim_start().starts_with('[') {
        let listed: Vec<Listed> = serde_json::from_str(text).map_err(|e| refuse(e.to_string()))?;
        let contest = |Listed { table, command, report }| Contest { table, command: Ok(command), report };
        listed.into_iter().map(contest).collect()
    } else {
        let report: Report = serde_json::from_str(text).map_err(|e| refuse(e.to_string()))?;
        let command = command::again(crate::list::games(), &report).map_err(|error| error.to_string());
        vec![Contest { table: None, command, report }]
    };
    if contests.is_empty() {
        return Err(refuse("the list of contests is empty".to_owned()));
    }
    for contest in &contests {
        check(&contest.report).map_err(refuse)?;
    }
    Ok(Contests { name: name.to_owned(), contests })
}

/// Refuses an inconsistent report. All other code relies on this check.
fn check(report: &Report) -> Result<(), String> {
    let Report { players, bots, .. } = report;
    if *players < 2 || bots.is_empty() {
        return Err(format!("a contest cannot have {players} players and {} bots", bots.len()));
    }
    for (number, bot) in bots.iter().enumerate() {
        sane(bot)?;
        if bot.name.is_empty() {
            return Err(format!("bot {number} has no name"));
        }
        let name = quoted(&bot.name);
        if bot.places.len() != *players {
            let places = bot.places.len();
            return Err(format!("`{name}` has shares of {places} places, expected {players}"));
        }
        if report.round_robin.is_some() && bot.rating.is_none() {
            return Err(format!("`{name}` has no rating in a round robin"));
        }
        let kinds = |bot: &BotReport| {
            let habits = bot.habits.iter().flat_map(|habits| &habits.kinds).map(|kind| kind.name.clone());
            let contracts = bot.contracts.iter().map(|contract| contract.name.clone());
            (contracts.collect::<Vec<_>>(), habits.collect::<Vec<_>>())
        };
        if kinds(bot) != kinds(&bots[0]) {
            return Err(format!("`{name}` has other kinds of contracts or habits than the first bot"));
        }
    }
    let seats = report.seats.len();
    if ![0, *players].contains(&seats) {
        return Err(format!("`seats` has {seats} bots, expected {players}, one for each seat"));
    }
    if report.round_robin.is_none() && seats == 0 && ![2, *players].contains(&bots.len()) {
        let bots = bots.len();
        return Err(format!(
            "{bots} bots cannot fill {players} seats: expected 2 bots, or a list of `seats`"
        ));
    }
    if let Some(bot) = report.seats.iter().find(|&&bot| bot >= bots.len()) {
        return Err(format!("bot {bot} has a seat, of {} bots", bots.len()));
    }
    let square =
        |rows: &Vec<Vec<_>>| rows.len() == bots.len() && rows.iter().all(|row| row.len() == bots.len());
    match &report.round_robin {
        Some(round_robin) if !square(&round_robin.cross_play) => {
            Err(format!("`cross_play` is not a matrix of {} bots", bots.len()))
        }
        _ => Ok(()),
    }
}

/// Refuses figures that no contest can have. Plots could not show them.
fn sane(bot: &BotReport) -> Result<(), String> {
    let name = quoted(&bot.name);
    let shares = bot.places.iter().chain([&bot.first_rate.mean]);
    let shares = shares.chain(bot.contracts.iter().flat_map(|contract| [&contract.share, &contract.made]));
    let habits = bot.habits.iter().flat_map(|habits| &habits.kinds).map(|kind| &kind.share);
    if let Some(share) = shares.chain(habits).find(|share| !(0.0..=1.0).contains(*share)) {
        return Err(format!("`{name}` has a share of {share}, which is not from 0 to 1"));
    }
    let (score, rating) = (bot.place_score, bot.rating.unwrap_or_default());
    for (figure, of, most) in [("place score", score, 1.0), ("rating", rating, 1e6)] {
        // The end of an interval from a sequential test may be slightly outside.
        if let Some(end) = [of.low, of.mean, of.high].iter().find(|end| end.abs() > 2.0 * most) {
            return Err(format!("`{name}` has a {figure} of {end}, which is beyond ±{most}"));
        }
    }
    Ok(())
}
