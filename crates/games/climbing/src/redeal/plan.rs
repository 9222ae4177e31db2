//! Random deals under constraints on each position.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::Counts;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::sort_few;

use super::cards::Each;

/// Upper bound on the number of cards in a deck.
const MAX_DECK: usize = 128;

/// The constraints on the cards of each position.
#[derive(Copy, Clone)]
pub struct Plan<const N: usize> {
    /// Number of cards to deal, including the fixed ones; 0 for the viewer.
    pub size: Each<u8>,
    /// Cards that the position must get.
    pub fixed: Each<Counts<N>>,
    /// The lowest rank index allowed for its other cards; 0 allows all.
    pub floor: Each<usize>,
    /// How many of the other cards may violate that limit.
    pub free: Each<u8>,
}

impl<const N: usize> Plan<N> {
    /// A plan without cards for any position.
    pub const EMPTY: Self = Self {
        size: [0; MAX_SEATS],
        fixed: [Counts::NONE; MAX_SEATS],
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
    pub fn deal(&self, mut pool: Counts<N>, draw: &mut Draw) -> Option<Each<Counts<N>>> {
        let mut hands = self.fixed;
        let mut open = [0u8; MAX_SEATS];
        for ((fixed, size), open) in self.fixed.iter().zip(self.size).zip(&mut open) {
            // Fast path: most positions have no fixed cards.
            if *fixed == Counts::NONE {
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
