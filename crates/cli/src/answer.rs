//! A bot's advice as JSON.

use cardsharp_bot::Advice;
use cardsharp_env::ActionId;
use serde::Serialize;

/// What a bot thinks of a position. Numbers are written as the bot computes them, in single precision
/// where it does.
#[derive(Serialize)]
pub(crate) struct Answer {
    /// The reward it expects; none from bots that do not estimate it.
    value: Option<f32>,
    /// Every legal move, the best first.
    moves: Vec<Move>,
}

/// A legal move and how probable it is that the bot plays it.
#[derive(Serialize)]
struct Move {
    r#move: String,
    action: ActionId,
    probability: f64,
    /// The reward expected of it, from bots that estimate that.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f32>,
}

impl Answer {
    /// The advice with the names that `label` has for moves.
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
