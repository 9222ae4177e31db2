//! Evaluates a network for one view, or for many lanes at once. Bots with a network share it.

use std::sync::Arc;

use cardsharp_env::SeatView;
use ndarray::{Array2, ArrayView2};

use crate::bot::DecisionBatch;
use crate::net::Scratch;
use crate::policy_net::PolicyNet;

/// A network and the buffers to evaluate it. The buffers grow to the largest batch and are then reused.
#[derive(Clone, Debug)]
pub(super) struct Evaluator {
    net: Arc<dyn PolicyNet>,
    scratch: Scratch,
    /// `[lanes, cells]` of the game's rows, for batches without rows. Only the rows of this bot's lanes are written.
    rows: Array2<u8>,
    /// `[lanes asked, actions]`.
    outputs: Array2<f32>,
    /// `[lanes asked]`.
    values: Vec<f32>,
}

/// The network's outputs for one view.
pub(super) struct NetOutputs {
    /// The legal actions as mask words.
    pub(super) legal: Vec<u64>,
    /// `[actions]`; minus infinity for illegal actions.
    pub(super) outputs: Vec<f32>,
    /// The expected return of the viewing seat.
    pub(super) value: f32,
}

impl Evaluator {
    pub(super) fn new(net: Arc<dyn PolicyNet>) -> Self {
        let (rows, outputs) = (Array2::zeros((0, 0)), Array2::zeros((0, net.actions())));
        Self { net, scratch: Scratch::default(), rows, outputs, values: Vec::new() }
    }

    pub(super) fn evaluate(&mut self, view: SeatView<'_>) -> NetOutputs {
        let legal = view.legal_words();
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        let mut outputs = vec![0.0; self.net.actions()];
        let value = self.net.forward(&row, &legal, &mut self.scratch, &mut outputs);
        NetOutputs { legal, outputs, value }
    }

    /// Evaluates the requested lanes. Returns `[lanes asked, actions]`, one row for each, perhaps with unused rows at
    /// the end.
    pub(super) fn evaluate_lanes(&mut self, ask: DecisionBatch<'_>) -> ArrayView2<'_, f32> {
        self.make_room(ask.lanes.len());
        let Self { net, scratch, rows, outputs, values } = self;
        let shown = if ask.batch.row.ncols() > 0 {
            ask.batch.row.view()
        } else {
            let cells = ask.lanes.iter().find_map(|&lane| ask.env.view(lane)).map(|view| view.cells());
            let room = (ask.batch.state.len(), cells.unwrap_or(net.cells()));
            if rows.dim() != room {
                *rows = Array2::zeros(room);
            }
            for &lane in ask.lanes {
                if let (Some(view), Some(row)) = (ask.env.view(lane), rows.row_mut(lane).as_slice_mut()) {
                    view.row(row);
                }
            }
            rows.view()
        };
        net.forward_lanes(shown, ask.batch.legal.view(), ask.lanes, scratch, outputs, values);
        outputs.view()
    }

    /// Evaluates rows (`[rows, cells]`) with their action masks (`[rows, words]`). Returns the outputs,
    /// `[rows, actions]`, and the values, `[rows]`, perhaps with unused entries at the end.
    pub(super) fn evaluate_rows(
        &mut self,
        rows: ArrayView2<'_, u8>,
        legal: ArrayView2<'_, u64>,
    ) -> (ArrayView2<'_, f32>, &[f32]) {
        self.make_room(rows.nrows());
        let Self { net, scratch, outputs, values, .. } = self;
        let all: Vec<usize> = (0..rows.nrows()).collect();
        net.forward_lanes(rows, legal, &all, scratch, outputs, values);
        (outputs.view(), values)
    }

    fn make_room(&mut self, rows: usize) {
        if self.values.len() < rows {
            self.outputs = Array2::zeros((rows, self.net.actions()));
            self.values.resize(rows, 0.0);
        }
    }
}
