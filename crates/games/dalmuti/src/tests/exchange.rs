//! The merchant exchange.

use serde_json::json;

use super::super::deck::to_text;
use super::super::state::Stage;
use super::situation::{Inspect as _, Situation, hand, setup};

const MERCHANT: &str = "2 3 5 5 6 7 8 9 10 10 11 12 12";
const OTHER: &str = "4 4 6 6 7 7 8 8 9 9 10 11 11";

/// Six players after the choice of taxes, on the highest Merchant's decision.
fn six(exchange: &str) -> Situation {
    let s = setup(json!({"players": 6, "merchant_exchange": exchange}), &["", "", MERCHANT, OTHER]).dealt();
    s.after_giving(3)
}

fn offer(players: u8) -> Situation {
    let options = json!({"players": players, "merchant_exchange": "blind_choice"});
    setup(options, &[]).dealt().after_giving(3)
}

#[test]
fn the_highest_merchant_chooses_among_the_other_merchants() {
    six("blind_choice").expect(2, "no exchange, exchange with position 3");
    six("blind_random").expect(2, "no exchange, exchange with position 3");
    offer(7).expect(2, "no exchange, exchange with position 3, exchange with position 4");
    for players in 6..=12u8 {
        let targets: Vec<String> = (3..=players - 3).map(|p| format!("exchange with position {p}")).collect();
        offer(players).expect(2, &format!("no exchange, {}", targets.join(", ")));
    }
}

#[test]
fn with_one_merchant_or_none_it_is_never_offered() {
    for players in [4, 5] {
        assert_eq!(offer(players).0.table.stage, Stage::Play);
    }
}

#[test]
fn switched_off_it_is_never_offered() {
    for players in 6..=12 {
        let s = setup(json!({"players": players}), &[]).dealt().after_giving(3);
        assert_eq!((s.0.table.stage, s.turn()), (Stage::Play, Some(0)));
    }
}

#[test]
fn without_taxes_there_is_no_exchange() {
    let options = json!({"players": 8, "merchant_exchange": "blind_choice"});
    for position in [0, 3, 7] {
        let mut hands = [""; 8];
        hands[position] = "J J";
        let s = setup(options.clone(), &hands).dealt().after("call revolution");
        assert_eq!((s.0.table.stage, s.turn()), (Stage::Play, Some(0)));
    }
    let first = json!({"players": 8, "merchant_exchange": "blind_choice", "first_deal_revolution": true});
    assert_eq!(setup(first, &[]).dealt().0.table.stage, Stage::Play);
}

#[test]
fn declining_ends_the_taxation() {
    let s = six("blind_choice").after("no exchange");
    assert_eq!((s.0.table.stage, s.turn(), s.0.table.exchange), (Stage::Play, Some(0), None));
    assert_eq!((s.hand(2).as_str(), s.hand(3).as_str()), (MERCHANT, OTHER));
    assert!([2, 3].iter().all(|&p| s.0.own[p].partner.is_none()));
}

#[test]
fn blind_choice_asks_both_and_the_target_cannot_refuse() {
    let mut s = six("blind_choice");
    s.play("exchange with position 3");
    assert_eq!(s.0.table.exchange, Some(3), "who exchanges with whom is public");
    s.expect(2, "give 2, give 3, give 5, give 6, give 7, give 8, give 9, give 10, give 11, give 12");
    s.play("give 12");
    // The target chooses from their own cards only: the 12 on offer has not arrived.
    s.expect(3, "give 4, give 6, give 7, give 8, give 9, give 10, give 11");
    assert_eq!((s.hand(2).as_str(), s.hand(3).as_str()), (MERCHANT, OTHER));
    s.play("give 4");
    assert_eq!(s.hand(2), "2 3 4 5 5 6 7 8 9 10 10 11 12");
    assert_eq!(s.hand(3), "4 6 6 7 7 8 8 9 9 10 11 11 12");
    for (position, partner, gave, got) in [(2, 3, "12", "4"), (3, 2, "4", "12")] {
        let own = &s.0.own[position];
        assert_eq!(own.partner, Some(partner));
        assert_eq!((to_text(&own.given), to_text(&own.received)), (gave.into(), got.into()));
    }
    assert_eq!((s.0.table.stage, s.turn()), (Stage::Play, Some(0)));
}

#[test]
fn the_target_chooses_alike_whatever_is_offered() {
    let s = six("blind_choice").after("exchange with position 3");
    let (a, b) = (s.after("give 2"), s.after("give 12"));
    assert_eq!(a.view_json(3), b.view_json(3));
    assert_eq!(a.row(3), b.row(3));
}

#[test]
fn blind_random_draws_uniformly_from_the_targets_dealt_hand() {
    let mut seen = [0u32; 13];
    for seed in 0..1_300 {
        let options = json!({"players": 6, "merchant_exchange": "blind_random"});
        let s = setup(options, &["", "", MERCHANT, OTHER]).seed(seed).dealt();
        let s = s.after_giving(3).after("exchange with position 3, give 12");
        assert_eq!((s.0.table.stage, s.turn()), (Stage::Play, Some(0)), "the target decides nothing");
        let card = s.0.own[2].received.cards().next().unwrap();
        assert_eq!(s.0.own[2].received, s.0.own[3].given);
        assert_eq!(to_text(&s.0.own[3].received), "12");
        seen[card] += 1;
        let mut target = hand(OTHER);
        target.0[card] -= 1;
        target.0[11] += 1;
        assert_eq!(s.0.own[3].hand, target);
    }
    for (card, &n) in seen.iter().enumerate() {
        let held = u32::from(hand(OTHER).0[card]);
        assert!(n.abs_diff(100 * held) <= 55, "{seen:?}");
        assert_eq!(n == 0, held == 0, "the 12 on offer cannot come back");
    }
}

#[test]
fn the_other_merchants_are_left_alone() {
    let s = offer(9);
    let before: Vec<String> = (3..=6).map(|p| s.hand(p)).collect();
    let after = s.after("exchange with position 5").after_giving(2);
    assert_eq!(after.0.table.exchange, Some(5));
    for p in [3, 4, 6] {
        assert_eq!(after.hand(p), before[usize::from(p) - 3]);
        assert_eq!(after.0.own[usize::from(p)].partner, None);
    }
}

#[test]
fn hand_sizes_do_not_change() {
    for exchange in ["blind_choice", "blind_random"] {
        let options = json!({"players": 7, "merchant_exchange": exchange});
        let s = setup(options, &[]).dealt().after_giving(3).after("exchange with position 4");
        let s = s.after_giving(if exchange == "blind_choice" { 2 } else { 1 });
        assert_eq!(s.0.table.stage, Stage::Play);
        let sizes: Vec<u32> = s.0.own[..7].iter().map(|own| own.hand.total()).collect();
        assert_eq!(sizes, [12, 12, 12, 11, 11, 11, 11]);
    }
}
