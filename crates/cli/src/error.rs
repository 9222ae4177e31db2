//! All errors of the command, and their exit codes.

#[cfg(feature = "train")]
mod training;

use std::io;
use std::path::{Path, PathBuf};

use cardsharp_bot::arena::ArenaError;
use cardsharp_bot::bundle::manifest::{ManifestError, Problem};
use cardsharp_bot::bundle::{ExportError, VerifyError};
use cardsharp_bot::file::FileError;
use cardsharp_bot::solve::NotZeroSum;
#[cfg(feature = "dataset")]
use cardsharp_dataset::DatasetError;
use cardsharp_document::ConfigError;
use cardsharp_env::ObserveError;
use cardsharp_env::enumerate::EnumerateError;
use cardsharp_env::game::ViewError;
use cardsharp_env::rules::RulesError;
use cardsharp_env::table::MoveError;
#[cfg(feature = "serve")]
use cardsharp_server::StartError;

use crate::excerpt::excerpt;
use crate::faults::Failed;
use crate::input::InputError;
use crate::recording::replay::ReplayError;
use crate::report::error::ReportError;
use crate::shown;
use crate::terminal::{self, Stream};

#[cfg(feature = "train")]
pub(crate) use training::TrainingError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The reader closed standard output. This is no failure.
    #[error("standard output was closed")]
    Closed,
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// Standard input ended before the session. The output has said so already.
    #[error("standard input ended before the session")]
    InputClosed,
    /// A file or standard input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// `--rules` names neither a rule set nor a file.
    #[error("--rules: there is no rule set `{name}`: {expected}")]
    RuleSet { name: String, expected: String },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// The folder of a file to write does not exist.
    #[error("cannot write {}: the folder {} does not exist", path.display(), cardsharp_bot::disk::parent(path).display())]
    NoFolder { path: PathBuf },
    /// A bot does not have the requested level.
    #[error("--level: {0}")]
    Level(#[from] cardsharp_bot::bots::levels::LevelError),
    /// Measured levels or a belief model would be replaced.
    #[error(
        "{} already exists and holds {what}: pass --overwrite to replace the file, or --to FILE to write another one",
        path.display()
    )]
    Measured {
        path: PathBuf,
        /// A description of the content.
        what: &'static str,
    },
    /// A recorded session would be replaced.
    #[error(
        "{} already holds a session: pass --overwrite to replace it, or name another file with --trace",
        path.display()
    )]
    Recorded { path: PathBuf },
    /// A file to create exists already.
    #[cfg(feature = "train")]
    #[error("{} already exists: remove it, or name another folder with --to", path.display())]
    Exists { path: PathBuf },
    /// An option is missing.
    #[error("{option} is required: {why}")]
    Required { option: &'static str, why: &'static str },
    /// The variable with the server's token is not UTF-8.
    #[cfg(feature = "serve")]
    #[error("the variable {0} is not UTF-8 text")]
    Token(&'static str),
    /// A belief model cannot be learned.
    #[cfg(feature = "train")]
    #[error(transparent)]
    Beliefs(#[from] cardsharp_trainer::algorithms::beliefs::LearnError),
    /// The levels cannot be separated.
    #[error(
        "the levels were not written: their 95 % intervals are up to {widest:.0} points wide, but the levels are only \
         {step:.0} points apart; {}",
        more(*deals, *enough)
    )]
    TooFewDeals {
        /// The width of the widest interval, in points of rating.
        widest: f64,
        /// The mean distance between two levels, in points of rating.
        step: f64,
        /// Number of deals played.
        deals: u64,
        /// Approximate number of deals that is enough, if it can be estimated.
        enough: Option<u64>,
    },
    /// A bot file is invalid.
    #[error("{}", file_problem(path, source))]
    BotFile { path: PathBuf, source: FileError },
    /// A bot cannot be opened.
    #[error(transparent)]
    Bot(#[from] cardsharp_bot::OpenError),
    /// A contest has invalid options.
    #[error("{}: {}", option_of(.0), .0)]
    Arena(#[from] ArenaError),
    /// A bundle is damaged or incomplete.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// A bundle cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A file cannot be added to a bundle.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A value cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(serde_json::Error),
    /// A game is too large to be solved.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// A game has too many deals to list.
    #[error("{error}; expected one of these games: {listed}")]
    Unlisted {
        /// Which game is too large, and its size.
        error: EnumerateError,
        /// The names of the games that can be solved.
        listed: String,
    },
    /// A file does not describe an endgame.
    #[error("{}: {}", path.display(), reason.trim_end())]
    Endgame { path: PathBuf, reason: String },
    /// A file does not describe a deal.
    #[error("{}: {reason}", path.display())]
    Deal { path: PathBuf, reason: String },
    /// A game is not zero-sum, so CFR+ does not find an equilibrium.
    #[error(transparent)]
    NotZeroSum(#[from] NotZeroSum),
    /// Rules from options of the command line are invalid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A view is invalid.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The input is not a view.
    #[error(
        "{name} is not a view: {problem}; expected JSON like {{\"game\": \"dalmuti\", …}}, or a seat's event log"
    )]
    NoView {
        /// The name of the input.
        name: String,
        problem: String,
    },
    /// The input is of another game than the bot.
    #[error("this is {what} of {given}, but {expected}")]
    OtherGame {
        /// The kind of input: a view or an event log.
        what: &'static str,
        /// The title of the input's game.
        given: &'static str,
        /// Which game was expected, and why.
        expected: String,
    },
    /// The input is not an event log.
    #[error("{name} is not a seat's event log: {problem}")]
    NoRecord {
        /// The name of the input.
        name: String,
        problem: String,
    },
    /// A line of an event log is invalid.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// The view has no decision.
    #[error(
        "seat {seat} has no decision here: expected a view, or a record that ends where the seat must choose"
    )]
    NoDecision {
        /// The seat of the view.
        seat: usize,
    },
    /// A game has no hidden hands to estimate.
    #[error("--beliefs is not available for `{game}`: its views have no hidden hands of cards")]
    NoBeliefs { game: &'static str },
    /// An option has an invalid value.
    #[error("{option} cannot be {given}: {expected}")]
    Option {
        option: &'static str,
        /// The invalid value.
        given: String,
        /// A description of valid values.
        expected: String,
    },
    /// A trace is invalid.
    #[error("{}: {source}", shown::quoted(name))]
    Replay {
        /// The name of the input.
        name: String,
        source: ReplayError,
    },
    /// A session to review is invalid.
    #[error("{}: {source}", shown::quoted(name))]
    Session {
        /// The name of the trace.
        name: String,
        source: cardsharp_env::trace::TraceError,
    },
    /// A bot picked a move that the rules do not allow.
    #[error("a bot played an illegal move: {0}")]
    Move(#[from] MoveError),
    /// The benchmark and the batch interface played different moves.
    #[error(
        "the {what} benchmark played other moves than the batch interface: checksum {timed:016x}, expected {expected:016x}"
    )]
    Checksum {
        /// The part that was timed.
        what: &'static str,
        /// The checksum of the timed loop.
        timed: u64,
        /// The checksum of the same moves through the batch interface.
        expected: u64,
    },
    /// A bot process failed, and its own moves were needed.
    #[error(transparent)]
    Failed(#[from] Failed),
    /// An external program could not be run, or failed.
    #[error("{program} failed: {reason}")]
    Program { program: String, reason: String },
    /// A server cannot start.
    #[cfg(feature = "serve")]
    #[error(transparent)]
    Serve(#[from] StartError),
    /// The system does not allow signal handlers.
    #[error("cannot catch signals: {0}")]
    Signals(io::Error),
    /// A dataset cannot be written.
    #[cfg(feature = "dataset")]
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A signal stopped the command. The output has said so already.
    #[error("stopped by signal {signal}")]
    Interrupted {
        /// The number of the signal.
        signal: usize,
    },
    /// A configuration or rules file is invalid. The error includes its place.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A report page cannot be created.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A run cannot be trained or read.
    #[cfg(feature = "train")]
    #[error(transparent)]
    Training(#[from] TrainingError),
}

/// Returns the option of the command line that causes the error of a contest.
fn option_of(error: &ArenaError) -> &'static str {
    match error {
        ArenaError::Bots { .. } | ArenaError::RoundRobin { .. } => "--bots",
        ArenaError::Seats { .. } => "--seats",
        ArenaError::FewDeals { .. }
        | ArenaError::NoDeals
        | ArenaError::ManyDeals { .. }
        | ArenaError::FewToKnow { .. } => "--deals",
        ArenaError::RuleSets { .. } => "--random-rules",
        ArenaError::Delta(_) => "--sprt",
    }
}

impl CliError {
    /// Converts an error of the trace in the file or input of this name.
    pub(crate) fn trace(name: String) -> impl FnOnce(ReplayError) -> Self {
        move |source| match source {
            // This error names its file already.
            ReplayError::Input(error) => Self::Input(error),
            source => Self::Replay { name, source },
        }
    }

    /// Converts an error of a write to standard output.
    pub(crate) fn from_stdout(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Stdout(error) }
    }

    /// Returns the exit code: 2 for invalid input, 3 if the input ended too early, 1 if the command failed.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Closed => 0,
            Self::InputClosed => 3,
            // The convention of shells for a program that a signal ended.
            Self::Interrupted { signal } => 128 + *signal as u8,
            Self::Input(_)
            | Self::Rules(_)
            | Self::View(_)
            | Self::NoView { .. }
            | Self::NoFolder { .. }
            | Self::RuleSet { .. }
            | Self::OtherGame { .. }
            | Self::NoRecord { .. }
            | Self::Observe(_)
            | Self::NoDecision { .. }
            | Self::NoBeliefs { .. }
            | Self::Option { .. }
            | Self::BotFile { .. }
            | Self::Bot(_)
            | Self::Level(_)
            | Self::Measured { .. }
            | Self::Recorded { .. }
            | Self::Required { .. }
            | Self::Arena(_)
            | Self::Enumerate(_)
            | Self::Unlisted { .. }
            | Self::Endgame { .. }
            | Self::Deal { .. }
            | Self::Session { .. }
            | Self::NotZeroSum(_)
            | Self::Config(_) => 2,
            #[cfg(feature = "serve")]
            Self::Serve(StartError::Io { .. } | StartError::Taken(_)) => 1,
            #[cfg(feature = "serve")]
            Self::Serve(_) | Self::Token(_) => 2,
            Self::Manifest(error) if !matches!(error.problem, Problem::Write(_)) => 2,
            Self::Replay { source, .. } if source.is_input() => 2,
            #[cfg(feature = "dataset")]
            Self::Dataset(error) => {
                if error.is_input() {
                    2
                } else {
                    1
                }
            }
            Self::Report(error) if error.is_input() => 2,
            #[cfg(feature = "train")]
            Self::Training(error) => error.code(),
            #[cfg(feature = "train")]
            Self::Exists { .. } => 2,
            #[cfg(feature = "train")]
            Self::Beliefs(_) => 1,
            Self::Signals(_) => 1,
            Self::Stdout(_)
            | Self::Write { .. }
            | Self::Json(_)
            | Self::TooFewDeals { .. }
            | Self::Replay { .. }
            | Self::Move(_)
            | Self::Verify(_)
            | Self::Export(_)
            | Self::Checksum { .. }
            | Self::Program { .. }
            | Self::Failed(_)
            | Self::Manifest(_)
            | Self::Report(_) => 1,
        }
    }

    /// Returns the message for standard error, with its line end. Control characters in it are escaped.
    pub(crate) fn report(self) -> String {
        let text = match self {
            Self::InputClosed => return String::new(),
            Self::Interrupted { .. } => return String::new(),
            Self::Config(error) => {
                return excerpt(&error, Stream::Err.has_color(), Stream::Err.columns());
            }
            other => format!("error: {other}\n"),
        };
        let text = shown::message(&text);
        Stream::Err.columns().map_or_else(|| text.clone(), |columns| terminal::fit(&text, columns))
    }
}

/// Suggests how many deals would separate the levels.
fn more(deals: u64, enough: Option<u64>) -> String {
    match enough {
        Some(enough) => format!("--deals {deals} are too few: use about {enough}"),
        None => "use more --deals".to_owned(),
    }
}

/// Describes the problem of a file. Errors of the disk name the file already.
fn file_problem(path: &Path, source: &FileError) -> String {
    match source {
        FileError::Io { .. } => format!("cannot read {source}"),
        _ => format!("{}: {source}", path.display()),
    }
}
