//! Values from JavaScript, read strictly.

use cardsharp_bot::file::{FileError, MAX_FILE};
use cardsharp_env::blocks::width;
use cardsharp_env::seed::{self, EXPECTED, SeedError};
use cardsharp_env::{ActionId, AnyGame, GAMES, Seat, game};
use js_sys::{JSON, JsString, Reflect, Uint8Array};
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::{JsCast, JsError, JsValue};

/// The longest text of a view, of rules or of a line that is read, in UTF-16 units.
const LONGEST: u32 = 1 << 20;
/// The longest trace that is read, in UTF-16 units.
const LONGEST_TRACE: u32 = 64 << 20;

/// What is wrong with a value.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// A value of another kind.
    #[error("{what} is {found}: expected {expected}")]
    Kind {
        /// What was given.
        what: &'static str,
        /// The value, in short.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A longer text than is read.
    #[error("{what} has {length} characters: expected at most {most}")]
    Long {
        /// What was given.
        what: &'static str,
        /// Its length.
        length: u32,
        /// The most.
        most: u32,
    },
    /// A text that is not JSON, or not that of what it should be.
    #[error("{what}: {source}")]
    Json {
        /// What was given.
        what: &'static str,
        /// The reader's answer.
        source: serde_json::Error,
    },
    /// A seed among options that is too large.
    #[error("`seed`: {0}")]
    Seed(#[from] SeedError),
    /// No such game.
    #[error("there is no game `{0}`: expected {known}", known = GAMES.iter().map(|game| game.name()).collect::<Vec<_>>().join(", "))]
    Game(String),
}

fn refused(what: &'static str, found: &JsValue, expected: &'static str) -> JsError {
    InputError::Kind { what, found: shown(found), expected }.into()
}

/// A value in a few words.
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

/// A text of at most `most` characters.
fn text_of(what: &'static str, value: &JsValue, most: u32) -> Result<String, JsError> {
    let text = value.dyn_ref::<JsString>().ok_or_else(|| refused(what, value, "a string"))?;
    if text.length() > most {
        return Err(InputError::Long { what, length: text.length(), most }.into());
    }
    Ok(String::from(text))
}

/// A text.
pub(crate) fn text(what: &'static str, value: &JsValue) -> Result<String, JsError> {
    text_of(what, value, LONGEST)
}

/// The text of a trace.
pub(crate) fn trace(value: &JsValue) -> Result<String, JsError> {
    text_of("the trace", value, LONGEST_TRACE)
}

/// The text of a JSON value, given as such or as the value.
pub(crate) fn json_text(what: &'static str, value: &JsValue) -> Result<String, JsError> {
    if value.is_string() {
        return text(what, value);
    }
    if !value.is_object() || value.is_function() {
        return Err(refused(what, value, "an object, or its JSON as a string"));
    }
    // Cycles, BigInts, and whatever else an object may do when it is asked for its JSON.
    let written =
        JSON::stringify(value).map_err(|_| refused(what, value, "an object that can be written as JSON"))?;
    text(what, written.as_ref())
}

/// A JSON value, given as such or as its text; `null` where nothing is given.
pub(crate) fn json(what: &'static str, value: &JsValue) -> Result<Value, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(Value::Null);
    }
    parsed(what, value)
}

/// Something with a JSON form, given as a value or as its text.
pub(crate) fn parsed<T: DeserializeOwned>(what: &'static str, value: &JsValue) -> Result<T, JsError> {
    let text = json_text(what, value)?;
    // By way of a value, so that no type needs a reader of texts besides.
    let read = serde_json::from_str::<Value>(&text).and_then(|value| T::deserialize(&value));
    read.map_err(|source| InputError::Json { what, source }.into())
}

/// The same, its default where nothing is given.
pub(crate) fn parsed_or_default<T: DeserializeOwned + Default>(
    what: &'static str,
    value: &JsValue,
) -> Result<T, JsError> {
    if value.is_undefined() { Ok(T::default()) } else { parsed(what, value) }
}

/// Names, one for each of the seats, or none.
pub(crate) fn names(value: &JsValue) -> Result<Vec<String>, JsError> {
    parsed_or_default("the names", value)
}

/// A game by name.
pub(crate) fn any_game(value: &JsValue) -> Result<&'static dyn AnyGame, JsError> {
    named(&text("the game", value)?)
}

/// The game of this name.
pub(crate) fn named(name: &str) -> Result<&'static dyn AnyGame, JsError> {
    game(name).ok_or_else(|| {
        let name = name.chars().take(40).collect();
        InputError::Game(name).into()
    })
}

/// A whole number of 0 to `most`.
fn whole(what: &'static str, value: &JsValue, most: f64, expected: &'static str) -> Result<u64, JsError> {
    let number = value.as_f64().filter(|number| (0.0..=most).contains(number) && number.fract() == 0.0);
    number.map(|number| number as u64).ok_or_else(|| refused(what, value, expected))
}

/// A seed, as a number or a BigInt.
pub(crate) fn seed(value: &JsValue) -> Result<u64, JsError> {
    if value.is_bigint() {
        let seed = u64::try_from(value.clone()).ok().filter(|&seed| seed <= seed::MAX);
        return seed.ok_or_else(|| refused("the seed", value, EXPECTED));
    }
    whole("the seed", value, seed::MAX as f64, EXPECTED)
}

/// A seed among options.
pub(crate) fn option_seed(seed: u64) -> Result<u64, InputError> {
    Ok(seed::check(seed)?)
}

/// A seat, whether or not the table has it.
pub(crate) fn seat(value: &JsValue) -> Result<Seat, JsError> {
    whole("the seat", value, 255.0, "a seat number from 0").map(|seat| Seat(seat as u8))
}

/// The number of a step.
pub(crate) fn step(value: &JsValue) -> Result<usize, JsError> {
    whole("the step", value, f64::from(u32::MAX), "a step number from 0").map(|step| step as usize)
}

/// A number of deals.
pub(crate) fn deals(value: &JsValue) -> Result<u32, JsError> {
    const EXPECTED: &str = "an integer from 1 to 1,000,000";
    let deals = whole("the number of deals", value, 1e6, EXPECTED)? as u32;
    if deals == 0 { Err(refused("the number of deals", value, EXPECTED)) } else { Ok(deals) }
}

/// A move, by number or by name.
pub(crate) enum Named {
    /// By number.
    Id(ActionId),
    /// By name.
    Label(String),
}

/// A move, by number or by name.
pub(crate) fn action(value: &JsValue) -> Result<Named, JsError> {
    if value.is_string() {
        return text("the move", value).map(Named::Label);
    }
    let id = whole("the move", value, f64::from(u16::MAX), "an action number, or the label of a move");
    id.map(|id| Named::Id(ActionId(id as u16)))
}

/// A move, by the number of its action, whether or not there is such a one.
pub(crate) fn action_number(value: &JsValue) -> Result<ActionId, JsError> {
    let id = whole("the move", value, f64::from(u16::MAX), "an action number");
    id.map(|id| ActionId(id as u16))
}

/// The number of an action that the game has.
pub(crate) fn id(value: &JsValue, game: &'static dyn AnyGame) -> Result<ActionId, JsError> {
    let most = width(game.actions()) - 1;
    let id = whole("the action", value, most as f64, "an action number of the game");
    id.map(|id| ActionId(id as u16))
}

/// Bytes, no more than a network may have.
pub(crate) fn bytes(what: &'static str, value: &JsValue) -> Result<Vec<u8>, JsError> {
    let bytes = value.dyn_ref::<Uint8Array>().ok_or_else(|| refused(what, value, "a Uint8Array"))?;
    if u64::from(bytes.length()) > MAX_FILE {
        return Err(FileError::TooLarge { given: bytes.length().into() }.into());
    }
    Ok(bytes.to_vec())
}

/// Bytes that are a property of an object; none where it has no such property.
pub(crate) fn file(files: &JsValue, name: &'static str) -> Result<Option<Vec<u8>>, JsError> {
    let found = Reflect::get(files, &name.into());
    let found = found.map_err(|_| refused("the bundle", files, "an object with the files of a bundle"))?;
    if found.is_undefined() { Ok(None) } else { bytes(name, &found).map(Some) }
}
