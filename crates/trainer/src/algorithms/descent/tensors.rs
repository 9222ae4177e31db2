//! Gradient descent with burn's own operations: on a GPU, and on any device for a program's own network.
//!
//! The device holds the rollout, the weights and the optimizer's memory. Sums and norms of gradients are read at the
//! end of an epoch. Until then nothing waits for a GPU, unless a minibatch may end it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use burn::tensor::{Device, Int, Tensor};
use cardsharp_bot::workers::Stopped;

use super::super::{Diverged, UpdateContext, UpdateError, UpdateReport};
use super::{Descent, DescentStats, EarlyStop, LossSums, value_output};
use crate::learner::{Learner, NetState};
use crate::nn::custom::CustomNetwork;
use crate::nn::{
    DeviceMinibatch, DeviceRollout, HeadOutputs, Inputs, Loss, Minibatch, Net, OutputSet, Places,
    RequestedOutputs, Rows, numbers, over_rows,
};
use crate::optimizer::DeviceAdam;
use crate::rollout::Decisions;

/// [`Descent::run`] by burn's own operations.
pub(super) fn run(
    descent: &Descent,
    (learner, device): (&mut Learner, &Device),
    rows: Rows<'_>,
    step: &UpdateContext<'_>,
    report: &mut UpdateReport,
    loss: impl Fn(Minibatch) -> Loss,
    early_stop: EarlyStop<'_>,
) -> Result<DescentStats, UpdateError> {
    let start = Instant::now();
    let mut networks = TensorNets::new(learner, device);
    let rollout = DeviceRollout::new(rows, learner.policy.shape.heads[0], device, step.threads, step.stop)?;
    let begun: Vec<u64> = networks.moving.iter().map(|(_, moving)| moving.steps).collect();
    let mut stats = DescentStats::default();
    'all: for epoch in 0..descent.epochs {
        let order = Descent::order(rows.decisions.len(), epoch, step);
        let mut unread = Vec::new();
        for minibatch in rollout.upload_indices(descent.minibatches(&order)) {
            if step.stop.load(Ordering::Relaxed) {
                return Err(Stopped.into());
            }
            let (gradients, sums, names) =
                networks.gradients(&rollout, rollout.gather(&minibatch), &minibatch.ids, &loss);
            let moving = networks.moving.iter_mut().zip(gradients);
            let lengths = moving.map(|((_, moving), gradient)| {
                let length = over_rows((gradient.clone() * gradient.clone()).unsqueeze_dim(1)).sqrt();
                moving.step(descent.adam, descent.rate, gradient, length.clone(), descent.gradient_norm);
                length
            });
            unread.push((Tensor::cat(std::iter::once(sums).chain(lengths).collect(), 0), names));
            let count = minibatch.ids.len();
            report.samples += count as u64;
            if let Some(early_stop) = early_stop
                && early_stop(&read(std::mem::take(&mut unread), &begun, &mut stats)?, count)
            {
                break 'all;
            }
        }
        read(unread, &begun, &mut stats)?;
    }
    let moving: Vec<DeviceAdam> = networks.moving.into_iter().map(|(_, moving)| moving).collect();
    let parts = std::iter::once(&mut learner.policy).chain(&mut learner.critic);
    parts.zip(moving).for_each(|(part, moving)| moving.write(&mut part.weights, &mut part.adam));
    report.network += start.elapsed().as_secs_f64();
    Ok(stats)
}

/// Waits for the results of steps and adds them to `stats`: the sums of the loss's parts, and the norm of each
/// network's gradient. Returns the sums. `begun` has the number of each network's steps before.
fn read(
    steps: Vec<(Tensor<1>, Names)>,
    begun: &[u64],
    stats: &mut DescentStats,
) -> Result<LossSums, Diverged> {
    let mut all = LossSums::default();
    let (steps, names): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
    let Some((first, names)) = steps.first().zip(names.first()) else { return Ok(all) };
    let each = first.dims()[0];
    for step in numbers(Tensor::cat(steps, 0)).chunks_exact(each) {
        let (sums, lengths) = step.split_at(each - begun.len());
        stats.steps += 1;
        if let Some((_, begun)) = lengths.iter().zip(begun).find(|(length, _)| !length.is_finite()) {
            return Err(Diverged { step: begun + stats.steps });
        }
        stats.norms += f64::from(lengths[0]);
        all.add(&LossSums(names.iter().copied().zip(sums.iter().map(|&sum| sum.into())).collect()));
    }
    stats.sums.add(&all);
    Ok(all)
}

/// The names of a loss's parts.
type Names = Vec<&'static str>;

/// Returns the critic's value of every decision.
pub(super) fn critic_values(
    learner: &Learner,
    device: &Device,
    decisions: &Decisions,
    step: &UpdateContext<'_>,
) -> Result<Vec<f32>, Stopped> {
    /// The size of a minibatch for a GPU.
    const ROWS: usize = 1 << 14;
    let networks = TensorNets::new(learner, device);
    let [_, (critic, moving)] = &networks.moving[..] else { return Ok(Vec::new()) };
    let net = Net::new(&critic.shape, &moving.weights);
    let rows = Rows { decisions, columns: &[], targets: &[], outputs: OutputSet::Legal };
    let rollout = DeviceRollout::new(rows, learner.policy.shape.heads[0], device, step.threads, step.stop)?;
    let ids: Vec<u32> = (0..decisions.len() as u32).collect();
    let mut values = Vec::with_capacity(ids.len());
    for minibatch in rollout.upload_indices(ids.chunks(ROWS)) {
        if step.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let inputs = networks.inputs(&rollout.gather(&minibatch).cells, critic.shape.inputs);
        values.extend(numbers(net.value(&inputs)));
    }
    Ok(values)
}

/// A learner's networks on a GPU.
struct TensorNets<'a> {
    /// The policy network, and the critic if there is one.
    moving: Vec<(&'a NetState, DeviceAdam)>,
    /// Index of the policy network's value output.
    value: Option<u16>,
    reference: Option<CustomNetwork>,
    /// The factors of cells, the hidden ones last, `[1, cells]`.
    scale: Tensor<2>,
}

impl<'a> TensorNets<'a> {
    fn new(learner: &'a Learner, device: &Device) -> Self {
        let Learner { policy, critic, reference_policy, .. } = learner;
        let moving = |part: &'a NetState| (part, DeviceAdam::new(&part.weights, &part.adam, device));
        let reference = |weights: &Vec<f32>| {
            CustomNetwork::new(
                policy.module.as_ref(),
                &policy.shape,
                &Tensor::from_floats(&weights[..], device),
                false,
            )
        };
        Self {
            moving: std::iter::once(policy).chain(critic).map(moving).collect(),
            value: value_output(policy),
            reference: reference_policy.as_ref().map(reference),
            scale: Tensor::<1>::from_floats(&learner.critic_scale()[..], device).unsqueeze(),
        }
    }

    /// Returns the gradients of the mean loss over a minibatch, and the sums of the loss's parts with their names.
    fn gradients(
        &self,
        rollout: &DeviceRollout<'_>,
        batch: DeviceMinibatch,
        ids: &[u32],
        loss: &impl Fn(Minibatch) -> Loss,
    ) -> (Vec<Tensor<1>>, Tensor<1>, Names) {
        let rows = ids.len();
        let leaves = |(part, moving): &(&NetState, DeviceAdam)| {
            CustomNetwork::new(part.module.as_ref(), &part.shape, &moving.weights, true)
        };
        let nets: Vec<CustomNetwork> = self.moving.iter().map(leaves).collect();
        let own = self.inputs(&batch.cells, self.moving[0].0.shape.inputs);
        let (none, actions) = (Arc::new(RequestedOutputs::default()), self.moving[0].0.shape.heads[0]);
        let requested = |numbers: Tensor<1>| rollout.requested(numbers.reshape([rows, actions]), &batch, ids);
        let HeadOutputs { actions: logits, value } = nets[0].outputs(&own, &none, self.value);
        let reference = self.reference.as_ref().map(|net| net.outputs(&own, &none, self.value).actions);
        let critic = nets.get(1).map(|net| {
            let inputs = self.inputs(&batch.cells, self.moving[1].0.shape.inputs);
            let HeadOutputs { actions, value } = net.outputs(&inputs, &none, Some(0));
            value.unwrap_or(actions)
        });
        let Loss { each, parts } = loss(Minibatch {
            logits: requested(logits),
            value: value.unwrap_or_else(|| Tensor::zeros([rows], &self.scale.device())),
            reference: reference.map(requested),
            critic,
            played: Places::Masked(Box::new(batch.actions.clone())),
            columns: batch.columns.clone(),
            targets: batch.targets.clone(),
        });
        let mut gradients = each.div_scalar(rows as f32).backward();
        let flat = |(net, (part, _)): (&CustomNetwork, &(&NetState, DeviceAdam))| {
            Tensor::cat(net.gradient(&part.shape, &mut gradients), 0)
        };
        let gradients = nets.iter().zip(&self.moving).map(flat).collect();
        let (names, parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let parts = parts.into_iter().map(|part| part.inner().unsqueeze_dim(1)).collect();
        (gradients, over_rows(Tensor::cat(parts, 1)), names)
    }

    /// Returns the first `count` cells, each times its factor.
    fn inputs(&self, cells: &Tensor<2, Int>, count: usize) -> Inputs {
        let rows = cells.dims()[0];
        let scale = self.scale.clone().slice([0..1, 0..count]);
        Inputs::numbers(cells.clone().slice([0..rows, 0..count]).float() * scale)
    }
}
