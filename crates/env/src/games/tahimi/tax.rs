//! Taxes: what the low ranks pay, and what they get back.

use super::Round;
use super::actions::{self, TAX_JOKERS};
use super::deck::{Cards, JOKER};
use super::table::{Ask, Stage, Table};
use super::variant::JokerOrder;
use crate::games::climbing;
use crate::ground::ActionId;

/// Who pays whom how many cards: (high, low, cards).
pub type Pair = (u8, u8, u8);

/// The pairs of a table, the highest first.
pub fn pairs(players: u8, progressive: bool) -> &'static [Pair] {
    match (players, progressive) {
        (3, _) => &[(0, 2, 2)],
        (4, _) => &[(0, 3, 2), (1, 2, 1)],
        (5, _) => &[(0, 4, 2), (1, 3, 1)],
        (6, false) => &[(0, 5, 2), (1, 4, 1)],
        (6, true) => &[(0, 5, 3), (1, 4, 1)],
        (7, false) => &[(0, 6, 2), (1, 5, 1)],
        (7, true) => &[(0, 6, 3), (1, 5, 2)],
        (8, false) => &[(0, 7, 2), (1, 6, 1)],
        (8, true) => &[(0, 7, 3), (1, 6, 2), (2, 5, 1)],
        _ => &[],
    }
}

/// The pairs of this round.
pub fn pairs_of(table: &Table) -> &'static [Pair] {
    pairs(table.players, table.variant.is_progressive())
}

/// The `k` highest cards of a hand. `chosen` is how many jokers the payer decided to pay, which
/// counts only where that is his to decide.
pub fn tribute(hand: &Cards, k: u8, order: JokerOrder, chosen: u8) -> Cards {
    let jokers = match order {
        JokerOrder::Low => 0,
        JokerOrder::High => hand.0[JOKER].min(k),
        JokerOrder::Holder => chosen,
    };
    let mut cards = climbing::best(hand, k - jokers);
    cards.0[JOKER] = jokers;
    cards
}

/// Taxation begins.
pub fn start(round: &mut Round) {
    round.table.stage = Stage::Taxes;
    for &(high, low, _) in pairs_of(&round.table) {
        round.own[usize::from(high)].partner = Some(low);
        round.own[usize::from(low)].partner = Some(high);
    }
    ask_about_jokers(round, 0);
}

/// Asks the next payer who holds jokers how many to pay, the lowest first, if that is theirs to
/// decide; `asked` of them have been looked at.
fn ask_about_jokers(round: &mut Round, asked: usize) {
    if round.table.variant.joker_order() == JokerOrder::Holder {
        for &(_, low, _) in &pairs_of(&round.table)[asked..] {
            if round.own[usize::from(low)].hand.0[JOKER] > 0 {
                round.ask(low, Ask::TaxJokers);
                return;
            }
        }
    }
    pay(round);
}

/// A payer decided how many jokers to pay.
pub fn play_jokers(round: &mut Round, action: ActionId) {
    let position = round.asking;
    let own = &mut round.own[usize::from(position)];
    own.ask = Ask::Nothing;
    own.given.0[JOKER] = TAX_JOKERS.index(action).unwrap_or(0) as u8;
    // The lowest player is in the first pair, the next lower in the second, and so on.
    let number = usize::from(round.table.players - 1 - position);
    ask_about_jokers(round, number + 1);
}

/// All tributes move, and the highest chooses what to give back.
fn pay(round: &mut Round) {
    let order = round.table.variant.joker_order();
    for &(high, low, k) in pairs_of(&round.table) {
        let own = &mut round.own[usize::from(low)];
        let cards = tribute(&own.hand, k, order, own.given.0[JOKER]);
        own.given = cards;
        hand_over(round, low, high, &cards);
    }
    round.ask(0, Ask::Return);
}

/// Moves cards from one position to another; the receiver learns what he got.
fn hand_over(round: &mut Round, from: u8, to: u8, cards: &Cards) {
    round.own[usize::from(from)].hand.remove(cards);
    round.own[usize::from(to)].hand.add(cards);
    round.own[usize::from(to)].received.add(cards);
}

/// A receiver picked a card to give back. When all have chosen, the cards move and the play begins.
pub fn play_return(round: &mut Round, action: ActionId) {
    let pairs = pairs_of(&round.table);
    let number = usize::from(round.asking);
    let own = &mut round.own[number];
    // Counted before the card is added: a sum that reads what was only just written must wait for it.
    let given = own.given.total() + 1;
    if let Some(rank) = actions::given(action) {
        own.given.0[rank] += 1;
    }
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
