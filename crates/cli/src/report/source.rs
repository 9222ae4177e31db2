//! What a page is made of: files that other commands wrote, checked.

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

/// One of the things that a page shows.
pub(crate) enum Source {
    /// What an arena found, or the list of a bundle.
    Contests(Contests),
    /// A training run.
    Run(Box<Run>),
    /// Training runs of one configuration but for their seeds.
    Seeds(Seeds),
    /// A sweep that is over.
    Sweep(Box<Swept>),
}

impl Source {
    /// Number of contests in it.
    pub(crate) fn contests(&self) -> usize {
        let listed = match self {
            Self::Contests(contests) => Some(contests),
            Self::Run(run) => run.contests.as_ref(),
            Self::Seeds(_) | Self::Sweep(_) => None,
        };
        listed.map_or(0, |listed| listed.contests.len())
    }

    /// The run, if it is one.
    pub(crate) fn run(&self) -> Option<&Run> {
        match self {
            Self::Contests(_) | Self::Seeds(_) | Self::Sweep(_) => None,
            Self::Run(run) => Some(run),
        }
    }

    /// Number of runs in it.
    pub(crate) fn runs(&self) -> usize {
        match self {
            Self::Contests(_) => 0,
            Self::Run(_) => 1,
            Self::Seeds(seeds) => seeds.runs.len(),
            Self::Sweep(swept) => swept.runs,
        }
    }

    /// The game's name.
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

/// Contests of one file.
pub(crate) struct Contests {
    /// The file, as named.
    pub(super) name: String,
    /// At least one.
    pub(super) contests: Vec<Contest>,
}

/// A contest and where it comes from.
pub(crate) struct Contest {
    /// What the table of rules is called, where it has a name.
    pub(super) table: Option<String>,
    /// The command that holds it again, or why this program cannot say.
    pub(super) command: Result<String, String>,
    /// What was found.
    pub(super) report: Report,
}

/// A training run.
pub(crate) struct Run {
    /// The folder, as named.
    pub(super) name: String,
    /// What was asked for.
    pub(super) asked: Asked,
    /// The configuration as its file has it.
    pub(super) config_text: String,
    /// What came of it, iteration by iteration.
    pub(super) record: Record,
    /// What its bot was measured by at the end.
    pub(super) contests: Option<Contests>,
    /// What the clock said, where it is known.
    pub(super) timing: Vec<Timed>,
}

/// Runs that differ in their seeds only.
pub(crate) struct Seeds {
    /// The folder that theirs are in, as named.
    pub(super) name: String,
    /// At least one, by ascending seed.
    pub(super) runs: Vec<Run>,
}

/// Begins the names of the folders of runs that differ in their seeds; the seed follows.
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

/// The record of the run in a folder, as far as a checkpoint follows it the one that the run wrote.
fn record(run: &Path, metrics: &Path) -> Result<Record, ReportError> {
    // Before the record, which a running trainer makes longer.
    let seal = RecordSeal::newest(run)?;
    let text = read_text(metrics, LARGE)?;
    seal.map_or(Ok(()), |seal| seal.check(metrics, &text))?;
    Record::parse(&metrics.display().to_string(), &text)
}

/// The text of a run's configuration, which must be the one that the run wrote.
pub(crate) fn config(path: &Path) -> Result<String, ReportError> {
    let text = read_text(path, SMALL)?;
    match seal::broken(&text) {
        Some(problem) => Err(ReportError::Changed { path: path.display().to_string(), problem }),
        None => Ok(text),
    }
}

/// The runs in a folder whose own folders are called after their seeds, as far as anything came of them.
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

/// The run in a folder, with this record.
fn run(path: &Path, record: Record) -> Result<Run, ReportError> {
    let [file, measured] = [path.join("config.toml"), path.join("bundle").join(CONTESTS)];
    let config_text = config(&file)?;
    Ok(Run {
        name: path.display().to_string(),
        asked: Asked::parse(&file.display().to_string(), &config_text)?,
        config_text,
        record,
        contests: if measured.is_file() { Some(contests(&measured)?) } else { None },
        // Nothing depends on this file; a run that was copied may lack it.
        timing: read_text(&path.join("timing.csv"), LARGE)
            .ok()
            .and_then(|text| timed::rows(&text))
            .unwrap_or_default(),
    })
}

/// The run in a folder that it may be writing to at this moment: what it has not written yet is not there.
#[cfg(feature = "serve")]
pub(super) fn going(path: &Path) -> Result<Run, ReportError> {
    let metrics = path.join(METRICS);
    // The line of names comes first, whole or not at all.
    let begun = metrics.is_file() && read_text(&metrics, LARGE)?.contains('\n');
    // Without the file, or its first line, it is damaged once a checkpoint follows it.
    let unbegun = || match RecordSeal::newest(path)? {
        Some(seal) => seal.check(&metrics, "").map(|()| Record::default()),
        None => Ok(Record::default()),
    };
    run(path, if begun { record(path, &metrics)? } else { unbegun()? })
}

/// A run from the texts of its configuration and its record.
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

/// Contests from the text of a file.
pub(crate) fn contests_of(text: &str) -> Result<Source, ReportError> {
    parse(CONTESTS, text).map(Source::Contests)
}

/// The contests of a file, or of standard input for `-`. The commands of a bundle, which name it as the folder that one is in, name
/// it by its path.
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

/// The bots of a command that is typed in the folder of the first.
const IN_ITS_FOLDER: &str = " --bots .,";

/// The contests in the text of a file called `name`.
pub(super) fn parse(name: &str, text: &str) -> Result<Contests, ReportError> {
    let refuse = |problem: String| ReportError::NoContest { path: name.to_owned(), problem };
    // Read as one or the other, not as either, so that errors tell the place.
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

/// Refuses a report whose parts do not fit each other; everything after relies on it.
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

/// Refuses figures that no contest can have: an axis cannot reach them.
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
        // An adjusted or resampled end may lie a little outside.
        if let Some(end) = [of.low, of.mean, of.high].iter().find(|end| end.abs() > 2.0 * most) {
            return Err(format!("`{name}` has a {figure} of {end}, which is beyond ±{most}"));
        }
    }
    Ok(())
}
