//! Everything that can go wrong, and the exit code it means.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use cardsharp_bot::file::FileError;
use cardsharp_bot::solve::NotZeroSum;
use cardsharp_env::enumerate::EnumerateError;
use cardsharp_env::game::ViewError;
use cardsharp_env::rules::RulesError;
use cardsharp_env::table::MoveError;
use cardsharp_trainer::config::ConfigError;
use cardsharp_trainer::exploit::ExploitError;
use cardsharp_trainer::run_folder::RunError;
use cardsharp_trainer::state::StateError;
use cardsharp_trainer::train::TrainError;
use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::recording::replay::ReplayError;
use crate::report::ReportError;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// Whoever read standard output has left: nothing more to do, and nothing wrong.
    #[error("standard output was closed")]
    Closed,
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// Standard input cannot be read.
    #[error("cannot read standard input: {0}")]
    Stdin(io::Error),
    /// A file that was named cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A bot does not play at the level that was asked for.
    #[error("--level: {0}")]
    Level(#[from] cardsharp_bot::bots::levels::LevelError),
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
    #[error(transparent)]
    Arena(#[from] cardsharp_bot::arena::ArenaError),
    /// There is nothing to export.
    #[error("{}: the run has no checkpoint yet", run.display())]
    NoCheckpoint {
        /// The run's folder.
        run: PathBuf,
    },
    /// A bundle does not hold what it should.
    #[error(transparent)]
    Verify(#[from] cardsharp_trainer::verify::VerifyError),
    /// A bundle cannot be written.
    #[error(transparent)]
    Export(#[from] cardsharp_trainer::export::ExportError),
    /// A value cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(serde_json::Error),
    /// A game is too large to be solved.
    #[error(transparent)]
    Enumerate(#[from] EnumerateError),
    /// A game has too many deals to list them.
    #[error("{error}; expected a game that lists its deals: {listed}")]
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
        "no view on standard input: {0}; expected one as JSON, which begins with the name of its game, like \
         {{\"game\": \"dalmuti\", …}}"
    )]
    NoView(String),
    /// Nothing is to be decided in the view.
    #[error("seat {seat} has nothing to decide in this view")]
    NoDecision {
        /// Whose view it is.
        seat: usize,
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
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A bot picked a move that the rules do not allow.
    #[error("a bot broke the rules: {0}")]
    Move(#[from] MoveError),
    /// Two ways to play the same moves disagreed.
    #[error(
        "the {what} benchmark did not play what it should: checksum {timed:016x}, expected {expected:016x}"
    )]
    Checksum {
        /// What was timed.
        what: &'static str,
        /// The checksum of the timed loop.
        timed: u64,
        /// The checksum of the same moves through the batch interface.
        expected: u64,
    },
    /// A program that the command runs could not be run or did not finish well.
    #[error("{program} failed: {reason}")]
    Program {
        /// The program.
        program: String,
        /// What it said.
        reason: String,
    },
    /// Rules have no TOML form.
    #[error("cannot write TOML: {0}")]
    Toml(toml::ser::Error),
    /// Signals cannot be caught.
    #[error("cannot catch signals: {0}")]
    Signals(io::Error),
    /// A configuration or a file of rules is refused, with its place.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A page cannot be made.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A run folder cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A run cannot go on.
    #[error(transparent)]
    Train(#[from] TrainError),
}

impl From<ExploitError> for CliError {
    fn from(error: ExploitError) -> Self {
        match error {
            ExploitError::Open(error) => Self::Bot(error),
            ExploitError::Train(error) => Self::Train(error),
            ExploitError::Run(error) => Self::Run(error),
        }
    }
}

impl CliError {
    /// What a failed write to standard output means.
    pub(crate) fn from_stdout(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Stdout(error) }
    }

    /// The exit code: 2 where the input was wrong, 1 where the command failed.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Closed => 0,
            Self::Read { .. }
            | Self::Rules(_)
            | Self::View(_)
            | Self::NoView(_)
            | Self::NoDecision { .. }
            | Self::Option { .. }
            | Self::BotFile { .. }
            | Self::Bot(_)
            | Self::Level(_)
            | Self::Arena(_)
            | Self::Enumerate(_)
            | Self::Unlisted { .. }
            | Self::Endgame { .. }
            | Self::NotZeroSum(_)
            | Self::NoCheckpoint { .. }
            | Self::Config(_) => 2,
            Self::Replay(error) if error.is_input() => 2,
            Self::Report(error) if error.is_input() => 2,
            // What was asked for, not what went wrong in doing it.
            Self::Run(
                RunError::Taken { .. }
                | RunError::Absent { .. }
                | RunError::Differs { .. }
                | RunError::Config(_),
            )
            | Self::Train(
                TrainError::Evaluate(_)
                | TrainError::Rules(_)
                | TrainError::Opponent(_)
                | TrainError::State(StateError::Start(_)),
            ) => 2,
            Self::Stdout(_)
            | Self::Write { .. }
            | Self::Stdin(_)
            | Self::Json(_)
            | Self::Replay(_)
            | Self::Move(_)
            | Self::Verify(_)
            | Self::Export(_)
            | Self::Checksum { .. }
            | Self::Program { .. }
            | Self::Toml(_)
            | Self::Signals(_)
            | Self::Report(_)
            | Self::Run(_)
            | Self::Train(_) => 1,
        }
    }

    /// The message for standard error, with its line end.
    pub(crate) fn report(self) -> String {
        match self {
            Self::Config(error) | Self::Run(RunError::Config(error)) => excerpt(&error),
            Self::Run(RunError::Taken { path }) => {
                let path = path.display();
                format!(
                    "error: {path} is not empty; go on with the run in it (train --resume {path}) or name another folder with --run\n"
                )
            }
            other => format!("error: {other}\n"),
        }
    }
}

/// An error with the lines of the file around its place. Lines are not broken, so that file, line and
/// column can be searched for.
fn excerpt(error: &ConfigError) -> String {
    let colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let mut text = String::new();
    match GraphicalReportHandler::new_themed(theme).with_wrap_lines(false).render_report(&mut text, error) {
        Ok(()) => format!("error:\n{text}"),
        Err(_) => format!("error: {error}\n"),
    }
}

/// What is wrong with a file; where the disk refused it, that message names the file already.
fn file_problem(path: &Path, source: &FileError) -> String {
    match source {
        FileError::Io { .. } => format!("cannot read {source}"),
        _ => format!("{}: {source}", path.display()),
    }
}
