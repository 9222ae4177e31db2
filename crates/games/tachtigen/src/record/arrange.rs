//! Swapping hidden cards so that the reported events follow.

use cardsharp_engine::game::{Check, Label, Play, Redeal, Told, ensure};
use cardsharp_engine::{ActionId, Seat};

use super::dealt::field;
use crate::deck::{Card, Cards};
use crate::moves::Move;
use crate::roem;
use crate::rules::RoemClaims;
use crate::seats::ALL_SEATS;
use crate::table::{BIDDER, PARTNER, Round, Table};

/// Returns the round before `action` with other hidden cards, so that `action` leads to the events in `told`.
/// Everything that `me` knows stays the same. `legal` says whether the action is legal with the present
/// cards.
pub(super) fn arranged(
    round: &Round,
    me: Seat,
    action: ActionId,
    legal: bool,
    told: &Told<'_>,
) -> Result<Round, String> {
    let seat = round.table.turn;
    if let Some(Move::Play(card)) = Move::of(action)
        && seat != me
    {
        may_hold(round, me, card)?;
    }
    let mut after = *round;
    after.play(action);
    if round.table.kitty.is_none() && after.table.kitty.is_some() {
        return with_kitty(round, me, told);
    }
    let imagined = after.table;
    as_told(round, &mut after.table, me, told)?;
    if legal && after.table == imagined {
        return Ok(*round);
    }
    // A deal that fits the present view also fits all earlier moves.
    let other = Round::redeal(after.view(me), round.rng).filter(|other| other.audit().is_ok());
    let chosen = Label::<Round>::of(action);
    let other = other.ok_or_else(|| {
        format!("seat {} chose `{chosen}`, and no deal of the hidden cards leads to this record", seat.0)
    })?;
    let mut before = Round { table: round.table, ..other };
    if let Some(Move::Play(card)) = Move::of(action) {
        before.own[seat.index()].hand.insert(card);
    }
    Ok(before)
}

/// Checks that the seat whose turn it is, not `me`, may hold this card. Considers only facts about this one
/// card.
fn may_hold(round: &Round, me: Seat, card: Card) -> Result<(), String> {
    let (table, own) = (&round.table, &round.own[me.index()]);
    let seat = table.turn;
    let elsewhere = match () {
        () if table.play.gone().has(card) => "it was played before".to_owned(),
        () if own.hand.has(card) => format!("seat {} holds it", me.0),
        () if own.discard == Some(card) => format!("seat {} has put it aside", me.0),
        () if table.open.has(seat.0) && !table.shown[seat.index()].has(card) => {
            "it is not in that open hand".to_owned()
        }
        () if table.play.lacks[seat.index()].has(card) => "that seat is known not to have it".to_owned(),
        () => return Ok(()),
    };
    Err(format!("seat {} plays {card}, but {elsewhere}", seat.0))
}

/// Returns the round with the reported kitty. The seat that seemed to hold that card gets the previous guess
/// instead.
fn with_kitty(round: &Round, me: Seat, told: &Told<'_>) -> Result<Round, String> {
    let event = told.events_of("kitty").next();
    let event = event.ok_or("the bidder takes the kitty: expected an event `kitty`")?;
    let kitty: Card = field(event, "card")?;
    let mut round = *round;
    let thought = std::mem::replace(&mut round.kitty, kitty);
    for seat in ALL_SEATS {
        let hand = &mut round.own[seat.index()].hand;
        if hand.has(kitty) {
            ensure!(seat != me, "{kitty} is the kitty, but seat {} holds it", me.0);
            *hand = hand.without(kitty).with(thought);
        }
    }
    Ok(round)
}

/// Replaces results of guessed cards in `is` with the reported ones: roem announced automatically, and opened
/// hands. Results of the cards of `me` are known.
fn as_told(before: &Round, is: &mut Table, me: Seat, told: &Told<'_>) -> Result<(), String> {
    let was = &before.table;
    for seat in is.open.iter().map(Seat).filter(|&seat| seat != me && !was.open.has(seat.0)) {
        let lies = |why: &str| format!("the hand of seat {} is open now{why}", seat.0);
        let mut events = told.events_of("open").filter(|event| event["seat"] == seat.0);
        let event = events.next().ok_or_else(|| lies(", but its cards are missing"))?;
        let cards: Cards = field(event, "cards")?;
        let lacked = cards.and(is.play.lacks[seat.index()]);
        ensure!(lacked.is_empty(), "{}", lies(&format!(", but it cannot have {lacked}")));
        let (number, held) = (cards.len(), is.held(seat));
        ensure!(number == held, "{}", lies(&format!(": that is {held} cards, not {number}")));
        is.shown[seat.index()] = cards;
    }
    for (whose, name) in [(BIDDER, "bidder"), (PARTNER, "partner")] {
        let by_itself = is.rules.roem_claims == RoemClaims::Auto && was.turn != me;
        if is.roem[whose] == was.roem[whose] || !by_itself {
            continue;
        }
        let event = told.events_of("roem").next();
        let event = event.ok_or_else(|| format!("the roem of the {name} is due, but missing"))?;
        let points: u16 = field(event, "points")?;
        let right = points <= roem::MOST && points.is_multiple_of(10);
        ensure!(right, "no hand has roem of {points}");
        is.roem[whose] = Some(points);
    }
    Ok(())
}
