//! The effect of cards on the other players, in units of one's own turns.

use cardsharp_engine::Seat;

use crate::View;
use crate::deck::{BREAKER, Color, Symbol};
use crate::rules::{Mode, TwoPlayerDirection};
use crate::table::{Table, unseen};

/// How urgent it is to slow down the neighbors of the viewer.
pub(super) struct Effects {
    /// How close the next player is to winning.
    pub(super) next: f32,
    /// How close the previous player is to winning.
    before: f32,
    /// Value of a +3.
    pub(super) plus3: f32,
    /// How much each color hinders the next player.
    colors: [f32; 4],
    two: bool,
    turns_again: bool,
}

/// Returns how close a player is to winning; higher is closer.
fn near(table: &Table, seat: Seat) -> f32 {
    let near = match table.sizes[seat.index()] {
        0 | 1 => 3.0,
        2 => 1.2,
        3 => 0.6,
        4 => 0.3,
        _ => 0.1,
    };
    // Earlier stages of a tournament matter less.
    match (table.rules.mode, table.stages[seat.index()]) {
        (Mode::Single, _) | (_, 1) => near,
        (_, 2) => 0.6 * near,
        _ => 0.35 * near,
    }
}

impl Effects {
    pub(super) fn of(view: View<'_>) -> Self {
        let table = view.table;
        let others = table.players() - 1;
        let next = table.after(view.seat, 1);
        let (mut held, mut gain) = (0, 1.6);
        for steps in 1..=others {
            let seat = table.after(view.seat, steps);
            gain += 0.3 * near(table, seat);
            held += u32::from(table.sizes[seat.index()]);
        }
        // Expected number of Breakers in the other hands, at most 1.
        let unknown = unseen(table, view.own);
        let breakers = u32::from(unknown.count(BREAKER)) * held;
        let broken = (breakers as f32 / unknown.total().max(1) as f32).min(1.0);
        let plus3 = gain - broken * (gain + 3.0);
        let proofs = &table.proofs[next.index()];
        let threat = near(table, next);
        let lack = |color: Color| {
            let most = proofs.iter().filter(|proof| proof.faces & color.faces() == color.faces());
            match most.map(|proof| proof.at_most).min() {
                Some(0) => 0.15 + 0.5 * threat,
                Some(1) => 0.08 + 0.3 * threat,
                _ => 0.0,
            }
        };
        Self {
            next: threat,
            before: near(table, table.after(view.seat, others)),
            plus3,
            colors: Color::ALL.map(lack),
            two: table.players() == 2,
            turns_again: table.rules.two_player_direction == TwoPlayerDirection::ActsAsStop,
        }
    }

    /// Returns the value of a colored card's action, for its effect on others or for another turn.
    pub(super) fn of_symbol(&self, symbol: Symbol) -> f32 {
        match symbol {
            symbol if self.again(symbol) => 0.95,
            Symbol::Stop => 0.1 + 0.7 * self.next,
            Symbol::Plus2 if self.two => 1.5 + self.next,
            Symbol::Plus2 => 0.5 + 0.9 * self.next,
            Symbol::Direction if !self.two => 0.4 * (self.next - self.before),
            _ => 0.0,
        }
    }

    /// Returns whether the same player moves again after this card.
    pub(super) fn again(&self, symbol: Symbol) -> bool {
        self.two && (symbol == Symbol::Stop || symbol == Symbol::Direction && self.turns_again)
    }

    /// Returns how much a color hinders the next player.
    pub(super) fn color(&self, color: Color) -> f32 {
        self.colors[color as usize]
    }
}
