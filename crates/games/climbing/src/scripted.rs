//! The scripted player of the climbing games.
//!
//! It considers every sensible move and describes the cards left afterwards with about thirty features. These include
//! the number of sets, their ranks, the odds that no other player tops them, and the opponents' card counts. It picks
//! the move with the highest weighted sum ([`play`], [`Hand`]). The features come from card counting ([`Count`]). Each
//! game has its own fitted weights ([`ScriptedWeights`]). The cards to give away in taxes or an exchange follow from
//! the same value of a hand ([`give`]).
//!
//! Ranks are indices `0..N`: 0 is the best, `N - 2` the worst natural rank, and `N - 1` the wild cards. The strength of
//! a set is `N - 1` minus its rank index, so 0 for wild cards played as the lowest rank.

mod odds;
#[cfg(test)]
mod tests;
mod weights;

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::{Positions, RankCounts};

pub use odds::Count;
pub use weights::{LeadWeights, MoveWeights, ScriptedWeights, SetWeights, WholeWeights, adjustments};

use super::sets::MAX_WILDS;
use super::{Bounded, EqualRank, Memory, Set, Trick, TrickRules};

// The input of the scripted player, in terms that both climbing games share.

/// The rank of a set of wild cards only.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum WildRank {
    /// The lowest rank of all.
    Lowest,
    /// Any natural rank, which the player declares.
    Any,
}

/// What one player sees of a round, with the parameters of the game.
#[derive(Copy, Clone)]
pub struct Situation<'a, const N: usize> {
    /// The cards in the player's hand.
    pub hand: &'a RankCounts<N>,
    /// All cards of the deck in play.
    pub deck: &'a RankCounts<N>,
    /// The cards played and the passes so far.
    pub memory: &'a Memory<N>,
    /// The state of play.
    pub trick: &'a Trick,
    /// The position of the player, 0 for the first.
    pub position: u8,
    /// Number of cards of each position still in, at least 1. Other entries are ignored.
    pub held: [u8; MAX_SEATS],
    /// The place of each rank among the ranks of the deck, from 0 (the best) to 1.
    pub places: &'a [f32; N],
    /// The rank of a set of wild cards only.
    pub lone: WildRank,
    /// The rules of the trick that differ between games, and the house rules.
    pub trick_rules: TrickRules,
    /// The weights of this game.
    pub weights: &'a ScriptedWeights,
}

// Features of a hand: its sets, each with odds from card counting.

/// The chances of a player to lead next.
#[derive(Copy, Clone)]
pub struct Tempo {
    /// Probability that the player leads next.
    pub lead: f32,
}

impl Tempo {
    /// Another player takes the trick.
    pub const FOLLOWING: Self = Self { lead: 0.0 };
}

/// The value of a hand that certainly goes out: above all ordinary values, and below that of going out now.
const GONE: f32 = f32::MAX / 2.0;

/// The features of a hand. Ranks are places among the ranks of the deck, from 0 (the best) to 1. Shares and odds are
/// from 0 to 1.
#[derive(Copy, Clone, Debug)]
pub struct Hand {
    /// The sum of the values of the single sets: see [`SetWeights`].
    sets_value: f32,
    /// Number of sets, at least 1: wild cards alone count as a set.
    sets: f32,
    /// Number of wild cards.
    wilds: f32,
    /// Expected number of sets that no other player can answer.
    winners: f32,
    /// The longest wait of any set for an opportunity to top, 0 to 1.
    longest_wait: f32,
    /// Probability that no other player answers the weakest set.
    weakest: f32,
    /// Probability of going out without losing the lead, with the weakest set played last.
    run: f32,
    /// Mean, worst and best rank of the sets.
    ranks: [f32; 3],
    /// Mean share of the unseen cards that are better than the set.
    beaten: f32,
}

impl Hand {
    /// Computes the features of `cards`, which must not be empty.
    pub fn of<const N: usize>(
        situation: &Situation<'_, N>,
        count: &mut Count<N>,
        cards: &RankCounts<N>,
    ) -> Self {
        let wilds = usize::from(cards.0[N - 1]);
        let weights = &situation.weights.sets;
        let (mut sets, mut sets_value, mut winners, mut longest_wait) = (0.0, 0.0, 0.0, 0.0f32);
        let (mut rank_sum, mut worst, mut best, mut beaten) = (0.0, 0.0, 1.0, 0.0);
        let (mut run, mut weakest, mut lift) = (1.0f32, 1.0f32, 1.0f32);
        for rank in 0..N - 1 {
            let n = usize::from(cards.0[rank]);
            if n == 0 {
                continue;
            }
            let odds = count.set(rank, n);
            let (stands, wait) = (odds.stands, odds.wait());
            let share = count.better[rank];
            let place = situation.places[rank];
            let w = &weights[n.min(weights.len()) - 1];
            sets_value += w.each + w.stands * stands + w.stands2 * stands * stands + w.wait * wait;
            sets_value += w.beaten * share + w.beaten2 * share * share + w.rank2 * place * place;
            sets += 1.0;
            winners += stands;
            longest_wait = longest_wait.max(wait);
            rank_sum += place;
            worst = place;
            best = if best < place { best } else { place };
            beaten += share;
            // `run` excludes the weakest set. A set that is no longer the weakest joins the product.
            run *= if stands < weakest { std::mem::replace(&mut weakest, stands) } else { stands };
            if wilds != 0 {
                // Wild cards join the set that gains most. The added constant keeps the ratio finite.
                lift = lift.max((count.set(rank, n + wilds).stands + 0.001) / (stands + 0.001));
            }
        }
        if sets == 0.0 {
            (sets, weakest) = (1.0, if situation.lone == WildRank::Any { 1.0 } else { 0.0 });
        }
        let ranks = [rank_sum / sets, worst, best];
        let (wilds, run, beaten) = (wilds as f32, (run * lift).min(1.0), beaten / sets);
        Self { sets_value, sets, wilds, winners, longest_wait, weakest, run, ranks, beaten }
    }

    /// The value of holding this hand, an estimate of the place score up to a constant. `least` is the smallest number
    /// of cards that an opponent holds.
    pub fn value(&self, weights: &ScriptedWeights, Tempo { lead }: Tempo, least: f32) -> f32 {
        // Every set but perhaps the last one wins its trick, and the last one ends the hand. With wild cards `run` is
        // only an estimate.
        if weights.finishes && lead == 1.0 && self.run == 1.0 && self.wilds == 0.0 {
            return GONE;
        }
        let ScriptedWeights { whole, lead: leading, .. } = weights;
        let held = if self.wilds > 0.0 { 1.0 } else { 0.0 };
        let deficit = (self.sets - 2.0 * self.winners - self.wilds).max(0.0);
        self.sets_value
            + whole.deficit * deficit
            + whole.longest_wait * self.longest_wait
            + whole.hurry * self.sets / least
            + whole.run * self.run
            + whole.wilds * held / self.sets
            + whole.mean_rank * self.ranks[0]
            + whole.worst_rank * self.ranks[1]
            + whole.best_rank * self.ranks[2]
            + whole.beaten * self.beaten
            + lead
                * (leading.always
                    + leading.certain * lead
                    + leading.weakest * self.weakest
                    + leading.run * self.run
                    + leading.few_sets / self.sets
                    + leading.hurry / least
                    + leading.winners * self.winners
                    + leading.beaten * self.beaten)
    }
}

// The play: whether to lead, top or pass.

/// Whether a hand has a set to lead, or one that answers the table. If not, the player passes without counting cards.
pub fn can_play<const N: usize>(
    hand: &RankCounts<N>,
    trick: &Trick,
    lone: WildRank,
    trick_rules: TrickRules,
) -> bool {
    let wilds = hand.0[N - 1];
    let ranks = answering(N - 1, trick, trick_rules);
    trick.size == 0
        || hand.0[..ranks].iter().any(|&n| n != 0 && n + wilds >= trick.size)
        || lone == WildRank::Any && ranks != 0 && wilds >= trick.size
        || equals_lone(wilds, trick, lone, trick_rules)
}

/// Number of natural ranks that answer the set on the table: those below this index. All of them on a lead.
fn answering(wild: usize, trick: &Trick, trick_rules: TrickRules) -> usize {
    if trick.size == 0 { wild } else { (wild - usize::from(trick.strength) + trick_rules.equals()).min(wild) }
}

/// Whether wild cards alone, as the lowest set, equal the set on the table.
fn equals_lone(wilds: u8, trick: &Trick, lone: WildRank, trick_rules: TrickRules) -> bool {
    lone == WildRank::Lowest && trick.strength == 0 && wilds >= trick.size && trick_rules.equals() != 0
}

/// The best set to play, or `None` if passing is better. The hand must have a set to play ([`can_play`]).
///
/// Goes out if one set is enough. Otherwise picks the lead, answer or pass that leaves the best position.
pub fn play<const N: usize>(situation: &Situation<'_, N>) -> Option<Set> {
    let &Situation { hand: cards, trick, .. } = situation;
    let wild = N - 1;
    let wilds = cards.0[wild].min(MAX_WILDS as u8);
    let ranks = answering(wild, trick, situation.trick_rules);
    let total = cards.total();
    let mut search = Search { situation, count: Count::new(situation), total, best: f32::MIN, choice: None };
    if trick.may_pass(situation.trick_rules) {
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
    let alone = if situation.lone == WildRank::Any { 0 } else { wild };
    if trick.size == 0 {
        (1..=wilds).for_each(|w| search.consider(Set { rank: alone as u8, naturals: 0, wilds: w }));
    } else if situation.lone == WildRank::Any && ranks != 0 && wilds >= trick.size {
        search.consider(Set { rank: alone as u8, naturals: 0, wilds: trick.size });
    } else if equals_lone(wilds, trick, situation.lone, situation.trick_rules) {
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
        let Situation { trick, trick_rules, position, weights, .. } = *self.situation;
        if !weights.inherits || trick.size == 0 || trick.still_in.has(trick.last) {
            return Tempo::FOLLOWING;
        }
        if trick.heir(trick_rules) != position {
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
        let Situation { trick, trick_rules, position, .. } = *self.situation;
        if trick.size != 0 && set.strength::<N>() == trick.strength {
            // The set skips the next player who could answer. With one other player left, that leaves no answer.
            let out = if trick_rules.pass_is_final { trick.passed.0 } else { 0 };
            let others = Positions(trick.still_in.without(position).0 & !out);
            if trick_rules.equal_rank == EqualRank::Burns || others.len() < 2 {
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

// Taxes and exchanges: which cards to give away.

/// Picks the rank of a card to give: the one among `cards` whose loss leaves the best hand.
///
/// `more` is the number of cards still to give, one after the other: at least 1, and fewer than there are cards. The
/// search considers them together, and gives the worst of them first.
pub fn give<const N: usize>(
    situation: &Situation<'_, N>,
    cards: &RankCounts<N>,
    more: u8,
    tempo: Tempo,
) -> Bounded<N> {
    let mut giver = Giver { situation, count: Count::new(situation), tempo };
    let mut best = (f32::MIN, Bounded::LAST);
    for rank in Bounded::all().filter(|rank| cards.0[rank.get()] != 0) {
        let value = giver.best_without(cards, rank.get(), more);
        if value > best.0 {
            best = (value, rank);
        }
    }
    best.1
}

struct Giver<'s, 'a, const N: usize> {
    situation: &'s Situation<'a, N>,
    count: Count<N>,
    tempo: Tempo,
}

impl<const N: usize> Giver<'_, '_, N> {
    /// The value of the best hand left after giving away `more` cards: one of this rank, and the others of this rank or
    /// a better one.
    fn best_without(&mut self, cards: &RankCounts<N>, rank: usize, more: u8) -> f32 {
        let mut rest = *cards;
        rest.0[rank] -= 1;
        if more <= 1 {
            let hand = Hand::of(self.situation, &mut self.count, &rest);
            return hand.value(self.situation.weights, self.tempo, self.count.least);
        }
        let next = (0..=rank).filter(|&next| rest.0[next] != 0);
        next.map(|next| self.best_without(&rest, next, more - 1)).fold(f32::MIN, f32::max)
    }
}
