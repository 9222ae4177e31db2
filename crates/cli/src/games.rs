//! The games of this command, and their rule sets: the files in `configs/rules`, which `--rules NAME` reads.

use std::path::Path;
use std::sync::OnceLock;

use cardsharp_env::{AnyGame, Games};

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

/// House rules with a name.
pub(crate) struct RuleSet {
    game: &'static str,
    pub(crate) name: &'static str,
    /// The options, as TOML.
    pub(crate) text: &'static str,
}

macro_rules! set {
    ($game:literal, $name:literal) => {
        RuleSet {
            game: $game,
            name: $name,
            text: include_str!(concat!("../../../configs/rules/", $game, "-", $name, ".toml")),
        }
    };
}

const SETS: [RuleSet; 30] = [
    set!("dalmuti", "eight"),
    set!("dalmuti", "first-deal"),
    set!("dalmuti", "four"),
    set!("dalmuti", "hand"),
    set!("dalmuti", "house"),
    set!("dalmuti", "philanthropic"),
    set!("dalmuti", "seen"),
    set!("dalmuti", "session"),
    set!("tachtigen", "claims"),
    set!("tachtigen", "house"),
    set!("tachtigen", "no-trump"),
    set!("tachtigen", "pandoer"),
    set!("tachtigen", "rotterdam"),
    set!("tachtigen", "session"),
    set!("tachtigen", "short"),
    set!("tahimi", "decree"),
    set!("tahimi", "evening"),
    set!("tahimi", "extra-suits"),
    set!("tahimi", "house"),
    set!("tahimi", "round"),
    set!("tahimi", "session"),
    set!("tahimi", "special"),
    set!("tahimi", "three"),
    set!("tahimi", "wild"),
    set!("taki", "challenge"),
    set!("taki", "free"),
    set!("taki", "single"),
    set!("taki", "strict"),
    set!("taki", "tournament"),
    set!("taki", "two"),
];

impl RuleSet {
    /// Returns a description: the comment at the top of the file.
    pub(crate) fn about(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix('#'));
        comment.map(str::trim).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the rule sets of a game.
pub(crate) fn rule_sets(game: &dyn AnyGame) -> impl Iterator<Item = &'static RuleSet> {
    let game = game.name();
    SETS.iter().filter(move |set| set.game == game)
}

/// Returns the rule set that `--rules` names, unless there is a file with that name.
pub(crate) fn rule_set(game: &dyn AnyGame, value: &Path) -> Option<&'static RuleSet> {
    let name = value.to_str()?;
    if value.exists() { None } else { rule_sets(game).find(|set| set.name == name) }
}

/// Whether a value of `--rules` is a name rather than a file.
pub(crate) fn is_rule_set_name(value: &Path) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    value != Path::new("-") && value.to_str().is_some_and(|name| name.chars().all(is_word)) && !value.exists()
}

/// Returns the error for an unknown rule set.
pub(crate) fn unknown_rule_set(game: &dyn AnyGame, value: &Path) -> CliError {
    let known: Vec<&str> = rule_sets(game).map(|set| set.name).collect();
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
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_is_a_rule_set_that_its_game_accepts() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/rules");
        let files =
            std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").file_name());
        let files: BTreeSet<String> = files.map(|name| name.into_string().expect("text")).collect();
        let sets: BTreeSet<String> =
            SETS.iter().map(|set| format!("{}-{}.toml", set.game, set.name)).collect();
        assert_eq!(sets, files);
        for set in &SETS {
            let game = super::game(set.game).expect("a game");
            let options: toml::Table = set.text.parse().expect("TOML");
            let options = serde_json::to_value(options).expect("JSON");
            assert!(game.rules(&options).is_ok(), "{}", set.name);
            assert!(!set.about().is_empty(), "{}", set.name);
        }
    }
}
