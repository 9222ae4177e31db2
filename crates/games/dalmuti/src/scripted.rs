//! The scripted player: a deterministic baseline without memory between moves.
//!
//! It plays as [`cardsharp_climbing::scripted`] describes, with weights fitted to this game ([`weights`]). Before
//! the play it uses simple rules and the same value of a hand ([`give`]).

#[cfg(test)]
mod tests;
mod weights;

use cardsharp_climbing::scripted::{self, ScriptedWeights, Situation, Tempo, WildRank};
use cardsharp_engine::game::{Character, Scripted};
use cardsharp_engine::{ActionId, MAX_SEATS};

use super::actions::{DeckSet, Merchant, Move};
use super::deck::{Cards, JESTER, RANKS};
use super::state::{Ask, Round, Stage, View};
use weights::WEIGHTS;

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, &WEIGHTS)
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        choose_by(view, weights::of(character))
    }
}

fn choose_by(view: View<'_>, weights: &'static ScriptedWeights) -> ActionId {
    let chosen = match (view.table.stage, view.own.ask) {
        (Stage::Play, _) => play(view, weights),
        (_, Ask::Misdeal) => misdeal(view),
        (_, Ask::Revolution) => revolution(view),
        (_, Ask::Offer) => offer(),
        (_, Ask::Tax | Ask::Exchange) => give(view),
        (_, Ask::Nothing) => return ActionId::default(),
    };
    chosen.id()
}

fn play(view: View<'_>, weights: &'static ScriptedWeights) -> Move {
    if !scripted::can_play(&view.own.hand, &view.table.trick, LONE, view.table.trick_rules()) {
        return Move::Pass;
    }
    let best = scripted::play(&situation(view, weights));
    best.map_or(Move::Pass, |set| Move::Play(DeckSet::held(set)))
}

// A view as the input of the scripted player that both climbing games share.

/// Jesters alone are rank 13.
const LONE: WildRank = WildRank::Lowest;

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
fn situation<'v>(view: View<'v>, weights: &'static ScriptedWeights) -> Situation<'v, RANKS> {
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
        trick_rules: table.trick_rules(),
        weights,
    }
}

// Decisions before the play: misdeals, revolutions, taxes, exchanges.

/// The worst rank index that counts as a good card: a Knight.
///
/// 21 of the 80 cards are at least as good. So the two best of a hand of twelve to sixteen cards, the Greater Peon's
/// tribute, usually are.
const GOOD: u8 = 5;

/// Decides who gets the exposed card. The Greater Dalmuti keeps their own good card or Jester. Another player's good
/// card goes to the Greater Peon, whose best cards the Greater Dalmuti gets as taxes.
fn misdeal(view: View<'_>) -> Move {
    let to_peon = view.table.exposed.is_some_and(|exposed| {
        let good = exposed.rank <= GOOD;
        let jester = usize::from(exposed.rank) == JESTER;
        if exposed.receiver == view.seat { !good && !jester } else { good && view.table.taxes() }
    });
    if to_peon { Move::MisdealToPeon } else { Move::KeepMisdeal }
}

/// Calls a revolution unless the player receives taxes. Peons keep their best cards, and Merchants avoid taxes that
/// only improve the Dalmutis' hands.
///
/// The choice is too rare to measure: declining is worth −0.002 ± 0.003 at eight players.
fn revolution(view: View<'_>) -> Move {
    let receives_taxes = view.table.position[view.seat.index()] < 2;
    if receives_taxes { Move::DeclineRevolution } else { Move::CallRevolution }
}

/// Always offers an exchange: a single low card goes, and a card that is no worse comes and may join a set.
///
/// Gain in place score against the same player without exchanges (eight players, ten-hand sessions, 300 deals, seed
/// 41): +0.036 ± 0.010 if both choose, +0.050 ± 0.011 if the other card is drawn. The partner makes no difference
/// before the hands are known.
fn offer() -> Move {
    Move::Exchange(Merchant::NEXT)
}

/// The card whose loss leaves the best hand. The Greater Dalmuti considers both cards together.
///
/// Worth +0.094 ± 0.017 over giving the worst cards (five players, 20-hand sessions, 300 deals, seed 41).
fn give(view: View<'_>) -> Move {
    let mut cards = view.own.hand;
    cards.remove(&view.own.given);
    let first_lead = view.table.position[view.seat.index()] == 0;
    let tempo = if first_lead { Tempo { lead: 1.0 } } else { Tempo::FOLLOWING };
    let more = if first_lead && view.own.given == Cards::NONE { 2 } else { 1 };
    Move::Give(scripted::give(&situation(view, &WEIGHTS), &cards, more, tempo))
}
