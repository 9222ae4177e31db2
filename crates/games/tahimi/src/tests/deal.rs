//! Seating and dealing.

use cardsharp_climbing::testing::assert_uniform_seating;
use cardsharp_engine::Seat;
use cardsharp_engine::game::Play;
use cardsharp_engine::rng::{DealRng, Draw};
use serde_json::{Value, json};

use super::super::Round;
use super::super::deck::{Cards, composition};
use super::super::state::{Ask, Stage};
use super::setup::fresh;
use super::situation::{Inspect as _, Situation, rules};

/// The first round of a session in which seat `p` has position `p`.
fn deal(options: Value, seed: u64) -> Situation {
    let rules = rules(options);
    Situation::of(Round::deal(&rules, &fresh(&rules), DealRng::new(seed, 1)))
}

fn sizes(options: Value) -> Vec<u32> {
    let s = deal(options, 3);
    (0..s.players()).map(|p| s.0.own[usize::from(p)].hand.total()).collect()
}

#[test]
fn everybody_gets_as_many_cards_when_the_deck_is_trimmed() {
    for players in 3..=8 {
        for deck in ["standard", "extra_suits", "special"] {
            for jokers in ["none", "low", "wild"] {
                let sizes = sizes(json!({"players": players, "deck": deck, "jokers": jokers}));
                assert!(sizes.iter().all(|&n| n == sizes[0]), "{players} {deck} {jokers}: {sizes:?}");
            }
        }
    }
}

#[test]
fn without_trimming_the_first_positions_get_the_remainder() {
    let sizes = |players: u8, jokers: &str, deck: &str| {
        sizes(json!({"players": players, "jokers": jokers, "deck": deck, "trim": "none"}))
    };
    assert_eq!(sizes(3, "none", "standard"), [18, 17, 17]);
    assert_eq!(sizes(4, "low", "standard"), [14, 14, 13, 13]);
    assert_eq!(sizes(5, "none", "standard"), [11, 11, 10, 10, 10]);
    assert_eq!(sizes(6, "none", "standard"), [9, 9, 9, 9, 8, 8]);
    assert_eq!(sizes(7, "wild", "standard"), [8, 8, 8, 8, 8, 7, 7]);
    assert_eq!(sizes(8, "wild", "standard"), [7, 7, 7, 7, 7, 7, 6, 6]);
    assert_eq!(sizes(8, "wild", "extra_suits"), [14, 14, 13, 13, 13, 13, 13, 13]);
    assert_eq!(sizes(6, "none", "special"), [13; 6]);
}

#[test]
fn the_whole_deck_is_dealt_and_the_table_knows_how_many_cards_each_holds() {
    for seed in 0..300 {
        let mut draw = Draw::new(seed, 0);
        let rules = <super::super::rules::Rules as cardsharp_engine::rules::Rules>::random(&mut draw);
        let s = deal(
            json!({"players": rules.players, "deck": rules.deck, "jokers": rules.jokers, "trim": rules.trim}),
            seed,
        );
        let mut all = Cards::NONE;
        for (p, own) in s.0.own.iter().enumerate() {
            all.add(&own.hand);
            assert_eq!(own.hand.total(), u32::from(s.0.table.cards[p]));
        }
        assert_eq!(all, s.0.table.deck);
        assert_eq!(all, composition(&s.0.table.rules, &s.0.table.rules.variant(), s.players()));
    }
}

#[test]
fn a_shuffle_is_uniform() {
    // Without trimming, jokers and aces go to positions in proportion to their number of cards.
    let mut cards = [[0u32; 5]; 2];
    let deals = 6_000;
    for seed in 0..deals {
        let s = deal(json!({"players": 5, "jokers": "low", "trim": "none"}), seed);
        for (p, own) in s.0.own[..5].iter().enumerate() {
            cards[0][p] += u32::from(own.hand.0[18]);
            cards[1][p] += u32::from(own.hand.0[0]);
        }
    }
    for (found, copies) in cards.into_iter().zip([2.0, 4.0]) {
        for (p, seen) in found.into_iter().enumerate() {
            let share = if p < 4 { 11.0 / 54.0 } else { 10.0 / 54.0 };
            let mean = deals as f64 * copies * share;
            let off = (f64::from(seen) - mean) / (mean * (1.0 - share)).sqrt();
            assert!(off.abs() < 4.0, "{found:?}");
        }
    }
}

#[test]
fn a_round_begins_with_nothing_played_and_position_0_to_lead() {
    for seed in 0..50 {
        let s = deal(json!({"players": 6, "jokers": "wild"}), seed);
        let table = &s.0.table;
        assert_eq!((table.round, table.first, table.stage), (1, true, Stage::Play));
        assert_eq!((table.memory.gone, s.table(), s.turn()), (Cards::NONE, None, Some(0)));
        assert!(table.one_card.is_empty() && table.left.is_empty() && table.joined.is_empty());
        assert_eq!(table.decree, None);
        for own in &s.0.own[..6] {
            assert_eq!((own.given, own.received, own.partner), (Cards::NONE, Cards::NONE, None));
            assert_eq!(own.ask, Ask::Nothing);
        }
    }
}

#[test]
fn the_first_seating_is_a_uniform_permutation() {
    let rules = rules(json!({"players": 4}));
    assert_uniform_seating(|draw| Round::seating(&rules, draw).order);
}

#[test]
fn a_fixed_seating_is_by_seat_and_the_session_begins_at_zero() {
    let rules = rules(json!({"players": 8, "seating": "fixed"}));
    for seed in 0..20 {
        let standing = Round::seating(&rules, &mut Draw::new(seed, 0));
        let order: Vec<Seat> = (0..8).map(Seat).collect();
        assert_eq!(standing.order[..8], order);
        assert_eq!((standing.rounds, standing.players), (0, 8));
        assert_eq!((standing.points, standing.tahimi), ([0; 12], [0; 12]));
    }
}
