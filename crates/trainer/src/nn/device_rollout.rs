//! A rollout on a GPU. It is uploaded once, and minibatches are selected from it there.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use burn::tensor::{Bool, Device, Int, Tensor, TensorData};
use cardsharp_bot::workers::{Stopped, until_stopped};
use cardsharp_env::{ActionId, mask};

use super::{OutputSet, PerAction, Rows};

/// Bytes of a word.
const BYTES: usize = 4;

/// The largest size of a part of a rollout, in bytes. Every Vulkan driver accepts buffers of this size; some accept
/// larger ones.
const PART: usize = 1 << 27;

/// The bytes of a decision: its cells, its hidden cells, then 1 for each legal action. Four bytes make a word, because
/// shading languages have no bytes. A last word is the played action.
#[derive(Copy, Clone)]
struct Layout {
    cells: usize,
    hidden: usize,
    actions: usize,
    /// 64-bit words of an action mask.
    mask: usize,
}

impl Layout {
    fn of(rows: Rows<'_>, actions: usize) -> Self {
        let decisions = rows.decisions;
        let [cells, hidden, mask] = [decisions.rows.len(), decisions.hidden.len(), decisions.legal.len()]
            .map(|all| all / decisions.len().max(1));
        Self { cells, hidden, actions, mask }
    }

    /// Bytes before the played action.
    fn bytes(self) -> usize {
        (self.cells + self.hidden + self.actions).next_multiple_of(BYTES)
    }

    /// Words of a decision.
    fn words(self) -> usize {
        self.bytes() / BYTES + 1
    }

    /// The words of some decisions.
    fn write(self, rows: Rows<'_>, ids: Range<usize>) -> Vec<i32> {
        let Self { cells, hidden, mask, .. } = self;
        let decisions = rows.decisions;
        let mut bytes = vec![0; self.bytes()];
        let mut words = Vec::with_capacity(ids.len() * self.words());
        for id in ids {
            bytes.fill(0);
            bytes[..cells].copy_from_slice(&decisions.rows[id * cells..][..cells]);
            bytes[cells..][..hidden].copy_from_slice(&decisions.hidden[id * hidden..][..hidden]);
            for ActionId(action) in mask::actions(&decisions.legal[id * mask..][..mask]) {
                bytes[cells + hidden + usize::from(action)] = 1;
            }
            words.extend(bytes.as_chunks().0.iter().map(|word| i32::from_le_bytes(*word)));
            words.push(i32::from(decisions.actions[id].0));
        }
        words
    }
}

/// Decisions on a GPU.
pub(crate) struct DeviceRollout<'a> {
    of: Rows<'a>,
    layout: Layout,
    parts: Vec<Part>,
    /// Decisions of every part but the last.
    each: usize,
    /// By how many bits the bytes of a word are shifted, `[1, 1, BYTES]`.
    shifts: Tensor<3, Int>,
    device: Device,
}

/// Some consecutive decisions, a row for each.
struct Part {
    /// In the form of [`Layout`], `[rows, words]`.
    words: Tensor<2, Int>,
    /// The columns for the loss, `[rows]` each.
    columns: Vec<Tensor<1>>,
}

/// The places of a minibatch's decisions.
pub(crate) struct MinibatchIndices {
    /// For each part, the places in it.
    parts: Vec<(usize, Tensor<1, Int>)>,
    /// Numbers of the decisions, in the same order.
    pub(crate) ids: Vec<u32>,
}

/// The decisions of a minibatch, a row for each.
pub(crate) struct DeviceMinibatch {
    /// Their cells, hidden ones last, `[rows, cells]`.
    pub(crate) cells: Tensor<2, Int>,
    /// Whether an action is not legal, `[rows, actions]`.
    pub(crate) illegal: Tensor<2, Bool>,
    /// The played actions, `[rows, 1]`.
    pub(crate) actions: Tensor<2, Int>,
    /// The columns for the loss, `[rows]` each.
    pub(crate) columns: Vec<Tensor<1>>,
    pub(crate) targets: Option<PerAction>,
}

impl<'a> DeviceRollout<'a> {
    /// Uploads decisions for a network with `actions` actions.
    ///
    /// # Errors
    /// `stop` was set.
    pub(crate) fn new(
        of: Rows<'a>,
        actions: usize,
        device: &Device,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Self, Stopped> {
        let each = PART / BYTES / Layout::of(of, actions).words();
        Self::in_parts(of, actions, each.max(1), device, threads, stop)
    }

    /// The same, with parts of `each` decisions.
    fn in_parts(
        of: Rows<'a>,
        actions: usize,
        each: usize,
        device: &Device,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Self, Stopped> {
        /// Decisions that a thread writes at a time.
        const PIECE: usize = 1 << 12;
        let (layout, count) = (Layout::of(of, actions), of.decisions.len());
        let part = |first: usize| {
            let last = count.min(first + each);
            let pieces = until_stopped(threads, (last - first).div_ceil(PIECE), stop, |piece| {
                let first = first + piece * PIECE;
                layout.write(of, first..last.min(first + PIECE))
            })?;
            let words = TensorData::new(pieces.concat(), [last - first, layout.words()]);
            let column = |column: &&[f32]| Tensor::from_floats(&column[first..last], device);
            let columns = of.columns.iter().map(column).collect();
            Ok(Part { words: Tensor::from_data(words, device), columns })
        };
        let parts = (0..count).step_by(each).map(part).collect::<Result<_, _>>()?;
        let shifts = TensorData::new((0..BYTES as i32).map(|byte| 8 * byte).collect(), [1, 1, BYTES]);
        let shifts = Tensor::from_data(shifts, device);
        Ok(Self { of, layout, parts, each, shifts, device: device.clone() })
    }

    /// Uploads the places of all minibatches at once. An upload waits for everything that the GPU was asked to do
    /// before.
    pub(crate) fn upload_indices<'i>(
        &self,
        minibatches: impl Iterator<Item = &'i [u32]>,
    ) -> Vec<MinibatchIndices> {
        let part = |id: &u32| *id as usize / self.each;
        let mut places: Vec<i32> = Vec::new();
        let sorted = minibatches.map(|ids| {
            let mut ids = ids.to_vec();
            ids.sort_by_key(part);
            let parts = ids.chunk_by(|one, other| part(one) == part(other)).map(|ids| {
                let start = places.len();
                places.extend(ids.iter().map(|&id| (id as usize % self.each) as i32));
                (part(&ids[0]), start..places.len())
            });
            (parts.collect(), ids)
        });
        let sorted: Vec<(Vec<_>, Vec<u32>)> = sorted.collect();
        let count = places.len();
        let places = self.integers(places, [count]);
        let minibatch = |(parts, ids): (Vec<(usize, Range<usize>)>, _)| {
            let at = |(part, range)| (part, places.clone().slice([range]));
            MinibatchIndices { parts: parts.into_iter().map(at).collect(), ids }
        };
        sorted.into_iter().map(minibatch).collect()
    }

    /// Selects the decisions of a minibatch, part by part.
    pub(crate) fn gather(&self, minibatch: &MinibatchIndices) -> DeviceMinibatch {
        let ids = &minibatch.ids;
        let mut words = Vec::new();
        let mut columns = vec![Vec::new(); self.of.columns.len()];
        for (part, places) in &minibatch.parts {
            let from = &self.parts[*part];
            words.push(from.words.clone().select(0, places.clone()));
            for (to, column) in columns.iter_mut().zip(&from.columns) {
                to.push(column.clone().select(0, places.clone()));
            }
        }
        let Layout { cells, hidden, actions, .. } = self.layout;
        let (words, rows, all) = (Tensor::cat(words, 0), ids.len(), cells + hidden);
        let packed = self.layout.bytes() / BYTES;
        let four = words.clone().slice([0..rows, 0..packed]).unsqueeze_dim::<3>(2);
        let bytes = four.bitwise_right_shift(self.shifts.clone()).bitwise_and_scalar(0xff);
        let bytes = bytes.reshape([rows, packed * BYTES]);
        let illegal = bytes.clone().slice([0..rows, all..all + actions]).equal_elem(0);
        let targets = (!self.of.targets.is_empty()).then(|| self.targets(ids));
        DeviceMinibatch {
            cells: bytes.slice([0..rows, 0..all]),
            targets: targets.map(|targets| PerAction::masked(targets, illegal.clone())),
            illegal,
            actions: words.slice([0..rows, packed..packed + 1]),
            columns: columns.into_iter().map(|parts| Tensor::cat(parts, 0)).collect(),
        }
    }

    /// Returns the targets of decisions, `[rows, actions]`; 0 without a target. Few decisions have one, and only those
    /// are uploaded.
    fn targets(&self, ids: &[u32]) -> Tensor<2> {
        let actions = self.layout.actions;
        let first = self.of.decisions.len() - self.of.targets.len() / actions;
        let mut targets = vec![0.0; actions];
        let places = ids.iter().map(|&id| match (id as usize).checked_sub(first) {
            Some(lesson) => {
                targets.extend_from_slice(&self.of.targets[lesson * actions..][..actions]);
                (targets.len() / actions - 1) as i32
            }
            None => 0,
        });
        let places = self.integers(places.collect(), [ids.len()]);
        let rows = targets.len() / actions;
        let targets = Tensor::<2>::from_data(TensorData::new(targets, [rows, actions]), &self.device);
        targets.select(0, places)
    }

    /// Returns what the loss needs, `[rows, outputs]`: the sums of each decision's lists, or the outputs themselves.
    pub(crate) fn requested(
        &self,
        outputs: Tensor<2>,
        minibatch: &DeviceMinibatch,
        ids: &[u32],
    ) -> PerAction {
        let OutputSet::Lists(of) = self.of.outputs else {
            return PerAction::masked(outputs, minibatch.illegal.clone());
        };
        let [rows, none] = outputs.dims();
        let lists: Vec<&[u16]> = ids.iter().flat_map(|&id| of.lists(id as usize)).collect();
        let most = lists.iter().map(|list| list.len()).max().unwrap_or_default();
        // Shorter lists are padded with an output that is 0.
        let zeros = Tensor::zeros([rows, 1], &self.device);
        let places = lists.iter().flat_map(|list| {
            let rest = std::iter::repeat_n(none as i32, most - list.len());
            list.iter().map(|&output| i32::from(output)).chain(rest)
        });
        let each = lists.len() / rows;
        let places: Tensor<2, Int> = self.integers(places.collect(), [rows, each * most]);
        let sums = Tensor::cat(vec![outputs, zeros], 1).gather(1, places);
        let sums = sums.reshape([rows * each, most]).sum_dim(1).reshape([rows, each]);
        PerAction::masked(sums, Tensor::<2, Int>::zeros([rows, each], &self.device).bool())
    }

    fn integers<const D: usize>(&self, numbers: Vec<i32>, shape: [usize; D]) -> Tensor<D, Int> {
        Tensor::from_data(TensorData::new(numbers, shape), &self.device)
    }
}

#[cfg(test)]
mod tests;
