//! Which random stream is whose. Every stream of a run is named by the run's seed, its purpose here
//! and the numbers of its user, so that nothing that is drawn shifts anything else.

use cardsharp_env::rng::derive;

/// What a stream is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Initial weights; then the number of the network.
    Weights = 1,
    /// Sessions of a rollout; then iteration, unit and lane.
    Rollout = 2,
    /// The order of decisions in an epoch; then iteration and epoch.
    Order = 3,
    /// Deals of an evaluation; then the number of the baseline and the occasion, or of the table and 2.
    Evaluate = 4,
    /// Test vectors of an exported bot.
    Vectors = 5,
    /// Which of the lessons that are kept are learned from; then iteration.
    Lessons = 6,
    /// Initial weights of a model of beliefs.
    Beliefs = 7,
    /// Sessions that are watched; then iteration and unit.
    Watch = 8,
}

/// The seed of the stream for `purpose` and the numbers of its user, under the run's `seed`.
pub fn seed(seed: u64, purpose: Purpose, path: &[u64]) -> u64 {
    derive(derive(seed, &[purpose as u64]), path)
}
