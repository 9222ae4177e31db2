//! The scripted player. It lays expensive cards, prefers those that leave fitting cards in hand, and saves eights
//! until nothing else fits or another player has few cards left.

use cardsharp_env::game::Scripted;
use cardsharp_env::{ActionId, Actions as _, Character, mask};

use crate::actions::Move;
use crate::cards::{Cards, Face, Rank, Suit};
use crate::state::PublicState;
use crate::{Round, View};

/// The weights of the scripted player, in hundredths of a point.
#[derive(Copy, Clone, Debug)]
struct Weights {
    /// For each point that the card costs at the end.
    cost: i32,
    /// For each remaining card that could be laid on it.
    follows: i32,
    /// Penalty for an eight while all other players hold more than `near` cards.
    keep_eight: i32,
    /// For a two or a queen with special cards, if the next player is near the end.
    stop: i32,
    /// The number of cards at which a player is near the end.
    near: u8,
}

const YARDSTICK: Weights = Weights { cost: 100, follows: 300, keep_eight: 6000, stop: 1500, near: 2 };

/// Returns the weights of a character.
const fn weights(character: Character) -> Weights {
    match character {
        // Gets rid of expensive cards, eights first.
        Character::Cautious => Weights { cost: 200, keep_eight: 2000, near: 4, ..YARDSTICK },
        // Saves eights to the end, and stops other players whenever it can.
        Character::Aggressive => Weights { keep_eight: 12_000, stop: 4000, near: 1, ..YARDSTICK },
    }
}

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        best(view, &YARDSTICK)
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        best(view, &weights(character))
    }
}

fn best(view: View<'_>, weights: &Weights) -> ActionId {
    let legal = Round::legal(view);
    let moves = mask::actions(&legal.0).filter_map(Move::of);
    moves.max_by_key(|&what| worth(view, weights, what)).map_or(ActionId(0), Move::id)
}

/// Rates a legal move. Laying any card is better than drawing or passing.
fn worth(view: View<'_>, weights: &Weights, what: Move) -> i32 {
    match what {
        Move::Lay(face) => lay(view, weights, face),
        Move::Name(suit) => name(view, suit),
        Move::Draw | Move::Pass => i32::MIN,
    }
}

fn lay(view: View<'_>, weights: &Weights, face: Face) -> i32 {
    let (table, mut rest) = (view.table, view.own.hand);
    rest.remove(rest.card(face));
    let cost = table.rules.cost(face) * weights.cost;
    if face.rank() == Rank::EIGHT {
        let keep = if nearest_end(view) > weights.near && !rest.is_empty() { weights.keep_eight } else { 0 };
        return cost - keep;
    }
    cost + follows(rest, face) * weights.follows + stops(table, weights, face)
}

/// The smallest number of cards that another player holds.
fn nearest_end(view: View<'_>) -> u8 {
    let players = 0..usize::from(view.table.rules.players);
    let others = players.filter(|&seat| seat != view.seat.index());
    others.map(|seat| view.table.sizes[seat]).min().unwrap_or(0)
}

/// The number of these cards that could be laid on this one.
fn follows(cards: Cards, face: Face) -> i32 {
    let fits = face.suit().faces() | face.rank().faces();
    ((cards.faces() & fits).count_ones() + (cards.twice() & fits).count_ones()) as i32
}

/// The bonus for keeping the next player from playing.
fn stops(table: &PublicState, weights: &Weights, face: Face) -> i32 {
    let next = table.after(table.turn, 1);
    let acts = table.rules.use_special_cards && matches!(face.rank(), Rank::TWO | Rank::QUEEN);
    if acts && table.sizes[next.index()] <= weights.near + 1 { weights.stop } else { 0 }
}

/// Rates a suit to name: many and expensive cards of it in hand are better.
fn name(view: View<'_>, suit: Suit) -> i32 {
    let of_suit = view.own.hand.iter().map(|card| card.face());
    of_suit
        .filter(|face| face.suit() == suit && face.rank() != Rank::EIGHT)
        .map(|face| 30 + view.table.rules.cost(face))
        .sum()
}
