//! Exact knowledge in the endgame: how the hand ends with two players left.

use cardsharp_climbing::certain;
use cardsharp_engine::Seat;
use cardsharp_engine::game::{Certain, Foresight, Key, Play};
use cardsharp_engine::rng::Draw;

use super::state::{Round, View};
use super::table::Stage;

impl Certain for Round {
    fn foresight(view: View<'_>) -> Foresight {
        match view.table.stage {
            Stage::Play => certain::foresight(&view.table.trick, view.table.position[view.seat.index()]),
            _ => Foresight::Nothing,
        }
    }

    fn stakes(&self, seat: Seat) -> [f32; 2] {
        let mut standing = Self::seating(&self.table.rules, &mut Draw::new(0, 0));
        certain::stakes(&self.table.trick, |trick| {
            let mut ended = *self;
            ended.table.trick = trick;
            ended.settle(&mut standing).reward[seat.index()]
        })
    }

    fn key(&self) -> Option<Key> {
        Some(certain::key(&self.table.trick, |position| self.own[position].hand))
    }
}
