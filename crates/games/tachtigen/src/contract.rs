//! Between auction and play: kitty, discard, trump, and asking for a partner.

use super::deck::{ACE, Card, Cards, Suit, Trump};
use super::ladder::Kind;
use super::rules::{AskScope, FirstLeader, TrumpRule};
use super::seats::{ALL_SEATS, clockwise};
use super::table::{Asked, Own, Round, Stage, Table};

/// Ends the auction. The bidder takes the kitty face up, unless the contract is played from the hand.
pub(super) fn start(round: &mut Round) {
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

/// Makes the kitty public. The table records that only the bidder can hold it.
pub(super) fn take_kitty(table: &mut Table, kitty: Card) {
    table.kitty = Some(kitty);
    for seat in ALL_SEATS {
        if table.auction.high != Some(seat) {
            table.play.lacks[seat.index()].insert(kitty);
        }
    }
}

/// Puts a card of the bidder aside.
pub(super) fn put_aside(round: &mut Round, card: Card) {
    let own = &mut round.own[round.table.turn.index()];
    own.hand.remove(card);
    own.discard = Some(card);
    choose_trump(&mut round.table);
}

/// Asks the bidder for trump, or sets no trump if the contract has none.
pub(super) fn choose_trump(table: &mut Table) {
    match table.contract().map(|kind| table.rules.trump_rule(kind)) {
        Some(TrumpRule::Named | TrumpRule::NamedOrNone) => table.stage = Stage::Trump,
        Some(TrumpRule::None) | None => name_trump(table, Trump::None),
    }
}

/// Sets trump. Points contracts continue with asking, the others with the first lead.
pub(super) fn name_trump(table: &mut Table, trump: Trump) {
    table.trump = Some(trump);
    if matches!(table.contract(), Some(Kind::Points(_))) {
        table.stage = Stage::Ask;
    } else {
        lead(table);
    }
}

/// Returns the cards that the bidder may ask for.
pub(super) fn askable(table: &Table, own: &Own) -> Cards {
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

/// Sets the card that the bidder asked for, or that they play alone. The table records that the bidder lacks
/// the asked card.
pub(super) fn ask(table: &mut Table, asked: Asked) {
    table.asked = asked;
    if let (Asked::Card(card), Some(bidder)) = (asked, table.auction.high) {
        table.play.lacks[bidder.index()].insert(card);
    }
    lead(table);
}

/// Starts the first trick.
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
