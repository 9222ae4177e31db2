//! Learning how probable deals are: a [`Model`] of beliefs, of how somebody plays.
//!
//! A player is watched that sits in every seat. At some of its decisions the deal that was there is put among deals that the seat's
//! view allows as well, and the model learns to say which one it was: the loss is the cross-entropy of a softmax over what the
//! deals weigh (ranking noise-contrastive estimation: Gutmann, Hyvärinen 2010; Ma, Collins 2018). Deals are drawn as a search draws its
//! candidates, so the weights come to be those by which such candidates are chosen rightly.
//!
//! The player is watched after it has learned: what players believed of each other who are no more is of no use.

mod calibration;
mod watch;

use std::sync::atomic::AtomicBool;

use cardsharp_bot::Player;
use cardsharp_bot::beliefs::{About, Marks, Model};
use cardsharp_bot::file::{FORMAT, FileError};
use cardsharp_bot::workers::{Stopped, until_stopped};
use cardsharp_env::blocks::{scales, width};
use cardsharp_env::{AnyGame, Draw};

use super::descent::{Descent, Sums};
use super::{Report, Schedule, Step, UpdateError};
use crate::device::{DeviceName, NoGpu};
use crate::learner::{Learner, Part};
use crate::net::{Shape, to_layers};
use crate::nn::{Batch, Loss, Rows, Wanted, pool};
use crate::optimizer::AdamConfig;
use crate::rollout::{Lessons, Tables};
use crate::streams::{self, Purpose};

pub use calibration::{Bin, Calibration, Compared, calibrate};
use watch::{Watched, watch};

/// Who is watched.
pub struct Watching<'a> {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The rules that are played.
    pub tables: &'a Tables,
    /// Who sits in all seats.
    pub player: &'a Player,
    /// Where all randomness comes from.
    pub seed: u64,
    /// Threads to play and to learn on; without influence on what comes of it.
    pub threads: usize,
    /// Once it is set, everything ends.
    pub stop: &'a AtomicBool,
}

/// How a model learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    /// Units of each hidden layer.
    pub hidden: Vec<usize>,
    /// Decisions to learn from, about.
    pub decisions: u64,
    /// Deals that are drawn beside the one that is there.
    pub deals: usize,
    /// Step size of Adam.
    pub rate: Schedule,
    /// The device on which the model learns.
    pub device: DeviceName,
}

impl Learning {
    /// From so many decisions.
    pub fn from(decisions: u64) -> Self {
        let rate = Schedule::linear(1e-3, 2e-5);
        Self { hidden: vec![128], decisions, deals: 7, rate, device: DeviceName::Cpu }
    }
}

/// How far learning has come.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Progress {
    /// Decisions that were learned from.
    pub decisions: u64,
    /// Nats by which the model knows the deal that is there better than chance, in the last iteration.
    pub gained: f64,
}

/// Units of an iteration, and sessions of a unit side by side.
const UNITS: usize = 16;
const SESSIONS: usize = 2;

/// Watches the player and learns from it.
///
/// # Errors
/// A gradient is not finite, or it was stopped; the network cannot be written.
pub fn learn(
    watching: &Watching<'_>,
    learning: &Learning,
    progress: &mut dyn FnMut(Progress),
) -> Result<Model, LearnError> {
    let Watching { game, player, seed, threads, stop, .. } = *watching;
    let (marks, device) = (Marks::new(game), learning.device.open()?);
    let shape = Shape {
        inputs: width(game.observation()),
        hidden: learning.hidden.clone(),
        heads: vec![marks.len()],
    };
    let mut draw = Draw::new(streams::seed(seed, Purpose::Beliefs, &[0]), 0);
    // What it begins with says that all deals are alike, nearly.
    let weights = shape.draw(&[0.01], &mut draw);
    let (policy, scale) = (Part::new(shape, weights), scales(game.observation()));
    let mut learner = Learner {
        policy,
        critic: None,
        reference_policy: None,
        lessons: None,
        scale,
        hidden_scale: Vec::new(),
    };
    let lessons = Lessons::default();
    let (mut iteration, mut decisions) = (0, 0);
    while decisions < learning.decisions {
        iteration += 1;
        let units = until_stopped(threads, UNITS, stop, |unit| {
            watch(watching, [iteration, unit as u64], SESSIONS, learning.deals)
        })?;
        let mut seen = Watched::default();
        units.iter().for_each(|unit| seen.append(unit));
        if seen.is_empty() {
            return Err(LearnError::Nothing);
        }
        let done = decisions as f32 / learning.decisions as f32;
        let step = Step {
            progress: done,
            seed,
            iteration,
            imitate: false,
            lessons: &lessons,
            threads,
            device: &device,
            stop,
        };
        let sums = follow(&mut learner, &seen, learning.rate.at(done), &step)?;
        decisions += seen.len() as u64;
        let chance = ((learning.deals + 1) as f64).ln();
        progress(Progress { decisions, gained: chance - sums.get("loss") / sums.get("count").max(1.0) });
    }
    let Part { shape, weights, .. } = &learner.policy;
    let mut layers = to_layers(shape, weights);
    let head = layers.pop().unwrap_or_default();
    let about = About {
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

/// Learns from what was seen.
fn follow(learner: &mut Learner, seen: &Watched, rate: f32, step: &Step<'_>) -> Result<Sums, UpdateError> {
    let adam = AdamConfig::default();
    let descent = Descent { epochs: 2, minibatch: 512, shards: 2, rate, gradient_norm: 1.0, adam };
    let rows = Rows { decisions: &seen.decisions, columns: &[], targets: &[], outputs: Wanted::Lists(seen) };
    Ok(descent.walk(learner, rows, step, &mut Report::default(), loss, None)?.sums)
}

/// The loss of decisions whose "actions" are deals: the cross-entropy with the deal that is there.
fn loss(batch: Batch) -> Loss {
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
    /// It was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The network is none.
    #[error(transparent)]
    Model(#[from] FileError),
    /// There is no GPU.
    #[error(transparent)]
    NoGpu(#[from] NoGpu),
    /// Nobody decides anything while something is hidden.
    #[error("there is nothing to learn: no player had a choice while more than one deal was possible")]
    Nothing,
}

#[cfg(test)]
mod tests;
