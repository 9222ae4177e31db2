//! Algorithms of programs that embed the trainer; `docs/your-own-algorithm.md` writes one.

use std::fmt;
use std::sync::Arc;

use super::Algorithm;

/// An algorithm of a program that embeds the trainer, or none.
#[derive(Clone, Default)]
pub struct Own(Option<Arc<dyn Algorithm>>);

impl Own {
    /// Makes a run learn with this algorithm.
    pub fn new(algorithm: impl Algorithm + 'static) -> Self {
        Self(Some(Arc::new(algorithm)))
    }

    /// Returns the algorithm, if there is one.
    pub(crate) fn get(&self) -> Option<Arc<dyn Algorithm>> {
        self.0.clone()
    }

    fn name(&self) -> Option<&'static str> {
        self.0.as_ref().map(|algorithm| algorithm.name())
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
