//! Learning where burn computes, which is for a graphics card: forward and backward pass, loss and optimiser.
//!
//! A rollout goes there once, as bytes, one for each cell, and numbers; minibatches are picked out of it there. What comes back are
//! the sums that are reported and the lengths of gradients, at the end of an epoch: until then nothing waits for the card, unless
//! a minibatch may end the walk. The first layer is a full product: its inputs are mostly zeros, but a card multiplies them faster
//! than it looks for the others.
//!
//! Losses are written as functions that burn differentiates, beside the gradients that the algorithms write out for the
//! cores: two ways to the same numbers, which tests hold against each other.

mod held;
mod layers;

use std::sync::atomic::Ordering;
use std::time::Instant;

use burn::tensor::{Bool, Device, Int, Tensor, TensorData};
use cardsharp_bot::workers::Stopped;

use super::descent::{Descent, Enough, Sums, Walked};
use super::{Diverged, Report, Step, UpdateError};
use crate::learner::{Learner, Part};
use crate::net::Shape;
use crate::optimizer::Correction;
use crate::rollout::Decisions;

use held::{Held, Picked};
use layers::{Layers, numbers, over_rows};

/// What a loss is told of decisions.
#[derive(Copy, Clone)]
pub(super) struct Told<'a> {
    pub(super) decisions: &'a Decisions,
    /// Numbers that the loss wants to see, one for each decision.
    pub(super) columns: &'a [&'a [f32]],
    /// What the last decisions should come to, `[lessons, actions]`; empty where none has a target.
    pub(super) targets: &'a [f32],
}

/// Some decisions as a loss sees them, a row for each.
pub(super) struct Seen {
    /// What the policy network says of all actions, `[rows, actions]`.
    pub(super) logits: Tensor<2>,
    /// What it says of the value, `[rows, 1]`.
    pub(super) value: Tensor<2>,
    /// The magnet's logits, where there is one.
    pub(super) magnet: Option<Tensor<2>>,
    /// The critic's values, where there is one.
    pub(super) critic: Option<Tensor<2>>,
    /// Whether an action is not legal, `[rows, actions]`.
    pub(super) barred: Tensor<2, Bool>,
    /// What was played, `[rows, 1]`.
    pub(super) actions: Tensor<2, Int>,
    /// The columns that it was told, `[rows, 1]` each.
    pub(super) columns: Vec<Tensor<2>>,
    /// What the policy should come to, `[rows, actions]`, 0 in all rows without a target; none where no decision has one.
    pub(super) targets: Option<Tensor<2>>,
}

/// What a loss says of them.
pub(super) struct Judged {
    /// It, for each decision, `[rows, 1]`.
    pub(super) loss: Tensor<2>,
    /// What is added up over the decisions, `[rows, 1]` each, as [`FromCard::of`] reads the sums.
    pub(super) parts: Vec<Tensor<2>>,
}

/// The loss of forecasts that are off by `errors`: half the square, from `bound` on (if it is not 0) linear.
pub(super) fn miss(errors: Tensor<2>, bound: f32) -> Tensor<2> {
    let size = errors.abs();
    if bound == 0.0 {
        return size.square().mul_scalar(0.5);
    }
    let within = size.clone().clamp_max(bound);
    within.clone().square().mul_scalar(0.5) + (size - within).mul_scalar(bound)
}

/// Sums that the loss of an algorithm gives on a card, too.
pub(super) trait FromCard: Sums {
    /// Those that it gave, in its order.
    fn of(numbers: &[f32]) -> Self;
}

/// The same as [`Descent::walk`], by burn. `judge` is the loss.
pub(super) fn walk<S: FromCard>(
    descent: &Descent,
    (learner, device): (&mut Learner, &Device),
    told: Told<'_>,
    step: &Step<'_>,
    report: &mut Report,
    judge: impl Fn(Seen) -> Judged,
    enough: Enough<'_, S>,
) -> Result<Walked<S>, UpdateError> {
    let start = Instant::now();
    let mut networks = Networks::new(learner, device);
    let held = networks.hold(told, step)?;
    let begun: Vec<u64> = networks.moving.iter().map(|moving| moving.steps).collect();
    let mut walked = Walked { sums: S::default(), steps: 0, norms: 0.0 };
    'all: for epoch in 0..descent.epochs {
        let order = Descent::order(told.decisions.len(), epoch, step);
        let mut unread = Vec::new();
        for minibatch in held.find(descent.minibatches(&order)) {
            if step.stop.load(Ordering::Relaxed) {
                return Err(Stopped.into());
            }
            let Found { gradients, sums } = networks.judge(held.pick(&minibatch), &judge);
            let moving = networks.moving.iter_mut().zip(gradients);
            let lengths = moving.map(|(moving, gradient)| moving.descend(gradient, descent));
            unread.push(Tensor::cat(std::iter::once(sums).chain(lengths).collect(), 0));
            let count = minibatch.ids.len();
            report.samples += count as u64;
            if let Some(enough) = enough
                && enough(&read(std::mem::take(&mut unread), &begun, &mut walked)?, count)
            {
                break 'all;
            }
        }
        read(unread, &begun, &mut walked)?;
    }
    let parts = std::iter::once(&mut learner.policy).chain(&mut learner.critic);
    parts.zip(networks.moving).for_each(|(part, moving)| moving.write(part));
    report.network += start.elapsed().as_secs_f64();
    Ok(walked)
}

/// Waits for what steps came to, the loss's sums and the length of each network's gradient, and adds it to what was walked; the sums
/// alone are returned. Networks had made `begun` steps before the walk.
fn read<S: FromCard>(steps: Vec<Tensor<1>>, begun: &[u64], walked: &mut Walked<S>) -> Result<S, Diverged> {
    let mut all = S::default();
    let Some(first) = steps.first() else { return Ok(all) };
    let each = first.dims()[0];
    for step in numbers(Tensor::cat(steps, 0)).chunks_exact(each) {
        let (sums, lengths) = step.split_at(each - begun.len());
        walked.steps += 1;
        if let Some((_, begun)) = lengths.iter().zip(begun).find(|(length, _)| !length.is_finite()) {
            return Err(Diverged { step: begun + walked.steps });
        }
        walked.norms += f64::from(lengths[0]);
        all.add(&S::of(sums));
    }
    walked.sums.add(&all);
    Ok(all)
}

/// What the critic expects of every decision.
pub(super) fn critic_values(
    learner: &Learner,
    device: &Device,
    decisions: &Decisions,
    step: &Step<'_>,
) -> Result<Vec<f32>, Stopped> {
    /// As many as a minibatch for a card has.
    const ROWS: usize = 1 << 14;
    let networks = Networks::new(learner, device);
    let [_, critic] = &networks.moving[..] else { return Ok(Vec::new()) };
    let layers = Layers::new(&critic.shape, &critic.weights);
    let held = networks.hold(Told { decisions, columns: &[], targets: &[] }, step)?;
    let ids: Vec<u32> = (0..decisions.len() as u32).collect();
    let mut values = Vec::with_capacity(ids.len());
    for minibatch in held.find(ids.chunks(ROWS)) {
        if step.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let inputs = networks.inputs(&held.pick(&minibatch).cells, critic.shape.inputs);
        values.extend(numbers(layers.forward(inputs).swap_remove(0)));
    }
    Ok(values)
}

/// A learner's networks where burn computes.
struct Networks {
    /// The policy network, and the critic if there is one.
    moving: Vec<Moving>,
    magnet: Option<Layers>,
    /// What cells are multiplied with, the hidden ones last, `[1, cells]`.
    scale: Tensor<2>,
    device: Device,
}

/// What was found for some decisions.
struct Found {
    /// Of the loss's mean, for each network.
    gradients: Vec<Tensor<1>>,
    /// Of the loss's parts.
    sums: Tensor<1>,
}

impl Networks {
    fn new(learner: &Learner, device: &Device) -> Self {
        let moving: Vec<Moving> = std::iter::once(&learner.policy)
            .chain(&learner.critic)
            .map(|part| Moving::new(part, device))
            .collect();
        let magnet = learner.magnet.as_ref();
        let magnet = magnet.map(|weights| Layers::new(&learner.policy.shape, &flat(weights, device)));
        let scale = flat(&[&learner.scale[..], &learner.hidden_scale].concat(), device).unsqueeze();
        Self { moving, magnet, scale, device: device.clone() }
    }

    /// Decisions beside them.
    fn hold<'a>(&self, told: Told<'a>, step: &Step<'_>) -> Result<Held<'a>, Stopped> {
        Held::new(told, self.moving[0].shape.heads[0], &self.device, step.threads, step.stop)
    }

    /// The gradients of a loss over some decisions.
    fn judge(&self, picked: Picked, judge: impl Fn(Seen) -> Judged) -> Found {
        let Picked { cells, barred, actions, columns, targets } = picked;
        let rows = cells.dims()[0];
        let track = |moving: &Moving| Layers::new(&moving.shape, &moving.weights).tracked(rows);
        let tracked: Vec<Layers> = self.moving.iter().map(track).collect();
        let outputs =
            |(layers, moving): (&Layers, &Moving)| layers.forward(self.inputs(&cells, moving.shape.inputs));
        let mut outputs = tracked.iter().zip(&self.moving).map(outputs);
        let mut policy = outputs.next().unwrap_or_default();
        let critic = outputs.next().map(|mut heads| heads.swap_remove(0));
        drop(outputs);
        let (value, logits) = (policy.swap_remove(1), policy.swap_remove(0));
        let magnet = self.magnet.as_ref().map(|magnet| {
            let mut heads = magnet.forward(self.inputs(&cells, self.moving[0].shape.inputs));
            heads.swap_remove(0)
        });
        let seen = Seen { logits, value, magnet, critic, barred, actions, columns, targets };
        let Judged { loss, parts } = judge(seen);
        let mut gradients = loss.div_scalar(rows as f32).backward();
        Found {
            gradients: tracked.iter().map(|layers| layers.gradient(&mut gradients)).collect(),
            sums: over_rows(Tensor::cat(parts.into_iter().map(Tensor::inner).collect(), 1)),
        }
    }

    /// The first so many cells, each times its scale.
    fn inputs(&self, cells: &Tensor<2, Int>, count: usize) -> Tensor<2> {
        let rows = cells.dims()[0];
        cells.clone().slice([0..rows, 0..count]).float() * self.scale.clone().slice([0..1, 0..count])
    }
}

/// A network on its way, with the optimiser's memory: [`crate::optimizer`] in burn's words.
struct Moving {
    shape: Shape,
    weights: Tensor<1>,
    mean: Tensor<1>,
    square: Tensor<1>,
    steps: u64,
}

impl Moving {
    fn new(part: &Part, device: &Device) -> Self {
        let Part { shape, weights, adam } = part;
        Self {
            shape: shape.clone(),
            weights: flat(weights, device),
            mean: flat(&adam.mean, device),
            square: flat(&adam.square, device),
            steps: adam.steps,
        }
    }

    /// One step of the optimiser against a gradient; the gradient's length before it is clipped.
    fn descend(&mut self, gradient: Tensor<1>, descent: &Descent) -> Tensor<1> {
        self.steps += 1;
        let length = over_rows(gradient.clone().square().unsqueeze_dim(1)).sqrt();
        let most = descent.gradient_norm;
        let gradient = gradient * length.clone().clamp_min(most).recip().mul_scalar(most);
        let adam = descent.adam;
        let Correction { rate, epsilon } = adam.correction(descent.rate, self.steps);
        let decayed = |mean: &Tensor<1>, beta: f32, now: Tensor<1>| {
            mean.clone().mul_scalar(beta) + now.mul_scalar(1.0 - beta)
        };
        self.mean = decayed(&self.mean, adam.beta1, gradient.clone());
        self.square = decayed(&self.square, adam.beta2, gradient.square());
        let root = self.square.clone().sqrt().add_scalar(epsilon);
        self.weights = self.weights.clone() - self.mean.clone().mul_scalar(rate) / root;
        length
    }

    fn write(self, part: &mut Part) {
        part.weights = numbers(self.weights);
        part.adam.mean = numbers(self.mean);
        part.adam.square = numbers(self.square);
        part.adam.steps = self.steps;
    }
}

/// A list of numbers where burn computes.
fn flat(list: &[f32], device: &Device) -> Tensor<1> {
    Tensor::from_data(TensorData::new(list.to_vec(), [list.len()]), device)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::differentiated;
