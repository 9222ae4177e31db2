//! Dealing, and the first card of the discard pile.

use cardsharp_engine::game::{Actions, Check, Determinize, Narrate, Play};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{MAX_SEATS, Seat};
use serde_json::json;

use super::super::deck::{self, parts};
use super::super::state::Direction;
use super::super::{Round, SessionState};
use super::situation::{Situation, rules, setup};

const FRESH: SessionState = SessionState { games: 0, wins: [0; MAX_SEATS] };

fn dealt(options: serde_json::Value, seed: u64) -> Round {
    Round::deal(&rules(options), &FRESH, DealRng::new(seed, 1))
}

#[test]
fn everybody_gets_eight_cards_or_as_many_as_there_are_stages() {
    for players in 2..=10u8 {
        let round = dealt(json!({"players": players}), 3);
        assert!(round.table.sizes[..usize::from(players)].iter().all(|&n| n == 8));
        assert_eq!(
            u32::from(round.table.pile) + round.table.buried.cards().len() as u32,
            115 - 8 * u32::from(players) + round.table.buried.cards().len() as u32
        );
        let round = dealt(json!({"players": players, "mode": "tournament", "stages": 5}), 3);
        assert!(round.table.sizes[..usize::from(players)].iter().all(|&n| n == 5));
        assert!(round.table.stages[..usize::from(players)].iter().all(|&n| n == 5));
        round.audit().unwrap();
    }
}

#[test]
fn the_turn_goes_to_the_left_and_anybody_may_begin() {
    let mut begun = [0; 5];
    for seed in 0..500 {
        let round = dealt(json!({"players": 5}), seed);
        assert_eq!(round.table.direction, Direction::Left);
        begun[round.table.turn.index()] += 1;
        assert_eq!(dealt(json!({"players": 5, "first_player": "seat0"}), seed).table.turn, Seat(0));
    }
    assert!(begun.iter().all(|n| (70..130).contains(n)), "{begun:?}");
}

#[test]
fn a_starting_action_card_does_nothing() {
    // A red +2 is turned up: the first player owes nothing, and may match red or +2.
    let s = setup(json!({}), &["R1 B+2 B4", "G1", "G3"], "R+2");
    s.expect(0, "R1, B+2");
    // A starting TAKI is not open.
    let s = setup(json!({}), &["R1 Btaki B4", "G1", "G3"], "Rtaki").after("R1");
    assert_eq!((s.turn(), s.0.phase()), (Some(1), "turn"));
}

#[test]
fn colorless_cards_are_buried_where_everybody_knows_them() {
    // If a King is turned up, it is buried, and the next card is turned up.
    let mut seen = 0;
    for seed in 0..400 {
        for start in ["inert_action", "number_only"] {
            let round = dealt(json!({"start_card": start}), seed);
            let (_, symbol) = parts(round.table.first).unwrap();
            assert!(start == "inert_action" || symbol.is_number());
            let buried = round.table.buried.cards();
            seen += buried.len();
            assert_eq!(round.pile[..buried.len()], *buried, "they lie at the bottom");
            for &card in buried {
                assert!(parts(card).is_none_or(|(_, s)| start == "number_only" && !s.is_number()));
            }
            // The deal lists the cards turned up in order; the last one starts the pile.
            let deal = round.describe_deal().unwrap();
            let turned = deal["turned"].as_str().unwrap();
            assert_eq!(turned.split(' ').count(), buried.len() + 1);
            assert_eq!(turned.split(' ').next_back(), Some(deck::card_name(round.table.first)));
            round.audit().unwrap();
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn buried_cards_are_drawn_last_and_known_to_all() {
    let found = (0..).map(|seed| {
        dealt(json!({"players": 10, "start_card": "number_only", "draw_policy": "anytime"}), seed)
    });
    let round = found.into_iter().find(|round| round.table.buried.len() > 2).unwrap();
    let mut s = Situation::of(round);
    let buried = round.table.buried;
    while s.0.table.buried.len() == buried.len() {
        s.play("draw");
    }
    let who = (0..10).find(|&seat| !s.0.table.known[seat].is_empty()).unwrap();
    let card = *buried.cards().last().unwrap();
    assert_eq!(
        deck::to_text(&s.0.table.known[who]),
        deck::card_name(card),
        "the uppermost of them is drawn first"
    );
    assert!(s.0.own[who].hand.has(card));
    for viewer in 0..10u8 {
        let again = Round::determinize(s.0.view(Seat(viewer)), DealRng::new(5, 5)).unwrap();
        assert!(again.own[who].hand.has(card));
        assert_eq!(again.pile[..2], s.0.pile[..2]);
    }
}

#[test]
fn without_a_number_to_turn_the_cards_are_shuffled_again() {
    // With 10 players 36 cards are left, and about one deal in 10^13 has no number among them. The same loop
    // shuffles first and again, so it is enough to check that every deal starts with a number.
    for seed in 0..2_000 {
        let round = dealt(json!({"players": 10, "start_card": "number_only"}), seed);
        assert!(parts(round.table.top).is_some_and(|(_, symbol)| symbol.is_number()));
    }
}
