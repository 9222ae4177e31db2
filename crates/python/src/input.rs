//! What comes from Python, read strictly.

use cardsharp_env::blocks::width;
use cardsharp_env::rules::nearest;
use cardsharp_env::{ActionId, AnyGame, Audience, GAMES, GameRules, Seat, Size, seed};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString};
use pyo3::{type_hint_identifier as name, type_hint_subscript as of, type_hint_union};
use serde_json::{Value, json};

use crate::output::imported;

/// Refuses a value.
pub(crate) fn refused(problem: impl ToString) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

/// What is longer than this is quoted in part.
const QUOTED: usize = 60;

/// How a value that was given is quoted.
pub(crate) fn quoted(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| value.get_type().to_string(), |text| text.to_string());
    if text.chars().count() <= QUOTED { text } else { text.chars().take(QUOTED).chain(['…']).collect() }
}

/// What type a value is of.
fn kind(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "something".to_owned(), |name| name.to_string())
}

/// A value of the wrong type; `what` it is, or nothing where Python says it.
pub(crate) fn mistyped(what: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let what = if what.is_empty() { String::new() } else { format!("{what}: ") };
    PyTypeError::new_err(format!("{what}expected {expected}, not {} ({})", kind(given), quoted(given)))
}

/// The game of this name.
pub(crate) fn named(given: &str) -> PyResult<&'static dyn AnyGame> {
    cardsharp_env::game(given).ok_or_else(|| {
        let names: Vec<&str> = GAMES.iter().map(|game| game.name()).collect();
        let meant = nearest(given, names.iter().copied()).map(|name| format!("; did you mean '{name}'?"));
        let short: String = given.chars().take(QUOTED).collect();
        refused(format!(
            "there is no game '{short}': expected one of {}{}",
            names.join(", "),
            meant.unwrap_or_default()
        ))
    })
}

/// Something that can be written as a JSON object, or text that is one.
pub(crate) struct ObjectArg(pub(crate) Value);

impl<'a, 'py> FromPyObject<'a, 'py> for ObjectArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr =
        of!(name!("collections.abc", "Mapping"), name!("builtins", "str"), name!("typing", "Any"));

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object("a mapping", &given).map(Self)
    }
}

/// The same, or text that is one.
pub(crate) struct TextArg(pub(crate) Value);

impl<'a, 'py> FromPyObject<'a, 'py> for TextArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(ObjectArg::INPUT_TYPE, name!("builtins", "str"));

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match given.cast::<PyString>() {
            Err(_) => object("a mapping or its JSON", &given).map(Self),
            Ok(text) => serde_json::from_str(&text.to_cow()?)
                .map(Self)
                .map_err(|error| refused(format!("not JSON: {error} (in {})", quoted(&given)))),
        }
    }
}

/// A value of Python as JSON; it must be an object.
fn object(expected: &str, given: &Bound<'_, PyAny>) -> PyResult<Value> {
    static ENCODE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let encode = imported(given.py(), &ENCODE, "cardsharp_rl._json", "encode")?;
    let text: String = encode.call1((given,))?.extract()?;
    match serde_json::from_str(&text) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(mistyped("", expected, given)),
        Err(error) => Err(refused(error)),
    }
}

/// Checked rules of a game: what is left out has its default.
pub(crate) fn rules(game: &'static dyn AnyGame, given: Option<ObjectArg>) -> PyResult<GameRules> {
    match given {
        None => Ok(game.default_rules()),
        Some(ObjectArg(given)) => game.rules(&given).map_err(|error| refused(format!("rules: {error}"))),
    }
}

/// Checked rules of a session of `rounds` rounds; where that is none, of as many as `options` says, else of one.
pub(crate) fn session_rules(
    game: &'static dyn AnyGame,
    options: Option<ObjectArg>,
    rounds: Option<u32>,
) -> PyResult<GameRules> {
    let says = options.as_ref().is_some_and(|ObjectArg(options)| options.get(game.rounds_option()).is_some());
    let rounds = if says { rounds } else { rounds.or(Some(1)) };
    let sized = rules(game, options)?.sized(Size { players: None, rounds });
    sized.map_err(|error| refused(format!("rules: {error}")))
}

/// Declares what is taken as it is, and read where more is known: `Whole => typing.SupportsIndex`.
macro_rules! passed_on {
    ($($(#[$doc:meta])* $type:ident: $hint:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $type<'py>(pub(crate) Bound<'py, PyAny>);

        impl<'py> FromPyObject<'_, 'py> for $type<'py> {
            type Error = PyErr;
            const INPUT_TYPE: PyStaticExpr = $hint;

            fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                Ok(Self(given.to_owned()))
            }
        }
    )*};
}

passed_on! {
    /// A whole number.
    Whole: name!("typing", "SupportsIndex");
    /// Anything.
    Anything: name!("typing", "Any");
    /// A move, by its label or the number of its action.
    MoveArg: type_hint_union!(name!("typing", "SupportsIndex"), name!("builtins", "str"));
}

/// A whole number that is no truth value; numpy's numbers, too.
pub(crate) fn whole(what: &str, given: &Bound<'_, PyAny>) -> PyResult<i128> {
    if given.is_instance_of::<PyBool>() {
        return Err(mistyped(what, "a whole number", given));
    }
    // Both call `__index__`. Nearly all numbers have 64 bits, for which Python is several times faster.
    if let Ok(number) = given.extract::<i64>() {
        return Ok(number.into());
    }
    let number = || given.py().import("operator")?.call_method1("index", (given,))?.extract::<i128>();
    number().map_err(|_| mistyped(what, "a whole number", given))
}

/// A seed, which every format writes as a number; None draws one.
#[derive(Clone, Copy)]
pub(crate) struct SeedArg(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for SeedArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr =
        type_hint_union!(name!("typing", "SupportsIndex"), name!("builtins", "None"));

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match given.is_none() {
            true => drawn(given.py()),
            false => seed(whole("seed", &given)?).map(Self),
        }
    }
}

/// A seed that the system draws.
fn drawn(py: Python<'_>) -> PyResult<SeedArg> {
    static DRAW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    imported(py, &DRAW, "secrets", "randbelow")?.call1((seed::MAX,))?.extract().map(SeedArg)
}

/// This seed, or one that the system draws.
pub(crate) fn given_or_drawn(py: Python<'_>, given: Option<SeedArg>) -> PyResult<u64> {
    given.map_or_else(|| drawn(py), Ok).map(|seed| seed.0)
}

/// Rules for `players` players, if that is a number.
///
/// # Errors
/// The rules give another number of players.
pub(crate) fn with_players(rules: Option<ObjectArg>, players: Option<u32>) -> PyResult<Option<ObjectArg>> {
    let Some(players) = players else { return Ok(rules) };
    let mut rules = rules.map_or_else(|| json!({}), |rules| rules.0);
    match rules.get("players").filter(|said| **said != json!(players)) {
        Some(said) => {
            Err(refused(format!("players: {players}, but the rules say {said}; leave one of them out")))
        }
        None => {
            rules["players"] = json!(players);
            Ok(Some(ObjectArg(rules)))
        }
    }
}

/// Checks the range of a seed.
pub(crate) fn seed(number: i128) -> PyResult<u64> {
    let seed = u64::try_from(number).ok().filter(|&given| given <= seed::MAX);
    seed.ok_or_else(|| refused(format!("seed: {number} is out of range: expected 0 to {}", seed::MAX)))
}

/// The number of an action of a game.
pub(crate) fn action(game: &'static dyn AnyGame, given: &Bound<'_, PyAny>) -> PyResult<ActionId> {
    let (number, actions) = (whole("action", given)?, width(game.actions()));
    match u16::try_from(number) {
        Ok(action) if usize::from(action) < actions => Ok(ActionId(action)),
        _ => Err(refused(format!(
            "action: {number} is out of range: {} has actions 0 to {}",
            game.name(),
            actions - 1
        ))),
    }
}

/// A seat of a session.
pub(crate) fn seat(seats: usize, given: &Bound<'_, PyAny>) -> PyResult<Seat> {
    let number = whole("seat", given)?;
    match u8::try_from(number) {
        Ok(seat) if usize::from(seat) < seats => Ok(Seat(seat)),
        _ => Err(refused(format!("there is no seat {number}: the session has seats 0 to {}", seats - 1))),
    }
}

/// The reader of lines.
pub(crate) struct AudienceArg(pub(crate) Audience);

impl<'a, 'py> FromPyObject<'a, 'py> for AudienceArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(name!("builtins", "int"), name!("builtins", "str"));

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let expected = "a seat, \"everybody\" or \"referee\"";
        if let Ok(text) = given.cast::<PyString>() {
            return match text.to_str()? {
                "everybody" => Ok(Self(Audience::Everybody)),
                "referee" => Ok(Self(Audience::Referee)),
                _ => Err(refused(format!("to: {} is nobody: expected {expected}", quoted(&given)))),
            };
        }
        let number = whole("to", &given).map_err(|_| mistyped("to", expected, &given))?;
        let seat = u8::try_from(number).map_err(|_| refused(format!("to: there is no seat {number}")))?;
        Ok(Self(Audience::Seat(Seat(seat))))
    }
}

/// The names of the players in `seats` seats, for lines to a reader.
pub(crate) fn names(names: Option<Vec<String>>, seats: usize, to: Audience) -> PyResult<Vec<String>> {
    match names {
        // A trace has a name for every seat.
        None if to == Audience::Referee => Ok(vec!["unknown".to_owned(); seats]),
        None => Ok(Vec::new()),
        Some(names) if names.len() == seats => Ok(names),
        Some(names) => {
            Err(refused(format!("names: there are {}: expected {seats}, one for each seat", names.len())))
        }
    }
}
