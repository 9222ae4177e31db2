//! Networks of any architecture, as actors and bots use them.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use ndarray::{Array2, ArrayView1, ArrayView2, Axis};

use crate::file::{self, FileError, Header};
use crate::net::{Net, Scratch};

/// A policy and value network that actors and bots can evaluate: a [`Net`], or one that another crate computes.
pub trait PolicyNet: Any + Debug + Send + Sync {
    /// Returns the number of cells of a row that the network reads.
    fn cells(&self) -> usize;

    /// Returns the number of actions.
    fn actions(&self) -> usize;

    /// Evaluates chosen rows, as [`Net::forward_lanes`] does.
    fn forward_lanes(
        &self,
        rows: ArrayView2<'_, u8>,
        legal: ArrayView2<'_, u64>,
        lanes: &[usize],
        scratch: &mut Scratch,
        logits: &mut Array2<f32>,
        values: &mut [f32],
    );

    /// Evaluates one row, as [`Net::forward`] does.
    fn forward(&self, row: &[u8], legal: &[u64], scratch: &mut Scratch, logits: &mut [f32]) -> f32 {
        let (row, legal) = (ArrayView1::from(row), ArrayView1::from(legal));
        let (row, legal) = (row.insert_axis(Axis(0)), legal.insert_axis(Axis(0)));
        let (mut all, mut value) = (Array2::zeros((1, logits.len())), [0.0]);
        self.forward_lanes(row, legal, &[0], scratch, &mut all, &mut value);
        logits.iter_mut().zip(&all).for_each(|(to, from)| *to = *from);
        value[0]
    }

    /// Returns the bytes of a file with this header and the network's weights.
    ///
    /// # Errors
    /// The header does not fit, or a weight is not finite.
    fn to_bytes(&self, header: &Header) -> Result<Vec<u8>, FileError>;

    /// Returns the network as a [`Net`], if it is one. Only these can search and be exported as bots.
    fn plain(self: Arc<Self>) -> Option<Arc<Net>> {
        None
    }
}

impl PolicyNet for Net {
    fn cells(&self) -> usize {
        self.scale.len()
    }

    fn actions(&self) -> usize {
        self.policy.outputs
    }

    fn forward_lanes(
        &self,
        rows: ArrayView2<'_, u8>,
        legal: ArrayView2<'_, u64>,
        lanes: &[usize],
        scratch: &mut Scratch,
        logits: &mut Array2<f32>,
        values: &mut [f32],
    ) {
        self.forward_lanes(rows, legal, lanes, scratch, logits, values);
    }

    fn forward(&self, row: &[u8], legal: &[u64], scratch: &mut Scratch, logits: &mut [f32]) -> f32 {
        self.forward(row, legal, scratch, logits)
    }

    fn to_bytes(&self, header: &Header) -> Result<Vec<u8>, FileError> {
        file::to_bytes(header, self)
    }

    fn plain(self: Arc<Self>) -> Option<Arc<Net>> {
        Some(self)
    }
}
