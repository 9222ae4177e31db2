//! Where the learner computes.

use burn::tensor::Device as Tensors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The devices by name.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeviceName {
    /// The CPU, with our own operations.
    #[default]
    Cpu,
    /// A GPU, with burn's operations.
    Gpu,
}

/// Where the learner computes. Actors and checkpoints are always on the CPU.
#[derive(Clone, Debug)]
pub enum Device {
    /// The CPU, with the trainer's own operations (`nn::ops`): the same bits on every machine.
    Cpu,
    /// A device of burn with burn's own operations: a GPU, or the CPU for a program's own network and in tests.
    Burn(Tensors),
}

/// There is no GPU.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found no GPU for `device = \"gpu\"`: it needs a driver for Vulkan, Metal or DirectX 12")]
pub struct NoGpu;

impl DeviceName {
    /// Whether the program was built with support for this device.
    pub(crate) fn is_built(self) -> bool {
        self == Self::Cpu || cfg!(feature = "wgpu")
    }

    /// Opens the device.
    ///
    /// # Errors
    /// There is no GPU.
    pub fn open(self) -> Result<Device, NoGpu> {
        match self {
            Self::Cpu => Ok(Device::Cpu),
            #[cfg(feature = "wgpu")]
            Self::Gpu => gpu().map(Device::Burn),
            #[cfg(not(feature = "wgpu"))]
            Self::Gpu => Err(NoGpu),
        }
    }
}

/// Opens the first GPU.
#[cfg(feature = "wgpu")]
fn gpu() -> Result<Tensors, NoGpu> {
    use burn::tensor::{DeviceKind, DeviceType};
    // burn ends the process if it opens a GPU that does not exist.
    match Tensors::enumerate(DeviceType::Wgpu).into_vec().is_empty() {
        true => Err(NoGpu),
        false => Ok(Tensors::wgpu(DeviceKind::DefaultDevice)),
    }
}

/// Returns every device of burn on this machine. The number is the largest difference between its gradients and those
/// of the CPU, as a share of the largest gradient.
#[cfg(test)]
pub(crate) fn by_burn() -> Vec<(Tensors, f32)> {
    #[cfg(feature = "wgpu")]
    let gpus = [(gpu().expect("a GPU"), 1e-4)];
    #[cfg(not(feature = "wgpu"))]
    let gpus = [];
    std::iter::once((Tensors::flex(), 1e-5)).chain(gpus).collect()
}
