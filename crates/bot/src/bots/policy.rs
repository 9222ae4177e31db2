//! The bot that plays what a network says.

use std::sync::Arc;

use cardsharp_env::{ActionId, AnyGame, AnyView, Draw, mask};
use ndarray::Array2;

use crate::bot::{Advice, Ask, Bot, Ranked, legal_words};
use crate::net::{Net, Scratch, contiguous};

/// Plays the most probable move, or draws one.
#[derive(Clone, Debug)]
pub struct Policy {
    name: String,
    net: Arc<Net>,
    temperature: f32,
    draw: Draw,
    scratch: Scratch,
    /// `[lanes asked, actions]`.
    logits: Array2<f32>,
    /// `[lanes asked]`.
    values: Vec<f32>,
}

impl Policy {
    /// A bot that divides the logits by `temperature` before it draws a move, or always plays the most
    /// probable one if that is 0. `seed` is that of its random stream.
    pub fn new(name: impl Into<String>, net: Arc<Net>, temperature: f32, seed: u64) -> Self {
        let logits = Array2::zeros((0, net.policy.outputs));
        let draw = Draw::new(seed, 0);
        Self {
            name: name.into(),
            net,
            temperature,
            draw,
            scratch: Scratch::default(),
            logits,
            values: Vec::new(),
        }
    }

    /// Legal actions, logits and value of a view.
    fn think(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> (Vec<u64>, Vec<f32>, f32) {
        let words = legal_words(game, view);
        let mut row = vec![0; self.net.scale.len()];
        view.row(&mut row);
        let mut logits = vec![0.0; self.net.policy.outputs];
        let value = self.net.forward(&row, &words, &mut self.scratch, &mut logits);
        (words, logits, value)
    }
}

impl Bot for Policy {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, ask: Ask<'_>, picks: &mut [ActionId]) {
        let Self { net, temperature, draw, scratch, logits, values, .. } = self;
        if values.len() < ask.lanes.len() {
            *logits = Array2::zeros((ask.lanes.len(), net.policy.outputs));
            values.resize(ask.lanes.len(), 0.0);
        }
        net.forward_lanes(ask.batch.row.view(), ask.batch.legal.view(), ask.lanes, scratch, logits, values);
        for (&lane, logits) in ask.lanes.iter().zip(logits.rows()) {
            let legal = contiguous(ask.batch.legal.row(lane));
            picks[lane] = sample(&legal, &contiguous(logits), *temperature, draw);
        }
    }

    fn advise(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> Advice {
        let (words, logits, value) = self.think(game, view);
        // A greedy bot's opinion of the other moves is what its network was trained to play.
        let temperature = if self.temperature > 0.0 { self.temperature } else { 1.0 };
        let moves = probabilities(&words, &logits, temperature);
        Advice::new(
            Some(value),
            moves.map(|(action, probability)| Ranked { action, probability, value: None }).collect(),
        )
    }

    fn distribution(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> Vec<Ranked> {
        if self.temperature > 0.0 {
            return self.advise(game, view).moves;
        }
        let (words, logits, _) = self.think(game, view);
        let own = greedy(&words, &logits);
        let certain =
            |action| Ranked { action, probability: f64::from(u8::from(action == own)), value: None };
        mask::actions(&words).map(certain).collect()
    }
}

/// The legal action with the highest logit, the first of several; action 0 if none is legal.
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

/// Each legal action, ascending, with its probability when logits are divided by `temperature`
/// (above 0). The probabilities add up to 1.
pub fn probabilities<'a>(
    legal: &'a [u64],
    logits: &'a [f32],
    temperature: f32,
) -> impl Iterator<Item = (ActionId, f64)> + 'a {
    let (top, scale) = (logits[usize::from(greedy(legal, logits).0)], 1.0 / f64::from(temperature));
    let weight = move |action: ActionId| (f64::from(logits[usize::from(action.0)] - top) * scale).exp();
    let total: f64 = mask::actions(legal).map(weight).sum();
    mask::actions(legal).map(move |action| (action, weight(action) / total))
}

/// A legal action drawn with its probability at `temperature`, with one draw; at temperature 0
/// [`greedy`], without a draw.
pub fn sample(legal: &[u64], logits: &[f32], temperature: f32, draw: &mut Draw) -> ActionId {
    let mut last = greedy(legal, logits);
    if temperature <= 0.0 {
        return last;
    }
    let mut left = f64::from(draw.unit());
    for (action, probability) in probabilities(legal, logits, temperature) {
        // Rounding may leave a crumb after the last action; it belongs to the last possible one.
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
