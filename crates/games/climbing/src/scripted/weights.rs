//! Weights of the features of a hand, and their adjustments for each character.
//!
//! All weights are in place score (1 first, −1 last) per unit of the feature. They are fitted, and the features are
//! correlated: the sign of a single weight means little.

use cardsharp_engine::game::Character;

/// Weights of the features of one set.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SetWeights {
    /// Constant for each set.
    pub each: f32,
    /// Probability that no other player answers it.
    pub stands: f32,
    /// Square of that probability.
    pub stands2: f32,
    /// Wait for an opportunity to top (`Odds::wait`).
    pub wait: f32,
    /// Share of the unseen cards that are better.
    pub beaten: f32,
    /// Square of that share.
    pub beaten2: f32,
    /// Square of the rank's place in the deck.
    pub rank2: f32,
}

/// Weights of the features of the whole hand.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct WholeWeights {
    /// Number of sets that will be answered, minus those that will not and the wild cards; at least 0.
    pub deficit: f32,
    /// The longest wait of any set.
    pub longest_wait: f32,
    /// Number of sets divided by the smallest card count of an opponent.
    pub hurry: f32,
    /// Probability of going out without losing the lead.
    pub run: f32,
    /// The inverse of the number of sets, if there is a wild card in hand.
    pub wilds: f32,
    /// Mean rank of the sets.
    pub mean_rank: f32,
    /// Worst rank of the sets.
    pub worst_rank: f32,
    /// Best rank of the sets.
    pub best_rank: f32,
    /// Mean share of the unseen cards that are better than a set.
    pub beaten: f32,
}

/// Weights that are multiplied with the probability of leading next.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct LeadWeights {
    /// Constant for the lead.
    pub always: f32,
    /// The square of the probability of leading next.
    pub certain: f32,
    /// Probability that no other player answers the weakest set.
    pub weakest: f32,
    /// Probability of going out without losing the lead.
    pub run: f32,
    /// The inverse of the number of sets.
    pub few_sets: f32,
    /// The inverse of the smallest card count of an opponent.
    pub hurry: f32,
    /// Expected number of sets that no other player answers.
    pub winners: f32,
    /// Mean share of the unseen cards that are better than a set.
    pub beaten: f32,
}

/// Weights of the move.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveWeights {
    /// Topping instead of passing.
    pub topping: f32,
    /// Topping with only a part of the cards of a rank.
    pub split: f32,
    /// Each wild card spent.
    pub wild: f32,
    /// Topping, multiplied by how high the set's rank is (1 minus its place).
    pub high: f32,
    /// Leading, for each card beyond the first.
    pub size: f32,
}

/// All weights of a game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ScriptedWeights {
    /// Sets of one, two, three, and four or more cards.
    pub sets: [SetWeights; 4],
    /// Features of the whole hand.
    pub whole: WholeWeights,
    /// Features multiplied with the probability of leading next.
    pub lead: LeadWeights,
    /// Features of the move.
    pub r#move: MoveWeights,
    /// Whether a pass can lead to the next lead by inheriting it from a player who went out. Set it only if the weights
    /// were fitted this way.
    pub inherits: bool,
    /// Whether a hand that certainly goes out has a fixed value. Set it only if the weights were fitted this way.
    pub finishes: bool,
}

impl ScriptedWeights {
    /// The weights with `added` on top of the weights of the move.
    pub const fn adjusted(self, added: MoveWeights) -> Self {
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

// Adjustments of the fitted weights for each character of the scripted player.
//
// They are chosen, not fitted, and in units of place score like the weights. A player who can go out does so with any
// character.

/// Passes sooner, above all with high cards; keeps wild cards; avoids breaking sets.
const CAUTIOUS: MoveWeights = MoveWeights { topping: -0.02, split: -0.2, wild: -0.1, high: -0.08, size: 0.0 };
/// Tops when possible, above all with high cards; spends wild cards; leads big sets.
const AGGRESSIVE: MoveWeights = MoveWeights { topping: 0.3, split: 0.1, wild: 0.2, high: 0.1, size: 0.08 };

/// The adjustment for a character.
pub const fn adjustments(character: Character) -> MoveWeights {
    match character {
        Character::Cautious => CAUTIOUS,
        Character::Aggressive => AGGRESSIVE,
    }
}
