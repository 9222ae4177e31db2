//! Everything that can go wrong, and the exit code it means.

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

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// Whoever read standard output has left: nothing more to do, and nothing wrong.
    #[error("standard output was closed")]
    Closed,
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// Standard input ended before the session that it played in; what is to be said about it was said.
    #[error("standard input ended before the session")]
    InputClosed,
    /// A file that was named, or standard input, cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// `--rules` names neither a rule set nor a file.
    #[error("--rules: there is no rule set `{name}`: {expected}")]
    RuleSet {
        /// The name.
        name: String,
        /// What would be right.
        expected: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is to be written where no folder is.
    #[error("cannot write {}: the folder {} does not exist", path.display(), cardsharp_bot::disk::parent(path).display())]
    NoFolder {
        /// The file.
        path: PathBuf,
    },
    /// A bot does not play at the level that was asked for.
    #[error("--level: {0}")]
    Level(#[from] cardsharp_bot::bots::levels::LevelError),
    /// Levels that were measured, or beliefs that were learned, would be replaced.
    #[error(
        "{} already exists and holds {what}: pass --overwrite to replace the file, or --to FILE to write another one",
        path.display()
    )]
    Measured {
        /// Their file.
        path: PathBuf,
        /// What it holds.
        what: &'static str,
    },
    /// A session that was played would be replaced.
    #[error(
        "{} already holds a session: pass --overwrite to replace it, or name another file with --trace",
        path.display()
    )]
    Recorded {
        /// Its file.
        path: PathBuf,
    },
    /// A file to be created exists.
    #[cfg(feature = "train")]
    #[error("{} already exists: remove it, or name another folder with --to", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// An option is missing.
    #[error("{option} is required: {why}")]
    Required {
        /// The option.
        option: &'static str,
        /// Why.
        why: &'static str,
    },
    /// The variable with the server's token is not UTF-8.
    #[cfg(feature = "serve")]
    #[error("the variable {0} is not UTF-8 text")]
    Token(&'static str),
    /// A model of beliefs cannot be learned.
    #[cfg(feature = "train")]
    #[error(transparent)]
    Beliefs(#[from] cardsharp_trainer::algorithms::beliefs::LearnError),
    /// Levels cannot be told from each other.
    #[error(
        "the levels were not written: their 95 % intervals are up to {widest:.0} points wide, but the levels are only \
         {step:.0} points apart; {}",
        more(*deals, *enough)
    )]
    TooFewDeals {
        /// The width of the widest interval, in points of rating.
        widest: f64,
        /// From one level to the next.
        step: f64,
        /// Deals that were played.
        deals: u64,
        /// How many it would take, where any number would do.
        enough: Option<u64>,
    },
    /// A bot's file is refused.
    #[error("{}", file_problem(path, source))]
    BotFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: FileError,
    },
    /// There is no such bot.
    #[error(transparent)]
    Bot(#[from] cardsharp_bot::OpenError),
    /// A contest cannot be held.
    #[error("{}: {}", option_of(.0), .0)]
    Arena(#[from] ArenaError),
    /// A bundle does not hold what it should.
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
    /// A game has too many deals to list them.
    #[error("{error}; expected one of these games: {listed}")]
    Unlisted {
        /// What is too large, and how large it is.
        error: EnumerateError,
        /// The names of the games that can be solved.
        listed: String,
    },
    /// A file tells no endgame.
    #[error("{}: {}", path.display(), reason.trim_end())]
    Endgame {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file tells no deal.
    #[error("{}: {reason}", path.display())]
    Deal {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A game has no equilibrium that can be found.
    #[error(transparent)]
    NotZeroSum(#[from] NotZeroSum),
    /// Rules given by options of the command line are refused.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A view is refused.
    #[error(transparent)]
    View(#[from] ViewError),
    /// What was given is no view of a game.
    #[error(
        "{name} is not a view: {problem}; expected JSON like {{\"game\": \"dalmuti\", …}}, or a seat's event log"
    )]
    NoView {
        /// Where it was looked for.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// What was given is of another game than the bot's.
    #[error("this is {what} of {given}, but {expected}")]
    OtherGame {
        /// What it is: a view, or a record.
        what: &'static str,
        /// The title of its game.
        given: &'static str,
        /// Which game was expected, and why.
        expected: String,
    },
    /// What was given is no record.
    #[error("{name} is not a seat's event log: {problem}")]
    NoRecord {
        /// Where it came from.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A line of a record is refused.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// Nothing is to be decided in the view.
    #[error(
        "seat {seat} has no decision here: expected a view, or a record that ends where the seat must choose"
    )]
    NoDecision {
        /// Whose view it is.
        seat: usize,
    },
    /// Nothing can be believed of the others' cards.
    #[error("--beliefs is not available for `{game}`: its views have no hidden hands of cards")]
    NoBeliefs {
        /// The game.
        game: &'static str,
    },
    /// An option of the command line has a value that cannot be used.
    #[error("{option} cannot be {given}: {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// The value.
        given: String,
        /// What would be right.
        expected: String,
    },
    /// A trace is refused.
    #[error("{}: {source}", shown::quoted(name))]
    Replay {
        /// Where it came from.
        name: String,
        /// Why.
        source: ReplayError,
    },
    /// A session that was to be looked back at is refused.
    #[error("{}: {source}", shown::quoted(name))]
    Session {
        /// The trace.
        name: String,
        /// Why.
        source: cardsharp_env::trace::TraceError,
    },
    /// A bot picked a move that the rules do not allow.
    #[error("a bot played an illegal move: {0}")]
    Move(#[from] MoveError),
    /// Two ways to play the same moves disagreed.
    #[error(
        "the {what} benchmark played other moves than the batch interface: checksum {timed:016x}, expected {expected:016x}"
    )]
    Checksum {
        /// What was timed.
        what: &'static str,
        /// The checksum of the timed loop.
        timed: u64,
        /// The checksum of the same moves through the batch interface.
        expected: u64,
    },
    /// A bot that is a program failed where its own moves were asked for.
    #[error(transparent)]
    Failed(#[from] Failed),
    /// A program that the command runs could not be run or did not finish well.
    #[error("{program} failed: {reason}")]
    Program {
        /// The program.
        program: String,
        /// What it said.
        reason: String,
    },
    /// A server cannot start.
    #[cfg(feature = "serve")]
    #[error(transparent)]
    Serve(#[from] StartError),
    /// The system does not let signals be caught.
    #[error("cannot catch signals: {0}")]
    Signals(io::Error),
    /// A dataset cannot be written.
    #[cfg(feature = "dataset")]
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A signal asked a command to stop, and it did; what is to be said about it was said.
    #[error("stopped by signal {signal}")]
    Interrupted {
        /// The signal's number.
        signal: usize,
    },
    /// A configuration or a file of rules is refused, with its place.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A page cannot be made.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A run cannot be trained or read.
    #[cfg(feature = "train")]
    #[error(transparent)]
    Training(#[from] TrainingError),
}

/// The option of the command line that a contest is refused for.
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
    /// The error of a trace, which comes from the file or the input of this name.
    pub(crate) fn trace(name: String) -> impl FnOnce(ReplayError) -> Self {
        move |source| match source {
            // It names its file itself.
            ReplayError::Input(error) => Self::Input(error),
            source => Self::Replay { name, source },
        }
    }

    /// What a failed write to standard output means.
    pub(crate) fn from_stdout(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Stdout(error) }
    }

    /// The exit code: 2 where the input was wrong, 3 where it ended too early, 1 where the command failed.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Closed => 0,
            Self::InputClosed => 3,
            // As shells say it of a program that a signal ended.
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
            Self::Serve(StartError::Io { .. }) => 1,
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

    /// The message for standard error, with its line end. Whatever it quotes, a terminal only shows it.
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

/// What would tell levels from each other.
fn more(deals: u64, enough: Option<u64>) -> String {
    match enough {
        Some(enough) => format!("--deals {deals} are too few: use about {enough}"),
        None => "use more --deals".to_owned(),
    }
}

/// What is wrong with a file; where the disk refused it, that message names the file already.
fn file_problem(path: &Path, source: &FileError) -> String {
    match source {
        FileError::Io { .. } => format!("cannot read {source}"),
        _ => format!("{}: {source}", path.display()),
    }
}
