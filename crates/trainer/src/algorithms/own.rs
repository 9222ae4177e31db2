//! Algorithms of programs that embed the trainer; `docs/your-own-algorithm.md` writes one.

use std::fmt;
use std::sync::Arc;

use cardsharp_bot::file::Outputs;

use super::{Algorithm, Report, Step, UpdateError};
use crate::learner::Learner;
use crate::rollout::{Acting, Decisions, Discounts, Teaching};

/// An algorithm of a program that embeds the trainer, or none.
#[derive(Clone, Default)]
pub struct Own(Option<Arc<dyn Algorithm + Send>>);

impl Own {
    /// A run learns by this algorithm.
    pub fn new(algorithm: impl Algorithm + Send + 'static) -> Self {
        Self(Some(Arc::new(algorithm)))
    }

    /// Whether there is one.
    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }

    fn with<T>(&self, act: impl FnOnce(&dyn Algorithm) -> T, otherwise: T) -> T {
        match &self.0 {
            Some(algorithm) => act(algorithm.as_ref()),
            None => otherwise,
        }
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Own").field(&self.name()).finish()
    }
}

/// Algorithms are the same if they have the same name.
impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Algorithm for Own {
    fn name(&self) -> &'static str {
        self.with(|own| own.name(), "")
    }

    fn outputs(&self) -> Outputs {
        self.with(|own| own.outputs(), Outputs::Logits)
    }

    fn discounts(&self) -> Discounts {
        self.with(|own| own.discounts(), Discounts { gamma: 1.0, round_gamma: 0.0 })
    }

    fn acting(&self, progress: f32) -> Acting {
        self.with(|own| own.acting(progress), Acting::Sample)
    }

    fn imitated(&self) -> u64 {
        self.with(|own| own.imitated(), 0)
    }

    fn has_reference_policy(&self) -> bool {
        self.with(|own| own.has_reference_policy(), false)
    }

    fn teaching(&self) -> Option<Teaching> {
        self.with(|own| own.teaching(), None)
    }

    fn metrics(&self, critic: bool) -> Vec<&'static str> {
        self.with(|own| own.metrics(critic), Vec::new())
    }

    fn update(
        &self,
        learner: &mut Learner,
        decisions: &Decisions,
        step: &Step<'_>,
    ) -> Result<Report, UpdateError> {
        self.with(|own| own.update(learner, decisions, step), Ok(Report::default()))
    }
}
