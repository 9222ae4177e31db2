//! A rollout where burn computes: it travels there once, and minibatches are picked out of it there.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use burn::tensor::{Bool, Device, Int, Tensor, TensorData};
use cardsharp_bot::workers::{Stopped, until_stopped};
use cardsharp_env::{ActionId, mask};

use super::Told;

/// Bytes of a word.
const BYTES: usize = 4;

/// Decisions are laid down in parts of so many bytes at most: what Vulkan asks of every card. Some take more.
const PART: usize = 1 << 27;

/// How the bytes of a decision lie in its row: its cells, the hidden ones after them, then 1 for each action that is legal. They are
/// four to a word, because the languages of cards know no bytes. The action that was played is a word of its own at the end.
#[derive(Copy, Clone)]
struct Layout {
    cells: usize,
    hidden: usize,
    actions: usize,
    /// Words of 64 actions in a mask.
    mask: usize,
}

impl Layout {
    fn of(told: Told<'_>, actions: usize) -> Self {
        let decisions = told.decisions;
        let [cells, hidden, mask] = [decisions.rows.len(), decisions.hidden.len(), decisions.legal.len()]
            .map(|all| all / decisions.len().max(1));
        Self { cells, hidden, actions, mask }
    }

    /// Bytes before the action.
    fn bytes(self) -> usize {
        (self.cells + self.hidden + self.actions).next_multiple_of(BYTES)
    }

    /// Words of a decision.
    fn words(self) -> usize {
        self.bytes() / BYTES + 1
    }

    /// The words of some decisions.
    fn write(self, told: Told<'_>, ids: Range<usize>) -> Vec<i32> {
        let Self { cells, hidden, mask, .. } = self;
        let decisions = told.decisions;
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

/// Decisions where burn computes.
pub(super) struct Held<'a> {
    told: Told<'a>,
    layout: Layout,
    parts: Vec<Part>,
    /// Decisions of every part but the last.
    rows: usize,
    /// By how many bits the bytes of a word are shifted, `[1, 1, BYTES]`.
    shifts: Tensor<3, Int>,
    device: Device,
}

/// Some decisions that lie together, a row for each.
struct Part {
    /// As [`Layout`] says, `[rows, words]`.
    words: Tensor<2, Int>,
    /// What the loss was told, `[rows, 1]` each.
    columns: Vec<Tensor<2>>,
}

/// Where the decisions of a minibatch lie.
pub(super) struct Minibatch {
    /// By part, their places in it.
    parts: Vec<(usize, Tensor<1, Int>)>,
    /// Their numbers in the order of those.
    pub(super) ids: Vec<u32>,
}

/// Decisions that were picked, a row for each.
pub(super) struct Picked {
    /// Their cells, hidden ones last, `[rows, cells]`.
    pub(super) cells: Tensor<2, Int>,
    /// Whether an action is not legal, `[rows, actions]`.
    pub(super) barred: Tensor<2, Bool>,
    /// What was played, `[rows, 1]`.
    pub(super) actions: Tensor<2, Int>,
    /// What the loss was told, `[rows, 1]` each.
    pub(super) columns: Vec<Tensor<2>>,
    /// As [`super::Seen::targets`].
    pub(super) targets: Option<Tensor<2>>,
}

impl<'a> Held<'a> {
    /// Lays decisions down, whose network has so many actions.
    ///
    /// # Errors
    /// `stop` was set.
    pub(super) fn new(
        told: Told<'a>,
        actions: usize,
        device: &Device,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Self, Stopped> {
        let rows = PART / BYTES / Layout::of(told, actions).words();
        Self::in_parts(told, actions, rows.max(1), device, threads, stop)
    }

    /// The same, with parts of so many decisions.
    fn in_parts(
        told: Told<'a>,
        actions: usize,
        rows: usize,
        device: &Device,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Self, Stopped> {
        /// Decisions that a thread writes at a time.
        const PIECE: usize = 1 << 12;
        let (layout, count) = (Layout::of(told, actions), told.decisions.len());
        let part = |first: usize| {
            let last = count.min(first + rows);
            let pieces = until_stopped(threads, (last - first).div_ceil(PIECE), stop, |piece| {
                let first = first + piece * PIECE;
                layout.write(told, first..last.min(first + PIECE))
            })?;
            let words = TensorData::new(pieces.concat(), [last - first, layout.words()]);
            let column = |column: &&[f32]| {
                let numbers = TensorData::new(column[first..last].to_vec(), [last - first, 1]);
                Tensor::from_data(numbers, device)
            };
            let columns = told.columns.iter().map(column).collect();
            Ok(Part { words: Tensor::from_data(words, device), columns })
        };
        let parts = (0..count).step_by(rows).map(part).collect::<Result<_, _>>()?;
        let shifts = TensorData::new((0..BYTES as i32).map(|byte| 8 * byte).collect(), [1, 1, BYTES]);
        let shifts = Tensor::from_data(shifts, device);
        Ok(Self { told, layout, parts, rows, shifts, device: device.clone() })
    }

    /// Says where minibatches lie, at once: a list that travels holds everything up that the card has been asked for.
    pub(super) fn find<'i>(&self, minibatches: impl Iterator<Item = &'i [u32]>) -> Vec<Minibatch> {
        let part = |id: &u32| *id as usize / self.rows;
        let mut places: Vec<i32> = Vec::new();
        let sorted = minibatches.map(|ids| {
            let mut ids = ids.to_vec();
            ids.sort_by_key(part);
            let parts = ids.chunk_by(|one, other| part(one) == part(other)).map(|ids| {
                let start = places.len();
                places.extend(ids.iter().map(|&id| (id as usize % self.rows) as i32));
                (part(&ids[0]), start..places.len())
            });
            (parts.collect(), ids)
        });
        let sorted: Vec<(Vec<_>, Vec<u32>)> = sorted.collect();
        let places = self.list(places);
        let minibatch = |(parts, ids): (Vec<(usize, Range<usize>)>, _)| {
            let at = |(part, range)| (part, places.clone().slice([range]));
            Minibatch { parts: parts.into_iter().map(at).collect(), ids }
        };
        sorted.into_iter().map(minibatch).collect()
    }

    /// Its decisions: those of one part after those of another, in the given order otherwise.
    pub(super) fn pick(&self, minibatch: &Minibatch) -> Picked {
        let ids = &minibatch.ids;
        let mut words = Vec::new();
        let mut columns = vec![Vec::new(); self.told.columns.len()];
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
        Picked {
            cells: bytes.clone().slice([0..rows, 0..all]),
            barred: bytes.slice([0..rows, all..all + actions]).equal_elem(0),
            actions: words.slice([0..rows, packed..packed + 1]),
            columns: columns.into_iter().map(|parts| Tensor::cat(parts, 0)).collect(),
            targets: (!self.told.targets.is_empty()).then(|| self.targets(ids)),
        }
    }

    /// The targets of decisions, 0 where there is none, `[rows, actions]`. Few have one, and only those travel.
    fn targets(&self, ids: &[u32]) -> Tensor<2> {
        let actions = self.layout.actions;
        let first = self.told.decisions.len() - self.told.targets.len() / actions;
        let mut targets = vec![0.0; actions];
        let places = ids.iter().map(|&id| match (id as usize).checked_sub(first) {
            Some(lesson) => {
                targets.extend_from_slice(&self.told.targets[lesson * actions..][..actions]);
                (targets.len() / actions - 1) as i32
            }
            None => 0,
        });
        let places = self.list(places.collect());
        let rows = targets.len() / actions;
        let targets = Tensor::<2>::from_data(TensorData::new(targets, [rows, actions]), &self.device);
        targets.select(0, places)
    }

    fn list(&self, numbers: Vec<i32>) -> Tensor<1, Int> {
        let count = numbers.len();
        Tensor::from_data(TensorData::new(numbers, [count]), &self.device)
    }
}

#[cfg(test)]
mod tests;
