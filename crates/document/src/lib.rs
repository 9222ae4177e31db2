//! Reads configurations and rules from TOML. Every value has its position in the text, so that errors can name it.

mod document;
mod error;

use cardsharp_env::rules::RulesError;
use cardsharp_env::{AnyGame, GameRules, Size};
use serde_json::{Map, Value};

/// The maximum size of a configuration or a file of rules, in bytes.
pub const MAX_TEXT: u64 = 1 << 20;

pub use document::{Document, Node, NodeValue, Origin, leaves, plain};
pub use error::{ConfigError, ConfigProblem, ErrorPosition, FieldError, expect};

/// Reads rules of a game from the text of a TOML file, which messages call `name`.
///
/// Then applies `overrides`, each `option=value` with a TOML value, and `size`, which has the arguments `--players` and
/// `--rounds`. Missing options have the game's defaults. The rules are validated as a whole at the end, so the order of
/// options does not matter.
///
/// # Errors
/// The text is not TOML, or the rules are not valid. The error has the position and, for an unknown name, the most
/// similar known one. A value that `size` replaces must be valid, too.
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

/// Like [`parse_rules`], but the default number of rounds in a session is `rounds` instead of the game's default.
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

/// Returns the rules with this size. First checks the values that it replaces: each must be valid for its option.
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
        // The value may only be valid together with other options of the text.
        let is_right = || game.rules(&Value::Object(written.clone())).is_ok();
        match game.rules(&alone) {
            Err(error) if error.option() == option && !is_right() => {
                return Err(document.error_at(&[option], ConfigProblem::Rules(error)));
            }
            _ => {}
        }
    }
    checked(document, game, written, &[], size)
}

/// Returns all options for the rules `given` at `path` of a document, with defaults for missing ones.
///
/// # Errors
/// The rules are not valid. The error has the position of the option.
pub fn rules(
    document: &Document<'_>,
    game: &dyn AnyGame,
    given: &Map<String, Value>,
    path: &[&str],
) -> Result<Map<String, Value>, ConfigError> {
    let rules = checked(document, game, given, path, Size::AS_GIVEN)?;
    // TOML has no null.
    let full = rules.json().as_object().cloned().unwrap_or_default();
    Ok(full.into_iter().filter(|(_, value)| !value.is_null()).collect())
}

/// Validates the rules `given` at `path`, with the players and rounds of `size` if it has them.
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
        // A value from `--players` or `--rounds` has no position in the text, so the error names the argument. But if
        // the text is invalid without the argument, too, the error has the position in the text.
        let in_text = || game.rules(&given).is_err_and(|error| error.option() == option);
        if let Some((argument, ..)) = argument.filter(|_| !in_text()) {
            return ConfigError::whole(argument, ConfigProblem::Rules(error));
        }
        let path = [path, &[option.as_str()]].concat();
        match (&error, path.iter().try_fold(&document.root, |node, key| node.get(key))) {
            (RulesError::Unknown { .. }, Some(node)) => {
                document.error(&node.name, ConfigProblem::Rules(error))
            }
            _ => document.error_at(&path, ConfigProblem::Rules(error)),
        }
    })
}
