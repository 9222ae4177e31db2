//! What runs cannot do, as exceptions of the fitting types.

use cardsharp_trainer::run_folder::RunError;
use cardsharp_trainer::train::{CostError, TrainError};
use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::input::refused;
use crate::output;

/// Of a run's folder.
pub(crate) fn unrunnable(error: RunError) -> PyErr {
    let message = error.to_string();
    match error {
        RunError::Taken { .. } => PyFileExistsError::new_err(format!("{message}; go on with it by resume=")),
        RunError::Occupied { .. } => PyFileExistsError::new_err(message),
        RunError::Absent { .. } => PyFileNotFoundError::new_err(message),
        RunError::Io { .. } => PyOSError::new_err(message),
        _ => refused(message),
    }
}

pub(crate) fn untrained(error: TrainError) -> PyErr {
    match error {
        TrainError::Run(error) => unrunnable(error),
        TrainError::Evaluate(_)
        | TrainError::Rules(_)
        | TrainError::Opponent(_)
        | TrainError::Game { .. } => refused(error),
        TrainError::Diverged(_) | TrainError::NothingToLearn => cannot_learn(&error.to_string()),
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Of what a run cost.
pub(crate) fn uncosted(error: CostError) -> PyErr {
    match error {
        CostError::Run(error) => unrunnable(error),
        CostError::Io { .. } => PyOSError::new_err(error.to_string()),
        CostError::Other { .. } | CostError::Record { .. } | CostError::Start { .. } => {
            refused(format!("cost: {error}"))
        }
    }
}

/// What a run of these settings and this seed raises whenever it is tried.
fn cannot_learn(message: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let raised = |py: Python<'_>| -> PyResult<PyErr> {
        let class = output::imported(py, &CLASS, "cardsharp_rl._types", "TrainingDiverged")?;
        Ok(PyErr::from_value(class.call1((message,))?))
    };
    Python::attach(|py| raised(py).unwrap_or_else(|error| error))
}
