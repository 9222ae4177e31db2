//! Cards that one seat does not see, and swaps of them that make the reported moves possible.

use cardsharp_engine::Seat;

use crate::Round;
use crate::deck::{Card, Cards, bit, card_name};

/// Location of a card.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// In the hand of this seat.
    Hand(Seat),
    /// In the draw pile; the index counts from the bottom.
    Pile(usize),
}

/// A game and its cards that the viewer does not see. These cards may be swapped with one another, except
/// those that all players know.
pub(super) struct Hidden<'a> {
    pub(super) round: &'a mut Round,
    pub(super) viewer: Seat,
    /// Indices in the draw pile of the cards that the viewer is about to draw, as bits. Swaps leave them
    /// alone.
    settled: u128,
}

impl<'a> Hidden<'a> {
    pub(super) fn of(round: &'a mut Round, viewer: Seat) -> Self {
        Self { round, viewer, settled: 0 }
    }

    /// Returns the cards in a hand that may be swapped.
    pub(super) fn guessed(&self, seat: Seat) -> Cards {
        if seat == self.viewer {
            return Cards::NONE;
        }
        self.round.own[seat.index()].hand.without(&self.round.table.known[seat.index()])
    }

    /// Returns the first hidden card for which `fits` is true, with its location.
    pub(super) fn find(&self, fits: impl Fn(Place, Card) -> bool) -> Option<(Place, Card)> {
        let table = &self.round.table;
        let pile = usize::from(table.buried.len())..usize::from(table.pile);
        let free = pile.filter(|&i| self.settled >> i & 1 == 0);
        let pile =
            free.map(|i| (Place::Pile(i), self.round.pile[i])).find(|&(place, card)| fits(place, card));
        pile.or_else(|| {
            (0..table.players()).map(Seat).find_map(|seat| {
                let place = Place::Hand(seat);
                self.guessed(seat).cards().find(|&card| fits(place, card)).map(|card| (place, card))
            })
        })
    }

    /// Swaps two cards.
    pub(super) fn exchange(&mut self, one: (Place, Card), other: (Place, Card)) {
        for ((place, gone), (_, come)) in [(one, other), (other, one)] {
            match place {
                Place::Hand(seat) => {
                    let hand = &mut self.round.own[seat.index()].hand;
                    hand.remove(gone);
                    hand.add(come);
                }
                Place::Pile(i) => self.round.pile[i] = come,
            }
        }
    }

    /// Puts `card` at index `i` of the draw pile, where the viewer will draw it.
    pub(super) fn draws(&mut self, i: usize, card: Card) -> Result<(), String> {
        let place = Place::Pile(i);
        if self.round.pile[i] != card {
            let buried = i < usize::from(self.round.table.buried.len());
            let found = self.find(|other, found| found == card && other != place).filter(|_| !buried);
            let Some(found) = found else {
                return Err(format!("seat {} cannot draw {} there", self.viewer.0, card_name(card)));
            };
            self.exchange((place, self.round.pile[i]), found);
        }
        self.settled |= 1 << i;
        Ok(())
    }

    /// Makes another player hold this card.
    pub(super) fn hold(&mut self, seat: Seat, card: Card) -> Result<(), String> {
        let (who, name) = (seat.index(), card_name(card));
        if self.round.table.proofs[who].iter().any(|proof| proof.faces & bit(card) != 0 && proof.at_most == 0)
        {
            return Err(format!("seat {} has shown that it holds no {name}", seat.0));
        }
        if self.round.own[who].hand.count(card) > 0 {
            return Ok(());
        }
        let other = self.guessed(seat).cards().next();
        let found = self.find(|place, found| found == card && place != Place::Hand(seat));
        let (Some(other), Some(found)) = (other, found) else {
            return Err(format!("seat {} cannot hold {name}: no {name} is left for it", seat.0));
        };
        self.exchange((Place::Hand(seat), other), found);
        Ok(())
    }

    /// Makes another player hold no card with one of these faces.
    pub(super) fn lack(&mut self, seat: Seat, faces: u64) -> Result<(), String> {
        let place = Place::Hand(seat);
        let among = |cards: &Cards| cards.cards().find(|&card| faces & bit(card) != 0);
        while let Some(card) = among(&self.guessed(seat)) {
            let other = self.find(|other, found| other != place && faces & bit(found) == 0);
            let Some(other) = other else {
                return Err(format!(
                    "seat {} must hold {}: no other cards are left",
                    seat.0,
                    card_name(card)
                ));
            };
            self.exchange((place, card), other);
        }
        match among(&self.round.own[seat.index()].hand) {
            Some(card) => Err(format!("seat {} holds {}, as everybody knows", seat.0, card_name(card))),
            None => Ok(()),
        }
    }
}
