//! The built-in rule-based player: a yardstick, deterministic and without memory of its own.
//!
//! It plays as [`crate::games::climbing::scripted`] says, with weights fitted to this game
//! ([`weights`]). Before the play it follows plain rules and the same idea of a good hand ([`opening`]).

mod opening;
#[cfg(test)]
mod tests;
mod weights;

use super::actions::{self, PASS};
use super::deck::{Cards, NATURALS, RANKS};
use super::table::{Ask, Stage};
use super::variant::{Jokers, Variant};
use super::{Round, View};
use crate::game::{Character, Scripted};
use crate::games::climbing::scripted::{self, Lone, Situation};
use crate::ground::ActionId;
use weights::Tables;

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, &weights::FITTED)
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        choose_by(view, weights::of(character))
    }
}

fn choose_by(view: View<'_>, tables: &'static Tables) -> ActionId {
    if view.table.stage == Stage::Play {
        return play(view, tables);
    }
    match view.own.ask {
        Ask::Decree => opening::decree(view),
        Ask::TaxJokers => opening::tax_jokers(view),
        Ask::Return => opening::give(view),
        Ask::Nothing => ActionId::default(),
    }
}

fn play(view: View<'_>, tables: &'static Tables) -> ActionId {
    let pass = PASS.nth(0);
    if !scripted::can_play(&view.own.hand, &view.table.trick, lone(&view.table.variant)) {
        return pass;
    }
    let places = places(&view.table.deck);
    scripted::play(&Situation { weights: tables.at(view.table), ..situation(view, &places) })
        .map_or(pass, actions::play)
}

/// What jokers alone are.
fn lone(variant: &Variant) -> Lone {
    if variant.jokers == Jokers::Wild { Lone::Any } else { Lone::Lowest }
}

/// Of each rank, the share of the ranks in the deck that are better.
fn places(deck: &Cards) -> [f32; RANKS] {
    let mut places = [0.0; RANKS];
    let mut better = 0.0f32;
    for (place, &copies) in places.iter_mut().zip(&deck.0[..NATURALS]) {
        *place = better;
        better += if copies == 0 { 0.0 } else { 1.0 };
    }
    places.iter_mut().for_each(|place| *place /= better.max(1.0));
    places
}

/// What the viewer sees, in the words of the shared player.
fn situation<'v>(view: View<'v>, places: &'v [f32; RANKS]) -> Situation<'v, RANKS> {
    let table = view.table;
    Situation {
        hand: &view.own.hand,
        deck: &table.deck,
        memory: &table.memory,
        trick: &table.trick,
        position: table.position[view.seat.index()],
        held: table.cards,
        places,
        lone: lone(&table.variant),
        customs: table.customs(),
        weights: weights::FITTED.at(table),
    }
}
