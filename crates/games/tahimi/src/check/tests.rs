//! Faults that the audit finds: rounds with one thing wrong.

use cardsharp_engine::Session;
use cardsharp_engine::game::{Play, Scripted, Turn};
use serde_json::json;

use super::audit;
use crate::Round;
use crate::deck::{JOKER, from_text};
use crate::rules::Rules;
use crate::state::{Ask, PrivateState, Stage};

/// A round of eight players with three exchanges (three cards, two and one), after this number of decisions.
fn round(joker_tax: &str, decisions: u32) -> Round {
    let options = json!({
        "players": 8, "deck": "special", "jokers": "wild", "joker_tax": joker_tax, "first_round_tax": true,
    });
    let rules: Rules = cardsharp_engine::rules::read(&options).unwrap();
    let mut session = Session::<Round>::new(rules, 6);
    for _ in 0..decisions {
        let Turn::Decide(seat) = session.round().turn() else { break };
        let action = Round::scripted(session.round().view(seat));
        session.round_mut().play(action);
    }
    *session.round()
}

/// Swaps a card between two positions: the best one of each, or the worst.
fn swap(round: &mut Round, [a, b]: [usize; 2], best: bool) {
    let card = |own: &PrivateState| {
        let mut ranks = (0..JOKER).filter(|&rank| own.hand.0[rank] > 0);
        if best { ranks.next() } else { ranks.next_back() }.expect("a card")
    };
    let [of_a, of_b] = [a, b].map(|p| card(&round.own[p]));
    assert_ne!(of_a, of_b);
    round.own[a].hand.0[of_a] -= 1;
    round.own[b].hand.0[of_a] += 1;
    round.own[b].hand.0[of_b] -= 1;
    round.own[a].hand.0[of_b] += 1;
}

/// Asserts that the round is valid, and that the audit refuses it after `change` with the `expected` message.
fn refused(mut round: Round, expected: &str, change: impl FnOnce(&mut Round)) {
    assert_eq!(audit(&round), Ok(()));
    change(&mut round);
    let error = audit(&round).expect_err(expected);
    assert!(error.contains(expected), "{error}, not {expected}");
}

#[test]
fn cards_that_are_lost_or_doubled_are_found() {
    let play = round("high", 30);
    assert_eq!(play.table.stage, Stage::Play);
    refused(play, "of the 13 cards dealt to the viewer", |round| {
        let card = round.own[3].hand.cards().next().expect("a card");
        round.own[3].hand.0[card] -= 1;
    });
    refused(play, "hands and cards played do not add up to the deck", |round| {
        let card = round.own[3].hand.cards().next().expect("a card");
        let other = (0..JOKER).rev().find(|&rank| rank != card && round.table.deck.0[rank] > 0);
        round.own[3].hand.0[card] -= 1;
        round.own[3].hand.0[other.expect("a rank")] += 1;
    });
    refused(play, "position 9 has no player, but private data", |round| {
        round.own[9].partner = Some(1);
    });
    refused(play, "the deck does not have the cards in hand and played", |round| {
        round.own[2].hand = from_text("A A A A A A").expect("cards");
    });
}

#[test]
fn taxes_that_were_not_paid_in_full_are_found() {
    for joker_tax in ["high", "low"] {
        let chosen = round(joker_tax, 0);
        assert_eq!((chosen.table.stage, chosen.own[0].ask), (Stage::Taxes, Ask::Return));
        // The Merchant's best card goes to the serf, who has already paid.
        refused(chosen, "position 7: the tribute is", |round| swap(round, [3, 7], true));
    }
    let play = round("high", 6);
    assert_eq!(play.table.stage, Stage::Play);
    refused(play, "position 0 did not get the best cards of 7", |round| {
        // One of the received cards becomes another one, which the Merchant held.
        let was = round.own[0].received.cards().next().expect("a card");
        let is = round.own[3].hand.cards().find(|&rank| rank != was).expect("another card");
        for cards in [&mut round.own[0].received, &mut round.own[0].hand] {
            cards.0[was] -= 1;
            cards.0[is] += 1;
        }
        round.own[3].hand.0[is] -= 1;
        round.own[3].hand.0[was] += 1;
    });
    refused(play, "position 5 did not get what 2 returned", |round| {
        let card = round.own[5].received.cards().next().expect("a card");
        let other = (0..JOKER).find(|&rank| rank != card && round.own[5].hand.0[rank] > 0);
        round.own[5].received.0[card] -= 1;
        round.own[5].received.0[other.expect("another card")] += 1;
    });
}

#[test]
fn decisions_out_of_turn_are_found() {
    let chosen = round("high", 0);
    refused(chosen, "position 1 decides but is not asked", |round| round.asking = 1);
    refused(chosen, "2 players are asked", |round| round.own[1].ask = Ask::Return);
    refused(chosen, "position 0: Nothing is asked of the viewer", |round| round.own[0].ask = Ask::Nothing);
    refused(chosen, "Return is asked of the viewer", |round| round.own[4].ask = Ask::Return);
    let second = round("high", 3);
    assert_eq!(second.asking, 1);
    refused(second, "positions 1 and 6 did not decide in turn", |round| {
        round.own[1].ask = Ask::Nothing;
        round.ask(2, Ask::Return);
    });
}
