//! `cardsharp play GAME`.

mod game_loop;
mod interface;
mod lessons;
mod players;
mod prompt;
mod recording;

use std::path::PathBuf;
use std::time::Duration;

use cardsharp_bot::Means;
use cardsharp_bot::bots::levels::at_level;
use cardsharp_bot::bots::{path_of, resolved};
use cardsharp_env::{AnyTable, Seat};
use cardsharp_text::input::InputError;
use cardsharp_tui::{RESULTS, Screen, ScreenError};

use crate::args::{DealArgs, GameArg, RulesArgs, ThinkingArgs, fresh_seed};
use crate::bots::{all_resolved, warn_of_strange_rules};
use crate::error::CliError;
use crate::output::Output;
use crate::signals::{Signals, job_control};
use crate::tables;
use crate::terminal::Stream;
use game_loop::GameLoop;
use interface::{Channel, Interface};
use lessons::{Lessons, When};
use players::Players;
use prompt::LineReader;
use recording::Recording;

/// Play against bots in the terminal.
///
/// Choose moves with the arrow keys or type them; press F1 for a list of keys. The first round comes with explanations.
///
/// With --plain, or without a full terminal, the game prints lines instead: the view of your seat and the legal moves. Type a
/// move (`7x3+J`) or its number (`#2`). `hint` asks a bot, `undo` takes back your last move, `help` lists all commands.
///
/// With --json, every position and move is a JSON line, for other front ends, and commands start with a `/`. Exits with 3
/// if the input ends before the session does.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp play dalmuti
  cardsharp play dalmuti --against trained --players 6 --rounds 3
  cardsharp play dalmuti --against runs/quickstart-1/bundle
  cardsharp play dalmuti --level 3 --pause 0
  cardsharp play tahimi --plain
  cardsharp play dalmuti --against cautious,aggressive --seed 7 --seat 2
  cardsharp play taki --against scripted --hints search:500ms
  cardsharp play tachtigen --against trained --trace game.jsonl && cardsharp review game.jsonl

Opponents and --hints can search: `search`, `search:200` (playouts per decision), `search:50ms` (milliseconds per \
decision), and with a network `search:200+trained`.

More: ", docs!("play.html"), " and ", docs!("search.html")))]
pub(crate) struct Play {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// The opponents, from the seat after yours on, repeated to fill all seats: `random`, `scripted`, `cautious`,
    /// `aggressive`, `search`, `trained` for the bot that ships for the game, `exec:COMMAND`, a bundle or a checkpoint
    /// [default: scripted]
    #[arg(long, value_name = "BOT,…", value_delimiter = ',')]
    against: Vec<String>,
    /// Level of the trained opponents, 1 (weak) to 10 (strong); other opponents are not affected. Without --against the
    /// opponents are `trained`
    #[arg(long, value_name = "1..10", value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// The bot that gives hints [default: the first opponent; `scripted` if that is `random`]
    #[arg(long, value_name = "BOT")]
    hints: Option<String>,
    /// Your seat, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    seat: u8,
    /// Seed of seating, deals and chance events [default: random, printed at the start]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Write the session to this file as a trace; `cardsharp review` shows what your moves cost
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Replace an existing session in the file of --trace
    #[arg(long, requires = "trace")]
    overwrite: bool,
    /// Explain decisions and moves in every round
    #[arg(long, overrides_with = "no_explain")]
    explain: bool,
    /// Do not explain anything [default: explain the first round on a terminal]
    #[arg(long, overrides_with = "explain")]
    no_explain: bool,
    /// Rounds in the session [default: from the rules]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Print lines instead of using the full screen; the default for pipes and dumb terminals
    #[arg(long)]
    plain: bool,
    /// Pause after each move of an opponent on the full screen, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(..=60_000))]
    pause: u64,
    #[command(flatten)]
    deal: DealArgs,
    #[command(flatten)]
    thinking: ThinkingArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Returns the default bot for hints: the first opponent at full strength, or `scripted` if that is `random`.
fn adviser(against: &[String]) -> &str {
    match against[0].as_str() {
        "random" => "scripted",
        other => other,
    }
}

impl Play {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let game = self.game.0;
        let rules = self.rules.resolve(game, self.rounds)?;
        let seed = self.seed.unwrap_or_else(fresh_seed);
        let table = self.deal.table(&rules, seed)?;
        let seats = table.seats();
        let me = Seat(self.seat);
        if me.index() >= seats {
            let expected = format!("expected 0 to {}", seats - 1);
            return Err(CliError::Option { option: "--seat", given: self.seat.to_string(), expected });
        }
        let on_screen = !out.json && !self.plain && Stream::Out.is_drawable() && !prompt::is_piped();
        // Errors of `exec:` bots would be drawn over the screen.
        let means = Means { forward_errors: !on_screen, ..self.thinking.means(0.0, 0)? };
        let mut against = self.against;
        if against.is_empty() {
            against.push(match self.level {
                Some(_) => game.name().to_owned(),
                None => "scripted".to_owned(),
            });
        }
        let hints = self.hints.unwrap_or_else(|| adviser(&against).to_owned());
        let (mut against, hints) = (all_resolved(&against, game), resolved(&hints, game.name()).into_owned());
        if let Some(level) = self.level {
            let networks = against.iter().any(|name| path_of(name).is_some());
            let leveled = against.iter().map(|name| match path_of(name) {
                // The level applies to at least one opponent.
                None if networks => Ok(name.clone()),
                _ => at_level(name, level),
            });
            against = leveled.collect::<Result<_, _>>()?;
        }
        warn_of_strange_rules(against.iter().chain([&hints]), &rules);
        let players = Players::new(game, me, seats, against, &hints, means, seed)?;
        let when = match () {
            () if self.explain => When::Always,
            () if self.no_explain || out.json || prompt::is_piped() => When::Never,
            () => When::FirstRound,
        };
        let lessons = Lessons::new(game.name(), when);
        let recording = match self.trace {
            Some(path) => Some(Recording::begin(path, self.overwrite, table.as_ref(), &players.names)?),
            None => None,
        };
        let head = format!("{}, {seats} players, seed {seed}", game.title());
        if on_screen {
            let screen =
                Screen::new(game.name(), head.clone(), Duration::from_millis(self.pause), out.colour);
            return play_on_screen(out, &head, screen, table, players, lessons, recording);
        }
        if !out.json {
            out.line(out.bold(head))?;
            out.line("Type a move from the list or its number (`#1`). Type `help` for all commands.")?;
        }
        // A signal ends the session, so that the trace can be completed.
        let reader = if recording.is_some() { LineReader::until_signal()? } else { LineReader::Blocking };
        let interface = Interface::new(out, Channel::Lines(reader), game.name());
        GameLoop::new(interface, table, players, lessons, recording).run()
    }
}

/// Plays a session on the screen until it is over or the person leaves. Prints the last results afterwards.
fn play_on_screen(
    out: &mut Output,
    head: &str,
    mut screen: Screen,
    table: Box<dyn AnyTable>,
    players: Players,
    lessons: Lessons,
    recording: Option<Recording>,
) -> Result<(), CliError> {
    let signals = Signals::catch()?;
    let color = out.colour;
    let ended = cardsharp_tui::run(&mut screen, signals.stop(), job_control(), |link| {
        let mut lines = Output::text_to(link.lines(), color);
        let game = table.game().to_owned();
        let interface = Interface::new(&mut lines, Channel::Screen(link), &game);
        GameLoop::new(interface, table, players, lessons, recording).run()
    });
    if signals.is_set() {
        return Err(signals.interrupted());
    }
    ended.map_err(from_screen)??;
    out.line(out.bold(head))?;
    if let Some(results) = screen.results() {
        out.line(tables::table(&RESULTS, &[0, 2, 3], results.rows.clone()))?;
    }
    out.line(screen.last_line().unwrap_or("You left the table."))
}

fn from_screen(error: ScreenError) -> CliError {
    match error {
        ScreenError::Write(source) => CliError::from_stdout(source),
        ScreenError::Read(source) => InputError::Read { name: "the terminal".to_owned(), source }.into(),
        ScreenError::Signals(source) => CliError::Signals(source),
    }
}
