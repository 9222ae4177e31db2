//! Taxes: what the low players pay, and what they get back.

use super::deck::{Cards, JOKER, Rank};
use super::state::Round;
use super::table::{Ask, Stage, tribute};
use super::variant::JokerOrder;

/// Starts the taxes.
pub fn start(round: &mut Round) {
    round.table.stage = Stage::Taxes;
    for &(high, low, _) in round.table.pairs() {
        round.own[usize::from(high)].partner = Some(low);
        round.own[usize::from(low)].partner = Some(high);
    }
    ask_about_jokers(round, 0);
}

/// Asks the next payer with jokers how many to pay, the lowest first, if payers decide about that. The first `asked`
/// pairs have been handled.
fn ask_about_jokers(round: &mut Round, asked: usize) {
    if round.table.variant.joker_order() == JokerOrder::Holder {
        for &(_, low, _) in &round.table.pairs()[asked..] {
            if round.own[usize::from(low)].hand.0[JOKER] > 0 {
                round.ask(low, Ask::TaxJokers);
                return;
            }
        }
    }
    pay(round);
}

/// Records how many jokers a payer decided to pay.
pub fn pay_jokers(round: &mut Round, jokers: u8) {
    let position = round.asking;
    let own = &mut round.own[usize::from(position)];
    own.ask = Ask::Nothing;
    own.given.0[JOKER] = jokers;
    // The lowest player is in pair 0, the next higher one in pair 1, and so on.
    let number = usize::from(round.table.players - 1 - position);
    ask_about_jokers(round, number + 1);
}

/// Moves all tributes, and asks the highest receiver what to give back.
fn pay(round: &mut Round) {
    let order = round.table.variant.joker_order();
    for &(high, low, k) in round.table.pairs() {
        let own = &mut round.own[usize::from(low)];
        let cards = tribute(&own.hand, k, order, own.given.0[JOKER]);
        own.given = cards;
        hand_over(round, low, high, &cards);
    }
    round.ask(0, Ask::Return);
}

/// Moves cards from one position to another and records them as received.
fn hand_over(round: &mut Round, from: u8, to: u8, cards: &Cards) {
    round.own[usize::from(from)].hand.remove(cards);
    round.own[usize::from(to)].hand.add(cards);
    round.own[usize::from(to)].received.add(cards);
}

/// Picks a card for a receiver to give back. When all have chosen, the cards move and the play starts.
pub fn give_back(round: &mut Round, rank: Rank) {
    let pairs = round.table.pairs();
    let number = usize::from(round.asking);
    let own = &mut round.own[number];
    // Count before adding the card: reading a sum right after writing has to wait for the write.
    let given = own.given.total() + 1;
    own.given.0[rank.get()] += 1;
    if given < u32::from(pairs[number].2) {
        return;
    }
    own.ask = Ask::Nothing;
    if number + 1 < pairs.len() {
        round.ask(round.asking + 1, Ask::Return);
        return;
    }
    for &(high, low, _) in pairs {
        let cards = round.own[usize::from(high)].given;
        hand_over(round, high, low, &cards);
    }
    round.table.stage = Stage::Play;
}
