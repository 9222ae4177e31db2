//! A front end in miniature: one person and some bots at a table, in a terminal.
//!
//! A JSON value chooses the game and the players ([`settings`]). A table of `cardsharp-env` runs the session and
//! validates all moves. The person sees only what the seat may know ([`parlour`]).

mod parlour;
mod settings;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use settings::Settings;

/// The default settings. Their paths are relative to the root of the project.
const DEFAULT: &str = include_str!("../settings.json");

fn main() -> ExitCode {
    let (mut auto, mut text) = (false, DEFAULT.to_owned());
    for word in std::env::args_os().skip(1) {
        match word.to_string_lossy().as_ref() {
            "--auto" => auto = true,
            json if json.starts_with('{') => text = json.to_owned(),
            other => return refuse(2, format!("{other:?}: expected `--auto`, or settings as a JSON object")),
        }
    }
    let settings = serde_json::from_str::<Settings>(&text).map_err(Into::into);
    let mut parlour = match settings.and_then(|settings| settings.open(auto)) {
        Ok(parlour) => parlour,
        Err(problem) => return refuse(2, problem),
    };
    let played = parlour.play(&mut io::stdin().lock(), &mut io::stdout().lock());
    match played.and(parlour.write()) {
        // A closed output is no error: the reader needs no more lines.
        Err(problem) if problem.kind() != ErrorKind::BrokenPipe => refuse(1, problem),
        _ => ExitCode::SUCCESS,
    }
}

/// Prints an error. Its exit status `code` is 2 for wrong settings and 1 for all other errors.
fn refuse(code: u8, problem: impl std::fmt::Display) -> ExitCode {
    eprintln!("Error: {problem}");
    ExitCode::from(code)
}
