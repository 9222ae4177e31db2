//! The scripted player: a deterministic baseline without memory between moves.
//!
//! It plays as [`cardsharp_climbing::scripted`] describes, with weights fitted to this game ([`weights`]). Before
//! the play it uses simple rules and the same value of a hand ([`opening`]).

mod opening;
mod situation;
#[cfg(test)]
mod tests;
mod weights;

use cardsharp_climbing::scripted::{self, Situation};
use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Character, Scripted};
use situation::{lone, places, situation};
use weights::Tables;

use super::moves::{DeckSet, Move};
use super::state::{Round, View};
use super::table::{Ask, Stage};

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, &weights::FITTED)
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        choose_by(view, weights::of(character))
    }
}

fn choose_by(view: View<'_>, tables: &'static Tables) -> ActionId {
    let chosen = match (view.table.stage, view.own.ask) {
        (Stage::Play, _) => play(view, tables),
        (_, Ask::Decree) => opening::decree(view),
        (_, Ask::TaxJokers) => opening::tax_jokers(view),
        (_, Ask::Return) => opening::give(view),
        (_, Ask::Nothing) => return ActionId::default(),
    };
    chosen.id()
}

fn play(view: View<'_>, tables: &'static Tables) -> Move {
    let table = view.table;
    if !scripted::can_play(&view.own.hand, &table.trick, lone(&table.variant), table.customs()) {
        return Move::Pass;
    }
    let places = places(&table.deck);
    let best = scripted::play(&Situation { weights: tables.at(table), ..situation(view, &places) });
    best.map_or(Move::Pass, |set| Move::Play(DeckSet::held(set)))
}
