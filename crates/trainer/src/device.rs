//! Where the learner computes.

#[cfg(feature = "burn")]
use burn::tensor::Device as Tensors;

/// Where the learner computes. Actors, optimiser and checkpoints stay on the processor's cores in any case.
#[derive(Clone, Debug)]
pub enum Device {
    /// On the cores, by the products of [`cardsharp_bot::arithmetic`]: the same bits on every machine.
    Cores,
    /// Where burn computes: a graphics card, or the cores by burn's own products.
    #[cfg(feature = "burn")]
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

/// Every device that there is, with how far a gradient may be from the one that burn finds by itself, as a share of its largest
/// number.
#[cfg(all(test, feature = "burn"))]
pub(crate) fn all() -> Vec<(Device, f32)> {
    let mut all = vec![(Device::Cores, 1e-5), (Device::Burn(Tensors::flex()), 1e-5)];
    if cfg!(feature = "wgpu") {
        all.push((learner(), 1e-4));
    }
    all
}
