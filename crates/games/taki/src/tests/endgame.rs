//! Endgames that are listed completely.

use std::collections::BTreeMap;

use cardsharp_engine::Seat;
use cardsharp_engine::enumerate::{AnyTree, EnumerateError, Explored};
use cardsharp_engine::game::{self, Actions, Check, Deals, Determinize, Play, Turn};
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::DealRng;
use serde_json::json;

use super::situation::{hand, rules};
use crate::Round;
use crate::deck::{self, Cards};
use crate::endgame::{Endgame, EndgameError};
use crate::rules::Rules;

/// Two cards in each hand, from two colors with a Stop and a +2, and a Change Color.
fn endgame() -> Endgame {
    Endgame { top: deck::card_from("R5").unwrap(), unseen: hand("R1 R3 Rstop B1 B1 B+2 color"), hand: 2 }
}

fn cut_off(max_decisions: u32) -> Rules {
    rules(json!({"players": 2, "max_decisions": max_decisions}))
}

/// Plays all possible games. Returns the fewest cards left in the draw pile.
fn walk(round: &Round) -> u8 {
    round.audit().unwrap();
    assert_eq!(round.table.recycles, 0);
    let Turn::Decide(seat) = round.turn() else { return round.table.pile };
    Round::check_view(round.view(seat)).unwrap();
    let legal = Round::legal(round.view(seat));
    let next = mask::actions(legal.words()).map(|action| {
        let mut next = *round;
        next.play(action);
        walk(&next)
    });
    next.min().unwrap()
}

#[test]
fn an_endgame_is_a_game_under_way_however_the_cards_lie() {
    let endgame = endgame();
    let deals = endgame.deals(&cut_off(4)).unwrap();
    let mut all = 0.0;
    for (number, deal) in deals.iter().enumerate() {
        let round = &deal.round;
        walk(round);
        let pile: Cards = round.pile[..usize::from(round.table.pile)].iter().copied().collect();
        assert_eq!(round.own[0].hand.with(&round.own[1].hand).with(&pile), endgame.unseen);
        assert!(deals[..number].iter().all(|other| other.round != *round));
        all += deal.probability;
    }
    assert!((all - 1.0).abs() < 1e-12, "{all}");
}

/// Compares with all 7!/2! arrangements of hands and draw pile, which are equally likely. Cards below those
/// that any play draws make no difference.
#[test]
fn deals_are_as_probable_as_the_arrangements_they_stand_for() {
    let endgame = endgame();
    let mut arranged: BTreeMap<(String, String, Vec<u8>), f64> = BTreeMap::new();
    let cards: Vec<u8> = endgame.unseen.cards().collect();
    let mut orders = vec![Vec::new()];
    for _ in 0..cards.len() {
        let longer = |order: &Vec<usize>| {
            let (order, free) = (order.clone(), (0..cards.len()).filter(|i| !order.contains(i)));
            free.map(|i| [order.as_slice(), &[i]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let share = 1.0 / orders.len() as f64;
    for order in &orders {
        let lie: Vec<u8> = order.iter().map(|&i| cards[i]).collect();
        let text = |cards: &[u8]| deck::to_text(&cards.iter().copied().collect());
        *arranged.entry((text(&lie[..2]), text(&lie[2..4]), lie[4..].to_vec())).or_default() += share;
    }
    let mut explained = 0.0;
    for deal in endgame.deals(&cut_off(4)).unwrap() {
        let (round, top) = (&deal.round, deal.round.table.pile);
        let settled = usize::from(top - walk(round));
        let pile: Vec<u8> = round.pile[..usize::from(top)].iter().rev().copied().collect();
        let hands = [0, 1].map(|seat| deck::to_text(&round.own[seat].hand));
        let alike = arranged.iter().filter(|((first, second, lie), _)| {
            [first, second] == [&hands[0], &hands[1]] && lie[..settled] == pile[..settled]
        });
        let expected: f64 = alike.map(|(_, share)| share).sum();
        assert!((deal.probability - expected).abs() < 1e-12, "{} for {expected}", deal.probability);
        explained += expected;
    }
    assert!((explained - 1.0).abs() < 1e-9);
}

/// Determinizing finds the listed hands, as often as the list says.
#[test]
fn the_list_agrees_with_dealing_again() {
    let deals = endgame().deals(&cut_off(4)).unwrap();
    let viewed = &deals[deals.len() / 3].round;
    let mut listed: BTreeMap<String, f64> = BTreeMap::new();
    for deal in deals.iter().filter(|deal| deal.round.own[0] == viewed.own[0]) {
        *listed.entry(deck::to_text(&deal.round.own[1].hand)).or_default() += deal.probability;
    }
    let all: f64 = listed.values().sum();
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    let tries = 20_000;
    for seed in 0..tries {
        let again = Round::determinize(viewed.view(Seat(0)), DealRng::new(seed, 0)).unwrap();
        *found.entry(deck::to_text(&again.own[1].hand)).or_default() += 1.0 / tries as f64;
    }
    assert!(found.keys().eq(listed.keys()), "{found:?}");
    for (hand, share) in listed {
        // Three standard errors of a share of 0.1 are 0.0064.
        assert!((found[&hand] - share / all).abs() < 0.009, "{hand}: {} for {}", found[&hand], share / all);
    }
}

#[test]
fn what_is_no_endgame_is_refused() {
    let plain = endgame();
    assert_eq!(plain.deals(&rules(json!({}))).unwrap_err(), EndgameError::Game);
    for wrong in [
        Endgame { top: deck::KING, ..plain },
        Endgame { unseen: hand("R5 R5 R1 R3"), ..plain },
        Endgame { hand: 4, ..plain },
        Endgame { hand: 0, ..plain },
    ] {
        assert!(matches!(wrong.deals(&cut_off(4)), Err(EndgameError::Cards { .. })), "{wrong:?}");
    }
    assert_eq!(plain.deals(&cut_off(4000)).unwrap_err(), EndgameError::Reshuffled { pile: 3 });
}

/// Reads an endgame as in a file: without rules, and with cards in card notation.
#[test]
fn an_endgame_can_be_told_in_words() {
    let described = json!({"top": "R5", "unseen": "R1 R3 Rstop B1 B1 B+2 color", "hand": 2});
    assert_eq!(
        Round::endgame(&cut_off(4), &described, u64::MAX).unwrap(),
        endgame().deals(&cut_off(4)).unwrap()
    );
    for (described, complaint) in [
        (json!({"top": "R5", "unseen": "R1 R3 Q9", "hand": 1}), "`Q9` is not a card"),
        (json!({"top": "R5", "unseen": "R1 R3", "hands": 1}), "unknown field `hands`, expected one of `top`"),
        (json!({"top": "R5", "unseen": "R1 R3"}), "missing field `hand`"),
        (json!({"top": "king", "unseen": "R1 R3", "hand": 1}), "expected a colored card on top"),
    ] {
        let refused = Round::endgame(&cut_off(4), &described, u64::MAX).unwrap_err().to_string();
        assert!(refused.contains(complaint), "{refused}");
    }
}

/// The limit on decisions and ends is exact.
#[test]
fn an_endgame_with_too_much_in_it_is_not_listed() {
    let described = json!({"top": "R5", "unseen": "R1 R3 Rstop B1 B1 B+2 color", "hand": 2});
    let positions = Explored::<Round>::endgame(cut_off(4), &described, u64::MAX).unwrap().tree().positions;
    assert!(Round::endgame(&cut_off(4), &described, positions).is_ok());
    let most = positions - 1;
    let refused = Round::endgame(&cut_off(4), &described, most).unwrap_err();
    assert_eq!(refused, game::EndgameError::TooLarge { most });
    let refused = Explored::<Round>::endgame(cut_off(4), &described, most).map(|_| ()).unwrap_err();
    assert!(matches!(refused, EnumerateError::TooLarge { deals: None, .. }), "{refused}");
}

/// Endgames too large for memory are refused quickly.
#[test]
fn a_huge_endgame_is_refused_at_once() {
    let some = "R1 R3 B1 B3 B4 G1 G3 G4 G5 Y1 Y3 Y4 Y5 Y6 Y7 Y8";
    let whole = deck::to_text(&Cards::ALL.without(&hand("R5 R5 B9")));
    for (unseen, hand, max_decisions) in [(some, 3, 5), (&whole, 8, 5), (&whole, 40, 1), (&whole, 3, 4000)] {
        let described = json!({"top": "R5", "unseen": unseen, "hand": hand});
        let refused = Round::endgame(&cut_off(max_decisions), &described, 2_000).unwrap_err();
        assert_eq!(refused, game::EndgameError::TooLarge { most: 2_000 });
    }
}
