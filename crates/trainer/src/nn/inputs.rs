//! Inputs of networks: rows of cells, or numbers of a hidden layer.

use std::sync::Arc;

use burn::tensor::Tensor;
use cardsharp_env::{ActionId, mask};

use super::ops::{CellRows, Groups, RequestedOutputs};
use super::pool::Pool;
use super::{OutputSet, Rows};
use crate::rollout::Decisions;

/// Number of groups of rows that a GPU multiplies in parallel. The gradient of a layer is a sum over rows; one long sum
/// would leave most of the GPU idle.
const GROUPS: usize = 32;

/// Number of rows that a GPU adds sequentially.
const CHAIN: usize = 64;

static CELLS: Pool<CellRows> = Pool::new();

/// Inputs of a network. Their form decides which operations compute it.
#[derive(Clone, Debug)]
pub(crate) enum Inputs {
    /// Cells, for the operations in [`super::ops`].
    Cells(Arc<CellRows>),
    /// Numbers for burn's own operations, `[groups, rows of a group, cells]`, and the number of real rows. Rows of 0
    /// fill the last group.
    Numbers(Box<Tensor<3>>, usize),
}

impl Inputs {
    /// Returns the cells of decisions. If `scale` is longer than an observation, the hidden cells follow.
    pub(crate) fn cells(decisions: &Decisions, ids: &[u32], scale: &[f32]) -> Self {
        let (cells, hidden) =
            (decisions.rows.len() / decisions.len(), decisions.hidden.len() / decisions.len());
        let shown = if scale.len() > cells { hidden } else { 0 };
        let mut to = CELLS.take();
        to.scale.clear();
        to.scale.extend_from_slice(scale);
        to.rows.clear(scale.len());
        for id in ids.iter().map(|&id| id as usize) {
            to.rows
                .push(&[&decisions.rows[id * cells..][..cells], &decisions.hidden[id * hidden..][..shown]]);
        }
        to.turned.turn(&to.rows);
        Self::Cells(Arc::new(to))
    }

    /// Rows of numbers, `[rows, cells]`.
    ///
    /// Pads to at most an eighth more rows if there are hundreds. Minibatches of nearly the same size then have one
    /// shape, so kernels are not compiled anew for each size.
    pub(crate) fn numbers(rows: Tensor<2>) -> Self {
        let [count, cells] = rows.dims();
        let eighth = (count / 8 + 1).next_power_of_two() / 2;
        let all = count.next_multiple_of(eighth.max(GROUPS));
        Self::Numbers(Box::new(padded(rows, all).reshape([GROUPS, all / GROUPS, cells])), count)
    }

    /// Returns the memory to the pool if no graph refers to it.
    pub(crate) fn recycle(self) {
        if let Self::Cells(rows) = self
            && let Some(rows) = Arc::into_inner(rows)
        {
            CELLS.give(rows);
        }
    }
}

/// Returns the outputs that the loss needs of decisions. Also returns the place of the played action's output, or the
/// groups of [`OutputSet::Lists`].
pub(crate) fn requested_outputs(rows: Rows<'_>, ids: &[u32]) -> (RequestedOutputs, Groups, Option<Groups>) {
    let Rows { decisions, outputs: wanted, .. } = rows;
    let words = decisions.legal.len() / decisions.len();
    let (mut outputs, mut groups) = (Vec::new(), Groups::default());
    let mut played = Groups { at: Some(Vec::with_capacity(ids.len())), ends: Vec::new() };
    let mut lists =
        matches!(wanted, OutputSet::Lists(_)).then(|| Groups { at: Some(Vec::new()), ..Groups::default() });
    for (row, id) in ids.iter().map(|&id| id as usize).enumerate() {
        let start = outputs.len();
        let mut place = start;
        match wanted {
            OutputSet::Played => outputs.push(decisions.actions[id].0),
            OutputSet::Legal => {
                let actions = mask::actions(&decisions.legal[id * words..][..words]);
                outputs.extend(actions.map(|ActionId(action)| action));
                let found = outputs[start..].iter().position(|&output| output == decisions.actions[id].0);
                // The played action was legal, so it is found.
                place += found.unwrap_or_default();
            }
            OutputSet::Lists(of) => {
                let of = of.lists(id);
                outputs.extend(of.iter().copied().flatten());
                outputs[start..].sort_unstable();
                let mut own = outputs.split_off(start);
                own.dedup();
                outputs.append(&mut own);
                place = row * of.len();
                let Some(Groups { at: Some(at), ends }) = &mut lists else { continue };
                for list in of {
                    let mut first = start;
                    at.extend(list.iter().map(|output| {
                        first += outputs[first..].iter().take_while(|other| *other < output).count();
                        first as u32
                    }));
                    ends.push(at.len() as u32);
                }
            }
        }
        groups.ends.push(outputs.len() as u32);
        played.at.iter_mut().for_each(|at| at.push(place as u32));
        played.ends.push(row as u32 + 1);
    }
    (RequestedOutputs { outputs, rows: Arc::new(groups) }, played, lists)
}

/// Appends rows of 0, up to `all` rows.
fn padded(tensor: Tensor<2>, all: usize) -> Tensor<2> {
    let [rows, columns] = tensor.dims();
    if rows == all {
        return tensor;
    }
    let more = Tensor::zeros([all - rows, columns], &tensor.device());
    Tensor::cat(vec![tensor, more], 0)
}

/// Returns the sum over all rows, `[columns]`, in a fixed order. On a GPU burn's own full sum has no fixed order, and
/// its sum over rows uses one thread for each column.
pub(crate) fn over_rows(tensor: Tensor<2>) -> Tensor<1> {
    let [rows, columns] = tensor.dims();
    // Pads once, so that two rounds of chains divide evenly.
    let even = [CHAIN * CHAIN, CHAIN].into_iter().find(|&even| rows > even).unwrap_or(1);
    let mut tensor = padded(tensor, rows.next_multiple_of(even));
    while tensor.dims()[0] > 1 {
        let rows = tensor.dims()[0];
        let chain = if rows.is_multiple_of(CHAIN) { CHAIN } else { rows };
        tensor = tensor.reshape([chain, rows / chain * columns]).sum_dim(0).reshape([rows / chain, columns]);
    }
    tensor.flatten(0, 1)
}
