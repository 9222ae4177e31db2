//! What the numbers of a hand are worth.
//!
//! All weights are place score (1 first, -1 last) per unit. They are fitted, not chosen, and their
//! numbers overlap: signs of single weights mean little.

/// Weights of one set.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SetWeights {
    /// For having it.
    pub each: f32,
    /// Probability that it stands when played.
    pub stands: f32,
    /// Its square.
    pub stands2: f32,
    /// Wait for something to top.
    pub wait: f32,
    /// Share of the unseen cards that are better.
    pub beaten: f32,
    /// Its square.
    pub beaten2: f32,
    /// Square of the rank's place in the deck.
    pub rank2: f32,
}

/// Weights of the hand as a whole.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct WholeWeights {
    /// Sets that will not stand in excess of those that will and of wild cards.
    pub deficit: f32,
    /// The longest wait of any set.
    pub longest_wait: f32,
    /// Sets per card of the nearest rival.
    pub hurry: f32,
    /// Probability of going out in one run.
    pub run: f32,
    /// With a wild card in hand: the inverse of the number of sets.
    pub wilds: f32,
    /// Mean rank of the sets.
    pub mean_rank: f32,
    /// Worst rank.
    pub worst_rank: f32,
    /// Best rank.
    pub best_rank: f32,
    /// Mean share of the unseen cards that are better.
    pub beaten: f32,
}

/// Weights times the probability of having the next lead.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct LeadWeights {
    /// The lead itself.
    pub always: f32,
    /// That probability again.
    pub certain: f32,
    /// Probability that the weakest set stands.
    pub weakest: f32,
    /// Probability of going out in one run.
    pub run: f32,
    /// The inverse of the number of sets.
    pub few_sets: f32,
    /// The inverse of the nearest rival's cards.
    pub hurry: f32,
    /// Sets expected to stand.
    pub winners: f32,
    /// Mean share of the unseen cards that are better than a set.
    pub beaten: f32,
}

/// Weights of the move itself.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveWeights {
    /// Topping instead of passing.
    pub topping: f32,
    /// Topping with a part of a set.
    pub split: f32,
    /// Each wild card spent.
    pub wild: f32,
    /// Topping, times the share of the ranks that the set is better than.
    pub high: f32,
    /// Leading, for each card beyond the first.
    pub size: f32,
}

/// The weights of a game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Weights {
    /// Sets of one, two, three, and four or more cards.
    pub sets: [SetWeights; 4],
    /// The hand as a whole.
    pub whole: WholeWeights,
    /// With the next lead.
    pub lead: LeadWeights,
    /// The move.
    pub r#move: MoveWeights,
    /// Whether passing counts as a way to the lead where it falls to this player after one who went
    /// out. Only if the weights were fitted so.
    pub inherits: bool,
    /// Whether a hand that nobody can stop counts as gone. Only if the weights were fitted so.
    pub finishes: bool,
}

impl Weights {
    /// The same with something added to the weights of the move.
    pub const fn tempered(self, added: MoveWeights) -> Self {
        let MoveWeights { topping, split, wild, high, size } = self.r#move;
        let r#move = MoveWeights {
            topping: topping + added.topping,
            split: split + added.split,
            wild: wild + added.wild,
            high: high + added.high,
            size: size + added.size,
        };
        Self { r#move, ..self }
    }
}
