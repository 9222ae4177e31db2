//! Exchanges: what one proves to those in it, and likely ones for those a player did not see.

use super::{Deal, Each, Plan, beyond, sum};
use crate::games::climbing::{best_of, random_card};
use crate::ground::hands::Counts;
use crate::ground::rng::Draw;

/// Which cards have changed hands.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Moved {
    /// None: no taxes, or none yet.
    Nothing,
    /// The tributes; what is given back for them is still being chosen.
    Tributes,
    /// All of them.
    All,
}

/// What a player is in his own exchange.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Role {
    /// He gets a tribute.
    High,
    /// He pays one.
    Low,
    /// Neither: a swap of equals.
    Equal,
}

/// Two positions that exchange `cards` cards: the low one pays, the high one gives as many back.
#[derive(Copy, Clone)]
pub struct Pair {
    /// Who gets the tribute.
    pub high: usize,
    /// Who pays it.
    pub low: usize,
    /// How many cards.
    pub cards: u8,
}

/// How players part with cards.
#[derive(Copy, Clone)]
pub struct Custom {
    /// Tributes are of this many ranks, the best first.
    pub ranks: usize,
    /// Whether a player parts with cards of the last rank before all others; else after them.
    pub last_is_spare: bool,
}

/// An exchange that the viewer took part in, as he knows it.
pub struct Exchange<'a, const N: usize> {
    /// His part in it.
    pub role: Role,
    /// How far it has come.
    pub moved: Moved,
    /// Whether the return was chosen with the tribute in hand.
    pub seen: bool,
    /// Cards he gave, or has picked to give.
    pub given: &'a Counts<N>,
    /// Cards he received.
    pub received: &'a Counts<N>,
}

impl<const N: usize> Exchange<'_, N> {
    /// Puts into `plan` what this exchange proves about the partner, who has `played` these cards:
    /// he had what he gave, he got what he was given, and a payer keeps no card better than the worst
    /// one he paid.
    pub fn anchor(&self, plan: &mut Plan<N>, partner: usize, played: &Counts<N>, ranks: usize) {
        let held = match (self.moved, self.role) {
            // What was handed straight back was never his to keep.
            (Moved::All, Role::Low) if self.seen => beyond(self.given, self.received),
            (Moved::All, _) | (Moved::Tributes, Role::Low) => *self.given,
            _ => Counts::NONE,
        };
        if self.moved == Moved::Tributes {
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

    /// Notes in `deal` what the partner gave and received.
    pub fn mirror(&self, deal: &mut Deal<N>, partner: usize) {
        if self.moved == Moved::All || self.role == Role::High {
            deal.given[partner] = *self.received;
        }
        if self.moved == Moved::All || self.role == Role::Low {
            deal.received[partner] = *self.given;
        }
    }

    /// Whether the viewer's payer kept better cards in this deal than he paid.
    pub fn was_shortchanged(&self, deal: &Deal<N>, partner: usize, played: &Counts<N>, ranks: usize) -> bool {
        let paid = better(self.received, ranks);
        let due = |dealt: &Counts<N>| best_of(dealt, paid.total() as u8, ranks);
        self.role == Role::High && due(&deal.dealt(partner, played)) != paid
    }
}

/// The rank index of the worst card of the first `ranks` ranks; 0 if there is none.
pub fn worst<const N: usize>(cards: &Counts<N>, ranks: usize) -> usize {
    cards.0[..ranks].iter().rposition(|&n| n != 0).unwrap_or(0)
}

/// The cards better than rank index `limit`.
pub fn better<const N: usize>(cards: &Counts<N>, limit: usize) -> Counts<N> {
    let mut better = Counts::NONE;
    better.0[..limit].copy_from_slice(&cards.0[..limit]);
    better
}

/// `count` cards of a hand, or all if there are fewer, as a player tends to part with them: each the
/// worse one of two drawn at random.
pub fn spare<const N: usize>(mut hand: Counts<N>, count: u8, custom: Custom, draw: &mut Draw) -> Counts<N> {
    let mut cards = Counts::NONE;
    let worth = |rank: usize| if custom.last_is_spare { rank } else { (rank + 1) % N };
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

/// Cards dealt at random become cards after the taxes: the best of the low hand, as `paid` says of
/// it and a number of cards, go to the high one for cards that can be spared. A tribute that has been
/// played already is among the `played` cards of the high one, so each card moves with the
/// probability that it would still be in hand.
pub fn pay<const N: usize>(
    pair: Pair,
    hands: &mut Each<Counts<N>>,
    played: u32,
    custom: Custom,
    paid: impl FnOnce(&Counts<N>, u8, &mut Draw) -> Counts<N>,
    draw: &mut Draw,
) {
    let held = hands[pair.high].total();
    let had = held + played;
    let moving = (0..pair.cards).filter(|_| draw.below(had.max(1)) < held).count() as u8;
    let best = paid(&hands[pair.low], moving.min(held as u8), draw);
    let back = spare(hands[pair.high], best.total() as u8, custom, draw);
    hands[pair.low] = sum(&beyond(&hands[pair.low], &best), &back);
    hands[pair.high] = sum(&beyond(&hands[pair.high], &back), &best);
}

/// A tribute of `paid` cards and a return of `back` cards that explain the cards of a pair after its
/// exchange (those played included): the return is among the low one's cards, the tribute among the
/// high one's, and nothing else of the low one's is better than the worst card of the tribute. None
/// if there are none.
pub fn explain<const N: usize>(
    (high, low): (&Counts<N>, &Counts<N>),
    (paid, back): (u8, u8),
    custom: Custom,
    draw: &mut Draw,
) -> Option<(Counts<N>, Counts<N>)> {
    let best = best_of(high, paid, custom.ranks);
    if best.total() != u32::from(paid) {
        return None;
    }
    let over = better(low, worst(&best, custom.ranks));
    if over == Counts::NONE {
        let limit = low.0[..custom.ranks].iter().position(|&n| n != 0).unwrap_or(custom.ranks);
        let mut eligible = better(high, (limit + 1).min(custom.ranks));
        let mut tribute = Counts::NONE;
        for _ in 0..paid {
            let card = random_card(&eligible, draw);
            eligible.0[card] -= 1;
            tribute.0[card] += 1;
        }
        return Some((tribute, spare(*low, back, custom, draw)));
    }
    let left = u32::from(back).checked_sub(over.total())?;
    let rest = spare(beyond(low, &over), left as u8, custom, draw);
    Some((best, sum(&over, &rest)))
}
