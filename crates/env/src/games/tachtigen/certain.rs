//! What is certain: how a contract ends once all hands lie open.

use super::table::{Round, Stage, View};
use crate::game::{Certain, Foresight, Key, Play};
use crate::ground::Seat;
use crate::ground::hands::Positions;
use crate::ground::rng::Draw;

impl Certain for Round {
    fn foresight(view: View<'_>) -> Foresight {
        let others = Self::all().without(view.seat.0);
        match view.table.stage {
            Stage::Play if others.is_within(view.table.open) => Foresight::Round,
            _ => Foresight::Nothing,
        }
    }

    fn side(&self, seat: Seat) -> Positions {
        let alone = self.table.bidder().unwrap_or(seat);
        let bidder = Positions(0).with(alone.0, true);
        if seat == alone { bidder } else { Self::all().without(alone.0) }
    }

    /// That of a contract that is made, and of one that is not.
    fn stakes(&self, seat: Seat) -> [f32; 2] {
        let mut standing = Self::seating(&self.table.rules, &mut Draw::new(0, 0));
        let Some(bidder) = self.table.bidder() else { return [f32::NEG_INFINITY, f32::INFINITY] };
        let mut reward = |won: u8| {
            let mut ended = *self;
            ended.table.stage = Stage::Over;
            ended.table.play.won[bidder.index()] = won;
            ended.settle(&mut standing).reward[seat.index()]
        };
        let (lost, made) = (reward(1), reward(0));
        [lost.min(made), lost.max(made)]
    }

    fn key(&self) -> Key {
        let play = &self.table.play;
        let trick = (play.cards.len() & !3..play.cards.len()).filter_map(|place| play.cards.get(place));
        let cards = trick.fold(0, |all, card| all << 8 | card.number() as u64);
        let counts = play.won.iter().chain(&play.refused).fold(0, |all, &count| all << 4 | u64::from(count));
        let seats =
            u64::from(self.table.turn.0) << 16 | u64::from(play.leader().0) << 8 | play.in_trick() as u64;
        [play.gone().0, cards, counts, seats << 16 | u64::from(play.lone.0), 0]
    }
}

impl Round {
    fn all() -> Positions {
        Positions::first(super::rules::PLAYERS)
    }
}
