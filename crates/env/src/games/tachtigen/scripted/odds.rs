//! Who may hold what.

use crate::games::tachtigen::View;
use crate::games::tachtigen::deck::{Card, Cards};
use crate::games::tachtigen::redeal::held;
use crate::games::tachtigen::table::{ALL_SEATS, SEATS, Table};
use crate::ground::Seat;

/// What the viewer can say about cards he does not see.
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

    /// Those of `cards` that `seat` may hold.
    pub fn possible(&self, seat: Seat, cards: Cards) -> Cards {
        if self.table().open.has(seat.0) {
            return self.table().shown[seat.index()].and(cards);
        }
        let open = self.table().shown.iter().fold(Cards::NONE, |all, hand| all.or(*hand));
        cards.and(self.unseen).minus(open).minus(self.table().play.lacks[seat.index()])
    }

    /// Probability that `seat` holds any of `cards`, each card lying anywhere with the same chance.
    pub fn has_any(&self, seat: Seat, cards: Cards) -> f32 {
        let possible = self.possible(seat, cards).len();
        if possible == 0 {
            return 0.0;
        }
        if self.table().open.has(seat.0) {
            return 1.0;
        }
        let size = held(self.table(), seat.index()) as f32;
        let among = self.possible(seat, Cards::ALL).len() as f32;
        let none = (1.0 - size / among).max(0.0);
        1.0 - (0..possible).fold(1.0, |all, _| all * none)
    }

    /// The cards that would take the trick from `card`, in a trick of suit `led`.
    pub fn beaters(&self, card: Card, led: Card, trumps_count: bool) -> Cards {
        let trump = self.table().trump();
        let above =
            if card.suit() == led.suit() || trump.is(card.suit()) { card.above(trump) } else { Cards::ALL };
        let trumps = if trump.is(card.suit()) || !trumps_count { Cards::NONE } else { trump.cards() };
        above.or(trumps)
    }

    /// Whether no card that others may hold beats `card` in its suit.
    pub fn is_master(&self, card: Card) -> bool {
        !card.above(self.table().trump()).meets(self.unseen)
    }

    /// Seats that play after the viewer in this trick.
    pub fn later(&self) -> impl Iterator<Item = Seat> + use<> {
        let me = self.view.seat;
        let left = SEATS - 1 - self.table().play.in_trick();
        (1..=left as u8).map(move |n| ALL_SEATS[usize::from((me.0 + n) & 3)])
    }

    /// Whether `card`, played now, would be winning the trick.
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
