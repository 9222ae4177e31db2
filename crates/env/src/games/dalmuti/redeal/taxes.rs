//! Taxes and exchanges that the viewer had no part in: paying them, and explaining a result.
//!
//! A pair's hands after the taxes are explained by a tribute `T` and a return `R` of `k` cards each:
//! `R` is in the Peon's cards, `T` in the Dalmuti's (or, where he chose with the tribute in hand, in
//! `R` itself), and no numbered card of the Peon's outside `R` is better than the worst of `T`.

use super::{Deal, Each, Known, Moved, beyond, sum};
use crate::game::MAX_SEATS;
use crate::games::dalmuti::deck::{Cards, JESTER};
use crate::games::dalmuti::tax::{PROPOSER, tribute};
use crate::rng::Draw;

/// Tribute and return.
pub(super) type Exchange = (Cards, Cards);

/// The rank index of the worst card; 0 if there is none.
pub(super) fn worst(cards: &Cards) -> usize {
    cards.0.iter().rposition(|&n| n != 0).unwrap_or(0)
}

fn uniform(cards: &Cards, draw: &mut Draw) -> usize {
    crate::games::dalmuti::opening::random_card(cards, draw)
}

/// `count` cards of a hand, or all if there are fewer, as a player tends to part with them: each the
/// worse one of two drawn at random.
pub(super) fn spare(mut hand: Cards, count: u8, draw: &mut Draw) -> Cards {
    let mut cards = Cards::NONE;
    for _ in 0..count {
        let rank = uniform(&hand, draw).max(uniform(&hand, draw));
        if hand.0[rank] > 0 {
            hand.0[rank] -= 1;
            cards.0[rank] += 1;
        }
    }
    cards
}

/// The numbered cards better than rank index `limit`.
fn better(cards: &Cards, limit: usize) -> Cards {
    let mut better = Cards::NONE;
    let limit = limit.min(JESTER);
    better.0[..limit].copy_from_slice(&cards.0[..limit]);
    better
}

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
    /// Cards dealt at random become cards after the taxes: the Peon's best go to the Dalmuti for
    /// cards he can spare. A tribute that has been played already is among the played cards, so
    /// each card moves with the probability that it would still be in hand.
    pub(super) fn pay(
        &self,
        (dalmuti, peon, k): (usize, usize, u8),
        hands: &mut Each<Cards>,
        draw: &mut Draw,
    ) {
        let (held, had) = (hands[dalmuti].total(), hands[dalmuti].total() + self.played(dalmuti).total());
        let moving = (0..k).filter(|_| draw.below(had.max(1)) < held).count() as u8;
        let best = tribute(&hands[peon], moving.min(held as u8));
        let back = spare(hands[dalmuti], best.total() as u8, draw);
        hands[peon] = sum(&beyond(&hands[peon], &best), &back);
        hands[dalmuti] = sum(&beyond(&hands[dalmuti], &back), &best);
    }

    /// Names exchanges that lead to these hands; none if there are none.
    pub(super) fn explain(&self, mut hands: Each<Cards>, draw: &mut Draw) -> Option<Deal> {
        let (mut given, mut received) = ([Cards::NONE; MAX_SEATS], [Cards::NONE; MAX_SEATS]);
        let own = self.view.own;
        match self.moved {
            Moved::Nothing => {}
            Moved::Tributes => {
                for (dalmuti, peon, k) in self.hidden_pairs() {
                    let paid = tribute(&hands[peon], k);
                    hands[peon].remove(&paid);
                    hands[dalmuti].add(&paid);
                    (given[peon], received[dalmuti]) = (paid, paid);
                }
                match own.partner.map(usize::from) {
                    Some(peon) if self.me < 2 => given[peon] = own.received,
                    Some(dalmuti) if self.me + 2 >= self.players => received[dalmuti] = own.given,
                    _ => {}
                }
            }
            Moved::All => {
                for pair in self.hidden_pairs() {
                    let (dalmuti, peon, _) = pair;
                    let (paid, back) = self.explain_pair(pair, &hands, draw)?;
                    (given[peon], received[dalmuti]) = (paid, paid);
                    (given[dalmuti], received[peon]) = (back, back);
                }
                if let Some([proposer, target]) = self.hidden_merchants() {
                    let (offered, returned) = self.explain_merchants(&hands, [proposer, target], draw)?;
                    (given[proposer], received[target]) = (offered, offered);
                    (given[target], received[proposer]) = (returned, returned);
                }
                if let Some(partner) = own.partner.map(usize::from) {
                    (given[partner], received[partner]) = (own.received, own.given);
                }
            }
        }
        let deal = Deal { hands, given, received };
        (!self.was_shortchanged(&deal)).then_some(deal)
    }

    /// Whether the viewer is a Dalmuti whose Peon kept better cards in this deal than he paid.
    fn was_shortchanged(&self, deal: &Deal) -> bool {
        let received = &self.view.own.received;
        let paid = self.partner().filter(|_| self.me < 2).map(|peon| deal.dealt(self, peon));
        paid.is_some_and(|dealt| tribute(&dealt, received.total() as u8) != *received)
    }

    /// The card marked at `position`, if it is.
    pub(super) fn marked_at(&self, position: usize) -> Option<usize> {
        self.mark.filter(|&(marked, _)| marked == position).map(|(_, rank)| rank)
    }

    fn explain_pair(
        &self,
        (dalmuti, peon, k): (usize, usize, u8),
        hands: &Each<Cards>,
        draw: &mut Draw,
    ) -> Option<Exchange> {
        let high = sum(&hands[dalmuti], self.played(dalmuti));
        let low = sum(&hands[peon], self.played(peon));
        if self.marked_at(dalmuti).is_some() || self.marked_at(peon).is_some() {
            return self.explain_marked((dalmuti, peon, k), &high, &low, draw);
        }
        let best = tribute(&high, k);
        let limit = if best.total() == u32::from(k) { worst(&best) } else { JESTER };
        let over = better(&low, limit);
        if over == Cards::NONE && best.total() == u32::from(k) {
            let limit = low.0[..JESTER].iter().position(|&n| n != 0).unwrap_or(JESTER);
            let mut eligible = better(&high, limit + 1);
            let mut paid = Cards::NONE;
            for _ in 0..k {
                let card = uniform(&eligible, draw);
                eligible.0[card] -= 1;
                paid.0[card] += 1;
            }
            return Some((paid, spare(low, k, draw)));
        }
        let left = u32::from(k).checked_sub(over.total());
        match left {
            Some(left) if best.total() == u32::from(k) => {
                let rest = spare(beyond(&low, &over), left as u8, draw);
                Some((best, sum(&over, &rest)))
            }
            // Handed straight back.
            _ if self.seen => Some((tribute(&low, k), tribute(&low, k))),
            _ => None,
        }
    }

    /// All explanations one by one, for a pair of whom one was dealt a marked card.
    fn explain_marked(
        &self,
        (dalmuti, peon, k): (usize, usize, u8),
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
                let forced = better(&rest, worst(&paid));
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
                back.add(&spare(choice, open, draw));
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
        let mut card = |i: usize| Cards::one(arrived[i].unwrap_or_else(|| uniform(&choice[i], draw)));
        debug_assert_eq!(both[0], usize::from(PROPOSER));
        let returned = card(0);
        let offered = card(1);
        Some((offered, returned))
    }
}
