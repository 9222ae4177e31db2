//! Probabilities of hidden cards.

use cardsharp_engine::Seat;

use crate::deck::{Card, Cards};
use crate::seats::{ALL_SEATS, SEATS};
use crate::table::{Table, View};

/// What the viewer can infer about hidden cards.
pub(super) struct Odds<'v> {
    pub view: View<'v>,
    /// Cards the viewer has not seen.
    pub unseen: Cards,
}

impl<'v> Odds<'v> {
    pub fn new(view: View<'v>) -> Self {
        let aside = view.own.discard.map_or(Cards::NONE, Cards::one);
        let seen = view.own.hand.or(view.table.play.gone()).or(aside);
        Self { view, unseen: Cards::ALL.minus(seen) }
    }

    pub fn table(&self) -> &'v Table {
        self.view.table
    }

    /// Returns those of `cards` that `seat` may hold.
    pub fn possible(&self, seat: Seat, cards: Cards) -> Cards {
        if self.table().open.has(seat.0) {
            return self.table().shown[seat.index()].and(cards);
        }
        let open = self.table().shown.iter().fold(Cards::NONE, |all, hand| all.or(*hand));
        cards.and(self.unseen).minus(open).minus(self.table().play.lacks[seat.index()])
    }

    /// Probability that `seat` holds any of `cards`, if each unseen card is equally likely in all places.
    pub fn has_any(&self, seat: Seat, cards: Cards) -> f32 {
        let possible = self.possible(seat, cards).len();
        if possible == 0 {
            return 0.0;
        }
        if self.table().open.has(seat.0) {
            return 1.0;
        }
        let size = self.table().held(seat) as f32;
        let among = self.possible(seat, Cards::ALL).len() as f32;
        let none = (1.0 - size / among).max(0.0);
        1.0 - (0..possible).fold(1.0, |all, _| all * none)
    }

    /// Returns the cards that would beat `card` in a trick with the lead `led`.
    pub fn beaters(&self, card: Card, led: Card, trumps_count: bool) -> Cards {
        let trump = self.table().trump();
        let above =
            if card.suit() == led.suit() || trump.is(card.suit()) { card.above(trump) } else { Cards::ALL };
        let trumps = if trump.is(card.suit()) || !trumps_count { Cards::NONE } else { trump.cards() };
        above.or(trumps)
    }

    /// Returns whether no unseen card of its suit beats `card`.
    pub fn is_master(&self, card: Card) -> bool {
        !card.above(self.table().trump()).meets(self.unseen)
    }

    /// Iterates over the seats that play after the viewer in this trick.
    pub fn later(&self) -> impl Iterator<Item = Seat> + use<> {
        let me = self.view.seat;
        let left = SEATS - 1 - self.table().play.in_trick();
        (1..=left as u8).map(move |n| ALL_SEATS[usize::from((me.0 + n) & 3)])
    }

    /// Returns whether `card`, played now, would be winning the trick.
    pub fn takes(&self, card: Card, trumps_count: bool) -> bool {
        let (Some(led), Some(top)) = (self.table().play.led(), self.table().play.best_card()) else {
            return true;
        };
        let trump = self.table().trump();
        if card.suit() == top.suit() {
            top.above(trump).has(card)
        } else {
            trump.is(card.suit()) && trumps_count && !trump.is(led.suit())
        }
    }
}
