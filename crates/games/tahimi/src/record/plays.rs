//! Plays of the other players: reconstructs their hidden hands so that they contain the cards played.

use cardsharp_climbing::Set;
use cardsharp_climbing::record::{Lack, Unseen};
use cardsharp_engine::Seat;
use cardsharp_engine::game::{Label, Play as _, Shadow, Told, Turn};
use cardsharp_engine::hands::Positions;

use crate::deck::{Cards, JOKER};
use crate::moves::Move;
use crate::redeal::{self, Besides};
use crate::state::Round;

/// Applies the next move of the play.
///
/// # Errors
/// No consistent round has this move.
pub(super) fn follow(shadow: &mut Shadow<Round>, told: &Told<'_>) -> Result<(), String> {
    let Some((seat, action)) = told.choice else { return Ok(()) };
    let action = action.ok_or("every play is public: expected its `choice`")?;
    if seat != shadow.seat
        && shadow.round.turn() == Turn::Decide(seat)
        && let Some(Move::Play(set)) = Move::of(action)
    {
        let impossible = |problem: String| {
            let label = Label::<Round>::at(shadow.round.table(), action);
            format!("seat {} cannot hold `{label}`: {problem}", seat.0)
        };
        shadow.round = holding(&shadow.round, shadow.seat, seat, &cards(set.set())).map_err(impossible)?;
    }
    shadow.play(seat, action)
}

fn cards(set: Set) -> Cards {
    let mut cards = Cards::NONE;
    cards.0[usize::from(set.rank)] = set.naturals;
    cards.0[JOKER] = set.wilds;
    cards
}

/// A round in which `holder` has these cards, consistent with everything that `viewer` knows.
fn holding(round: &Round, viewer: Seat, holder: Seat, cards: &Cards) -> Result<Round, String> {
    if round.own(holder).hand.contains(cards) {
        return Ok(*round);
    }
    let table = &round.table;
    let position = table.position_of(holder);
    let sees = round.present().has(viewer.0);
    let mut hidden = Positions::first(table.players);
    if sees {
        hidden = hidden.without(table.position_of(viewer));
    }
    let mut unseen = Unseen { hands: round.own.map(|own| own.hand), hidden };
    let words = |lack: Lack| lack.words(|rank| table.ladder().name(rank));
    unseen.hold(position, cards, |_| false).map_err(words)?;
    if !sees {
        let mut round = *round;
        round.own.iter_mut().zip(unseen.hands).for_each(|(own, hand)| own.hand = hand);
        return Ok(round);
    }
    let besides = Besides { holds: Some((position, *cards)), ..Besides::default() };
    let found = redeal::knowing(round.view(viewer), besides, round.rng);
    found.ok_or_else(|| "it contradicts the taxes".to_owned())
}
