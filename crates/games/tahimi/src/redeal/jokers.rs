//! Jokers while payers decide how many of them to pay.

use cardsharp_climbing::redeal::{Moved, Pair};
use cardsharp_engine::rng::Draw;

use super::known::{Known, Plan};
use crate::deck::JOKER;
use crate::table::{Ask, Stage};

impl Known<'_> {
    /// Whether tributes have not moved yet because a payer is deciding about jokers.
    pub(super) fn is_before_tributes(&self) -> bool {
        self.view.table.stage == Stage::Taxes && self.moved == Moved::Nothing
    }

    /// The pairs whose payer may be deciding about jokers now, as far as the viewer can tell.
    pub(super) fn deciders(&self) -> impl Iterator<Item = Pair> {
        let asked = self.own.ask == Ask::TaxJokers;
        self.pairs().filter(move |pair| match asked {
            true => pair.low == self.me,
            false => self.deciding.contains(&pair.low) && pair.low != self.me,
        })
    }

    /// Deals one joker to a payer who may be deciding, and the other joker anywhere. All such deals are equally likely.
    /// Returns false if there is none.
    pub(super) fn anchor_jokers(&self, plan: &mut Plan, draw: &mut Draw) -> bool {
        if !self.is_before_tributes() || self.own.ask == Ask::TaxJokers {
            return true;
        }
        let mut places = [0u32; 2];
        let decides = |p: usize| self.deciders().any(|pair| pair.low == p);
        for p in 0..self.players {
            places[usize::from(!decides(p))] += u32::from(plan.size[p]);
        }
        let [deciding, others] = places;
        let mut place = |here: bool, number: u32| {
            let mut left = number;
            for p in (0..self.players).filter(|&p| decides(p) == here) {
                let open = u32::from(plan.open(p));
                if left < open {
                    plan.fixed[p].0[JOKER] += 1;
                    return;
                }
                left -= open;
            }
        };
        if deciding == 0 {
            return false;
        }
        let first = draw.below(deciding);
        match self.pool.0[JOKER] {
            1 => place(true, first),
            2 => {
                let both = deciding * (deciding - 1) / 2;
                let here = draw.below(both + deciding * others) < both;
                place(true, first);
                place(here, draw.below(if here { deciding - 1 } else { others }));
            }
            _ => return false,
        }
        true
    }
}
