//! Named house rules: what `--rules NAME` reads.

use std::path::Path;

use cardsharp_env::AnyGame;
use cardsharp_env::rule_sets;
use cardsharp_env::rules::RuleSet;

use crate::error::CliError;

/// Returns the rule set that `--rules` names, unless there is a file with that name.
pub(crate) fn named(game: &dyn AnyGame, value: &Path) -> Option<&'static RuleSet> {
    let name = value.to_str()?;
    if value.exists() { None } else { rule_sets(game.name()).iter().find(|set| set.name == name) }
}

/// Whether a value of `--rules` is a name rather than a file.
pub(crate) fn is_name(value: &Path) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    value != Path::new("-") && value.to_str().is_some_and(|name| name.chars().all(is_word)) && !value.exists()
}

/// Returns the error for an unknown rule set.
pub(crate) fn unknown(game: &dyn AnyGame, value: &Path) -> CliError {
    let known: Vec<&str> = rule_sets(game.name()).iter().map(|set| set.name).collect();
    CliError::RuleSet {
        name: value.display().to_string(),
        expected: match known.is_empty() {
            true => "expected the path of a TOML file".to_owned(),
            false => format!("expected {}, or the path of a TOML file", known.join(", ")),
        },
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
