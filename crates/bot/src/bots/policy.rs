//! The bot that plays by the policy of a network.

use std::sync::Arc;

use cardsharp_env::{ActionId, Draw, SeatView, mask};
use ndarray::{Array2, ArrayView2};

use super::evaluator::{Evaluator, NetOutputs};
use crate::bot::{Advice, Bot, DecisionBatch, Evaluation, Ranked, certain};
use crate::net::contiguous;
use crate::policy_net::PolicyNet;

/// Plays the most probable move, or draws a move.
#[derive(Clone, Debug)]
pub struct Policy {
    name: String,
    evaluator: Evaluator,
    temperature: f32,
    draw: Draw,
}

impl Policy {
    /// Creates a bot that draws a move after dividing the logits by `temperature`. At temperature 0 it always plays the
    /// most probable move. `seed` is that of its random stream.
    pub fn new(name: impl Into<String>, net: Arc<dyn PolicyNet>, temperature: f32, seed: u64) -> Self {
        Self { name: name.into(), evaluator: Evaluator::new(net), temperature, draw: Draw::new(seed, 0) }
    }
}

impl Bot for Policy {
    fn name(&self) -> &str {
        &self.name
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        let NetOutputs { legal, outputs, .. } = self.evaluator.evaluate(view);
        sample(&legal, &outputs, self.temperature, &mut self.draw)
    }

    fn choose(&mut self, ask: DecisionBatch<'_>, picks: &mut [ActionId]) {
        let Self { evaluator, temperature, draw, .. } = self;
        for (&lane, logits) in ask.lanes.iter().zip(evaluator.evaluate_lanes(ask).rows()) {
            let legal = contiguous(ask.batch.legal.row(lane));
            picks[lane] = sample(&legal, &contiguous(logits), *temperature, draw);
        }
    }

    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        let NetOutputs { legal, outputs, value } = self.evaluator.evaluate(view);
        let moves = probabilities(&legal, &outputs, reported(self.temperature));
        let ranked = |(action, probability)| Ranked { action, probability, value: None };
        Advice::new(Some(value), moves.map(ranked).collect())
    }

    fn evaluate(&mut self, rows: ArrayView2<'_, u8>, legal: ArrayView2<'_, u64>) -> Option<Evaluation> {
        let Self { evaluator, temperature, draw, .. } = self;
        let (outputs, values) = evaluator.evaluate_rows(rows, legal);
        let mut all = Array2::zeros((rows.nrows(), outputs.ncols()));
        let mut actions = Vec::with_capacity(rows.nrows());
        for ((legal, logits), mut to) in legal.rows().into_iter().zip(outputs.rows()).zip(all.rows_mut()) {
            let (legal, logits) = (contiguous(legal), contiguous(logits));
            actions.push(sample(&legal, &logits, *temperature, draw));
            for (action, probability) in probabilities(&legal, &logits, reported(*temperature)) {
                to[usize::from(action.0)] = probability as f32;
            }
        }
        Some(Evaluation { actions, probabilities: all, values: values[..rows.nrows()].to_vec() })
    }

    fn distribution(&mut self, view: SeatView<'_>) -> Vec<Ranked> {
        if self.temperature > 0.0 {
            return self.advise(view).moves;
        }
        let NetOutputs { legal, outputs, .. } = self.evaluator.evaluate(view);
        certain(&legal, greedy(&legal, &outputs)).collect()
    }
}

/// Returns the temperature of reported probabilities. A greedy bot reports those at temperature 1, which its network was
/// trained for.
fn reported(temperature: f32) -> f32 {
    if temperature > 0.0 { temperature } else { 1.0 }
}

/// Returns the legal action with the highest logit, the first if several are equal, or action 0 if none is legal.
pub fn greedy(legal: &[u64], logits: &[f32]) -> ActionId {
    let mut best = (f32::NEG_INFINITY, None);
    for action in mask::actions(legal) {
        let logit = logits[usize::from(action.0)];
        if best.1.is_none() || logit > best.0 {
            best = (logit, Some(action));
        }
    }
    best.1.unwrap_or_default()
}

/// Returns each legal action, ascending, with its probability when logits are divided by `temperature` (above 0). The
/// probabilities sum to 1.
pub fn probabilities<'a>(
    legal: &'a [u64],
    logits: &'a [f32],
    temperature: f32,
) -> impl Iterator<Item = (ActionId, f64)> + 'a {
    let (top, scale) = (logits[usize::from(greedy(legal, logits).0)], 1.0 / f64::from(temperature));
    let weight = move |action: ActionId| libm::exp(f64::from(logits[usize::from(action.0)] - top) * scale);
    let total: f64 = mask::actions(legal).map(weight).sum();
    mask::actions(legal).map(move |action| (action, weight(action) / total))
}

/// Draws a legal action at `temperature`, with one random number. At temperature 0 it returns [`greedy`] and draws
/// nothing.
pub fn sample(legal: &[u64], logits: &[f32], temperature: f32, draw: &mut Draw) -> ActionId {
    let mut last = greedy(legal, logits);
    if temperature <= 0.0 {
        return last;
    }
    let mut left = f64::from(draw.unit());
    for (action, probability) in probabilities(legal, logits, temperature) {
        // Rounding may leave a rest after the last action; it goes to the last action with a positive probability.
        if probability > 0.0 {
            last = action;
        }
        left -= probability;
        if left < 0.0 {
            return action;
        }
    }
    last
}
