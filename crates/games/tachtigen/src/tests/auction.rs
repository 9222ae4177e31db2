//! Opening and auction.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Play;
use serde_json::json;

use super::super::state::Stage;
use super::situation::{Inspect as _, Situation, setup};

fn plain() -> Situation {
    setup(json!({}), [""; 4], "")
}

/// Returns the legal bids, without the word `bid`.
fn bids(s: &Situation) -> Vec<String> {
    s.legal().iter().filter_map(|l| l.strip_prefix("bid ")).map(str::to_owned).collect()
}

#[test]
fn the_first_to_speak_may_bid_anything_or_hold() {
    let s = plain();
    assert_eq!(s.turn(), Some(0));
    assert_eq!(s.legal().len(), 72);
    assert!(s.legal().contains(&"hold".to_owned()) && !s.legal().contains(&"pass".to_owned()));
}

#[test]
fn bids_climb_the_ladder() {
    let after = |bid: &str| bids(&plain().after(&format!("bid {bid}")));
    assert_eq!(after("misere")[..2], ["160", "170"]);
    assert_eq!(after("190")[..2], ["zwabber", "200"]);
    assert_eq!(after("210")[..2], ["ouverte", "220"]);
    assert_eq!(after("150")[0], "misere");
    assert_eq!(after("710").join(", "), "praatje, prive, praatje uit de hand, prive uit de hand");
    plain().after("bid prive").expect(1, "bid praatje uit de hand, bid prive uit de hand, pass");
    plain().after("bid prive uit de hand").expect(1, "pass");
    assert_eq!(after("80").len(), 70);
}

#[test]
fn holding_is_not_passing() {
    let s = plain().after("hold, hold, bid 80");
    assert_eq!(s.turn(), Some(3));
    let s = s.after("pass");
    assert_eq!(s.turn(), Some(0));
    let s = s.after("pass");
    assert_eq!(s.turn(), Some(1));
    assert!(bids(&s).contains(&"90".to_owned()));
    // Seat 1 is asked again; seats 3 and 0 are not.
    let s = s.after("bid 90");
    assert_eq!(s.turn(), Some(2));
    let s = s.after("bid 100");
    assert_eq!(s.turn(), Some(1));
    let s = s.after("pass");
    assert_eq!((s.0.table().stage, s.turn()), (Stage::Discard, Some(2)));
}

#[test]
fn the_highest_bidder_is_passed_over_and_needs_three_passes() {
    let s = plain().after("bid 80, bid 90, pass, pass");
    assert_eq!(s.turn(), Some(0));
    let s = s.after("bid 100");
    assert_eq!(s.turn(), Some(1));
    let s = s.after("pass");
    assert_eq!((s.0.table().bidder(), s.turn()), (Some(Seat(0)), Some(0)));
    let unopposed = plain().after("bid 80, pass, pass");
    assert_eq!((unopposed.0.table().stage, unopposed.turn()), (Stage::Auction, Some(3)));
}

#[test]
fn nobody_opens() {
    let s = plain().after("hold, hold, hold, hold");
    assert_eq!(s.turn(), None);
    assert_eq!(s.points(), [0; 4]);
    assert_eq!(s.payoff().place[..4], [1; 4]);
    assert_eq!(s.payoff().reward[..4], [0.0; 4]);
}

#[test]
fn the_next_dealer_deals_again_up_to_twenty_times() {
    let mut s = setup(json!({"all_hold": "redeal"}), [""; 4], "");
    let hands = s.hand(0);
    for redeal in 1..=20u8 {
        s.play("hold, hold, hold, hold");
        assert_eq!(s.0.table().redeals, redeal);
        assert_eq!(s.0.table().dealer, Seat((3 + redeal) % 4));
        assert_eq!(s.turn(), Some((4 + redeal) % 4));
        assert_eq!(s.0.table().deal, 1);
    }
    assert_ne!(s.hand(0), hands);
    s.play("hold, hold, hold, hold");
    assert_eq!(s.turn(), None);
    // The next deal moves on from the last dealer.
    let mut standing = super::super::SessionState { deals: 0, dealer: Seat(3), scores: [0; 4] };
    s.0.settle(&mut standing);
    assert_eq!((standing.dealer, standing.deals), (Seat(0), 1));
}

#[test]
fn the_order_of_opening_can_be_drawn_and_the_auction_goes_clockwise() {
    let rules = super::situation::rules(json!({"opening_order": "random", "all_hold": "redeal"}));
    let mut orders = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let mut round = *cardsharp_engine::Session::<super::super::Round>::new(rules, seed).round();
        let order = round.table().auction.order;
        orders.insert(order.map(|seat| seat.0));
        for seat in order {
            assert_eq!(round.turn(), cardsharp_engine::Turn::Decide(seat));
            round.play(super::super::Move::Hold.id());
        }
        orders.insert(round.table().auction.order.map(|seat| seat.0));
    }
    assert_eq!(orders.len(), 24);
}

#[test]
fn a_cap_on_points_can_be_set() {
    let s = setup(json!({"max_point_bid": 220}), [""; 4], "").after("bid 220");
    assert_eq!(bids(&s).join(", "), "praatje, prive, praatje uit de hand, prive uit de hand");
}
