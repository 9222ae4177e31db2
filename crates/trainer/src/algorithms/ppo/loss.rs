//! The loss of a minibatch and its gradient.

use std::time::Instant;

use burn::tensor::{Device, Tensor, TensorData};
use cardsharp_env::ActionId;

use super::super::descent::{self, Shard};
use super::super::head::Head;
use super::super::{miss, pass};
use super::PpoConfig;
use crate::learner::Learner;
use crate::net::{Layers, numbers};
use crate::rollout::Decisions;

/// What a minibatch is judged by.
pub(super) struct Task<'a> {
    pub(super) decisions: &'a Decisions,
    /// Advantages as the loss uses them.
    pub(super) weights: &'a [f32],
    pub(super) returns: &'a [f32],
    pub(super) config: &'a PpoConfig,
    pub(super) entropy: f32,
    pub(super) spread: f32,
    /// Whether to raise the probability of every action that was played, and do nothing else.
    pub(super) imitate: bool,
    pub(super) device: &'a Device,
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
    }
}

impl Task<'_> {
    /// The gradients of the loss over the decisions `ids`, as their part of a mean over `size`.
    pub(super) fn gradients(&self, learner: &Learner, ids: &[u32], size: usize) -> Shard<Sums> {
        let start = Instant::now();
        let device = self.device.clone().autodiff();
        let mut sums = Sums::default();
        let share = 1.0 / size as f32;
        let rows = learner.inputs(self.decisions, ids, false);
        let mut gather_seconds = start.elapsed().as_secs_f64();

        let shape = &learner.policy.shape;
        let magnet = learner.magnet.as_ref().map(|weights| {
            let inputs = TensorData::new(rows.clone(), [ids.len(), shape.inputs]);
            let layers = Layers::new(shape, weights, self.device);
            let features = numbers(layers.features(Tensor::from_data(inputs, self.device)));
            (features, Head::new(shape, weights))
        });
        let mut held = Vec::new();
        let ask = |id: usize, actions: &mut Vec<_>| pass::legal(self.decisions, id, actions);
        let gradient = pass::gradient(learner, ids, rows, &device, ask, |seen, at_logits| {
            let pass::Seen { place, id, actions: legal, outputs, value } = seen;
            if let Some((features, head)) = &magnet {
                head.forward(legal, &features[place * head.width..][..head.width], &mut held);
            }
            let seen = Seen {
                action: self.decisions.actions[id],
                log_probability: self.decisions.log_probability[id],
                advantage: self.weights[id],
                magnet: &held,
            };
            let aim = match self.imitate {
                true => Aim::Imitate,
                false => {
                    let PpoConfig { clip, magnet, .. } = *self.config;
                    Aim::Improve { clip, entropy: self.entropy, magnet, spread: self.spread }
                }
            };
            judge(seen, legal, outputs, aim, share, at_logits, &mut sums);
            let (loss, slope) = miss(value - self.returns[id], self.config.value_bound);
            sums.value += loss;
            self.config.value_weight * share * slope
        });

        let mut of_critic = Vec::new();
        if let Some(critic) = &learner.critic {
            let start = Instant::now();
            let rows = learner.inputs(self.decisions, ids, true);
            gather_seconds += start.elapsed().as_secs_f64();
            let layers = Layers::new(&critic.shape, &critic.weights, &device);
            let tensor = |data: Vec<f32>, width: usize| {
                Tensor::<2>::from_data(TensorData::new(data, [ids.len(), width]), &device)
            };
            let heads = layers.forward(tensor(rows, critic.shape.inputs));
            let mut errors = numbers(heads[0].clone());
            for (error, &id) in errors.iter_mut().zip(ids) {
                let (loss, slope) = miss(*error - self.returns[id as usize], self.config.value_bound);
                *error = self.config.value_weight * share * slope;
                sums.critic += loss;
            }
            layers.flatten((heads[0].clone() * tensor(errors, 1)).sum().backward(), &mut of_critic);
        }
        let network = start.elapsed().as_secs_f64() - gather_seconds;
        Shard { policy: gradient, critic: of_critic, sums, gather: gather_seconds, network }
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
    legal: &[ActionId],
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
    let divergence: f32 = (0..logits.len()).map(|j| (logits[j] - total).exp() * beyond(j)).sum();
    let entropy: f32 = logits.iter().map(|l| l - total).map(|l| -l.exp() * l).sum();
    let chosen = legal.iter().zip(logits).find(|(action, _)| **action == seen.action);
    // An action that was played was legal.
    let log_chosen = chosen.map_or(f32::NAN, |(_, logit)| logit - total);
    let moved = log_chosen - seen.log_probability;
    let ratio = moved.exp();
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
        let probability = log_probability.exp();
        let chosen = if *action == seen.action { 1.0 } else { 0.0 };
        let doubt = entropy_weight * probability * (log_probability + entropy);
        let held = magnet * probability * (beyond(j) - divergence);
        let spread = spread * (probability - even);
        share * (pull * (probability - chosen) + doubt + held + spread)
    }));
    sums.magnet += f64::from(divergence);
    sums.spread += f64::from(even.ln() - logits.iter().map(|logit| logit - total).sum::<f32>() * even);
    sums.entropy += f64::from(entropy);
    sums.kl += f64::from(ratio) - 1.0 - f64::from(moved);
}

/// The logarithm of the sum of exponentials.
fn log_sum_exp(logits: &[f32]) -> f32 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    most + logits.iter().map(|l| (l - most).exp()).sum::<f32>().ln()
}
