//! The `cardsharp` command: one file per subcommand under `commands`.
//!
//! A program with its own game, in addition to those of `cardsharp-env`, is the same command with one more game:
//!
//! ```no_run
//! # fn my_game() -> &'static dyn cardsharp_env::AnyGame {
//! #     cardsharp_env::GAMES[0]
//! # }
//! fn main() -> std::process::ExitCode {
//!     cardsharp_cli::main_with(&[my_game()])
//! }
//! ```

/// The address of a page of the documentation: `docs!("arena.html")`.
macro_rules! docs {
    ($page:literal) => {
        concat!("https://cardsharp-rl.github.io/cardsharp/", $page)
    };
}

mod args;
mod bots;
mod commands;
mod error;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod games;
mod groups;
mod output;
mod position_input;
mod progress;
mod recording;
mod signals;
mod tables;
mod terminal;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use cardsharp_env::{AnyGame, Games};
use cardsharp_text::escape;
use clap::builder::Styles;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::error::CliError;
use crate::output::Output;
use crate::terminal::OutputStream;

/// Four card games as reinforcement-learning environments: play against bots, measure them, train your own.
#[derive(Parser)]
#[command(name = "cardsharp", version, after_help = EXAMPLES)]
struct Cli {
    /// Print JSON instead of text.
    #[arg(long, global = true, display_order = 900)]
    json: bool,
    /// When to use colors; `auto`: on a terminal, unless NO_COLOR, TERM=dumb or CLICOLOR=0 is set.
    #[arg(long, global = true, display_order = 901, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[cfg(not(feature = "train"))]
const EXAMPLES: &str = concat!(
    "\
Examples:
  cardsharp games
  cardsharp play dalmuti --against trained
  cardsharp arena dalmuti --bots trained,scripted --players 5

This program was built without training: it has no `init`, `train`, `sweep`, `exploit` or `beliefs`.
Exit codes: 0 success, 1 failure, 2 bad input, 3 the input of `play` ended before the session.
Documentation: ",
    docs!("")
);
#[cfg(feature = "train")]
const EXAMPLES: &str = concat!(
    "\
Examples:
  cardsharp games
  cardsharp play dalmuti --against trained
  cardsharp arena dalmuti --bots trained,scripted --players 5
  cardsharp init dalmuti && cardsharp train dalmuti.toml

Exit codes: 0 success, 1 failure, 2 bad input, 3 the input of `play` ended before the session. If a signal \
stopped a run that can be resumed, 128 plus its number: 130 Ctrl-C, 143 TERM, 129 a closed terminal.
Documentation: ",
    docs!("")
);

#[derive(Subcommand)]
enum Command {
    Games(commands::games::Games),
    Bots(commands::bots::Bots),
    Describe(commands::describe::Describe),
    #[cfg(feature = "train")]
    Init(commands::init::Init),
    #[cfg(feature = "train")]
    Train(commands::train::Train),
    #[cfg(feature = "train")]
    Sweep(commands::sweep::Sweep),
    Arena(commands::arena::Arena),
    #[cfg(feature = "train")]
    Exploit(commands::exploit::Exploit),
    Levels(commands::levels::Levels),
    #[cfg(feature = "train")]
    Beliefs(commands::beliefs::Beliefs),
    Export(commands::export::Export),
    Verify(commands::verify::Verify),
    Report(commands::report::Report),
    Advise(commands::advise::Advise),
    Observe(commands::observe::Observe),
    Bot(commands::bot::Bot),
    Play(commands::play::Play),
    Rules(commands::rules::Rules),
    Trace(commands::trace::Trace),
    Replay(commands::replay::Replay),
    Review(commands::review::Review),
    Puzzle(commands::puzzle::Puzzle),
    #[cfg(feature = "dataset")]
    Dataset(commands::dataset::Dataset),
    #[cfg(feature = "serve")]
    Serve(commands::serve::Serve),
    #[cfg(feature = "serve")]
    VerifyDeal(commands::verify_deal::VerifyDeal),
    #[cfg(feature = "serve")]
    Watch(commands::watch::Watch),
    Solve(commands::solve::Solve),
    Bench(commands::bench::Bench),
    #[command(hide = true)]
    BenchLoop(commands::bench::BenchLoop),
    Completions(commands::completions::Completions),
    Man(commands::man::Man),
}

impl Command {
    /// Returns the file that replaces standard output.
    fn to(&self) -> Option<&Path> {
        match self {
            Self::Arena(command) => command.to.path(),
            Self::Describe(command) => command.to.path(),
            Self::Observe(command) => command.to.path(),
            Self::Solve(command) => command.to.path(),
            Self::Trace(command) => command.to.path(),
            _ => None,
        }
    }

    fn run(self, out: &mut Output) -> Result<(), CliError> {
        match self {
            Self::Games(command) => command.run(out),
            Self::Bots(command) => command.run(out),
            Self::Describe(command) => command.run(out),
            #[cfg(feature = "train")]
            Self::Init(command) => command.run(out),
            #[cfg(feature = "train")]
            Self::Train(command) => command.run(out),
            #[cfg(feature = "train")]
            Self::Sweep(command) => command.run(out),
            Self::Arena(command) => command.run(out),
            #[cfg(feature = "train")]
            Self::Exploit(command) => command.run(out),
            Self::Levels(command) => command.run(out),
            #[cfg(feature = "train")]
            Self::Beliefs(command) => command.run(out),
            Self::Export(command) => command.run(out),
            Self::Verify(command) => command.run(out),
            Self::Report(command) => command.run(out),
            Self::Advise(command) => command.run(out),
            Self::Observe(command) => command.run(out),
            Self::Bot(command) => command.run(out),
            Self::Play(command) => command.run(out),
            Self::Rules(command) => command.run(out),
            Self::Trace(command) => command.run(out),
            Self::Replay(command) => command.run(out),
            Self::Review(command) => command.run(out),
            Self::Puzzle(command) => command.run(out),
            #[cfg(feature = "dataset")]
            Self::Dataset(command) => command.run(out),
            #[cfg(feature = "serve")]
            Self::Serve(command) => command.run(out),
            #[cfg(feature = "serve")]
            Self::VerifyDeal(command) => command.run(out),
            #[cfg(feature = "serve")]
            Self::Watch(command) => command.run(out),
            Self::Solve(command) => command.run(out),
            Self::Bench(command) => command.run(out),
            Self::BenchLoop(command) => command.run(out),
            Self::Completions(command) => command.run(Cli::command(), out),
            Self::Man(command) => command.run(Cli::command(), out),
        }
    }
}

/// Runs the command with the arguments of this process, for the games of `cardsharp-env` and these games. The first
/// call in a process sets the list of games.
///
/// Exit codes: 0 success; 1 failure, or two games with one name; 2 invalid input; 3 the input of `play` ended before
/// the session. If a signal stopped a run that can be resumed, the code is 128 plus the signal's number.
pub fn main_with(games: &[&'static dyn AnyGame]) -> ExitCode {
    match games.iter().try_fold(Games::shipped(), |list, game| list.with(*game)) {
        Ok(games) => games::set(games),
        Err(error) => {
            // Ignore errors: the terminal may be closed, and the exit code reports the failure.
            let _ = writeln!(io::stderr(), "Error: {error}");
            return ExitCode::FAILURE;
        }
    }
    // Control characters in the arguments cannot be distinguished from the styles of clap's messages.
    let plain = std::env::args_os().all(|word| escape::is_plain(&word.to_string_lossy()));
    terminal::choose_color(std::env::args_os().skip(1));
    let width = terminal::width();
    let command = Cli::command().mut_subcommands(args::with_numbers).term_width(width);
    let command = if plain { command } else { command.styles(Styles::plain()) };
    let mut command = groups::with_groups(command, width);
    let words = command.try_get_matches_from_mut(std::env::args_os());
    let cli = match words.and_then(|mut words| Cli::from_arg_matches_mut(&mut words)) {
        Ok(cli) => cli,
        Err(mut error) => {
            args::suggest_options(&mut error, &command);
            return misunderstood(&error, plain);
        }
    };
    match run(cli) {
        Ok(()) | Err(CliError::Closed) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.code();
            // Ignore errors: the terminal may be closed, and the exit code reports the failure.
            let _ = write!(std::io::stderr(), "{}", error.report());
            ExitCode::from(code)
        }
    }
}

fn run(cli: Cli) -> Result<(), CliError> {
    signals::prepare()?;
    let mut out = match cli.command.to() {
        Some(path) => Output::file(path, cli.json)?,
        None => Output::stdout(cli.json),
    };
    cli.command.run(&mut out)?;
    out.finish()?;
    bots::check_log()
}

/// Prints help, the version, or the error of the command line.
fn misunderstood(error: &clap::Error, plain: bool) -> ExitCode {
    let rendered = error.render();
    let printed = match error.use_stderr() {
        false if OutputStream::Out.has_color() => write!(io::stdout(), "{}", rendered.ansi()),
        false => write!(io::stdout(), "{rendered}"),
        true => {
            let colour = plain && OutputStream::Err.has_color();
            // Without colors, clap also removes typed characters that look like a color. The person should see them.
            let text = if plain && !colour { rendered.to_string() } else { rendered.ansi().to_string() };
            let text = args::in_plain_words(text);
            let text = if colour { text } else { escape::message(&text) };
            let text = OutputStream::Err
                .columns()
                .map_or_else(|| text.clone(), |columns| terminal::fit(&text, columns));
            io::stderr().write_all(text.as_bytes())
        }
    };
    // It is no failure if the reader has closed the output.
    match printed {
        Err(problem) if problem.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1)),
    }
}
