//! A shard's way through the policy network and back: the hidden layers and the value head are burn's,
//! the outputs of legal actions `head`'s.

use burn::tensor::{Device, Tensor, TensorData};
use cardsharp_env::{ActionId, mask};

use super::head::Head;
use crate::learner::Learner;
use crate::net::{Layers, numbers};
use crate::rollout::Decisions;

/// A decision as a loss sees it.
pub(super) struct Seen<'a> {
    /// Its place in the shard.
    pub(super) place: usize,
    /// Its number among the decisions.
    pub(super) id: usize,
    /// The actions that were asked for.
    pub(super) actions: &'a [ActionId],
    /// The network's output for each of them.
    pub(super) outputs: &'a [f32],
    /// What the value head says.
    pub(super) value: f32,
}

/// Writes the legal actions of a decision, ascending.
pub(super) fn legal(decisions: &Decisions, id: usize, actions: &mut Vec<ActionId>) {
    let words = decisions.legal.len() / decisions.len();
    actions.extend(mask::actions(&decisions.legal[id * words..][..words]));
}

/// The gradient of a loss over the decisions `ids`, for all numbers of the policy network, flat. `rows`
/// are their scaled inputs. For each decision, in order, `ask` writes the actions whose outputs the loss
/// depends on to its (empty) list, then `judge` the loss's gradient at each of these outputs; it returns
/// that at the value.
pub(super) fn gradient(
    learner: &Learner,
    ids: &[u32],
    rows: Vec<f32>,
    device: &Device,
    ask: impl Fn(usize, &mut Vec<ActionId>),
    mut judge: impl FnMut(Seen<'_>, &mut Vec<f32>) -> f32,
) -> Vec<f32> {
    let tensor = |data: Vec<f32>, width: usize| {
        Tensor::<2>::from_data(TensorData::new(data, [ids.len(), width]), device)
    };
    let shape = &learner.policy.shape;
    let layers = Layers::new(shape, &learner.policy.weights, device);
    let last = layers.features(tensor(rows, shape.inputs));
    let value = layers.head(1, last.clone());
    let (features, values) = (numbers(last.clone()), numbers(value.clone()));
    let mut head = Head::new(shape, &learner.policy.weights);
    let (mut at_features, mut at_values) = (vec![0.0; features.len()], vec![0.0; values.len()]);
    let (mut actions, mut outputs, mut at_outputs) = (Vec::new(), Vec::new(), Vec::new());
    for (place, &id) in ids.iter().enumerate() {
        let id = id as usize;
        actions.clear();
        ask(id, &mut actions);
        let row = place * head.width..(place + 1) * head.width;
        head.forward(&actions, &features[row.clone()], &mut outputs);
        at_outputs.clear();
        let seen = Seen { place, id, actions: &actions, outputs: &outputs, value: values[place] };
        at_values[place] = judge(seen, &mut at_outputs);
        head.backward(&actions, &at_outputs, &features[row.clone()], &mut at_features[row]);
    }
    let last = (last * tensor(at_features, head.width)).sum();
    let value = (value * tensor(at_values, 1)).sum();
    let mut gradient = Vec::with_capacity(shape.len());
    layers.flatten((last + value).backward(), &mut gradient);
    head.gradient(shape, &mut gradient);
    gradient
}
