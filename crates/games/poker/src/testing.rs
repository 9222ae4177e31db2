//! Test helpers for both games: hands from text, and checks that apply to either game.

use std::collections::BTreeSet;

use cardsharp_engine::List;
use cardsharp_engine::Seat;
use cardsharp_engine::game::Deals;
use cardsharp_engine::game::{Actions, Check, Determinize, OwnedView, Play, Turn};
use cardsharp_engine::mask;
use cardsharp_engine::rng::DealRng;
use serde_json::json;

use super::betting::Act;
use super::cards::{Card, deck};
use super::round::{PrivateState, PublicState};
use super::{Round, Rules, SessionState, Variant, View};

/// Deals the first hand: the cards of seats 0 and 1 and the card to turn up, as in `"Ks Jh Qs"`.
pub(crate) fn hand<V: Variant>(cards: &str) -> Round<V> {
    let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
    Round::new(Rules::default(), 1, [cards[0], cards[1]], cards[2])
}

/// Plays acts by their labels, as in `"check bet call"`.
pub(crate) fn play<V: Variant>(mut round: Round<V>, acts: &str) -> Round<V> {
    for word in acts.split_whitespace() {
        let Turn::Decide(seat) = round.turn() else { panic!("over before `{word}`") };
        let action = cardsharp_engine::game::parse_label::<Round<V>>(Some(round.table()), word).unwrap();
        assert!(Round::is_legal(round.view(seat), action), "`{word}` of `{acts}`");
        round.play(action);
    }
    round
}

/// Returns the labels of the legal actions.
pub(crate) fn choices<V: Variant>(round: &Round<V>) -> String {
    let Turn::Decide(seat) = round.turn() else { return String::new() };
    let legal = Round::legal(round.view(seat));
    let names = mask::actions(&legal.0).map(|act| cardsharp_engine::game::Label::at(round.table(), act));
    names
        .map(|label: cardsharp_engine::game::Label<'_, Round<V>>| label.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the chips that seat 0 wins with these cards and acts.
pub(crate) fn won<V: Variant>(cards: &str, acts: &str) -> i32 {
    let round = play(hand::<V>(cards), acts);
    assert_eq!(round.turn(), Turn::RoundOver, "`{acts}`");
    let mut standing = SessionState { hands: 0, chips: [5, -5] };
    let payoff = round.settle(&mut standing);
    let points = payoff.points;
    assert_eq!(points[1], -points[0]);
    assert_eq!(payoff.reward[..2], [points[0] as f32, points[1] as f32]);
    let places = match points[0] {
        0 => [1, 1],
        1.. => [1, 2],
        _ => [2, 1],
    };
    assert_eq!(payoff.place[..2], places);
    assert_eq!(standing, SessionState { hands: 1, chips: [5 + points[0], points[1] - 5] });
    points[0]
}

/// Calls `look` with this position and every one that can follow.
fn positions<V: Variant>(round: Round<V>, look: &mut dyn FnMut(&Round<V>)) {
    look(&round);
    if let Turn::Decide(seat) = round.turn() {
        for action in mask::actions(&Round::legal(round.view(seat)).0) {
            let mut next = round;
            next.play(action);
            positions(next, look);
        }
    }
}

/// Checks that of all views that can be written, exactly those that occur in play are accepted.
pub(crate) fn views_that_occur_are_accepted_and_no_others<V: Variant>() {
    let rules = Rules::default();
    let mut occur = BTreeSet::new();
    let mut acts = BTreeSet::new();
    for hand in 1..=rules.hands {
        for deal in Round::<V>::deals(&rules).unwrap() {
            let mut round = deal.round;
            round.table.hand = hand;
            positions(round, &mut |round| {
                assert_eq!(round.audit(), Ok(()));
                for seat in [Seat(0), Seat(1)] {
                    occur.insert(json!(round.view(seat).to_owned()).to_string());
                }
                let done = round.table.acts.as_slice().to_vec();
                acts.insert(done.iter().map(|&act| act as u8).collect::<Vec<u8>>());
                // One more act, legal or not.
                (0..3).for_each(|more| {
                    acts.insert(done.iter().map(|&act| act as u8).chain([more]).collect());
                });
            });
        }
    }
    let all = deck(2);
    let boards: Vec<Option<Card>> = all.as_slice().iter().copied().map(Some).chain([None]).collect();
    let mut accepted = BTreeSet::new();
    for (hand, seat) in (0..4).flat_map(|hand| [0, 1, 2].map(|seat| (hand, Seat(seat)))) {
        for acts in &acts {
            let mut list = List::default();
            if !acts.iter().all(|&act| list.push(Act::ALL[usize::from(act)])) {
                continue;
            }
            for (&card, &board) in all.as_slice().iter().flat_map(|c| boards.iter().map(move |b| (c, b))) {
                let table = PublicState { rules, suits: V::SUITS, hand, acts: list, board };
                let view: OwnedView<Round<V>> = OwnedView { seat, table, own: PrivateState { card } };
                let mut other = view;
                other.table.suits = 3 - V::SUITS;
                assert!(Round::check_view(other.view()).is_err(), "a view of the other game");
                if Round::check_view(view.view()).is_ok() {
                    accepted.insert(json!(view).to_string());
                }
            }
        }
    }
    assert_eq!(accepted, occur);
}

/// Checks that shuffling yields the listed deals, each about equally often.
pub(crate) fn listed_deals_are_those_that_are_dealt<V: Variant>() {
    const EACH: u64 = 300;
    let rules = Rules::default();
    let deals = Round::<V>::deals(&rules).unwrap();
    let mut seen = vec![0; deals.len()];
    let standing = Round::<V>::seating(&rules, &mut cardsharp_engine::Draw::new(0, 0));
    for seed in 0..EACH * deals.len() as u64 {
        let round = Round::<V>::deal(&rules, &standing, DealRng::new(seed, 1));
        seen[deals.iter().position(|deal| deal.round == round).unwrap()] += 1;
    }
    assert!(seen.iter().all(|n| (EACH * 7 / 10..EACH * 13 / 10).contains(n)), "{seen:?}");
    assert!(deals.iter().all(|deal| deal.probability == 1.0 / deals.len() as f64));
}

/// Checks that determinizing deals each card that the viewer has not seen.
pub(crate) fn every_unseen_card_is_dealt_again<V: Variant>(view: View<'_, V>, unseen: usize) {
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let round = Round::determinize(view, DealRng::new(seed, 0)).unwrap();
        seen.insert(round.own[1 - view.seat.index()].card.to_string());
    }
    assert_eq!(seen.len(), unseen, "{seen:?}");
}
