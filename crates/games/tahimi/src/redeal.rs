//! Determinization: draws a complete round at random that is consistent with a view.
//!
//! A view proves these facts:
//!
//! - the viewer's own cards, every card played, and the number of cards dealt to each player;
//! - the cards that the viewer gave and received, which were in the partner's hand;
//! - that a payer keeps no card above the worst card paid;
//! - that a payer who is deciding about jokers has some.
//!
//! The unseen cards are dealt at random to the places that proven cards leave open. Then the pairs whose exchange the
//! viewer cannot see pay their taxes with them. An exchange explains every result, because receivers may return the
//! tribute itself.

mod jokers;
mod known;
mod owners;
#[cfg(test)]
mod tests;

use cardsharp_climbing::best_of;
use cardsharp_climbing::redeal::{Moved, Pair, explain, pay, sum};
use cardsharp_engine::game::Redeal;
use cardsharp_engine::rng::{DealRng, Draw};
use known::{Deal, Known};

use super::deck::{Cards, JOKER};
use super::state::{Round, View};

impl Redeal for Round {
    fn redeal(view: View<'_>, rng: DealRng) -> Option<Self> {
        Known::of(view).round(rng)
    }
}

/// Facts in addition to a view.
#[derive(Copy, Clone, Default)]
pub struct Besides {
    /// Whether the viewer, a payer with jokers, has decided about them; `None` if only the view shows it.
    pub decided: Option<bool>,
    /// A position other than the viewer's, and cards that it holds.
    pub holds: Option<(u8, Cards)>,
}

/// A complete round that is consistent with a view and additional facts; `None` if there is none.
pub fn knowing(view: View<'_>, besides: Besides, rng: DealRng) -> Option<Round> {
    let mut known = Known::of(view);
    match besides.decided {
        Some(true) => known.deciding = 0..known.me,
        Some(false) => known.deciding = known.me..known.players,
        None => {}
    }
    if let Some((position, cards)) = besides.holds {
        known.hold(usize::from(position), cards);
    }
    known.round(rng)
}

/// Whether any deal leads to this view.
pub fn is_possible(view: View<'_>) -> bool {
    Known::of(view).solve(&mut Draw::new(0, 0)).is_some()
}

impl Known<'_> {
    /// A round that is consistent with the view; `None` if there is none.
    fn round(&self, mut rng: DealRng) -> Option<Round> {
        let (own, asking) = rng.draw(|draw| self.solve(draw).map(|deal| self.owners(deal, draw)))?;
        Some(Round { table: *self.view.table, own, asking, rng })
    }

    /// A deal that is consistent with the view; `None` if there is none.
    fn solve(&self, draw: &mut Draw) -> Option<Deal> {
        let mut plan = self.plan;
        if !self.anchor_jokers(&mut plan, draw) {
            return None;
        }
        let mut hands = plan.deal(self.pool, draw)?;
        hands[self.me] = self.own.hand;
        if self.moved == Moved::All && !self.held {
            for pair in self.hidden_pairs() {
                let paid = |low: &Cards, count: u8, draw: &mut Draw| self.tribute(low, count, draw);
                pay(pair, &mut hands, self.played[pair.high].total(), self.custom(), paid, draw);
            }
        }
        let mut deal = Deal::of(hands);
        match self.moved {
            Moved::Nothing => {}
            Moved::Tributes => self.hidden_pairs().for_each(|pair| {
                let paid = self.tribute(&deal.hands[pair.low], pair.cards, draw);
                deal.pay(pair, paid);
            }),
            Moved::All => self.hidden_pairs().for_each(|pair| {
                let (paid, back) = self.explain_pair(pair, &deal, draw);
                deal.note([pair.high, pair.low], paid, back);
            }),
        }
        let Some(partner) = self.partner() else { return Some(deal) };
        let exchange = self.exchange();
        exchange.mirror(&mut deal, partner);
        let short = exchange.was_shortchanged(&deal, partner, &self.played[partner], self.custom().ranks);
        (!short).then_some(deal)
    }

    /// A tribute and a return that lead to the hands of a pair.
    fn explain_pair(&self, pair: Pair, deal: &Deal, draw: &mut Draw) -> (Cards, Cards) {
        let mut high = sum(&deal.hands[pair.high], &self.played[pair.high]);
        let low = sum(&deal.hands[pair.low], &self.played[pair.low]);
        let jokers = self.chosen(&high, pair.cards, draw);
        high.0[JOKER] -= jokers;
        let counts = (pair.cards - jokers, pair.cards);
        match explain((&high, &low), counts, self.custom(), draw) {
            Some((mut paid, back)) => {
                paid.0[JOKER] += jokers;
                (paid, back)
            }
            None => {
                let straight_back = best_of(&low, pair.cards, self.custom().ranks);
                (straight_back, straight_back)
            }
        }
    }
}
