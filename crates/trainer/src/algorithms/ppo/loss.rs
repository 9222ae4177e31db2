//! The loss of a minibatch and its gradient.

use std::time::Instant;

use cardsharp_env::ActionId;

use super::super::descent::{self, Desk, Shard};
use super::super::miss;
use super::super::pass::{self, Inputs, Network};
use super::PpoConfig;
use crate::learner::Learner;
use crate::rollout::Decisions;

/// What a minibatch is judged by.
pub(super) struct Task<'a> {
    pub(super) decisions: &'a Decisions,
    /// Those that are another's, to be learned from him.
    pub(super) lessons: Teach<'a>,
    /// What the cells of the critic's inputs are multiplied with, if there is one.
    pub(super) critic_scale: &'a [f32],
    /// Advantages as the loss uses them.
    pub(super) weights: &'a [f32],
    pub(super) returns: &'a [f32],
    pub(super) config: &'a PpoConfig,
    pub(super) entropy: f32,
    pub(super) spread: f32,
    /// Whether to raise the probability of every action that was played, and do nothing else.
    pub(super) imitate: bool,
}

/// Decisions that have a target.
#[derive(Copy, Clone)]
pub(super) struct Teach<'a> {
    /// The first of them; all that follow have one, too.
    pub(super) first: usize,
    /// `[lessons, actions]`.
    pub(super) targets: &'a [f32],
    /// The weight of their loss.
    pub(super) weight: f32,
}

/// Sums over decisions.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) policy: f64,
    pub(super) value: f64,
    pub(super) critic: f64,
    pub(super) entropy: f64,
    pub(super) magnet: f64,
    pub(super) spread: f64,
    pub(super) kl: f64,
    pub(super) clipped: f64,
    /// KL(target ‖ π), in nats.
    pub(super) lesson: f64,
    /// How many have a target.
    pub(super) lessons: f64,
}

impl descent::Sums for Sums {
    fn add(&mut self, other: &Self) {
        self.policy += other.policy;
        self.value += other.value;
        self.critic += other.critic;
        self.entropy += other.entropy;
        self.magnet += other.magnet;
        self.spread += other.spread;
        self.kl += other.kl;
        self.clipped += other.clipped;
        self.lesson += other.lesson;
        self.lessons += other.lessons;
    }
}

#[cfg(any(test, feature = "wgpu"))]
impl super::super::card::FromCard for Sums {
    fn of(numbers: &[f32]) -> Self {
        let mut numbers = numbers.iter().map(|&number| f64::from(number));
        let mut next = || numbers.next().unwrap_or_default();
        Self {
            policy: next(),
            value: next(),
            critic: next(),
            entropy: next(),
            magnet: next(),
            spread: next(),
            kl: next(),
            clipped: next(),
            lesson: next(),
            lessons: next(),
        }
    }
}

impl Task<'_> {
    /// The gradients of the loss over the decisions `ids`, as their part of a mean over `size`.
    pub(super) fn gradients(&self, learner: &Learner, ids: &[u32], size: usize, shard: &mut Shard<Sums>) {
        let start = Instant::now();
        let Desk { policy, critic, room } = &mut shard.desk;
        let mut sums = Sums::default();
        let share = 1.0 / size as f32;
        let shape = &learner.policy.shape;
        let network = Network { shape, weights: &learner.policy.weights };
        let told = Inputs { decisions: self.decisions, ids, scale: &learner.scale };
        // The magnet's logits of the legal actions, one decision after the other; none without one.
        let mut held = Vec::new();
        if let Some(weights) = &learner.magnet {
            let magnet = Network { shape, weights };
            let ask = |id: usize, outputs: &mut Vec<u16>| pass::legal(self.decisions, id, outputs);
            room.outputs(magnet, told, ask, |outputs| held.extend_from_slice(outputs));
        }
        let mut of_magnet = &held[..];
        let ask = |id: usize, outputs: &mut Vec<u16>| {
            pass::legal(self.decisions, id, outputs);
            outputs.push(pass::value_output(shape));
        };
        let judge = |seen: pass::Seen<'_>, at_outputs: &mut Vec<f32>| {
            let pass::Seen { id, asked, outputs } = seen;
            let ([legal @ .., _], [logits @ .., value]) = (asked, outputs) else { return };
            let (magnet, left) = of_magnet.split_at(legal.len().min(of_magnet.len()));
            of_magnet = left;
            if let Some(lesson) = id.checked_sub(self.lessons.first) {
                let actions = shape.heads[0];
                let target = &self.lessons.targets[lesson * actions..][..actions];
                teach(target, legal, logits, self.lessons.weight * share, at_outputs, &mut sums);
            } else {
                let seen = Seen {
                    action: self.decisions.actions[id],
                    log_probability: self.decisions.log_probability[id],
                    advantage: self.weights[id],
                    magnet,
                };
                let aim = match self.imitate {
                    true => Aim::Imitate,
                    false => {
                        let PpoConfig { clip, magnet, .. } = *self.config;
                        Aim::Improve { clip, entropy: self.entropy, magnet, spread: self.spread }
                    }
                };
                judge(seen, legal, logits, aim, share, at_outputs, &mut sums);
            }
            let (loss, slope) = miss(value - self.returns[id], self.config.value_bound);
            sums.value += loss;
            at_outputs.push(self.config.value_weight * share * slope);
        };
        room.gradient(network, told, ask, judge, policy);

        if let Some(part) = &learner.critic {
            let told = Inputs { scale: self.critic_scale, ..told };
            let network = Network { shape: &part.shape, weights: &part.weights };
            let judge = |seen: pass::Seen<'_>, at_outputs: &mut Vec<f32>| {
                let error = seen.outputs[0] - self.returns[seen.id];
                let (loss, slope) = miss(error, self.config.value_bound);
                sums.critic += loss;
                at_outputs.push(self.config.value_weight * share * slope);
            };
            let ask = |_, outputs: &mut Vec<u16>| outputs.push(0);
            room.gradient(network, told, ask, judge, critic);
        }
        shard.sums = sums;
        shard.network = start.elapsed().as_secs_f64();
    }
}

/// A decision as the loss sees it.
#[derive(Copy, Clone, Debug)]
struct Seen<'a> {
    action: ActionId,
    log_probability: f32,
    advantage: f32,
    /// The magnet's logits of the legal actions; empty without one.
    magnet: &'a [f32],
}

/// What a policy is judged by.
#[derive(Copy, Clone, Debug)]
enum Aim {
    /// The clipped objective; the weights of entropy and of the divergences from the magnet and of
    /// the uniform policy.
    Improve { clip: f32, entropy: f32, magnet: f32, spread: f32 },
    /// The cross-entropy with the action that was played.
    Imitate,
}

/// The gradient of one decision's loss, times `share`, at the logits of its legal actions. `logits` and
/// `gradient` have one entry per legal action, in their order. To improve, the loss is
///
/// `− min(r A, clip(r) A) − e H` with the ratio `r = π(a) / π_old(a)`, the advantage `A`, the entropy
/// `H = − Σ p ln p` and its weight `e`. With the softmax's `∂ ln p_a / ∂ l_j = [j = a] − p_j` the first
/// term's gradient is `− r A ([j = a] − p_j)`, or 0 where the clipped side is the smaller one, and the
/// second's is `e p_j (ln p_j + H)`. A magnet ρ with weight `m` adds `m K` with the divergence
/// `K = Σ p (ln p − ln ρ)` and the gradient `m p_j (ln p_j − ln ρ_j − K)`, a spread with weight `s` among
/// `n` legal actions `s Σ (− ln p − ln n) / n` with the gradient `s (p_j − 1 / n)`. To imitate it is
/// `− ln π(a)`, with the gradient `p_j − [j = a]`.
fn judge(
    seen: Seen<'_>,
    legal: &[u16],
    logits: &[f32],
    aim: Aim,
    share: f32,
    gradient: &mut Vec<f32>,
    sums: &mut Sums,
) {
    let total = log_sum_exp(logits);
    let total_held = log_sum_exp(seen.magnet);
    // How much likelier than the magnet the policy makes each action, in logarithms; nothing without one.
    let beyond = |j: usize| seen.magnet.get(j).map_or(0.0, |held| logits[j] - total - (held - total_held));
    let divergence: f32 = (0..logits.len()).map(|j| libm::expf(logits[j] - total) * beyond(j)).sum();
    let entropy: f32 = logits.iter().map(|l| l - total).map(|l| -libm::expf(l) * l).sum();
    let chosen = legal.iter().zip(logits).find(|(action, _)| ActionId(**action) == seen.action);
    // An action that was played was legal.
    let log_chosen = chosen.map_or(f32::NAN, |(_, logit)| logit - total);
    let moved = log_chosen - seen.log_probability;
    let ratio = libm::expf(moved);
    let (pull, entropy_weight, magnet, spread) = match aim {
        Aim::Improve { clip, entropy, magnet, spread } => {
            let bounded = ratio.clamp(1.0 - clip, 1.0 + clip);
            let (free, held) = (ratio * seen.advantage, bounded * seen.advantage);
            sums.policy -= f64::from(free.min(held));
            sums.clipped += if (ratio - 1.0).abs() > clip { 1.0 } else { 0.0 };
            (if free <= held { free } else { 0.0 }, entropy, magnet, spread)
        }
        Aim::Imitate => {
            sums.policy -= f64::from(log_chosen);
            (1.0, 0.0, 0.0, 0.0)
        }
    };
    let even = 1.0 / logits.len() as f32;
    gradient.extend(legal.iter().zip(logits).enumerate().map(|(j, (action, logit))| {
        let log_probability = logit - total;
        let probability = libm::expf(log_probability);
        let chosen = if ActionId(*action) == seen.action { 1.0 } else { 0.0 };
        let doubt = entropy_weight * probability * (log_probability + entropy);
        let held = magnet * probability * (beyond(j) - divergence);
        let spread = spread * (probability - even);
        share * (pull * (probability - chosen) + doubt + held + spread)
    }));
    sums.magnet += f64::from(divergence);
    sums.spread += f64::from(libm::logf(even) - logits.iter().map(|logit| logit - total).sum::<f32>() * even);
    sums.entropy += f64::from(entropy);
    sums.kl += f64::from(ratio) - 1.0 - f64::from(moved);
}

/// The gradient of one lesson's loss, times `weight`, at the logits of its legal actions: the cross-entropy `− Σ t_j ln p_j` with the
/// target `t` (`[actions]`) has the gradient `p_j − t_j`.
fn teach(
    target: &[f32],
    legal: &[u16],
    logits: &[f32],
    weight: f32,
    gradient: &mut Vec<f32>,
    sums: &mut Sums,
) {
    let total = log_sum_exp(logits);
    let mut divergence = 0.0;
    gradient.extend(legal.iter().zip(logits).map(|(action, logit)| {
        let (target, log) = (target[usize::from(*action)], logit - total);
        divergence += if target > 0.0 { target * (libm::logf(target) - log) } else { 0.0 };
        weight * (libm::expf(log) - target)
    }));
    sums.lesson += f64::from(divergence);
    sums.lessons += 1.0;
}

/// The logarithm of the sum of exponentials.
fn log_sum_exp(logits: &[f32]) -> f32 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    most + libm::logf(logits.iter().map(|l| libm::expf(l - most)).sum::<f32>())
}
