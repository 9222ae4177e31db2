//! Sources of a page: files that other commands wrote. Reading checks them.

use std::path::{Path, PathBuf};

use cardsharp_bot::Report;
use cardsharp_bot::arena::report::BotReport;
use cardsharp_bot::arena::{Interval, command};
use cardsharp_bot::bots::FILE;
use cardsharp_bot::bundle::card::CardContest as Listed;
use cardsharp_bot::bundle::manifest;
use cardsharp_bot::run_record::RecordSeal;
use cardsharp_bot::seal;
use cardsharp_env::Games;
use cardsharp_text::escape::quoted;
use cardsharp_text::input::{self, LARGE, SMALL, read_text};
use serde::Deserialize;
use serde_json::Value;

use crate::error::{CONTESTS, METRICS, ReportError, TIMING};
use crate::plot::COLOURS;
use crate::record::{IterationTime, Record, RunConfig, times};

/// A source of a page.
pub enum Source {
    /// Contests of the arena, or the list in a bundle.
    Contests(Contests),
    Run(Box<SourceRun>),
    /// Training runs that differ only in their seeds.
    Seeds(SourceSeeds),
    Sweep(Box<SourceSweep>),
}

impl Source {
    /// Returns the number of contests.
    pub fn contests(&self) -> usize {
        let listed = match self {
            Self::Contests(contests) => Some(contests),
            Self::Run(run) => run.contests.as_ref(),
            Self::Seeds(_) | Self::Sweep(_) => None,
        };
        listed.map_or(0, |listed| listed.contests.len())
    }

    /// Returns the run, if it is one.
    pub(crate) fn run(&self) -> Option<&SourceRun> {
        match self {
            Self::Contests(_) | Self::Seeds(_) | Self::Sweep(_) => None,
            Self::Run(run) => Some(run),
        }
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> usize {
        match self {
            Self::Contests(_) => 0,
            Self::Run(_) => 1,
            Self::Seeds(seeds) => seeds.runs.len(),
            Self::Sweep(sweep) => sweep.runs,
        }
    }

    /// Returns the name of the game.
    pub(crate) fn game(&self) -> &str {
        match self {
            // There is at least one.
            Self::Contests(contests) => contests.contests.first().map_or("", |contest| &contest.report.game),
            Self::Run(run) => &run.config.game,
            // There is at least one.
            Self::Seeds(seeds) => seeds.runs.first().map_or("", |run| &run.config.game),
            Self::Sweep(sweep) => &sweep.results.game,
        }
    }
}

/// The contests of one file.
pub struct Contests {
    /// The name of the file, as typed.
    pub(crate) name: String,
    /// At least one contest.
    pub(crate) contests: Vec<SourceContest>,
}

/// A contest and its origin.
pub struct SourceContest {
    /// The name of the table in the configuration, if it has one.
    pub(crate) table: Option<String>,
    /// The command that repeats the contest, or why this program does not know it.
    pub(crate) command: Result<String, String>,
    pub(crate) report: Report,
}

pub struct SourceRun {
    /// The name of the folder, as typed.
    pub(crate) name: String,
    pub(crate) config: RunConfig,
    /// The text of the configuration file.
    pub(crate) config_text: String,
    /// The metrics of each iteration.
    pub(crate) record: Record,
    /// The final contests of the bot.
    pub(crate) contests: Option<Contests>,
    /// The times of iterations, if they are known.
    pub(crate) timing: Vec<IterationTime>,
}

/// Runs that differ only in their seeds.
pub struct SourceSeeds {
    /// The name of the folder that contains theirs, as typed.
    pub(crate) name: String,
    /// At least one run, by ascending seed.
    pub(crate) runs: Vec<SourceRun>,
}

/// Prefix of the folder names of runs with several seeds. The seed follows.
pub const SEED: &str = "seed-";

/// Reads a file or a folder.
///
/// # Errors
/// The source cannot be read, or is not what other commands write.
pub fn read(games: &Games, path: &Path) -> Result<Source, ReportError> {
    if !path.is_dir() {
        return Ok(Source::Contests(contests(games, path)?));
    }
    if let Some(sweep) = sweep(games, path)? {
        return Ok(Source::Sweep(Box::new(sweep)));
    }
    let [metrics, config, listed] = [METRICS, "config.toml", CONTESTS].map(|name| path.join(name));
    if !metrics.is_file() && listed.is_file() {
        return Ok(Source::Contests(contests(games, &listed)?));
    }
    if !config.is_file() {
        let runs = of_seeds(games, path)?;
        if !runs.is_empty() {
            return Ok(Source::Seeds(SourceSeeds { name: path.display().to_string(), runs }));
        }
    }
    for (file, missing) in [(&metrics, METRICS), (&config, "config.toml")] {
        if !file.is_file() {
            return Err(ReportError::NoRun { path: path.to_owned(), missing });
        }
    }
    let record = record(path, &metrics)?;
    Ok(Source::Run(Box::new(run(games, path, record)?)))
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
///
/// # Errors
/// The file cannot be read, or was modified.
pub fn config(path: &Path) -> Result<String, ReportError> {
    let text = read_text(path, SMALL)?;
    match seal::broken(&text) {
        Some(problem) => Err(ReportError::Changed { path: path.display().to_string(), problem }),
        None => Ok(text),
    }
}

/// Reads the runs in folders named after their seeds, if they have metrics.
fn of_seeds(games: &Games, path: &Path) -> Result<Vec<SourceRun>, ReportError> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let seed = |name: String| name.strip_prefix(SEED)?.parse::<u64>().ok();
    let mut seeds: Vec<u64> =
        entries.filter_map(|entry| seed(entry.file_name().into_string().ok()?)).collect();
    seeds.sort_unstable();
    let folders = seeds.into_iter().map(|seed| path.join(format!("{SEED}{seed}")));
    let begun = folders.filter(|folder| folder.join(METRICS).is_file());
    let run = |folder: PathBuf| match read(games, &folder)? {
        Source::Run(run) => Ok(Some(*run)),
        Source::Contests(_) | Source::Seeds(_) | Source::Sweep(_) => Ok(None),
    };
    begun.map(run).filter_map(Result::transpose).collect()
}

/// Reads the run in a folder, with these metrics.
fn run(games: &Games, path: &Path, record: Record) -> Result<SourceRun, ReportError> {
    let [file, measured] = [path.join("config.toml"), path.join("bundle").join(CONTESTS)];
    let config_text = config(&file)?;
    Ok(SourceRun {
        name: path.display().to_string(),
        config: RunConfig::parse(&file.display().to_string(), &config_text)?,
        config_text,
        record,
        contests: if measured.is_file() { Some(contests(games, &measured)?) } else { None },
        // Nothing depends on this file, and a copied run may lack it.
        timing: read_text(&path.join(TIMING), LARGE).ok().and_then(|text| times(&text)).unwrap_or_default(),
    })
}

/// Reads the run in a folder while the trainer may be writing to it. Missing metrics count as empty.
pub(crate) fn running(games: &Games, path: &Path) -> Result<SourceRun, ReportError> {
    let metrics = path.join(METRICS);
    // The header is written first, and in one piece.
    let begun = metrics.is_file() && read_text(&metrics, LARGE)?.contains('\n');
    // After the first checkpoint, a missing file or header is damage.
    let unbegun = || match RecordSeal::newest(path)? {
        Some(seal) => seal.check(&metrics, "").map(|()| Record::default()),
        None => Ok(Record::default()),
    };
    run(games, path, if begun { record(path, &metrics)? } else { unbegun()? })
}

/// Reads a run from the texts of its configuration and its metrics.
///
/// # Errors
/// One of the texts is invalid.
pub fn run_of(config: &str, record: &str) -> Result<Source, ReportError> {
    Ok(Source::Run(Box::new(SourceRun {
        name: "run".to_owned(),
        config: RunConfig::parse("config.toml", config)?,
        config_text: config.to_owned(),
        record: Record::parse(METRICS, record)?,
        contests: None,
        timing: Vec::new(),
    })))
}

/// Reads contests from the text of a file.
///
/// # Errors
/// The text has no contests.
pub fn contests_of(games: &Games, text: &str) -> Result<Source, ReportError> {
    parse(games, CONTESTS, text).map(Source::Contests)
}

/// Reads the contests of a file, or of standard input for `-`. Commands in a bundle refer to it as the current folder;
/// the path of the bundle replaces that.
fn contests(games: &Games, path: &Path) -> Result<Contests, ReportError> {
    let (name, text) = (input::name(path), read_text(path, LARGE)?);
    manifest::check(path, text.as_bytes())
        .map_err(|problem| ReportError::Bundle { path: name.clone(), problem })?;
    let mut read = parse(games, &name, &text)?;
    let bundle = path.parent().filter(|folder| !folder.as_os_str().is_empty() && folder.join(FILE).is_file());
    let folder = bundle.map(|folder| folder.display().to_string());
    for contest in &mut read.contests {
        if let (Ok(command), Some(folder)) = (&contest.command, &folder)
            && command.contains(IN_ITS_FOLDER)
        {
            let found = command::measuring(games, &contest.report, folder);
            contest.command =
                found.map(|words| format!("cardsharp {words}")).map_err(|error| error.to_string());
        }
    }
    Ok(read)
}

/// The option of a command that must be typed in the folder of the first bot.
const IN_ITS_FOLDER: &str = " --bots .,";

/// Parses the contests in a text; messages call it `name`.
pub(crate) fn parse(games: &Games, name: &str, text: &str) -> Result<Contests, ReportError> {
    let refuse = |problem: String| ReportError::NoContest { path: name.to_owned(), problem };
    // Choose one format first, so that errors name the place.
    let contests = if text.trim_start().starts_with('[') {
        let listed: Vec<Listed> = serde_json::from_str(text).map_err(|e| refuse(e.to_string()))?;
        let contest =
            |Listed { table, command, report }| SourceContest { table, command: Ok(command), report };
        listed.into_iter().map(contest).collect()
    } else {
        let report: Report = serde_json::from_str(text).map_err(|e| refuse(e.to_string()))?;
        let command = command::again(games, &report).map_err(|error| error.to_string());
        vec![SourceContest { table: None, command, report }]
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

/// The file with the results in a sweep folder.
const RESULTS: &str = "results.json";
/// The file that describes the sweep in its folder.
const PLAN: &str = "sweep.toml";
/// Maximum number of settings whose curves are drawn: the number of colors.
const CURVES: usize = COLOURS;

pub struct SourceSweep {
    /// The name of the folder, as typed.
    pub(crate) name: String,
    pub(crate) results: SweepSummary,
    /// The runs of the best settings, in the same order.
    pub(crate) curves: Vec<SourceSeeds>,
    /// Number of runs of all settings that have started.
    pub(crate) runs: usize,
}

/// The results of a sweep, the best setting first.
#[derive(Debug, Deserialize)]
pub(crate) struct SweepSummary {
    pub(crate) game: String,
    pub(crate) figure: String,
    pub(crate) better: String,
    pub(crate) seeds: Vec<u64>,
    pub(crate) fields: Vec<String>,
    pub(crate) settings: Vec<SweepRow>,
    pub(crate) again: Option<Remeasured>,
}

/// The result of a setting.
#[derive(Debug, Deserialize)]
pub(crate) struct SweepRow {
    pub(crate) setting: usize,
    pub(crate) folder: String,
    pub(crate) values: Vec<Value>,
    pub(crate) end: String,
    pub(crate) reason: Option<String>,
    pub(crate) iteration: Option<u64>,
    pub(crate) mean: Option<f64>,
    pub(crate) interval: Option<Interval>,
}

/// The best setting, measured once more.
#[derive(Debug, Deserialize)]
pub(crate) struct Remeasured {
    pub(crate) setting: usize,
    pub(crate) deals: u64,
    pub(crate) mean: Option<f64>,
    pub(crate) interval: Option<Interval>,
}

/// Reads the sweep in a folder; `None` if it is not a sweep folder.
fn sweep(games: &Games, path: &Path) -> Result<Option<SourceSweep>, ReportError> {
    let file = path.join(RESULTS);
    if !path.join(PLAN).is_file() {
        return Ok(None);
    }
    if !file.is_file() {
        return Err(ReportError::NoSweep { path: path.to_owned() });
    }
    let refuse = |problem: String| ReportError::Results { path: file.clone(), problem };
    let json: Value =
        serde_json::from_str(&read_text(&file, LARGE)?).map_err(|error| refuse(error.to_string()))?;
    if let Some(problem) = seal::json_broken(&json) {
        return Err(refuse(problem));
    }
    let results = SweepSummary::deserialize(json).map_err(|error| refuse(error.to_string()))?;
    let is_name =
        |row: &SweepRow| Path::new(&row.folder).components().count() == 1 && !row.folder.contains("..");
    if let Some(row) =
        results.settings.iter().find(|row| row.values.len() != results.fields.len() || !is_name(row))
    {
        return Err(refuse(format!("setting {} has no folder of the sweep, or other fields", row.setting)));
    }
    let drawn = results.settings.iter().filter(|row| row.mean.is_some()).take(CURVES);
    let curves = drawn.map(|row| {
        let folder = path.join(&row.folder);
        Ok(SourceSeeds { name: row.setting.to_string(), runs: of_seeds(games, &folder)? })
    });
    let curves = curves.collect::<Result<Vec<_>, ReportError>>()?;
    let begun = |row: &SweepRow| {
        let records = results
            .seeds
            .iter()
            .map(|seed| path.join(&row.folder).join(format!("seed-{seed}")).join(METRICS));
        records.filter(|record| record.is_file()).count()
    };
    let runs = results.settings.iter().map(begun).sum();
    Ok(Some(SourceSweep { name: path.display().to_string(), results, curves, runs }))
}
