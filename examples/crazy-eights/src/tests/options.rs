use cardsharp_env::game::Observe;
use cardsharp_env::rules;
use cardsharp_env::testing::{assert_options_are_listed, assert_options_are_told};
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
    assert_options_are_listed::<Rules>(include_str!("../../README.md"));
}

#[test]
fn rows_tell_which_options_they_show() {
    assert_options_are_told(Round::OBSERVATION, Rules::SHOWN);
}
