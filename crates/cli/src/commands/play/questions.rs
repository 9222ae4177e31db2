//! What `play` asks before a session if the command line names no game.

use std::ops::RangeInclusive;

use cardsharp_bot::bots::levels::LEVELS;
use cardsharp_env::AnyGame;
use cardsharp_text::input;

use super::game_loop::InputClosed;
use crate::error::CliError;
use crate::games;
use crate::output::Output;

/// Asks for a game by its number or name.
pub(super) fn game(out: &mut Output) -> Result<&'static dyn AnyGame, CliError> {
    let games: Vec<_> = games::all().iter().filter(|game| !game.is_reference()).collect();
    let usual = games.iter().position(|game| game.name() == "dalmuti").unwrap_or_default();
    out.line(out.bold("Which game?"))?;
    for (number, game) in (1..).zip(&games) {
        let players = match game.players() {
            range if range.start() == range.end() => range.start().to_string(),
            range => format!("{} to {}", range.start(), range.end()),
        };
        out.line(format!("  {number}  {} ({players} players)", game.title()))?;
    }
    loop {
        let text = typed(out, &format!("Game [{}]: ", usual + 1))?;
        let named = |game: &&&'static dyn AnyGame| {
            [game.name(), game.title()].iter().any(|name| name.eq_ignore_ascii_case(&text))
        };
        let nth = if text.is_empty() { Some(usual + 1) } else { text.parse().ok() };
        let numbered = nth.and_then(|number: usize| games.get(number.checked_sub(1)?));
        if let Some(&game) = numbered.or_else(|| games.iter().find(named)) {
            return Ok(game);
        }
        out.line(format!("Type a number from 1 to {}, or the name of a game.", games.len()))?;
    }
}

/// Asks for the number of players; `usual` is that of the rules. In a game for one number of players it asks nothing.
pub(super) fn players(out: &mut Output, among: RangeInclusive<u8>, usual: u8) -> Result<u8, CliError> {
    if among.start() == among.end() {
        return Ok(usual);
    }
    number(out, &format!("Players, with you ({} to {})", among.start(), among.end()), among, usual)
}

/// Asks for the level of the bots.
pub(super) fn level(out: &mut Output, usual: u8) -> Result<u8, CliError> {
    number(out, &format!("Level of the bots (1 weak to {LEVELS} strong)"), 1..=LEVELS, usual)
}

fn number(out: &mut Output, what: &str, among: RangeInclusive<u8>, usual: u8) -> Result<u8, CliError> {
    loop {
        let text = typed(out, &format!("{what} [{usual}]: "))?;
        match text.parse() {
            _ if text.is_empty() => return Ok(usual),
            Ok(number) if among.contains(&number) => return Ok(number),
            _ => out.line(format!("Type a number from {} to {}.", among.start(), among.end()))?,
        }
    }
}

/// Returns the answer to a question.
fn typed(out: &mut Output, question: &str) -> Result<String, CliError> {
    out.text(question)?;
    out.flush()?;
    match input::typed()? {
        Some(line) => Ok(line.trim().to_owned()),
        None => {
            out.line("")?;
            Err(InputClosed.into())
        }
    }
}
