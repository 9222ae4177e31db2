//! A front end in miniature: one person and some bots at a table, in a terminal.
//!
//! What is played and by whom is a JSON value ([`settings`]); the session goes through the checked driver of
//! `cardsharp-env`, and the person is told what the seat may know ([`parlour`]).

mod parlour;
mod settings;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use settings::Settings;

/// What is played if nothing else is said. Paths in it are relative to the root of the project.
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
        // Whoever closed the output wants to hear no more; that is no failure.
        Err(problem) if problem.kind() != ErrorKind::BrokenPipe => refuse(1, problem),
        _ => ExitCode::SUCCESS,
    }
}

/// Tells what is wrong; `code` is 2 for settings and 1 for everything else.
fn refuse(code: u8, problem: impl std::fmt::Display) -> ExitCode {
    eprintln!("Error: {problem}");
    ExitCode::from(code)
}
