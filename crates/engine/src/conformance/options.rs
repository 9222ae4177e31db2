//! Checks of options, and of rules drawn from them.

use std::collections::BTreeSet;

use super::{Violation, caught};
use crate::base::rules::Rules;

/// Checks that the options are the keys of rules files and include the two that the engine needs by name. The
/// defaults must be valid rules.
pub(super) fn check<R: Rules>() -> Result<(), Violation> {
    caught(|| {
        let names: Vec<&str> = R::OPTIONS.iter().map(|option| option.name).collect();
        let known: BTreeSet<&str> = names.iter().copied().collect();
        let all =
            serde_json::to_value(R::default()).map_err(|error| Violation::Options(error.to_string()))?;
        let keys: BTreeSet<&str> =
            all.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        let problem = match () {
            () if names.first() != Some(&"players") => format!("the first one is not `players`: {names:?}"),
            () if known.len() != names.len() => format!("two have one name: {names:?}"),
            () if !known.contains(R::ROUNDS_OPTION) => {
                format!("`{}`, the number of rounds, is none of {names:?}", R::ROUNDS_OPTION)
            }
            () if known != keys => format!("the game lists {known:?}, its rules hold {keys:?}"),
            () => return valid(&R::default()),
        };
        Err(Violation::Options(problem))
    })
}

/// Checks that rules that the game itself generates, by default or at random, are valid.
pub(super) fn valid<R: Rules>(rules: &R) -> Result<(), Violation> {
    rules.check().map_err(|error| Violation::Options(error.to_string()))?;
    let (players, least, most) = (rules.players(), *R::PLAYERS.start(), *R::PLAYERS.end());
    if (least..=most).contains(&players) {
        Ok(())
    } else {
        Err(Violation::Options(format!("{players} players, not {least} to {most}")))
    }
}
