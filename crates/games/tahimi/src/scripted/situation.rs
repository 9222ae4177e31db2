//! A view as the input of the scripted player that both climbing games share.

use cardsharp_climbing::scripted::{Lone, Situation};

use super::weights;
use crate::deck::{Cards, NATURALS, RANKS};
use crate::state::View;
use crate::variant::{Jokers, Variant};

/// The rank of a set of jokers only.
pub fn lone(variant: &Variant) -> Lone {
    if variant.jokers == Jokers::Wild { Lone::Any } else { Lone::Lowest }
}

/// For each rank index, the share of the ranks in the deck that are better.
pub fn places(deck: &Cards) -> [f32; RANKS] {
    let mut places = [0.0; RANKS];
    let mut better = 0.0f32;
    for (place, &copies) in places.iter_mut().zip(&deck.0[..NATURALS]) {
        *place = better;
        better += if copies == 0 { 0.0 } else { 1.0 };
    }
    places.iter_mut().for_each(|place| *place /= better.max(1.0));
    places
}

/// The viewer's situation, with the fitted weights.
pub fn situation<'v>(view: View<'v>, places: &'v [f32; RANKS]) -> Situation<'v, RANKS> {
    let table = view.table;
    Situation {
        hand: &view.own.hand,
        deck: &table.deck,
        memory: &table.memory,
        trick: &table.trick,
        position: table.position_of(view.seat),
        held: table.cards,
        places,
        lone: lone(&table.variant),
        customs: table.customs(),
        weights: weights::FITTED.at(table),
    }
}
