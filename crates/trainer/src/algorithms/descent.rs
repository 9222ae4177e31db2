//! Gradient descent over one rollout: shuffled and cut into minibatches, with one optimizer step for each.
//!
//! On the CPU a minibatch is cut into shards, which threads compute in parallel. Each shard builds its own graph, and
//! the gradients are added in the order of the shards. So a result does not depend on the number of threads. A GPU
//! computes a minibatch at once (`tensors.rs`).

mod tensors;

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use burn::tensor::{Device as Tensors, Tensor};
use cardsharp_bot::workers::{Stopped, until_stopped};
use cardsharp_document::{FieldError, expect};
use cardsharp_env::Draw;

use super::{Diverged, Schedule, UpdateContext, UpdateError, UpdateReport};
use crate::device::Device;
use crate::learner::{Learner, NetState};
use crate::nn::{
    CpuNet, HeadOutputs, Inputs, Loss, Minibatch, PerAction, Places, RequestedOutputs, Rows, numbers, pool,
    requested_outputs,
};
use crate::optimizer::{AdamConfig, Gradient, OptimizerName};
use crate::rollout::Decisions;
use crate::streams::{self, StreamPurpose};

/// Settings of a pass over a rollout.
#[derive(Clone, Debug)]
pub struct Descent {
    /// Passes over the rollout.
    pub epochs: usize,
    /// Approximate number of decisions per optimizer step.
    pub minibatch: usize,
    /// Parts of a minibatch.
    pub shards: usize,
    /// Learning rate of this iteration.
    pub rate: f32,
    /// Maximum L2 norm of a network's gradient; longer gradients are scaled down.
    pub gradient_norm: f32,
    /// The other settings of the optimizer.
    pub adam: AdamConfig,
}

/// Decides whether a descent ends after a minibatch, from the sums of the loss's parts over it and its size. With none, it
/// never ends early.
pub type EarlyStop<'a> = Option<&'a dyn Fn(&LossSums, usize) -> bool>;

/// Sums of the parts of a loss over decisions, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LossSums(Vec<(&'static str, f64)>);

impl LossSums {
    /// The sum of a part; 0 if the loss has no such part.
    pub fn get(&self, name: &str) -> f64 {
        self.0.iter().find(|(other, _)| *other == name).map_or(0.0, |(_, sum)| *sum)
    }

    /// Adds the sums over other decisions.
    fn add(&mut self, others: &Self) {
        match self.0.is_empty() {
            true => self.clone_from(others),
            false => self.0.iter_mut().zip(&others.0).for_each(|((_, sum), (_, other))| *sum += other),
        }
    }
}

/// The result of a descent.
#[derive(Clone, Debug, Default)]
pub struct DescentStats {
    /// The sums of the loss's parts over all decisions of all epochs.
    pub sums: LossSums,
    /// Number of optimizer steps.
    pub steps: u64,
    /// Sum of the norms of the policy network's gradients before clipping.
    pub norms: f64,
}

/// Refuses a schedule of learning rates out of range.
pub(super) fn check_rate(schedule: Schedule) -> Result<(), FieldError> {
    let right = |rate: f32| rate > 0.0 && rate <= 0.1;
    schedule.check("learning_rate", right, "expected a number above 0, at most 0.1")
}

impl Descent {
    /// Refuses values out of range. Field names are those that all algorithms share.
    pub(super) fn check(&self) -> Result<(), FieldError> {
        expect((1..=100).contains(&self.epochs), "epochs", self.epochs, "expected 1 to 100")?;
        expect(self.minibatch >= 1, "minibatch", self.minibatch, "expected at least 1")?;
        expect((1..=64).contains(&self.shards), "shards", self.shards, "expected 1 to 64")?;
        let norm = self.gradient_norm > 0.0 && self.gradient_norm.is_finite();
        expect(norm, "max_grad_norm", self.gradient_norm, "expected a number above 0")?;
        let AdamConfig { optimizer, weight_decay, beta1, beta2, epsilon } = self.adam;
        for (field, beta) in [("beta1", beta1), ("beta2", beta2)] {
            expect((0.0..1.0).contains(&beta), field, beta, "expected a number from 0 to below 1")?;
        }
        // A much smaller epsilon underflows to 0 in the first steps. A weight without a gradient then becomes 0/0.
        let small = (1e-12..1.0).contains(&epsilon);
        expect(small, "adam_epsilon", epsilon, "expected a number from 1e-12 to below 1")?;
        let decay = (0.0..1.0).contains(&weight_decay);
        expect(decay, "weight_decay", weight_decay, "expected a number from 0 to below 1")?;
        let decays = optimizer == OptimizerName::AdamW || weight_decay == 0.0;
        expect(decays, "weight_decay", weight_decay, "expected 0 unless `optimizer` is \"adamw\"")
    }

    /// Trains on all decisions of `rows`, on the device of `step`, to minimize the mean of `loss`. Adds samples and
    /// times to `report`. `early_stop` may end the descent early.
    ///
    /// # Errors
    /// A gradient is not finite, or the step's `stop` was set. Do not use the learner after an error.
    pub fn run(
        &self,
        learner: &mut Learner,
        rows: Rows<'_>,
        step: &UpdateContext<'_>,
        report: &mut UpdateReport,
        loss: impl Fn(Minibatch) -> Loss + Sync,
        early_stop: EarlyStop<'_>,
    ) -> Result<DescentStats, UpdateError> {
        if let Device::Burn(device) = step.device {
            return tensors::run(self, (learner, device), rows, step, report, loss, early_stop);
        }
        pool::hold();
        let mut stats = DescentStats::default();
        for epoch in 0..self.epochs {
            let order = Self::order(rows.decisions.len(), epoch, step);
            for ids in self.minibatches(&order) {
                let networks = Networks::new(learner);
                let shards = until_stopped(step.threads, self.shards, step.stop, |shard| {
                    networks.shard(rows, part(ids, shard, self.shards), ids.len(), &loss)
                })?;
                networks.recycle();
                let start = Instant::now();
                let mut sums = LossSums::default();
                for shard in &shards {
                    sums.add(&shard.sums);
                    report.network += shard.seconds;
                }
                let parts = std::iter::once(&mut learner.policy).chain(&mut learner.critic);
                for (number, part) in parts.enumerate() {
                    let gradients: Vec<&[f32]> =
                        shards.iter().map(|shard| &shard.gradients[number][..]).collect();
                    let norm = self.descend(part, &gradients, step.threads)?;
                    stats.norms += if number == 0 { norm } else { 0.0 };
                }
                shards.into_iter().flat_map(|shard| shard.gradients).for_each(pool::give);
                report.optimizer += start.elapsed().as_secs_f64();
                report.samples += ids.len() as u64;
                stats.steps += 1;
                stats.sums.add(&sums);
                if early_stop.is_some_and(|stop| stop(&sums, ids.len())) {
                    return Ok(stats);
                }
            }
        }
        Ok(stats)
    }

    /// Returns the numbers of `count` decisions in the shuffled order of an epoch.
    fn order(count: usize, epoch: usize, step: &UpdateContext<'_>) -> Vec<u32> {
        let mut order: Vec<u32> = (0..count as u32).collect();
        let seed = streams::seed(step.seed, StreamPurpose::Order, &[step.iteration, epoch as u64]);
        Draw::new(seed, 0).shuffle(&mut order);
        order
    }

    /// Cuts them into minibatches of nearly equal size.
    fn minibatches<'o>(&self, order: &'o [u32]) -> impl Iterator<Item = &'o [u32]> + use<'o> {
        let parts = (order.len() as f64 / self.minibatch as f64).round().max(1.0) as usize;
        (0..parts).map(move |minibatch| part(order, minibatch, parts))
    }

    /// Takes one optimizer step along the sum of gradients; returns its norm before clipping.
    fn descend(&self, part: &mut NetState, gradients: &[&[f32]], threads: usize) -> Result<f64, Diverged> {
        let gradient = Gradient { parts: gradients, most: self.gradient_norm };
        let norm = gradient.norm(threads);
        if !norm.is_finite() {
            return Err(Diverged { step: part.adam.steps + 1 });
        }
        part.adam.step(self.adam, self.rate, gradient, norm, &mut part.weights, threads);
        Ok(norm)
    }
}

/// Part `number` of `count` parts of nearly equal length.
fn part<T>(items: &[T], number: usize, count: usize) -> &[T] {
    &items[items.len() * number / count..items.len() * (number + 1) / count]
}

/// Returns the index of the value output, which follows those of all actions; none for a network with one head.
fn value_output(part: &NetState) -> Option<u16> {
    (part.shape.heads.len() > 1).then(|| part.shape.heads[0] as u16)
}

/// Returns the critic's value of every decision, computed on the device of `step`; none without a critic.
///
/// # Errors
/// The step's `stop` was set.
pub(super) fn critic_values(
    learner: &Learner,
    decisions: &Decisions,
    step: &UpdateContext<'_>,
) -> Result<Option<Vec<f32>>, Stopped> {
    /// Rows per forward pass: enough for a fast matrix product, few enough for the cache.
    const ROWS: usize = 1024;
    let Some(critic) = &learner.critic else { return Ok(None) };
    if let Device::Burn(device) = step.device {
        return tensors::critic_values(learner, device, decisions, step).map(Some);
    }
    let (critic, scale) = (CpuNet::new(&critic.shape, &critic.weights), learner.critic_scale());
    let ids: Vec<u32> = (0..decisions.len() as u32).collect();
    let chunks: Vec<&[u32]> = ids.chunks(ROWS).collect();
    let values = until_stopped(step.threads, chunks.len(), step.stop, |chunk| {
        let inputs = Inputs::cells(decisions, chunks[chunk], &scale);
        let values = numbers(critic.net.value(&inputs));
        inputs.recycle();
        values
    })?;
    critic.recycle();
    Ok(Some(values.concat()))
}

/// A learner's networks on the CPU, before a step.
struct Networks<'a> {
    learner: &'a Learner,
    policy: CpuNet,
    reference: Option<CpuNet>,
    critic: Option<(CpuNet, Vec<f32>)>,
}

/// The result of a shard.
struct Shard {
    /// Gradients of the policy network and the critic, flat.
    gradients: Vec<Vec<f32>>,
    /// The sums of the loss's parts.
    sums: LossSums,
    /// Seconds that it took.
    seconds: f64,
}

impl<'a> Networks<'a> {
    fn new(learner: &'a Learner) -> Self {
        let Learner { policy, critic, reference_policy, .. } = learner;
        let critic = critic.as_ref();
        Self {
            learner,
            policy: CpuNet::new(&policy.shape, &policy.weights),
            reference: reference_policy.as_ref().map(|weights| CpuNet::new(&policy.shape, weights)),
            critic: critic.map(|part| (CpuNet::new(&part.shape, &part.weights), learner.critic_scale())),
        }
    }

    fn recycle(self) {
        let critic = self.critic.map(|(critic, _)| critic);
        std::iter::once(self.policy).chain(self.reference).chain(critic).for_each(CpuNet::recycle);
    }

    /// Computes the gradients of the loss over the decisions `ids`, as their part of a mean over `size` decisions.
    fn shard(&self, rows: Rows<'_>, ids: &[u32], size: usize, loss: &impl Fn(Minibatch) -> Loss) -> Shard {
        let start = Instant::now();
        let parts_of = std::iter::once(&self.learner.policy).chain(&self.learner.critic);
        if ids.is_empty() {
            let gradients = parts_of.map(|part| vec![0.0; part.weights.len()]).collect();
            return Shard { gradients, sums: LossSums::default(), seconds: 0.0 };
        }
        let (policy, decisions, device) = (self.policy.net.leaves(), rows.decisions, &Tensors::flex());
        let inputs = Inputs::cells(decisions, ids, &self.learner.scale);
        let (requested, played, lists) = requested_outputs(rows, ids);
        let (requested, lists) = (Arc::new(requested), lists.map(Arc::new));
        let per_action = |numbers| {
            let numbers = PerAction::ragged(numbers, &requested.rows);
            match &lists {
                Some(lists) => numbers.lists(lists, lists.ends.len() / ids.len().max(1)),
                None => numbers,
            }
        };
        let HeadOutputs { actions, value } =
            policy.outputs(&inputs, &requested, value_output(&self.learner.policy));
        let reference = self.reference.as_ref().map(|of| of.net.outputs(&inputs, &requested, None).actions);
        let critic = self.critic.as_ref().map(|(of, scale)| {
            let (net, inputs) = (of.net.leaves(), Inputs::cells(decisions, ids, scale));
            (net.value(&inputs), net, inputs)
        });
        let column = |column: &&[f32]| {
            let numbers: Vec<f32> = ids.iter().map(|&id| column[id as usize]).collect();
            Tensor::from_floats(&numbers[..], device)
        };
        let targets = (!rows.targets.is_empty())
            .then(|| targets(rows, ids, &requested, self.learner.policy.shape.heads[0]));
        let Loss { each, parts } = loss(Minibatch {
            logits: per_action(actions),
            value: value.unwrap_or_else(|| Tensor::zeros([ids.len()], device)),
            reference: reference.map(per_action),
            critic: critic.as_ref().map(|(values, ..)| values.clone()),
            played: Places::Ragged(Arc::new(played)),
            columns: rows.columns.iter().map(column).collect(),
            targets: targets
                .map(|targets| PerAction::ragged(Tensor::from_floats(&targets[..], device), &requested.rows)),
        });
        let (critic, of_critic) = match critic {
            Some((values, net, inputs)) => {
                drop(values);
                (Some(net), Some(inputs))
            }
            None => (None, None),
        };
        let mut gradients = each.mul_scalar(1.0 / size as f32).backward();
        let nets = std::iter::once(&policy).chain(&critic).zip(parts_of);
        let flat = nets.map(|(net, part)| {
            let mut flat = pool::take(part.weights.len());
            net.write_gradient(&part.shape, &mut gradients, &mut flat);
            flat
        });
        let gradients = flat.collect();
        drop((policy, critic));
        std::iter::once(inputs).chain(of_critic).for_each(Inputs::recycle);
        let sum = |part: Tensor<1>| numbers(part.inner()).into_iter().map(f64::from).sum();
        let sums = LossSums(parts.into_iter().map(|(name, part)| (name, sum(part))).collect());
        Shard { gradients, sums, seconds: start.elapsed().as_secs_f64() }
    }
}

/// Returns the target probabilities of the outputs in `requested`; 0 for decisions without a target.
fn targets(rows: Rows<'_>, ids: &[u32], requested: &RequestedOutputs, actions: usize) -> Vec<f32> {
    let first = rows.decisions.len() - rows.targets.len() / actions;
    let of = |(&id, group): (&u32, Range<usize>)| {
        let lesson = (id as usize).checked_sub(first);
        let outputs = &requested.outputs[group];
        outputs.iter().map(move |&output| {
            lesson.map_or(0.0, |lesson| rows.targets[lesson * actions + usize::from(output)])
        })
    };
    ids.iter().zip(requested.rows.ranges()).flat_map(of).collect()
}
