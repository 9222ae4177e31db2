//! Taxes and exchanges without the viewer: paying them, explaining their results, and the exact search.
//!
//! A tribute `T` and a return `R` of `k` cards each explain the hands of a pair after the taxes under these conditions:
//!
//! - `R` is among the Peon's cards;
//! - `T` is among the Dalmuti's cards, or partly in `R` if the Dalmuti saw the tribute before choosing;
//! - the Peon has no numbered card outside `R` that is better than the worst of `T`.
//!
//! The exact search tries all tributes that the hidden pairs can have paid.

use cardsharp_climbing::determinize::{
    ExchangeProgress, Pair, PerPosition, better, beyond, explain, spare, sum, worst,
};
use cardsharp_climbing::random_card;
use cardsharp_engine::rng::Draw;

use super::{Deal, Known, Plan, TAX_RULES};
use crate::deck::{Cards, JESTER};
use crate::state::{PROPOSER, tribute};

/// A tribute and a return.
type Exchange = (Cards, Cards);

/// All combinations of `k` numbered cards; `k` is 1 or 2.
pub(super) fn tributes(k: u8) -> impl Iterator<Item = Cards> {
    let seconds = move |first: usize| if k == 1 { JESTER..JESTER + 1 } else { first..JESTER };
    (0..JESTER).flat_map(move |first| {
        seconds(first).map(move |second| {
            let mut cards = Cards::one(first);
            if second < JESTER {
                cards.0[second] += 1;
            }
            cards
        })
    })
}

/// All parts of a tribute that the Dalmuti may have returned. Without `seen` only the empty part.
pub(super) fn handed_back(tribute: &Cards, seen: bool) -> impl Iterator<Item = Cards> {
    let cards = tribute.cards().fold([None; 2], |[_, first], rank| [first, Some(rank)]);
    (0..if seen { 4u8 } else { 1 }).filter_map(move |bits| {
        let mut part = Cards::NONE;
        for (bit, card) in cards.iter().enumerate() {
            match card {
                Some(rank) if bits >> bit & 1 == 1 => part.0[*rank] += 1,
                // A tribute of one card has no first card. Of two equal cards, one subset is enough.
                None if bits >> bit & 1 == 1 => return None,
                _ => {}
            }
        }
        (!(bits == 1 && cards[0] == cards[1])).then_some(part)
    })
}

impl Known<'_> {
    /// Finds exchanges that lead to these hands; `None` if there are none.
    pub(super) fn explain(&self, hands: PerPosition<Cards>, draw: &mut Draw) -> Option<Deal> {
        let mut deal = Deal::of(hands);
        match self.moved {
            ExchangeProgress::Nothing => {}
            ExchangeProgress::Tributes => {
                for pair in self.hidden_pairs() {
                    deal.pay(pair, tribute(&deal.hands[pair.low], pair.cards));
                }
            }
            ExchangeProgress::All => {
                for pair in self.hidden_pairs() {
                    let (paid, back) = self.explain_pair(pair, &deal.hands, draw)?;
                    deal.note([pair.high, pair.low], paid, back);
                }
                if let Some([proposer, target]) = self.hidden_merchants() {
                    let (offered, returned) =
                        self.explain_merchants(&deal.hands, [proposer, target], draw)?;
                    deal.note([target, proposer], offered, returned);
                }
            }
        }
        if let Some(partner) = self.partner() {
            self.exchange().mirror(&mut deal, partner);
        }
        (!self.was_shortchanged(&deal)).then_some(deal)
    }

    /// Whether the viewer is a Dalmuti whose Peon would have had better cards in this deal than those paid.
    fn was_shortchanged(&self, deal: &Deal) -> bool {
        let short = |p| self.exchange().was_shortchanged(deal, p, self.played(p), JESTER);
        self.partner().is_some_and(short)
    }

    /// The rank of the marked card if it marks `position`.
    fn marked_at(&self, position: usize) -> Option<usize> {
        self.mark.filter(|&(marked, _)| marked == position).map(|(_, rank)| rank)
    }

    fn explain_pair(&self, pair: Pair, hands: &PerPosition<Cards>, draw: &mut Draw) -> Option<Exchange> {
        let high = sum(&hands[pair.high], self.played(pair.high));
        let low = sum(&hands[pair.low], self.played(pair.low));
        if self.marked_at(pair.high).is_some() || self.marked_at(pair.low).is_some() {
            return self.explain_marked(pair, &high, &low, draw);
        }
        let explained = explain((&high, &low), (pair.cards, pair.cards), TAX_RULES, draw);
        let straight_back = || (tribute(&low, pair.cards), tribute(&low, pair.cards));
        explained.or_else(|| self.seen.then(straight_back))
    }

    /// Tries all explanations for a pair with a marked card.
    fn explain_marked(
        &self,
        Pair { high: dalmuti, low: peon, cards: k }: Pair,
        high: &Cards,
        low: &Cards,
        draw: &mut Draw,
    ) -> Option<Exchange> {
        // Start at a random tribute and wrap around.
        let start = draw.below(tributes(k).count() as u32) as usize;
        for paid in tributes(k).skip(start).chain(tributes(k).take(start)) {
            for same in handed_back(&paid, self.seen) {
                let came = beyond(&paid, &same);
                if !high.contains(&came) || !low.contains(&same) {
                    continue;
                }
                let rest = beyond(low, &same);
                let forced = better(&rest, worst(&paid, JESTER));
                let Some(extra) = (came.total() as u8).checked_sub(forced.total() as u8) else { continue };
                let mut choice = beyond(&rest, &forced);
                let mut back = forced;
                let mut open = extra;
                if let Some(rank) = self.marked_at(peon)
                    && came.0[rank] == 0
                {
                    if low.0[rank] == forced.0[rank] {
                        continue;
                    }
                    // If the marked card was returned straight away, no other copy has to stay.
                    choice.0[rank] = choice.0[rank].saturating_sub(u8::from(same.0[rank] == 0));
                }
                if let Some(rank) = self.marked_at(dalmuti)
                    && high.0[rank] == came.0[rank]
                    && back.0[rank] == 0
                {
                    if open == 0 || choice.0[rank] == 0 {
                        continue;
                    }
                    choice.0[rank] -= 1;
                    back.0[rank] += 1;
                    open -= 1;
                }
                if choice.total() < u32::from(open) {
                    continue;
                }
                back.add(&spare(choice, open, TAX_RULES, draw));
                return Some((paid, sum(&same, &back)));
            }
        }
        None
    }

    fn explain_merchants(
        &self,
        hands: &PerPosition<Cards>,
        both: [usize; 2],
        draw: &mut Draw,
    ) -> Option<Exchange> {
        // Both hands after the exchange. Each player still holds the received card or has played it.
        let now = both.map(|p| sum(&hands[p], self.played(p)));
        let mut arrived = [None; 2];
        let mut choice = now;
        for (i, &position) in both.iter().enumerate() {
            let Some(rank) = self.marked_at(position) else { continue };
            if now[i].0[rank] != 0 {
                choice[i].0[rank] -= 1;
            } else if now[1 - i].0[rank] != 0 {
                arrived[1 - i] = Some(rank);
            } else {
                return None;
            }
        }
        let mut card = |i: usize| Cards::one(arrived[i].unwrap_or_else(|| random_card(&choice[i], draw)));
        debug_assert_eq!(both[0], usize::from(PROPOSER));
        let returned = card(0);
        let offered = card(1);
        Some((offered, returned))
    }
}

/// One possible tribute of a pair, and the cards that each of them must hold if it was paid.
#[derive(Copy, Clone)]
struct PossibleTribute {
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
        let mut ways: Vec<Vec<PossibleTribute>> =
            self.hidden_pairs().map(|pair| self.ways(pair, plan)).collect();
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

    fn search_pairs(&self, plan: &Plan, ways: &[Vec<PossibleTribute>], draw: &mut Draw) -> Option<Deal> {
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

    fn ways(&self, Pair { high: dalmuti, low: peon, cards }: Pair, plan: &Plan) -> Vec<PossibleTribute> {
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
                        ways.push(PossibleTribute { dalmuti, peon, high, low, floor, free: free as u8 });
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
