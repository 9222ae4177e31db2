//! Determinizing: deals a random full game that is consistent with everything a view proves.
//!
//! A view proves:
//!
//! - the viewer's own cards, the discards, and how many cards each player holds;
//! - the buried cards at the bottom of the draw pile, and who drew some of them;
//! - which cards can be in the draw pile: those of its last shuffle that the viewer has not drawn since;
//! - what players who drew or ended a TAKI could not hold ([`super::memory`]);
//! - how many of a player's cards are older than the draw pile;
//! - that some player can answer the +3 on the table.
//!
//! An unseen card is *new* if the last shuffle put it into the draw pile, and *old* if a player held it then.
//! The algorithm first labels the cards laid since that shuffle as new or old. Then it places the remaining
//! cards one by one, moves earlier cards if necessary, and swaps cards at random ([`places`]). If [`TRIES`]
//! labelings fail, it separates new and old cards for the draw pile only. This fallback finds a deal whenever
//! one exists.

mod ages;
mod places;
#[cfg(test)]
mod tests;

use ages::Ages;
use cardsharp_engine::Seat;
use cardsharp_engine::game::Redeal;
use cardsharp_engine::rng::{DealRng, Draw};
use places::Places;

use super::View;
use super::deck::{self, Card, Cards, DECK, bit};
use super::state::{Log, Round};
use super::table::{Answer, Own, SEATS, Stage, drawable};

/// The cards that can answer a +3.
const ANSWERS: [Card; 3] = [deck::BREAKER, deck::KING, deck::PLUS3];

/// Number of labelings into new and old cards to try.
const TRIES: usize = 12;

impl Redeal for Round {
    fn redeal(view: View<'_>, mut rng: DealRng) -> Option<Self> {
        let Deal { own, pile, asked, .. } = rng.draw(|draw| Known::of(view).deal(draw))?;
        Some(Self { table: *view.table, own, asked, pile, log: Log::default(), rng })
    }
}

/// Returns whether any deal leads to this view.
pub(super) fn is_possible(view: View<'_>) -> bool {
    Known::of(view).deal(&mut Draw::new(0, 0)).is_some()
}

struct Deal {
    own: [Own; SEATS],
    pile: [Card; DECK],
    asked: Seat,
    /// Whether new and old cards are separated in every hand.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests count these deals"))]
    exact: bool,
}

/// What a view proves, prepared for dealing.
struct Known<'a> {
    view: View<'a>,
    buried: Cards,
}

/// The seat that is asked about the +3, and a card with which it can answer.
type Asked = Option<(Seat, Card)>;

impl<'a> Known<'a> {
    fn of(view: View<'a>) -> Self {
        Self { view, buried: view.table.buried.cards().iter().copied().collect() }
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let me = self.view.seat.index();
        (0..usize::from(self.view.table.players())).filter(move |&seat| seat != me)
    }

    fn deal(&self, draw: &mut Draw) -> Option<Deal> {
        if self.view.table.stage != Stage::Window || self.view.own.answer == Answer::Asked {
            return self.deal_with(None, draw);
        }
        let mut ways = [None; 2 * SEATS];
        let mut n = 0;
        for seat in self.others().map(|seat| Seat(seat as u8)).filter(|&seat| self.can_be_asked(seat)) {
            for card in ANSWERS {
                if self.view.table.answers(seat) & bit(card) != 0 {
                    ways[n] = Some((seat, card));
                    n += 1;
                }
            }
        }
        draw.shuffle(&mut ways[..n]);
        ways[..n].iter().find_map(|&way| self.deal_with(way, draw))
    }

    /// Returns whether this other player can be the one who is asked, considering the viewer's own answer.
    fn can_be_asked(&self, seat: Seat) -> bool {
        let table = self.view.table;
        let later = |seat: Seat| table.steps(table.turn, seat);
        let answers = self.view.own.hand.once & table.answers(self.view.seat) != 0;
        let may = match self.view.own.answer {
            Answer::Declined => later(seat) > later(self.view.seat),
            _ => self.view.seat == table.turn || !answers || later(seat) < later(self.view.seat),
        };
        seat != table.turn && may
    }

    fn deal_with(&self, asked: Asked, draw: &mut Draw) -> Option<Deal> {
        let held = self.held(asked)?;
        // Before the first reshuffle all cards are new.
        let tries = if self.view.table.recycles == 0 { 1 } else { TRIES };
        (0..tries).find_map(|_| self.by_age(&held, asked, draw)).or_else(|| self.by_pile(&held, asked, draw))
    }

    /// Returns the cards that the others hold for certain, by seat, or `None` if that is impossible.
    fn held(&self, asked: Asked) -> Option<[Cards; SEATS]> {
        let table = self.view.table;
        let mut held = table.known;
        held[self.view.seat.index()] = Cards::NONE;
        if let Some((seat, card)) = asked
            && !held[seat.index()].has(card)
        {
            held[seat.index()].add(card);
        }
        let mut count = self.buried.total();
        let mut all = self.buried;
        for seat in self.others() {
            count += held[seat].total();
            all = all.with(&held[seat]);
            if held[seat].total() > u32::from(table.sizes[seat]) {
                return None;
            }
        }
        let unseen = super::table::unseen(table, self.view.own);
        (all.total() == count && unseen.contains(&all)).then_some(held)
    }

    /// Deals so that new and old cards are separated in every hand.
    fn by_age(&self, held: &[Cards; SEATS], asked: Asked, draw: &mut Draw) -> Option<Deal> {
        let table = self.view.table;
        let mut ages = Ages::of(self.view, &self.buried);
        for seat in self.others() {
            ages.divide(seat, &table.laid[seat], draw)?;
        }
        let laid = ages.drew;
        for seat in self.others() {
            ages.divide(seat, &held[seat], draw)?;
        }
        let mut places = Places::new(&ages.new, &ages.old);
        places.pile = table.pile.checked_sub(table.buried.len())?;
        for seat in self.others() {
            places.size[seat] = [ages.room[seat][0], ages.room[seat][1]];
            places.bind(seat, &table.proofs[seat], &held[seat])?;
        }
        if !places.fill(draw) {
            return None;
        }
        places.mix(draw);
        let mut own = [Own::NONE; SEATS];
        for seat in self.others() {
            let new = places.cards_of(seat, 0);
            own[seat].hand = held[seat].with(&new).with(&places.cards_of(seat, 1));
            own[seat].drew = ages.drew[seat].with(&new);
            debug_assert!(ages.drew[seat].contains(&laid[seat]), "cards laid are divided first");
        }
        Some(self.finish(own, &places.cards_of_pile(), asked, true, draw))
    }

    /// Deals so that only the draw pile is limited to cards that can be there.
    fn by_pile(&self, held: &[Cards; SEATS], asked: Asked, draw: &mut Draw) -> Option<Deal> {
        let table = self.view.table;
        let fixed = self.others().fold(self.buried, |sum, seat| sum.with(&held[seat]));
        let pool = super::table::unseen(table, self.view.own).without(&fixed);
        let mut places = Places::new(&pool, &Cards::NONE);
        places.drawable = Some(drawable(table, self.view.own).without(&self.buried));
        places.pile = table.pile.checked_sub(table.buried.len())?;
        for seat in self.others() {
            places.size[seat] = [table.sizes[seat] - held[seat].total() as u8, 0];
            places.bind(seat, &table.proofs[seat], &held[seat])?;
        }
        if !places.fill(draw) {
            return None;
        }
        places.mix(draw);
        let mut own = [Own::NONE; SEATS];
        let pile = places.cards_of_pile();
        // The view does not tell who drew what: assign the cards that left the draw pile in any order.
        let drawn = table.stock.without(&self.view.own.drew).without(&self.buried).without(&pile);
        let mut cards = [0; DECK];
        cards.iter_mut().zip(drawn.cards()).for_each(|(place, card)| *place = card);
        let mut rest = &cards[..drawn.total() as usize];
        for seat in self.others() {
            own[seat].hand = held[seat].with(&places.cards_of(seat, 0));
            let (some, more) = rest.split_at_checked(usize::from(table.drawn[seat]))?;
            own[seat].drew = some.iter().copied().collect();
            rest = more;
        }
        Some(self.finish(own, &pile, asked, false, draw))
    }

    fn finish(
        &self,
        mut own: [Own; SEATS],
        free: &Cards,
        asked: Asked,
        exact: bool,
        draw: &mut Draw,
    ) -> Deal {
        own[self.view.seat.index()] = *self.view.own;
        let mut pile = [0; DECK];
        let buried = self.view.table.buried.cards();
        pile[..buried.len()].copy_from_slice(buried);
        let places = &mut pile[buried.len()..usize::from(self.view.table.pile)];
        places.iter_mut().zip(free.cards()).for_each(|(place, card)| *place = card);
        draw.shuffle(places);
        let asked = self.answers(&mut own, asked);
        Deal { own, pile, asked, exact }
    }

    /// Marks the seats before the asked one that could have answered as declined. Returns the asked seat.
    fn answers(&self, own: &mut [Own; SEATS], asked: Asked) -> Seat {
        let table = self.view.table;
        if table.stage != Stage::Window {
            return Seat(0);
        }
        let asked = asked.map_or(self.view.seat, |(seat, _)| seat);
        own[asked.index()].answer = Answer::Asked;
        for steps in 1..table.steps(table.turn, asked) {
            let seat = table.after(table.turn, steps);
            if own[seat.index()].hand.once & table.answers(seat) != 0 {
                own[seat.index()].answer = Answer::Declined;
            }
        }
        asked
    }
}
