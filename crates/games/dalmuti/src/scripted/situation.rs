//! A view as the input of the scripted player that both climbing games share.

use cardsharp_climbing::scripted::{Lone, Situation, Weights};
use cardsharp_engine::MAX_SEATS;

use crate::deck::{JESTER, RANKS};
use crate::state::View;

/// Jesters alone are rank 13.
pub const LONE: Lone = Lone::Lowest;

/// The place of each rank index, in twelfths. It does not depend on stripped ranks.
static PLACES: [f32; RANKS] = {
    let mut places = [0.0; RANKS];
    let mut rank = 0;
    while rank < RANKS {
        places[rank] = rank as f32 / JESTER as f32;
        rank += 1;
    }
    places
};

/// The viewer's situation, with these weights.
pub fn situation<'v>(view: View<'v>, weights: &'static Weights) -> Situation<'v, RANKS> {
    let table = view.table;
    let mut held = [0; MAX_SEATS];
    for position in table.trick.still_in.iter() {
        held[usize::from(position)] = table.held(position);
    }
    Situation {
        hand: &view.own.hand,
        deck: &table.deck,
        memory: &table.memory,
        trick: &table.trick,
        position: table.position[view.seat.index()],
        held,
        places: &PLACES,
        lone: LONE,
        customs: table.customs(),
        weights,
    }
}
