//! Where the learner computes.

use burn::tensor::Device as Tensors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The devices by name.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeviceName {
    /// The processor's cores.
    #[default]
    Cores,
    /// A graphics card.
    Card,
}

/// Where the learner computes. Actors and checkpoints stay on the processor's cores in any case.
#[derive(Clone, Debug)]
pub enum Device {
    /// On the CPU by our operations (`nn::ops`): the same bits on every machine.
    Cores,
    /// On a device of burn by burn's own operations: a GPU, or in tests the CPU.
    Burn(Tensors),
}

/// There is no graphics card.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no graphics card is found for `device = \"card\"`: it needs a driver for Vulkan, Metal or DirectX 12"
)]
pub struct NoCard;

impl DeviceName {
    /// Whether the program was built for it.
    pub(crate) fn is_built(self) -> bool {
        self == Self::Cores || cfg!(feature = "wgpu")
    }

    /// The device.
    ///
    /// # Errors
    /// There is no graphics card.
    pub fn open(self) -> Result<Device, NoCard> {
        match self {
            Self::Cores => Ok(Device::Cores),
            #[cfg(feature = "wgpu")]
            Self::Card => card().map(Device::Burn),
            #[cfg(not(feature = "wgpu"))]
            Self::Card => Err(NoCard),
        }
    }
}

/// The graphics card that comes first.
#[cfg(feature = "wgpu")]
fn card() -> Result<Tensors, NoCard> {
    use burn::tensor::{DeviceKind, DeviceType};
    // To ask for one that is not there would end the process.
    match Tensors::enumerate(DeviceType::Wgpu).into_vec().is_empty() {
        true => Err(NoCard),
        false => Ok(Tensors::wgpu(DeviceKind::DefaultDevice)),
    }
}

/// Every device that burn has here, with how far a gradient may be from that of the cores, as a share of its largest number.
#[cfg(test)]
pub(crate) fn by_burn() -> Vec<(Tensors, f32)> {
    #[cfg(feature = "wgpu")]
    let cards = [(card().expect("a graphics card"), 1e-4)];
    #[cfg(not(feature = "wgpu"))]
    let cards = [];
    std::iter::once((Tensors::flex(), 1e-5)).chain(cards).collect()
}
