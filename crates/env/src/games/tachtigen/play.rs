//! Tricks: calling, playing cards, announcing roem, laying hands open.

use super::actions::{CALL, CLAIM, PLAY};
use super::deck::{Card, Cards, Trump};
use super::follow::{self, Proof};
use super::ladder::Kind;
use super::roem;
use super::rules::{PartnerRoemBasis, RoemClaims};
use super::table::{Asked, Each, HAND, Own, PLAYS, Play, SEATS, Stage, Table, clockwise};
use super::{Round, score};
use crate::ground::hands::Positions;
use crate::ground::{ActionId, Seat};

/// Cards on the table when the bidder of an ouverte lays his hand open.
const OUVERTE_OPENS: usize = 5;
/// Cards on the table when all hands of a praatje are laid open.
const PRAATJE_OPENS: usize = 1;

/// Whose roem is meant in [`Table::roem`].
pub const BIDDER: usize = 0;
/// Whose roem is meant in [`Table::roem`].
pub const PARTNER: usize = 1;

/// Whether the bidder, to lead, may call the asked card.
#[inline]
pub fn may_call(table: &Table, seat: Seat, hand: Cards) -> bool {
    let Some(asked) = table.asked_card() else { return false };
    let play = &table.play;
    play.in_trick() == 0
        && !play.is_called()
        && table.auction.high == Some(seat)
        && table.partner.is_none()
        && hand.meets(asked.suit().cards())
}

/// The player whose turn it is calls the asked card, or plays one.
#[inline]
pub fn play(round: &mut Round, action: ActionId) {
    match PLAY.index(action).and_then(|number| Card::new(number as u8)) {
        Some(card) => {
            let seat = round.table.turn;
            round.own[seat.index()].hand.remove(card);
            put(&mut round.table, card);
            if round.table.open.is_empty() {
                lay_open(round);
            }
            announce(round, seat, card);
        }
        None if action == CALL.nth(0) => call(&mut round.table),
        None => {}
    }
}

/// The asked card is called in the trick that begins.
pub fn call(table: &mut Table) {
    table.play.called |= 1 << table.play.trick();
}

/// Puts a card of the player whose turn it is on the table. What his hand decides, roem and open
/// hands, is not part of it.
#[inline]
pub fn put(table: &mut Table, card: Card) {
    let seat = table.turn;
    let Proof { lacks, refused, lone } = follow::proof(table, seat, card);
    let barred = bars_trump(table, card);
    let trump = table.trump();
    let play = &mut table.play;
    let who = seat.index();
    play.lacks[who] = play.lacks[who].or(lacks).or(proof_of_jack(play, trump, seat, card));
    play.refused[who] += u8::from(refused);
    if lone {
        play.lone.insert(seat.0);
    }
    let wins = match play.best_card() {
        None => true,
        Some(best) if best.suit() == card.suit() => best.above(trump).has(card),
        Some(_) => trump.is(card.suit()) && !barred,
    };
    if wins {
        play.best = seat;
    }
    play.played[who].insert(card);
    play.cards.push(card);
    table.shown[who].remove(card);
    if table.asked == Asked::Card(card) {
        table.partner = Some(seat);
    }
    if table.play.in_trick() == 0 {
        complete(table);
    }
    table.turn = clockwise(table.play.leader(), table.play.in_trick() as u8);
}

/// What a trump proves of a player whose trump jack, if he held it, was his only trump.
#[inline]
fn proof_of_jack(play: &Play, trump: Trump, seat: Seat, card: Card) -> Cards {
    match () {
        () if !play.lone.has(seat.0) || !trump.is(card.suit()) => Cards::NONE,
        () if trump.jack().has(card) => trump.cards(),
        () => trump.jack(),
    }
}

/// Whether the card would be a trump that cannot win: in a trick in which a plain asked card is called.
#[inline]
fn bars_trump(table: &Table, card: Card) -> bool {
    table.play.is_called()
        && !table.rules.forced_trump_wins_called
        && table.play.led().is_some_and(|led| led.suit() != card.suit())
        && table.asked_card().is_some_and(|asked| !table.trump().is(asked.suit()))
}

/// The fourth card was played.
fn complete(table: &mut Table) {
    let trump = table.trump();
    let play = &mut table.play;
    let (end, winner) = (play.cards.len(), play.best);
    play.leaders[end >> 2] = winner;
    play.won[winner.index()] += 1;
    let points: u8 = (end - SEATS..end).filter_map(|i| play.cards.get(i)).map(|card| card.value(trump)).sum();
    play.points[winner.index()] += points;
    let (Some(bidder), Some(kind)) = (table.auction.high, table.contract()) else { return };
    if kind == Kind::Zwabber && table.partner.is_none() && score::emerges(&table.play, bidder) {
        table.partner = Some(winner);
    }
    if end == PLAYS || table.rules.early_stop && score::is_lost(&table.play, kind, bidder) {
        table.stage = Stage::Over;
    }
}

/// Which hands lie open after the cards played so far.
pub fn opens(table: &Table) -> Positions {
    let played = table.play.cards.len();
    match (table.contract(), table.auction.high) {
        (Some(Kind::Ouverte), Some(bidder)) if played >= OUVERTE_OPENS => Positions(1 << bidder.0),
        (Some(kind), _) if kind.is_praatje() && played >= PRAATJE_OPENS => Positions::first(SEATS as u8),
        _ => Positions(0),
    }
}

/// Lays hands open when their time has come.
fn lay_open(round: &mut Round) {
    round.table.open = opens(&round.table);
    for seat in round.table.open.iter().map(usize::from) {
        round.table.shown[seat] = round.own[seat].hand;
    }
}

/// Which roem is due when `seat` has just played `card`, as a place in [`Table::roem`].
pub fn due(table: &Table, seat: Seat, card: Card) -> Option<usize> {
    if !matches!(table.contract(), Some(Kind::Points(_))) {
        return None;
    }
    if table.auction.high == Some(seat) {
        return (table.play.played[seat.index()] == Cards::one(card)).then_some(BIDDER);
    }
    (table.asked == Asked::Card(card)).then_some(PARTNER)
}

/// The roem of a hand, when it is due.
fn announce(round: &mut Round, seat: Seat, card: Card) {
    let Some(whose) = due(&round.table, seat, card) else { return };
    if round.table.rules.roem_claims == RoemClaims::Auto {
        let total = true_roem(&round.table, whose, &round.own[seat.index()], seat);
        round.table.roem[whose] = Some(total);
    } else {
        round.table.stage = Stage::Claim;
        round.table.turn = seat;
    }
}

/// The cards in which the roem of `seat` is counted: the bidder's eight cards, or what the rules say
/// of the partner's.
pub fn basis(table: &Table, whose: usize, hand: Cards, seat: Seat) -> Cards {
    let played = table.play.played[seat.index()];
    if whose == BIDDER || table.rules.partner_roem_basis == PartnerRoemBasis::InitialHand {
        return hand.or(played);
    }
    let plays = &table.play;
    let mine = (0..plays.cards.len()).filter(|&i| plays.player(i) == seat).filter_map(|i| plays.cards.get(i));
    let since = mine.skip_while(|&card| table.asked != Asked::Card(card));
    since.fold(hand, Cards::with)
}

/// What the roem of `seat` is worth; it has been due or is.
pub fn true_roem(table: &Table, whose: usize, own: &Own, seat: Seat) -> u16 {
    roem::total(basis(table, whose, own.hand, seat), table.trump(), &table.rules)
}

/// Whose claim is due.
pub fn claimant(table: &Table) -> usize {
    if table.auction.high == Some(table.turn) { BIDDER } else { PARTNER }
}

/// The bidder or the partner says how much roem he has.
pub fn play_claim(round: &mut Round, action: ActionId) {
    if let Some(tens) = CLAIM.index(action) {
        claim(&mut round.table, 10 * tens as u16);
    }
}

/// A claim is made, and the play goes on.
pub fn claim(table: &mut Table, points: u16) {
    table.roem[claimant(table)] = Some(points);
    table.stage = if table.play.trick() == HAND { Stage::Over } else { Stage::Play };
    table.turn = clockwise(table.play.leader(), table.play.in_trick() as u8);
}

/// Hands as they were before the play, or after the discard: what is held and what was played.
pub fn hands(round: &Round) -> Each<Cards> {
    std::array::from_fn(|seat| round.own[seat].hand.or(round.table.play.played[seat]))
}
