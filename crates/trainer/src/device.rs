//! Where tensors live while the learner learns.

use burn::tensor::Device;

/// The device of the learner: the CPU, or a graphics card where the feature `wgpu` is on. Actors,
/// optimiser and checkpoints stay on the CPU either way.
pub fn learner() -> Device {
    #[cfg(feature = "wgpu")]
    let device = Device::wgpu(burn::tensor::DeviceKind::DefaultDevice);
    #[cfg(not(feature = "wgpu"))]
    let device = Device::flex();
    device
}
