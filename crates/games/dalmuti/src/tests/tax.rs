//! Taxes.

use serde_json::json;

use super::super::deck::{Cards, to_text};
use super::super::state::{Stage, tribute};
use super::situation::{Inspect as _, Situation, hand, setup};

fn given(s: &Situation, position: usize) -> String {
    to_text(&s.0.own[position].given)
}

fn received(s: &Situation, position: usize) -> String {
    to_text(&s.0.own[position].received)
}

const GD: &str = "3 3 6 7 8 9 9 10 10 11 11 11 12 12 12 12";
const LD: &str = "4 4 6 6 7 8 8 9 10 10 11 11 12 12 12 12";
const LP: &str = "3 5 5 6 7 7 8 9 9 10 10 11 11 12 12 J";
const GP: &str = "1 2 2 4 5 5 6 7 7 8 8 9 10 11 11 J";

fn five(visibility: &str) -> Situation {
    setup(json!({"players": 5, "tax_visibility": visibility}), &[GD, LD, "", LP, GP]).dealt()
}

#[test]
fn the_best_cards_are_the_lowest_and_jesters_are_never_among_them() {
    let cases = [
        ("2 5 5 9 12 J J", 2, "2 5"),
        ("2 5 5 9 12 J J", 1, "2"),
        ("1 12 12 12 J J", 2, "1 12"),
        ("12 12 12 12 J J", 2, "12 12"),
        ("9 9 9 9 9 9", 1, "9"),
        ("7 11 11 J 12 12", 2, "7 11"),
    ];
    for (cards, k, best) in cases {
        assert_eq!(to_text(&tribute(&hand(cards), k)), best, "{k} of {cards}");
    }
}

#[test]
fn a_whole_taxation_sealed() {
    let mut s = five("sealed");
    assert_eq!(s.0.table.stage, Stage::Taxes);
    s.expect(0, "give 3, give 6, give 7, give 8, give 9, give 10, give 11, give 12");
    s.play("give 3");
    // The second 3 remains: each card can be picked only once.
    s.expect(0, "give 3, give 6, give 7, give 8, give 9, give 10, give 11, give 12");
    assert_eq!(s.after("give 3").turn(), Some(1));
    s.play("give 7");
    // No card has moved yet.
    assert_eq!((s.hand(0).as_str(), s.hand(4).as_str()), (GD, GP));
    s.expect(1, "give 4, give 6, give 7, give 8, give 9, give 10, give 11, give 12");
    assert_eq!(s.hand(1), LD);
    s.play("give 12");
    assert_eq!((s.0.table.stage, s.turn()), (Stage::Play, Some(0)));
    assert_eq!(s.hand(0), "1 2 3 6 8 9 9 10 10 11 11 11 12 12 12 12");
    assert_eq!(s.hand(4), "2 3 4 5 5 6 7 7 7 8 8 9 10 11 11 J");
    assert_eq!(s.hand(1), "3 4 4 6 6 7 8 8 9 10 10 11 11 12 12 12");
    assert_eq!(s.hand(3), "5 5 6 7 7 8 9 9 10 10 11 11 12 12 12 J");
    assert_eq!(s.hand(2), five("sealed").hand(2), "Merchants are left alone");
    assert_eq!((given(&s, 0), received(&s, 0)), ("3 7".into(), "1 2".into()));
    assert_eq!((given(&s, 4), received(&s, 4)), ("1 2".into(), "3 7".into()));
    assert_eq!((given(&s, 1), received(&s, 1)), ("12".into(), "3".into()));
    assert_eq!((given(&s, 3), received(&s, 3)), ("3".into(), "12".into()));
    assert_eq!((given(&s, 2), received(&s, 2)), (String::new(), String::new()));
    let partners: Vec<Option<u8>> = s.0.own[..5].iter().map(|own| own.partner).collect();
    assert_eq!(partners, [Some(4), Some(3), None, Some(1), Some(0)]);
}

#[test]
fn a_picked_card_cannot_be_picked_again() {
    let s = setup(json!({"players": 5}), &["1 2 12 12 12 12 12 12 12 12 12 12 12 11 11 11"]).dealt();
    s.expect(0, "give 1, give 2, give 11, give 12");
    s.after("give 1").expect(0, "give 2, give 11, give 12");
    s.after("give 12").expect(0, "give 1, give 2, give 11, give 12");
}

#[test]
fn sealed_shows_only_dealt_cards_and_seen_the_tribute_too() {
    let sealed = five("sealed");
    sealed.expect(0, "give 3, give 6, give 7, give 8, give 9, give 10, give 11, give 12");
    let seen = five("seen");
    seen.expect(0, "give 1, give 2, give 3, give 6, give 7, give 8, give 9, give 10, give 11, give 12");
    assert_eq!((received(&sealed, 0), received(&seen, 0)), (String::new(), "1 2".into()));
    let ld = seen.after("give 12, give 12");
    ld.expect(1, "give 3, give 4, give 6, give 7, give 8, give 9, give 10, give 11, give 12");
}

#[test]
fn under_seen_all_tributes_arrive_before_the_first_pick_and_the_rest_moves_at_once() {
    let mut s = five("seen");
    assert_eq!(s.hand(4), "2 4 5 5 6 7 7 8 8 9 10 11 11 J");
    assert_eq!(s.hand(3), "5 5 6 7 7 8 9 9 10 10 11 11 12 12 J");
    s.play("give 12, give 12");
    assert_eq!(s.hand(4), "2 4 5 5 6 7 7 8 8 9 10 11 11 J", "what comes back is not shown early");
    s.play("give 12");
    assert_eq!(s.hand(4), "2 4 5 5 6 7 7 8 8 9 10 11 11 12 12 J");
    assert_eq!(s.hand(0), "1 2 3 3 6 7 8 9 9 10 10 11 11 11 12 12");
    assert_eq!(s.hand(1), "3 4 4 6 6 7 8 8 9 10 10 11 11 12 12 12");
    assert_eq!(s.hand(3), "5 5 6 7 7 8 9 9 10 10 11 11 12 12 12 J");
}

#[test]
fn under_seen_the_tribute_may_be_handed_straight_back() {
    let s = five("seen").after("give 1, give 2, give 3");
    for (position, cards) in [(0, GD), (1, LD), (3, LP), (4, GP)] {
        assert_eq!(s.hand(position), cards);
    }
    assert_eq!((given(&s, 0), received(&s, 0)), ("1 2".into(), "1 2".into()));
}

#[test]
fn a_peon_with_both_jesters_who_declined_pays_his_two_best_and_keeps_them() {
    // With eleven players the Greater Peon has seven cards.
    let mut hands = [""; 11];
    hands[10] = "2 5 5 9 12 J J";
    let mut s = setup(json!({"players": 11}), &hands).dealt();
    s.expect(10, "call revolution, decline revolution");
    s.play("decline revolution, give 12, give 12, give 12");
    assert_eq!(s.hand(10), "5 9 12 12 12 J J");
    assert_eq!(given(&s, 10), "2 5");
}

#[test]
fn a_dalmuti_may_give_jesters_and_that_opens_no_window() {
    // The Greater Dalmuti gives a Jester, so that the Greater Peon holds both.
    let s = setup(json!({"players": 5}), &["J", "", "", "", "J 2 3"]).dealt();
    assert!(s.legal().contains(&"give J".to_owned()));
    let after = s.after("give J, give 12, give 12");
    assert_eq!(after.0.own[4].hand.0[12], 2);
    assert_eq!((after.0.table.stage, after.turn()), (Stage::Play, Some(0)));
    // A Greater Dalmuti who declined a revolution may give both Jesters.
    let s =
        setup(json!({"players": 5}), &["J J"]).dealt().after("decline revolution, give J, give J, give 12");
    assert_eq!((s.0.own[0].hand.0[12], s.0.own[4].hand.0[12], s.turn()), (0, 2, Some(0)));
}

#[test]
fn what_a_peon_keeps_is_no_better_than_the_worse_tribute() {
    for seed in 0..200 {
        let hands = ["", "", "", "", ""];
        let s = setup(json!({"players": 5, "misdeal_prob": 0.5}), &hands).seed(seed).dealt();
        let dealt = s.0.own[4].hand;
        let s = s.after("give 12, give 12, give 12");
        let mut kept = dealt;
        kept.remove(&s.0.own[4].given);
        let worse = s.0.own[4].given.cards().max().unwrap();
        assert!(kept.cards().all(|card| card >= worse));
        assert_eq!(s.0.own[4].given.total(), 2);
        assert_eq!(s.0.own[3].given.total(), 1);
    }
}

#[test]
fn four_players_pay_taxes_without_merchants() {
    let s = setup(json!({"players": 4}), &["5 12", "6 12", "3 4", "1 2"]).dealt();
    let after = s.after("give 5, give 12, give 6");
    let pairs = [(given(&after, 3), received(&after, 3)), (given(&after, 2), received(&after, 2))];
    assert_eq!(pairs[0].1, "5 12");
    assert_eq!(pairs[1].1, "6");
    assert_eq!(pairs[0].0, "1 2");
    assert_eq!(pairs[1].0, "3");
    let partners: Vec<Option<u8>> = after.0.own[..4].iter().map(|own| own.partner).collect();
    assert_eq!(partners, [Some(3), Some(2), Some(1), Some(0)]);
    assert!(after.0.own[..4].iter().all(|own| own.hand.total() == 20), "sizes do not change");
    assert_ne!(after.0.own[0].received, Cards::NONE);
}
