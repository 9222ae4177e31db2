//! Roem: the value of runs, sets and stuk in a hand, the totals that players can claim, and announcing.

use std::fmt;

use cardsharp_engine::Seat;

use super::bids::BidKind;
use super::deck::{ACE, Card, Cards, JACK, KING, QUEEN, Suit, TEN, Trump};
use super::rules::{PartnerRoemBasis, RoemOverlap, Rules};
use super::state::{AskedCard, BIDDER, PARTNER, PrivateState, PublicState};

/// The most roem a hand of eight cards can have.
pub(super) const MOST: u16 = 320;
/// Number of totals that can be claimed.
pub(super) const CLAIMS: usize = MOST as usize / 10 + 1;
/// Value of stuk: king and queen of trump.
const STUK: u16 = 20;

/// A total that can be claimed: 0, 10, …, 320.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim(u8);

impl Claim {
    /// A claim of no roem.
    pub const NOTHING: Self = Self(0);
    /// The most that can be claimed: 320.
    pub(super) const MOST: Self = Self(CLAIMS as u8 - 1);

    /// Returns the claim of this many tens, 0 to 32.
    pub const fn new(tens: u8) -> Option<Self> {
        if (tens as usize) < CLAIMS { Some(Self(tens)) } else { None }
    }

    /// Returns the greatest claim of at most this many points.
    pub const fn up_to(points: u16) -> Self {
        if points < MOST { Self((points / 10) as u8) } else { Self::MOST }
    }

    /// The claim in tens, 0 to 32.
    pub const fn tens(self) -> usize {
        self.0 as usize
    }

    /// The claim in points.
    pub const fn points(self) -> u16 {
        10 * self.0 as u16
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.points())
    }
}

/// Value of a run, by its number of cards.
const RUN: [u16; 10] = [0, 0, 0, 20, 50, 100, 120, 140, 160, 160];

/// Value of all maximal runs in a suit, by the ranks held (bit 0 is the six, bit 8 the ace).
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

/// Returns the values of three and of four cards of a rank; 0 if the rank does not count.
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

/// Returns the value of the roem in `hand`.
pub(super) fn total(hand: Cards, trump: Trump, rules: &Rules) -> u16 {
    let combinations = match rules.roem_overlap {
        RoemOverlap::Full => full(hand, rules.honour_tens),
        RoemOverlap::Exclusive => exclusive(hand, rules.honour_tens),
    };
    combinations + stuk(hand, trump)
}

/// Returns the value if runs and sets may share cards: each maximal run and each set counts once.
fn full(hand: Cards, honour_tens: bool) -> u16 {
    let sets = SETS.iter().map(|&rank| match hand.and(Cards::of_rank(rank)).len() {
        3 => set(rank, honour_tens)[0],
        4 => set(rank, honour_tens)[1],
        _ => 0,
    });
    runs(hand) + sets.sum::<u16>()
}

/// Returns the best value if each card counts in only one run or set. Cutting a run never raises its value,
/// so the cards that the sets leave count as maximal runs.
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

// Announcing roem: when it is due, and which cards it counts.

/// Returns which roem is due after `seat` has played `card`: [`BIDDER`] or [`PARTNER`], the index in
/// [`PublicState::roem`].
pub(super) fn due(table: &PublicState, seat: Seat, card: Card) -> Option<usize> {
    if !matches!(table.contract(), Some(BidKind::Points(_))) {
        return None;
    }
    if table.auction.high == Some(seat) {
        return (table.play.played[seat.index()] == Cards::one(card)).then_some(BIDDER);
    }
    (table.asked == AskedCard::Card(card)).then_some(PARTNER)
}

/// Returns the cards that count for the roem of `seat`: the bidder's eight cards, or the partner's cards as
/// the option `partner_roem_basis` says.
pub(super) fn basis(table: &PublicState, whose: usize, hand: Cards, seat: Seat) -> Cards {
    let played = table.play.played[seat.index()];
    if whose == BIDDER || table.rules.partner_roem_basis == PartnerRoemBasis::InitialHand {
        return hand.or(played);
    }
    let plays = &table.play;
    let mine = (0..plays.cards.len()).filter(|&i| plays.player(i) == seat).filter_map(|i| plays.cards.get(i));
    let since = mine.skip_while(|&card| table.asked != AskedCard::Card(card));
    since.fold(hand, Cards::with)
}

/// Returns the value of the roem of `seat`. It must be due, or have been due.
pub(super) fn true_roem(table: &PublicState, whose: usize, own: &PrivateState, seat: Seat) -> u16 {
    total(basis(table, whose, own.hand, seat), table.trump(), &table.rules)
}

/// Returns the index in [`PublicState::roem`] of the claim that is due.
pub(super) fn claimant(table: &PublicState) -> usize {
    if table.auction.high == Some(table.turn) { BIDDER } else { PARTNER }
}
