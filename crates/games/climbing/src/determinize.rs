//! Determinization: deals the hidden cards at random, consistent with a view.
//!
//! [`HandConstraints`] deals the unseen cards at random to the places that known cards leave open. An exchange that the
//! viewer took part in proves cards of their partner ([`Exchange`]). Pairs whose exchange the viewer did not see pay
//! with the cards dealt to them ([`pay`]). [`explain`] then finds an exchange that leads to the resulting hands.
//!
//! Rank index 0 is the best rank for taxes and `N − 1` the worst. A game in which players pay wild cards before all
//! others reorders its cards accordingly.

pub mod testing;

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::RankCounts;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::sort_few;

use super::{best_of, random_card};

// Arithmetic on cards, and values by position.

/// One value per position.
pub type PerPosition<T> = [T; MAX_SEATS];

/// The cards of `all` that exceed those of `part`, rank by rank; never negative.
pub fn beyond<const N: usize>(all: &RankCounts<N>, part: &RankCounts<N>) -> RankCounts<N> {
    let mut rest = *all;
    rest.0.iter_mut().zip(&part.0).for_each(|(n, p)| *n = n.saturating_sub(*p));
    rest
}

/// The cards of both together.
pub fn sum<const N: usize>(a: &RankCounts<N>, b: &RankCounts<N>) -> RankCounts<N> {
    let mut all = *a;
    all.add(b);
    all
}

// Random deals under constraints on each position.

/// Upper bound on the number of cards in a deck.
const MAX_DECK: usize = 128;

/// The constraints on the cards of each position.
#[derive(Copy, Clone)]
pub struct HandConstraints<const N: usize> {
    /// Number of cards to deal, including the fixed ones; 0 for the viewer.
    pub size: PerPosition<u8>,
    /// Cards that the position must get.
    pub fixed: PerPosition<RankCounts<N>>,
    /// The lowest rank index allowed for its other cards; 0 allows all.
    pub floor: PerPosition<usize>,
    /// How many of the other cards may violate that limit.
    pub free: PerPosition<u8>,
}

impl<const N: usize> HandConstraints<N> {
    /// A plan without cards for any position.
    pub const EMPTY: Self = Self {
        size: [0; MAX_SEATS],
        fixed: [RankCounts::NONE; MAX_SEATS],
        floor: [0; MAX_SEATS],
        free: [0; MAX_SEATS],
    };

    /// Number of cards of a position that are not fixed.
    pub fn open(&self, position: usize) -> u8 {
        self.size[position].saturating_sub(self.fixed[position].total() as u8)
    }

    /// Deals the whole pool at random; `None` if that is impossible.
    ///
    /// The limits are nested: each floor admits what a higher floor admits. So cards drawn uniformly for the highest
    /// floor first never run into a dead end. All deals that satisfy the limits are equally likely, given which places
    /// they apply to.
    pub fn deal(&self, mut pool: RankCounts<N>, draw: &mut Draw) -> Option<PerPosition<RankCounts<N>>> {
        let mut hands = self.fixed;
        let mut open = [0u8; MAX_SEATS];
        for ((fixed, size), open) in self.fixed.iter().zip(self.size).zip(&mut open) {
            // Fast path: most positions have no fixed cards.
            if *fixed == RankCounts::NONE {
                *open = size;
                continue;
            }
            if !pool.contains(fixed) {
                return None;
            }
            pool.remove(fixed);
            *open = size.checked_sub(fixed.total() as u8)?;
        }
        let mut limited = [0; MAX_SEATS];
        let mut count = 0;
        for (p, &open) in open.iter().enumerate() {
            if self.floor[p] > 0 && open > self.free[p] {
                limited[count] = p;
                count += 1;
            }
        }
        sort_few(&mut limited[..count], |&a, &b| self.floor[a] > self.floor[b]);
        for &p in &limited[..count] {
            let admitted = &pool.0[self.floor[p]..];
            let mut left: u32 = admitted.iter().map(|&n| u32::from(n)).sum();
            for _ in self.free[p]..open[p] {
                if left == 0 {
                    return None;
                }
                let rank = self.floor[p] + pick(&pool.0[self.floor[p]..], draw.below(left));
                pool.0[rank] -= 1;
                hands[p].0[rank] += 1;
                left -= 1;
            }
            open[p] = self.free[p];
        }
        let mut pack = [0u8; MAX_DECK];
        let mut cards = 0;
        for rank in 0..N {
            let n = usize::from(pool.0[rank]);
            pack.get_mut(cards..cards + n)?.fill(rank as u8);
            cards += n;
        }
        if cards != open.iter().map(|&n| usize::from(n)).sum::<usize>() {
            return None;
        }
        draw.shuffle(&mut pack[..cards]);
        let mut next = pack[..cards].iter();
        for (hand, &n) in hands.iter_mut().zip(&open) {
            next.by_ref().take(usize::from(n)).for_each(|&rank| hand.0[usize::from(rank)] += 1);
        }
        Some(hands)
    }
}

/// The rank index of the card with index `place` if the cards of `counts` are listed in order.
fn pick(counts: &[u8], mut place: u32) -> usize {
    for (rank, &n) in counts.iter().enumerate() {
        if place < u32::from(n) {
            return rank;
        }
        place -= u32::from(n);
    }
    counts.len() - 1
}

// A determinized deal: what each position holds, gave and received.

/// Two positions that exchange `cards` cards: `low` pays the tribute, and `high` gives as many cards back.
#[derive(Copy, Clone)]
pub struct Pair {
    /// The position that receives the tribute.
    pub high: usize,
    /// The position that pays it.
    pub low: usize,
    /// Number of cards each gives.
    pub cards: u8,
}

/// Hands by position, and the cards that each position gave and received.
#[derive(Copy, Clone)]
pub struct DealtHands<const N: usize> {
    /// Cards in the hand of each position.
    pub hands: PerPosition<RankCounts<N>>,
    /// Cards that each position gave.
    pub given: PerPosition<RankCounts<N>>,
    /// Cards that each position received.
    pub received: PerPosition<RankCounts<N>>,
}

impl<const N: usize> DealtHands<N> {
    /// A deal in which no card has moved yet.
    pub fn of(hands: PerPosition<RankCounts<N>>) -> Self {
        Self { hands, given: [RankCounts::NONE; MAX_SEATS], received: [RankCounts::NONE; MAX_SEATS] }
    }

    /// Moves the tribute `paid` from the low position of a pair to the high one.
    pub fn pay(&mut self, pair: Pair, paid: RankCounts<N>) {
        self.hands[pair.low].remove(&paid);
        self.hands[pair.high].add(&paid);
        (self.given[pair.low], self.received[pair.high]) = (paid, paid);
    }

    /// Records an exchange that led to the present hands. The first position received `got` and gave `gave`.
    pub fn note(&mut self, [first, second]: [usize; 2], got: RankCounts<N>, gave: RankCounts<N>) {
        (self.received[first], self.given[second]) = (got, got);
        (self.given[first], self.received[second]) = (gave, gave);
    }

    /// The cards originally dealt to a position that has `played` these cards since.
    pub fn dealt(&self, position: usize, played: &RankCounts<N>) -> RankCounts<N> {
        let mut cards = sum(&self.hands[position], played);
        cards.add(&self.given[position]);
        beyond(&cards, &self.received[position])
    }
}

// Exchanges of cards: what an exchange proves to its players, and plausible exchanges for pairs that the viewer did
// not see.

/// How many of the exchanged cards have moved.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum ExchangeProgress {
    /// No cards: there are no taxes, or no player has paid yet.
    Nothing,
    /// The tributes have moved. Receivers still choose what to give back.
    Tributes,
    /// All cards have moved.
    All,
}

/// The role of a player in an exchange.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Role {
    /// The player receives a tribute.
    High,
    /// The player pays a tribute.
    Low,
    /// Neither: an exchange between equals.
    Equal,
}

/// Which cards players pay and give away in a game.
#[derive(Copy, Clone)]
pub struct TaxRules {
    /// Tributes come from this many ranks, the best first.
    pub ranks: usize,
    /// Whether players give away cards of the last rank before all others; otherwise they give them away last.
    pub last_is_spare: bool,
}

/// The viewer's own exchange, as the viewer knows it.
pub struct Exchange<'a, const N: usize> {
    /// The role of the viewer.
    pub role: Role,
    /// Which cards have moved.
    pub moved: ExchangeProgress,
    /// Whether the receiver chose the return after seeing the tribute.
    pub seen: bool,
    /// Cards that the viewer gave, or has picked to give.
    pub given: &'a RankCounts<N>,
    /// Cards that the viewer received.
    pub received: &'a RankCounts<N>,
}

impl<const N: usize> Exchange<'_, N> {
    /// Enters into `plan` what this exchange proves about the partner, who has `played` these cards.
    ///
    /// The partner holds the cards that the viewer gave, and retains no card better than the worst of a tribute that
    /// they paid. `plan` also corrects the partner's hand size while only tributes have moved.
    pub fn anchor(
        &self,
        plan: &mut HandConstraints<N>,
        partner: usize,
        played: &RankCounts<N>,
        ranks: usize,
    ) {
        let held = match (self.moved, self.role) {
            // The partner held these cards only until they gave them back.
            (ExchangeProgress::All, Role::Low) if self.seen => beyond(self.given, self.received),
            (ExchangeProgress::All, _) | (ExchangeProgress::Tributes, Role::Low) => *self.given,
            _ => RankCounts::NONE,
        };
        if self.moved == ExchangeProgress::Tributes {
            let size = &mut plan.size[partner];
            *size = if self.role == Role::High {
                size.saturating_sub(self.received.total() as u8)
            } else {
                *size + self.given.total() as u8
            };
        }
        plan.fixed[partner] = beyond(&held, played);
        if self.role == Role::High {
            plan.floor[partner] = worst(self.received, ranks);
        }
    }

    /// Records in `deal` what the partner gave and received.
    pub fn mirror(&self, deal: &mut DealtHands<N>, partner: usize) {
        if self.moved == ExchangeProgress::All || self.role == Role::High {
            deal.given[partner] = *self.received;
        }
        if self.moved == ExchangeProgress::All || self.role == Role::Low {
            deal.received[partner] = *self.given;
        }
    }

    /// Whether the deal contradicts the tribute: the viewer's payer would have had better cards than those paid.
    pub fn was_shortchanged(
        &self,
        deal: &DealtHands<N>,
        partner: usize,
        played: &RankCounts<N>,
        ranks: usize,
    ) -> bool {
        let paid = better(self.received, ranks);
        let due = |dealt: &RankCounts<N>| best_of(dealt, paid.total() as u8, ranks);
        self.role == Role::High && due(&deal.dealt(partner, played)) != paid
    }
}

/// The rank index of the worst card among the first `ranks` ranks; 0 if there is none.
pub fn worst<const N: usize>(cards: &RankCounts<N>, ranks: usize) -> usize {
    cards.0[..ranks].iter().rposition(|&n| n != 0).unwrap_or(0)
}

/// The cards of rank indices below `limit`, which are better.
pub fn better<const N: usize>(cards: &RankCounts<N>, limit: usize) -> RankCounts<N> {
    let mut better = RankCounts::NONE;
    better.0[..limit].copy_from_slice(&cards.0[..limit]);
    better
}

/// Picks `count` cards of a hand for a player to give away, or all if there are fewer. Each is the worse one of two
/// random cards.
pub fn spare<const N: usize>(
    mut hand: RankCounts<N>,
    count: u8,
    tax_rules: TaxRules,
    draw: &mut Draw,
) -> RankCounts<N> {
    let mut cards = RankCounts::NONE;
    let worth = |rank: usize| if tax_rules.last_is_spare { rank } else { (rank + 1) % N };
    for _ in 0..count {
        let (one, other) = (random_card(&hand, draw), random_card(&hand, draw));
        let rank = if worth(one) > worth(other) { one } else { other };
        if hand.0[rank] > 0 {
            hand.0[rank] -= 1;
            cards.0[rank] += 1;
        }
    }
    cards
}

/// Applies the taxes of a pair to hands dealt at random. The best cards of the low hand, as chosen by `paid`, move to
/// the high hand, which gives spare cards for them.
///
/// The high player may have played some of the tribute already. So each card of it moves only with the probability that
/// it would still be in hand: cards held divided by cards held and `played`.
pub fn pay<const N: usize>(
    pair: Pair,
    hands: &mut PerPosition<RankCounts<N>>,
    played: u32,
    tax_rules: TaxRules,
    paid: impl FnOnce(&RankCounts<N>, u8, &mut Draw) -> RankCounts<N>,
    draw: &mut Draw,
) {
    let held = hands[pair.high].total();
    let had = held + played;
    let moving = (0..pair.cards).filter(|_| draw.below(had.max(1)) < held).count() as u8;
    let best = paid(&hands[pair.low], moving.min(held as u8), draw);
    let back = spare(hands[pair.high], best.total() as u8, tax_rules, draw);
    hands[pair.low] = sum(&beyond(&hands[pair.low], &best), &back);
    hands[pair.high] = sum(&beyond(&hands[pair.high], &back), &best);
}

/// Finds a tribute of `paid` cards and a return of `back` cards that lead to the present cards of a pair. Both hands
/// include the cards played since.
///
/// The return is among the low player's cards, and the tribute among the high player's. The low player has no card
/// outside the return that is better than the worst card of the tribute. Returns `None` if no such exchange exists.
pub fn explain<const N: usize>(
    (high, low): (&RankCounts<N>, &RankCounts<N>),
    (paid, back): (u8, u8),
    tax_rules: TaxRules,
    draw: &mut Draw,
) -> Option<(RankCounts<N>, RankCounts<N>)> {
    let best = best_of(high, paid, tax_rules.ranks);
    if best.total() != u32::from(paid) {
        return None;
    }
    let over = better(low, worst(&best, tax_rules.ranks));
    if over == RankCounts::NONE {
        let limit = low.0[..tax_rules.ranks].iter().position(|&n| n != 0).unwrap_or(tax_rules.ranks);
        let mut eligible = better(high, (limit + 1).min(tax_rules.ranks));
        let mut tribute = RankCounts::NONE;
        for _ in 0..paid {
            let card = random_card(&eligible, draw);
            eligible.0[card] -= 1;
            tribute.0[card] += 1;
        }
        return Some((tribute, spare(*low, back, tax_rules, draw)));
    }
    let left = u32::from(back).checked_sub(over.total())?;
    let rest = spare(beyond(low, &over), left as u8, tax_rules, draw);
    Some((best, sum(&over, &rest)))
}
