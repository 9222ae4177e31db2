//! Replays traces: every line must be what the rules give.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;

use cardsharp_engine::game::DealError;
use cardsharp_engine::log::{Audience, Comparing, Header, TRACE, difference};
use cardsharp_engine::table::{AnyTable, MoveError};
use cardsharp_engine::{GameRules, RulesError};

use crate::games::game;

/// The most characters in the name of a bot: as many as in a path.
const MOST_OF_NAME: usize = 4096;

/// Why a trace was refused. Lines count from 1.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TraceError {
    /// The first line is not the header of a trace.
    #[error("line 1: not the header of a trace: {0}")]
    Header(String),
    /// The rules of the header are refused.
    #[error("line 1: rules: {0}")]
    Rules(#[from] RulesError),
    /// The deal of the header is refused. In browsers every deal is refused, because the engine that they download
    /// cannot deal chosen cards.
    #[error("line 1: deal: {0}")]
    Deal(String),
    /// A line is not JSON.
    #[error("line {line}: not JSON: {source}")]
    Json {
        line: usize,
        /// The error of the JSON reader.
        source: serde_json::Error,
    },
    /// A line differs from what the rules give.
    #[error("line {line}: {at} is {found}, but the rules give {expected}")]
    Differs {
        line: usize,
        /// The field, as a path within the line.
        at: String,
        /// What the rules give.
        expected: String,
        /// What the trace has.
        found: String,
    },
    /// A decision is due, but the line has no choice or an unknown move.
    #[error("line {line}: {problem}")]
    Choice { line: usize, problem: String },
    /// The table refused a move.
    #[error("line {line}: {source}")]
    Move { line: usize, source: MoveError },
    /// The trace continues after the end of the session.
    #[error("line {0}: the session was over before this line")]
    Extra(usize),
    /// The trace ends before the last line of a move.
    #[error("line {line}: the trace ends here, but more lines are due: {expected}")]
    Ends {
        /// The number of the first missing line.
        line: usize,
        expected: String,
    },
}

/// Iterates over the lines of a trace or event log with their numbers, from 1. Skips the byte order mark and blank
/// lines that other programs add.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).map(|(line, number)| (number, line))
}

/// Replays a trace and returns its table. The trace may stop before the session does, but only where a choice is
/// due.
///
/// # Errors
/// The first line that differs from what the rules give, and what they give.
pub fn replay(trace: &str) -> Result<Box<dyn AnyTable>, TraceError> {
    let mut lines = lines(trace).map(|(line, text)| {
        serde_json::from_str::<Value>(text)
            .map(|value| (line, value))
            .map_err(|source| TraceError::Json { line, source })
    });
    let (_, first) = lines.next().ok_or_else(|| TraceError::Header("there is no line".to_owned()))??;
    let header = header(&first)?;
    let game = game(&header.game)
        .ok_or_else(|| TraceError::Header(format!("there is no game `{}`", header.game)))?;
    let mut table = begun(&game.rules(&header.rules)?, &header)?;
    if let Some(problem) = problem_of_bots(&header.bots, table.seats()) {
        return Err(TraceError::Header(problem));
    }
    same(1, &table.header(Audience::Referee, header.bots).json(), &first)?;
    let mut due: VecDeque<Value> = VecDeque::new();
    let tell = |table: &dyn AnyTable, due: &mut VecDeque<Value>| {
        due.extend(table.lines(table.steps(), Audience::Referee).iter().map(|line| line.json()));
    };
    tell(table.as_ref(), &mut due);
    let mut at = 1;
    for read in lines {
        let (line, found) = read?;
        at = line;
        // A round that starts with a decree has no lines before its first decision.
        while due.is_empty() {
            match table.turn() {
                Some(_) => choose(table.as_mut(), line, &found)?,
                None if table.deal_next() => {}
                None => return Err(TraceError::Extra(line)),
            }
            tell(table.as_ref(), &mut due);
        }
        if let Some(expected) = due.pop_front() {
            same(line, &expected, &found)?;
        }
    }
    match due.pop_front() {
        None => Ok(table),
        Some(expected) => Err(TraceError::Ends { line: at + 1, expected: expected.to_string() }),
    }
}

fn begun(rules: &GameRules, header: &Header) -> Result<Box<dyn AnyTable>, TraceError> {
    let refused = |error: DealError| TraceError::Deal(error.to_string());
    match &header.deal {
        None => Ok(rules.table(header.seed)),
        Some(deal) => rules.table_of(header.seed, deal).map_err(refused),
    }
}

fn header(line: &Value) -> Result<Header, TraceError> {
    let wrong = |problem: &str| TraceError::Header(problem.to_owned());
    let mut fields = line.as_object().cloned().ok_or_else(|| wrong("expected an object"))?;
    if fields.remove("line").is_none_or(|kind| kind != "header") {
        return Err(wrong("`line` is not \"header\""));
    }
    match fields.get("format") {
        Some(format) if *format == TRACE => {}
        Some(format) => {
            let problem = format!("`format` is {format}; this program reads format {TRACE}");
            return Err(TraceError::Header(problem));
        }
        None => return Err(wrong("there is no field `format`")),
    }
    Header::deserialize(&Value::Object(fields)).map_err(|error| TraceError::Header(error.to_string()))
}

/// Returns what is wrong with the names of the bots in a header, for this many seats; `None` if nothing is.
pub fn problem_of_bots(bots: &[String], seats: usize) -> Option<String> {
    if bots.len() != seats {
        let given = bots.len();
        return Some(format!("`bots` has {given} names, expected {seats}, one for each seat"));
    }
    let problem = |(seat, name): (usize, &String)| {
        let problem = match name.chars().count() {
            0 => "is empty".to_owned(),
            length if length > MOST_OF_NAME => format!("has {length} characters"),
            _ if name.contains(is_hidden) => {
                format!("is `{}`, which has characters that cannot be shown", name.escape_debug())
            }
            _ => return None,
        };
        let expected = format!("expected a name or path of 1 to {MOST_OF_NAME} characters that can be shown");
        Some(format!("`bots[{seat}]` {problem}, {expected}"))
    };
    bots.iter().enumerate().find_map(problem)
}

/// Whether a terminal would act on a character instead of showing it: control characters, including line ends, and
/// the marks that reorder text.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Plays the choice of a line.
fn choose(table: &mut dyn AnyTable, line: usize, found: &Value) -> Result<(), TraceError> {
    let wrong = |problem: String| TraceError::Choice { line, problem };
    let Some(label) = found["choice"].as_str() else {
        return Err(wrong("a decision is due here, and this line has no `choice`".to_owned()));
    };
    let action = table.parse(label).ok_or_else(|| wrong(format!("there is no move {label:?}")))?;
    table.try_play(action).map_err(|source| TraceError::Move { line, source })
}

fn same(line: usize, expected: &Value, found: &Value) -> Result<(), TraceError> {
    match difference(expected, found, Comparing::Exactly) {
        None => Ok(()),
        Some((at, expected, found)) => Err(TraceError::Differs { line, at, expected, found }),
    }
}
