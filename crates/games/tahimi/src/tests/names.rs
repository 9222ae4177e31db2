//! Names of cards and actions, which depend on the deck in play.

use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Narrate, Play, parse_label};
use serde_json::{Value, json};

use super::super::Round;
use super::super::deck::{Ladder, slot};
use super::situation::{label, rules, setup};

/// Names of the slots from 0; `None` for slots that the deck lacks.
fn names(options: Value) -> Vec<Option<&'static str>> {
    let rules = rules(options);
    let ladder = Ladder::of(&rules.variant(), rules.players);
    let rank = |s: usize| (0..18).find(|&rank| slot(rank) == s).unwrap();
    (0..18).map(|s| ladder.has(rank(s)).then(|| ladder.name(rank(s)))).collect()
}

/// The same as one text, with `-` for slots without cards.
fn ladder(options: Value) -> String {
    names(options).into_iter().map(|name| name.unwrap_or("-")).collect::<Vec<_>>().join(" ")
}

#[test]
fn aces_are_high_from_two_to_ace() {
    let plain = "2 3 4 5 6 7 8 9 10 - - - - - J Q K A";
    assert_eq!(ladder(json!({})), plain);
    assert_eq!(ladder(json!({"players": 8, "deck": "extra_suits", "jokers": "wild"})), plain);
    assert_eq!(ladder(json!({"players": 4, "deck": "special"})), plain);
    let special = |players: u8| ladder(json!({"players": players, "deck": "special"}));
    assert_eq!(special(5), "2 3 4 5 6 7 8 9 10 11 12 - - - J Q K A");
    assert_eq!(special(6), "2 3 4 5 6 7 8 9 10 11 12 13 - - J Q K A");
    assert_eq!(special(7), "2 3 4 5 6 7 8 9 10 11 12 13 14 - J Q K A");
    assert_eq!(special(8), "2 3 4 5 6 7 8 9 10 11 12 13 14 15 J Q K A");
}

#[test]
fn deuces_are_high_from_three_to_two() {
    let plain = "3 4 5 6 7 8 9 10 J - - - - - Q K A 2";
    assert_eq!(ladder(json!({"deuces_high": true})), plain);
    assert_eq!(ladder(json!({"players": 7, "deck": "extra_suits", "deuces_high": true})), plain);
    for reading in ["relabel", "literal"] {
        let special = |players: u8| {
            let options = json!({
                "players": players, "deck": "special", "deuces_high": true, "deuces_special": reading
            });
            ladder(options)
        };
        assert_eq!(special(3), plain);
        assert_eq!(special(5), "3 4 5 6 7 8 9 10 11 12 J - - - Q K A 2");
        assert_eq!(special(6), "3 4 5 6 7 8 9 10 11 12 13 J - - Q K A 2");
        assert_eq!(special(7), "3 4 5 6 7 8 9 10 11 12 13 14 J - Q K A 2");
        assert_eq!(special(8), "3 4 5 6 7 8 9 10 11 12 13 14 15 J Q K A 2");
    }
}

#[test]
fn trimmed_ranks_keep_their_place_on_the_ladder() {
    // With six players trimming removes all 8s. Wild jokers may still take that rank.
    let options = json!({"players": 6, "jokers": "none"});
    assert_eq!(ladder(options), "2 3 4 5 6 7 8 9 10 - - - - - J Q K A");
}

#[test]
fn actions_are_called_as_the_deck_in_play_calls_them() {
    let options = json!({"players": 4, "jokers": "wild", "deuces_high": true});
    // Views name cards by slot with aces high: this is 2, A, 3 and a joker.
    let s = setup(options, &["A K 2 *", "K K", "Q", "3"]).playing();
    s.expect(
        0,
        "* as 3, 3, 3+*, * as 4, * as 5, * as 6, * as 7, * as 8, * as 9, * as 10, * as J, * as Q, * as K, * as A, A, \
         A+*, * as 2, 2, 2+*",
    );
}

#[test]
fn labels_are_unique_at_every_table_and_parse_back() {
    let tables = [
        json!({"players": 3}),
        json!({"players": 4, "deuces_high": true, "jokers": "low"}),
        json!({"players": 5, "deck": "special", "jokers": "wild"}),
        json!({"players": 6, "deck": "special", "deuces_high": true}),
        json!({"players": 8, "deck": "special", "deuces_high": true, "deuces_special": "literal"}),
    ];
    for options in tables {
        let s = setup(options.clone(), &[]).dealt();
        let all: Vec<String> = (0..509).map(|id| s.label(ActionId(id))).collect();
        let unique: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(unique.len(), 509, "{options}");
        for (id, name) in (0..509).zip(&all) {
            assert_eq!(parse_label::<Round>(Some(&s.0.table), name), Some(ActionId(id)), "{name}");
        }
    }
}

#[test]
fn slots_that_the_deck_does_not_have_keep_a_name_of_their_own() {
    let at = |options: Value, id: u16| setup(options, &[]).dealt().label(ActionId(id));
    // Slot 9 holds the 11s of the special deck.
    let eleven = 26 * 9 + 2;
    assert_eq!(label(ActionId(eleven)), "11");
    assert_eq!(at(json!({"players": 4}), eleven), "11");
    assert_eq!(at(json!({"players": 4, "deuces_high": true}), eleven), "no 11");
    assert_eq!(at(json!({"players": 5, "deck": "special"}), eleven), "11");
    assert_eq!(at(json!({"players": 5, "deck": "special", "deuces_high": true}), eleven), "12");
    // Slot 8 is the 10 with aces high, and the jack of a standard deck with deuces high.
    let ten = 26 * 8 + 2;
    assert_eq!(at(json!({}), ten), "10");
    assert_eq!(at(json!({"deuces_high": true}), ten), "J");
    assert_eq!(at(json!({"players": 6, "deck": "special", "deuces_high": true}), ten), "11");
}

#[test]
fn pictures_and_deals_use_the_names_in_play_and_views_the_slots() {
    let s = setup(json!({"deuces_high": true}), &["A A 2 2 2 2 3 4 5 6 7 8 9"]).dealt();
    let deal = s.0.describe_deal().unwrap();
    assert_eq!(deal["hands"][0], "2 2 10 9 8 7 6 5 4 3 3 3 3");
    let picture = Round::picture(s.0.view(s.seat(0)));
    assert!(picture.contains("Your hand: 2 2 | 10 | 9 | 8 | 7 | 6 | 5 | 4 | 3 3 3 3"), "{picture}");
    assert_eq!(s.view_json(0)["own"]["hand"], "A A 9 8 7 6 5 4 3 2 2 2 2");
}
