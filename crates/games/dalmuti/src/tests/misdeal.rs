//! Cards exposed while dealing.

use serde_json::json;

use super::super::state::{ExposedFate, Stage};
use super::situation::{Inspect as _, Situation, hand, setup};

/// The Dalmuti is exposed at position 2. The Greater Peon holds cards of many ranks.
fn exposed_dalmuti(seed: u64) -> Situation {
    let hands = ["", "", "1 5 12", "", "2 3 4 4 6 7 8 8 9 9 10 10 11 11 12 J"];
    setup(json!({"players": 5, "misdeal_prob": 0.5}), &hands).exposed("1", 2).seed(seed).dealt()
}

#[test]
fn the_greater_dalmuti_decides_before_anything_else() {
    let s = exposed_dalmuti(0);
    s.expect(0, "keep misdeal, misdeal to peon");
    assert_eq!(s.0.table.stage, Stage::Misdeal);
    let exposed = s.0.table.exposed.unwrap();
    assert_eq!((exposed.rank, exposed.receiver.0, exposed.fate), (0, 2, ExposedFate::Open));
}

#[test]
fn kept_it_stays_with_its_receiver_and_nothing_moves() {
    let s = exposed_dalmuti(0);
    let after = s.after("keep misdeal");
    for p in 0..5 {
        assert_eq!(after.hand(p), s.hand(p));
        assert_eq!(after.0.own[usize::from(p)].replacement, None);
    }
    assert_eq!(after.0.table.exposed.unwrap().fate, ExposedFate::Kept);
    assert_eq!(after.turn(), Some(0), "taxes follow");
}

#[test]
fn to_the_peon_it_is_swapped_for_a_random_card_of_his_others() {
    let mut replacements = std::collections::BTreeMap::new();
    for seed in 0..1_600 {
        let s = exposed_dalmuti(seed);
        let mut after = s.after("misdeal to peon");
        assert_eq!(after.0.table.exposed.unwrap().fate, ExposedFate::ToPeon);
        let card = after.0.own[4].replacement.unwrap();
        assert_eq!(after.0.own[2].replacement, Some(card), "both know it");
        assert!([0, 1, 3].iter().all(|&p| after.0.own[p].replacement.is_none()), "the others do not");
        let (mut peon, mut receiver) = (hand(&s.hand(4)), hand(&s.hand(2)));
        peon.0[0] += 1;
        peon.0[usize::from(card)] -= 1;
        receiver.0[0] -= 1;
        receiver.0[usize::from(card)] += 1;
        assert_eq!(after.0.own[4].hand, peon);
        assert_eq!(after.0.own[2].hand, receiver);
        assert!([0, 1, 3].iter().all(|&p| after.hand(p) == s.hand(p)));
        for p in 0..5u8 {
            assert_eq!(after.0.own[usize::from(p)].hand.total(), 16, "sizes do not change");
        }
        *replacements.entry(card).or_insert(0u32) += 1;
        // The Dalmuti in the Greater Peon's hand then goes to the Greater Dalmuti as tribute.
        after.play("give 12, give 12, give 12");
        assert_eq!(after.0.own[4].hand.0[0], 0);
        assert_eq!(after.0.own[0].hand.0[0], 1);
        assert_eq!(after.0.own[4].given.0[0], 1);
    }
    // The Greater Peon has 16 other cards: two each of 4, 8, 9, 10 and 11, and one of the others. The 1 is never drawn.
    let share = |rank: u8| if [3, 7, 8, 9, 10].contains(&rank) { 2 } else { 1 };
    let kinds: Vec<u8> = replacements.keys().copied().collect();
    assert_eq!(kinds, [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]);
    for (&rank, &seen) in &replacements {
        let expected = 100 * share(rank);
        assert!(seen.abs_diff(expected) < 60, "{replacements:?}");
    }
}

#[test]
fn the_greater_peons_own_exposed_card_needs_no_decision() {
    let s = setup(json!({"players": 5, "misdeal_prob": 0.5}), &["", "", "", "", "1"]).exposed("1", 4).dealt();
    let exposed = s.0.table.exposed.unwrap();
    assert_eq!((exposed.rank, exposed.receiver.0, exposed.fate), (0, 4, ExposedFate::Kept));
    assert_eq!((s.0.table.stage, s.turn()), (Stage::Taxes, Some(0)));
    assert!(s.0.own.iter().all(|own| own.replacement.is_none()));
}

#[test]
fn the_greater_dalmuti_is_asked_about_his_own_card_too() {
    let s =
        setup(json!({"players": 5, "misdeal_prob": 0.5}), &["12", "", "", "", "3"]).exposed("12", 0).dealt();
    s.expect(0, "keep misdeal, misdeal to peon");
    let after = s.after("misdeal to peon");
    assert!(after.0.own[0].replacement.is_some());
    assert_eq!(after.0.own[0].replacement, after.0.own[4].replacement);
    assert_eq!(after.0.own[0].hand.total(), 16);
}

#[test]
fn both_jesters_are_counted_after_the_repair() {
    // The exposed Jester makes the Greater Peon the holder of both.
    let hands = ["", "", "J", "", "2 3 4 J"];
    let options = json!({"players": 5, "misdeal_prob": 0.5});
    let given = (0..40).map(|seed| setup(options.clone(), &hands).exposed("J", 2).seed(seed).dealt());
    let mut jester_came_back = 0;
    for s in given {
        let after = s.after("misdeal to peon");
        if after.0.own[2].replacement == Some(12) {
            // The Greater Peon's own Jester left in exchange, so no player holds both.
            jester_came_back += 1;
            after.expect(0, &s.after("keep misdeal").legal().join(", "));
        } else {
            after.expect(4, "call revolution, decline revolution");
            assert_eq!(after.0.table.stage, Stage::Dealt);
        }
        assert_eq!(s.after("keep misdeal").0.table.stage, Stage::Taxes, "nobody holds both");
    }
    assert!((1..20).contains(&jester_came_back));

    // The receiver would have held both Jesters, but does not any more.
    let hands = ["", "", "J J", "", "2 3 4"];
    let s = setup(options, &hands).exposed("J", 2).dealt();
    s.after("keep misdeal").expect(2, "call revolution, decline revolution");
    let after = s.after("misdeal to peon");
    assert_eq!((after.0.table.stage, after.turn()), (Stage::Taxes, Some(0)));
}

#[test]
fn the_dealt_hand_in_taxes_is_the_repaired_one() {
    let hands = ["1 2 3", "", "", "", "6 6 6 6 6 6 7 7 7 7 7 7 7 8 8 8"];
    let s = setup(json!({"players": 5, "misdeal_prob": 0.5}), &hands).exposed("1", 0).dealt();
    let after = s.after("misdeal to peon");
    assert!(!after.legal().contains(&"give 1".to_owned()), "the 1 is gone");
    let replacement = after.0.own[0].replacement.unwrap();
    assert!(after.legal().contains(&format!("give {}", replacement + 1)), "what came for it can be given");
}

#[test]
fn a_misdeal_comes_before_a_tax_free_first_hand_too() {
    let options = json!({"players": 5, "misdeal_prob": 0.5, "first_deal_revolution": true});
    let s = setup(options, &["", "9"]).exposed("9", 1).dealt();
    s.expect(0, "keep misdeal, misdeal to peon");
    let after = s.after("keep misdeal");
    assert_eq!((after.0.table.stage, after.turn()), (Stage::Play, Some(0)));
}
