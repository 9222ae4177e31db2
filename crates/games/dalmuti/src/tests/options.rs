//! Options: defaults, values, and refused values.

use cardsharp_engine::game::Observe;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::{Rules as _, RulesError, Size, read, read_sized};
use cardsharp_engine::testing::{assert_options_are_listed, assert_options_are_told};
use serde_json::{Value, json};

use super::super::Round;
use super::super::rules::Rules;

fn refusal(options: Value) -> String {
    read::<Rules>(&options).unwrap_err().to_string()
}

fn accepts(options: Value) -> Value {
    serde_json::to_value(read::<Rules>(&options).unwrap()).unwrap()
}

#[test]
fn every_option_has_its_default() {
    let defaults = json!({
        "players": 5,
        "strip": "none",
        "first_deal_revolution": false,
        "tax_visibility": "sealed",
        "merchant_exchange": "off",
        "misdeal_prob": 0.0,
        "scoring": "standard",
        "hands": 20,
        "pass_is_final": false,
        "equal_rank": "forbidden",
        "seating": "random",
        "hand_count_view": "public",
        "reward": "rank_linear",
    });
    assert_eq!(accepts(json!({})), defaults);
    assert_eq!(accepts(Value::Null), defaults);
    let names: Vec<&str> = Rules::OPTIONS.iter().map(|o| o.name).collect();
    let keys: Vec<&String> = defaults.as_object().unwrap().keys().collect();
    assert_eq!(names.len(), keys.len());
    assert!(keys.iter().all(|key| names.contains(&key.as_str())));
}

#[test]
fn the_documentation_names_the_defaults() {
    let defaults = accepts(json!({}));
    for option in Rules::OPTIONS {
        let default = defaults[option.name].to_string();
        assert!(
            option.values.to_string().contains(&format!("(default {default})")),
            "{}: {}",
            option.name,
            option.values
        );
        assert!(option.meaning.ends_with('.'));
    }
}

#[test]
fn every_value_is_accepted_and_kept() {
    let values = json!({
        "players": [4, 5, 6, 7, 8, 9, 10, 11, 12],
        "strip": ["none", "recommended", [], [12], [2, 11]],
        "first_deal_revolution": [true, false],
        "tax_visibility": ["sealed", "seen"],
        "merchant_exchange": ["off", "blind_choice", "blind_random"],
        "misdeal_prob": [0.0, 0.125, 1.0],
        "scoring": ["none", "standard", "philanthropic"],
        "hands": [1, 20, 30, 40, 1000],
        "pass_is_final": [true, false],
        "equal_rank": ["forbidden", "skips", "burns"],
        "seating": ["random", "fixed"],
        "hand_count_view": ["public", "hidden"],
        "reward": ["rank_linear", "score"],
    });
    for (name, list) in values.as_object().unwrap() {
        for value in list.as_array().unwrap() {
            assert_eq!(&accepts(json!({ name: value }))[name], value, "{name}");
        }
    }
}

#[test]
fn values_out_of_range_are_refused_with_what_would_be_right() {
    let cases = [
        (
            json!({"players": 3}),
            "rules option `players` cannot be 3: expected a whole number, 4 to 12 (default 5)",
        ),
        (
            json!({"players": 13}),
            "rules option `players` cannot be 13: expected a whole number, 4 to 12 (default 5)",
        ),
        (
            json!({"players": "5"}),
            "rules option `players` cannot be \"5\": expected a whole number, 4 to 12 (default 5)",
        ),
        (
            json!({"players": -1}),
            "rules option `players` cannot be -1: expected a whole number, 4 to 12 (default 5)",
        ),
        (
            json!({"players": 5.5}),
            "rules option `players` cannot be 5.5: expected a whole number, 4 to 12 (default 5)",
        ),
        (
            json!({"strip": "all"}),
            "rules option `strip` cannot be \"all\": expected \"none\", \"recommended\" or a list of ranks from 1 to 12 \
             (default \"none\")",
        ),
        (
            json!({"strip": [13]}),
            "rules option `strip` cannot be [13]: expected \"none\", \"recommended\" or a list of ranks from 1 to 12 \
             (default \"none\")",
        ),
        (
            json!({"strip": [0]}),
            "rules option `strip` cannot be [0]: expected \"none\", \"recommended\" or a list of ranks from 1 to 12 \
             (default \"none\")",
        ),
        (
            json!({"first_deal_revolution": 1}),
            "rules option `first_deal_revolution` cannot be 1: expected true or false (default false)",
        ),
        (
            json!({"tax_visibility": "open"}),
            "rules option `tax_visibility` cannot be \"open\": expected \"sealed\" or \"seen\" (default \"sealed\")",
        ),
        (
            json!({"merchant_exchange": true}),
            "rules option `merchant_exchange` cannot be true: expected \"off\", \"blind_choice\" or \"blind_random\" \
             (default \"off\")",
        ),
        (
            json!({"misdeal_prob": 1.5}),
            "rules option `misdeal_prob` cannot be 1.5: expected a number, 0.0 to 1.0 (default 0.0)",
        ),
        (
            json!({"misdeal_prob": -0.1}),
            "rules option `misdeal_prob` cannot be -0.1: expected a number, 0.0 to 1.0 (default 0.0)",
        ),
        (
            json!({"scoring": "Standard"}),
            "rules option `scoring` cannot be \"Standard\": expected \"none\", \"standard\" or \"philanthropic\" \
             (default \"standard\")",
        ),
        (
            json!({"hands": 0}),
            "rules option `hands` cannot be 0: expected a whole number, 1 to 1000 (default 20)",
        ),
        (
            json!({"hands": 1001}),
            "rules option `hands` cannot be 1001: expected a whole number, 1 to 1000 (default 20)",
        ),
        (
            json!({"equal_rank": true}),
            "rules option `equal_rank` cannot be true: expected \"forbidden\", \"skips\" or \"burns\" \
             (default \"forbidden\")",
        ),
        (
            json!({"seating": null}),
            "rules option `seating` cannot be null: expected \"random\" or \"fixed\" (default \"random\")",
        ),
        (
            json!({"hand_count_view": "none"}),
            "rules option `hand_count_view` cannot be \"none\": expected \"public\" or \"hidden\" (default \"public\")",
        ),
        (
            json!({"reward": 1}),
            "rules option `reward` cannot be 1: expected \"rank_linear\" or \"score\" (default \"rank_linear\")",
        ),
        (json!([]), "rules option `rules` cannot be []: expected a table of options"),
    ];
    for (options, message) in cases {
        assert_eq!(refusal(options), message);
    }
}

#[test]
fn not_a_number_is_no_probability() {
    let rules = Rules { misdeal_prob: f64::NAN, ..Rules::default() };
    assert_eq!(rules.check().unwrap_err().option(), "misdeal_prob");
}

#[test]
fn unknown_options_are_refused_with_the_nearest_name() {
    assert_eq!(refusal(json!({"player": 5})), "there is no rules option `player`; did you mean `players`?");
    assert_eq!(
        refusal(json!({"merchants_exchange": "off"})),
        "there is no rules option `merchants_exchange`; did you mean `merchant_exchange`?"
    );
    assert_eq!(
        refusal(json!({"xyzzy": 5})),
        "there is no rules option `xyzzy`; expected one of players, strip, first_deal_revolution, tax_visibility, \
         merchant_exchange, misdeal_prob, scoring, hands, pass_is_final, equal_rank, seating, hand_count_view, reward"
    );
}

#[test]
fn a_deck_that_leaves_anybody_fewer_than_six_cards_is_refused() {
    // Twelve players need 72 cards: there are 72 without the 8s, and 71 without the 9s.
    accepts(json!({"players": 12, "strip": [8]}));
    assert_eq!(
        refusal(json!({"players": 12, "strip": [9]})),
        "rules option `strip` cannot be [9]: this leaves only 5 cards for some of the 12 players; strip fewer ranks so \
         that everybody gets at least 6"
    );
    // Four players need 24 cards: 12, 10 and the Jesters are 24.
    accepts(json!({"players": 4, "strip": [1, 2, 3, 4, 5, 6, 7, 8, 9, 11]}));
    assert_eq!(
        refusal(json!({"players": 4, "strip": [1, 2, 3, 4, 5, 6, 7, 8, 10, 11]})),
        "rules option `strip` cannot be [1,2,3,4,5,6,7,8,10,11]: this leaves only 5 cards for some of the 4 players; \
         strip fewer ranks so that everybody gets at least 6"
    );
    assert!(matches!(read::<Rules>(&json!({"players": 4, "strip": [1,2,3,4,5,6,7,8,9,10,11,12]})),
        Err(RulesError::Invalid { option, .. }) if option == "strip"));
    for players in 4..=12 {
        accepts(json!({"players": players, "strip": "recommended"}));
    }
}

#[test]
fn no_scoring_leaves_no_score_to_maximise() {
    assert_eq!(
        refusal(json!({"scoring": "none", "reward": "score"})),
        "rules option `reward` cannot be \"score\": scoring = \"none\" gives no points to maximise"
    );
    // The order of the options does not matter.
    assert_eq!(refusal(json!({"reward": "score", "scoring": "none"})).split(' ').nth(2), Some("`reward`"));
    accepts(json!({"scoring": "none"}));
    accepts(json!({"scoring": "philanthropic", "reward": "score"}));
}

#[test]
fn drawn_rules_are_valid_and_meet_every_value() {
    let mut draw = Draw::new(4, 0);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..2_000 {
        let rules = Rules::random(&mut draw);
        rules.check().unwrap();
        let written = serde_json::to_value(rules).unwrap();
        assert_eq!(read::<Rules>(&written).unwrap(), rules, "rules read back as written");
        for (name, value) in written.as_object().unwrap() {
            let value = if value.is_array() { json!("list") } else { value.clone() };
            seen.insert(format!("{name} {value}"));
        }
    }
    let values: usize = [9, 3, 2, 2, 3, 3, 3, 3, 2, 3, 2, 2, 2].iter().sum();
    assert_eq!(seen.len(), values, "{seen:?}");
}

#[test]
fn players_and_hands_can_be_replaced() {
    let rules = Rules::default();
    assert_eq!((rules.players(), rules.rounds()), (5, 20));
    let sized = |players, rounds| read_sized::<Rules>(&Value::Null, Size { players, rounds });
    assert_eq!(sized(Some(9), None), Ok(Rules { players: 9, ..rules }));
    assert_eq!(sized(None, Some(1)), Ok(Rules { hands: 1, ..rules }));
    let error = sized(None, Some(70_000)).unwrap_err().to_string();
    assert!(error.contains("`hands` cannot be 70000: expected a whole number, 1 to 1000"), "{error}");
    assert_eq!(Rules::PLAYERS, 4..=12);
}

#[test]
fn the_rules_page_lists_every_option_with_its_default() {
    assert_options_are_listed::<Rules>(include_str!("../../rules.md"));
}

#[test]
fn rows_tell_which_options_they_show() {
    let mut shown = Rules::SHOWN.to_vec();
    let [.., hidden, score] = &mut shown[..] else { panic!("options that only shape rows come last") };
    std::mem::swap(hidden, score);
    assert_options_are_told(Round::OBSERVATION, &shown);
}
