//! Reading rules, and refused rules.

use cardsharp_engine::rules::{Rules as _, Size, read, read_sized};
use cardsharp_engine::testing::assert_options_are_listed;
use serde_json::{Value, json};

use crate::rules::Rules;

fn rules(given: &Value) -> Rules {
    read(given).unwrap_or_else(|error| panic!("{given}: {error}"))
}

fn refused(given: &Value) -> String {
    read::<Rules>(given).expect_err("these rules are wrong").to_string()
}

#[test]
fn the_defaults_are_written_and_read_back() {
    let all = json!(Rules::default());
    assert_eq!(all["decree"], "off");
    assert_eq!(all["roster_script"], json!([]));
    assert_eq!(rules(&all), Rules::default());
    assert_eq!(rules(&Value::Null), Rules::default());
}

#[test]
fn a_menu_and_a_roster_read_back() {
    let given = json!({
        "decree": [{}, { "jokers": "wild", "deuces_high": true }],
        "roster_script": [{ "round": 3, "join": 4 }, { "round": 5, "leave": 1 }],
    });
    let read = rules(&given);
    let back = json!(read);
    assert_eq!(back["decree"], given["decree"]);
    assert_eq!(back["roster_script"], given["roster_script"]);
    assert_eq!((read.players(), read.seats(), read.rounds()), (4, 5, 20));
}

#[test]
fn wrong_options_are_named() {
    let cases = [
        (json!({ "players": 2 }), "players"),
        (json!({ "players": 9 }), "3 to 8"),
        (json!({ "rounds": 0 }), "rounds"),
        (json!({ "decree": [] }), "empty list"),
        (json!({ "decree": "on" }), "decree"),
        (json!({ "decree": [{ "trim": "none" }] }), "decree"),
        (json!({ "deck": "big" }), "extra_suits"),
        (
            json!({ "roster_script": [{ "round": 0, "join": 4 }] }),
            "(round 0: seat 4 joins): players change between rounds, so from round 2",
        ),
        (json!({ "roster_script": [{ "round": 1, "join": 4 }] }), "from round 2"),
        (json!({ "roster_script": [{ "round": 2, "join": 3 }] }), "at the table already"),
        (json!({ "roster_script": [{ "round": 2, "join": 5 }] }), "seat 4"),
        (json!({ "roster_script": [{ "round": 2, "leave": 4 }] }), "must be at the table"),
        (
            json!({ "roster_script": [{ "round": 2, "leave": 1 }, { "round": 3, "leave": 1 }] }),
            "must be at the table",
        ),
        (json!({ "roster_script": [{ "round": 2, "leave": 1, "join": 4 }] }), "roster_script"),
        (json!({ "players": 8, "roster_script": [{ "round": 2, "join": 8 }] }), "at most 8 players"),
        (json!({ "taxes": "none" }), "taxes"),
    ];
    for (given, part) in cases {
        let error = refused(&given);
        assert!(error.contains(part), "{given}: {error}");
    }
}

#[test]
fn leaves_come_before_joins_and_the_session_ends_below_three() {
    let full =
        json!({ "players": 8, "roster_script": [{ "round": 2, "join": 8 }, { "round": 2, "leave": 0 }] });
    assert_eq!(rules(&full).seats(), 9);
    let short = json!({ "players": 3, "roster_script": [{ "round": 4, "leave": 0 }] });
    assert_eq!(rules(&short).rounds(), 3);
    // The minimum number of players applies after all changes of a round.
    let swap =
        json!({ "players": 3, "roster_script": [{ "round": 4, "leave": 0 }, { "round": 4, "join": 3 }] });
    assert_eq!((rules(&swap).rounds(), rules(&swap).seats()), (20, 4));
    // A player who would join after the end has no seat.
    let late =
        json!({ "players": 3, "roster_script": [{ "round": 4, "leave": 0 }, { "round": 9, "join": 3 }] });
    assert_eq!((rules(&late).rounds(), rules(&late).seats()), (3, 3));
}

#[test]
fn the_documentation_names_the_defaults() {
    let defaults = json!(Rules::default());
    assert_eq!(Rules::OPTIONS.len(), defaults.as_object().unwrap().len());
    for option in Rules::OPTIONS {
        let default = &defaults[option.name];
        let words =
            if *default == json!([]) { "(default empty)".into() } else { format!("(default {default})") };
        assert!(option.values.to_string().contains(&words), "{}: {}", option.name, option.values);
        assert!(option.meaning.ends_with('.'));
    }
}

#[test]
fn the_rules_page_lists_every_option_with_its_default() {
    assert_options_are_listed::<Rules>(include_str!("../../rules.md"));
}

#[test]
fn the_rules_page_has_the_special_decks() {
    use crate::deck::{composition, from_text};
    use crate::variant::Deck;
    const PAGE: &str = include_str!("../../rules.md");
    let table = PAGE.split_once("| rank | 5 players |").unwrap().1.split_once("| together").unwrap().0;
    let decks = [5, 6, 7, 8].map(|players| {
        let rules = Rules { players, deck: Deck::Special, ..Rules::default() };
        composition(&rules, &rules.variant(), players)
    });
    let mut ranks = 0;
    for row in table.lines().skip(2) {
        let row: Vec<&str> = row.split('|').map(str::trim).collect();
        let rank = from_text(row[1]).unwrap().cards().next().unwrap();
        let counts = decks.map(|deck| deck.0[rank]);
        assert_eq!(
            row[2..6],
            counts.map(|n| if n == 0 { String::new() } else { n.to_string() }),
            "{}",
            row[1]
        );
        ranks += 1;
    }
    assert_eq!(ranks, 18);
}

#[test]
fn every_value_is_accepted_and_kept() {
    let values = json!({
        "players": [3, 4, 5, 6, 7, 8],
        "deck": ["standard", "extra_suits", "special"],
        "trim": ["auto", "none"],
        "jokers": ["none", "low", "wild"],
        "joker_tax": ["coupled", "high", "low", "holder"],
        "deuces_high": [false, true],
        "deuces_special": ["relabel", "literal"],
        "rank_privilege": [false, true],
        "first_round_tax": [false, true],
        "tax_schedule": ["auto", "basic", "progressive"],
        "join_policy": ["middle", "serf", "redraw", "random"],
        "pass_on_lead": [false, true],
        "pass_is_final": [false, true],
        "equal_rank": ["forbidden", "skips", "burns"],
        "hand_count_view": ["derivable", "one_card"],
        "decree": ["off", [{}], [{"deck": "special", "rank_privilege": false}, {"tax_schedule": "basic"}]],
        "seating": ["random", "fixed"],
        "rounds": [1, 20, 1000],
        "roster_script": [[], [{"round": 2, "leave": 0}], [{"round": 9, "join": 4}]],
        "reward": ["rank_linear", "points", "tahimi_only"],
    });
    for (name, list) in values.as_object().unwrap() {
        for value in list.as_array().unwrap() {
            assert_eq!(&json!(rules(&json!({ name: value })))[name], value, "{name}");
        }
    }
}

#[test]
fn drawn_rules_are_valid_and_meet_every_value() {
    let mut draw = cardsharp_engine::rng::Draw::new(4, 0);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..2_000 {
        let drawn = Rules::random(&mut draw);
        drawn.check().unwrap();
        let written = json!(drawn);
        assert_eq!(rules(&written), drawn, "rules read back as written");
        for (name, value) in written.as_object().unwrap() {
            let value = match value {
                Value::Array(list) => json!(if list.is_empty() { "empty" } else { "list" }),
                other => other.clone(),
            };
            seen.insert(format!("{name} {value}"));
        }
    }
    let values: usize = [6, 3, 2, 3, 4, 2, 2, 2, 2, 3, 4, 2, 2, 3, 2, 2, 2, 3, 2, 3].iter().sum();
    assert_eq!(seen.len(), values, "{seen:?}");
}

#[test]
fn a_seat_that_no_table_has_is_refused() {
    // This holds even if the session ends before that round.
    let ends = [json!({ "round": 3, "leave": 0 }), json!({ "round": 3, "leave": 1 })];
    for seat in [12, 255] {
        for change in ["join", "leave"] {
            for (round, before) in [(0, &ends[..0]), (2, &ends[..0]), (9, &ends)] {
                let script = [before, &[json!({ "round": round, change: seat })]].concat();
                let error = refused(&json!({ "roster_script": script }));
                let expected = if round == 0 { "from round 2" } else { "no seat is above 11" };
                assert!(error.contains(expected), "{error}");
            }
        }
    }
    let error = refused(&json!({ "roster_script": vec![json!({ "round": 2, "join": 4 }); 25] }));
    assert!(error.contains("at most 24"), "{error}");
}

#[test]
fn players_and_rounds_can_be_replaced() {
    let rules = Rules::default();
    let sized = |players, rounds| read_sized::<Rules>(&Value::Null, Size { players, rounds });
    assert_eq!(sized(Some(8), None), Ok(Rules { players: 8, ..rules }));
    assert_eq!(sized(None, Some(3)), Ok(Rules { rounds: 3, ..rules }));
    let error = sized(None, Some(70_000)).unwrap_err().to_string();
    assert!(error.contains("`rounds` cannot be 70000: expected a whole number, 1 to 1000"), "{error}");
    assert_eq!(Rules::PLAYERS, 3..=8);
}
