//! A bot's advice as JSON.

use cardsharp_bot::Advice;
use cardsharp_env::ActionId;
use serde::Serialize;

/// A bot's advice for one position. Numbers keep the precision in which the bot computes them.
#[derive(Serialize)]
pub(crate) struct Answer {
    /// The expected reward; `None` if the bot does not estimate it.
    value: Option<f32>,
    /// All legal moves, the best first.
    moves: Vec<Move>,
}

/// A legal move and the probability that the bot plays it.
#[derive(Serialize)]
struct Move {
    r#move: String,
    action: ActionId,
    probability: f64,
    /// The expected reward of the move; `None` if the bot does not estimate it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f32>,
}

impl Answer {
    /// Converts `advice`, and names its moves with `label`.
    pub(crate) fn new(label: impl Fn(ActionId) -> String, advice: &Advice) -> Self {
        let named = |&cardsharp_bot::Ranked { action, probability, value }| Move {
            r#move: label(action),
            action,
            probability,
            value,
        };
        Self { value: advice.value, moves: advice.moves.iter().map(named).collect() }
    }
}
