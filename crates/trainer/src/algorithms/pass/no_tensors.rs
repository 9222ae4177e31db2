//! Stands where burn computes, if the crate is compiled without it.

use cardsharp_bot::arithmetic::Cells;

use super::Network;
use crate::device::Device;
use crate::net::Shape;

/// There is none.
pub(super) enum Trunk {}

impl Trunk {
    pub(super) fn forward(_: Network<'_>, _: &Cells, _: &[f32], device: &Device, _: bool) -> Option<Self> {
        match device {
            Device::Cores => None,
        }
    }

    pub(super) fn features(&self) -> &[f32] {
        match *self {}
    }

    pub(super) fn backward(&self, _: &Shape, _: &[f32], _: &mut [f32]) {
        match *self {}
    }
}
