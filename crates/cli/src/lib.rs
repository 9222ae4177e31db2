//! The `cardsharp` command: one file per subcommand under `commands`.
//!
//! A program that knows a game of its own besides those of `cardsharp-env` is the same command with one more game:
//!
//! ```no_run
//! # static MY_GAME: &dyn cardsharp_env::AnyGame = cardsharp_env::GAMES[0];
//! fn main() -> std::process::ExitCode {
//!     cardsharp_cli::main_with(&[MY_GAME])
//! }
//! ```

mod answer;
mod args;
mod bots;
mod commands;
mod error;
mod files;
mod input;
mod list;
mod measured;
mod output;
mod playing;
mod progress;
mod recording;
mod report;
mod tables;

use std::process::ExitCode;

use cardsharp_env::{AnyGame, Games};
use clap::{Parser, Subcommand};

use crate::error::CliError;
use crate::output::Output;

/// Card games as reinforcement-learning environments: train, measure and play against bots.
#[derive(Parser)]
#[command(name = "cardsharp", version, after_help = EXAMPLES)]
struct Cli {
    /// Print JSON instead of text.
    #[arg(long, global = true, display_order = 900)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  cardsharp games
  cardsharp train configs/quickstart.toml
  cardsharp arena dalmuti --bots scripted,random --players 5
  cardsharp play dalmuti --against scripted

Exit codes: 0 success, 1 failure, 2 bad input.";

#[derive(Subcommand)]
enum Command {
    Games(commands::games::Games),
    Describe(commands::describe::Describe),
    Train(commands::train::Train),
    Arena(commands::arena::Arena),
    Exploit(commands::exploit::Exploit),
    Levels(commands::levels::Levels),
    Export(commands::export::Export),
    Verify(commands::verify::Verify),
    Report(commands::report::Report),
    Advise(commands::advise::Advise),
    Play(commands::play::Play),
    Trace(commands::trace::Trace),
    Replay(commands::replay::Replay),
    Solve(commands::solve::Solve),
    Bench(commands::bench::Bench),
    #[command(hide = true)]
    BenchLoop(commands::bench::BenchLoop),
    Completions(commands::completions::Completions),
}

impl Command {
    fn run(self, out: &mut Output) -> Result<(), CliError> {
        match self {
            Self::Games(command) => command.run(out),
            Self::Describe(command) => command.run(out),
            Self::Train(command) => command.run(out),
            Self::Arena(command) => command.run(out),
            Self::Exploit(command) => command.run(out),
            Self::Levels(command) => command.run(out),
            Self::Export(command) => command.run(out),
            Self::Verify(command) => command.run(out),
            Self::Report(command) => command.run(out),
            Self::Advise(command) => command.run(out),
            Self::Play(command) => command.run(out),
            Self::Trace(command) => command.run(out),
            Self::Replay(command) => command.run(out),
            Self::Solve(command) => command.run(out),
            Self::Bench(command) => command.run(out),
            Self::BenchLoop(command) => command.run(out),
            Self::Completions(command) => command.run(out),
        }
    }
}

/// Runs the command with the arguments of this process, for the games of `cardsharp-env` and these others.
/// The list is that of the first call in a process.
///
/// Exit codes: 0 success, 1 failure (two games of one name, too), 2 bad input.
pub fn main_with(games: &[&'static dyn AnyGame]) -> ExitCode {
    match games.iter().try_fold(Games::shipped(), |list, game| list.with(*game)) {
        Ok(games) => list::set(games),
        Err(error) => {
            eprintln!("Error: {error}");
            return ExitCode::FAILURE;
        }
    }
    let cli = Cli::parse();
    let mut out = Output::stdout(cli.json);
    let result = cli.command.run(&mut out).and_then(|()| out.flush());
    match result {
        Ok(()) | Err(CliError::Closed) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.code();
            eprint!("{}", error.report());
            ExitCode::from(code)
        }
    }
}
