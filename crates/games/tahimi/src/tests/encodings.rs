//! Action ids.

use cardsharp_climbing::Set;
use cardsharp_climbing::testing::assert_sets_are_moves;
use cardsharp_engine::ActionId;
use cardsharp_engine::blocks::width;
use cardsharp_engine::game::{Actions, parse_label};
use cardsharp_engine::testing::assert_ids_are_moves;
use serde_json::json;

use super::super::Round;
use super::super::actions::{DeckSet, Move};
use super::situation::{label, setup};

const NAMES: [&str; 18] =
    ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "J", "Q", "K", "A"];

fn id(name: &str) -> u16 {
    parse_label::<Round>(None, name).unwrap_or_else(|| panic!("no action {name}")).0
}

/// The label of a set, independent of the engine.
fn set_label(slot: usize, naturals: u16, jokers: u16) -> String {
    let (name, stars) = (NAMES[slot], ["", "*", "**"][usize::from(jokers)]);
    match (naturals, jokers) {
        (0, _) => format!("{stars} as {name}"),
        (1, 0) => name.to_owned(),
        (1, _) => format!("{name}+{stars}"),
        (n, 0) => format!("{name}x{n}"),
        (n, _) => format!("{name}x{n}+{stars}"),
    }
}

#[test]
fn there_are_509_actions_in_six_families() {
    assert_eq!(width(Round::ACTIONS), 509);
    let families: Vec<(&str, usize, usize)> =
        Round::ACTIONS.iter().map(|b| (b.name, b.offset, b.end())).collect();
    assert_eq!(
        families,
        [
            ("play", 0, 468),
            ("jokers", 468, 470),
            ("pass", 470, 471),
            ("give", 471, 490),
            ("tax_jokers", 490, 493),
            ("decree", 493, 509),
        ]
    );
}

/// The set that the action with this id plays.
fn set(id: ActionId) -> Option<Set> {
    match Move::of(id) {
        Some(Move::Play(set)) => Some(set.set()),
        _ => None,
    }
}

#[test]
fn every_id_is_one_move_and_no_other_is_any() {
    assert_ids_are_moves::<Round, Move>(Move::of, Move::id);
}

#[test]
fn no_set_is_a_move_that_no_deck_cannot_make() {
    assert_sets_are_moves(470, |set| DeckSet::new(set).map(|set| Move::Play(set).id()), set);
}

#[test]
fn sets_have_the_ids_of_the_formula() {
    let mut next = 0;
    for slot in 0..18u16 {
        for (n, j) in (0..=8u16).flat_map(|n| (0..=2u16).map(move |j| (n, j))).skip(1) {
            let formula = slot * 26 + n * 3 + j - 1;
            assert_eq!(formula, next, "the ids have no gaps");
            let name = set_label(usize::from(slot), n, j);
            assert_eq!((label(ActionId(formula)), id(&name)), (name, formula));
            let set = set(ActionId(formula)).unwrap();
            assert_eq!((17 - u16::from(set.rank), set.naturals.into(), set.wilds.into()), (slot, n, j));
            assert_eq!((u16::from(set.size()), u16::from(set.strength::<19>())), (n + j, slot + 1));
            next += 1;
        }
    }
    assert_eq!(next, 468);
    for jokers in [1u16, 2] {
        let set = set(ActionId(467 + jokers)).unwrap();
        assert_eq!((set.naturals, u16::from(set.wilds), set.strength::<19>()), (0, jokers, 0));
    }
    assert!((470..509).all(|other| set(ActionId(other)).is_none()));
}

#[test]
fn the_other_actions_have_their_ids() {
    let ids = [
        ("* as 2", 0),
        ("** as 2", 1),
        ("2", 2),
        ("2+**", 4),
        ("7x3+*", 26 * 5 + 9),
        ("Ax8+**", 467),
        ("*", 468),
        ("**", 469),
        ("pass", 470),
        ("give 2", 471),
        ("give A", 488),
        ("give *", 489),
        ("pay 0 jokers", 490),
        ("pay 1 joker", 491),
        ("pay 2 jokers", 492),
        ("decree 0", 493),
        ("decree 15", 508),
    ];
    for (name, number) in ids {
        assert_eq!((id(name), label(ActionId(number))), (number, name.to_owned()));
    }
    for (slot, name) in (0..).zip(NAMES) {
        assert_eq!(id(&format!("give {name}")), 471 + slot);
    }
    for entry in 0..16 {
        assert_eq!(id(&format!("decree {entry}")), 493 + entry);
    }
}

#[test]
fn other_labels_name_no_move() {
    for wrong in ["", "1", "16", "7x1", "7x0", "7x9", "*+*", "***", "give 16", "pay 3 jokers", "decree 16"] {
        assert_eq!(parse_label::<Round>(None, wrong), None, "{wrong}");
    }
}

#[test]
fn what_is_paid_and_given_back_stays_between_two_players() {
    for i in 0..509u16 {
        let name = label(ActionId(i));
        let secret = name.starts_with("give ") || name.starts_with("pay ");
        assert_eq!(Round::is_public(ActionId(i)), !secret, "{name}");
    }
}

#[test]
fn a_leader_has_as_many_choices_as_the_bounds_say() {
    let leads = |options, hand| setup(options, &[hand, "", "", ""]).dealt().legal().len();
    // Without jokers there are as many leads as cards in hand. The largest hand has 17 cards, or 18 with jokers.
    let three = |jokers| json!({"players": 3, "jokers": jokers});
    let seventeen = "A A A A K K K K Q Q Q Q J J J J 10";
    let sixteen = "A A A A K K K K Q Q Q Q J J J J * *";
    let choices = |options, hand: &str| setup(options, &[hand, "", ""]).dealt().legal().len();
    assert_eq!(choices(three("none"), seventeen), 17);
    assert_eq!(choices(three("low"), sixteen), 3 * 16 + 2);
    assert_eq!(choices(three("wild"), sixteen), 3 * 16 + 2 * 13);
    assert_eq!(leads(json!({"players": 4}), "A A A A K K K K Q Q Q Q J"), 13);
    let eight = json!({"players": 8, "deck": "special", "jokers": "wild"});
    let hand = "A A A A K K K K K Q Q * *";
    assert_eq!(setup(eight, &[hand]).dealt().legal().len(), 3 * 11 + 2 * 18);
}

#[test]
fn phases_are_named_in_the_words_of_the_rules() {
    let options = json!({
        "first_round_tax": true, "jokers": "low", "joker_tax": "holder", "decree": [{}], "rounds": 1,
    });
    let mut phases = vec![setup(options.clone(), &[]).undecided().0.phase()];
    let mut s = setup(options, &["2 2", "2", "", "A * *"]).decreed(0).dealt();
    for next in ["pay 1 joker", "give 2", "give 2", "give 2"] {
        phases.push(s.0.phase());
        s.play(next);
    }
    phases.push(s.0.phase());
    assert_eq!(phases, ["decree", "tax jokers", "tax", "tax", "tax", "play"]);
}
