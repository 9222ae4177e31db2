//! The fitted weights of the scripted player.
//!
//! They were fitted like those of The Great Dalmuti, and started from them. The data are 500,000 positions from
//! sessions of two rounds with 3 to 8 players, most often 3 or 4:
//!
//! - half of the sessions had taxes from the start, and 60 % standard decks;
//! - 50 % had no jokers, and 80 % rank privilege;
//! - 5 % of the players followed a three-line rule, and 20 % were earlier versions of this player;
//! - 10 % of the moves were random.
//!
//! From each position, every move that this player considers was played once, and the round was then played to its end.
//! The weights are the least-squares fit of the moves' place scores, each minus the position's mean, to the features of
//! [`cardsharp_climbing::scripted::Hand`]. Positions in which the player goes out at once, or certainly goes out,
//! were left out, because fixed rules decide there.
//!
//! The procedure was repeated with the fitted player until it no longer gained: nineteen times, the last four with the
//! rules for certain hands and inherited leads. Positions of the previous repetition counted half. The fit explains 6
//! to 7 % of the variance. It explains 10 % with three players left of more, and 13 to 18 % with two left. The rest is
//! the luck of a single playout.
//!
//! Separate weights for each number of opponents still in are better: one common set explained 6.9 %, and four sets
//! 7.2 %. Tables of three, who start with seventeen cards each, have separate weights, too. One such player gained in
//! place score among others with the weights of The Great Dalmuti (in each seat, twenty-round sessions, 400 deals):
//!
//! - +0.051 ± 0.027 at four players;
//! - +0.067 ± 0.032 at three players;
//! - +0.065 ± 0.017 at eight players.

use cardsharp_climbing::scripted::{
    LeadWeights, MoveWeights, ScriptedWeights, SetWeights, WholeWeights, adjustments,
};
use cardsharp_engine::game::Character;

use crate::state::PublicState;

/// The weights of one player for all table sizes.
#[derive(Copy, Clone)]
pub struct WeightTables {
    /// Tables of three: with one and two opponents still in.
    three: [ScriptedWeights; 2],
    /// Larger tables: with one, two, three, and more opponents still in.
    more: [ScriptedWeights; 4],
}

impl WeightTables {
    /// The weights for the present state of a table.
    pub fn at(&self, table: &PublicState) -> &ScriptedWeights {
        let rivals = table.trick.still_in.len().max(2) as usize - 1;
        if table.players == 3 { &self.three[rivals.min(2) - 1] } else { &self.more[rivals.min(4) - 1] }
    }

    const fn adjusted(mut self, added: MoveWeights) -> Self {
        let mut i = 0;
        while i < self.three.len() {
            self.three[i] = self.three[i].adjusted(added);
            i += 1;
        }
        i = 0;
        while i < self.more.len() {
            self.more[i] = self.more[i].adjusted(added);
            i += 1;
        }
        self
    }
}

pub static FITTED: WeightTables = ALL;
const ALL: WeightTables = WeightTables { three: OF_THREE, more: OF_MORE };

/// The weights of the scripted player with a character.
pub fn of(character: Character) -> &'static WeightTables {
    static OF: [WeightTables; 2] =
        [ALL.adjusted(adjustments(Character::Cautious)), ALL.adjusted(adjustments(Character::Aggressive))];
    &OF[character as usize]
}

/// Tables of three, with one and two opponents still in.
const OF_THREE: [ScriptedWeights; 2] = [
    weights(
        [
            [0.188, -0.088, 0.073, -0.348, -0.112, 0.198, 0.003],
            [0.31, -0.086, 0.061, -0.314, -0.377, 0.373, -0.041],
            [0.432, -0.12, 0.045, -0.293, -0.575, 0.404, 0.01],
            [0.207, -0.075, 0.001, 0.067, -0.709, 0.401, -0.026],
        ],
        [-0.058, -0.052, -0.016, 0.083, 0.217, -0.198, 0.257, -0.271, -0.559],
        [0.297, -0.311, -0.072, 0.1, 0.25, 0.211, 0.023, -0.029],
        [0.005, 0.094, -0.089],
    ),
    weights(
        [
            [0.15, -0.252, 0.116, -0.216, -0.339, 0.398, -0.109],
            [0.131, -0.014, 0.0, -0.038, -0.284, 0.2, -0.12],
            [0.194, -0.104, 0.076, -0.038, -0.381, 0.224, -0.09],
            [0.129, -0.274, 0.147, 0.208, -0.818, 0.57, -0.157],
        ],
        [-0.067, -0.006, -0.099, 0.075, 0.148, 0.195, 0.342, -0.366, -0.913],
        [0.101, -0.209, -0.028, -0.01, 0.574, -0.051, 0.083, -0.048],
        [0.011, 0.033, -0.09],
    ),
];

/// Larger tables, with one, two, three, and more opponents still in.
const OF_MORE: [ScriptedWeights; 4] = [
    weights(
        [
            [0.089, -0.015, 0.035, -0.267, -0.054, 0.127, 0.036],
            [0.245, -0.089, 0.057, -0.249, -0.34, 0.34, -0.029],
            [0.299, -0.182, 0.112, -0.175, -0.434, 0.382, -0.097],
            [0.0, 0.069, 0.069, -0.084, -0.124, 0.123, -0.163],
        ],
        [-0.038, 0.055, 0.097, 0.041, 0.058, -0.174, 0.125, -0.143, -0.331],
        [0.121, -0.157, -0.079, 0.084, 0.171, 0.171, 0.024, 0.008],
        [-0.022, 0.101, -0.075],
    ),
    weights(
        [
            [0.052, -0.057, 0.018, -0.214, -0.211, 0.212, 0.048],
            [0.202, -0.056, 0.041, -0.245, -0.257, 0.168, 0.027],
            [0.398, -0.072, 0.009, -0.337, -0.42, 0.226, 0.038],
            [0.022, 0.054, -0.008, 0.015, -0.355, 0.128, -0.069],
        ],
        [-0.044, 0.002, 0.065, 0.092, 0.083, -0.262, 0.273, -0.146, -0.346],
        [-0.027, -0.123, -0.094, -0.004, 0.513, 0.067, 0.061, 0.023],
        [-0.038, 0.074, -0.07],
    ),
    weights(
        [
            [0.062, -0.022, -0.055, -0.131, -0.22, 0.152, -0.036],
            [0.1, 0.042, -0.015, -0.09, -0.161, 0.062, -0.08],
            [0.29, -0.167, 0.108, -0.155, -0.415, 0.25, -0.073],
            [0.094, -0.101, 0.016, 0.146, -0.734, 0.367, -0.021],
        ],
        [-0.06, -0.027, 0.031, 0.102, 0.056, -0.243, 0.42, -0.146, -0.437],
        [0.016, -0.191, -0.126, -0.026, 0.626, 0.036, 0.094, 0.057],
        [-0.007, 0.034, -0.075],
    ),
    weights(
        [
            [0.042, 0.062, -0.108, -0.108, -0.1, 0.033, -0.077],
            [0.086, -0.039, 0.059, -0.057, -0.064, -0.047, -0.098],
            [0.223, -0.236, 0.15, -0.081, -0.22, -0.036, 0.016],
            [0.223, -0.28, 0.091, 0.11, -0.658, 0.102, 0.244],
        ],
        [-0.055, -0.07, -0.001, 0.108, 0.025, -0.368, 0.493, -0.087, -0.498],
        [0.052, -0.224, -0.179, -0.019, 0.6, 0.008, 0.08, 0.125],
        [0.004, 0.013, -0.06],
    ),
];

/// Builds weights from arrays: sets of one, two, three, and four or more cards, the whole hand, the lead, and the move.
/// Each array has the order of the struct's fields.
const fn weights(sets: [[f32; 7]; 4], whole: [f32; 9], lead: [f32; 8], r#move: [f32; 3]) -> ScriptedWeights {
    let [one, two, three, more] = sets;
    let [deficit, longest_wait, hurry, run, wilds, mean_rank, worst_rank, best_rank, beaten] = whole;
    let whole =
        WholeWeights { deficit, longest_wait, hurry, run, wilds, mean_rank, worst_rank, best_rank, beaten };
    let [always, certain, weakest, run, few_sets, hurry, winners, beaten] = lead;
    let lead = LeadWeights { always, certain, weakest, run, few_sets, hurry, winners, beaten };
    let [topping, split, wild] = r#move;
    let r#move = MoveWeights { topping, split, wild, high: 0.0, size: 0.0 };
    ScriptedWeights {
        sets: [set(one), set(two), set(three), set(more)],
        whole,
        lead,
        r#move,
        inherits: true,
        finishes: true,
    }
}

const fn set([each, stands, stands2, wait, beaten, beaten2, rank2]: [f32; 7]) -> SetWeights {
    SetWeights { each, stands, stands2, wait, beaten, beaten2, rank2 }
}
