//! The fitted weights.
//!
//! Fitted, not chosen. 500,000 positions were sampled from self-play at 4, 5, 6, 8 and 12 players
//! (earlier versions of this player and a three-line rule among the opponents, one move in ten at
//! random). From each, every move this player considers was played once and the hand then played out;
//! the weights are the least-squares fit of the moves' place scores, each less the position's mean,
//! to the numbers of [`super::hand::Hand`] (explained: 7.8 % of the variance, nearly all the rest being
//! the luck of a single play-out). The whole was repeated with the fitted player in the seats until
//! it no longer gained. Of 74 numbers tried, these 33 were left by dropping, one after the other,
//! the one that explained least. All weights are place score (1 first, -1 last) per unit. Signs of
//! single weights mean little: the numbers overlap.

/// Weights of one set.
pub struct Set {
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
    /// Square of the rank in twelfths.
    pub rank2: f32,
}

/// Sets of one, two, three, and four or more cards.
pub const SETS: [Set; 4] = [
    Set {
        each: -0.069,
        stands: 0.0,
        stands2: -0.056,
        wait: -0.088,
        beaten: -0.446,
        beaten2: 0.337,
        rank2: 0.0,
    },
    Set { each: -0.024, stands: 0.0, stands2: 0.0, wait: -0.088, beaten: 0.0, beaten2: 0.0, rank2: -0.19 },
    Set { each: 0.0, stands: -0.044, stands2: 0.0, wait: 0.0, beaten: -0.09, beaten2: 0.0, rank2: -0.19 },
    Set {
        each: 0.188,
        stands: -0.066,
        stands2: 0.0,
        wait: -0.182,
        beaten: -0.09,
        beaten2: 0.0,
        rank2: -0.19,
    },
];

/// Weights of the hand as a whole.
pub struct Whole {
    /// Sets that will not stand in excess of those that will and of Jesters.
    pub deficit: f32,
    /// The longest wait of any set.
    pub longest_wait: f32,
    /// Sets per card of the nearest rival.
    pub hurry: f32,
    /// Probability of going out in one run.
    pub run: f32,
    /// With a Jester in hand: the inverse of the number of sets.
    pub jesters: f32,
    /// Mean rank of the sets.
    pub mean_rank: f32,
    /// Worst rank.
    pub worst_rank: f32,
    /// Best rank.
    pub best_rank: f32,
    /// Mean share of the unseen cards that are better.
    pub beaten: f32,
}

/// See [`Whole`].
pub const WHOLE: Whole = Whole {
    deficit: -0.056,
    longest_wait: -0.179,
    hurry: 0.048,
    run: 0.099,
    jesters: -0.136,
    mean_rank: -0.417,
    worst_rank: 0.535,
    best_rank: -0.086,
    beaten: -0.273,
};

/// Weights times the probability of having the next lead.
pub struct Lead {
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

/// See [`Lead`].
pub const LEAD: Lead = Lead {
    always: -0.031,
    certain: -0.157,
    weakest: -0.142,
    run: 0.074,
    few_sets: 0.422,
    hurry: 0.062,
    winners: 0.063,
    beaten: 0.223,
};

/// Weights of the move itself.
pub struct Move {
    /// Topping instead of passing.
    pub topping: f32,
    /// Topping with a part of a set.
    pub split: f32,
    /// Each Jester spent.
    pub jester: f32,
}

/// See [`Move`].
pub const MOVE: Move = Move { topping: -0.099, split: 0.105, jester: -0.136 };
