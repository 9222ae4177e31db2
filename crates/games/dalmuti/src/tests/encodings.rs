//! Action ids and labels.

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

fn id(name: &str) -> u16 {
    parse_label::<Round>(None, name).unwrap_or_else(|| panic!("no action {name}")).0
}

/// The label of a set, independent of the engine.
fn set_label(rank: u16, naturals: u16, jesters: u16) -> String {
    let many = if naturals > 1 { format!("x{naturals}") } else { String::new() };
    let with = ["", "+J", "+JJ"][usize::from(jesters)];
    format!("{rank}{many}{with}")
}

#[test]
fn there_are_262_actions_in_seven_families() {
    assert_eq!(width(Round::ACTIONS), 262);
    let families: Vec<(&str, usize, usize)> =
        Round::ACTIONS.iter().map(|b| (b.name, b.offset, b.end())).collect();
    assert_eq!(
        families,
        [
            ("play", 0, 234),
            ("jesters", 234, 236),
            ("pass", 236, 237),
            ("give", 237, 250),
            ("revolution", 250, 252),
            ("exchange", 252, 260),
            ("misdeal", 260, 262),
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
fn no_set_is_a_move_that_the_deck_cannot_make() {
    assert_sets_are_moves(236, |set| DeckSet::new(set).map(|set| Move::Play(set).id()), set);
}

#[test]
fn sets_have_the_ids_of_the_formula() {
    let mut next = 0;
    for r in 1..=12u16 {
        for n in 1..=r {
            for j in 0..=2 {
                let formula = 3 * r * (r - 1) / 2 + 3 * (n - 1) + j;
                assert_eq!(formula, next, "the ids have no gaps");
                assert_eq!(label(ActionId(formula)), set_label(r, n, j));
                assert_eq!(id(&set_label(r, n, j)), formula);
                let set = set(ActionId(formula)).unwrap();
                assert_eq!(
                    (u16::from(set.rank) + 1, u16::from(set.naturals), u16::from(set.wilds)),
                    (r, n, j)
                );
                assert_eq!((u16::from(set.size()), u16::from(set.strength::<13>())), (n + j, 13 - r));
                next += 1;
            }
        }
    }
    assert_eq!(next, 234);
    for jesters in [1u16, 2] {
        let set = set(ActionId(233 + jesters)).unwrap();
        assert_eq!((set.rank, set.naturals, u16::from(set.wilds), set.strength::<13>()), (12, 0, jesters, 0));
    }
    assert!((236..262).all(|other| set(ActionId(other)).is_none()));
}

#[test]
fn the_other_actions_have_their_ids() {
    let ids = [
        ("1", 0),
        ("1+JJ", 2),
        ("2x2", 6),
        ("7x3+J", 70),
        ("12x12+JJ", 233),
        ("J", 234),
        ("JJ", 235),
        ("pass", 236),
        ("give 1", 237),
        ("give 12", 248),
        ("give J", 249),
        ("call revolution", 250),
        ("decline revolution", 251),
        ("no exchange", 252),
        ("exchange with position 3", 253),
        ("exchange with position 9", 259),
        ("keep misdeal", 260),
        ("misdeal to peon", 261),
    ];
    for (name, number) in ids {
        assert_eq!((id(name), label(ActionId(number))), (number, name.to_owned()));
    }
    for rank in 1..=12 {
        assert_eq!(id(&format!("give {rank}")), 236 + rank);
    }
    for position in 3..=9 {
        assert_eq!(id(&format!("exchange with position {position}")), 250 + position);
    }
}

#[test]
fn other_labels_name_no_move() {
    for wrong in
        ["", "13", "1x2", "7x8", "7x1", "7x0", "J+J", "JJJ", "give 13", "exchange with position 2", "call"]
    {
        assert_eq!(parse_label::<Round>(None, wrong), None, "{wrong}");
    }
}

#[test]
fn cards_given_and_declined_revolutions_stay_unseen() {
    for i in 0..262u16 {
        let name = label(ActionId(i));
        let secret = name.starts_with("give ") || name == "decline revolution";
        assert_eq!(Round::is_public(ActionId(i)), !secret, "{name}");
    }
}

#[test]
fn no_hand_is_asked_more_than_the_bounds() {
    // 20 cards with both Jesters: 18 numbered cards give three leads each, plus J and JJ.
    let widest = "12 12 12 12 12 12 12 12 12 11 11 11 11 11 11 11 11 11 J J";
    let s = setup(json!({"players": 4}), &[widest, "1", "2", "3"]).playing();
    assert_eq!(s.legal().len(), 3 * 18 + 2);
    assert!(!s.legal().contains(&"pass".to_owned()));
    // Every rank with as many cards as possible, to answer three cards without a Jester: at most three ways each.
    let hands = ["12 12 12", "1 2 3 4 4 4 5 5 5 6 6 6 7 7 7 8 8 8 J J", "9", "10"];
    let s = setup(json!({"players": 4}), &hands).playing().after("12x3");
    assert!(s.legal().len() <= 12 * 3 + 1);
    assert_eq!(
        s.legal().join(", "),
        "1+JJ, 2+JJ, 3+JJ, 4+JJ, 4x2+J, 4x3, 5+JJ, 5x2+J, 5x3, 6+JJ, 6x2+J, 6x3, 7+JJ, 7x2+J, 7x3, 8+JJ, 8x2+J, \
         8x3, pass"
    );
}

#[test]
fn phases_are_named_in_the_words_of_the_rules() {
    let options = json!({"players": 6, "merchant_exchange": "blind_choice", "misdeal_prob": 0.5});
    let mut s = setup(options, &["", "J J 9"]).exposed("9", 1).dealt();
    let mut phases = vec![s.0.phase()];
    for next in
        ["keep misdeal", "decline revolution", "give 12, give 12", "give 12", "exchange with position 3"]
    {
        s.play(next);
        phases.push(s.0.phase());
    }
    s.play("give 12");
    phases.push(s.0.phase());
    s.play("give 12");
    phases.push(s.0.phase());
    assert_eq!(
        phases,
        ["misdeal", "revolution", "tax", "tax", "exchange offer", "exchange", "exchange", "play"]
    );
}
