//! `cardsharp play GAME`.

mod between;
mod company;
mod lessons;
mod names;
mod parlour;
mod prompt;
mod recording;
mod screen;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use cardsharp_bot::Means;
use cardsharp_bot::bots::levels::at_level;
use cardsharp_bot::bots::path_of;
use cardsharp_env::Seat;

use crate::args::{DealArgs, GameArg, RulesArgs, ThinkingArgs, fresh_seed};
use crate::bots::warn_of_strange_rules;
use crate::error::CliError;
use crate::output::Output;
use company::Company;
use lessons::{Lessons, When};
use parlour::{Asked, Parlour};
use prompt::Typed;
use recording::Recording;
use screen::Screen;

/// Play against bots at a terminal.
///
/// A terminal shows the table on its whole screen, where moves are chosen with the arrow keys or by typing; F1 lists the
/// keys. With --plain, and where there is no such terminal, it is told in lines: what your seat may know, and the legal
/// moves. Type a move as it is written (`7x3+J`) or
/// its number (`#2`); `hint` asks a bot, `undo` takes your last move back, `help` lists the rest. At a terminal the first round
/// is explained as it goes on.
/// Where a game lets players come and go, you can send them away and call them between rounds, yourself
/// too. With --json, every position and move is a line of JSON instead, for other front ends, and commands
/// begin with a `/` (`docs/play.md`). Exits with 3 if the input ends before the session does.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp play dalmuti --against scripted
  cardsharp play dalmuti --against dalmuti --players 6 --rounds 3
  cardsharp play dalmuti --against runs/quickstart-1/bundle
  cardsharp play dalmuti --level 3 --pause 0
  cardsharp play tahimi --plain
  cardsharp play dalmuti --against cautious,aggressive --seed 7 --seat 2
  cardsharp play taki --against scripted --hints search:500ms
  cardsharp play tachtigen --against tachtigen --trace game.jsonl && cardsharp review game.jsonl

Opponents and advisers may search (docs/search.md): `search`, `search:200` (tries per decision),
`search:50ms`, and with a network `search:200+dalmuti`.")]
pub(crate) struct Play {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// The other players, from the seat after yours on; repeated until every seat is taken. A game's name is
    /// the bot that ships for it [default: scripted]
    #[arg(long, value_name = "BOT,…", value_delimiter = ',')]
    against: Vec<String>,
    /// How strong the others are, 1 to 10: those that are networks play at this level of theirs, the others as they are
    /// [default opponent then: the bot that ships for the game]
    #[arg(long, value_name = "1..10", value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// Who gives hints [default: the first opponent, or `scripted` against `random`]
    #[arg(long, value_name = "BOT")]
    hints: Option<String>,
    /// Your seat, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    seat: u8,
    /// The seed of seating, deals and chance [default: a new one, which is shown]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Write the session to this file as a trace, move by move; `cardsharp review` tells what your moves cost
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Replace the session that is in the file of --trace
    #[arg(long, requires = "trace")]
    overwrite: bool,
    /// Explain what is asked and what moves do, in every round
    #[arg(long, overrides_with = "no_explain")]
    explain: bool,
    /// Explain nothing [default: the first round is explained at a terminal]
    #[arg(long, overrides_with = "explain")]
    no_explain: bool,
    /// Rounds in the session [default: as the rules say]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Plain lines instead of the full screen; they are what a pipe gets, and a terminal that calls itself `dumb`
    #[arg(long)]
    plain: bool,
    /// How long the screen shows a move of the others before the next one, in milliseconds; 0 shows them at once
    #[arg(long, value_name = "MS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(..=60_000))]
    pause: u64,
    #[command(flatten)]
    deal: DealArgs,
    #[command(flatten)]
    thinking: ThinkingArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Who gives hints if nobody was asked to: the first opponent, at its best.
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
        let players = table.seats();
        let me = Seat(self.seat);
        if me.index() >= players {
            let expected = format!("expected 0 to {}", players - 1);
            return Err(CliError::Option { option: "--seat", given: self.seat.to_string(), expected });
        }
        let on_screen = !out.json && !self.plain && screen::is_possible();
        // What a program writes to standard error would be drawn over the screen.
        let means = Means { forward_errors: !on_screen, ..self.thinking.means(0.0, 0)? };
        let mut against = self.against;
        if against.is_empty() {
            against.push(match self.level {
                Some(_) => game.name().to_owned(),
                None => "scripted".to_owned(),
            });
        }
        let hints = self.hints.unwrap_or_else(|| adviser(&against).to_owned());
        if let Some(level) = self.level {
            let networks = against.iter().any(|name| path_of(name).is_some());
            let leveled = against.iter().map(|name| match path_of(name) {
                // One at least is to play at that level.
                None if networks => Ok(name.clone()),
                _ => at_level(name, level),
            });
            against = leveled.collect::<Result<_, _>>()?;
        }
        warn_of_strange_rules(against.iter().chain([&hints]), &rules);
        let company = Company::new(game, me, players, against, &hints, means, seed)?;
        let when = match () {
            () if self.explain => When::Always,
            () if self.no_explain || out.json || prompt::is_piped() => When::Never,
            () => When::FirstRound,
        };
        let lessons = Lessons::new(game.name(), when);
        let recording = match self.trace {
            Some(path) => Some(Recording::begin(path, self.overwrite, table.as_ref(), &company.names)?),
            None => None,
        };
        let head = format!("{}, {players} players, seed {seed}", game.title());
        if on_screen {
            let screen = Screen::new(game.name(), head, Duration::from_millis(self.pause), out.colour);
            return screen::play(out, screen, table, company, lessons, recording);
        }
        if !out.json {
            out.line(out.bold(head))?;
            out.line("Type a move as it is listed, or its number (`#1`); `help` shows the rest.")?;
        }
        // A signal ends the session, and the trace is completed.
        let typed = if recording.is_some() { Typed::until_signal()? } else { Typed::Plain };
        Parlour::new(out, table, company, lessons, recording, Asked::Lines(typed)).run()
    }
}
