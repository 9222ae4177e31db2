//! What a seat sees, in the words of the player that both climbing games share.

use crate::games::climbing::scripted::{Lone, Situation, Weights};
use crate::games::dalmuti::deck::{JESTER, RANKS};
use crate::games::dalmuti::state::View;
use crate::ground::MAX_SEATS;

/// Jesters alone are rank 13.
pub const LONE: Lone = Lone::Lowest;

/// Each rank in twelfths, whatever is left out of the deck.
static PLACES: [f32; RANKS] = {
    let mut places = [0.0; RANKS];
    let mut rank = 0;
    while rank < RANKS {
        places[rank] = rank as f32 / JESTER as f32;
        rank += 1;
    }
    places
};

/// What the viewer sees, in the words of the shared player.
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
