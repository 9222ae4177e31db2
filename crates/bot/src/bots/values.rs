//! The bot that plays the move with the highest action value of a network.

use std::sync::Arc;

use cardsharp_env::{ActionId, SeatView};
use ndarray::{Array2, ArrayView2};

use super::evaluator::{Evaluator, NetOutputs};
use super::greedy;
use crate::bot::{Advice, Bot, DecisionBatch, Evaluation, Ranked, certain};
use crate::net::contiguous;
use crate::policy_net::PolicyNet;

/// Plays the move with the highest expected return, the first if several are equal.
///
/// It was trained for greedy play, so its moves have probability 1 or 0, at any temperature. Its advice shows the
/// expected return of every move.
#[derive(Clone, Debug)]
pub struct ValueBot {
    name: String,
    evaluator: Evaluator,
}

impl ValueBot {
    /// Creates a bot from a network whose outputs are action values.
    pub fn new(name: impl Into<String>, net: Arc<dyn PolicyNet>) -> Self {
        Self { name: name.into(), evaluator: Evaluator::new(net) }
    }
}

impl Bot for ValueBot {
    fn name(&self) -> &str {
        &self.name
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        let NetOutputs { legal, outputs, .. } = self.evaluator.evaluate(view);
        greedy(&legal, &outputs)
    }

    fn choose(&mut self, ask: DecisionBatch<'_>, picks: &mut [ActionId]) {
        for (&lane, outputs) in ask.lanes.iter().zip(self.evaluator.evaluate_lanes(ask).rows()) {
            picks[lane] = greedy(&contiguous(ask.batch.legal.row(lane)), &contiguous(outputs));
        }
    }

    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        let NetOutputs { legal, outputs, value } = self.evaluator.evaluate(view);
        let moves = certain(&legal, greedy(&legal, &outputs));
        let valued = |ranked: Ranked| Ranked { value: Some(outputs[usize::from(ranked.action.0)]), ..ranked };
        Advice::new(Some(value), moves.map(valued).collect())
    }

    fn evaluate(&mut self, rows: ArrayView2<'_, u8>, legal: ArrayView2<'_, u64>) -> Option<Evaluation> {
        let (outputs, values) = self.evaluator.evaluate_rows(rows, legal);
        let mut probabilities = Array2::zeros((rows.nrows(), outputs.ncols()));
        let mut actions = Vec::with_capacity(rows.nrows());
        for ((legal, outputs), mut to) in
            legal.rows().into_iter().zip(outputs.rows()).zip(probabilities.rows_mut())
        {
            let best = greedy(&contiguous(legal), &contiguous(outputs));
            actions.push(best);
            to[usize::from(best.0)] = 1.0;
        }
        Some(Evaluation { actions, probabilities, values: values[..rows.nrows()].to_vec() })
    }
}
