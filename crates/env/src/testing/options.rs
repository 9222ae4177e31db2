//! Options in pages and rows.

use serde_json::json;

use crate::ground::blocks::Block;
use crate::ground::rules::Rules;

/// Asserts that a page of rules lists every option with its default, in their order. The page is Markdown, its
/// table has four columns: the option, its values, the default and what it does; the first and the third stand
/// in backticks, the default as JSON.
///
/// # Panics
/// An option is missing, out of order, has another default, or is none of the game.
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

/// Asserts that the text of the block `options` tells what its cells show: these options, in this order. An
/// option with several cells may stand there as often.
///
/// # Panics
/// An option is missing or out of order, or there is no such block.
#[track_caller]
pub fn assert_options_are_told(row: &'static [Block], shown: &[&str]) {
    let mut rest = super::named(row, "options").meaning;
    let mut names = shown.to_vec();
    names.dedup();
    for name in names {
        rest = rest.split_once(name).unwrap_or_else(|| panic!("`{name}` is missing or out of order")).1;
    }
}
