//! Seating and dealing.

use cardsharp_climbing::dealt;
use cardsharp_climbing::testing::assert_uniform_seating;
use cardsharp_engine::game::Play;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{MAX_SEATS, Seat};
use serde_json::{Value, json};

use super::super::deck::Cards;
use super::super::state::{Ask, ExposedFate, Revolution, Stage};
use super::super::{Round, SessionState};
use super::situation::{Inspect as _, Situation, rules};

/// The first hand of a session in which seat `p` has position `p`.
fn deal(options: Value, seed: u64) -> Situation {
    let rules = rules(options);
    let mut standing = SessionState { hands: 0, order: [Seat(0); MAX_SEATS], points: [0; MAX_SEATS] };
    (0..rules.players).for_each(|p| standing.order[usize::from(p)] = Seat(p));
    Situation::of(Round::deal(&rules, &standing, DealRng::new(seed, 1)))
}

fn sizes(options: Value) -> Vec<u32> {
    let s = deal(options, 3);
    (0..s.players()).map(|p| s.0.own[usize::from(p)].hand.total()).collect()
}

/// Hand sizes: `count` positions with `more` cards, and the others with `each`.
fn split(count: usize, more: u32, players: usize, each: u32) -> Vec<u32> {
    (0..players).map(|p| if p < count { more } else { each }).collect()
}

#[test]
fn the_first_positions_get_the_remainder() {
    for (players, each) in [(4, 20), (5, 16), (8, 10), (10, 8)] {
        assert_eq!(sizes(json!({"players": players})), split(0, 0, players, each));
    }
    assert_eq!(sizes(json!({"players": 6})), split(2, 14, 6, 13));
    assert_eq!(sizes(json!({"players": 7})), [12, 12, 12, 11, 11, 11, 11]);
    assert_eq!(sizes(json!({"players": 9})), split(8, 9, 9, 8));
    assert_eq!(sizes(json!({"players": 11})), split(3, 8, 11, 7));
    assert_eq!(sizes(json!({"players": 12})), split(8, 7, 12, 6));
    assert_eq!(sizes(json!({"players": 4, "strip": "recommended"})), [15, 14, 14, 14]);
    assert_eq!(sizes(json!({"players": 5, "strip": "recommended"})), [14, 14, 14, 13, 13]);
}

#[test]
fn the_table_knows_what_everybody_was_dealt() {
    for players in 4..=12 {
        let s = deal(json!({"players": players}), 8);
        for p in 0..players {
            let cards = s.0.own[usize::from(p)].hand.total();
            assert_eq!(u32::from(s.0.table.dealt(p)), cards);
            assert_eq!(u32::from(dealt(80, players, p)), cards);
        }
    }
}

#[test]
fn the_whole_deck_is_dealt() {
    for seed in 0..200 {
        let strip = if seed % 2 == 0 { "none" } else { "recommended" };
        let options = json!({"players": 4 + seed % 9, "strip": strip});
        let s = deal(options.clone(), seed);
        let mut all = Cards::NONE;
        s.0.own.iter().for_each(|own| all.add(&own.hand));
        assert_eq!(all, rules(options).deck());
    }
}

#[test]
fn a_shuffle_is_uniform() {
    // The only Dalmuti and each Jester are uniform over the 80 places in the deck. So each position gets them in
    // proportion to its number of cards.
    let mut first = [0u32; 6];
    let mut jesters = [0u32; 6];
    let deals = 6_000;
    for seed in 0..deals {
        let s = deal(json!({"players": 6}), seed);
        for p in 0..6 {
            first[p] += u32::from(s.0.own[p].hand.0[0]);
            jesters[p] += u32::from(s.0.own[p].hand.0[12]);
        }
    }
    for p in 0..6 {
        let share = if p < 2 { 14.0 / 80.0 } else { 13.0 / 80.0 };
        let off = |seen: u32, n: f64| (f64::from(seen) - n * share) / (n * share * (1.0 - share)).sqrt();
        assert!(off(first[p], deals as f64).abs() < 4.0, "{first:?}");
        assert!(off(jesters[p], 2.0 * deals as f64).abs() < 4.0, "{jesters:?}");
    }
}

#[test]
fn a_hand_begins_with_nothing_played_and_nothing_known() {
    for seed in 0..50 {
        let s = deal(json!({"players": 5, "first_deal_revolution": true}), seed);
        let table = &s.0.table;
        assert_eq!(table.hand, 1);
        assert_eq!((table.revolution, table.exposed, table.exchange), (Revolution::None, None, None));
        assert_eq!(table.memory.gone, Cards::NONE);
        assert_eq!(s.table(), None);
        for own in &s.0.own[..5] {
            assert_eq!((own.given, own.received), (Cards::NONE, Cards::NONE));
            assert_eq!((own.partner, own.replacement), (None, None));
        }
    }
}

#[test]
fn one_seat_is_asked_at_a_time_and_all_of_them_in_the_play() {
    let s = deal(json!({"players": 5}), 1);
    let asked = s.0.own.iter().filter(|own| own.ask != Ask::Nothing).count();
    assert_eq!((s.0.table.stage, asked), (Stage::Taxes, 1));
    let s = deal(json!({"players": 5, "first_deal_revolution": true}), 1);
    let asked = s.0.own.iter().filter(|own| own.ask != Ask::Nothing).count();
    assert_eq!((s.0.table.stage, asked, s.turn()), (Stage::Play, 0, Some(0)));
}

#[test]
fn without_the_option_no_card_is_exposed_and_with_certainty_every_time() {
    for seed in 0..300 {
        assert_eq!(deal(json!({"players": 7}), seed).0.table.exposed, None);
        assert!(deal(json!({"players": 7, "misdeal_prob": 1.0}), seed).0.table.exposed.is_some());
    }
}

#[test]
fn a_card_is_exposed_as_often_as_the_option_says() {
    let hits = (0..4_000)
        .filter(|&seed| deal(json!({"players": 7, "misdeal_prob": 0.25}), seed).0.table.exposed.is_some());
    let hits = hits.count();
    assert!((890..1_110).contains(&hits), "{hits} of 4000");
}

#[test]
fn the_exposed_card_is_uniform_among_all_dealt_cards() {
    let (mut ranks, mut receivers) = ([0u32; 13], [0u32; 7]);
    let deals = 8_000u32;
    for seed in 0..deals {
        let s = deal(json!({"players": 7, "misdeal_prob": 1.0}), u64::from(seed));
        let exposed = s.0.table.exposed.unwrap();
        let position = s.0.table.position[exposed.receiver.index()];
        assert!(
            s.0.own[usize::from(position)].hand.0[usize::from(exposed.rank)] > 0,
            "he was dealt that card"
        );
        ranks[usize::from(exposed.rank)] += 1;
        receivers[usize::from(position)] += 1;
        let decided = if position == 6 { ExposedFate::Kept } else { ExposedFate::Open };
        assert_eq!(exposed.fate, decided, "only the Greater Peon's needs no decision");
    }
    let near = |seen: u32, share: f64| {
        let n = f64::from(deals);
        ((f64::from(seen) - n * share) / (n * share * (1.0 - share)).sqrt()).abs() < 4.0
    };
    for (i, &seen) in ranks.iter().enumerate() {
        let copies = if i == 12 { 2.0 } else { i as f64 + 1.0 };
        assert!(near(seen, copies / 80.0), "{ranks:?}");
    }
    for (p, &seen) in receivers.iter().enumerate() {
        assert!(near(seen, if p < 3 { 12.0 / 80.0 } else { 11.0 / 80.0 }), "{receivers:?}");
    }
}

#[test]
fn the_first_seating_is_a_uniform_permutation() {
    let rules = rules(json!({"players": 4}));
    assert_uniform_seating(|draw| Round::seating(&rules, draw).order);
}

#[test]
fn a_fixed_seating_is_by_seat_and_the_session_begins_at_zero() {
    let rules = rules(json!({"players": 9, "seating": "fixed"}));
    for seed in 0..20 {
        let standing = Round::seating(&rules, &mut Draw::new(seed, 0));
        let order: Vec<Seat> = (0..9).map(Seat).collect();
        assert_eq!(standing.order[..9], order);
        assert_eq!((standing.hands, standing.points), (0, [0; 12]));
    }
}
