//! Taxes and exchanges in an event log of a seat that sees only its own.

use cardsharp_climbing::record::cards_told;
use cardsharp_climbing::redeal::worst;
use cardsharp_engine::game::{Actions, Play, Shadow, Told};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::{ActionId, Seat};
use serde_json::{Value, json};

use super::{hold, words};
use crate::Round;
use crate::deck::{Cards, JESTER, from_text, to_text};
use crate::moves::Move;
use crate::table::{Ask, PROPOSER, Stage, pairs};
use crate::tax;

/// Whether this action ends the taxes, so that cards move and the play begins.
pub(super) fn ends(round: &Round, action: ActionId) -> bool {
    let mut after = *round;
    after.play(action);
    round.table.stage == Stage::Taxes && after.table.stage == Stage::Play
}

/// Applies a pick of a card to give, or the decision to exchange none.
pub(super) fn choose(
    shadow: &mut Shadow<Round>,
    seat: Seat,
    action: ActionId,
    told: &Told<'_>,
) -> Result<(), String> {
    let round = &shadow.round;
    if !Round::legal(round.view(seat)).contains(action) || !ends(round, action) {
        return shadow.play(seat, action);
    }
    let mut right = *round;
    if seat == shadow.seat
        && let Some(Move::Give(rank)) = Move::of(action)
    {
        right.own[usize::from(right.asking)].given.0[rank.get()] += 1;
    }
    right.own[usize::from(right.asking)].ask = Ask::Nothing;
    arrange(&mut right, shadow.seat, told)?;
    tax::finish(&mut right);
    shadow.play_and(seat, action, |round| *round = right)
}

/// Arranges the hidden cards before all cards move. The seat's partner gives the cards that the event log says; other
/// givers give arbitrary cards.
fn arrange(round: &mut Round, viewer: Seat, told: &Told<'_>) -> Result<(), String> {
    tributes_told(round, viewer, told)?;
    let me = round.table.position[viewer.index()];
    let merchants = round.table.exchange.map(|target| (PROPOSER, target));
    let mut gift = None;
    if let Some(partner) = round.own[usize::from(me)].partner
        && let Some(event) = ["return", "exchange"].iter().find_map(|kind| moved(told, kind, "to", viewer))
    {
        let cards = gift_told(event, due(round, partner))?;
        hold(round, viewer, partner, &cards, |_| false).map_err(|lack| refused(event, &words(lack)))?;
        gift = Some((partner, cards));
    }
    // This card was drawn from the seat's own hand.
    if merchants.is_some_and(|(_, target)| target == me)
        && let own = &mut round.own[usize::from(me)]
        && own.given == Cards::NONE
        && let Some(event) = moved(told, "exchange", "from", viewer)
    {
        let cards = gift_told(event, 1)?;
        if !own.hand.contains(&cards) {
            return Err(refused(event, &format!("there is no {} in its hand", to_text(&cards))));
        }
        own.given = cards;
    }
    let has_chosen = round.own[usize::from(me)].given != Cards::NONE;
    let givers = [0, 1].into_iter().chain(merchants.into_iter().flat_map(|(a, b)| [a, b]));
    for position in givers.filter(|&position| position != me || !has_chosen) {
        let count = due(round, position);
        let own = &mut round.own[usize::from(position)];
        own.given = match gift {
            Some((partner, cards)) if partner == position => cards,
            _ => last(&own.hand, count),
        };
    }
    Ok(())
}

/// Number of cards that a position gives.
fn due(round: &Round, position: u8) -> u8 {
    pairs(round.table.players()).iter().find(|pair| pair.0 == position).map_or(1, |pair| pair.2)
}

/// The last `count` cards of a hand, in order of rank index.
fn last(hand: &Cards, count: u8) -> Cards {
    let mut cards = Cards::NONE;
    let held: Vec<usize> = hand.cards().collect();
    held.iter().rev().take(usize::from(count)).for_each(|&rank| cards.0[rank] += 1);
    cards
}

/// Arranges the hand of the viewer's payer, if there is a tribute in the event log. The payer gets these cards, and no
/// other card that is better than the worst of them.
pub(super) fn tributes_told(round: &mut Round, viewer: Seat, told: &Told<'_>) -> Result<(), String> {
    let me = round.table.position[viewer.index()];
    let pair = pairs(round.table.players()).into_iter().find(|pair| pair.0 == me);
    let (Some((_, peon, count)), Some(event)) = (pair, moved(told, "tribute", "to", viewer)) else {
        return Ok(());
    };
    let cards = gift_told(event, count)?;
    if cards.0[JESTER] > 0 {
        return Err(refused(event, "a Jester is never paid"));
    }
    let worst = worst(&cards, JESTER);
    hold(round, viewer, peon, &cards, |rank| rank < worst).map_err(|lack| refused(event, &words(lack)))
}

/// The event of cards that moved to or from a seat.
fn moved<'a>(told: &Told<'a>, kind: &str, direction: &str, seat: Seat) -> Option<&'a Value> {
    told.events_of(kind).find(|event| event[direction] == json!(seat))
}

fn gift_told(event: &Value, count: u8) -> Result<Cards, String> {
    let cards = cards_told(event, "cards", from_text)?;
    if cards.total() == u32::from(count) {
        Ok(cards)
    } else {
        Err(refused(event, &format!("{} cards, expected {count}", cards.total())))
    }
}

fn refused(event: &Value, problem: &str) -> String {
    format!("{} of {}: {problem}", event["event"].as_str().unwrap_or_default(), event["cards"])
}
