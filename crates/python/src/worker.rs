//! Units of a run that learns in another process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::workers::Stopped;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::rollout;
use cardsharp_trainer::train;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failures::untrained;
use crate::input::{mistyped, refused};
use crate::output::Bytes;
use crate::work::{alone, interruptibly, shared};

/// A network on its way to those who play units elsewhere.
#[pyclass(module = "cardsharp_rl._core", frozen)]
pub(crate) struct Parcel(pub(crate) Arc<rollout::SerializedNet>);

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

/// The block of a unit, which Python holds: `[bytes]` in one piece.
pub(crate) struct Block(Py<PyArray1<u8>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Block {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let expected = "a uint8 array in one dimension and one piece, as `_core.Worker.play` gives it";
        let array = given.cast::<PyArray1<u8>>().ok().filter(|array| array.is_contiguous());
        let array = array.ok_or_else(|| mistyped("a unit that was played elsewhere", expected, &given))?;
        Ok(Self(array.to_owned().unbind()))
    }
}

impl Block {
    /// Gives it to the learner, while the interpreter is free for others.
    pub(crate) fn give(&self, take: &mut rollout::TakeBlock<'_>) -> Result<(), Stopped> {
        Python::attach(|py| {
            let bytes = self.0.bind(py).try_readonly().map_err(|_| Stopped)?;
            let bytes = bytes.as_slice().map_err(|_| Stopped)?;
            py.detach(|| take(bytes))
        })
    }
}

/// Plays units of one run, each a pure function of the configuration, the networks, the iteration and its number.
#[pyclass(module = "cardsharp_rl._core")]
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
    fn lacks(slf: &Bound<'_, Self>, keys: Vec<String>) -> PyResult<Vec<String>> {
        Ok(shared(slf)?.0.lacks(&keys).into_iter().map(str::to_owned).collect())
    }

    /// Keeps the network of a parcel.
    fn hold(slf: &Bound<'_, Self>, data: &[u8]) -> PyResult<()> {
        alone(slf)?.0.hold(data).map_err(refused)
    }

    /// Plays a unit of the iteration after so many: the block that the learner takes, `[bytes]`.
    fn play<'py>(
        slf: &Bound<'py, Self>,
        iteration: u64,
        others: &str,
        keys: Vec<String>,
        unit: u64,
    ) -> PyResult<Bytes<'py>> {
        let (py, stop) = (slf.py(), AtomicBool::new(false));
        let worker = &mut alone(slf)?.0;
        let played = interruptibly(py, &stop, &mut |_| Ok(()), |_| {
            worker.play(iteration, others, &keys, unit, &stop)
        })?;
        Ok(PyArray1::from_vec(py, played.map_err(refused)?).into())
    }
}
