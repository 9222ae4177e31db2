//! Units of a run that learns in another process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_trainer::config::Config;
use cardsharp_trainer::rollout;
use cardsharp_trainer::train;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failures::untrained;
use crate::input::refused;
use crate::work::interruptibly;

/// A network on its way to those who play units elsewhere.
#[pyclass(module = "cardsharp._core", frozen)]
pub(crate) struct Parcel(pub(crate) Arc<rollout::Parcel>);

#[pymethods]
impl Parcel {
    /// What names it: who holds a parcel of this key need not get it again.
    #[getter]
    fn key(&self) -> &str {
        &self.0.key
    }

    /// The network, as an exported bot.
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.bytes)
    }
}

/// Plays units of one run, each a pure function of the configuration, the networks, the iteration and its number.
#[pyclass(module = "cardsharp._core")]
pub(crate) struct Worker(train::Worker);

#[pymethods]
impl Worker {
    /// One for runs of this configuration, which is TOML.
    #[new]
    fn new(py: Python<'_>, config: &str) -> PyResult<Self> {
        let config = Config::parse("config", config, &[]).map_err(refused)?;
        py.detach(|| train::Worker::new(config)).map(Self).map_err(untrained)
    }

    /// Which of these networks it has to be given before it can play.
    fn lacks(&self, keys: Vec<String>) -> Vec<String> {
        self.0.lacks(&keys).into_iter().map(str::to_owned).collect()
    }

    /// Keeps the network of a parcel.
    fn hold(&mut self, data: &[u8]) -> PyResult<()> {
        self.0.hold(data).map_err(refused)
    }

    /// Plays a unit of the iteration after so many: the block that the learner takes.
    fn play<'py>(
        &mut self,
        py: Python<'py>,
        iteration: u64,
        others: &str,
        keys: Vec<String>,
        unit: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let stop = AtomicBool::new(false);
        let played = interruptibly(py, &stop, &mut |_| Ok(()), |_| {
            self.0.play(iteration, others, &keys, unit, &stop)
        })?;
        Ok(PyBytes::new(py, &played.map_err(refused)?))
    }
}
