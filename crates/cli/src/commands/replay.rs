use std::path::PathBuf;

use cardsharp_text::format::counted;
use cardsharp_text::input::{self, Lines, TRACE_LINE};
use serde_json::json;

use crate::error::CliError;
use crate::output::Output;
use crate::recording::replay;

/// Replay a trace and check that every line follows the rules.
///
/// Deals and chance events are computed from the rules and the seed of the header, or from its deal if it has one; moves
/// come from the trace. Every line must match. The first line that does not match is reported with the difference.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp replay game.jsonl
  cardsharp replay left.jsonl --unfinished
  cardsharp trace dalmuti --bots scripted --seed 7 | cardsharp replay -

More: ", docs!("trace.html")))]
pub(crate) struct Replay {
    /// The trace; `-` reads standard input
    file: PathBuf,
    /// Accept an unfinished session
    #[arg(long)]
    unfinished: bool,
}

impl Replay {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let checked = replay::check(Lines::open(&self.file, TRACE_LINE)?, self.unfinished);
        let summary = checked.map_err(|error| error.in_input(input::name(&self.file)))?;
        if out.json {
            return out.json_page(&json!({ "follows_the_rules": true, "trace": summary }));
        }
        let end = if summary.over { "" } else { " The session is not over." };
        out.line(format!(
            "The trace follows the rules: {}, {} players, {}, {} in {}.{end}",
            summary.game,
            summary.players,
            counted(u64::from(summary.rounds), "round"),
            counted(summary.decisions, "decision"),
            counted(summary.lines as u64, "line")
        ))
    }
}
