//! Configurations and rules as people write them: TOML whose every value knows its place, so that every
//! mistake is refused with it.

mod document;
mod error;

use cardsharp_env::rules::RulesError;
use cardsharp_env::{AnyGame, GameRules, Size};
use serde_json::{Map, Value};

/// The longest configuration or file of rules that is read, in bytes.
pub const MAX_TEXT: u64 = 1 << 20;

pub use document::{Document, Kind, Node, Origin, leaves, plain};
pub use error::{ConfigError, Place, Problem};

/// Reads rules of a game from the text of a TOML file of its options, called `name` in messages; then applies
/// `overrides`, each `option=value` with a TOML value, and the numbers that `size` has, which are those of the
/// arguments `--players` and `--rounds`; options left out have the game's defaults. In whatever order they
/// come, the rules are checked as a whole.
///
/// # Errors
/// The game refuses the rules; with the place and, for names, the nearest right one. A value that an argument replaces
/// has to be one that the option can have, too.
pub fn parse_rules(
    game: &dyn AnyGame,
    name: &str,
    text: &str,
    overrides: &[String],
    size: Size,
) -> Result<GameRules, ConfigError> {
    let document = Document::parse(name, text, overrides)?;
    let given = document.root.value().as_object().cloned().unwrap_or_default();
    parsed(&document, game, &given, size)
}

/// As [`parse_rules`], with `rounds` rounds in a session where neither the text nor an override nor `size` says how many.
///
/// # Errors
/// As [`parse_rules`].
pub fn parse_session_rules(
    game: &dyn AnyGame,
    name: &str,
    text: &str,
    overrides: &[String],
    size: Size,
    rounds: u32,
) -> Result<GameRules, ConfigError> {
    let document = Document::parse(name, text, overrides)?;
    let written = document.root.value().as_object().cloned().unwrap_or_default();
    let unsaid = size.rounds.is_none() && !written.contains_key(game.rounds_option());
    let size = if unsaid { Size { rounds: Some(rounds), ..size } } else { size };
    parsed(&document, game, &written, size)
}

/// The rules of this size, once the values that it replaces were checked: each has to be one that its option can have.
fn parsed(
    document: &Document<'_>,
    game: &dyn AnyGame,
    written: &Map<String, Value>,
    size: Size,
) -> Result<GameRules, ConfigError> {
    let replaced = [("players", size.players.is_some()), (game.rounds_option(), size.rounds.is_some())];
    for (option, _) in replaced.into_iter().filter(|(_, replaced)| *replaced) {
        let Some(value) = written.get(option) else { continue };
        let alone = Value::Object([(option.to_owned(), value.clone())].into_iter().collect());
        // With other options of the text it may be right.
        let is_right = || game.rules(&Value::Object(written.clone())).is_ok();
        match game.rules(&alone) {
            Err(error) if error.option() == option && !is_right() => {
                return Err(document.error_at(&[option], Problem::Rules(error)));
            }
            _ => {}
        }
    }
    checked(document, game, written, &[], size)
}

/// The full rules for those that stand at `path` of a document.
///
/// # Errors
/// The game refuses them, with the place of the option.
pub fn rules(
    document: &Document<'_>,
    game: &dyn AnyGame,
    given: &Map<String, Value>,
    path: &[&str],
) -> Result<Map<String, Value>, ConfigError> {
    let rules = checked(document, game, given, path, Size::AS_GIVEN)?;
    // TOML has no value for an option without one.
    let full = rules.json().as_object().cloned().unwrap_or_default();
    Ok(full.into_iter().filter(|(_, value)| !value.is_null()).collect())
}

/// The rules that stand at `path`, of this size where it is given.
fn checked(
    document: &Document<'_>,
    game: &dyn AnyGame,
    given: &Map<String, Value>,
    path: &[&str],
    size: Size,
) -> Result<GameRules, ConfigError> {
    let given = Value::Object(given.clone());
    game.sized_rules(&given, size).map_err(|error: RulesError| {
        let option = error.option().to_owned();
        let arguments = [
            ("--players", "players", size.players.is_some()),
            ("--rounds", game.rounds_option(), size.rounds.is_some()),
        ];
        let argument = arguments.iter().find(|(_, own, given)| *given && *own == option);
        // What an argument of its own has set stands in no text; but the text may be wrong as it is.
        let in_text = || game.rules(&given).is_err_and(|error| error.option() == option);
        if let Some((argument, ..)) = argument.filter(|_| !in_text()) {
            return ConfigError::whole(argument, Problem::Rules(error));
        }
        let path = [path, &[option.as_str()]].concat();
        match (&error, path.iter().try_fold(&document.root, |node, key| node.get(key))) {
            (RulesError::Unknown { .. }, Some(node)) => document.error(&node.name, Problem::Rules(error)),
            _ => document.error_at(&path, Problem::Rules(error)),
        }
    })
}
