//! Every option: its default and the values it refuses.

use cardsharp_engine::game::Observe;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::{Rules as _, read};
use cardsharp_engine::testing::assert_options_are_told;
use serde_json::{Value, json};

use super::super::Round;
use super::super::rules::Rules;

#[test]
fn the_defaults_are_those_of_the_table() {
    let expected = json!({
        "players": 4, "mode": "single", "stages": 8, "games": 1, "first_player": "random",
        "start_card": "inert_action", "draw_policy": "stuck_only", "taki_follow": "all",
        "taki_close": "choice", "run_wilds": "faq", "super_on_king": "active_color",
        "king_vs_plus3": "next_player", "plus3_vs_plus3": "off", "plus3_last": "window_first", "plus_last": "must_draw",
        "cover_resolved_plus3": true, "two_player_direction": "passes", "last_card": "auto",
        "last_card_penalty": 4, "max_decisions": "auto", "ranking": "winner_only",
    });
    assert_eq!(json!(read::<Rules>(&Value::Null).unwrap()), expected);
    let names: Vec<&str> = Rules::OPTIONS.iter().map(|o| o.name).collect();
    assert_eq!(names.len(), expected.as_object().unwrap().len());
    assert!(names.iter().all(|name| expected.get(name).is_some()));
}

#[test]
fn games_are_cut_off_by_their_mode() {
    let limit = |options: Value| read::<Rules>(&options).unwrap().limit();
    assert_eq!(limit(json!({})), 4000);
    assert_eq!(limit(json!({"mode": "tournament"})), 20_000);
    assert_eq!(limit(json!({"mode": "tournament", "max_decisions": 7})), 7);
}

#[test]
fn values_out_of_range_are_refused() {
    let refused = [
        ("players", json!(1)),
        ("players", json!(11)),
        ("mode", json!("double")),
        ("stages", json!(0)),
        ("stages", json!(9)),
        ("games", json!(0)),
        ("games", json!(1001)),
        ("first_player", json!("youngest")),
        ("start_card", json!("king")),
        ("draw_policy", json!("never")),
        ("taki_follow", json!(true)),
        ("taki_close", json!("open")),
        ("run_wilds", json!("all")),
        ("super_on_king", json!("red")),
        ("king_vs_plus3", json!("on")),
        ("plus3_vs_plus3", json!(true)),
        ("plus3_last", json!("wins")),
        ("plus_last", json!("draws")),
        ("cover_resolved_plus3", json!("yes")),
        ("two_player_direction", json!("stops")),
        ("last_card", json!("shout")),
        ("last_card_penalty", json!(116)),
        ("max_decisions", json!(0)),
        ("max_decisions", json!(1_000_001)),
        ("max_decisions", json!("never")),
        ("ranking", json!("score")),
    ];
    for (option, value) in refused {
        let mut options = json!({});
        options[option] = value.clone();
        let error = read::<Rules>(&options).expect_err(option);
        assert_eq!(error.option(), option, "{value}");
    }
    assert!(read::<Rules>(&json!({"player": 3})).unwrap_err().to_string().contains("did you mean `players`"));
}

#[test]
fn random_rules_are_valid_and_cover_everything() {
    let mut draw = Draw::new(1, 1);
    let all: Vec<Value> = (0..400)
        .map(|_| Rules::random(&mut draw))
        .map(|rules| {
            rules.check().unwrap();
            json!(rules)
        })
        .collect();
    for option in Rules::OPTIONS {
        let mut values: Vec<String> = all.iter().map(|rules| rules[option.name].to_string()).collect();
        values.sort();
        values.dedup();
        assert!(values.len() > 1, "{}: only {values:?}", option.name);
    }
}

#[test]
fn rows_tell_which_options_they_show() {
    assert_options_are_told(Round::OBSERVATION, Rules::SHOWN);
}
