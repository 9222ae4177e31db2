//! The bot that plays the move with the highest action value of a network.

use std::sync::Arc;

use cardsharp_env::{ActionId, SeatView};

use super::evaluator::{Evaluation, Evaluator};
use super::greedy;
use crate::bot::{Advice, Ask, Bot, Ranked, certain};
use crate::net::contiguous;
use crate::policy_net::PolicyNet;

/// Plays the move with the highest expected return, the first if several are equal.
///
/// It was trained for greedy play, so its moves have probability 1 or 0, at any temperature. Its advice shows the
/// expected return of every move.
#[derive(Clone, Debug)]
pub struct Values {
    name: String,
    evaluator: Evaluator,
}

impl Values {
    /// Creates a bot from a network whose outputs are action values.
    pub fn new(name: impl Into<String>, net: Arc<dyn PolicyNet>) -> Self {
        Self { name: name.into(), evaluator: Evaluator::new(net) }
    }
}

impl Bot for Values {
    fn name(&self) -> &str {
        &self.name
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        let Evaluation { legal, outputs, .. } = self.evaluator.evaluate(view);
        greedy(&legal, &outputs)
    }

    fn choose(&mut self, ask: Ask<'_>, picks: &mut [ActionId]) {
        for (&lane, outputs) in ask.lanes.iter().zip(self.evaluator.evaluate_lanes(ask).rows()) {
            picks[lane] = greedy(&contiguous(ask.batch.legal.row(lane)), &contiguous(outputs));
        }
    }

    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        let Evaluation { legal, outputs, value } = self.evaluator.evaluate(view);
        let moves = certain(&legal, greedy(&legal, &outputs));
        let valued = |ranked: Ranked| Ranked { value: Some(outputs[usize::from(ranked.action.0)]), ..ranked };
        Advice::new(Some(value), moves.map(valued).collect())
    }
}
