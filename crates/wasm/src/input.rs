//! Reads values from JavaScript, and validates them.

use cardsharp_bot::file::{FileError, MAX_FILE};
use cardsharp_env::blocks::width;
use cardsharp_env::seed::{self, EXPECTED, SeedError};
use cardsharp_env::{ActionId, AnyGame, GAMES, Seat, game};
use js_sys::{JSON, JsString, Reflect, Uint8Array};
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::{JsCast, JsError, JsValue};

/// The maximum length of the text of a view, of rules or of a line, in UTF-16 units.
const LONGEST: u32 = 1 << 20;
/// The maximum length of a trace, in UTF-16 units.
const LONGEST_TRACE: u32 = 64 << 20;

/// Why a value from JavaScript is not valid.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JsInputError {
    /// The value has the wrong type.
    #[error("{what} is {found}: expected {expected}")]
    Kind {
        /// The name of the value.
        what: &'static str,
        /// A short form of the value.
        found: String,
        expected: &'static str,
    },
    /// The text is too long.
    #[error("{what} has {length} characters: expected at most {most}")]
    Long {
        /// The name of the value.
        what: &'static str,
        length: u32,
        most: u32,
    },
    /// The text is not JSON, or not the JSON of the expected type.
    #[error("{what}: {source}")]
    Json {
        /// The name of the value.
        what: &'static str,
        source: serde_json::Error,
    },
    /// The seed in an object with options is too large.
    #[error("`seed`: {0}")]
    Seed(#[from] SeedError),
    /// There is no such game.
    #[error("there is no game `{0}`: expected {known}", known = GAMES.iter().map(|game| game.name()).collect::<Vec<_>>().join(", "))]
    Game(String),
}

fn refused(what: &'static str, found: &JsValue, expected: &'static str) -> JsError {
    JsInputError::Kind { what, found: shown(found), expected }.into()
}

/// Describes a value in a few words, for messages.
fn shown(value: &JsValue) -> String {
    const MOST: usize = 40;
    if let Some(text) = value.dyn_ref::<JsString>() {
        let text = String::from(text.slice(0, MOST as u32 + 1));
        let short: String = text.chars().take(MOST).collect();
        return if short == text { format!("{text:?}") } else { format!("{short:?}…") };
    }
    if let Some(number) = value.as_f64() {
        return number.to_string();
    }
    match value.as_bool() {
        Some(truth) => truth.to_string(),
        None if value.is_undefined() => "missing".to_owned(),
        None if value.is_null() => "null".to_owned(),
        None if value.is_function() => "a function".to_owned(),
        None if value.is_bigint() => "a BigInt".to_owned(),
        None if value.is_symbol() => "a symbol".to_owned(),
        None => "an object".to_owned(),
    }
}

/// Reads a string of at most `most` UTF-16 units.
fn text_of(what: &'static str, value: &JsValue, most: u32) -> Result<String, JsError> {
    let text = value.dyn_ref::<JsString>().ok_or_else(|| refused(what, value, "a string"))?;
    if text.length() > most {
        return Err(JsInputError::Long { what, length: text.length(), most }.into());
    }
    Ok(String::from(text))
}

pub(crate) fn text(what: &'static str, value: &JsValue) -> Result<String, JsError> {
    text_of(what, value, LONGEST)
}

/// Reads the text of a trace.
pub(crate) fn trace(value: &JsValue) -> Result<String, JsError> {
    text_of("the trace", value, LONGEST_TRACE)
}

/// Returns the JSON text of an object, or a string unchanged, which must be JSON.
pub(crate) fn json_text(what: &'static str, value: &JsValue) -> Result<String, JsError> {
    if value.is_string() {
        return text(what, value);
    }
    if !value.is_object() || value.is_function() {
        return Err(refused(what, value, "an object, or its JSON as a string"));
    }
    // Fails for cycles, BigInts, and objects whose `toJSON` throws.
    let written =
        JSON::stringify(value).map_err(|_| refused(what, value, "an object that can be written as JSON"))?;
    text(what, written.as_ref())
}

/// Reads JSON from an object or a string. Undefined and null give `null`.
pub(crate) fn json(what: &'static str, value: &JsValue) -> Result<Value, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(Value::Null);
    }
    parsed(what, value)
}

/// Reads a type with a JSON form from an object or a string.
pub(crate) fn parsed<T: DeserializeOwned>(what: &'static str, value: &JsValue) -> Result<T, JsError> {
    let text = json_text(what, value)?;
    // Parses into a `Value` first, so that no type needs a second deserializer for text.
    let read = serde_json::from_str::<Value>(&text).and_then(|value| T::deserialize(&value));
    read.map_err(|source| JsInputError::Json { what, source }.into())
}

/// Like [`parsed`], but undefined gives the default.
pub(crate) fn parsed_or_default<T: DeserializeOwned + Default>(
    what: &'static str,
    value: &JsValue,
) -> Result<T, JsError> {
    if value.is_undefined() { Ok(T::default()) } else { parsed(what, value) }
}

/// Reads the names of the players by seat. Undefined means no names.
pub(crate) fn names(value: &JsValue) -> Result<Vec<String>, JsError> {
    parsed_or_default("the names", value)
}

/// Reads the name of a game, and returns the game.
pub(crate) fn any_game(value: &JsValue) -> Result<&'static dyn AnyGame, JsError> {
    named(&text("the game", value)?)
}

/// Returns the game with this name.
pub(crate) fn named(name: &str) -> Result<&'static dyn AnyGame, JsError> {
    game(name).ok_or_else(|| {
        let name = name.chars().take(40).collect();
        JsInputError::Game(name).into()
    })
}

/// Reads an integer from 0 to `most`.
fn whole(what: &'static str, value: &JsValue, most: f64, expected: &'static str) -> Result<u64, JsError> {
    let number = value.as_f64().filter(|number| (0.0..=most).contains(number) && number.fract() == 0.0);
    number.map(|number| number as u64).ok_or_else(|| refused(what, value, expected))
}

/// Reads a seed, which is a number or a BigInt.
pub(crate) fn seed(value: &JsValue) -> Result<u64, JsError> {
    if value.is_bigint() {
        let seed = u64::try_from(value.clone()).ok().filter(|&seed| seed <= seed::MAX);
        return seed.ok_or_else(|| refused("the seed", value, EXPECTED));
    }
    whole("the seed", value, seed::MAX as f64, EXPECTED)
}

/// Checks a seed from an object with options.
pub(crate) fn option_seed(seed: u64) -> Result<u64, JsInputError> {
    Ok(seed::check(seed)?)
}

/// Reads a seat number. The table may not have this seat.
pub(crate) fn seat(value: &JsValue) -> Result<Seat, JsError> {
    whole("the seat", value, 255.0, "a seat number from 0").map(|seat| Seat(seat as u8))
}

/// Reads the number of a step.
pub(crate) fn step(value: &JsValue) -> Result<usize, JsError> {
    whole("the step", value, f64::from(u32::MAX), "a step number from 0").map(|step| step as usize)
}

/// Reads a number of deals.
pub(crate) fn deals(value: &JsValue) -> Result<u32, JsError> {
    const EXPECTED: &str = "an integer from 1 to 1,000,000";
    let deals = whole("the number of deals", value, 1e6, EXPECTED)? as u32;
    if deals == 0 { Err(refused("the number of deals", value, EXPECTED)) } else { Ok(deals) }
}

/// A move, by action number or by label.
pub(crate) enum MoveInput {
    Id(ActionId),
    Label(String),
}

/// Reads a move, which is an action number or a label.
pub(crate) fn action(value: &JsValue) -> Result<MoveInput, JsError> {
    if value.is_string() {
        return text("the move", value).map(MoveInput::Label);
    }
    let id = whole("the move", value, f64::from(u16::MAX), "an action number, or the label of a move");
    id.map(|id| MoveInput::Id(ActionId(id as u16)))
}

/// Reads a move by its action number. The game may not have this action.
pub(crate) fn action_number(value: &JsValue) -> Result<ActionId, JsError> {
    let id = whole("the move", value, f64::from(u16::MAX), "an action number");
    id.map(|id| ActionId(id as u16))
}

/// Reads an action number, and checks that the game has this action.
pub(crate) fn id(value: &JsValue, game: &'static dyn AnyGame) -> Result<ActionId, JsError> {
    let most = width(game.actions()) - 1;
    let id = whole("the action", value, most as f64, "an action number of the game");
    id.map(|id| ActionId(id as u16))
}

/// Reads bytes, at most as many as a network file may have.
pub(crate) fn bytes(what: &'static str, value: &JsValue) -> Result<Vec<u8>, JsError> {
    let bytes = value.dyn_ref::<Uint8Array>().ok_or_else(|| refused(what, value, "a Uint8Array"))?;
    if u64::from(bytes.length()) > MAX_FILE {
        return Err(FileError::TooLarge { given: bytes.length().into() }.into());
    }
    Ok(bytes.to_vec())
}

/// Reads bytes from a property of an object; none if there is no such property.
pub(crate) fn file(files: &JsValue, name: &'static str) -> Result<Option<Vec<u8>>, JsError> {
    let found = Reflect::get(files, &name.into());
    let found = found.map_err(|_| refused("the bundle", files, "an object with the files of a bundle"))?;
    if found.is_undefined() { Ok(None) } else { bytes(name, &found).map(Some) }
}
