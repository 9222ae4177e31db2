//! One rollout in minibatches: shuffled, cut into shards that are computed side by side, one optimiser
//! step after each.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cardsharp_bot::workers::until_stopped;
use cardsharp_env::Draw;

use super::pass::Room;
use super::{Diverged, Report, Schedule, Step, UpdateError};
use crate::fields::{FieldError, expect};
use crate::learner::{Learner, Part};
use crate::optimizer::{AdamConfig, Gradient};
use crate::streams::{self, Purpose};

/// How a rollout is walked through.
pub(super) struct Descent {
    /// Passes over the rollout.
    pub(super) epochs: usize,
    /// Decisions per optimiser step, about.
    pub(super) minibatch: usize,
    /// Parts of a minibatch.
    pub(super) shards: usize,
    /// Step size of Adam.
    pub(super) rate: f32,
    /// Largest Euclidean length of a network's gradient.
    pub(super) gradient_norm: f32,
    /// What the optimiser is told besides.
    pub(super) adam: AdamConfig,
}

/// What a shard contributes to a step.
#[derive(Default)]
pub(super) struct Shard<S> {
    pub(super) desk: Desk,
    pub(super) sums: S,
    /// Seconds it took.
    pub(super) network: f64,
}

/// Where a shard is computed.
#[derive(Default)]
pub(super) struct Desk {
    /// Gradient of the policy network, flat.
    pub(super) policy: Vec<f32>,
    /// Gradient of the critic, flat; empty without one.
    pub(super) critic: Vec<f32>,
    pub(super) room: Room,
}

/// Memory that shards of a run use one after the other. What it holds never influences a result.
#[derive(Default)]
pub struct Desks(Mutex<Vec<Desk>>);

impl Desks {
    fn free(&self) -> MutexGuard<'_, Vec<Desk>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sums over decisions, whatever they are.
pub(super) trait Sums: Default + Send {
    /// Adds those over other decisions.
    fn add(&mut self, other: &Self);
}

/// Whether a walk ends after a minibatch, given the sums over it and its size; none where it goes on to the end in any case.
pub(super) type Enough<'a, S> = Option<&'a dyn Fn(&S, usize) -> bool>;

/// What came of a walk.
pub(super) struct Walked<S> {
    /// Over all decisions of all epochs.
    pub(super) sums: S,
    /// Optimiser steps.
    pub(super) steps: u64,
    /// Lengths of the policy network's gradients before clipping, added up.
    pub(super) norms: f64,
}

/// Refuses a schedule of learning rates out of range.
pub(super) fn check_rate(schedule: Schedule) -> Result<(), FieldError> {
    let right = |rate: f32| rate > 0.0 && rate <= 0.1;
    schedule.check("learning_rate", right, "expected a number above 0, at most 0.1")
}

impl Descent {
    /// Refuses values out of range, by the names that they have in every algorithm's settings.
    pub(super) fn check(&self) -> Result<(), FieldError> {
        expect((1..=100).contains(&self.epochs), "epochs", self.epochs, "expected 1 to 100")?;
        expect(self.minibatch >= 1, "minibatch", self.minibatch, "expected at least 1")?;
        expect((1..=64).contains(&self.shards), "shards", self.shards, "expected 1 to 64")?;
        let norm = self.gradient_norm > 0.0 && self.gradient_norm.is_finite();
        expect(norm, "gradient_norm", self.gradient_norm, "expected a number above 0")?;
        let AdamConfig { beta1, beta2, epsilon } = self.adam;
        for (field, beta) in [("beta1", beta1), ("beta2", beta2)] {
            expect((0.0..1.0).contains(&beta), field, beta, "expected a number from 0 to below 1")?;
        }
        // Far below, it comes to 0 in the first steps, and a weight without a gradient to 0/0.
        let small = (1e-12..1.0).contains(&epsilon);
        expect(small, "epsilon", epsilon, "expected a number from 1e-12 to below 1")
    }

    /// Walks through `count` decisions. `gradients` gets a learner, the decisions of a shard, the size of the minibatch, and
    /// a shard with a desk to write; `enough` may end the walk. Samples and times are added to `report`.
    pub(super) fn walk<S: Sums>(
        &self,
        learner: &mut Learner,
        count: usize,
        step: &Step<'_>,
        report: &mut Report,
        gradients: impl Fn(&Learner, &[u32], usize, &mut Shard<S>) + Sync,
        enough: Enough<'_, S>,
    ) -> Result<Walked<S>, UpdateError> {
        let mut walked = Walked { sums: S::default(), steps: 0, norms: 0.0 };
        for epoch in 0..self.epochs {
            let order = Self::order(count, epoch, step);
            for ids in self.minibatches(&order) {
                let shards = until_stopped(step.threads, self.shards, step.stop, |shard| {
                    let desk = step.desks.free().pop().unwrap_or_default();
                    let mut written = Shard { desk, ..Shard::default() };
                    gradients(learner, part(ids, shard, self.shards), ids.len(), &mut written);
                    written
                })?;
                let start = Instant::now();
                let mut now = S::default();
                for shard in &shards {
                    now.add(&shard.sums);
                    report.network += shard.network;
                }
                let of_policy: Vec<&[f32]> = shards.iter().map(|shard| &shard.desk.policy[..]).collect();
                walked.norms += self.descend(&mut learner.policy, &of_policy, step.threads)?;
                if let Some(critic) = &mut learner.critic {
                    let of_critic: Vec<&[f32]> = shards.iter().map(|shard| &shard.desk.critic[..]).collect();
                    self.descend(critic, &of_critic, step.threads)?;
                }
                step.desks.free().extend(shards.into_iter().map(|shard| shard.desk));
                report.optimizer += start.elapsed().as_secs_f64();
                report.samples += ids.len() as u64;
                walked.steps += 1;
                walked.sums.add(&now);
                if enough.is_some_and(|enough| enough(&now, ids.len())) {
                    return Ok(walked);
                }
            }
        }
        Ok(walked)
    }

    /// The numbers of `count` decisions in the order in which an epoch meets them.
    pub(super) fn order(count: usize, epoch: usize, step: &Step<'_>) -> Vec<u32> {
        let mut order: Vec<u32> = (0..count as u32).collect();
        let seed = streams::seed(step.seed, Purpose::Order, &[step.iteration, epoch as u64]);
        Draw::new(seed, 0).shuffle(&mut order);
        order
    }

    /// They, cut into minibatches.
    pub(super) fn minibatches<'o>(&self, order: &'o [u32]) -> impl Iterator<Item = &'o [u32]> + use<'o> {
        let parts = (order.len() as f64 / self.minibatch as f64).round().max(1.0) as usize;
        (0..parts).map(move |minibatch| part(order, minibatch, parts))
    }

    /// One optimiser step along the sum of gradients; its length before clipping.
    fn descend(&self, part: &mut Part, gradients: &[&[f32]], threads: usize) -> Result<f64, Diverged> {
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
