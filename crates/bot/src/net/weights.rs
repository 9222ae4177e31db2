//! The weights of a network, as they are trained and stored.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An affine layer: outputs are `inputs · weight + bias`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dense {
    /// Number of inputs: the rows of `weight`.
    pub inputs: usize,
    /// Number of outputs: the columns of `weight`.
    pub outputs: usize,
    /// Weights, `[inputs, outputs]`, row-major.
    pub weight: Vec<f32>,
    /// One bias per output, `[outputs]`.
    pub bias: Vec<f32>,
}

/// The function after each hidden layer.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// `max(x, 0)`, as this project trains networks.
    #[default]
    Relu,
    /// The hyperbolic tangent, for networks that were trained elsewhere.
    Tanh,
}

impl Activation {
    pub(crate) fn is_relu(&self) -> bool {
        *self == Self::Relu
    }
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Relu => "ReLU",
            Self::Tanh => "tanh",
        })
    }
}

/// The weights of a network. The policy head and the value head read the output of the last hidden layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// The factor of each cell, `[cells]`: one over the maximum of the cell's block.
    pub scale: Vec<f32>,
    /// Hidden layers, at least one, with an [`Activation`] after each.
    pub trunk: Vec<Dense>,
    /// One logit per action, `[hidden, actions]`.
    pub policy: Dense,
    /// The expected return of the seat that observes the row, `[hidden, 1]`.
    pub value: Dense,
}

impl Weights {
    /// Returns the inputs of every layer and the actions: `[cells, hidden…, actions]`.
    pub fn layers(&self) -> Vec<usize> {
        let hidden = self.trunk.iter().map(|layer| layer.outputs);
        [self.scale.len()].into_iter().chain(hidden).chain([self.policy.outputs]).collect()
    }

    /// Returns the layers with their names in files, in order.
    pub fn named(&self) -> impl Iterator<Item = (String, &Dense)> {
        let trunk = self.trunk.iter().enumerate().map(|(number, layer)| (format!("trunk.{number}"), layer));
        trunk.chain([("policy".to_owned(), &self.policy), ("value".to_owned(), &self.value)])
    }

    /// Checks that the shapes fit each other.
    ///
    /// # Errors
    /// The layer with a wrong shape, and how it is wrong.
    pub fn check(&self) -> Result<(), ShapeError> {
        let Some(last) = self.trunk.last() else { return Err(ShapeError::NoTrunk) };
        let hidden = last.outputs;
        let mut inputs = self.scale.len();
        for (name, layer) in self.named() {
            let size = |what, given, expected| {
                if given == expected {
                    Ok(())
                } else {
                    Err(ShapeError::Size { layer: name.clone(), what, given, expected })
                }
            };
            let head = name == "policy" || name == "value";
            size("inputs", layer.inputs, if head { hidden } else { inputs })?;
            size("weights", layer.weight.len(), layer.inputs * layer.outputs)?;
            size("biases", layer.bias.len(), layer.outputs)?;
            if name == "value" {
                size("outputs", layer.outputs, 1)?;
            }
            if layer.outputs == 0 {
                return Err(ShapeError::Empty { layer: name });
            }
            inputs = layer.outputs;
        }
        Ok(())
    }
}

/// Why weights do not make a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ShapeError {
    /// There is no hidden layer for the heads to read.
    #[error("a network needs at least one hidden layer")]
    NoTrunk,
    /// A layer has no outputs.
    #[error("layer `{layer}` has no outputs")]
    Empty {
        /// The layer's name in files.
        layer: String,
    },
    /// A layer does not fit its inputs, or its weights do not fit its shape.
    #[error("{what} of layer `{layer}`: there are {given}, expected {expected}")]
    Size {
        /// The layer's name in files.
        layer: String,
        /// The quantity that does not fit.
        what: &'static str,
        given: usize,
        expected: usize,
    },
}
