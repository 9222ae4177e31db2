//! Foresight for the exact search: within its own turn, a seat can predict everything that its cards do.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Certain, Foresight, Key, Play as _, Turn, View};

use super::deck::{self, Cards};
use super::ending;
use super::rules::Plus3Last;
use super::state::Round;
use super::table::{End, Stage};

impl Certain for Round {
    fn foresight(_: View<'_, Self>) -> Foresight {
        Foresight::OwnTurn
    }

    /// Returns false if `seat` drew cards, laid a +3 that others may answer, or declined to answer one. Then
    /// the result depends on cards that the seat does not see.
    fn is_foreseen(&self, before: &Self, seat: Seat) -> bool {
        let (hand, held) = (&self.own[seat.index()].hand, &before.own[seat.index()].hand);
        let laid = before.table.discards != self.table.discards;
        let at_once = self.table.rules.plus3_last == Plus3Last::WinsAtOnce
            && self.table.stage == Stage::Over(End::Won(seat));
        let answered = laid && self.table.top == deck::PLUS3 && !at_once;
        let passed = !laid && before.table.stage == Stage::Window;
        let size = |round: &Self| round.table.sizes[seat.index()];
        let drew = size(self) + u8::from(laid) != size(before) || hand.without(held) != Cards::NONE;
        !answered && !passed && !drew
    }

    /// The upper bound is the reward for winning. There is no lower bound.
    fn stakes(&self, seat: Seat) -> [f32; 2] {
        let mut won = *self;
        won.table.stage = Stage::Over(End::Won(seat));
        let mut standing = ending::FRESH;
        [f32::NEG_INFINITY, ending::settle(&won, &mut standing).reward[seat.index()]]
    }

    fn key(&self) -> Option<Key> {
        let table = &self.table;
        // The seat that decides may differ from `table.turn`.
        let Turn::Decide(seat) = self.turn() else { return None };
        let hand = &self.own[seat.index()].hand;
        let stage = match table.stage {
            Stage::Turn => 0,
            Stage::Run => 1,
            Stage::Free => 2,
            Stage::Owe => 3,
            Stage::Window => 4,
            Stage::LastCard { .. } => 5,
            Stage::Catch { .. } => 6,
            Stage::Over(_) => 7,
        };
        let symbol = table.symbol.map_or(0xFF, |symbol| symbol as u8);
        let bytes =
            [stage, table.color as u8, symbol, table.top, u8::from(table.open), table.direction as u8];
        let packed = bytes.into_iter().fold(0, |all, byte| all << 8 | u64::from(byte));
        let rest = u64::from(table.debt) << 32 | u64::from(table.decisions);
        let remained = u64::from(table.remained.map_or(0xFF, |cards| cards));
        let seats = u64::from(table.turn.0) << 8 | u64::from(seat.0);
        Some([hand.once, hand.twice, packed, rest, remained << 16 | seats])
    }
}
