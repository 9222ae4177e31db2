//! Chooses actions with a network, and stores the decisions.

use cardsharp_bot::PolicyNet;
use cardsharp_bot::net::Scratch;
use cardsharp_env::{ActionId, Batch, mask};
use ndarray::Array2;

use super::{Decisions, Discounts, Lane};

/// How actions are chosen from a network's outputs.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Acting {
    /// Sample from the softmax of the outputs.
    Sample,
    /// ε-greedy: the largest output, or with probability `explore` (0 to 1) a uniformly random legal action.
    Greedy {
        /// Probability of a random action.
        explore: f32,
    },
}

/// Where decisions are stored.
pub(super) struct Keep<'a> {
    pub(super) discounts: Discounts,
    pub(super) decisions: &'a mut Decisions,
    /// Whether the actions were chosen before, so that the network only evaluates them.
    pub(super) imitate: bool,
}

/// Chooses actions with a network.
pub(super) struct Actor {
    acting: Acting,
    scratch: Scratch,
    logits: Array2<f32>,
    values: Vec<f32>,
    legal: Vec<(ActionId, f32)>,
}

impl Actor {
    pub(super) fn new(lanes: usize, actions: usize, acting: Acting) -> Self {
        Self {
            acting,
            scratch: Scratch::default(),
            logits: Array2::zeros((lanes, actions)),
            values: vec![0.0; lanes],
            legal: Vec::new(),
        }
    }

    /// Chooses actions for the lanes in `group`. With `keep`, also stores the decisions.
    pub(super) fn choose(
        &mut self,
        net: &dyn PolicyNet,
        batch: &Batch,
        group: &[usize],
        lanes: &mut [Lane],
        picks: &mut [ActionId],
        mut keep: Option<Keep<'_>>,
    ) {
        let (rows, legal) = (batch.row.view(), batch.legal.view());
        net.forward_lanes(rows, legal, group, &mut self.scratch, &mut self.logits, &mut self.values);
        for (k, &lane) in group.iter().enumerate() {
            let words = batch.legal.row(lane);
            let words = words.as_slice().unwrap_or_default();
            let logits = self.logits.row(k);
            self.legal.clear();
            self.legal.extend(mask::actions(words).map(|action| (action, logits[usize::from(action.0)])));
            let given = keep.as_ref().is_some_and(|keep| keep.imitate).then_some(picks[lane]);
            let (action, log_probability) = match given {
                Some(action) => (action, log_probability(&self.legal, action)),
                None => match self.acting {
                    Acting::Sample => sample(&self.legal, lanes[lane].draw.unit()),
                    Acting::Greedy { explore } => greedy(&self.legal, explore, lanes[lane].draw.unit()),
                },
            };
            picks[lane] = action;
            let Some(Keep { discounts, decisions, .. }) = &mut keep else { continue };
            let (row, hidden) = (batch.row.row(lane), batch.hidden.row(lane));
            let (row, hidden) = (row.as_slice().unwrap_or_default(), hidden.as_slice().unwrap_or_default());
            decisions.push(row, words, hidden, action, log_probability, self.values[k]);
            lanes[lane].links.decided(batch.seat[lane].index(), *discounts, decisions);
        }
    }
}

/// Returns the largest logit, and the sum of `exp(logit - largest)`. `legal` must not be empty.
fn mass(legal: &[(ActionId, f32)]) -> (f32, f32) {
    let most = legal.iter().fold(f32::NEG_INFINITY, |most, &(_, logit)| most.max(logit));
    (most, legal.iter().map(|&(_, logit)| libm::expf(logit - most)).sum())
}

/// Returns the log-probability of a legal action.
fn log_probability(legal: &[(ActionId, f32)], action: ActionId) -> f32 {
    let (most, sum) = mass(legal);
    let logit =
        legal.iter().find(|(other, _)| *other == action).map_or(f32::NEG_INFINITY, |(_, logit)| *logit);
    logit - most - libm::logf(sum)
}

/// Returns the action at quantile `unit` (0 to below 1) of the softmax, and its log-probability. `legal` must not be
/// empty.
pub(super) fn sample(legal: &[(ActionId, f32)], unit: f32) -> (ActionId, f32) {
    let (most, sum) = mass(legal);
    let mut left = unit * sum;
    let mut chosen = legal[legal.len() - 1];
    for &(action, logit) in legal {
        left -= libm::expf(logit - most);
        if left < 0.0 {
            chosen = (action, logit);
            break;
        }
    }
    (chosen.0, chosen.1 - most - libm::logf(sum))
}

/// Returns the action with the largest output (the first of equals) and its log-probability. If `unit` (0 to below 1)
/// is below `explore`, it returns the action at the place `unit / explore` of all legal ones instead. `legal` must not
/// be empty.
pub(super) fn greedy(legal: &[(ActionId, f32)], explore: f32, unit: f32) -> (ActionId, f32) {
    let best = legal.iter().copied().reduce(|best, other| if other.1 > best.1 { other } else { best });
    let best = best.map_or(legal[0].0, |(action, _)| action);
    let chosen = match unit < explore {
        true => {
            let place = (unit / explore * legal.len() as f32) as usize;
            legal[place.min(legal.len() - 1)].0
        }
        false => best,
    };
    let by_chance = explore / legal.len() as f32;
    let probability = if chosen == best { 1.0 - explore + by_chance } else { by_chance };
    (chosen, libm::logf(probability))
}
