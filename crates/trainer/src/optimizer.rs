//! Adam (Kingma, Ba 2015) on a flat list of weights.
//!
//! Written here rather than taken from burn, because the flat list makes clipping over all weights,
//! resuming with the same bits and independence of the device plain to see.

/// What the optimiser is told.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct AdamConfig {
    /// Decay of the mean of gradients.
    pub beta1: f32,
    /// Decay of the mean of squared gradients.
    pub beta2: f32,
    /// What is added to the root of the mean square.
    pub epsilon: f32,
}

/// The memory of the optimiser. Both means are as long as the weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Decaying mean of the gradients.
    pub mean: Vec<f32>,
    /// Decaying mean of the squared gradients.
    pub square: Vec<f32>,
    /// Steps taken.
    pub steps: u64,
}

impl Adam {
    /// The memory before the first step.
    pub fn new(weights: usize) -> Self {
        Self { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// Moves `weights` against `gradient` by about `rate`.
    pub fn step(&mut self, config: AdamConfig, rate: f32, gradient: &[f32], weights: &mut [f32]) {
        self.steps += 1;
        let correction = |beta: f32| 1.0 - f64::from(beta).powf(self.steps as f64);
        let rate = f64::from(rate) / correction(config.beta1);
        let root = correction(config.beta2).sqrt();
        // (m / c₁) / (√(v / c₂) + ε) = (√c₂ / c₁) m / (√v + ε √c₂): both corrections leave the loop.
        let (rate, epsilon) = ((rate * root) as f32, (f64::from(config.epsilon) * root) as f32);
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, &gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - config.beta1) * (gradient - *mean);
            *square += (1.0 - config.beta2) * (gradient * gradient - *square);
            *weight -= rate * *mean / (square.sqrt() + epsilon);
        }
    }
}

/// Shortens `gradient` to at most `most` and returns its Euclidean length before.
pub fn clip(gradient: &mut [f32], most: f32) -> f64 {
    let length = gradient.iter().map(|&g| f64::from(g) * f64::from(g)).sum::<f64>().sqrt();
    if length > f64::from(most) {
        let factor = (f64::from(most) / length) as f32;
        gradient.iter_mut().for_each(|g| *g *= factor);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: AdamConfig = AdamConfig { beta1: 0.9, beta2: 0.99, epsilon: 1e-5 };

    #[test]
    fn steps_are_those_of_the_paper() {
        let gradients = [[0.5, -2.0], [0.25, 1.0], [-1.0, 0.0]];
        let (mut weights, mut adam) = ([1.0f32, 2.0], Adam::new(2));
        let (mut expected, mut m, mut v) = ([1.0f64, 2.0], [0.0f64; 2], [0.0f64; 2]);
        for (t, gradient) in gradients.iter().enumerate() {
            adam.step(CONFIG, 0.1, gradient, &mut weights);
            for i in 0..2 {
                let g = f64::from(gradient[i]);
                m[i] = 0.9 * m[i] + 0.1 * g;
                v[i] = 0.99 * v[i] + 0.01 * g * g;
                let (mc, vc) =
                    (m[i] / (1.0 - 0.9f64.powi(t as i32 + 1)), v[i] / (1.0 - 0.99f64.powi(t as i32 + 1)));
                expected[i] -= 0.1 * mc / (vc.sqrt() + 1e-5);
            }
        }
        for (weight, expected) in weights.iter().zip(expected) {
            assert!((f64::from(*weight) - expected).abs() < 1e-5, "{weight} instead of {expected}");
        }
        assert_eq!(adam.steps, 3);
    }

    #[test]
    fn clipping_looks_at_the_length_over_all_weights() {
        let mut gradient = [3.0, -4.0];
        assert_eq!(clip(&mut gradient, 10.0), 5.0);
        assert_eq!(gradient, [3.0, -4.0]);
        assert_eq!(clip(&mut gradient, 0.5), 5.0);
        assert!((gradient[0] - 0.3).abs() < 1e-7 && (gradient[1] + 0.4).abs() < 1e-7);
    }
}
