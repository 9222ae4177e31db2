//! Networks of other architectures, from programs that embed the trainer; `examples/own-network` trains one.
//!
//! Such a network is computed by burn's own operations, on the CPU or on a GPU. Its weights are a flat list, as those
//! of the trainer's own networks: optimizer, reference policy, league and checkpoints treat both alike.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Device, Gradients, Tensor, TensorData};
use cardsharp_bot::PolicyNet;
use cardsharp_bot::file::{self, FileError, Header};
use cardsharp_bot::net::Scratch;
use cardsharp_env::{ActionId, mask};
use ndarray::{Array2, ArrayView2};

use super::inputs::Inputs;
use super::network::{HeadOutputs, Net, numbers};
use super::ops::RequestedOutputs;
use crate::net::Shape;

/// A policy and value network of any architecture.
///
/// All its float parameters are trained. It must compute the same outputs each time: layers that draw random numbers
/// (dropout) or collect statistics (batch normalization) are not supported.
pub trait PolicyModule: Module + Sync + 'static {
    /// Returns logits, `[rows, actions]`, and values, `[rows]`, of observations, `[rows, cells]`. Each cell was
    /// multiplied with its scale, so it is between 0 and 1.
    fn forward(&self, rows: Tensor<2>) -> (Tensor<2>, Tensor<1>);
}

/// The sizes that a network needs.
#[derive(Copy, Clone, Debug)]
pub struct Spaces {
    /// Cells of an observation.
    pub cells: usize,
    /// Actions of the game.
    pub actions: usize,
}

type Build = dyn Fn(Spaces, &Device) -> Arc<dyn ErasedModule> + Send + Sync;

/// The architecture that a program wants in place of the layers of `[net]`, or none.
#[derive(Clone, Default)]
pub struct Custom(Option<(String, Arc<Build>)>);

impl Custom {
    /// Trains a module that `build` makes with its initial weights. They may come from burn's random numbers, which
    /// the trainer seeds from the run's seed. Checkpoints keep `name`.
    pub fn new<M: PolicyModule>(
        name: impl Into<String>,
        build: impl Fn(Spaces, &Device) -> M + Send + Sync + 'static,
    ) -> Self {
        Self(Some((name.into(), Arc::new(move |spaces, device| Arc::new(build(spaces, device))))))
    }

    /// Returns whether there is one.
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.0.as_ref().map(|(name, _)| name.as_str())
    }

    /// Returns a new module and its initial weights.
    ///
    /// # Panics
    /// Its outputs have other shapes than [`PolicyModule::forward`] asks for.
    pub(crate) fn build(&self, shape: &Shape, seed: u64) -> Option<(Architecture, Vec<f32>)> {
        /// Burn has one generator for the whole process.
        static GENERATOR: Mutex<()> = Mutex::new(());
        let (name, build) = self.0.as_ref()?;
        let (spaces, device) = (Spaces { cells: shape.inputs, actions: shape.heads[0] }, Device::flex());
        let guard = GENERATOR.lock().unwrap_or_else(PoisonError::into_inner);
        device.seed(seed);
        let module = build(spaces, &device);
        let weights = module.parameters(None).into_iter().flat_map(|of| numbers(of.numbers)).collect();
        drop(guard);
        let (logits, values) = module.forward(Tensor::zeros([1, spaces.cells], &device));
        assert_eq!(
            (logits.dims(), values.dims()),
            ([1, spaces.actions], [1]),
            "the network `{name}` must return logits [rows, actions] and values [rows]"
        );
        Some((Architecture { module, actions: spaces.actions }, weights))
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Custom").field(&self.name()).finish()
    }
}

/// Two are equal if they have the same name.
impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// A parameter of a module.
pub(crate) struct Parameter {
    /// The names of its modules and its own, joined by dots.
    name: String,
    shape: Vec<usize>,
    /// Its numbers or its gradient.
    numbers: Tensor<1>,
}

/// A [`PolicyModule`] of any type.
pub(crate) trait ErasedModule: Any + fmt::Debug + Send + Sync {
    /// Returns all parameters, with their gradients if there are any.
    fn parameters(&self, gradients: Option<&mut Gradients>) -> Vec<Parameter>;
    /// Returns the same module with these weights, as leaves of a new graph or as constants.
    fn with(&self, flat: &Tensor<1>, leaves: bool) -> Arc<dyn ErasedModule>;
    fn forward(&self, rows: Tensor<2>) -> (Tensor<2>, Tensor<1>);
}

impl<M: PolicyModule> ErasedModule for M {
    fn parameters(&self, gradients: Option<&mut Gradients>) -> Vec<Parameter> {
        let mut collect = Collect { path: Vec::new(), gradients, all: Vec::new() };
        self.visit(&mut collect);
        collect.all
    }

    fn with(&self, flat: &Tensor<1>, leaves: bool) -> Arc<dyn ErasedModule> {
        Arc::new(self.clone().to_device(&flat.device()).map(&mut Fill { flat, at: 0, leaves }))
    }

    fn forward(&self, rows: Tensor<2>) -> (Tensor<2>, Tensor<1>) {
        PolicyModule::forward(self, rows)
    }
}

struct Collect<'g> {
    path: Vec<String>,
    gradients: Option<&'g mut Gradients>,
    all: Vec<Parameter>,
}

impl ModuleVisitor for Collect<'_> {
    fn enter_module(&mut self, name: &str, _: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _: &str, _: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let value = param.val();
        let shape = value.dims().to_vec();
        let numbers = match &mut self.gradients {
            Some(gradients) => value.grad_remove(gradients).unwrap_or_else(|| value.inner().zeros_like()),
            None => value.inner(),
        };
        let numbers = numbers.reshape([shape.iter().product::<usize>()]);
        self.all.push(Parameter { name: self.path.join("."), shape, numbers });
    }
}

/// Replaces parameters by numbers of a flat list.
struct Fill<'t> {
    flat: &'t Tensor<1>,
    at: usize,
    leaves: bool,
}

impl ModuleMapper for Fill<'_> {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let shape = param.lazy_shape();
        let end = self.at + shape.num_elements();
        let range = self.at..end;
        let value = self.flat.clone().slice([range]).reshape(shape);
        self.at = end;
        let value = if self.leaves { value.autodiff().require_grad() } else { value };
        Param::initialized(param.id, value)
    }
}

/// A module of a program, whose own weights have no meaning.
#[derive(Clone, Debug)]
pub struct Architecture {
    module: Arc<dyn ErasedModule>,
    actions: usize,
}

/// Two are equal if their parameters have the same names and shapes.
impl PartialEq for Architecture {
    fn eq(&self, other: &Self) -> bool {
        tensors(&*self.module) == tensors(&*other.module)
    }
}

/// Returns the names and shapes of all parameters.
fn tensors(module: &dyn ErasedModule) -> Vec<(String, Vec<usize>)> {
    module.parameters(None).into_iter().map(|of| (of.name, of.shape)).collect()
}

impl Architecture {
    /// Returns the network with these weights as actors use it.
    pub(crate) fn actor(&self, weights: Vec<f32>, scale: &[f32]) -> CustomNet {
        let module = self.module.with(&Tensor::from_floats(&weights[..], &Device::flex()), false);
        CustomNet { module, weights, scale: scale.to_vec(), actions: self.actions }
    }
}

/// A network of another architecture as actors use it.
#[derive(Debug)]
pub(crate) struct CustomNet {
    module: Arc<dyn ErasedModule>,
    weights: Vec<f32>,
    scale: Vec<f32>,
    actions: usize,
}

impl PolicyNet for CustomNet {
    fn cells(&self) -> usize {
        self.scale.len()
    }

    fn actions(&self) -> usize {
        self.actions
    }

    fn forward_lanes(
        &self,
        rows: ArrayView2<'_, u8>,
        legal: ArrayView2<'_, u64>,
        lanes: &[usize],
        _: &mut Scratch,
        logits: &mut Array2<f32>,
        values: &mut [f32],
    ) {
        if lanes.is_empty() {
            return;
        }
        let mut cells = Vec::with_capacity(lanes.len() * self.scale.len());
        for &lane in lanes {
            cells
                .extend(rows.row(lane).iter().zip(&self.scale).map(|(&cell, scale)| f32::from(cell) * scale));
        }
        let cells = TensorData::new(cells, [lanes.len(), self.scale.len()]);
        let (all, value) = self.module.forward(Tensor::from_data(cells, &Device::flex()));
        let (all, value) = (numbers(all), numbers(value));
        for (k, &lane) in lanes.iter().enumerate() {
            let mut row = logits.row_mut(k);
            row.fill(f32::NEG_INFINITY);
            for ActionId(action) in mask::actions(&legal.row(lane).to_vec()) {
                row[usize::from(action)] = all[k * self.actions + usize::from(action)];
            }
        }
        values[..lanes.len()].copy_from_slice(&value);
    }

    fn to_bytes(&self, header: &Header) -> Result<Vec<u8>, FileError> {
        file::tensors_to_bytes(header, &tensors(&*self.module), &self.weights)
    }
}

/// Returns a network's module, if it is one of type `M`.
pub(crate) fn module_of<M: PolicyModule>(net: &dyn PolicyNet) -> Option<M> {
    let net = (net as &dyn Any).downcast_ref::<CustomNet>()?;
    (&*net.module as &dyn Any).downcast_ref().cloned()
}

/// Returns all weights of a network of another architecture; none of any other network.
pub(crate) fn weights_of(net: &dyn PolicyNet) -> Vec<f32> {
    (net as &dyn Any).downcast_ref::<CustomNet>().map_or(Vec::new(), |net| net.weights.clone())
}

/// Returns a module with the weights in the content of a `bot.safetensors` of a checkpoint or a
/// `weights.safetensors`. `module` is one of the same architecture.
///
/// # Errors
/// The file is damaged, or its tensors are not those of the module.
pub fn load<M: PolicyModule>(module: M, bytes: &[u8]) -> Result<M, FileError> {
    let (_, weights) = file::tensors_from_bytes(bytes, &tensors(&module))?;
    let flat = Tensor::from_floats(&weights[..], &Device::flex());
    Ok(module.map(&mut Fill { flat: &flat, at: 0, leaves: false }))
}

/// Reads a network that [`PolicyNet::to_bytes`] wrote: one of this module, or a bot.
pub(crate) fn read(
    module: Option<&Architecture>,
    scale: &[f32],
    bytes: &[u8],
) -> Result<(Header, Arc<dyn PolicyNet>), FileError> {
    match module {
        Some(module) => {
            let (header, weights) = file::tensors_from_bytes(bytes, &tensors(&*module.module))?;
            Ok((header, Arc::new(module.actor(weights, scale))))
        }
        None => {
            let (header, net) = file::from_bytes(bytes)?;
            Ok((header, Arc::new(net)))
        }
    }
}

/// A network with tensors as weights.
pub(crate) enum CustomNetwork {
    /// One of the trainer's layers.
    Layers(Net),
    /// One of a program's module.
    Custom(Arc<dyn ErasedModule>),
}

impl CustomNetwork {
    /// Returns the network of a module or of a shape with these weights, as leaves of a new graph or as constants.
    pub(crate) fn new(module: Option<&Architecture>, shape: &Shape, flat: &Tensor<1>, leaves: bool) -> Self {
        match module {
            Some(of) => Self::Custom(of.module.with(flat, leaves)),
            None => {
                let net = Net::new(shape, flat);
                Self::Layers(if leaves { net.leaves() } else { net })
            }
        }
    }

    /// As [`Net::outputs`]. A module always computes all outputs.
    pub(crate) fn outputs(
        &self,
        inputs: &Inputs,
        requested: &Arc<RequestedOutputs>,
        value: Option<u16>,
    ) -> HeadOutputs {
        match (self, inputs) {
            (Self::Layers(net), _) => net.outputs(inputs, requested, value),
            (Self::Custom(module), Inputs::Numbers(rows, count)) => {
                let (actions, value) = module.forward(Tensor::clone(rows).flatten(0, 1).narrow(0, 0, *count));
                HeadOutputs { actions: actions.flatten(0, 1), value: Some(value) }
            }
            (Self::Custom(_), Inputs::Cells(_)) => {
                unreachable!("modules are computed by burn's own operations")
            }
        }
    }

    /// The gradient of all numbers in the order of flat weights, in parts that follow each other.
    pub(crate) fn gradient(&self, shape: &Shape, gradients: &mut Gradients) -> Vec<Tensor<1>> {
        match self {
            Self::Layers(net) => net.gradient(shape, gradients),
            Self::Custom(module) => {
                module.parameters(Some(gradients)).into_iter().map(|of| of.numbers).collect()
            }
        }
    }
}
