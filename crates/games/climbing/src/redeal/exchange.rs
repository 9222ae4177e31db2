//! Exchanges of cards: what an exchange proves to its players, and plausible exchanges for pairs that the viewer did
//! not see.

use cardsharp_engine::hands::Counts;
use cardsharp_engine::rng::Draw;

use super::cards::{Each, beyond, sum};
use super::deal::{Deal, Pair};
use super::plan::Plan;
use crate::{best_of, random_card};

/// How many of the exchanged cards have moved.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Moved {
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
pub struct Custom {
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
    pub moved: Moved,
    /// Whether the receiver chose the return after seeing the tribute.
    pub seen: bool,
    /// Cards that the viewer gave, or has picked to give.
    pub given: &'a Counts<N>,
    /// Cards that the viewer received.
    pub received: &'a Counts<N>,
}

impl<const N: usize> Exchange<'_, N> {
    /// Enters into `plan` what this exchange proves about the partner, who has `played` these cards.
    ///
    /// The partner holds the cards that the viewer gave, and retains no card better than the worst of a tribute that
    /// they paid. `plan` also corrects the partner's hand size while only tributes have moved.
    pub fn anchor(&self, plan: &mut Plan<N>, partner: usize, played: &Counts<N>, ranks: usize) {
        let held = match (self.moved, self.role) {
            // The partner held these cards only until they gave them back.
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

    /// Records in `deal` what the partner gave and received.
    pub fn mirror(&self, deal: &mut Deal<N>, partner: usize) {
        if self.moved == Moved::All || self.role == Role::High {
            deal.given[partner] = *self.received;
        }
        if self.moved == Moved::All || self.role == Role::Low {
            deal.received[partner] = *self.given;
        }
    }

    /// Whether the deal contradicts the tribute: the viewer's payer would have had better cards than those paid.
    pub fn was_shortchanged(&self, deal: &Deal<N>, partner: usize, played: &Counts<N>, ranks: usize) -> bool {
        let paid = better(self.received, ranks);
        let due = |dealt: &Counts<N>| best_of(dealt, paid.total() as u8, ranks);
        self.role == Role::High && due(&deal.dealt(partner, played)) != paid
    }
}

/// The rank index of the worst card among the first `ranks` ranks; 0 if there is none.
pub fn worst<const N: usize>(cards: &Counts<N>, ranks: usize) -> usize {
    cards.0[..ranks].iter().rposition(|&n| n != 0).unwrap_or(0)
}

/// The cards of rank indices below `limit`, which are better.
pub fn better<const N: usize>(cards: &Counts<N>, limit: usize) -> Counts<N> {
    let mut better = Counts::NONE;
    better.0[..limit].copy_from_slice(&cards.0[..limit]);
    better
}

/// Picks `count` cards of a hand for a player to give away, or all if there are fewer. Each is the worse one of two
/// random cards.
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

/// Applies the taxes of a pair to hands dealt at random. The best cards of the low hand, as chosen by `paid`, move to
/// the high hand, which gives spare cards for them.
///
/// The high player may have played some of the tribute already. So each card of it moves only with the probability that
/// it would still be in hand: cards held divided by cards held and `played`.
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

/// Finds a tribute of `paid` cards and a return of `back` cards that lead to the present cards of a pair. Both hands
/// include the cards played since.
///
/// The return is among the low player's cards, and the tribute among the high player's. The low player has no card
/// outside the return that is better than the worst card of the tribute. Returns `None` if no such exchange exists.
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
