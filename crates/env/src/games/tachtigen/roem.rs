//! Roem: runs, sets and stuk in one hand, and totals that can be claimed.

use std::fmt;

use super::deck::{ACE, Cards, JACK, KING, QUEEN, Suit, TEN, Trump};
use super::rules::{RoemOverlap, Rules};

/// The most roem a hand of eight cards can have.
pub(super) const MOST: u16 = 320;
/// Totals that can be claimed.
pub(super) const CLAIMS: usize = MOST as usize / 10 + 1;
/// King and queen of trump.
const STUK: u16 = 20;

/// A total that can be claimed: 0, 10, …, 320.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim(u8);

impl Claim {
    /// Nothing.
    pub const NOTHING: Self = Self(0);
    /// The most that can be claimed: 320.
    pub(super) const MOST: Self = Self(CLAIMS as u8 - 1);

    /// The claim of so many tens, 0 to 32.
    pub const fn new(tens: u8) -> Option<Self> {
        if (tens as usize) < CLAIMS { Some(Self(tens)) } else { None }
    }

    /// The greatest claim of no more than so many points.
    pub const fn up_to(points: u16) -> Self {
        if points < MOST { Self((points / 10) as u8) } else { Self::MOST }
    }

    /// Its tens, 0 to 32.
    pub const fn tens(self) -> usize {
        self.0 as usize
    }

    /// Its points.
    pub const fn points(self) -> u16 {
        10 * self.0 as u16
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.points())
    }
}

/// What a run of so many cards is worth.
const RUN: [u16; 10] = [0, 0, 0, 20, 50, 100, 120, 140, 160, 160];

/// By the ranks of a suit (bit 0 the six to bit 8 the ace): what its maximal runs are worth.
static RUNS: [u16; 512] = {
    let mut worth = [0; 512];
    let mut ranks = 0;
    while ranks < 512 {
        let (mut bit, mut length) = (0, 0);
        while bit <= 9 {
            if ranks >> bit & 1 == 1 {
                length += 1;
            } else {
                worth[ranks] += RUN[length];
                length = 0;
            }
            bit += 1;
        }
        ranks += 1;
    }
    worth
};

/// What three and four cards of a rank are worth; nothing if the rank does not count.
const fn set(rank: u8, honour_tens: bool) -> [u16; 2] {
    match rank {
        JACK => [100, 200],
        TEN if !honour_tens => [0, 0],
        _ => [50, 100],
    }
}

/// Ranks that can make sets.
const SETS: [u8; 5] = [TEN, JACK, QUEEN, KING, ACE];

fn stuk(hand: Cards, trump: Trump) -> u16 {
    let both = trump.cards().and(Cards::of_rank(KING).or(Cards::of_rank(QUEEN)));
    if !both.is_empty() && hand.and(both) == both { STUK } else { 0 }
}

fn runs(hand: Cards) -> u16 {
    Suit::ALL.iter().map(|&suit| RUNS[hand.ranks(suit)]).sum()
}

/// What the roem in `hand` is worth.
pub(super) fn total(hand: Cards, trump: Trump, rules: &Rules) -> u16 {
    let combinations = match rules.roem_overlap {
        RoemOverlap::Full => full(hand, rules.honour_tens),
        RoemOverlap::Exclusive => exclusive(hand, rules.honour_tens),
    };
    combinations + stuk(hand, trump)
}

/// Runs and sets share cards freely: each maximal run and each set counts once.
fn full(hand: Cards, honour_tens: bool) -> u16 {
    let sets = SETS.iter().map(|&rank| match hand.and(Cards::of_rank(rank)).len() {
        3 => set(rank, honour_tens)[0],
        4 => set(rank, honour_tens)[1],
        _ => 0,
    });
    runs(hand) + sets.sum::<u16>()
}

/// Every card in one run or one set: the best way to share them out. What runs are worth never grows
/// by cutting a run, so what sets leave counts as maximal runs.
fn exclusive(hand: Cards, honour_tens: bool) -> u16 {
    best_sets(hand, &SETS, honour_tens)
}

fn best_sets(left: Cards, ranks: &[u8], honour_tens: bool) -> u16 {
    let Some((&rank, others)) = ranks.split_first() else { return runs(left) };
    let held = left.and(Cards::of_rank(rank));
    let without = best_sets(left, others, honour_tens);
    let [three, four] = set(rank, honour_tens);
    if held.len() < 3 || four == 0 {
        return without;
    }
    let mut best = without
        .max(best_sets(left.minus(held), others, honour_tens) + if held.len() == 4 { four } else { three });
    if held.len() == 4 {
        for kept in held.iter() {
            best = best.max(three + best_sets(left.minus(held.without(kept)), others, honour_tens));
        }
    }
    best
}
