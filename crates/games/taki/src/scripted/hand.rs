//! A rough estimate of how many turns a hand needs.

use crate::deck::{self, BREAKER, CHANGE, Cards, Color, KING, PLUS3, SUPER, Symbol};
use crate::rules::{Mode, PlusLast, TwoPlayerDirection};
use crate::table::Table;

/// Cost of an empty hand, which wins the game.
const WON: f32 = -50.0;
/// Cost of an empty hand in an earlier stage of a tournament.
const STAGE_DONE: f32 = -4.0;

/// Estimates how many turns the viewer needs for these cards if they must match `color` or `symbol` next.
/// Only differences are meaningful.
pub(super) fn cost(table: &Table, hand: &Cards, color: Color, symbol: Option<Symbol>) -> f32 {
    let n = hand.total();
    if n == 0 {
        return if table.rules.mode == Mode::Single { WON } else { STAGE_DONE };
    }
    let mut turns = n as f32;
    let mut colors = 0;
    let mut best_run = 0;
    for color in Color::ALL {
        let held = hand.among(color.faces());
        colors += u32::from(held > 0);
        if hand.has(deck::colored(color, Symbol::Taki)) {
            turns -= 0.85 * held.saturating_sub(1) as f32;
        } else {
            best_run = best_run.max(held);
        }
    }
    if hand.has(SUPER) {
        turns -= 0.75 * best_run as f32;
    }
    turns += 0.2 * colors.saturating_sub(1) as f32;
    turns += alone(table, hand, n);

    let two = table.players() == 2;
    let each = |card, worth: f32| worth * f32::from(hand.count(card));
    let all = |symbol: Symbol, worth: f32| worth * hand.among(symbol.faces()) as f32;
    turns += each(KING, -2.25) + each(CHANGE, -0.35) + each(SUPER, -0.3) + each(PLUS3, -0.3);
    turns += each(BREAKER, 0.1);
    turns += all(Symbol::Plus, if n > 1 { -0.4 } else { 0.0 });
    turns += all(Symbol::Stop, if two { -0.7 } else { -0.1 });
    turns += all(Symbol::Plus2, -0.15);
    if two && table.rules.two_player_direction == TwoPlayerDirection::ActsAsStop {
        turns += all(Symbol::Direction, -0.7);
    }
    let wild = deck::bit(KING) | deck::bit(CHANGE) | deck::bit(SUPER) | deck::bit(PLUS3);
    let fits = color.faces() | symbol.map_or(0, Symbol::faces) | wild;
    turns + if hand.once & fits == 0 { 0.5 } else { 0.0 }
}

/// Returns the extra cost of a hand with one card; 0 for larger hands.
fn alone(table: &Table, hand: &Cards, n: u32) -> f32 {
    if n > 1 {
        return 0.0;
    }
    let plus = hand.among(Symbol::Plus.faces()) > 0 && table.rules.plus_last == PlusLast::MustDraw;
    match () {
        () if hand.has(BREAKER) => 2.5,
        () if plus => 1.0,
        () if hand.once < deck::bit(deck::COLORED) => 0.0,
        () => -0.4,
    }
}
