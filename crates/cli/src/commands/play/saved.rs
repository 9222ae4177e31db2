//! Sessions that were played before, and where new ones are saved.

use std::fs;
use std::path::{Path, PathBuf};

use cardsharp_bot::arena::command::word;
use cardsharp_bot::bots::program::PREFIX;
use cardsharp_bot::bots::registry;
use cardsharp_bot::disk;
use cardsharp_env::trace::{self, TraceError};
use cardsharp_env::{AnyGame, AnyTable, Seat};
use cardsharp_text::escape::quoted;
use cardsharp_text::input::{self, LARGE};
use serde_json::Value;

use crate::args::program;
use crate::error::{CliError, Failure};
use crate::files;
use crate::games;
use crate::output::Output;

/// A session to continue.
pub(super) struct Saved {
    pub(super) game: &'static dyn AnyGame,
    pub(super) table: Box<dyn AnyTable>,
    pub(super) me: Seat,
    /// The opponents, from the seat after the person's on.
    pub(super) against: Vec<String>,
}

/// Why a session cannot be continued.
#[derive(Debug, thiserror::Error)]
pub(super) enum ResumeError {
    #[error("{}: {source}", quoted(name))]
    Trace { name: String, source: TraceError },
    #[error("{}: this program has no game `{game}`", quoted(name))]
    Game { name: String, game: &'static str },
    #[error("{}: the session is over; `cardsharp review` shows what its moves cost", quoted(name))]
    Over { name: String },
    #[error("{}: no seat is called `you`: only sessions of `cardsharp play` can be continued", quoted(name))]
    NoPerson { name: String },
    /// The file may come from another person.
    #[error(
        "{}: an opponent is an external program; name the opponents with --against to start it",
        quoted(name)
    )]
    Program { name: String },
}

impl Failure for ResumeError {
    fn code(&self) -> u8 {
        2
    }
}

impl Saved {
    /// Reads a session. `against` are other opponents than those in the file.
    pub(super) fn read(path: &Path, against: &[String]) -> Result<Self, CliError> {
        if disk::is_stdout(path) {
            let expected = "expected a file, because the session is continued in it".to_owned();
            return Err(CliError::Option { option: "--resume", given: path.display().to_string(), expected });
        }
        let name = || input::name(path);
        let text = input::read_text(path, LARGE)?;
        let table = trace::replay(&text).map_err(|source| ResumeError::Trace { name: name(), source })?;
        let game = table.game();
        let game = games::game(game).ok_or_else(|| ResumeError::Game { name: name(), game })?;
        if table.over() {
            return Err(ResumeError::Over { name: name() }.into());
        }
        let mut names = bots(&text);
        let me = names.iter().position(|name| name == "you");
        let me = me.ok_or_else(|| ResumeError::NoPerson { name: name() })?;
        names.rotate_left(me + 1);
        names.pop();
        if against.is_empty() && names.iter().any(|bot| bot.contains(PREFIX)) {
            return Err(ResumeError::Program { name: name() }.into());
        }
        let against = if against.is_empty() { names } else { against.to_vec() };
        Ok(Self { game, table, me: Seat(me as u8), against })
    }
}

/// Returns the names of the players in a trace.
fn bots(text: &str) -> Vec<String> {
    let first = trace::lines(text).next().map(|(_, line)| line).unwrap_or_default();
    let header: Value = serde_json::from_str(first).unwrap_or_default();
    let names = header["bots"].as_array().cloned().unwrap_or_default();
    names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Returns the file for sessions of a game without `--trace`, and creates its folder. `None` if there is no place for
/// it.
pub(super) fn usual_file(game: &str) -> Option<PathBuf> {
    let folder = registry::data_folder()?.join("sessions");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join(format!("{game}.jsonl")))
}

/// Moves an unfinished session to another file in its folder, so that a new session does not replace it. Returns that
/// file; `None` if there is no session in which the person made a decision.
pub(super) fn set_aside(path: &Path) -> Result<Option<PathBuf>, CliError> {
    let Ok(text) = input::read_text(path, LARGE) else { return Ok(None) };
    if !is_unfinished(&text) {
        return Ok(None);
    }
    let numbered = |number: u32| path.with_file_name(format!("{}-{number}.jsonl", disk::stem(path)));
    let Some(free) = (1..).map(numbered).find(|file| !file.exists()) else { return Ok(None) };
    let moved = fs::rename(path, &free);
    // Another program moved it at the same time.
    if moved.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return Ok(None);
    }
    moved.map_err(files::refused(&free))?;
    Ok(Some(free))
}

/// Whether the person made a decision in a trace, and its session is not over. A trace that this version cannot replay
/// counts as unfinished.
fn is_unfinished(text: &str) -> bool {
    let Some(me) = bots(text).iter().position(|name| name == "you") else { return false };
    let lines = trace::lines(text).filter_map(|(_, line)| serde_json::from_str::<Value>(line).ok());
    let mut decisions = lines.filter(|line| line["line"] == "decision");
    decisions.any(|line| line["seat"] == me) && trace::replay(text).map_or(true, |table| !table.over())
}

/// Says where an unfinished session was moved, and how to continue it.
pub(super) fn tell_moved(out: &mut Output, game: &str, path: &Path) -> Result<(), CliError> {
    let (program, file) = (program(), word(&path.display().to_string()));
    out.command(format!("Your unfinished session of {game} is now in {}", path.display()))?;
    out.command(format!("To continue it:\n  {program} play --resume {file}"))
}

/// Says where the session is, or why it was not saved, and how to review and continue it.
pub(super) fn tell_where(
    out: &mut Output,
    place: &Result<PathBuf, String>,
    is_over: bool,
) -> Result<(), CliError> {
    let path = match place {
        Ok(path) => path,
        Err(why) => {
            return out
                .line(format!("The session was not saved{why}. Add `--trace FILE` to save the next one."));
        }
    };
    let (program, file) = (program(), word(&path.display().to_string()));
    out.line("")?;
    out.command(format!("The session is in {}", path.display()))?;
    out.command(format!("To see what your mistakes cost:\n  {program} review {file}"))?;
    if is_over {
        return Ok(());
    }
    out.command(format!("To continue it:\n  {program} play --resume {file}"))
}
