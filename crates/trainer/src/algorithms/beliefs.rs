//! Training of belief models: a [`Model`] of how probable deals are, given how a player plays.
//!
//! One player sits in every seat. At some of its decisions the true deal is mixed with deals that the seat's view also
//! allows. The model learns to say which deal is the true one: the loss is the cross-entropy of a softmax over the
//! scores of the deals. This is ranking noise-contrastive estimation (Gutmann, Hyvärinen 2010; Ma, Collins 2018). Deals
//! are drawn like the candidates of a search, so the weights become those by which a search should choose its
//! candidates.
//!
//! The player must be fully trained: beliefs about an earlier version of it are of no use.

mod calibration;
mod samples;

use std::sync::atomic::AtomicBool;

use cardsharp_bot::Player;
use cardsharp_bot::beliefs::{BeliefModelHeader, Marks, Model};
use cardsharp_bot::file::{FORMAT, FileError};
use cardsharp_bot::workers::{Stopped, until_stopped};
use cardsharp_env::blocks::{scales, width};
use cardsharp_env::{AnyGame, Draw};

use super::descent::{Descent, LossSums};
use super::{Schedule, UpdateContext, UpdateError, UpdateReport};
use crate::device::{DeviceName, NoGpu};
use crate::learner::{Learner, NetState};
use crate::net::{Shape, to_layers};
use crate::nn::{Loss, Minibatch, OutputSet, Rows, pool};
use crate::optimizer::AdamConfig;
use crate::rollout::{DistillTargets, Tables};
use crate::streams::{self, StreamPurpose};

pub use calibration::{Bin, Calibration, Comparison, calibrate};
use samples::{Samples, sample};

/// The player and the sessions that a belief model learns from.
pub struct SampleSource<'a> {
    /// The game whose belief model is trained.
    pub game: &'static dyn AnyGame,
    /// The rules of the sessions.
    pub tables: &'a Tables,
    /// The player in all seats.
    pub player: &'a Player,
    /// Seed of all randomness.
    pub seed: u64,
    /// Number of threads; it does not influence the result.
    pub threads: usize,
    /// Once it is set, learning ends.
    pub stop: &'a AtomicBool,
}

/// Settings of a belief model's training.
#[derive(Clone, Debug, PartialEq)]
pub struct BeliefConfig {
    /// Units of each hidden layer.
    pub hidden: Vec<usize>,
    /// Approximate number of decisions to learn from.
    pub decisions: u64,
    /// Number of deals that are drawn in addition to the true one.
    pub deals: usize,
    /// Learning rate of Adam.
    pub rate: Schedule,
    /// The device on which the model learns.
    pub device: DeviceName,
}

impl BeliefConfig {
    /// Default settings for this number of decisions.
    pub fn from(decisions: u64) -> Self {
        let rate = Schedule::linear(1e-3, 2e-5);
        Self { hidden: vec![128], decisions, deals: 7, rate, device: DeviceName::Cpu }
    }
}

/// The progress of learning.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct LearnProgress {
    /// Decisions learned from so far.
    pub decisions: u64,
    /// Mean log-probability of the true deal in the last iteration, minus that of a uniform guess, in nats.
    pub gained: f64,
}

/// Units of an iteration, and sessions of a unit.
const UNITS: usize = 16;
const SESSIONS: usize = 2;

/// Plays sessions with the player and trains a belief model on them.
///
/// # Errors
/// A gradient is not finite, `stop` was set, or the network cannot be written.
pub fn learn(
    source: &SampleSource<'_>,
    config: &BeliefConfig,
    progress: &mut dyn FnMut(LearnProgress),
) -> Result<Model, LearnError> {
    let SampleSource { game, player, seed, threads, stop, .. } = *source;
    let (marks, device) = (Marks::new(game), config.device.open()?);
    let shape =
        Shape { inputs: width(game.observation()), hidden: config.hidden.clone(), heads: vec![marks.len()] };
    let mut draw = Draw::new(streams::seed(seed, StreamPurpose::Beliefs, &[0]), 0);
    // The initial model weighs all deals nearly the same.
    let weights = shape.draw(&[0.01], &mut draw);
    let (policy, scale) = (NetState::new(shape, weights), scales(game.observation()));
    let mut learner = Learner {
        policy,
        critic: None,
        reference_policy: None,
        replay_buffer: None,
        scale,
        hidden_scale: Vec::new(),
    };
    let distill = DistillTargets::default();
    let (mut iteration, mut decisions) = (0, 0);
    while decisions < config.decisions {
        iteration += 1;
        let units = until_stopped(threads, UNITS, stop, |unit| {
            sample(source, [iteration, unit as u64], SESSIONS, config.deals)
        })?;
        let mut samples = Samples::default();
        units.iter().for_each(|unit| samples.append(unit));
        if samples.is_empty() {
            return Err(LearnError::Nothing);
        }
        let done = decisions as f32 / config.decisions as f32;
        let step = UpdateContext {
            progress: done,
            seed,
            iteration,
            imitate: false,
            distill: &distill,
            threads,
            device: &device,
            stop,
        };
        let sums = update(&mut learner, &samples, config.rate.at(done), &step)?;
        decisions += samples.len() as u64;
        let chance = ((config.deals + 1) as f64).ln();
        progress(LearnProgress { decisions, gained: chance - sums.get("loss") / sums.get("count").max(1.0) });
    }
    let NetState { shape, weights, .. } = &learner.policy;
    let mut layers = to_layers(shape, weights);
    let head = layers.pop().unwrap_or_default();
    let about = BeliefModelHeader {
        format: FORMAT,
        game: game.name().to_owned(),
        encoding: game.encoding(),
        layers: [shape.inputs].iter().chain(&shape.hidden).chain(&shape.heads).copied().collect(),
        player: player.name().to_owned(),
        decisions,
        seed,
    };
    pool::clear();
    Ok(Model::new(game, about, (learner.scale, layers, head))?)
}

/// Trains on the decisions of one iteration.
fn update(
    learner: &mut Learner,
    samples: &Samples,
    rate: f32,
    step: &UpdateContext<'_>,
) -> Result<LossSums, UpdateError> {
    let adam = AdamConfig::default();
    let descent = Descent { epochs: 2, minibatch: 512, shards: 2, rate, gradient_norm: 1.0, adam };
    let rows = Rows {
        decisions: &samples.decisions,
        columns: &[],
        targets: &[],
        outputs: OutputSet::Lists(samples),
    };
    Ok(descent.run(learner, rows, step, &mut UpdateReport::default(), loss, None)?.sums)
}

/// The cross-entropy with the true deal: the "actions" of a decision are deals.
fn loss(batch: Minibatch) -> Loss {
    let loss = batch.logits.log_softmax().at(&batch.played).neg();
    let count = loss.clone().inner().ones_like();
    Loss { each: loss.clone(), parts: vec![("loss", loss), ("count", count)] }
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// An update ended early.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// Learning was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The network cannot be written.
    #[error(transparent)]
    Model(#[from] FileError),
    /// There is no GPU.
    #[error(transparent)]
    NoGpu(#[from] NoGpu),
    /// No player has a choice while something is hidden.
    #[error("there is nothing to learn: no player had a choice while more than one deal was possible")]
    Nothing,
}

#[cfg(test)]
mod tests;
