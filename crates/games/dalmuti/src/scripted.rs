//! The scripted player: a deterministic baseline without memory between moves.
//!
//! It plays as [`cardsharp_climbing::scripted`] describes, with weights fitted to this game ([`weights`]). Before
//! the play it uses simple rules and the same value of a hand ([`opening`]).

mod opening;
mod situation;
#[cfg(test)]
mod tests;
mod weights;

use cardsharp_climbing::scripted::{self, Weights};
use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Character, Scripted};
use situation::{LONE, situation};

use super::moves::{DeckSet, Move};
use super::state::{Round, View};
use super::table::{Ask, Stage};

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, &weights::WEIGHTS)
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        choose_by(view, weights::of(character))
    }
}

fn choose_by(view: View<'_>, weights: &'static Weights) -> ActionId {
    let chosen = match (view.table.stage, view.own.ask) {
        (Stage::Play, _) => play(view, weights),
        (_, Ask::Misdeal) => opening::misdeal(view),
        (_, Ask::Revolution) => opening::revolution(view),
        (_, Ask::Offer) => opening::offer(),
        (_, Ask::Tax | Ask::Exchange) => opening::give(view),
        (_, Ask::Nothing) => return ActionId::default(),
    };
    chosen.id()
}

fn play(view: View<'_>, weights: &'static Weights) -> Move {
    if !scripted::can_play(&view.own.hand, &view.table.trick, LONE, view.table.customs()) {
        return Move::Pass;
    }
    let best = scripted::play(&situation(view, weights));
    best.map_or(Move::Pass, |set| Move::Play(DeckSet::held(set)))
}
