//! `cardsharp play GAME`.

mod game_loop;
pub(crate) mod interface;
pub(crate) mod lessons;
mod players;
pub(crate) mod prompt;
mod questions;
mod recording;
mod saved;

use std::path::PathBuf;
use std::time::Duration;

use cardsharp_bot::LoadOptions;
use cardsharp_bot::bots::levels::at_level;
use cardsharp_bot::bots::{path_of, resolved, shipped};
use cardsharp_env::{AnyGame, AnyTable, Seat};
use cardsharp_text::input::InputError;
use cardsharp_tui::{RESULTS, Screen, ScreenError};

use crate::args::{DealArgs, GameArg, RulesArgs, ThinkingArgs, fresh_seed};
use crate::bots::{all_resolved, warn_of_strange_rules};
use crate::error::{CliError, Failure};
use crate::games;
use crate::output::Output;
use crate::signals::{Signals, job_control};
use crate::tables;
use crate::terminal::{self, OutputStream};
use game_loop::GameLoop;
use interface::{Channel, Interface};
use lessons::{Lessons, When};
use players::Players;
use prompt::LineReader;
use recording::Recording;
use saved::Saved;

/// Play against bots in the terminal.
///
/// Choose moves with the arrow keys or type them; press F1 for a list of keys. The first round comes with explanations.
/// Without GAME, the command asks for the game, the number of players and the level of the bots.
///
/// With --plain, or without a full terminal, the game prints lines instead: the view of your seat and the legal moves. Type a
/// move (`7x3+J`) or its number (`#2`). `hint` asks a bot, `undo` takes back your last move, `help` lists all commands.
///
/// With --json, every position and move is a JSON line, for other front ends, and commands start with a `/`. Exits with 3
/// if the input ends before the session does.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp play
  cardsharp play dalmuti --players 6 --rounds 3
  cardsharp play dalmuti --against runs/quickstart-1/bundle
  cardsharp play dalmuti --level 3 --pause 0
  cardsharp play tahimi --plain
  cardsharp play dalmuti --against cautious,aggressive --seed 7 --seat 2
  cardsharp play taki --against scripted --hints search:500ms
  cardsharp play tachtigen --trace game.jsonl && cardsharp review game.jsonl
  cardsharp play --resume game.jsonl

Opponents and --hints can search: `search`, `search:200` (playouts per decision), `search:50ms` (milliseconds per \
decision), and with a network `search:200+trained`.

More: ", docs!("play.html"), " and ", docs!("search.html")))]
pub(crate) struct Play {
    /// The game [default: asks]
    #[arg(value_parser = GameArg::parser())]
    game: Option<GameArg>,
    /// The opponents, from the seat after yours on, repeated to fill all seats: `random`, `scripted`, `cautious`,
    /// `aggressive`, `search`, `trained` for the bot that ships for the game, `exec:COMMAND`, a bundle or a checkpoint
    /// [default: `trained` at level 5]
    #[arg(long, value_name = "BOT,…", value_delimiter = ',')]
    against: Vec<String>,
    /// Level of the trained opponents, 1 (weak) to 10 (strong); other opponents are not affected [default: 5
    /// without --against, 10 with it]
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
    /// Write the session to this file as a trace; `cardsharp review` shows what your moves cost [default: on a
    /// terminal, a file for the last session of the game]
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Continue the session in this trace
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "trace", "level", "seat", "seed", "rounds", "deal",
        "players", "rules", "set"])]
    resume: Option<PathBuf>,
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
    /// Show only ASCII characters, like S7 instead of ♠7; the default on a terminal whose locale is not UTF-8
    #[arg(long)]
    ascii: bool,
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

/// Level of the opponents without `--against`: medium. The web page has the same one.
const MEDIUM: u8 = 5;

/// The command line names no game, and there is no person to ask.
#[derive(Debug, thiserror::Error)]
#[error("a game is required: {0}")]
struct NoGame(String);

impl Failure for NoGame {
    fn code(&self) -> u8 {
        2
    }
}

/// Returns the default bot for hints: the first opponent at full strength, or `scripted` if that is `random`.
fn adviser<'a>(against: &'a [String], game: &'a str) -> &'a str {
    match against[0].as_str() {
        "random" => "scripted",
        leveled if leveled.strip_prefix(game).is_some_and(|level| level.starts_with('@')) => game,
        other => other,
    }
}

/// A session before its first move, or one that is continued.
struct Begun {
    game: &'static dyn AnyGame,
    table: Box<dyn AnyTable>,
    me: Seat,
    against: Vec<String>,
    trace: Option<Trace>,
}

/// The file for the trace of a session.
struct Trace {
    path: PathBuf,
    /// Whether an existing session may be replaced.
    overwrite: bool,
    /// Whether it is the file that sessions without `--trace` have.
    is_usual: bool,
}

impl Play {
    pub(crate) fn run(mut self, out: &mut Output) -> Result<(), CliError> {
        let is_person = !out.json && OutputStream::Out.columns().is_some() && !prompt::is_piped();
        out.ascii = !out.json && (self.ascii || terminal::is_ascii());
        let Begun { game, table, me, against, trace } = match self.resume.take() {
            Some(path) => self.resumed(path)?,
            None => self.fresh(out, is_person)?,
        };
        let (seats, seed) = (table.seats(), table.seed());
        let on_screen = is_person && !self.plain && OutputStream::Out.is_drawable();
        // Errors of `exec:` bots would be drawn over the screen.
        let means = LoadOptions { forward_errors: !on_screen, ..self.thinking.means(0.0, 0)? };
        let hints = self.hints.unwrap_or_else(|| adviser(&against, game.name()).to_owned());
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
        let rules = game.rules(&table.rules())?;
        warn_of_strange_rules(against.iter().chain([&hints]), &rules);
        let players = Players::new(game, me, seats, against, &hints, means, seed)?;
        let when = match () {
            () if self.explain => When::Always,
            () if self.no_explain || out.json || prompt::is_piped() => When::Never,
            () => When::FirstRound,
        };
        let lessons = Lessons::new(game.name(), when);
        let (recording, place) = match trace {
            Some(Trace { path, overwrite, is_usual }) => {
                let place = path.clone();
                match Recording::begin(path, overwrite, table.as_ref(), &players.names) {
                    Ok(recording) => (Some(recording), Ok(place)),
                    // The person did not ask for this file, so the session can be played without it.
                    Err(error) if is_usual => (None, Err(format!(": {error}"))),
                    Err(error) => return Err(error),
                }
            }
            None => (None, Err(String::new())),
        };
        let head = format!("{}, {seats} players, seed {seed}", game.title());
        let ended = if on_screen {
            let pause = Duration::from_millis(self.pause);
            let screen = Screen::new(game.name(), head.clone(), pause, out.colour, out.ascii);
            play_on_screen(out, &head, screen, table, players, lessons, recording)
        } else {
            play_in_lines(out, head, table, players, lessons, recording)
        };
        let is_over = matches!(ended, Ok(true));
        let told = if is_person { saved::tell_where(out, &place, is_over) } else { Ok(()) };
        ended.map(|_| ()).and(told)
    }

    /// Starts a session. Asks for the game and its players if the command line names none.
    fn fresh(&mut self, out: &mut Output, is_person: bool) -> Result<Begun, CliError> {
        let game = match self.game {
            Some(GameArg(game)) => game,
            None if is_person => {
                let game = questions::game(out)?;
                if self.rules.players.is_none() && self.rules.rules.is_none() {
                    let usual = game.default_rules().players() as u8;
                    self.rules.players = Some(questions::players(out, game.players(), usual)?);
                }
                if self.level.is_none() && self.against.is_empty() && shipped(game.name()).is_some() {
                    self.level = Some(questions::level(out, MEDIUM)?);
                }
                game
            }
            None => {
                let shown = games::all().iter().filter(|game| !game.is_reference());
                let names: Vec<&str> = shown.map(|game| game.name()).collect();
                return Err(NoGame(names.join(", ")).into());
            }
        };
        let rules = self.rules.resolve(game, self.rounds)?;
        let table = self.deal.table(&rules, self.seed.unwrap_or_else(fresh_seed))?;
        let me = Seat(self.seat);
        if me.index() >= table.seats() {
            let expected = format!("expected 0 to {}", table.seats() - 1);
            return Err(CliError::Option { option: "--seat", given: self.seat.to_string(), expected });
        }
        let mut against = std::mem::take(&mut self.against);
        if against.is_empty() {
            against.push(match self.level {
                None if shipped(game.name()).is_none() => "scripted".to_owned(),
                level => {
                    self.level = Some(level.unwrap_or(MEDIUM));
                    game.name().to_owned()
                }
            });
        }
        let trace = match self.trace.take() {
            Some(path) => Some(Trace { path, overwrite: self.overwrite, is_usual: false }),
            None if is_person => {
                let path = saved::usual_file(game.name());
                if let Some(moved) = path.as_deref().map(saved::set_aside).transpose()?.flatten() {
                    saved::tell_moved(out, game.title(), &moved)?;
                }
                path.map(|path| Trace { path, overwrite: true, is_usual: true })
            }
            None => None,
        };
        Ok(Begun { game, table, me, against, trace })
    }

    /// Continues the session in a trace.
    fn resumed(&mut self, path: PathBuf) -> Result<Begun, CliError> {
        let Saved { game, table, me, against } = Saved::read(&path, &self.against)?;
        Ok(Begun { game, table, me, against, trace: Some(Trace { path, overwrite: true, is_usual: false }) })
    }
}

/// Plays a session in lines, or in JSON lines. Returns whether it is over.
fn play_in_lines(
    out: &mut Output,
    head: String,
    table: Box<dyn AnyTable>,
    players: Players,
    lessons: Lessons,
    recording: Option<Recording>,
) -> Result<bool, CliError> {
    if !out.json {
        out.line(out.bold(head))?;
        out.line("Type a move from the list or its number (`#1`). Type `help` for all commands.")?;
    }
    // A signal ends the session, so that the trace can be completed.
    let reader = if recording.is_some() { LineReader::until_signal()? } else { LineReader::Blocking };
    let game = table.game().to_owned();
    let interface = Interface::new(out, Channel::Lines(reader), &game);
    GameLoop::new(interface, table, players, lessons, recording).run()
}

/// Plays a session on the screen until it is over or the person leaves. Prints the last results afterwards.
///
/// Returns whether the session is over.
fn play_on_screen(
    out: &mut Output,
    head: &str,
    mut screen: Screen,
    table: Box<dyn AnyTable>,
    players: Players,
    lessons: Lessons,
    recording: Option<Recording>,
) -> Result<bool, CliError> {
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
    let is_over = ended.map_err(from_screen)??;
    out.line(out.bold(head))?;
    if let Some(results) = screen.results() {
        out.line(tables::table(&RESULTS, &[0, 2, 3], results.rows.clone()))?;
    }
    out.line(screen.last_line().unwrap_or("You left the table."))?;
    Ok(is_over)
}

fn from_screen(error: ScreenError) -> CliError {
    match error {
        ScreenError::Write(source) => CliError::from_stdout(source),
        ScreenError::Read(source) => InputError::Read { name: "the terminal".to_owned(), source }.into(),
        ScreenError::Signals(source) => CliError::Signals(source),
    }
}
