//! Deals with known best moves.

use cardsharp_env::{Seat, game};
use chosen_hands::{Problem, first_moves};
use serde_json::json;

#[test]
fn who_holds_nearly_all_trumps_should_bid_and_who_holds_nothing_should_not() {
    let rules = game("tachtigen").unwrap().default_rules();
    let judge = |hand: &str| {
        let deal = json!({ "dealer": 3, "hands": [hand, null, null, null] });
        first_moves(&rules, &deal, 60).unwrap()
    };
    let (seat, strong) = judge("SJ S9 SA ST SK SQ HA DA");
    assert_eq!(seat, Seat(0));
    assert!(strong[0].label.starts_with("bid "), "{strong:?}");
    assert!(strong[0].points > 50.0, "{strong:?}");
    let (_, weak) = judge("S7 S8 H7 H8 D7 D8 C7 C8");
    let points = |moves: &[chosen_hands::Worth], label: &str| {
        moves.iter().find(|worth| worth.label == label).map(|worth| worth.points).unwrap()
    };
    assert!(points(&weak, "hold") > points(&weak, "bid 100"), "{weak:?}");
    assert!(points(&strong, "bid 100") > points(&weak, "bid 100"));
}

#[test]
fn a_whole_deal_has_one_answer_whatever_the_seed() {
    let rules = game("kuhn").unwrap().default_rules();
    // The king bets and is never called; the jack checks, and the queen bets and is called by none.
    let deal = json!({ "hands": ["Ks", "Qs"] });
    assert_eq!(first_moves(&rules, &deal, 1), first_moves(&rules, &deal, 20));
}

#[test]
fn a_deal_that_leaves_the_first_move_open_is_refused() {
    let rules = game("tachtigen").unwrap().default_rules();
    let hand = json!({ "hands": ["SJ S9 SA ST SK SQ HA DA", null, null, null] });
    assert_eq!(first_moves(&rules, &hand, 40), Err(Problem::Open), "nobody said who deals");
    let short = json!({ "hands": ["SJ", null, null, null] });
    let problem = first_moves(&rules, &short, 1).unwrap_err();
    assert_eq!(problem.to_string(), "`hands[0]`: 1 cards, expected 8");
}
