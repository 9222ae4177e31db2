//! The exact search: tries all tributes that the hidden pairs can have paid.

use cardsharp_climbing::redeal::{Pair, beyond, sum, worst};
use cardsharp_engine::rng::Draw;

use super::known::{Deal, Known, Plan};
use super::taxes::{handed_back, tributes};
use crate::deck::{Cards, JESTER};

/// One possible tribute of a pair, and the cards that each of them must hold if it was paid.
#[derive(Copy, Clone)]
struct Way {
    dalmuti: usize,
    peon: usize,
    /// Cards that the Dalmuti must hold.
    high: Cards,
    /// Cards that the Peon must hold.
    low: Cards,
    /// The lowest rank index allowed for the Peon's other cards: that of the worst card paid.
    floor: usize,
    /// How many of those other cards may be better, because the Dalmuti returned them.
    free: u8,
}

impl Known<'_> {
    /// A deal after the taxes; `None` only if there is none.
    pub(super) fn search(&self, plan: &Plan, draw: &mut Draw) -> Option<Deal> {
        let mut ways: Vec<Vec<Way>> = self.hidden_pairs().map(|pair| self.ways(pair, plan)).collect();
        ways.iter_mut().for_each(|ways| draw.shuffle(ways));
        for place in self.merchant_marks() {
            let mut plan = *plan;
            if let Some((position, rank)) = place {
                plan.fixed[position].0[rank] += 1;
            }
            if let Some(deal) = self.search_pairs(&plan, &ways, draw) {
                return Some(deal);
            }
        }
        None
    }

    fn search_pairs(&self, plan: &Plan, ways: &[Vec<Way>], draw: &mut Draw) -> Option<Deal> {
        let Some((first, others)) = ways.split_first() else {
            let mut hands = plan.deal(self.pool, draw)?;
            hands[self.me] = self.view.own.hand;
            return self.explain(hands, draw);
        };
        first.iter().find_map(|way| {
            let mut plan = *plan;
            plan.fixed[way.dalmuti] = way.high;
            plan.fixed[way.peon] = way.low;
            plan.floor[way.peon] = way.floor;
            plan.free[way.peon] = way.free;
            self.search_pairs(&plan, others, draw)
        })
    }

    /// The positions where the marked card can be now, if it marks a Merchant in a hidden exchange.
    fn merchant_marks(&self) -> Vec<Option<(usize, usize)>> {
        let none = vec![None];
        let (Some(both), Some((marked, rank))) = (self.hidden_merchants(), self.mark) else { return none };
        if !both.contains(&marked) || both.iter().any(|&p| self.played(p).0[rank] > 0) {
            return none;
        }
        both.iter().map(|&p| Some((p, rank))).collect()
    }

    fn ways(&self, Pair { high: dalmuti, low: peon, cards }: Pair, plan: &Plan) -> Vec<Way> {
        let mut ways = Vec::new();
        for paid in tributes(cards) {
            for same in handed_back(&paid, self.seen) {
                let came = beyond(&paid, &same);
                let floor = worst(&paid, JESTER);
                let low = beyond(&same, self.played(peon));
                // The Peon's known cards, without tribute cards that came straight back.
                let rest = beyond(&sum(self.played(peon), &low), &same);
                let mut add = |high: &Cards, low: Cards, returned: u32| {
                    let returned = returned + rest.0[..floor].iter().map(|&n| u32::from(n)).sum::<u32>();
                    let Some(free) = came.total().checked_sub(returned) else { return };
                    let high = beyond(high, self.played(dalmuti));
                    let fits = self.pool.contains(&sum(&high, &low))
                        && high.total() <= u32::from(plan.size[dalmuti])
                        && low.total() <= u32::from(plan.size[peon]);
                    if fits {
                        ways.push(Way { dalmuti, peon, high, low, floor, free: free as u8 });
                    }
                };
                if let Some(rank) = self.marked_at(peon) {
                    if came.0[rank] > 0 || same.0[rank] > 0 || rest.0[rank] > 0 && rank >= floor {
                        add(&came, low, 0);
                    } else if rank >= floor {
                        add(&came, sum(&low, &Cards::one(rank)), 0);
                    }
                } else if let Some(rank) = self.marked_at(dalmuti) {
                    add(&sum(&came, &Cards::one(rank)), low, 0);
                    if rest.0[rank] == 0 {
                        add(&came, sum(&low, &Cards::one(rank)), 1);
                    } else {
                        // A returned card better than the floor already counts in `rest`.
                        add(&came, low, u32::from(rank >= floor));
                    }
                } else {
                    add(&came, low, 0);
                }
            }
        }
        ways
    }
}
