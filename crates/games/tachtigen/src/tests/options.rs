//! Options: defaults, ranges, rule sets.

use cardsharp_engine::game::Observe;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::{Rules as _, Size, read, read_sized};
use cardsharp_engine::testing::assert_options_are_told;
use serde_json::{Value, json};

use super::super::Round;
use super::super::rules::Rules;

#[test]
fn every_option_has_the_default_its_text_names() {
    let defaults = json!(Rules::default());
    let defaults = defaults.as_object().unwrap();
    assert_eq!(defaults.len(), Rules::OPTIONS.len());
    for option in Rules::OPTIONS {
        let default = defaults[option.name].to_string();
        let values = option.values.to_string();
        let named = values.split("(default ").nth(1).map_or(&*values, |rest| rest.trim_end_matches(')'));
        assert_eq!(named, default, "{}", option.name);
    }
}

#[test]
fn values_out_of_range_are_refused() {
    for (option, value) in [
        ("players", json!(3)),
        ("max_point_bid", json!(210)),
        ("max_point_bid", json!(720)),
        ("max_point_bid", json!(225)),
        ("jack_exempt_count", json!(100)),
        ("all_tricks_bonus", json!(55)),
        ("all_tricks_bonus", json!(510)),
        ("deals", json!(0)),
        ("deals", json!(1001)),
        ("undertrump", json!("sometimes")),
        ("ask_discard", json!(1)),
        ("reward", json!("rank_linear")),
    ] {
        let error = read::<Rules>(&json!({ option: value })).unwrap_err();
        assert_eq!(error.option(), option);
    }
    let sized = |players, rounds| read_sized::<Rules>(&Value::Null, Size { players, rounds });
    assert!(sized(Some(5), None).is_err());
    assert_eq!(sized(None, Some(30)).map(|rules| rules.rounds()), Ok(30));
}

#[test]
fn random_rules_are_valid_and_take_every_value() {
    let mut draw = Draw::new(2, 2);
    let mut seen: std::collections::BTreeMap<String, std::collections::BTreeSet<String>> = Default::default();
    for _ in 0..2_000 {
        let rules = Rules::random(&mut draw);
        rules.check().unwrap();
        let Value::Object(all) = json!(rules) else { panic!("rules are a table") };
        for (option, value) in all {
            seen.entry(option).or_default().insert(value.to_string());
        }
    }
    for option in Rules::OPTIONS.iter().filter(|option| option.name != "players") {
        let values = option.values.to_string();
        let choices = values.matches('"').count() / 2 - usize::from(values.contains("default \""));
        assert!(seen[option.name].len() >= choices.max(2), "{}: {:?}", option.name, seen[option.name]);
    }
}

#[test]
fn the_presets_are_rule_sets() {
    for (name, preset) in [("rotterdam", Rules::rotterdam()), ("pandoer", Rules::pandoer())] {
        let set = crate::RULE_SETS.iter().find(|set| set.name == name).unwrap();
        for (option, value) in json!(preset).as_object().unwrap() {
            let differs = *value != json!(Rules::default())[option];
            let line = format!("{option} = {value}");
            assert!(!differs || set.text.lines().any(|l| l == line), "{name}: {line}");
        }
    }
}

#[test]
fn rows_tell_which_options_they_show() {
    assert_options_are_told(Round::OBSERVATION, Rules::SHOWN);
}
