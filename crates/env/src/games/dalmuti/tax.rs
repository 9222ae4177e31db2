//! Taxes and the merchant exchange.

use super::Round;
use super::actions::{EXCHANGE, GIVE};
use super::deck::Cards;
use super::rules::{MerchantExchange, TaxVisibility};
use super::table::{Ask, Stage};
use crate::games::climbing::{self, random_card};
use crate::ground::ActionId;

/// The position of the Merchant who may propose an exchange.
pub const PROPOSER: u8 = 2;

/// Who pays whom how many cards: (Dalmuti, Peon, cards).
pub fn pairs(players: u8) -> [(u8, u8, u8); 2] {
    [(0, players - 1, 2), (1, players - 2, 1)]
}

/// The best `k` cards of a hand; Jesters count as the worst and are never among them.
pub fn tribute(hand: &Cards, k: u8) -> Cards {
    climbing::best(hand, k)
}

/// Taxation begins.
pub fn start(round: &mut Round) {
    round.table.stage = Stage::Taxes;
    for (dalmuti, peon, _) in pairs(round.table.players()) {
        round.own[usize::from(dalmuti)].partner = Some(peon);
        round.own[usize::from(peon)].partner = Some(dalmuti);
    }
    if round.table.rules.tax_visibility == TaxVisibility::Seen {
        move_tributes(round);
    }
    round.ask(0, Ask::Tax);
}

fn move_tributes(round: &mut Round) {
    for (dalmuti, peon, k) in pairs(round.table.players()) {
        let cards = tribute(&round.own[usize::from(peon)].hand, k);
        give(round, peon, dalmuti, &cards);
        round.own[usize::from(peon)].given = cards;
    }
}

/// Moves cards from one position to another; the receiver learns what he got.
fn give(round: &mut Round, from: u8, to: u8, cards: &Cards) {
    round.own[usize::from(from)].hand.remove(cards);
    round.own[usize::from(to)].hand.add(cards);
    round.own[usize::from(to)].received.add(cards);
}

/// A Dalmuti picked a card to give back.
pub fn play_tax(round: &mut Round, action: ActionId) {
    pick(round, action);
    let (dalmuti, _, k) = pairs(round.table.players())[usize::from(round.asking)];
    let own = &mut round.own[usize::from(dalmuti)];
    if own.given.total() < u32::from(k) {
        return;
    }
    own.ask = Ask::Nothing;
    if dalmuti == 0 {
        round.ask(1, Ask::Tax);
    } else if round.table.rules.merchant_exchange != MerchantExchange::Off && round.table.players() >= 6 {
        round.ask(PROPOSER, Ask::Offer);
    } else {
        finish(round);
    }
}

fn pick(round: &mut Round, action: ActionId) {
    if let Some(rank) = GIVE.index(action) {
        round.own[usize::from(round.asking)].given.0[rank] += 1;
    }
}

/// The highest Merchant chose whether to exchange, and with whom.
pub fn play_offer(round: &mut Round, action: ActionId) {
    match EXCHANGE.index(action) {
        Some(choice) if choice > 0 => {
            let target = choice as u8 + 2;
            round.table.exchange = Some(target);
            round.own[usize::from(PROPOSER)].partner = Some(target);
            round.own[usize::from(target)].partner = Some(PROPOSER);
            round.ask(PROPOSER, Ask::Exchange);
        }
        _ => {
            round.own[usize::from(PROPOSER)].ask = Ask::Nothing;
            finish(round);
        }
    }
}

/// A Merchant picked the card to give.
pub fn play_exchange(round: &mut Round, action: ActionId) {
    pick(round, action);
    round.own[usize::from(round.asking)].ask = Ask::Nothing;
    match round.table.exchange {
        Some(target) if round.asking == PROPOSER => {
            if round.table.rules.merchant_exchange == MerchantExchange::BlindRandom {
                let hand = round.own[usize::from(target)].hand;
                let card = round.rng.draw(|draw| random_card(&hand, draw));
                round.own[usize::from(target)].given = Cards::one(card);
                finish(round);
            } else {
                round.ask(target, Ask::Exchange);
            }
        }
        _ => finish(round),
    }
}

/// All cards that have not moved yet move at once, and the play begins.
fn finish(round: &mut Round) {
    if round.table.rules.tax_visibility == TaxVisibility::Sealed {
        move_tributes(round);
    }
    for (dalmuti, peon, _) in pairs(round.table.players()) {
        let cards = round.own[usize::from(dalmuti)].given;
        give(round, dalmuti, peon, &cards);
    }
    if let Some(target) = round.table.exchange {
        let (offered, returned) =
            (round.own[usize::from(PROPOSER)].given, round.own[usize::from(target)].given);
        give(round, PROPOSER, target, &offered);
        give(round, target, PROPOSER, &returned);
    }
    round.table.stage = Stage::Play;
}
