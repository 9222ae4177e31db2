//! The fitted weights of the scripted player.
//!
//! The data are 500,000 positions from self-play with 4, 5, 6, 8 and 12 players. Among the opponents were earlier
//! versions of this player and a three-line rule, and one move in ten was random. From each position, every move that
//! this player considers was played once, and the hand was then played to its end.
//!
//! The weights are the least-squares fit of the moves' place scores, each minus the position's mean, to the features of
//! [`cardsharp_climbing::scripted::Hand`]. The fit explains 7.8 % of the variance; nearly all the rest is the luck
//! of a single playout. The procedure was repeated with the fitted player until it no longer gained. Of 74 features,
//! these 33 remained after dropping the one that explained least, again and again.

use cardsharp_climbing::scripted::{
    LeadWeights, MoveWeights, ScriptedWeights, SetWeights, WholeWeights, adjustments,
};
use cardsharp_engine::game::Character;

/// The weights of the scripted player with a character.
pub fn of(character: Character) -> &'static ScriptedWeights {
    static OF: [ScriptedWeights; 2] = [
        WEIGHTS.adjusted(adjustments(Character::Cautious)),
        WEIGHTS.adjusted(adjustments(Character::Aggressive)),
    ];
    &OF[character as usize]
}

/// The weights for The Great Dalmuti.
pub const WEIGHTS: ScriptedWeights = ScriptedWeights {
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
