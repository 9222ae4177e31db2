//! The games of this command, and their rule sets: what `--rules NAME` reads.

use std::path::Path;
use std::sync::OnceLock;

use cardsharp_env::rules::RuleSet;
use cardsharp_env::{AnyGame, Games, rule_sets};

use crate::error::{CliError, Failure};

/// Global, because parsers of arguments have no other access to it.
static GAMES: OnceLock<Games> = OnceLock::new();

/// Sets the list of games, unless it was used before.
pub(crate) fn set(games: Games) {
    GAMES.get_or_init(|| games);
}

/// Returns the list of games.
pub(crate) fn all() -> &'static Games {
    GAMES.get_or_init(Games::shipped)
}

/// Returns the game with this name.
pub(crate) fn game(name: &str) -> Option<&'static dyn AnyGame> {
    all().named(name)
}

/// Returns the rule set that `--rules` names, unless there is a file with that name.
pub(crate) fn rule_set(game: &dyn AnyGame, value: &Path) -> Option<&'static RuleSet> {
    let name = value.to_str()?;
    if value.exists() { None } else { rule_sets(game.name()).iter().find(|set| set.name == name) }
}

/// Whether a value of `--rules` is a name rather than a file.
pub(crate) fn is_rule_set_name(value: &Path) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    value != Path::new("-") && value.to_str().is_some_and(|name| name.chars().all(is_word)) && !value.exists()
}

/// Returns the error for an unknown rule set.
pub(crate) fn unknown_rule_set(game: &dyn AnyGame, value: &Path) -> CliError {
    let known: Vec<&str> = rule_sets(game.name()).iter().map(|set| set.name).collect();
    let expected = match known.is_empty() {
        true => "expected the path of a TOML file".to_owned(),
        false => format!("expected {}, or the path of a TOML file", known.join(", ")),
    };
    RuleSetError { name: value.display().to_string(), expected }.into()
}

/// `--rules` names neither a rule set nor a file.
#[derive(Debug, thiserror::Error)]
#[error("--rules: there is no rule set `{name}`: {expected}")]
struct RuleSetError {
    name: String,
    expected: String,
}

impl Failure for RuleSetError {
    fn code(&self) -> u8 {
        2
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use cardsharp_document::parse_rules;
    use cardsharp_env::games::played;
    use cardsharp_env::{Size, rule_sets};

    #[test]
    fn every_file_is_a_rule_set_that_its_game_accepts() {
        for game in played() {
            let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
            let files = std::fs::read_dir(crates.join(game.name()).join("rule-sets")).expect("a folder");
            let mut files: Vec<_> =
                files.map(|file| file.expect("a file").file_name().into_string().expect("UTF-8")).collect();
            files.sort();
            let sets = rule_sets(game.name());
            assert!(sets.iter().map(|set| format!("{}.toml", set.name)).eq(files), "{}", game.name());
            for set in sets {
                let rules = parse_rules(game, set.name, set.text, &[], Size::AS_GIVEN).expect("valid rules");
                assert_eq!(game.rules(rules.json()), Ok(rules), "{}: every option is filled in", set.name);
                assert!(!set.about().is_empty(), "{}", set.name);
            }
        }
    }
}
