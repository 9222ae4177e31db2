//! The fitted weights.
//!
//! Fitted, not chosen. 500,000 positions were sampled from self-play at 4, 5, 6, 8 and 12 players
//! (earlier versions of this player and a three-line rule among the opponents, one move in ten at
//! random). From each, every move this player considers was played once and the hand then played out;
//! the weights are the least-squares fit of the moves' place scores, each less the position's mean,
//! to the numbers of [`crate::games::climbing::scripted::Hand`] (explained: 7.8 % of the variance,
//! nearly all the rest being the luck of a single play-out). The whole was repeated with the fitted
//! player in the seats until it no longer gained. Of 74 numbers tried, these 33 were left by dropping,
//! one after the other, the one that explained least.

use crate::game::Character;
use crate::games::climbing::scripted::{LeadWeights, MoveWeights, SetWeights, Weights, WholeWeights, temper};

/// The weights of a player with a character.
pub fn of(character: Character) -> &'static Weights {
    static OF: [Weights; 2] =
        [WEIGHTS.tempered(temper(Character::Cautious)), WEIGHTS.tempered(temper(Character::Aggressive))];
    &OF[character as usize]
}

/// What the numbers of a hand are worth in The Great Dalmuti.
pub const WEIGHTS: Weights = Weights {
    sets: [
        SetWeights {
            each: -0.069,
            stands: 0.0,
            stands2: -0.056,
            wait: -0.088,
            beaten: -0.446,
            beaten2: 0.337,
            rank2: 0.0,
        },
        SetWeights {
            each: -0.024,
            stands: 0.0,
            stands2: 0.0,
            wait: -0.088,
            beaten: 0.0,
            beaten2: 0.0,
            rank2: -0.19,
        },
        SetWeights {
            each: 0.0,
            stands: -0.044,
            stands2: 0.0,
            wait: 0.0,
            beaten: -0.09,
            beaten2: 0.0,
            rank2: -0.19,
        },
        SetWeights {
            each: 0.188,
            stands: -0.066,
            stands2: 0.0,
            wait: -0.182,
            beaten: -0.09,
            beaten2: 0.0,
            rank2: -0.19,
        },
    ],
    whole: WholeWeights {
        deficit: -0.056,
        longest_wait: -0.179,
        hurry: 0.048,
        run: 0.099,
        wilds: -0.136,
        mean_rank: -0.417,
        worst_rank: 0.535,
        best_rank: -0.086,
        beaten: -0.273,
    },
    lead: LeadWeights {
        always: -0.031,
        certain: -0.157,
        weakest: -0.142,
        run: 0.074,
        few_sets: 0.422,
        hurry: 0.062,
        winners: 0.063,
        beaten: 0.223,
    },
    r#move: MoveWeights { topping: -0.099, split: 0.105, wild: -0.136, high: 0.0, size: 0.0 },
    inherits: false,
    finishes: false,
};
