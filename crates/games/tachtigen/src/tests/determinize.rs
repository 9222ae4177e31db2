//! Determinized deals respect everything that the view proves.

use std::collections::BTreeSet;

use cardsharp_engine::Session;
use cardsharp_engine::game::{Check, Determinize, Play};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::read;
use cardsharp_engine::{ActionId, Seat};
use serde_json::json;

use super::super::Round;
use super::super::roem::total;
use super::situation::{HANDS, Inspect as _, Situation, bid, card, cards, setup};

/// Returns determinized deals that look to `seat` like `s`.
fn determinized(s: &Situation, seat: u8) -> Vec<Round> {
    let rounds: Vec<Round> = (0..60)
        .map(|seed| Round::determinize(s.0.view(Seat(seat)), DealRng::new(seed, 9)).unwrap())
        .collect();
    for round in &rounds {
        assert_eq!(round.view(Seat(seat)).to_owned(), s.0.view(Seat(seat)).to_owned());
        round.audit().unwrap();
    }
    rounds
}

#[test]
fn the_kitty_is_with_the_bidder_or_put_aside() {
    let s = bid(json!({}), "80");
    assert!(determinized(&s, 1).iter().all(|round| round.own[0].hand.has(card("SQ"))));
    let s = s.after("discard C9, trump H, ask SA");
    let aside: BTreeSet<String> =
        determinized(&s, 1).iter().map(|round| round.own[0].discard.unwrap().to_string()).collect();
    assert!(aside.contains("SQ") && aside.len() > 5, "{aside:?}");
}

#[test]
fn the_asked_card_is_in_any_hand_but_the_bidders_and_never_aside() {
    let s = bid(json!({}), "80").after("discard C9, trump H, ask SA");
    let holders: BTreeSet<usize> = determinized(&s, 2)
        .iter()
        .map(|round| (0..4).find(|&seat| round.own[seat].hand.has(card("SA"))).expect("somebody has it"))
        .collect();
    assert_eq!(holders, BTreeSet::from([1, 3]));
    assert!(determinized(&s, 3).iter().all(|round| round.own[0].hand.meets(cards("S7 S8 S9 ST SJ SQ SK"))));
}

#[test]
fn after_a_call_the_bidder_has_a_card_to_lead() {
    let called = bid(json!({}), "80").after("discard SQ, trump H, ask SA, call");
    for seat in 1..4 {
        assert!(
            determinized(&called, seat)
                .iter()
                .all(|round| round.own[0].hand.meets(cards("S7 S8 S9 ST SJ SQ SK")))
        );
    }
}

#[test]
fn announced_roem_is_what_the_hand_is_worth() {
    let s = bid(json!({}), "80").after("discard SQ, trump H, ask SA, call, SK, SA");
    assert_eq!(s.0.table().roem, [Some(120), Some(50)]);
    for round in determinized(&s, 2) {
        for (seat, roem) in [(0, 120), (1, 50)] {
            let hand = round.own[seat].hand.or(round.table.play.played[seat]);
            assert_eq!(total(hand, round.table.trump(), &round.table.rules), roem);
        }
    }
    // If players may keep silent, a claim of 0 proves nothing.
    let quiet = json!({"roem_claims": "truthful_choice"});
    let s = bid(quiet, "80").after("discard SQ, trump H, ask SA, call, SK, claim 0");
    let worth: BTreeSet<u16> = determinized(&s, 2)
        .iter()
        .map(|round| total(round.own[0].hand.with(card("SK")), round.table.trump(), &round.table.rules))
        .collect();
    assert!(worth.len() > 2, "{worth:?}");
}

#[test]
fn open_hands_stay_where_they_are() {
    let s = setup(json!({}), HANDS, "SQ").bid("praatje uit de hand").after("trump D, S8");
    for round in determinized(&s, 2) {
        assert_eq!((round.own, round.kitty), (s.0.own, s.0.kitty));
    }
    let s = bid(json!({"early_stop": false}), "ouverte").after("discard C9, trump H, S8, S7, H8, S9, DJ");
    for round in determinized(&s, 1) {
        assert_eq!(round.own[0].hand, s.0.own[0].hand);
    }
}

/// A view whose deals the exact search visits in an unlucky order.
#[test]
fn where_the_search_is_given_up_chance_finds_a_deal() {
    let rules = json!({
        "all_hold": "redeal", "ask_discard": true, "bonus_scope": "any_won", "early_stop": false, "max_point_bid": 300,
        "must_overtake_trump_lead": true, "overclaim": "correct", "partner_share": "split", "point_score": "bid",
        "roem_overlap": "exclusive", "round_half": "up", "ruff_while_able": false, "trump_misere": "none",
        "trump_points": "named_or_none", "trump_prive": "named_or_none", "trump_zwabber": "named_or_none",
        "undertrump": "compulsory_if_only_lower",
    });
    let actions = [178, 106, 117, 177, 177, 177, 60, 103, 99, 33, 31, 32, 29, 5, 28, 25, 24, 21];
    let mut session = Session::<Round>::new(read(&rules).unwrap(), 7_485_442_014_217_587_080);
    actions.iter().for_each(|&id| session.round_mut().play(ActionId(id)));
    let view = session.round().view(Seat(0));
    for seed in 0..12 {
        let other = Round::determinize(view, DealRng::new(seed, 0)).expect("the true round is one of them");
        assert_eq!(other.view(Seat(0)).to_owned(), view.to_owned());
    }
}
