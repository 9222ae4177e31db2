//! Learning where burn computes, which is for a graphics card: forward and backward pass, loss and optimiser.
//!
//! A minibatch goes there as bytes, one for each cell, and numbers; what comes back of it are the sums that are reported. The first
//! layer is a full product there: its inputs are mostly zeros, but a card multiplies them faster than it looks for the others.
//!
//! Losses are written as functions that burn differentiates, beside the gradients that the algorithms write out for the
//! cores: two ways to the same numbers, which tests hold against each other.

mod layers;

use std::sync::atomic::Ordering;
use std::time::Instant;

use burn::tensor::{Bool, Device, Int, Tensor, TensorData};
use cardsharp_bot::workers::Stopped;
use cardsharp_env::{ActionId, mask};

use super::descent::{Descent, Sums, Walked};
use super::{Diverged, Report, Step, UpdateError};
use crate::learner::{Learner, Part};
use crate::net::Shape;
use crate::optimizer::Correction;
use crate::rollout::Decisions;

use layers::{Layers, numbers};

/// Bytes of a word.
const BYTES: usize = 4;

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
    /// Its sum over the decisions.
    pub(super) loss: Tensor<1>,
    /// Sums over the decisions, as [`FromCard::of`] reads them.
    pub(super) sums: Vec<Tensor<1>>,
}

/// The loss of a forecast that is off by `errors`, added up: half the square, from `bound` on (if it is not 0) linear.
pub(super) fn miss(errors: Tensor<2>, bound: f32) -> Tensor<1> {
    let size = errors.abs();
    if bound == 0.0 {
        return size.square().mul_scalar(0.5).sum();
    }
    let within = size.clone().clamp_max(bound);
    (within.clone().square().mul_scalar(0.5) + (size - within).mul_scalar(bound)).sum()
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
    enough: impl Fn(&S, usize) -> bool,
) -> Result<Walked<S>, UpdateError> {
    let start = Instant::now();
    let mut networks = Networks::new(learner, device);
    let mut walked = Walked { sums: S::default(), steps: 0, norms: 0.0 };
    'all: for epoch in 0..descent.epochs {
        let order = Descent::order(told.decisions.len(), epoch, step);
        for ids in descent.minibatches(&order) {
            if step.stop.load(Ordering::Relaxed) {
                return Err(Stopped.into());
            }
            let Found { gradients, sums } = networks.judge(told, ids, &judge);
            let lengths = gradients.iter().map(|gradient| gradient.clone().square().sum().sqrt());
            let mut read = numbers(Tensor::cat(sums.into_iter().chain(lengths).collect(), 0));
            let lengths = read.split_off(read.len() - gradients.len());
            let moving = networks.moving.iter_mut();
            for ((moving, gradient), length) in moving.zip(gradients).zip(&lengths) {
                moving.descend(gradient, *length, descent)?;
            }
            let now = S::of(&read);
            report.samples += ids.len() as u64;
            walked.steps += 1;
            walked.norms += f64::from(lengths[0]);
            walked.sums.add(&now);
            if enough(&now, ids.len()) {
                break 'all;
            }
        }
    }
    let parts = std::iter::once(&mut learner.policy).chain(&mut learner.critic);
    parts.zip(networks.moving).for_each(|(part, moving)| moving.write(part));
    report.network += start.elapsed().as_secs_f64();
    Ok(walked)
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
    let ids: Vec<u32> = (0..decisions.len() as u32).collect();
    let mut values = Vec::with_capacity(ids.len());
    for ids in ids.chunks(ROWS) {
        if step.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let told = Told { decisions, columns: &[], targets: &[] };
        let inputs = networks.inputs(&networks.bytes(told, ids), critic.shape.inputs);
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
    sums: Vec<Tensor<1>>,
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

    /// The gradients of a loss over some decisions.
    fn judge(&self, told: Told<'_>, ids: &[u32], judge: impl Fn(Seen) -> Judged) -> Found {
        let leaves: Vec<Tensor<1>> =
            self.moving.iter().map(|moving| moving.weights.clone().autodiff().require_grad()).collect();
        let bytes = self.bytes(told, ids);
        let mut heads = self.moving.iter().zip(&leaves).map(|(moving, leaf)| {
            Layers::new(&moving.shape, leaf).forward(self.inputs(&bytes, moving.shape.inputs))
        });
        let mut policy = heads.next().unwrap_or_default();
        let critic = heads.next().map(|mut heads| heads.swap_remove(0));
        drop(heads);
        let (value, logits) = (policy.swap_remove(1), policy.swap_remove(0));
        let shape = &self.moving[0].shape;
        let magnet = self.magnet.as_ref().map(|magnet| {
            let mut heads = magnet.forward(self.inputs(&bytes, shape.inputs));
            heads.swap_remove(0)
        });
        let [rows, actions] = logits.dims();
        let cells = self.scale.dims()[1];
        let barred = bytes.slice([0..rows, cells..cells + actions]).equal_elem(0);
        let of = |id: &u32| i32::from(told.decisions.actions[*id as usize].0.cast_signed());
        let actions = TensorData::new(ids.iter().map(of).collect::<Vec<i32>>(), [rows, 1]);
        let column = |column: &&[f32]| {
            let numbers: Vec<f32> = ids.iter().map(|&id| column[id as usize]).collect();
            Tensor::from_data(TensorData::new(numbers, [rows, 1]), &self.device)
        };
        let seen = Seen {
            logits,
            value,
            magnet,
            critic,
            barred,
            actions: Tensor::from_data(actions, &self.device),
            columns: told.columns.iter().map(column).collect(),
            targets: (!told.targets.is_empty()).then(|| self.targets(told, ids)),
        };
        let Judged { loss, sums } = judge(seen);
        let mut gradients = loss.div_scalar(rows as f32).backward();
        let gradients = leaves.iter().map(|leaf| {
            leaf.grad_remove(&mut gradients).unwrap_or_else(|| Tensor::zeros(leaf.shape(), &self.device))
        });
        Found { gradients: gradients.collect(), sums: sums.into_iter().map(Tensor::inner).collect() }
    }

    /// The targets of decisions, 0 where there is none, `[rows, actions]`.
    fn targets(&self, told: Told<'_>, ids: &[u32]) -> Tensor<2> {
        let actions = self.moving[0].shape.heads[0];
        let first = told.decisions.len() - told.targets.len() / actions;
        let mut targets = vec![0.0; ids.len() * actions];
        for (to, &id) in targets.chunks_exact_mut(actions).zip(ids) {
            if let Some(lesson) = (id as usize).checked_sub(first) {
                to.copy_from_slice(&told.targets[lesson * actions..][..actions]);
            }
        }
        Tensor::from_data(TensorData::new(targets, [ids.len(), actions]), &self.device)
    }

    /// The cells of decisions, hidden ones after them, then 1 for each action that is legal, `[rows, bytes]`. They travel four to a
    /// word: the languages of cards know no bytes.
    fn bytes(&self, Told { decisions, .. }: Told<'_>, ids: &[u32]) -> Tensor<2, Int> {
        let count = decisions.len();
        let [cells, hidden, legal] =
            [decisions.rows.len(), decisions.hidden.len(), decisions.legal.len()].map(|all| all / count);
        let all = self.scale.dims()[1];
        let actions = self.moving[0].shape.heads[0];
        let stride = (all + actions).next_multiple_of(BYTES);
        let mut bytes = vec![0; ids.len() * stride];
        for (row, id) in bytes.chunks_exact_mut(stride).zip(ids.iter().map(|&id| id as usize)) {
            row[..cells].copy_from_slice(&decisions.rows[id * cells..][..cells]);
            row[cells..][..hidden].copy_from_slice(&decisions.hidden[id * hidden..][..hidden]);
            for ActionId(action) in mask::actions(&decisions.legal[id * legal..][..legal]) {
                row[all + usize::from(action)] = 1;
            }
        }
        let words: Vec<i32> = bytes.as_chunks().0.iter().map(|word| i32::from_le_bytes(*word)).collect();
        let words = TensorData::new(words, [ids.len(), stride / BYTES]);
        let words = Tensor::<2, Int>::from_data(words, &self.device);
        let bytes = [0, 8, 16, 24]
            .map(|shift| words.clone().bitwise_right_shift_scalar(shift).bitwise_and_scalar(0xff));
        Tensor::stack::<3>(bytes.to_vec(), 2).reshape([ids.len(), stride])
    }

    /// The first so many cells, each times its scale.
    fn inputs(&self, bytes: &Tensor<2, Int>, cells: usize) -> Tensor<2> {
        let rows = bytes.dims()[0];
        bytes.clone().slice([0..rows, 0..cells]).float() * self.scale.clone().slice([0..1, 0..cells])
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

    /// One step of the optimiser against a gradient of this length.
    fn descend(&mut self, gradient: Tensor<1>, length: f32, descent: &Descent) -> Result<(), Diverged> {
        self.steps += 1;
        if !length.is_finite() {
            return Err(Diverged { step: self.steps });
        }
        let most = descent.gradient_norm;
        let gradient = if length > most { gradient.mul_scalar(most / length) } else { gradient };
        let adam = descent.adam;
        let Correction { rate, epsilon } = adam.correction(descent.rate, self.steps);
        let decayed = |mean: &Tensor<1>, beta: f32, now: Tensor<1>| {
            mean.clone().mul_scalar(beta) + now.mul_scalar(1.0 - beta)
        };
        self.mean = decayed(&self.mean, adam.beta1, gradient.clone());
        self.square = decayed(&self.square, adam.beta2, gradient.square());
        let root = self.square.clone().sqrt().add_scalar(epsilon);
        self.weights = self.weights.clone() - self.mean.clone().mul_scalar(rate) / root;
        Ok(())
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
