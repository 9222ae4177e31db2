//! A complete deal, trick by trick.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Narrate, Play};
use serde_json::json;

use super::super::score::outcome;
use super::situation::{Inspect as _, Situation, setup};

const HANDS: [&str; 4] = [
    "SK H7 DJ D9 DT H6 CJ C9",
    "SA S9 HT H8 D8 CA CK CQ",
    "SQ SJ S7 HQ DA DQ C8 C7",
    "ST S8 HA HK HJ H9 DK CT",
];

fn played(bid: u16) -> (Situation, Vec<(u8, u8)>) {
    let s = setup(json!({}), HANDS, "D7").bid(&bid.to_string());
    let mut s = s.after("discard H6, trump D, ask SA");
    let mut tricks = Vec::new();
    for trick in [
        "DJ, D8, DQ, DK",
        "call, SK, SA, S7, S8",
        "CA, DA, CT, D9",
        "DT, HT, C7, H9",
        "D7, CK, C8, HJ",
        "CJ, CQ, SJ, HK",
        "S9, SQ, ST, H7",
        "HQ, HA, C9, H8",
    ] {
        let before = s.0.table().play.points;
        s.play(trick);
        let after = s.0.table().play;
        let winner = after.leaders[after.trick()].0;
        tricks.push((winner, after.points[usize::from(winner)] - before[usize::from(winner)]));
    }
    (s, tricks)
}

#[test]
fn a_deal_of_120_with_a_called_ace() {
    let (s, tricks) = played(120);
    assert_eq!(tricks, [(0, 25), (1, 14), (0, 46), (0, 20), (0, 4), (1, 7), (2, 12), (3, 13)]);
    assert_eq!(s.0.table().roem, [Some(20), Some(20)]);
    assert_eq!(s.0.table().partner, Some(Seat(1)));
    assert_eq!(s.0.table().play.points, [95, 21, 12, 13]);
    let outcome = outcome(&s.0).unwrap();
    assert_eq!((outcome.raw, outcome.total, outcome.made), (116, 160, true));
    let payoff = s.payoff();
    assert_eq!(payoff.points[..4], [40, 40, 0, 0]);
    assert_eq!(payoff.place[..4], [1, 1, 3, 3]);
    assert_eq!(payoff.reward[..4], [80.0 / 300.0, 80.0 / 300.0, -80.0 / 300.0, -80.0 / 300.0]);
}

#[test]
fn the_same_deal_bid_too_high() {
    let (s, _) = played(170);
    assert_eq!(s.points(), [-10, -10, 0, 0]);
    assert_eq!(s.payoff().place[..4], [3, 3, 1, 1]);
}

#[test]
fn roem_and_partner_become_public_when_they_should() {
    let s = setup(json!({}), HANDS, "D7").bid("120").after("discard H6, trump D, ask SA");
    let s = s.after("DJ");
    assert_eq!(s.0.table().roem, [Some(20), None]);
    let s = s.after("D8, DQ, DK, call, SK");
    assert_eq!(s.0.table().partner, None);
    let s = s.after("SA");
    assert_eq!((s.0.table().partner, s.0.table().roem), (Some(Seat(1)), [Some(20), Some(20)]));
    // The ace of diamonds trumps clubs although seat 2 holds two clubs, and seat 0 overtrumps with the nine.
    let s = s.after("S7, S8, CA");
    s.expect(2, "DA, C7, C8");
    let s = s.after("DA, CT");
    s.expect(0, "D9, C9, CJ");
}

#[test]
fn the_story_of_the_deal() {
    let begun = setup(json!({}), HANDS, "D7");
    let deal = begun.0.describe_deal().unwrap();
    assert_eq!(deal["kitty"], "D7");
    assert_eq!(deal["hands"][3], "S8 ST H9 HJ HK HA DK CT");
    let mut events = Vec::new();
    let mut s = begun;
    for label in
        "bid 120, pass, pass, pass, discard H6, trump D, ask SA, DJ, D8, DQ, DK, call, SK, SA, S7, S8"
            .split(", ")
    {
        let before = s.0;
        s.play(label);
        events.extend(super::super::Round::events(Some(&before), &s.0));
    }
    let expected = [
        json!({"event": "contract", "seat": 0, "bid": "120"}),
        json!({"event": "kitty", "seat": 0, "card": "D7"}),
        json!({"event": "roem", "seat": 0, "points": 20}),
        json!({"event": "trick", "seat": 0, "points": 25}),
        json!({"event": "partner", "seat": 1}),
        json!({"event": "roem", "seat": 1, "points": 20}),
        json!({"event": "trick", "seat": 1, "points": 14}),
    ];
    assert_eq!(events, expected);
}
