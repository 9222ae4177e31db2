//! Taxes and exchanges that the viewer had no part in: paying them, and explaining a result.
//!
//! A pair's hands after the taxes are explained by a tribute `T` and a return `R` of `k` cards each:
//! `R` is in the Peon's cards, `T` in the Dalmuti's (or, where he chose with the tribute in hand, in
//! `R` itself), and no numbered card of the Peon's outside `R` is better than the worst of `T`.

use super::{CUSTOM, Deal, Known};
use crate::games::climbing::random_card;
use crate::games::climbing::redeal::{Each, Moved, Pair, better, beyond, explain, spare, sum, worst};
use crate::games::dalmuti::deck::{Cards, JESTER};
use crate::games::dalmuti::tax::{PROPOSER, tribute};
use crate::ground::rng::Draw;

/// Tribute and return.
pub(super) type Exchange = (Cards, Cards);

/// Every choice of `k` numbered cards (`k` is 1 or 2), as many as there are.
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

/// Every part of a tribute that may have been handed straight back.
pub(super) fn handed_back(tribute: &Cards, seen: bool) -> impl Iterator<Item = Cards> {
    let cards = tribute.cards().fold([None; 2], |[_, first], rank| [first, Some(rank)]);
    (0..if seen { 4u8 } else { 1 }).filter_map(move |bits| {
        let mut part = Cards::NONE;
        for (bit, card) in cards.iter().enumerate() {
            match card {
                Some(rank) if bits >> bit & 1 == 1 => part.0[*rank] += 1,
                // A tribute of one card has no first card; two equal ones need no second way.
                None if bits >> bit & 1 == 1 => return None,
                _ => {}
            }
        }
        (!(bits == 1 && cards[0] == cards[1])).then_some(part)
    })
}

impl Known<'_> {
    /// Names exchanges that lead to these hands; none if there are none.
    pub(super) fn explain(&self, hands: Each<Cards>, draw: &mut Draw) -> Option<Deal> {
        let mut deal = Deal::of(hands);
        match self.moved {
            Moved::Nothing => {}
            Moved::Tributes => {
                for pair in self.hidden_pairs() {
                    deal.pay(pair, tribute(&deal.hands[pair.low], pair.cards));
                }
            }
            Moved::All => {
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

    /// Whether the viewer is a Dalmuti whose Peon kept better cards in this deal than he paid.
    fn was_shortchanged(&self, deal: &Deal) -> bool {
        let short = |p| self.exchange().was_shortchanged(deal, p, self.played(p), JESTER);
        self.partner().is_some_and(short)
    }

    /// The card marked at `position`, if it is.
    pub(super) fn marked_at(&self, position: usize) -> Option<usize> {
        self.mark.filter(|&(marked, _)| marked == position).map(|(_, rank)| rank)
    }

    fn explain_pair(&self, pair: Pair, hands: &Each<Cards>, draw: &mut Draw) -> Option<Exchange> {
        let high = sum(&hands[pair.high], self.played(pair.high));
        let low = sum(&hands[pair.low], self.played(pair.low));
        if self.marked_at(pair.high).is_some() || self.marked_at(pair.low).is_some() {
            return self.explain_marked(pair, &high, &low, draw);
        }
        let explained = explain((&high, &low), (pair.cards, pair.cards), CUSTOM, draw);
        let straight_back = || (tribute(&low, pair.cards), tribute(&low, pair.cards));
        explained.or_else(|| self.seen.then(straight_back))
    }

    /// All explanations one by one, for a pair of whom one was dealt a marked card.
    fn explain_marked(
        &self,
        Pair { high: dalmuti, low: peon, cards: k }: Pair,
        high: &Cards,
        low: &Cards,
        draw: &mut Draw,
    ) -> Option<Exchange> {
        // From a random place on, around to it again.
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
                    // With the marked card among those handed straight back, none need be kept.
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
                back.add(&spare(choice, open, CUSTOM, draw));
                return Some((paid, sum(&same, &back)));
            }
        }
        None
    }

    fn explain_merchants(&self, hands: &Each<Cards>, both: [usize; 2], draw: &mut Draw) -> Option<Exchange> {
        // After the exchange: what each was given is in his hand now, or was played.
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
