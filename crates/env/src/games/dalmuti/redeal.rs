//! A full hand, drawn at random, that is consistent with all a view proves.
//!
//! What a view proves: the viewer's own cards; every card played; how many cards each player was
//! dealt; which cards the viewer gave and received, so that they were in his partner's hand and a
//! Peon keeps no dealt card better than the worse one he paid; that the other pairs paid taxes too,
//! whatever they paid; who was dealt the exposed card, or got it; and that whoever called a
//! revolution (or is asked about one) was dealt both Jesters.
//!
//! The cards nobody has seen are dealt at random to the places the proven cards leave open. Then the
//! pairs whose exchange the viewer cannot see pay their taxes with them, and an exchange is named
//! that explains the result ([`taxes`]). Where no exchange can explain several such deals, an exact
//! search over all that the pairs can have paid takes their place ([`exact`]); it finds a deal for
//! every view that can occur, because the true one is among those it covers.

mod anchors;
mod exact;
mod owners;
mod taxes;
#[cfg(test)]
mod tests;

use super::deck::{Cards, JESTER, RANKS};
use super::rules::TaxVisibility;
use super::table::{ExposedFate, Revolution, Stage};
use super::tax::{PROPOSER, pairs, tribute};
use super::{Round, View};
use crate::game::Redeal;
use crate::games::climbing::redeal::{self, Custom, Each, Moved, Pair, beyond, pay};
use crate::ground::rng::{DealRng, Draw};

/// Random deals that are tried before the exact search.
const TRIES: usize = 4;

/// Tributes are of numbered cards; players part with Jesters before anything else.
const CUSTOM: Custom = Custom { ranks: JESTER, last_is_spare: true };

type Plan = redeal::Plan<RANKS>;
type Deal = redeal::Deal<RANKS>;

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

/// What a view proves, prepared for dealing.
struct Known<'a> {
    view: View<'a>,
    players: usize,
    me: usize,
    moved: Moved,
    /// Tributes arrive before the Dalmutis choose.
    seen: bool,
    /// A position other than the viewer's that was dealt a card of this rank, misdeal repaired.
    mark: Option<(usize, usize)>,
    /// Cards the viewer has not seen.
    pool: Cards,
    plan: Plan,
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

    fn played(&self, position: usize) -> &'a Cards {
        &self.view.table.memory.played[position]
    }

    /// The position of the Greater Peon the cards were dealt to.
    fn dealt_peon(&self) -> usize {
        if self.view.table.revolution == Revolution::Greater { 0 } else { self.players - 1 }
    }

    fn marked(&self) -> Option<(usize, usize)> {
        let exposed = self.view.table.exposed?;
        let receiver = usize::from(self.view.table.position[exposed.receiver.index()]);
        let (position, rank) = match exposed.fate {
            ExposedFate::Open | ExposedFate::Kept => (receiver, exposed.rank),
            ExposedFate::ToPeon if self.me == self.dealt_peon() => (receiver, self.view.own.replacement?),
            ExposedFate::ToPeon => (self.dealt_peon(), exposed.rank),
        };
        (position != self.me).then_some((position, usize::from(rank)))
    }

    /// The pairs whose taxes the viewer cannot see.
    fn hidden_pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let me = self.me as u8;
        let hidden = move |&(dalmuti, peon, _): &(u8, u8, u8)| dalmuti != me && peon != me;
        let pairs = pairs(self.players as u8).into_iter().filter(hidden);
        pairs.map(|(high, low, cards)| Pair { high: high.into(), low: low.into(), cards })
    }

    /// The two Merchants whose exchange the viewer cannot see.
    fn hidden_merchants(&self) -> Option<[usize; 2]> {
        let both = [usize::from(PROPOSER), usize::from(self.view.table.exchange?)];
        (self.moved == Moved::All && !both.contains(&self.me)).then_some(both)
    }

    /// The partner of a position in an exchange that has taken place (or begun) and that the viewer
    /// has no part in.
    fn hidden_partner(&self, position: usize) -> Option<usize> {
        let taxes = self.hidden_pairs().map(|pair| [pair.high, pair.low]);
        let both = taxes.chain(self.hidden_merchants()).find(|both| both.contains(&position))?;
        Some(if both[0] == position { both[1] } else { both[0] })
    }

    /// A pair pays its taxes with cards dealt at random.
    fn pay(&self, pair: Pair, hands: &mut Each<Cards>, draw: &mut Draw) {
        let paid = |low: &Cards, count: u8, _: &mut Draw| tribute(low, count);
        pay(pair, hands, self.played(pair.high).total(), CUSTOM, paid, draw);
    }

    /// A deal that the view allows, or none if there is none.
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
