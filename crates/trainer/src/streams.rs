//! Names of random streams. The run's seed, a purpose and the user's numbers name a stream, so drawing from one stream
//! never changes another.

use cardsharp_env::rng::derive;

/// What a stream is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StreamPurpose {
    /// Initial weights; path: number of the network.
    Weights = 1,
    /// Sessions of a rollout; path: iteration, unit and lane.
    Rollout = 2,
    /// The order of decisions in an epoch; path: iteration and epoch.
    Order = 3,
    /// Deals of an evaluation; path: number of the baseline and the occasion, or number of the table and 2.
    Evaluate = 4,
    /// Test vectors of an exported bot.
    Vectors = 5,
    /// Samples from the replay buffer; path: iteration.
    Distill = 6,
    /// Initial weights of a belief model.
    Beliefs = 7,
    /// Sessions for a belief model; path: iteration and unit.
    BeliefSamples = 8,
}

/// Returns the seed of the stream for `purpose` and `path`, the user's numbers, under the run's `seed`.
pub fn seed(seed: u64, purpose: StreamPurpose, path: &[u64]) -> u64 {
    derive(derive(seed, &[purpose as u64]), path)
}
