//! Foresight for the exact search: the outcome of a contract is certain once all hands are open.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Foresee, Foresight, Key, Play};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::Draw;

use super::deck::{Card, Cards, Suit};
use super::state::{PublicState, Round, Stage, View};

impl Foresee for Round {
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

    /// The rewards for a made and for a lost contract, lower one first.
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

    /// Returns a key between two tricks: for each suit, the holders of the remaining cards, from the highest
    /// card down. Only the order of cards counts: positions with the same order have the same value, whatever
    /// the ranks.
    fn key(&self) -> Option<Key> {
        let PublicState { play, .. } = &self.table;
        if play.in_trick() != 0 {
            return None;
        }
        let (trump, left) = (self.table.trump(), self.left());
        let holder = |cards: Cards| self.own.iter().position(|own| own.hand.meets(cards));
        let mut key = [0; 5];
        for suit in Suit::ALL {
            let held = suit.descending(trump).filter_map(|card| holder(Cards::one(card).and(left)));
            // A leading 1 bit marks the number of cards.
            key[suit as usize] = held.fold(1, |all, seat| all << 2 | seat as u64);
        }
        // `refused` matters only for the holder of the trump jack.
        let spared = holder(self.odd_jack()).map_or(0, |seat| 1 + u64::from(play.refused[seat]));
        let lost = self.table.bidder().is_some_and(|bidder| play.won[bidder.index()] > 0);
        key[4] = spared << 3 | u64::from(lost) << 2 | u64::from(play.leader().0);
        Some(key)
    }

    /// Keeps one of several equivalent cards: those of a suit that are adjacent among the remaining cards. If
    /// the contract is already lost, keeps only one card.
    fn thin(&self, legal: &mut [u64]) {
        let Some(bidder) = self.table.bidder() else { return };
        let cards = Cards(legal[0]).and(Cards::ALL);
        if cards.len() < 2 {
            return;
        }
        if self.table.play.won[bidder.index()] > 0 {
            legal[0] = cards.first().map_or(legal[0], |card| Cards::one(card).0);
            return;
        }
        let (trump, left) = (self.table.trump(), self.left());
        let own = self.own[self.table.turn.index()].hand.minus(self.odd_jack());
        let next = |card: Card| {
            let above = left.and(card.above(trump));
            match trump.is(card.suit()) {
                true => above.iter().find(|next| next.above(trump).and(left).len() + 1 == above.len()),
                false => above.first(),
            }
        };
        let has_next = |card| own.has(card) && next(card).is_some_and(|next| own.has(next));
        let kept: Cards = cards.iter().filter(|&card| !has_next(card)).collect();
        legal[0] = kept.0;
    }
}

impl Round {
    fn all() -> Positions {
        Positions::first(super::rules::PLAYERS)
    }

    /// Returns the cards in all hands and in the current trick.
    fn left(&self) -> Cards {
        self.own.iter().fold(self.table.play.on_table(), |all, own| all.or(own.hand))
    }

    /// Returns the trump jack if the rules may exempt it from following or trumping, because then it is not
    /// equivalent to its neighbors.
    fn odd_jack(&self) -> Cards {
        let rules = &self.table.rules;
        match rules.jack_exempt_count > 0 || rules.jack_exempt_ruff {
            true => self.table.trump().jack(),
            false => Cards::NONE,
        }
    }
}
