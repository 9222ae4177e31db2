//! Kinds of moves that characterize a player's style.

use serde_json::json;

use super::situation::{HANDS, Inspect as _, setup};

#[test]
fn bids_and_passes() {
    let s = setup(json!({}), [""; 4], "");
    assert_eq!(s.habits("bid 80"), ["open the bidding", "bid the next rung"]);
    assert_eq!(s.habits("bid 120"), ["open the bidding"]);
    assert_eq!(s.habits("bid misere"), ["open the bidding", "bid a fixed contract"]);
    assert_eq!(s.habits("hold"), ["hold"]);
    let s = s.after("bid 150");
    assert_eq!(s.habits("bid misere"), ["bid higher", "bid a fixed contract", "bid the next rung"]);
    assert_eq!(s.habits("bid 160"), ["bid higher"]);
    assert_eq!(s.habits("pass"), ["pass"]);
}

#[test]
fn contracts_and_cards() {
    let s = setup(json!({}), HANDS, "SQ").bid("80").after("discard SQ");
    assert_eq!(s.habits("trump C"), ["name trump"]);
    let s = s.after("trump C");
    assert_eq!(s.habits("solo"), ["play alone"]);
    assert_eq!(s.habits("ask SA"), ["ask for a partner"]);
    let s = s.after("ask SA");
    assert_eq!(s.habits("call"), ["call the asked card"]);
    assert_eq!(s.habits("CJ"), ["lead trump"]);
    assert_eq!(s.habits("CA"), ["lead trump", "lead an ace"]);
    assert_eq!(s.habits("SK"), [""; 0]);
    let s = s.after("CJ, H6");
    assert_eq!(s.habits("C7"), ["play a trump on a trick"]);
}

#[test]
fn trump_and_claims() {
    let options = json!({"trump_points": "named_or_none", "roem_claims": "free_claim"});
    let s = setup(options, HANDS, "SQ").bid("80");
    assert_eq!(s.habits("discard SQ"), [""; 0]);
    let s = s.after("discard SQ");
    assert_eq!(s.habits("trump none"), ["play without trump"]);
    let s = s.after("trump H, solo");
    assert_eq!(s.habits("CA"), ["lead an ace"]);
    let s = s.after("CA");
    assert_eq!(s.habits("claim 0"), [""; 0]);
    assert_eq!(s.habits("claim 320"), ["claim roem"]);
    assert_eq!(s.after("claim 0").habits("H6"), ["trump a plain suit", "play a trump on a trick"]);
}
