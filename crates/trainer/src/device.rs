//! Where the learner computes.

use burn::tensor::Device as Tensors;

/// Where the learner computes. Actors, optimiser and checkpoints stay on the processor's cores in any case.
#[derive(Clone, Debug)]
pub enum Device {
    /// On the cores, by the products of [`cardsharp_bot::arithmetic`]: the same bits on every machine.
    Cores,
    /// Where burn computes: a graphics card, or the cores by burn's own products.
    Burn(Tensors),
}

/// The device of a run: the cores, or a graphics card where the feature `wgpu` is on.
pub fn learner() -> Device {
    #[cfg(feature = "wgpu")]
    let device = Device::Burn(Tensors::wgpu(burn::tensor::DeviceKind::DefaultDevice));
    #[cfg(not(feature = "wgpu"))]
    let device = Device::Cores;
    device
}
