//! The bot that plays what a network of action values holds best.

use std::sync::Arc;

use cardsharp_env::{ActionId, AnyGame, AnyView, mask};
use ndarray::Array2;

use super::greedy;
use crate::bot::{Advice, Ask, Bot, Ranked, legal_words};
use crate::net::{Net, Scratch, contiguous};

/// Plays the move with the highest expected return, the first of several.
///
/// It was trained to play exactly this, so its moves have probability 1 or 0, whatever the temperature of
/// the others at the table; its advice shows the return it expects of every move.
#[derive(Clone, Debug)]
pub struct Values {
    name: String,
    net: Arc<Net>,
    scratch: Scratch,
    /// `[lanes asked, actions]`.
    outputs: Array2<f32>,
    /// `[lanes asked]`.
    values: Vec<f32>,
}

impl Values {
    /// A bot of a network whose outputs are action values.
    pub fn new(name: impl Into<String>, net: Arc<Net>) -> Self {
        let outputs = Array2::zeros((0, net.policy.outputs));
        Self { name: name.into(), net, scratch: Scratch::default(), outputs, values: Vec::new() }
    }
}

impl Bot for Values {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, ask: Ask<'_>, picks: &mut [ActionId]) {
        let Self { net, scratch, outputs, values, .. } = self;
        if values.len() < ask.lanes.len() {
            *outputs = Array2::zeros((ask.lanes.len(), net.policy.outputs));
            values.resize(ask.lanes.len(), 0.0);
        }
        net.forward_lanes(ask.batch.row.view(), ask.batch.legal.view(), ask.lanes, scratch, outputs, values);
        for (&lane, outputs) in ask.lanes.iter().zip(outputs.rows()) {
            picks[lane] = greedy(&contiguous(ask.batch.legal.row(lane)), &contiguous(outputs));
        }
    }

    fn advise(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> Advice {
        let words = legal_words(game, view);
        let mut row = vec![0; self.net.scale.len()];
        view.row(&mut row);
        let mut outputs = vec![0.0; self.net.policy.outputs];
        let value = self.net.forward(&row, &words, &mut self.scratch, &mut outputs);
        let own = greedy(&words, &outputs);
        let ranked = |action: ActionId| Ranked {
            action,
            probability: f64::from(u8::from(action == own)),
            value: Some(outputs[usize::from(action.0)]),
        };
        Advice::new(Some(value), mask::actions(&words).map(ranked).collect())
    }
}
