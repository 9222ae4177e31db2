//! A full game, drawn at random, that is consistent with all a view proves.
//!
//! What a view proves: the viewer's own cards and the discards; how many cards everybody holds; the
//! cards at the bottom of the draw pile that were turned up before the game, and who drew them; the
//! cards that can be in the draw pile, which were shuffled into it and which the viewer has not drawn
//! since; what a player who drew, or ended a TAKI, cannot have held ([`super::memory`]); how many of
//! his cards are older than the draw pile; and that somebody can answer the +3 on the table.
//!
//! The unseen cards are put one by one into places that allow them, others making room where need be
//! ([`places`]); this finds a deal whenever there is one. Then random swaps forget where they came
//! from. Last the cards in hand are divided into those drawn since the draw pile was made and older
//! ones; where that does not work out the cards are dealt again.

mod places;

use super::deck::{self, Card, Cards, DECK, bit};
use super::pile::DrawLog;
use super::table::{Answer, Own, SEATS, Stage, drawable, unseen};
use super::{Round, View, window};
use crate::game::Seat;
use crate::rng::{DealRng, Draw};
use places::{Bound, Places};

/// Deals that are tried before one is taken whose past does not work out.
const TRIES: usize = 40;

/// A full game consistent with `view`, as a function of the view and `rng` alone. The view must be one
/// that can occur: of a game, or accepted by `check_view`.
pub fn redeal(view: View<'_>, mut rng: DealRng) -> Round {
    let deal = rng.draw(|draw| Known::of(view).deal(draw));
    debug_assert!(deal.is_some(), "no deal leads to this view: {:?}", view.to_owned());
    let mut own = [Own::NONE; SEATS];
    own[view.seat.index()] = *view.own;
    let Deal { own, pile, asked } = deal.unwrap_or(Deal { own, pile: [0; DECK], asked: view.seat });
    Round { table: *view.table, own, asked, pile, log: DrawLog::default(), rng }
}

/// Whether any deal leads to this view.
pub fn is_possible(view: View<'_>) -> bool {
    Known::of(view).deal(&mut Draw::new(0, 0)).is_some()
}

/// A solution.
struct Deal {
    own: [Own; SEATS],
    pile: [Card; DECK],
    asked: Seat,
}

/// What a view proves, prepared for dealing.
struct Known<'a> {
    view: View<'a>,
    /// Cards that each other player surely holds.
    held: [Cards; SEATS],
    /// Cards the viewer has not seen.
    pool: Cards,
    /// Of these, those that can be in the draw pile.
    drawable: Cards,
    /// Cards that others can have held when the draw pile was made.
    older: Cards,
}

/// Who is asked about the +3, and what with.
type Asked = Option<(Seat, Card)>;

impl<'a> Known<'a> {
    fn of(view: View<'a>) -> Self {
        let (table, own) = (view.table, view.own);
        let mut held = table.known;
        held[view.seat.index()] = Cards::NONE;
        let mine = own.hand.with(&table.laid[view.seat.index()]).without(&own.drew);
        Self {
            view,
            held,
            pool: unseen(table, own),
            drawable: drawable(table, own),
            older: Cards::ALL.without(&table.stock).without(&Cards::one(table.first)).without(&mine),
        }
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
            for card in [deck::BREAKER, deck::KING] {
                if window::answers(self.view.table, seat) & bit(card) != 0 {
                    ways[n] = Some((seat, card));
                    n += 1;
                }
            }
        }
        draw.shuffle(&mut ways[..n]);
        ways[..n].iter().find_map(|&way| self.deal_with(way, draw))
    }

    /// Whether another player can be the one who is asked, by the viewer's own part in it.
    fn can_be_asked(&self, seat: Seat) -> bool {
        let table = self.view.table;
        let later = |seat: Seat| table.steps(table.turn, seat);
        let answers = self.view.own.hand.once & window::answers(table, self.view.seat) != 0;
        let may = match self.view.own.answer {
            Answer::Declined => later(seat) > later(self.view.seat),
            _ => self.view.seat == table.turn || !answers || later(seat) < later(self.view.seat),
        };
        seat != table.turn && may
    }

    fn deal_with(&self, asked: Asked, draw: &mut Draw) -> Option<Deal> {
        let table = self.view.table;
        let mut held = self.held;
        if let Some((seat, card)) = asked
            && !held[seat.index()].has(card)
        {
            held[seat.index()].add(card);
        }
        let buried: Cards = table.buried.cards().iter().copied().collect();
        let fixed = self.others().fold(buried, |sum, seat| sum.with(&held[seat]));
        if !self.pool.contains(&fixed) {
            return None;
        }
        let mut places = Places::new(self.pool.without(&fixed), self.drawable.without(&buried));
        places.pile = table.pile.checked_sub(table.buried.len())?;
        for seat in self.others() {
            self.bounds(seat, &held[seat], &mut places)?;
        }
        for _ in 0..TRIES {
            if !places.fill(draw) {
                return None;
            }
            places.mix(draw);
            if let Some(deal) = self.explain(&places, &held, asked, draw) {
                return Some(deal);
            }
        }
        None
    }

    /// What the view proves of one other player's hand beyond the cards it surely has.
    fn bounds(&self, seat: usize, held: &Cards, places: &mut Places) -> Option<()> {
        let table = self.view.table;
        let laid = &table.laid[seat];
        places.size[seat] = table.sizes[seat].checked_sub(held.total() as u8)?;
        for (bound, proof) in places.bounds[seat].iter_mut().zip(table.proofs[seat].iter()) {
            let at_most = proof.at_most.checked_sub(held.among(proof.faces) as u8)?;
            *bound = Bound { faces: proof.faces, at_most };
        }
        // Cards that nobody held when the draw pile was made were drawn since, the others at most before.
        let since = table.drawn[seat];
        let before = (u32::from(table.sizes[seat]) + laid.total()).checked_sub(u32::from(since))? as u8;
        let new = !faces(&self.older);
        let old = !faces(&table.stock.without(&self.view.own.drew));
        for (bound, (faces, all)) in places.age[seat].iter_mut().zip([(new, since), (old, before)]) {
            let used = laid.among(faces) + held.among(faces);
            *bound = Bound { faces, at_most: all.saturating_sub(used as u8) };
        }
        Some(())
    }

    /// Hands and draw pile of filled places, with a past that explains them.
    fn explain(&self, places: &Places, held: &[Cards; SEATS], asked: Asked, draw: &mut Draw) -> Option<Deal> {
        let table = self.view.table;
        let mut own = [Own::NONE; SEATS];
        own[self.view.seat.index()] = *self.view.own;
        for seat in self.others() {
            own[seat].hand = held[seat].with(&places.cards_of(seat));
        }
        let mut pile = [0; DECK];
        let buried = table.buried.cards();
        pile[..buried.len()].copy_from_slice(buried);
        let drawn = places.cards_of(SEATS);
        let free = &mut pile[buried.len()..usize::from(table.pile)];
        free.iter_mut().zip(drawn.cards()).for_each(|(place, card)| *place = card);
        draw.shuffle(free);

        let in_pile = drawn.with(&buried.iter().copied().collect());
        let since = table.stock.without(&self.view.own.drew).without(&in_pile);
        let mut past = Places::new(since, Cards::NONE);
        for seat in self.others() {
            past.size[seat] = table.drawn[seat];
            past.caps[seat] = Some(own[seat].hand.with(&table.laid[seat]));
        }
        if !past.fill(draw) {
            return None;
        }
        for seat in self.others() {
            own[seat].drew = past.cards_of(seat);
        }
        let asked = self.answers(&mut own, asked);
        Some(Deal { own, pile, asked })
    }

    /// Who could have answered before the one who is asked has declined. Returns who is asked.
    fn answers(&self, own: &mut [Own; SEATS], asked: Asked) -> Seat {
        let table = self.view.table;
        if table.stage != Stage::Window {
            return Seat(0);
        }
        let asked = asked.map_or(self.view.seat, |(seat, _)| seat);
        own[asked.index()].answer = Answer::Asked;
        for steps in 1..table.steps(table.turn, asked) {
            let seat = table.after(table.turn, steps);
            if own[seat.index()].hand.once & window::answers(table, seat) != 0 {
                own[seat.index()].answer = Answer::Declined;
            }
        }
        asked
    }
}

/// The faces of which there is a card.
fn faces(cards: &Cards) -> u64 {
    cards.once
}
