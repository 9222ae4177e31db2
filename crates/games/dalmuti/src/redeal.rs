//! Determinization: draws a complete hand at random that is consistent with a view.
//!
//! A view proves these facts:
//!
//! - the viewer's own cards, every card played, and the number of cards dealt to each player;
//! - the cards that the viewer gave and received, which were in the partner's hand;
//! - that a Peon keeps no dealt card better than the worst card paid;
//! - that the other pairs also paid taxes, with unknown cards;
//! - who was dealt the exposed card, or got it;
//! - that a player who called a revolution, or is asked about one, was dealt both Jesters.
//!
//! The unseen cards are dealt at random to the places that proven cards leave open. Then the pairs whose exchange the
//! viewer cannot see pay their taxes with them, and an exchange is found that explains the result ([`taxes`]). If
//! several such deals have no explanation, an exact search tries all possible tributes of these pairs ([`exact`]). It
//! finds a deal for every possible view, because it covers the true deal.

mod anchors;
mod exact;
mod known;
mod owners;
mod taxes;
#[cfg(test)]
mod tests;

use cardsharp_climbing::redeal::{Moved, beyond};
use cardsharp_engine::game::Redeal;
use cardsharp_engine::rng::{DealRng, Draw};
use known::{Deal, Known, Plan};

use super::rules::TaxVisibility;
use super::state::{Round, View};
use super::table::Stage;

/// Number of random deals before the exact search.
const TRIES: usize = 4;

impl Redeal for Round {
    fn redeal(view: View<'_>, mut rng: DealRng) -> Option<Self> {
        let known = Known::of(view);
        let (own, asking) = rng.draw(|draw| known.solve(draw).map(|deal| known.owners(deal, draw)))?;
        Some(Self { table: *view.table, own, asking, rng })
    }
}

/// Whether any deal leads to this view.
pub fn is_possible(view: View<'_>) -> bool {
    Known::of(view).solve(&mut Draw::new(0, 0)).is_some()
}

impl<'a> Known<'a> {
    fn of(view: View<'a>) -> Self {
        let (table, own) = (view.table, view.own);
        let me = usize::from(table.position[view.seat.index()]);
        let moved = match table.stage {
            _ if !table.taxes() => Moved::Nothing,
            Stage::Play => Moved::All,
            Stage::Taxes if table.rules.tax_visibility == TaxVisibility::Seen => Moved::Tributes,
            _ => Moved::Nothing,
        };
        let mut known = Self {
            view,
            players: usize::from(table.players()),
            me,
            moved,
            seen: table.rules.tax_visibility == TaxVisibility::Seen,
            mark: None,
            pool: beyond(&beyond(&table.deck, &own.hand), &table.memory.gone),
            plan: Plan::EMPTY,
        };
        known.mark = known.marked();
        (0..known.players).filter(|&p| p != me).for_each(|p| known.plan.size[p] = table.held(p as u8));
        known.anchor_partner();
        known.anchor_mark();
        known
    }

    /// A deal that is consistent with the view; `None` if there is none.
    fn solve(&self, draw: &mut Draw) -> Option<Deal> {
        let mut plan = self.plan;
        if !self.anchor_jesters(&mut plan, draw) {
            return None;
        }
        let mut likely = plan;
        self.expect_mark(&mut likely);
        for _ in 0..TRIES {
            let Some(mut hands) = likely.deal(self.pool, draw) else { break };
            hands[self.me] = self.view.own.hand;
            if self.moved == Moved::All {
                self.hidden_pairs().for_each(|pair| self.pay(pair, &mut hands, draw));
            }
            if let Some(deal) = self.explain(hands, draw) {
                return Some(deal);
            }
        }
        if self.moved == Moved::All { self.search(&plan, draw) } else { None }
    }
}
