use cardsharp_engine::game::Scripted;
use cardsharp_engine::game::{Play, Turn};
use cardsharp_engine::testing::{against_random, assert_scripted_answers};
use serde_json::json;

use super::super::tests::situation::{Inspect as _, Situation, label, setup};
use crate::Round;
use crate::rules::Rules;

/// Returns the label of the scripted player's move.
fn choice(s: &Situation) -> String {
    let Turn::Decide(seat) = s.0.turn() else { panic!("the deal is over") };
    label(Round::scripted(s.0.view(seat)))
}

#[test]
fn a_hand_that_takes_everything_is_bid_high_or_alone() {
    let s = setup(json!({}), ["SJ S9 SA SK SQ ST HA DA", "", "", ""], "H6");
    let bid = choice(&s);
    assert!(bid.starts_with("bid "), "{bid}");
    let s = s.bid("80");
    assert_eq!(choice(&s), "discard H6");
    let s = s.after("discard H6");
    assert_eq!(choice(&s), "trump S");
    assert_eq!(choice(&s.after("trump S")), "solo");
}

#[test]
fn a_hand_without_tricks_is_not_bid_for_points() {
    let s = setup(json!({}), ["S7 S8 HQ H8 DQ D8 CK C9", "", "", ""], "");
    let bid = choice(&s);
    assert!(["hold", "bid misere", "bid ouverte"].contains(&bid.as_str()), "{bid}");
}

#[test]
fn a_low_hand_plays_misere_without_trumps() {
    let s = setup(json!({}), ["S7 S8 S9 D7 D8 D9 C7 C8", "", "", ""], "CA");
    let bid = choice(&s);
    assert!(
        ["bid misere", "bid ouverte", "bid praatje", "bid praatje uit de hand"].contains(&bid.as_str()),
        "{bid}"
    );
    let s = s.bid("misere");
    assert_eq!(choice(&s), "discard CA");
    assert_eq!(choice(&s.after("discard CA")), "trump H");
}

#[test]
fn the_asked_ace_is_called_with_a_ten_to_give_it() {
    let hands = ["SJ S9 SK H7 H8 DT D7 C7", "DA S7 S8 H9 HT C8 C9 CT", "", ""];
    let s = setup(json!({}), hands, "H6").bid("80").after("discard H6, trump S, ask DA, SJ");
    let mut s = s;
    while s.turn() != Some(0) || s.0.table().play.in_trick() != 0 {
        s.play(&choice(&s));
    }
    if s.legal().contains(&"call".to_owned()) {
        let s = s.after("call");
        assert_eq!(choice(&s), "DT");
    }
}

#[test]
fn nobody_wastes_points_on_the_other_side() {
    // The bidder's trump jack wins the trick: a defender throws a worthless card, the partner a ten.
    let hands = ["SJ S9 SA C7 C8 C9 H7 D8", "DA D7 DT H9 HA HK HQ HJ", "", ""];
    let s = setup(json!({}), hands, "H6").bid("80").after("discard H6, trump S, ask DA, SJ");
    assert_eq!(choice(&s), "DT");
    let s = setup(json!({}), hands, "H6").bid("80").after("discard H6, trump S, ask CA, SJ");
    assert_ne!(choice(&s), "DT");
}

#[test]
fn beats_random_players_by_a_wide_margin() {
    // Points minus the mean of the other players' points.
    let score = against_random::<Round>(Rules::default(), 150, |payoff, seat| {
        let all: i32 = payoff.points.iter().sum();
        f64::from(4 * payoff.points[seat] - all) / 3.0
    });
    assert!(score > 20.0, "{score}");
}

#[test]
fn answers_every_question_under_all_rules_with_legal_moves() {
    assert_scripted_answers::<Round>(|_| {});
}
