//! `cardsharp replay FILE`.

use std::path::PathBuf;

use serde_json::json;

use crate::error::CliError;
use crate::input::{self, Lines, TRACE_LINE};
use crate::output::Output;
use crate::recording::replay;
use crate::tables::counted;

/// Play a trace again and refuse one that does not follow the rules.
///
/// Deals and chance come from the rules and the seed of the header (and from its deal, where somebody chose one), moves from the trace's choices;
/// every line must come out the same. The first that does not is named, with the difference.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp replay game.jsonl
  cardsharp replay left.jsonl --unfinished
  cardsharp trace dalmuti --bots scripted --seed 7 | cardsharp replay -")]
pub(crate) struct Replay {
    /// The trace; `-` reads standard input
    file: PathBuf,
    /// Accept a session that is not over, as it is saved when somebody leaves the table
    #[arg(long)]
    unfinished: bool,
}

impl Replay {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let checked = replay::check(Lines::open(&self.file, TRACE_LINE)?, self.unfinished);
        let summary = checked.map_err(CliError::trace(input::name(&self.file)))?;
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
