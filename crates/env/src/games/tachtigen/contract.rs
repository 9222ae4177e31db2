//! Between auction and play: kitty and discard, trump, asking.

use super::Round;
use super::actions::{ASK, DISCARD, TRUMP};
use super::deck::{ACE, Card, Cards, Suit, Trump};
use super::ladder::Kind;
use super::rules::{AskScope, FirstLeader, TrumpRule};
use super::table::{ALL_SEATS, Asked, Own, Stage, Table, clockwise};
use crate::ground::ActionId;

/// The auction is over: the bidder takes the kitty, which everybody sees, unless he plays from the
/// hand.
pub fn start(round: &mut Round) {
    let table = &mut round.table;
    let Some(bidder) = table.auction.high else { return };
    table.turn = bidder;
    table.stage = Stage::Discard;
    if table.contract().is_none_or(Kind::from_the_hand) {
        choose_trump(table);
        return;
    }
    take_kitty(table, round.kitty);
    round.own[bidder.index()].hand.insert(round.kitty);
}

/// Shows the kitty: nobody but the bidder can hold it.
pub fn take_kitty(table: &mut Table, kitty: Card) {
    table.kitty = Some(kitty);
    for seat in ALL_SEATS {
        if table.auction.high != Some(seat) {
            table.play.lacks[seat.index()].insert(kitty);
        }
    }
}

/// The bidder puts a card aside.
pub fn play_discard(round: &mut Round, action: ActionId) {
    if let Some(card) = DISCARD.index(action).and_then(|number| Card::new(number as u8)) {
        let own = &mut round.own[round.table.turn.index()];
        own.hand.remove(card);
        own.discard = Some(card);
        choose_trump(&mut round.table);
    }
}

/// The bidder names trump, if this contract has any.
pub fn choose_trump(table: &mut Table) {
    match table.contract().map(|kind| table.rules.trump_rule(kind)) {
        Some(TrumpRule::Named | TrumpRule::NamedOrNone) => table.stage = Stage::Trump,
        Some(TrumpRule::None) | None => name_trump(table, Trump::None),
    }
}

/// The bidder names trump.
pub fn play_trump(round: &mut Round, action: ActionId) {
    if let Some(named) = TRUMP.index(action) {
        name_trump(&mut round.table, Trump::ALL[named]);
    }
}

/// Trump is named; a points contract goes on to asking, others to the first lead.
pub fn name_trump(table: &mut Table, trump: Trump) {
    table.trump = Some(trump);
    if matches!(table.contract(), Some(Kind::Points(_))) {
        table.stage = Stage::Ask;
    } else {
        lead(table);
    }
}

/// The cards that the bidder may ask for.
pub fn askable(table: &Table, own: &Own) -> Cards {
    let suits = Suit::ALL.into_iter().map(Suit::cards).filter(|&suit| own.hand.meets(suit));
    let mut cards = suits.fold(Cards::NONE, Cards::or).minus(own.hand);
    if let (Some(discard), false) = (own.discard, table.rules.ask_discard) {
        cards.remove(discard);
    }
    match table.rules.ask_scope {
        AskScope::AnyHeldSuit => cards,
        AskScope::AcesFirst => {
            let mut by_rank = (0..=ACE).rev().map(|rank| cards.and(Cards::of_rank(rank)));
            by_rank.find(|some| !some.is_empty()).unwrap_or(Cards::NONE)
        }
    }
}

/// The bidder asks for a card, or plays alone.
pub fn play_ask(round: &mut Round, action: ActionId) {
    let asked = match ASK.index(action).and_then(|number| Card::new(number as u8)) {
        Some(card) => Asked::Card(card),
        None => Asked::Solo,
    };
    ask(&mut round.table, asked);
}

/// The bidder asked for a card, so he does not hold it; or he plays alone.
pub fn ask(table: &mut Table, asked: Asked) {
    table.asked = asked;
    if let (Asked::Card(card), Some(bidder)) = (asked, table.auction.high) {
        table.play.lacks[bidder.index()].insert(card);
    }
    lead(table);
}

/// The first trick begins.
fn lead(table: &mut Table) {
    let leader = match (table.rules.first_leader, table.auction.high) {
        (FirstLeader::Bidder, Some(bidder)) => bidder,
        _ => clockwise(table.dealer, 1),
    };
    table.stage = Stage::Play;
    table.turn = leader;
    table.play.leaders[0] = leader;
    table.play.best = leader;
}
