//! Leading, topping and passing.

use super::super::View;
use super::super::actions::{self, PASS, Set};
use super::super::deck::JESTER;
use super::hand::{Hand, Tempo};
use super::odds::Count;
use super::weights::MOVE;
use crate::game::ActionId;

/// Goes out if one set does it; else leads, tops or passes, whatever leaves the best position.
pub fn choose(view: View<'_>) -> ActionId {
    let (cards, trick) = (&view.own.hand, &view.table.trick);
    let jesters = cards.0[JESTER].min(2);
    let pass = actions::nth(PASS, 0);
    // Only ranks below this index top the table; on a lead all numbered ranks can be played.
    let ranks = if trick.size == 0 { JESTER } else { (JESTER - usize::from(trick.strength)).min(JESTER) };
    if trick.size != 0 && !cards.0[..ranks].iter().any(|&n| n != 0 && n + jesters >= trick.size) {
        return pass;
    }
    let mut search =
        Search { view, count: Count::new(view), total: cards.total(), best: f32::MIN, action: pass };
    if trick.size != 0 {
        let kept = Hand::of(&mut search.count, cards);
        search.best = kept.value(Tempo::FOLLOWING, search.count.least);
    }
    for rank in 0..ranks {
        let held = cards.0[rank];
        for j in 0..=jesters {
            // A lead takes all cards of a rank: what stays behind would only need another lead.
            let naturals = if trick.size == 0 { held } else { trick.size.saturating_sub(j) };
            if naturals != 0 && naturals <= held {
                search.consider(Set { rank: rank as u8, naturals, jesters: j });
            }
        }
    }
    if trick.size == 0 {
        (1..=jesters).for_each(|j| search.consider(Set { rank: JESTER as u8, naturals: 0, jesters: j }));
    }
    search.action
}

struct Search<'v> {
    view: View<'v>,
    count: Count,
    /// Cards in hand.
    total: u32,
    best: f32,
    action: ActionId,
}

impl Search<'_> {
    /// Remembers `set` if it is better than everything before.
    fn consider(&mut self, set: Set) {
        let value = self.value(set);
        if value > self.best {
            (self.best, self.action) = (value, set.action());
        }
    }

    fn value(&mut self, set: Set) -> f32 {
        // No place is better than the next free one.
        if u32::from(set.size()) == self.total {
            return f32::MAX;
        }
        let rank = usize::from(set.rank);
        let mut rest = self.view.own.hand;
        rest.0[JESTER] -= set.jesters;
        if set.naturals != 0 {
            rest.0[rank] -= set.naturals;
        }
        let lead = self.count.stands(rank, usize::from(set.size()));
        let left = Hand::of(&mut self.count, &rest);
        let mut value = left.value(Tempo { lead }, self.count.least) + MOVE.jester * f32::from(set.jesters);
        if self.view.table.trick.size != 0 {
            value += MOVE.topping;
            if set.naturals != 0 && rest.0[rank] != 0 {
                value += MOVE.split;
            }
        }
        value
    }
}
