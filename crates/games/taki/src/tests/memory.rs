//! What moves prove, and that determinized games respect it.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Check, Determinize, Play};
use cardsharp_engine::rng::DealRng;
use serde_json::json;

use super::super::Round;
use super::super::deck::{self, Cards};
use super::situation::{Inspect as _, Situation, hand, setup};

/// Determinizes the view of a seat `n` times.
fn deals(s: &Situation, viewer: u8, n: u64) -> impl Iterator<Item = Round> {
    let round = s.0;
    (0..n).map(move |seed| Round::determinize(round.view(Seat(viewer)), DealRng::new(seed, 3)).unwrap())
}

/// Returns the most of these cards that a seat holds in any of the deals.
fn most(s: &Situation, viewer: u8, seat: usize, cards: &str) -> u32 {
    let faces = hand(cards).once;
    deals(s, viewer, 300).map(|round| round.own[seat].hand.among(faces)).max().unwrap()
}

const HANDS: [&str; 3] = ["B1 B3 B4 G1 G6", "R4 R6 B8 Y9 Y8", "G3 G4 Y1 Y3 Y4"];
const REDS: &str = "R1 R3 R4 R5 R6 R7 R8 R9 Rstop R+2 Rdir Rplus Rtaki";

#[test]
fn who_draws_because_he_is_stuck_holds_nothing_that_fits() {
    let s = setup(json!({}), &HANDS, "R5").after("draw");
    assert_eq!(most(&s, 1, 0, REDS), 1, "the card he drew may be red");
    assert_eq!(most(&s, 1, 0, "B5 G5 Y5 R5"), 1);
    assert_eq!(most(&s, 1, 0, "color super king +3"), 1);
    assert!(most(&s, 1, 0, "B1 B3 B4 B6 B7 B8 B9") > 2);
    // At most one card that is red, a five, or colorless.
    let all = format!("{REDS} B5 G5 Y5 color super king +3");
    assert_eq!(most(&s, 1, 0, &all), 1);
    // The draw proves nothing about a Breaker, because playing one is never required.
    assert!(most(&s, 1, 0, "breaker") > 0);
    // Before the draw nothing is proven.
    assert!(most(&setup(json!({}), &HANDS, "R5"), 1, 0, REDS) > 2);
}

#[test]
fn drawing_proves_nothing_when_it_is_free_or_owed() {
    let s = setup(json!({"draw_policy": "anytime"}), &HANDS, "R5").after("draw");
    assert!(most(&s, 1, 0, REDS) > 2);
    let s = setup(json!({}), &["R+2 B1 B3", "B4 B6 B7 G1", "G3 G4"], "R5").after("R+2, draw");
    assert!(most(&s, 0, 1, REDS) > 2);
}

#[test]
fn two_draws_prove_more_than_one() {
    let s = setup(json!({}), &["B1 B3 B4 B6 B7", "G1 R+2", "G3 G4 Y1"], "R5").next_cards("B8");
    let s = s.after("draw, R+2, draw, draw");
    // The player was stuck on red 5, then on red +2.
    assert_eq!(most(&s, 1, 0, REDS), 1, "only the card drawn last");
    assert_eq!(most(&s, 1, 0, "B5 G5 Y5"), 2, "or either of the two");
}

#[test]
fn ending_a_taki_proves_that_no_card_of_its_color_is_left() {
    let hands = ["Rtaki R1 B1 B3 B4", "G1 G3", "G4 G6"];
    let s = setup(json!({}), &hands, "R5").after("Rtaki, R1, close taki");
    assert_eq!(most(&s, 1, 0, REDS), 0);
    let s = setup(json!({"taki_follow": "optional"}), &hands, "R5").after("Rtaki, R1, close taki");
    assert!(most(&s, 1, 0, REDS) > 0);
}

#[test]
fn cards_played_count_against_what_was_drawn() {
    let s = setup(json!({}), &["B1 B3 B4", "R+2 R8 G9", "R9 G4 Y1"], "R5").next_cards("R6 Y9");
    // The player drew one card and then played a red one, so it was that card.
    let s = s.after("draw, R8, R9, R6");
    assert_eq!(most(&s, 1, 0, REDS), 0);
}

#[test]
fn the_draw_pile_has_only_cards_that_went_into_it() {
    let s = setup(json!({}), &["B1 B3", "R+2 R6 G8", "G1 Y9 Y8"], "R5").only_cards("Y1");
    let s = s.after("draw, R+2, draw");
    assert_eq!(s.0.table.recycles, 1);
    for viewer in 0..3u8 {
        let me = usize::from(viewer);
        for round in deals(&s, viewer, 100) {
            let pile: Cards = round.pile[..usize::from(round.table.pile)].iter().copied().collect();
            assert!(s.0.table.stock.without(&s.0.own[me].drew).contains(&pile));
            // The others hold cards that are in no other place, and seat 2 also holds two new ones.
            let other = usize::from(viewer == 0);
            let fresh = round.own[other].hand.without(&Cards::ALL.without(&s.0.table.stock));
            let doubles = hand("B1 B3 R6 G8");
            assert!(fresh.without(&doubles).is_empty() || other == 2, "{}", deck::to_text(&fresh));
        }
    }
}

#[test]
fn while_a_plus_three_waits_somebody_can_answer_it() {
    let s = setup(json!({}), &["+3 R1 R3", "R4 B1 B3", "R6 breaker B4"], "R5").after("+3");
    for viewer in 0..3u8 {
        for round in deals(&s, viewer, 200) {
            let asked = round.asked.index();
            let answers =
                round.own[asked].hand.has(deck::BREAKER) || asked == 1 && round.own[1].hand.has(deck::KING);
            assert!(answers && asked != 0);
            assert!(viewer != 2 || asked == 2);
            assert!(viewer != 1 || asked == 2, "who holds no answer knows who does");
            round.audit().unwrap();
        }
    }
}

#[test]
fn deals_differ_and_hide_nothing_but_hands_and_pile() {
    let s = setup(json!({}), &HANDS, "R5").after("draw, R4");
    let mut seen: Vec<String> = deals(&s, 0, 50).map(|round| deck::to_text(&round.own[1].hand)).collect();
    seen.sort();
    seen.dedup();
    assert!(seen.len() > 40, "{}", seen.len());
    for round in deals(&s, 0, 20) {
        assert_eq!(round.table, s.0.table);
        assert_eq!(round.own[0], s.0.own[0]);
    }
}

#[test]
fn every_unseen_card_is_as_likely_in_every_place() {
    // Without proofs, seat 1 holds 20 of the 105 unseen cards.
    let s = setup(json!({}), &["B1 B3", "R4 R6 B8 Y9 Y8 G6 G7 G8", "G3 G4 Y1 Y3 Y4 R7 R8 R9"], "R5");
    let mut kings = 0;
    let n = 6_000;
    for round in deals(&s, 0, n) {
        kings += u32::from(round.own[1].hand.count(deck::KING));
    }
    let expected = 2.0 * 8.0 / 113.0 * n as f64;
    assert!((f64::from(kings) - expected).abs() < 0.1 * expected, "{kings}, not {expected}");
}
