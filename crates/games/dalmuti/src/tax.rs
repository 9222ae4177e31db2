//! Taxes and the merchant exchange.

use cardsharp_climbing::random_card;

use super::deck::{Cards, Rank};
use super::moves::Merchant;
use super::rules::{MerchantExchange, TaxVisibility};
use super::state::Round;
use super::table::{Ask, PROPOSER, Stage, pairs, tribute};

/// Starts the taxes.
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

/// Moves cards from one position to another and records them as received.
fn give(round: &mut Round, from: u8, to: u8, cards: &Cards) {
    round.own[usize::from(from)].hand.remove(cards);
    round.own[usize::from(to)].hand.add(cards);
    round.own[usize::from(to)].received.add(cards);
}

/// Picks a card to give for the player who is asked.
pub fn pick(round: &mut Round, rank: Rank) {
    let own = &mut round.own[usize::from(round.asking)];
    own.given.0[rank.get()] += 1;
    match own.ask {
        Ask::Tax => picked_tax(round),
        Ask::Exchange => picked_exchange(round),
        Ask::Nothing | Ask::Misdeal | Ask::Revolution | Ask::Offer => {}
    }
}

/// Continues after a Dalmuti's pick of a card to return.
fn picked_tax(round: &mut Round) {
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

/// The highest Merchant exchanges no card.
pub fn keep_cards(round: &mut Round) {
    round.own[usize::from(PROPOSER)].ask = Ask::Nothing;
    finish(round);
}

/// The highest Merchant starts an exchange with another Merchant.
pub fn propose(round: &mut Round, with: Merchant) {
    let target = with.position();
    round.table.exchange = Some(target);
    round.own[usize::from(PROPOSER)].partner = Some(target);
    round.own[usize::from(target)].partner = Some(PROPOSER);
    round.ask(PROPOSER, Ask::Exchange);
}

/// Continues after a Merchant's pick of a card to give.
fn picked_exchange(round: &mut Round) {
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

/// Moves all cards that have not moved yet, and starts the play.
pub(super) fn finish(round: &mut Round) {
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
