//! Checks a trace: replays the session from the header and the choices, and compares every line.

use cardsharp_bot::file::by_a_newer;
use cardsharp_env::game::DealError;
use cardsharp_env::log::{Comparing, Header, Line, TRACE, difference};
use cardsharp_env::rules::RulesError;
use cardsharp_env::table::MoveError;
use cardsharp_env::trace::problem_of_bots;
use cardsharp_env::{ActionId, AnyTable, Audience, GameRules, Payoff};
use cardsharp_text::escape::quoted;
use cardsharp_text::input::{InputError, Lines};
use serde_json::Value;

use super::{Recorder, record};
use crate::error::{CliError, Failure};
use crate::games;

/// Why a trace is invalid. Lines count from 1.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InvalidTrace {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("line {line}: not JSON: {source}")]
    Json { line: usize, source: serde_json::Error },
    /// The first line is not the header of a trace.
    #[error("line 1: not the header of a trace: {0}")]
    Header(String),
    /// The rules of the header are refused.
    #[error("line 1: rules: {0}")]
    Rules(#[from] RulesError),
    /// The deal of the header is refused.
    #[error("line 1: deal: {0}")]
    Deal(#[from] DealError),
    /// A line differs from what the rules give.
    #[error("line {line}: {} is {}, but the rules give {}", quoted(at), quoted(found), quoted(expected))]
    Differs {
        line: usize,
        /// The field, as a path within the line.
        at: String,
        /// The value according to the rules.
        expected: String,
        /// The value in the trace.
        found: String,
    },
    /// The chosen move is not legal.
    #[error("line {line}: seat {seat} cannot play {} here; legal: {legal}", quoted(choice))]
    Illegal {
        line: usize,
        seat: u8,
        /// The choice, as JSON.
        choice: String,
        legal: String,
    },
    /// The trace ends before the session.
    #[error("line {line}: the trace ends here, but the session is not over: expected {expected}")]
    Ends {
        line: usize,
        /// A description of the missing line.
        expected: String,
    },
    /// The trace continues after the end of the session.
    #[error("line {line}: the session was over before this line: expected the end of the trace")]
    Extra { line: usize },
    /// The table refused a move that it listed as legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A line cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Write(serde_json::Error),
}

impl InvalidTrace {
    /// Whether the input is no trace at all, rather than one that breaks the rules.
    fn is_input(&self) -> bool {
        matches!(self, Self::Input(_) | Self::Json { .. } | Self::Header(_) | Self::Rules(_) | Self::Deal(_))
    }

    /// Converts the error of the trace in the input of this name.
    pub(crate) fn in_input(self, name: String) -> CliError {
        match self {
            // This error names its file already.
            Self::Input(error) => error.into(),
            source => TraceFileError { name, source }.into(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", quoted(name))]
struct TraceFileError {
    name: String,
    source: InvalidTrace,
}

impl Failure for TraceFileError {
    fn code(&self) -> u8 {
        if self.source.is_input() { 2 } else { 1 }
    }
}

/// Statistics of a checked trace.
#[derive(Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Summary {
    pub(crate) game: String,
    pub(crate) players: usize,
    pub(crate) rounds: u32,
    pub(crate) decisions: u64,
    pub(crate) lines: usize,
    /// Whether the session was played to its end.
    pub(crate) over: bool,
}

/// Observes a session while its trace is checked.
pub(crate) trait TraceObserver {
    /// The seat that must act is about to play `action`.
    fn decides(&mut self, _table: &dyn AnyTable, _action: ActionId) {}
    /// The round has ended with these payoffs.
    fn paid(&mut self, _payoff: &Payoff) {}
}

impl TraceObserver for () {}

/// Checks a whole trace. Only one line is in memory, because the trace may be long or endless. With `unfinished`, the
/// trace may end between two steps of the session.
pub(crate) fn check(lines: Lines, unfinished: bool) -> Result<Summary, InvalidTrace> {
    OpenTrace::open(lines)?.check_to(&mut (), unfinished)
}

/// A trace whose header is checked.
pub(crate) struct OpenTrace {
    reader: Reader,
    table: Box<dyn AnyTable>,
    /// The rules of the session.
    pub(crate) rules: GameRules,
    /// The name of the player in each seat.
    #[cfg(feature = "dataset")]
    pub(crate) bots: Vec<String>,
    /// Whether the cards of the first round were chosen.
    #[cfg(feature = "serve")]
    pub(crate) is_chosen: bool,
}

impl OpenTrace {
    pub(crate) fn open(lines: Lines) -> Result<Self, InvalidTrace> {
        let mut reader = Reader { lines, due: None, at: 0, decisions: 0, within: false };
        reader.advance()?;
        let header = header(reader.due.as_ref())?;
        let game = games::game(&header.game)
            .ok_or_else(|| InvalidTrace::Header(format!("there is no game `{}`", quoted(&header.game))))?;
        let rules = game.rules(&header.rules)?;
        let table = match &header.deal {
            None => rules.table(header.seed),
            Some(deal) => rules.table_of(header.seed, deal)?,
        };
        let full = Header { rules: rules.json().clone(), players: rules.seats(), ..header };
        if let Some(problem) = problem_of_bots(&full.bots, full.players) {
            return Err(InvalidTrace::Header(problem));
        }
        #[cfg(feature = "dataset")]
        let bots = full.bots.clone();
        #[cfg(feature = "serve")]
        let is_chosen = full.deal.is_some();
        reader.line(&Line::Header(full))?;
        reader.within = false;
        Ok(Self {
            reader,
            table,
            rules,
            #[cfg(feature = "dataset")]
            bots,
            #[cfg(feature = "serve")]
            is_chosen,
        })
    }

    /// Returns the seed of the session.
    #[cfg(any(feature = "dataset", feature = "serve"))]
    pub(crate) fn seed(&self) -> u64 {
        self.table.seed()
    }

    /// Checks the lines after the header, to the end of the session.
    #[cfg(any(feature = "dataset", feature = "serve"))]
    pub(crate) fn check(self, watch: &mut dyn TraceObserver) -> Result<Summary, InvalidTrace> {
        self.check_to(watch, false)
    }

    fn check_to(mut self, watch: &mut dyn TraceObserver, unfinished: bool) -> Result<Summary, InvalidTrace> {
        let checker = &mut Checker { reader: &mut self.reader, watch };
        let over = match record(self.table.as_mut(), Audience::Referee, checker) {
            Err(InvalidTrace::Ends { .. }) if unfinished && !self.reader.within => false,
            checked => checked.map(|()| true)?,
        };
        let Reader { due, at, decisions, .. } = self.reader;
        if due.is_some() {
            return Err(InvalidTrace::Extra { line: at + 1 });
        }
        let (game, players) = (self.table.game().to_owned(), self.rules.seats());
        Ok(Summary { game, players, rounds: self.table.round(), decisions, lines: at, over })
    }
}

fn header(line: Option<&Value>) -> Result<Header, InvalidTrace> {
    let mut fields = match line {
        None => return Err(InvalidTrace::Header("the file is empty".to_owned())),
        Some(Value::Object(fields)) => fields.clone(),
        Some(other) => {
            return Err(InvalidTrace::Header(format!(
                "expected an object, found {}",
                quoted(&other.to_string())
            )));
        }
    };
    match fields.remove("line") {
        Some(kind) if kind == "header" => {}
        Some(kind) => {
            let kind = quoted(&kind.to_string());
            return Err(InvalidTrace::Header(format!("`line` is {kind}, expected \"header\"")));
        }
        None => return Err(InvalidTrace::Header("there is no field `line`".to_owned())),
    }
    match fields.get("format") {
        Some(format) if *format == TRACE => {}
        Some(format) => {
            let format = quoted(&format.to_string());
            let by = fields["format"].as_u64().map_or("", |given| by_a_newer(given, TRACE));
            return Err(InvalidTrace::Header(format!(
                "format {format}{by}; this program reads format {TRACE}"
            )));
        }
        None => return Err(InvalidTrace::Header("there is no field `format`".to_owned())),
    }
    serde_json::from_value(Value::Object(fields)).map_err(|e| InvalidTrace::Header(e.to_string()))
}

/// The lines of a trace, each compared with the one that the rules give.
struct Reader {
    lines: Lines,
    /// The next line to check; `None` after the last.
    due: Option<Value>,
    /// Number of lines before it.
    at: usize,
    decisions: u64,
    /// Whether only some lines of a step were read.
    within: bool,
}

impl Reader {
    /// Reads the next line to check.
    fn advance(&mut self) -> Result<(), InvalidTrace> {
        self.due = None;
        if let Some(text) = self.lines.next_line()? {
            let line = self.lines.number();
            // Blank lines count, too.
            self.at = line - 1;
            let due = serde_json::from_str(&text).map_err(|source| InvalidTrace::Json { line, source })?;
            self.due = Some(due);
        }
        Ok(())
    }

    /// Returns the choice in the next line, which must be a legal move.
    fn choice(&self, table: &dyn AnyTable) -> Result<ActionId, InvalidTrace> {
        let line = self.at + 1;
        let seat = table.turn().map_or(0, |s| s.0);
        let Some(found) = &self.due else {
            return Err(InvalidTrace::Ends { line, expected: format!("a decision of seat {seat}") });
        };
        if found.get("line").is_none_or(|kind| kind != "decision") {
            return Err(InvalidTrace::Differs {
                line,
                at: "line".to_owned(),
                expected: format!("\"decision\" of seat {seat}"),
                found: found.get("line").map_or_else(|| "missing".to_owned(), Value::to_string),
            });
        }
        let legal = table.legal();
        let choice = found.get("choice").and_then(Value::as_str);
        choice.and_then(|label| legal.iter().copied().find(|&a| table.label(a) == label)).ok_or_else(|| {
            InvalidTrace::Illegal {
                line,
                seat,
                choice: found.get("choice").map_or_else(|| "without a choice".to_owned(), Value::to_string),
                legal: legal.iter().map(|&a| table.label(a)).collect::<Vec<_>>().join(", "),
            }
        })
    }

    /// Compares the next line with the one that the rules give.
    fn line(&mut self, line: &Line) -> Result<(), InvalidTrace> {
        // Convert to text first, so that numbers compare as they are written.
        let text = serde_json::to_string(line).map_err(InvalidTrace::Write)?;
        let expected: Value = serde_json::from_str(&text).map_err(InvalidTrace::Write)?;
        let Some(found) = &self.due else {
            return Err(InvalidTrace::Ends { line: self.at + 1, expected: text });
        };
        if let Some((at, expected, found)) = difference(&expected, found, Comparing::Exactly) {
            return Err(InvalidTrace::Differs { line: self.at + 1, at, expected, found });
        }
        self.at += 1;
        self.within = true;
        self.decisions += u64::from(matches!(line, Line::Decision { .. }));
        self.advance()
    }
}

/// Checks a session during its replay, and shows it to an observer.
struct Checker<'r> {
    reader: &'r mut Reader,
    watch: &'r mut dyn TraceObserver,
}

impl Recorder for Checker<'_> {
    type Error = InvalidTrace;

    fn choose(&mut self, table: &dyn AnyTable) -> Result<ActionId, InvalidTrace> {
        let action = self.reader.choice(table)?;
        self.watch.decides(table, action);
        Ok(action)
    }

    fn line(&mut self, line: &Line) -> Result<(), InvalidTrace> {
        self.reader.line(line)
    }

    fn happened(&mut self, table: &dyn AnyTable) {
        self.reader.within = false;
        if let Some(payoff) = table.payoff() {
            self.watch.paid(&payoff);
        }
    }
}
