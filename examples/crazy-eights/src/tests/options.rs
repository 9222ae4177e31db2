use cardsharp_env::game::Observe;
use cardsharp_env::{Rules as _, rules};
use serde_json::json;

use crate::{Round, Rules};

#[test]
fn the_defaults_are_those_of_open_spiel() {
    let rules: Rules = rules::read(&json!({})).unwrap();
    assert_eq!((rules.players, rules.max_draw_cards, rules.max_turns), (5, 5, 100));
    assert!(!rules.use_special_cards && !rules.reshuffle);
}

#[test]
fn values_out_of_range_are_refused() {
    for (option, value) in [
        ("players", json!(1)),
        ("players", json!(13)),
        ("max_draw_cards", json!(0)),
        ("max_draw_cards", json!(105)),
        ("max_turns", json!(0)),
        ("max_turns", json!(1001)),
        ("games", json!(0)),
        ("games", json!(1001)),
        ("scoring", json!("by_suit")),
        ("reward", json!("chips")),
        ("reshuffle", json!(1)),
    ] {
        let error = rules::read::<Rules>(&json!({ option: value })).unwrap_err();
        assert_eq!(error.option(), option, "{value}: {error}");
    }
}

#[test]
fn the_page_lists_every_option_with_its_default() {
    let page = include_str!("../../README.md");
    let defaults = json!(Rules::default());
    let mut rows = page.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 5);
    for option in Rules::OPTIONS {
        let row: Vec<&str> = rows.next().unwrap().split('|').map(str::trim).collect();
        assert_eq!(row[1], format!("`{}`", option.name));
        assert_eq!(row[3], format!("`{}`", defaults[option.name]));
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn rows_tell_which_options_they_show() {
    let block = Round::OBSERVATION.iter().find(|block| block.name == "options").unwrap();
    let mut rest = block.meaning;
    for name in Rules::SHOWN {
        rest = rest.split_once(name).unwrap_or_else(|| panic!("`{name}` is missing or out of order")).1;
    }
}
