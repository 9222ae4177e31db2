//! The lines between a table and a program. `docs/protocol.md` describes each of them.

use cardsharp_env::{ActionId, Seat, seed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version of the protocol, which is that of event logs.
pub use cardsharp_env::log::PROTOCOL;

/// A line from the table to the program. The table also sends the lines of a seat's event log, each with its `table`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case", deny_unknown_fields)]
pub enum ProgramRequest {
    /// The first line of all, before any table.
    Hello {
        /// The version of the protocol: [`PROTOCOL`].
        protocol: u32,
        /// The name of the sender.
        program: String,
        /// The version of the sender.
        version: String,
        /// The timeout for a move in milliseconds, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// Starts a seat at a table. It replaces an old table of the same number.
    Begin {
        /// The number of this seat at this table, unique in this process.
        table: u64,
        /// The game's name, as in `cardsharp games`.
        game: String,
        /// The seat that the program plays.
        seat: Seat,
        /// The seed for the bot's random numbers. It is independent of the seed of the session.
        #[serde(deserialize_with = "seed::read")]
        seed: u64,
    },
    /// Asks for a move.
    Go {
        /// The number of the table, from `begin`.
        table: u64,
        /// The answer repeats this value, if it is not null.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        id: Value,
        /// The time of a search in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_ms: Option<u64>,
        /// The playouts of a search.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tries: Option<u32>,
        /// Whether to rate every legal move.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        advice: bool,
        /// The labels of all legal moves.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        legal: Vec<String>,
        /// The view of the seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Value>,
        /// The observation row, one cell a value.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        row: Vec<u8>,
        /// The ids of all legal moves, in the order of `legal`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        actions: Vec<ActionId>,
    },
    /// Ends the use of a table.
    Forget {
        /// The number of the table, from `begin`.
        table: u64,
    },
    /// Asks for a sign of life.
    Ping {
        /// The answer repeats this value.
        #[serde(default)]
        id: Value,
    },
}

/// What a program wants to receive.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// The event log of its seat, line by line.
    Record,
    /// The view, with every decision.
    View,
    /// The labels of the legal moves, with every decision.
    Legal,
    /// The observation row, and the ids of the legal moves, with every decision.
    Row,
}

/// A line from the program to the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum ProgramReply {
    /// The first line, which answers the line `hello`.
    Hello {
        /// The version of the protocol: [`PROTOCOL`].
        protocol: u32,
        /// The name of the program.
        name: String,
        /// The games that it plays; missing means all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        games: Option<Vec<String>>,
        /// What it wants to receive.
        wants: Vec<Want>,
    },
    /// The move that a `go` asked for.
    Move {
        /// The number of the table, from the `go`.
        table: u64,
        /// The value from the `go`; null if it had none.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        id: Value,
        /// The label of the move.
        choice: String,
        /// The expected reward, if it was requested and the program estimates it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<f32>,
        /// A rating of every legal move, best first, if it was requested.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moves: Option<Value>,
    },
    /// The program did not understand a line.
    Error {
        /// The number of the line, from 1.
        #[serde(default)]
        input: u64,
        /// The table of the line, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<u64>,
        /// The value from the line, if it was a `go` that had one.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        id: Value,
        /// The problem and the expected content.
        problem: String,
    },
    /// A sign of life.
    Pong {
        /// The value from the `ping`.
        #[serde(default)]
        id: Value,
    },
    /// Any text, which has no effect.
    Info {
        /// The text, for people to read.
        text: String,
    },
}

impl ProgramReply {
    /// Parses a line of a program; `None` for a blank line. Accepts any content in fields that no reader needs. Errors
    /// name the fields that are needed.
    ///
    /// # Errors
    /// The problem and what was expected.
    pub fn read(line: &str) -> Result<Option<Self>, String> {
        let Some(fields) = read(line)? else { return Ok(None) };
        let kind = fields.get("line").ok_or("it has no `line`")?;
        let kind = kind.as_str().ok_or_else(|| format!("`line` is {kind}, expected text"))?;
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let other = |name: &str| fields.get(name).cloned().unwrap_or_default();
        Ok(Some(match kind.to_ascii_lowercase().as_str() {
            "hello" => Self::hello(&fields)?,
            "move" => {
                let choice = fields.get("choice").ok_or("it has no `choice`")?;
                let choice = choice.as_str();
                Self::Move {
                    table: whole(&fields, "table")?.ok_or("it has no `table`")?,
                    id: other("id"),
                    choice: choice
                        .ok_or_else(|| {
                            format!("`choice` is {}, expected the text of a move", other("choice"))
                        })?
                        .to_owned(),
                    value: other("value").as_f64().map(|value| value as f32),
                    moves: fields.get("moves").cloned(),
                }
            }
            "error" => Self::Error {
                input: whole(&fields, "input")?.unwrap_or_default(),
                table: whole(&fields, "table")?,
                id: other("id"),
                problem: text("problem"),
            },
            "pong" => Self::Pong { id: other("id") },
            "info" => Self::Info { text: text("text") },
            _ => return Err(format!("there is no line `{kind}`: expected hello, move, error, pong or info")),
        }))
    }

    /// Parses a `hello`. For another version of the protocol, only the version and the name are read.
    fn hello(fields: &Map<String, Value>) -> Result<Self, String> {
        let protocol = whole(fields, "protocol")?.ok_or_else(|| {
            format!("`hello` has no `protocol`: expected {PROTOCOL}, the version of the protocol")
        })?;
        let protocol = u32::try_from(protocol).unwrap_or(u32::MAX);
        let name = fields.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        if protocol != PROTOCOL {
            return Ok(Self::Hello { protocol, name, games: None, wants: Vec::new() });
        }
        let want = |text: String| {
            serde_json::from_value(Value::String(text.to_ascii_lowercase()))
                .map_err(|_| format!("`wants` has `{text}`: expected record, view, legal or row"))
        };
        let wants = texts(fields, "wants")?.unwrap_or_default().into_iter().map(want);
        Ok(Self::Hello {
            protocol,
            name,
            games: texts(fields, "games")?,
            wants: wants.collect::<Result<_, _>>()?,
        })
    }
}

/// Parses the fields of a line from another program; `None` for a blank line. Skips a byte order mark. Numbers that
/// JSON does not allow (`NaN`, `Infinity`), which Python and others write, become null.
///
/// # Errors
/// The line is not a JSON object.
pub fn read(line: &str) -> Result<Option<Map<String, Value>>, String> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() {
        return Ok(None);
    }
    let read = serde_json::from_str(line);
    match read.or_else(|error| serde_json::from_str(&without_nan(line)).map_err(|_| error)) {
        Ok(Value::Object(fields)) => Ok(Some(fields)),
        Ok(_) => Err("expected a JSON object".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Replaces the numbers that JSON does not allow by `null`, outside of strings.
fn without_nan(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let (mut rest, mut quoted) = (line, false);
    while let Some(c) = rest.chars().next() {
        let number =
            ["NaN", "-NaN", "Infinity", "-Infinity"].iter().find(|number| rest.starts_with(**number));
        let taken = match (quoted, c, number) {
            (false, _, Some(number)) => {
                text.push_str("null");
                number.len()
            }
            // An escaped character does not end a string.
            (true, '\\', _) => {
                let taken = rest.chars().take(2).map(char::len_utf8).sum();
                text.push_str(&rest[..taken]);
                taken
            }
            _ => {
                quoted ^= c == '"';
                text.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    text
}

/// Reads a whole number of at least 0, which may be written as `7.0`. Returns `None` if the field is missing or null.
fn whole(fields: &Map<String, Value>, name: &str) -> Result<Option<u64>, String> {
    let Some(value) = fields.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
    let of_float =
        || value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..9e15).contains(n)).map(|n| n as u64);
    match value.as_u64().or_else(of_float) {
        Some(number) => Ok(Some(number)),
        None => Err(format!("`{name}` is {value}, expected a whole number")),
    }
}

/// Reads a list of strings. Returns `None` if the field is missing or null.
fn texts(fields: &Map<String, Value>, name: &str) -> Result<Option<Vec<String>>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => serde_json::from_value(value.clone())
            .map(Some)
            .map_err(|_| format!("`{name}` is {value}, expected a list of names")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> ProgramReply {
        ProgramReply::read(line).unwrap().unwrap()
    }

    fn problem(line: &str) -> String {
        ProgramReply::read(line).unwrap_err()
    }

    #[test]
    fn what_is_harmless_is_read() {
        let plain = answer(r#"{"line":"move","table":7,"choice":"pass"}"#);
        for same in [
            "\u{feff}{\"line\":\"move\",\"table\":7,\"choice\":\"pass\"}\r\n",
            r#" {"line":"Move","table":7.0,"choice":"pass","value":NaN} "#,
            r#"{"line":"move","table":7,"choice":"pass","value":-Infinity,"thought":["NaN \" NaN",Infinity]}"#,
            r#"{"line":"move","table":7,"choice":"pass","value":"high","time":null}"#,
        ] {
            let ProgramReply::Move { table, choice, value: None, .. } = answer(same) else {
                panic!("{same}")
            };
            let ProgramReply::Move { table: expected, choice: own, .. } = &plain else { panic!("{plain:?}") };
            assert_eq!((table, &choice), (*expected, own), "{same}");
        }
        for blank in ["", "\n", " \t\r\n", "\u{feff}\n"] {
            assert_eq!(ProgramReply::read(blank), Ok(None));
        }
        let hello = ProgramReply::Hello { protocol: 1, name: String::new(), games: None, wants: Vec::new() };
        assert_eq!(answer(r#"{"line":"hello","protocol":1}"#), hello);
        assert_eq!(answer(r#"{"line":"hello","protocol":1.0,"name":3,"games":null,"wants":null}"#), hello);
        let ProgramReply::Hello { wants, .. } =
            answer(r#"{"line":"HELLO","protocol":1,"wants":["Legal","VIEW"]}"#)
        else {
            panic!("no hello")
        };
        assert_eq!(wants, [Want::Legal, Want::View]);
    }

    #[test]
    fn what_is_needed_is_refused_by_its_name() {
        for (line, expected) in [
            (r#"{"line":"move","choice":"pass"}"#, "it has no `table`"),
            (r#"{"line":"move","table":"7","choice":"pass"}"#, "`table` is \"7\", expected a whole number"),
            (r#"{"line":"move","table":7}"#, "it has no `choice`"),
            (r#"{"line":"move","table":7,"choice":3}"#, "`choice` is 3, expected the text of a move"),
            (r#"{"line":"bid"}"#, "there is no line `bid`: expected hello, move, error, pong or info"),
            (r#"{"table":7}"#, "it has no `line`"),
            (r#"{"line":7}"#, "`line` is 7, expected text"),
            ("[1]", "expected a JSON object"),
            (
                r#"{"line":"hello","name":"x"}"#,
                "`hello` has no `protocol`: expected 1, the version of the protocol",
            ),
            (
                r#"{"line":"hello","protocol":1,"wants":["rows"]}"#,
                "`wants` has `rows`: expected record, view, legal or row",
            ),
            (
                r#"{"line":"hello","protocol":1,"wants":"view"}"#,
                "`wants` is \"view\", expected a list of names",
            ),
        ] {
            assert_eq!(problem(line), expected);
        }
        assert!(problem("good day").starts_with("expected value at line 1"));
    }

    /// Its other fields may differ from those of this version.
    #[test]
    fn another_version_of_the_protocol_is_read_as_such() {
        let ProgramReply::Hello { protocol, .. } =
            answer(r#"{"line":"hello","protocol":3,"wants":{"all":true}}"#)
        else {
            panic!("no hello")
        };
        assert_eq!(protocol, 3);
    }
}
