//! Checks of options in pages and rows, and of action ids.

use serde_json::json;

use crate::base::ActionId;
use crate::base::blocks::{Block, width};
use crate::base::rules::Rules;
use crate::game::Actions;

/// Asserts that a page of rules lists every option with its default, in order. The page is Markdown. Its table has
/// four columns: option, values, default, and effect. Option and default are in backticks, and the default is JSON.
///
/// # Panics
/// An option is missing, out of order, unknown, or has another default.
#[track_caller]
pub fn assert_options_are_listed<R: Rules>(page: &str) {
    let defaults = json!(R::default());
    let mut rows = page.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 5);
    for option in R::OPTIONS {
        let row = rows.next().unwrap_or_else(|| panic!("the page does not list `{}`", option.name));
        let row: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(row[1], format!("`{}`", option.name));
        assert_eq!(row[3], format!("`{}`", defaults[option.name]), "the default of `{}`", option.name);
    }
    assert_eq!(rows.next(), None, "no option of the game");
}

/// Asserts that the text of the block `options` names what its cells show. It must name these options in order,
/// each followed by the values that have cells, as files write them. A switch that is shown as true needs no value,
/// nor does the number of a choice. `shown` is the `SHOWN` of [`options!`](crate::options).
///
/// # Panics
/// An option or a value is missing or out of order, or there is no such block.
#[track_caller]
pub fn assert_options_are_told(row: &'static [Block], shown: &[(&str, &str)]) {
    let mut words = super::named(row, "options").meaning.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let mut before = "";
    for &(option, value) in shown {
        let word = match value {
            "true" | "number" => None,
            value => Some(in_files(value)),
        };
        let new = (option != before).then(|| option.to_owned());
        for due in new.into_iter().chain(word) {
            assert!(words.any(|word| word == due), "`{due}` of `{option}` is missing or out of order");
        }
        before = option;
    }
}

/// Returns the name of a variant as in files: `wins_at_once` for `WinsAtOnce`.
fn in_files(variant: &str) -> String {
    let mut word = String::new();
    for (place, letter) in variant.chars().enumerate() {
        if place > 0 && letter.is_ascii_uppercase() {
            word.push('_');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

/// Asserts that each action id is one move, and no other id is a move: `of` returns the move of an id, `id` is its
/// inverse.
///
/// # Panics
/// An id is another move, none, or one too many.
pub fn assert_ids_are_moves<G: Actions, M: std::fmt::Debug>(
    of: impl Fn(ActionId) -> Option<M>,
    id: impl Fn(M) -> ActionId,
) {
    for action in (0..=u16::MAX).map(ActionId) {
        let chosen = of(action);
        assert_eq!(chosen.is_some(), usize::from(action.0) < width(G::ACTIONS), "{action:?} is {chosen:?}");
        assert_eq!(chosen.map_or(action, &id), action);
    }
}
