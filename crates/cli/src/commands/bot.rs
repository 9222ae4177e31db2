mod tables;

use std::path::Path;

use cardsharp_bot::bots::levels::at_level;
use cardsharp_bot::bots::program::words::{PROTOCOL, ProgramReply, ProgramRequest, Want, read};
use cardsharp_text::input::{InputError, Lines, TRACE_LINE};
use serde_json::Value;

use crate::args::{ThinkingArgs, temperature};
use crate::bots;
use crate::error::CliError;
use crate::games;
use crate::output::Output;
use tables::{LineProblem, ProgramTables};

/// Run a bot as a process that speaks the bot protocol: event logs in, moves out.
///
/// Reads JSON lines from standard input and writes JSON lines to standard output, for any number of tables at once. A
/// table starts with the header of a seat's event log, followed by its events; `go` asks for a move. An invalid line gets
/// an answer that says why, and the process continues. It exits at the end of its input.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp bot checkpoints/taki/bot
  cardsharp bot search:200+checkpoints/tahimi/bot --seed 7
  cardsharp arena taki --bots 'exec:cardsharp bot scripted,random' --players 4 --deals 100

More: ", docs!("protocol.html")))]
pub(crate) struct Bot {
    /// The bot, by any name that `cardsharp arena` accepts
    bot: String,
    /// Sampling temperature of a network, 0 to 100: 0 = argmax, 1 = sample from the policy
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = temperature)]
    temperature: f32,
    /// Level of play, for a bot with measured levels
    #[arg(long, value_name = "1..10", value_parser = clap::value_parser!(u8).range(1..=10), conflicts_with = "temperature")]
    level: Option<u8>,
    /// Seed at tables that do not send one
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    thinking: ThinkingArgs,
}

impl Bot {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let name = match self.level {
            Some(level) => at_level(&self.bot, level)?,
            None => self.bot.clone(),
        };
        let only = bots::game_of(&self.bot);
        let mut tables = ProgramTables::new(name, only, self.thinking.means(self.temperature, 0)?, self.seed);
        // Report a bot that cannot play at all now, not at the first table.
        let game = only.or_else(|| games::all().iter().next());
        if let Some(game) = game {
            tables.check(game)?;
        }
        let hello = ProgramReply::Hello {
            protocol: PROTOCOL,
            name: self.bot,
            games: only.map(|game| vec![game.name().to_owned()]),
            wants: vec![Want::Record],
        };
        let mut lines = Lines::open(Path::new("-"), TRACE_LINE)?;
        loop {
            let answer = match lines.next_line() {
                Ok(None) => return Ok(()),
                Ok(Some(text)) => understand(&text, &hello, &mut tables),
                Err(error @ (InputError::NoText { .. } | InputError::LongLine { .. })) => {
                    Err(LineProblem::of(error.to_string()))
                }
                Err(error) => return Err(error.into()),
            };
            let answer = match answer {
                Ok(None) => continue,
                Ok(Some(answer)) => answer,
                Err(LineProblem { table, id, problem }) => {
                    ProgramReply::Error { input: lines.number() as u64, table, id, problem }
                }
            };
            out.json_line(&answer)?;
            out.flush()?;
        }
    }
}

/// Handles a line and returns the answer, if there is one.
fn understand(
    text: &str,
    hello: &ProgramReply,
    tables: &mut ProgramTables,
) -> Result<Option<ProgramReply>, LineProblem> {
    let fields = read(text).map_err(|error| LineProblem::of(format!("not JSON: {error}")))?;
    let Some(fields) = fields else { return Ok(None) };
    let mut line = Value::Object(fields);
    let kind = line["line"].as_str().unwrap_or_default().to_ascii_lowercase();
    if !matches!(kind.as_str(), "hello" | "begin" | "go" | "forget" | "ping") {
        return tables.hear(line).map(|()| None);
    }
    // Check the version first, because another one may have other fields.
    if kind == "hello" && line["protocol"] != PROTOCOL {
        let given = &line["protocol"];
        return Err(LineProblem::of(format!("the table speaks protocol {given}; expected {PROTOCOL}")));
    }
    line["line"] = kind.into();
    let table = line["table"].as_u64();
    let id = if line["line"] == "go" { line["id"].clone() } else { Value::Null };
    let ask = serde_json::from_value(line).map_err(|error| {
        let problem = format!("not a line of the protocol: {error}");
        LineProblem { table, id: id.clone(), problem }
    })?;
    match ask {
        ProgramRequest::Hello { .. } => Ok(Some(hello.clone())),
        ProgramRequest::Begin { table, game, seat, seed } => {
            tables.begin(table, &game, seat, seed).map(|()| None)
        }
        ProgramRequest::Go { table, time_ms, tries, advice, view, .. } => {
            tables.go(table, id, (time_ms, tries), advice, view).map(Some)
        }
        ProgramRequest::Forget { table } => {
            tables.forget(table);
            Ok(None)
        }
        ProgramRequest::Ping { id } => Ok(Some(ProgramReply::Pong { id })),
    }
}
