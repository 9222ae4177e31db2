//! Decides whether to lead, top or pass.

use cardsharp_engine::hands::{Counts, Positions};

use super::hand::{Hand, Tempo};
use super::odds::Count;
use super::situation::{Lone, Situation};
use crate::sets::MAX_WILDS;
use crate::{Customs, EqualRank, Set, Trick};

/// Whether a hand has a set to lead, or one that answers the table. If not, the player passes without counting cards.
pub fn can_play<const N: usize>(hand: &Counts<N>, trick: &Trick, lone: Lone, customs: Customs) -> bool {
    let wilds = hand.0[N - 1];
    let ranks = answering(N - 1, trick, customs);
    trick.size == 0
        || hand.0[..ranks].iter().any(|&n| n != 0 && n + wilds >= trick.size)
        || lone == Lone::Any && ranks != 0 && wilds >= trick.size
        || equals_lone(wilds, trick, lone, customs)
}

/// Number of natural ranks that answer the set on the table: those below this index. All of them on a lead.
fn answering(wild: usize, trick: &Trick, customs: Customs) -> usize {
    if trick.size == 0 { wild } else { (wild - usize::from(trick.strength) + customs.equals()).min(wild) }
}

/// Whether wild cards alone, as the lowest set, equal the set on the table.
fn equals_lone(wilds: u8, trick: &Trick, lone: Lone, customs: Customs) -> bool {
    lone == Lone::Lowest && trick.strength == 0 && wilds >= trick.size && customs.equals() != 0
}

/// The best set to play, or `None` if passing is better. The hand must have a set to play ([`can_play`]).
///
/// Goes out if one set is enough. Otherwise picks the lead, answer or pass that leaves the best position.
pub fn play<const N: usize>(situation: &Situation<'_, N>) -> Option<Set> {
    let &Situation { hand: cards, trick, .. } = situation;
    let wild = N - 1;
    let wilds = cards.0[wild].min(MAX_WILDS as u8);
    let ranks = answering(wild, trick, situation.customs);
    let total = cards.total();
    let mut search = Search { situation, count: Count::new(situation), total, best: f32::MIN, choice: None };
    if trick.may_pass(situation.customs) {
        let tempo = search.after_passing();
        let kept = Hand::of(situation, &mut search.count, cards);
        search.best = kept.value(situation.weights, tempo, search.count.least);
    }
    for rank in 0..ranks {
        let held = cards.0[rank];
        for w in 0..=wilds {
            // Lead all cards of a rank: the rest would need another lead.
            let naturals = if trick.size == 0 { held } else { trick.size.saturating_sub(w) };
            if naturals != 0 && naturals <= held {
                search.consider(Set { rank: rank as u8, naturals, wilds: w });
            }
        }
    }
    // Wild cards that take any rank are best as the best rank.
    let alone = if situation.lone == Lone::Any { 0 } else { wild };
    if trick.size == 0 {
        (1..=wilds).for_each(|w| search.consider(Set { rank: alone as u8, naturals: 0, wilds: w }));
    } else if situation.lone == Lone::Any && ranks != 0 && wilds >= trick.size {
        search.consider(Set { rank: alone as u8, naturals: 0, wilds: trick.size });
    } else if equals_lone(wilds, trick, situation.lone, situation.customs) {
        search.consider(Set { rank: wild as u8, naturals: 0, wilds: trick.size });
    }
    search.choice
}

struct Search<'s, 'a, const N: usize> {
    situation: &'s Situation<'a, N>,
    count: Count<N>,
    /// Number of cards in hand.
    total: u32,
    best: f32,
    /// The best set so far; `None` to pass.
    choice: Option<Set>,
}

impl<const N: usize> Search<'_, '_, N> {
    /// The chance of the next lead after passing. It is 0, unless the player of the set on the table has gone out and
    /// this player inherits the lead.
    fn after_passing(&mut self) -> Tempo {
        let Situation { trick, customs, position, weights, .. } = *self.situation;
        if !weights.inherits || trick.size == 0 || trick.still_in.has(trick.last) {
            return Tempo::FOLLOWING;
        }
        if trick.heir(customs) != position {
            return Tempo::FOLLOWING;
        }
        if trick.still_in.without(position).is_within(Positions(trick.passed.0 | trick.skipped.0)) {
            return Tempo { lead: 1.0 };
        }
        let rank = N - 1 - usize::from(trick.strength);
        Tempo { lead: self.count.stands(rank, usize::from(trick.size)) }
    }

    /// Probability of leading next after playing this set.
    fn lead_after(&mut self, set: Set) -> f32 {
        let Situation { trick, customs, position, .. } = *self.situation;
        if trick.size != 0 && set.strength::<N>() == trick.strength {
            // The set skips the next player who could answer. With one other player left, that leaves no answer.
            let out = if customs.pass_is_final { trick.passed.0 } else { 0 };
            let others = Positions(trick.still_in.without(position).0 & !out);
            if customs.equal_rank == EqualRank::Burns || others.len() < 2 {
                return 1.0;
            }
        }
        self.count.stands(usize::from(set.rank), usize::from(set.size()))
    }

    /// Makes `set` the choice if its value is the best so far.
    fn consider(&mut self, set: Set) {
        let value = self.value(set);
        if value > self.best {
            (self.best, self.choice) = (value, Some(set));
        }
    }

    fn value(&mut self, set: Set) -> f32 {
        // Going out is best: no later place is better than the next free one.
        if u32::from(set.size()) == self.total {
            return f32::MAX;
        }
        let rank = usize::from(set.rank);
        let mut rest = *self.situation.hand;
        rest.0[N - 1] -= set.wilds;
        if set.naturals != 0 {
            rest.0[rank] -= set.naturals;
        }
        let lead = self.lead_after(set);
        let left = Hand::of(self.situation, &mut self.count, &rest);
        let weights = &self.situation.weights.r#move;
        let mut value = left.value(self.situation.weights, Tempo { lead }, self.count.least);
        value += weights.wild * f32::from(set.wilds);
        if self.situation.trick.size != 0 {
            value += weights.topping + weights.high * (1.0 - self.situation.places[rank]);
            if set.naturals != 0 && rest.0[rank] != 0 {
                value += weights.split;
            }
        } else {
            value += weights.size * (f32::from(set.size()) - 1.0);
        }
        value
    }
}
