//! Hidden layers where burn computes.

use burn::tensor::{Tensor, TensorData};

use super::Network;
use crate::device::Device;
use crate::net::{Layers, Shape, numbers};
use cardsharp_bot::arithmetic::{Cells, padded, stride};

/// The hidden layers of a network on their way through a shard.
pub(super) struct Trunk {
    layers: Layers,
    last: Tensor<2>,
    /// The output of the last hidden layer, `[rows, stride]`.
    features: Vec<f32>,
}

impl Trunk {
    /// None if burn is not to compute them.
    pub(super) fn forward(
        Network { shape, weights }: Network<'_>,
        inputs: &Cells,
        scale: &[f32],
        device: &Device,
        learn: bool,
    ) -> Option<Self> {
        let Device::Burn(device) = device else { return None };
        let device = &if learn { device.clone().autodiff() } else { device.clone() };
        let cells = TensorData::new(inputs.numbers(scale), [inputs.rows(), shape.inputs]);
        let cells = Tensor::from_data(cells, device);
        let layers = Layers::new(shape, weights, device);
        let last = layers.features(cells);
        let features = padded(&numbers(last.clone()), shape.width()).into_owned();
        Some(Self { layers, last, features })
    }

    /// The output of the last hidden layer, `[rows, stride]`.
    pub(super) fn features(&self) -> &[f32] {
        &self.features
    }

    /// Writes the gradient of the hidden layers to its place in the flat gradient, given that of the features.
    pub(super) fn backward(&self, shape: &Shape, at_features: &[f32], gradient: &mut [f32]) {
        let (width, stride) = (shape.width(), stride(shape.width()));
        let at = at_features.chunks_exact(stride).flat_map(|row| row[..width].iter().copied()).collect();
        let at = Tensor::from_data(TensorData::new::<f32, _>(at, self.last.shape()), &self.last.device());
        let mut flat = Vec::with_capacity(shape.len());
        self.layers.flatten((self.last.clone() * at).sum().backward(), &mut flat);
        let heads = shape.head(0).0.start;
        gradient[..heads].copy_from_slice(&flat[..heads]);
    }
}
