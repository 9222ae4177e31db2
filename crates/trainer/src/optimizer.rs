//! Adam (Kingma, Ba 2015), AdamW (Loshchilov, Hutter 2019) and RMSProp (Tieleman, Hinton 2012) on a flat list of
//! weights.
//!
//! All three are one step with different constants. `burn::optim` is not used: it is one more crate to compile, its
//! memory has another format than checkpoints, and it clips each tensor separately. Here the gradient is clipped over
//! all weights of a network. With flat lists a resumed run obviously has the same bits. The step exists for lists on
//! the CPU and for tensors on a GPU (`DeviceAdam`).

use crate::nn::numbers;
use burn::tensor::{Device, Tensor};
use cardsharp_bot::workers::in_order;
use pulp::{Arch, Scalar, Simd, WithSimd};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The optimizers by name.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptimizerName {
    /// Adam, with bias correction.
    #[default]
    Adam,
    /// Adam with decoupled weight decay.
    AdamW,
    /// RMSProp without momentum. It has no mean of gradients and corrects no bias.
    RmsProp,
}

/// Settings of the optimizer.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct AdamConfig {
    /// Which optimizer it is.
    pub optimizer: OptimizerName,
    /// Weight decay of AdamW: a step multiplies each weight by 1 minus the learning rate times this. 0 with other
    /// optimizers.
    pub weight_decay: f32,
    /// Decay rate of the mean of gradients.
    pub beta1: f32,
    /// Decay rate of the mean of squared gradients.
    pub beta2: f32,
    /// Constant that is added to the root of the mean square.
    pub epsilon: f32,
}

impl Default for AdamConfig {
    fn default() -> Self {
        let (optimizer, weight_decay) = (OptimizerName::Adam, 0.0);
        Self { optimizer, weight_decay, beta1: 0.9, beta2: 0.999, epsilon: 1e-5 }
    }
}

/// The constants of a step with Adam's bias correction, which makes up for means that start at 0. The new weight is
/// `keep × weight − rate × mean / (√square + epsilon)`.
#[derive(Copy, Clone)]
struct Correction {
    rate: f32,
    epsilon: f32,
    keep: f32,
}

impl AdamConfig {
    /// Returns the decay rate of the mean of gradients.
    fn decay_of_mean(self) -> f32 {
        if self.optimizer == OptimizerName::RmsProp { 0.0 } else { self.beta1 }
    }

    /// Returns the constants of step `steps`; the first step is 1.
    fn correction(self, rate: f32, steps: u64) -> Correction {
        let keep = (1.0 - f64::from(rate) * f64::from(self.weight_decay)) as f32;
        if self.optimizer == OptimizerName::RmsProp {
            return Correction { rate, epsilon: self.epsilon, keep };
        }
        let correction = |beta: f32| 1.0 - libm::pow(f64::from(beta), steps as f64);
        let root = correction(self.beta2).sqrt();
        // (m / c₁) / (√(v / c₂) + ε) = (√c₂ / c₁) m / (√v + ε √c₂): both corrections leave the loop.
        let rate = f64::from(rate) / correction(self.beta1) * root;
        Correction { rate: rate as f32, epsilon: (f64::from(self.epsilon) * root) as f32, keep }
    }
}

/// The memory of the optimizer. Both means are as long as the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Decaying mean of the gradients.
    pub mean: Vec<f32>,
    /// Decaying mean of the squared gradients.
    pub square: Vec<f32>,
    /// Number of steps taken so far.
    pub steps: u64,
}

impl Adam {
    /// The memory before the first step.
    pub fn new(weights: usize) -> Self {
        Self { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// Takes one step: moves `weights` against `gradient`, whose L2 norm is `norm`, on `threads` threads.
    pub fn step(
        &mut self,
        config: AdamConfig,
        rate: f32,
        gradient: Gradient<'_>,
        norm: f64,
        weights: &mut [f32],
        threads: usize,
    ) {
        self.steps += 1;
        let correction = config.correction(rate, self.steps);
        let share = match weights.len() {
            many if many >= WORTH_THREADS => many.div_ceil(threads.max(1)).next_multiple_of(CHUNK),
            few => few.max(1),
        };
        let factor = gradient.factor(norm);
        let parts =
            weights.chunks_mut(share).zip(self.mean.chunks_mut(share)).zip(self.square.chunks_mut(share));
        let mut moves = parts.enumerate().map(|(number, ((weights, mean), square))| {
            let first = number * share;
            Move { config, correction, gradient, factor, first, weights, mean, square }
        });
        std::thread::scope(|scope| {
            let own = moves.next();
            for other in moves {
                scope.spawn(|| Arch::new().dispatch(other));
            }
            own.into_iter().for_each(|own| Arch::new().dispatch(own));
        });
    }
}

/// Length of a chunk that fits into the L1 cache.
const CHUNK: usize = 1024;
/// Number of weights from which on several threads are faster than one.
const WORTH_THREADS: usize = 1 << 16;

/// A gradient as a sum of parts of the same length, and its maximum norm.
#[derive(Copy, Clone, Debug)]
pub struct Gradient<'a> {
    /// The parts, each as long as the weights.
    pub parts: &'a [&'a [f32]],
    /// Maximum L2 norm; a longer gradient is scaled down to it.
    pub most: f32,
}

impl Gradient<'_> {
    /// Returns the L2 norm before clipping, computed on `threads` threads.
    pub fn norm(&self, threads: usize) -> f64 {
        let count = self.parts.first().map_or(0, |part| part.len());
        let threads = if count >= WORTH_THREADS { threads } else { 1 };
        // The pieces and the order of their sum are the same on any number of threads.
        let pieces = in_order(threads, count.div_ceil(16 * CHUNK), |piece| {
            let mut sums = [0.0; 8];
            let end = ((piece + 1) * 16 * CHUNK).min(count);
            for first in (piece * 16 * CHUNK..end).step_by(CHUNK) {
                let mut room = [0.0; CHUNK];
                for numbers in self.sum(first, &mut room[..CHUNK.min(end - first)]).chunks(sums.len()) {
                    sums.iter_mut().zip(numbers).for_each(|(sum, &g)| *sum += f64::from(g) * f64::from(g));
                }
            }
            sums.iter().sum::<f64>()
        });
        pieces.iter().sum::<f64>().sqrt()
    }

    /// Returns the clipping factor for a gradient of this norm.
    fn factor(&self, norm: f64) -> f32 {
        let most = f64::from(self.most);
        if norm > most { (most / norm) as f32 } else { 1.0 }
    }

    /// Writes the sum of the parts from number `first` on into `room`.
    fn sum<'r>(&self, first: usize, room: &'r mut [f32]) -> &'r [f32] {
        room.fill(0.0);
        for part in self.parts {
            room.iter_mut().zip(&part[first..]).for_each(|(sum, number)| *sum += number);
        }
        room
    }
}

/// A step of consecutive weights; `first` is the number of the first one.
struct Move<'a> {
    config: AdamConfig,
    correction: Correction,
    gradient: Gradient<'a>,
    factor: f32,
    first: usize,
    weights: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
}

impl WithSimd for Move<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { config, correction, gradient, factor, first, weights, mean, square } = self;
        let Correction { rate, epsilon, keep } = correction;
        let constants = [1.0 - config.decay_of_mean(), 1.0 - config.beta2, factor, rate, epsilon, keep];
        if config.optimizer == OptimizerName::RmsProp {
            // Then the mean becomes the gradient itself, without rounding.
            mean.fill(0.0);
        }
        let mut room = [0.0; CHUNK];
        let chunks = weights.chunks_mut(CHUNK).zip(mean.chunks_mut(CHUNK)).zip(square.chunks_mut(CHUNK));
        for (number, ((weights, mean), square)) in chunks.enumerate() {
            let gradient = gradient.sum(first + number * CHUNK, &mut room[..weights.len()]);
            let (gradient, left_gradient) = S::as_simd_f32s(gradient);
            let (weights, left_weights) = S::as_mut_simd_f32s(weights);
            let (mean, left_mean) = S::as_mut_simd_f32s(mean);
            let (square, left_square) = S::as_mut_simd_f32s(square);
            adam(simd, constants, gradient, mean, square, weights);
            adam(Scalar::new(), constants, left_gradient, left_mean, left_square, left_weights);
        }
    }
}

/// Adam's step. Each number is computed separately, so registers of every width give the same bits.
#[inline(always)]
fn adam<S: Simd>(
    simd: S,
    constants: [f32; 6],
    gradient: &[S::f32s],
    mean: &mut [S::f32s],
    square: &mut [S::f32s],
    weights: &mut [S::f32s],
) {
    let [learn_mean, learn_square, factor, rate, epsilon, keep] =
        constants.map(|constant| simd.splat_f32s(constant));
    let moments = mean.iter_mut().zip(square);
    for ((weight, &gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
        let gradient = simd.mul_f32s(gradient, factor);
        *mean = simd.add_f32s(*mean, simd.mul_f32s(learn_mean, simd.sub_f32s(gradient, *mean)));
        let off = simd.sub_f32s(simd.mul_f32s(gradient, gradient), *square);
        *square = simd.add_f32s(*square, simd.mul_f32s(learn_square, off));
        let step = simd.div_f32s(simd.mul_f32s(rate, *mean), simd.add_f32s(simd.sqrt_f32s(*square), epsilon));
        *weight = simd.sub_f32s(simd.mul_f32s(keep, *weight), step);
    }
}

/// A network's weights and the optimizer's memory as tensors on a GPU.
pub(crate) struct DeviceAdam {
    pub(crate) weights: Tensor<1>,
    mean: Tensor<1>,
    square: Tensor<1>,
    pub(crate) steps: u64,
}

impl DeviceAdam {
    pub(crate) fn new(weights: &[f32], adam: &Adam, device: &Device) -> Self {
        let [weights, mean, square] =
            [weights, &adam.mean, &adam.square].map(|list| Tensor::from_floats(list, device));
        Self { weights, mean, square, steps: adam.steps }
    }

    /// As [`Adam::step`], against a gradient with L2 norm `norm`, `[1]`, which is clipped to `most`.
    pub(crate) fn step(
        &mut self,
        config: AdamConfig,
        rate: f32,
        gradient: Tensor<1>,
        norm: Tensor<1>,
        most: f32,
    ) {
        self.steps += 1;
        let Correction { rate, epsilon, keep } = config.correction(rate, self.steps);
        let gradient = gradient * norm.clamp_min(most).recip().mul_scalar(most);
        let decayed = |mean: &Tensor<1>, beta: f32, now: Tensor<1>| {
            mean.clone().mul_scalar(beta) + now.mul_scalar(1.0 - beta)
        };
        self.mean = decayed(&self.mean, config.decay_of_mean(), gradient.clone());
        self.square = decayed(&self.square, config.beta2, gradient.clone() * gradient);
        let root = self.square.clone().sqrt().add_scalar(epsilon);
        self.weights = self.weights.clone().mul_scalar(keep) - self.mean.clone().mul_scalar(rate) / root;
    }

    /// Writes weights and memory back into lists.
    pub(crate) fn write(self, weights: &mut Vec<f32>, adam: &mut Adam) {
        (*weights, adam.mean, adam.square) =
            (numbers(self.weights), numbers(self.mean), numbers(self.square));
        adam.steps = self.steps;
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_env::Draw;

    use super::*;

    const CONFIG: AdamConfig = AdamConfig {
        optimizer: OptimizerName::Adam,
        weight_decay: 0.0,
        beta1: 0.9,
        beta2: 0.99,
        epsilon: 1e-5,
    };

    /// Each optimizer on the CPU and on tensors, compared with the formulas of the papers in 64 bits.
    #[test]
    fn steps_are_those_of_the_papers() {
        let gradients = [[0.5, -2.0], [0.25, 1.0], [-1.0, 0.0], [1e-4, 3.0]];
        let decays = [(OptimizerName::Adam, 0.0), (OptimizerName::AdamW, 0.3), (OptimizerName::RmsProp, 0.0)];
        for (optimizer, weight_decay) in decays {
            let config = AdamConfig { optimizer, weight_decay, ..CONFIG };
            let (mut weights, mut adam) = ([1.0f32, 2.0], Adam::new(2));
            let mut tensors = DeviceAdam::new(&weights, &adam, &Device::flex());
            let (mut expected, mut m, mut v) = ([1.0f64, 2.0], [0.0f64; 2], [0.0f64; 2]);
            for (t, gradient) in gradients.iter().enumerate() {
                let (half, third) = (gradient.map(|g| g * 0.75), gradient.map(|g| g * 0.25));
                let parts = Gradient { parts: &[&half, &third], most: 10.0 };
                adam.step(config, 0.1, parts, parts.norm(1), &mut weights, 2);
                let whole = Tensor::<1>::from_floats(*gradient, &Device::flex());
                let norm = Tensor::from_floats([parts.norm(1) as f32], &Device::flex());
                tensors.step(config, 0.1, whole, norm, 10.0);
                for i in 0..2 {
                    let g = f64::from(gradient[i]);
                    m[i] = 0.9 * m[i] + 0.1 * g;
                    v[i] = 0.99 * v[i] + 0.01 * g * g;
                    let corrected = |mean: f64, beta: f64| mean / (1.0 - beta.powi(t as i32 + 1));
                    expected[i] *= 1.0 - 0.1 * f64::from(weight_decay);
                    expected[i] -= match optimizer {
                        OptimizerName::RmsProp => 0.1 * g / (v[i].sqrt() + 1e-5),
                        _ => 0.1 * corrected(m[i], 0.9) / (corrected(v[i], 0.99).sqrt() + 1e-5),
                    };
                }
            }
            let (mut moved, mut memory) = (Vec::new(), Adam::new(2));
            tensors.write(&mut moved, &mut memory);
            for (weight, expected) in weights.iter().chain(&moved).zip(expected.iter().cycle()) {
                let off = (f64::from(*weight) - expected).abs();
                assert!(off < 1e-5, "{optimizer:?}: {weight} instead of {expected}");
            }
            assert_eq!((adam.steps, memory.steps), (4, 4));
        }
    }

    #[test]
    fn gradients_are_shortened_by_their_length_over_all_weights() {
        let (one, other) = ([1.0f32, -4.0], [2.0, 0.0]);
        let parts: [&[f32]; 2] = [&one, &other];
        let norm = |most| Gradient { parts: &parts, most }.norm(1);
        assert_eq!((norm(10.0), norm(0.5)), (5.0, 5.0));
        let moved = |most, beta2| {
            let (mut weights, mut adam) = ([0.0; 2], Adam::new(2));
            let config = AdamConfig { beta1: 0.0, beta2, epsilon: 1.0, ..CONFIG };
            adam.step(config, 1.0, Gradient { parts: &parts, most }, 5.0, &mut weights, 1);
            weights
        };
        // After one step m = g and v = g²: each weight moves by g / (|g| + 1).
        assert_eq!(moved(10.0, 0.0), [-0.75, 0.8]);
        let expected = [-0.3 / 1.3, 0.4 / 1.4];
        for (found, expected) in moved(0.5, 0.0).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} and {expected}");
        }
    }

    #[test]
    fn many_weights_move_alike_on_any_number_of_threads() {
        let count = 3 * WORTH_THREADS + 77;
        let mut draw = Draw::new(5, 0);
        let mut numbers = || (0..count).map(|_| draw.unit() - 0.5).collect::<Vec<f32>>();
        let (one, other, start) = (numbers(), numbers(), numbers());
        let run = |threads| {
            let (mut weights, mut adam) = (start.clone(), Adam::new(count));
            let gradient = Gradient { parts: &[&one, &other], most: 0.5 };
            let norm = gradient.norm(threads);
            (0..3).for_each(|_| adam.step(CONFIG, 0.01, gradient, norm, &mut weights, threads));
            (weights, adam, norm)
        };
        let alone = run(1);
        assert!(alone == run(3) && alone == run(2));
        let exact: f64 = one.iter().zip(&other).map(|(a, b)| f64::from(a + b).powi(2)).sum();
        assert!((alone.2 - exact.sqrt()).abs() < 1e-9 * exact, "{} and {}", alone.2, exact.sqrt());
    }
}
