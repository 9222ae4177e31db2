//! A full round, drawn at random, that is consistent with all a view proves.
//!
//! What a view proves: the viewer's own cards; every card played; how many cards each player was
//! dealt; which cards the viewer gave and received, so that they were in his partner's hand and a
//! payer keeps nothing that ranks above the worst card he paid. While a payer decides about his
//! jokers, he has some: if it is not the viewer, it is another one.
//!
//! The cards nobody has seen are dealt at random to the places the proven cards leave open. Then the
//! pairs whose exchange the viewer cannot see pay their taxes with them. Since a tribute may be handed
//! straight back, there is an exchange that explains any result.

mod jokers;
mod owners;
#[cfg(test)]
mod tests;

use super::deck::{Cards, JOKER, NATURALS, RANKS};
use super::table::{Own, Stage};
use super::tax::pairs_of;
use super::variant::JokerOrder;
use super::{Round, View};
use crate::game::Redeal;
use crate::games::climbing::best_of;
use crate::games::climbing::redeal::{
    self, Custom, Each, Exchange, Moved, Pair, Role, beyond, explain, pay, sum,
};
use crate::ground::rng::{DealRng, Draw};

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

/// What a view proves, prepared for dealing. Where jokers are paid before all other cards, all cards
/// in here have them as rank index 0 and the ranks behind them.
struct Known<'a> {
    view: View<'a>,
    players: usize,
    me: usize,
    moved: Moved,
    order: JokerOrder,
    /// What each position has played.
    played: Each<Cards>,
    /// The viewer's cards.
    own: Own,
    /// Cards the viewer has not seen.
    pool: Cards,
    plan: Plan,
}

/// Brings jokers to the front.
fn jokers_first(cards: &mut Cards) {
    cards.0.rotate_right(1);
}

/// Brings jokers back to the end.
fn jokers_last(cards: &mut Cards) {
    cards.0.rotate_left(1);
}

impl<'a> Known<'a> {
    fn of(view: View<'a>) -> Self {
        let table = view.table;
        let me = usize::from(table.position[view.seat.index()]);
        let mut known = Self {
            view,
            players: usize::from(table.players),
            me,
            moved: Moved::Nothing,
            order: table.variant.joker_order(),
            played: table.memory.played,
            own: *view.own,
            pool: beyond(&beyond(&table.deck, &view.own.hand), &table.memory.gone),
            plan: Plan::EMPTY,
        };
        known.moved = known.moved();
        (0..known.players).filter(|&p| p != me).for_each(|p| known.plan.size[p] = table.held(p as u8));
        if known.order == JokerOrder::High {
            let own = &mut known.own;
            let all = [&mut own.hand, &mut own.given, &mut own.received, &mut known.pool];
            all.into_iter().for_each(jokers_first);
            known.played[..known.players].iter_mut().for_each(jokers_first);
        }
        if let Some(partner) = known.partner() {
            let mut plan = known.plan;
            known.exchange().anchor(&mut plan, partner, &known.played[partner], known.custom().ranks);
            known.plan = plan;
        }
        known
    }

    /// Which cards have moved, as far as the viewer can tell.
    fn moved(&self) -> Moved {
        let (table, own) = (self.view.table, self.view.own);
        match (table.stage, self.role()) {
            (Stage::Decree, _) => Moved::Nothing,
            _ if !table.taxes() => Moved::Nothing,
            (Stage::Play, _) => Moved::All,
            (Stage::Taxes, Role::High) if own.received == Cards::NONE => Moved::Nothing,
            (Stage::Taxes, Role::Low) if own.hand.total() == u32::from(table.held(self.me as u8)) => {
                Moved::Nothing
            }
            (Stage::Taxes, _) => Moved::Tributes,
        }
    }

    fn pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let pairs = pairs_of(self.view.table).iter();
        pairs.map(|&(high, low, cards)| Pair { high: high.into(), low: low.into(), cards })
    }

    /// The pairs whose taxes the viewer cannot see.
    fn hidden_pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let me = self.me;
        self.pairs().filter(move |pair| pair.high != me && pair.low != me)
    }

    fn role(&self) -> Role {
        let mine = self.pairs().find_map(|pair| match self.me {
            me if me == pair.high => Some(Role::High),
            me if me == pair.low => Some(Role::Low),
            _ => None,
        });
        mine.unwrap_or(Role::Equal)
    }

    /// The position the viewer has exchanged cards with, if any have moved.
    fn partner(&self) -> Option<usize> {
        self.own.partner.filter(|_| self.moved != Moved::Nothing).map(usize::from)
    }

    /// The viewer's own exchange.
    fn exchange(&self) -> Exchange<'_, RANKS> {
        let (given, received) = (&self.own.given, &self.own.received);
        Exchange { role: self.role(), moved: self.moved, seen: true, given, received }
    }

    fn custom(&self) -> Custom {
        match self.order {
            JokerOrder::High => Custom { ranks: RANKS, last_is_spare: true },
            JokerOrder::Low | JokerOrder::Holder => Custom { ranks: NATURALS, last_is_spare: false },
        }
    }

    /// A tribute of `count` cards; jokers that the payer may keep are among them by chance.
    fn tribute(&self, low: &Cards, count: u8, draw: &mut Draw) -> Cards {
        let jokers = self.chosen(low, count, draw);
        let mut cards = best_of(low, count - jokers, self.custom().ranks);
        cards.0[JOKER] += jokers;
        cards
    }

    /// How many jokers of a hand are among `count` cards where their holder decides.
    fn chosen(&self, hand: &Cards, count: u8, draw: &mut Draw) -> u8 {
        match (self.order, hand.0[JOKER].min(count)) {
            (JokerOrder::Holder, most @ 1..) => draw.below(u32::from(most) + 1) as u8,
            _ => 0,
        }
    }

    /// A deal that the view allows, or none if there is none.
    fn solve(&self, draw: &mut Draw) -> Option<Deal> {
        let mut plan = self.plan;
        if !self.anchor_jokers(&mut plan, draw) {
            return None;
        }
        let mut hands = plan.deal(self.pool, draw)?;
        hands[self.me] = self.own.hand;
        if self.moved == Moved::All {
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
