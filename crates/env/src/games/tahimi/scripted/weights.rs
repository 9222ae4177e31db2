//! The fitted weights.
//!
//! Fitted, not chosen, as those of The Great Dalmuti were, and starting from them. 500,000 positions
//! were sampled in sessions of two rounds at 3 to 8 players, most often 3 or 4: half of them with taxes
//! from the start, standard decks in six of ten, no jokers in five of ten, rank privilege in eight of
//! ten; one player in twenty followed a three-line rule, four in twenty were earlier versions of this
//! one, and one move in ten was random.
//! From each, every move this player considers was played once and the round then played out; the
//! weights are the least-squares fit of the moves' place scores, each less the position's mean, to the
//! numbers of [`crate::games::climbing::scripted::Hand`]. Going out and a hand that nobody can stop
//! are taken without asking, and such positions were left out. The whole was repeated with the fitted
//! player in the seats (positions of the round before counting half) until it no longer gained: nineteen
//! times, the last four with the rules for such hands and for inherited leads. Explained: 6 to 7 % of
//! the variance, with three players left of more 10 %, with two left 13 to 18 % (the rest is the luck of
//! a single play-out).
//!
//! Fitted apart for each number of rivals still in, the weights gain: one common set explained 6.9 %
//! where four explained 7.2 %, and tables of three, who begin with seventeen cards each, want their own.
//! One such player among others with The Great Dalmuti's weights, each in every seat (sessions of twenty
//! rounds, 400 deals): +0.051 ± 0.027 place score at four players, +0.067 ± 0.032 at three, +0.065 ±
//! 0.017 at eight.

use crate::game::Character;
use crate::games::climbing::scripted::{LeadWeights, MoveWeights, SetWeights, Weights, WholeWeights, temper};
use crate::games::tahimi::table::Table;

/// The weights of one player for all tables.
#[derive(Copy, Clone)]
pub struct Tables {
    /// At tables of three: with one other player still in, with two.
    three: [Weights; 2],
    /// At larger tables: with one other player still in, with two, with three, with more.
    more: [Weights; 4],
}

impl Tables {
    /// The weights for a table as it is.
    pub fn at(&self, table: &Table) -> &Weights {
        let rivals = table.trick.still_in.len().max(2) as usize - 1;
        if table.players == 3 { &self.three[rivals.min(2) - 1] } else { &self.more[rivals.min(4) - 1] }
    }

    const fn tempered(mut self, added: MoveWeights) -> Self {
        let mut i = 0;
        while i < self.three.len() {
            self.three[i] = self.three[i].tempered(added);
            i += 1;
        }
        i = 0;
        while i < self.more.len() {
            self.more[i] = self.more[i].tempered(added);
            i += 1;
        }
        self
    }
}

/// The fitted weights.
pub static FITTED: Tables = ALL;
const ALL: Tables = Tables { three: OF_THREE, more: OF_MORE };

/// The weights of a player with a character.
pub fn of(character: Character) -> &'static Tables {
    static OF: [Tables; 2] =
        [ALL.tempered(temper(Character::Cautious)), ALL.tempered(temper(Character::Aggressive))];
    &OF[character as usize]
}

/// Tables of three, with one other player still in and with two.
const OF_THREE: [Weights; 2] = [
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

/// Larger tables, with one other player still in, with two, with three, and with more.
const OF_MORE: [Weights; 4] = [
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

/// Sets of one, two, three, and four or more cards; the whole hand; the lead; the move; each in the
/// order in which the fields are declared.
const fn weights(sets: [[f32; 7]; 4], whole: [f32; 9], lead: [f32; 8], r#move: [f32; 3]) -> Weights {
    let [one, two, three, more] = sets;
    let [deficit, longest_wait, hurry, run, wilds, mean_rank, worst_rank, best_rank, beaten] = whole;
    let whole =
        WholeWeights { deficit, longest_wait, hurry, run, wilds, mean_rank, worst_rank, best_rank, beaten };
    let [always, certain, weakest, run, few_sets, hurry, winners, beaten] = lead;
    let lead = LeadWeights { always, certain, weakest, run, few_sets, hurry, winners, beaten };
    let [topping, split, wild] = r#move;
    let r#move = MoveWeights { topping, split, wild, high: 0.0, size: 0.0 };
    Weights {
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
