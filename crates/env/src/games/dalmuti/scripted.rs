//! The built-in rule-based player: a yardstick, deterministic and without memory of its own.
//!
//! It plays as [`crate::games::climbing::scripted`] says, with weights fitted to this game
//! ([`weights`]). Before the play it follows plain rules and the same idea of a good hand ([`opening`]).

mod opening;
#[cfg(test)]
mod tests;
mod weights;

use super::actions::{self, PASS};
use super::deck::{JESTER, RANKS};
use super::table::{Ask, CUSTOMS, Stage};
use super::{Round, View};
use crate::game::{Character, Scripted};
use crate::games::climbing::scripted::{self, Lone, Situation, Weights};
use crate::ground::{ActionId, MAX_SEATS};

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, &weights::WEIGHTS)
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        choose_by(view, weights::of(character))
    }
}

fn choose_by(view: View<'_>, weights: &'static Weights) -> ActionId {
    if view.table.stage == Stage::Play {
        return play(view, weights);
    }
    match view.own.ask {
        Ask::Misdeal => opening::misdeal(view),
        Ask::Revolution => opening::revolution(view),
        Ask::Offer => opening::offer(),
        Ask::Tax | Ask::Exchange => opening::give(view),
        Ask::Nothing => ActionId::default(),
    }
}

fn play(view: View<'_>, weights: &'static Weights) -> ActionId {
    let pass = PASS.nth(0);
    if !scripted::can_play(&view.own.hand, &view.table.trick, LONE) {
        return pass;
    }
    scripted::play(&situation(view, weights)).map_or(pass, actions::play)
}

/// Jesters alone are rank 13.
const LONE: Lone = Lone::Lowest;

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
fn situation<'v>(view: View<'v>, weights: &'static Weights) -> Situation<'v, RANKS> {
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
        customs: CUSTOMS,
        weights,
    }
}
