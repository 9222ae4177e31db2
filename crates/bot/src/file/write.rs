//! Writes bot files: a network with its header, as safetensors.

use std::collections::HashMap;

use half::f16;
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde::Serialize;

use super::{FORMAT, FileError, Header, KEY, MAX_FILE, Metadata, finite, not_safetensors};
use crate::net::{Dense, Net};

/// Returns the bytes of a bot file. The header and the network determine them.
///
/// # Errors
/// The header has other layers or another format, a weight is not finite, or a limit is exceeded.
pub fn to_bytes(header: &Header, net: &Net) -> Result<Vec<u8>, FileError> {
    file(header, net, Precision::Single)
}

/// Returns the bytes of a bot file with weights in half precision, to halve the download. Reading it gives rounded
/// weights; biases and scale stay exact.
///
/// # Errors
/// As [`to_bytes`], or a weight is too large for half precision.
pub fn to_half_bytes(header: &Header, net: &Net) -> Result<Vec<u8>, FileError> {
    file(header, net, Precision::Half)
}

fn file(header: &Header, net: &Net, weights: Precision) -> Result<Vec<u8>, FileError> {
    if header.format != FORMAT {
        return Err(FileError::Format { given: u64::from(header.format) });
    }
    if header.layers != net.layers() {
        return Err(FileError::Layers { given: header.layers.clone() });
    }
    if header.activation != net.activation() {
        return Err(FileError::Activation { given: header.activation, expected: net.activation() });
    }
    of_layers(header, weights, &net.scale, net.named())
}

/// Returns the bytes of a file with these named layers and the scale of the cells.
pub(crate) fn of_layers<'l, H: Serialize>(
    header: &H,
    weights: Precision,
    scale: &[f32],
    layers: impl IntoIterator<Item = (String, &'l Dense)>,
) -> Result<Vec<u8>, FileError> {
    let mut tensors = vec![Tensor::new("scale", Precision::Single, &[scale.len()], scale)];
    for (name, layer) in layers {
        let shape = [layer.inputs, layer.outputs];
        tensors.push(Tensor::new(format!("{name}.weight"), weights, &shape, &layer.weight));
        tensors.push(Tensor::new(format!("{name}.bias"), Precision::Single, &[layer.outputs], &layer.bias));
    }
    checked(header, tensors)
}

/// Returns the bytes of a file of named tensors with these shapes, whose numbers follow each other in `numbers`. The
/// header and tensors determine the bytes. Such a file is not a bot:
/// [`tensors_from_bytes`](super::tensors_from_bytes) reads it.
///
/// # Errors
/// A number is not finite, or the file is too large.
///
/// # Panics
/// There are fewer numbers than the shapes need.
pub fn tensors_to_bytes(
    header: &Header,
    tensors: &[(String, Vec<usize>)],
    mut numbers: &[f32],
) -> Result<Vec<u8>, FileError> {
    let tensor = |(name, shape): &(String, Vec<usize>)| {
        let (values, rest) = numbers.split_at(shape.iter().product());
        numbers = rest;
        Tensor::new(name.as_str(), Precision::Single, shape, values)
    };
    let tensors = tensors.iter().map(tensor).collect();
    checked(header, tensors)
}

/// Returns the bytes of a file that [`super::open`] accepts.
fn checked<H: Serialize>(header: &H, tensors: Vec<Tensor<'_>>) -> Result<Vec<u8>, FileError> {
    for tensor in &tensors {
        finite(&tensor.name, tensor.values)?;
    }
    let bytes = write(header, tensors)?;
    let length = bytes.len() as u64;
    if length > MAX_FILE { Err(FileError::TooLarge { given: length }) } else { Ok(bytes) }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// 32-bit floats, without loss.
    Single,
    /// As 16-bit floats: the upper bytes of all numbers before the lower bytes.
    Half,
}

pub(super) struct Tensor<'a> {
    name: String,
    precision: Precision,
    shape: Vec<usize>,
    values: &'a [f32],
}

impl<'a> Tensor<'a> {
    pub(super) fn new(
        name: impl Into<String>,
        precision: Precision,
        shape: &[usize],
        values: &'a [f32],
    ) -> Self {
        let planes: &[usize] = if precision == Precision::Half { &[2] } else { &[] };
        Self { name: name.into(), precision, shape: [planes, shape].concat(), values }
    }

    fn dtype(&self) -> Dtype {
        match self.precision {
            Precision::Single => Dtype::F32,
            Precision::Half => Dtype::U8,
        }
    }

    /// Returns the numbers as the file stores them.
    fn bytes(&self) -> Result<Vec<u8>, FileError> {
        if self.precision == Precision::Single {
            return Ok(self.values.iter().flat_map(|value| value.to_le_bytes()).collect());
        }
        let halves: Vec<f16> = self.values.iter().map(|&value| f16::from_f32(value)).collect();
        match halves.iter().position(|half| half.is_infinite()) {
            Some(at) => {
                Err(FileError::TooLargeForHalf { tensor: self.name.clone(), at, value: self.values[at] })
            }
            None => {
                let plane = |upper: usize| halves.iter().map(move |half| half.to_le_bytes()[upper]);
                Ok(plane(1).chain(plane(0)).collect())
            }
        }
    }
}

/// Returns the bytes of a file with these tensors, without checks.
pub(super) fn write<H: Serialize>(header: &H, mut tensors: Vec<Tensor<'_>>) -> Result<Vec<u8>, FileError> {
    // Sort as safetensors does, so that the hash covers the bytes in the order of the file.
    tensors.sort_by(|a, b| b.dtype().cmp(&a.dtype()).then_with(|| a.name.cmp(&b.name)));
    let data = tensors.iter().map(Tensor::bytes).collect::<Result<Vec<_>, _>>()?;
    let mut sum = blake3::Hasher::new();
    data.iter().for_each(|bytes| _ = sum.update(bytes));
    let metadata = Metadata { header, blake3: sum.finalize().to_string() };
    let metadata = serde_json::to_string(&metadata).map_err(FileError::Metadata)?;
    let views = tensors.into_iter().zip(&data).map(|(tensor, bytes)| {
        let view = TensorView::new(tensor.dtype(), tensor.shape, bytes);
        view.map(|view| (tensor.name, view)).map_err(not_safetensors)
    });
    let views = views.collect::<Result<Vec<_>, _>>()?;
    safetensors::serialize(views, Some(HashMap::from([(KEY.to_owned(), metadata)]))).map_err(not_safetensors)
}
