//! Arrays of numbers from Python, read strictly.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::{type_hint_identifier as name, type_hint_subscript as of};

use crate::input::{mistyped, quoted, refused};
use crate::output::imported;

/// What `import cardsharp_rl` calls: loads the interface of numpy, so that a signal becomes an exception. The crate `numpy`
/// loads it with the first array otherwise, and panics if a signal is pending then.
#[pyfunction]
pub(crate) fn load_numpy(py: Python<'_>) -> PyResult<()> {
    py.import("numpy")?;
    py.check_signals()?;
    PyArray1::<u8>::zeros(py, 0, false).try_readonly().map(|_| ()).map_err(refused)
}

/// Integers of any width as the widest; none if it is no array of integers in one dimension.
pub(crate) fn integers(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    integers_as(what, given, std::convert::identity)
}

/// The same, each turned into something else.
pub(crate) fn integers_as<T>(
    what: &str,
    given: &Bound<'_, PyAny>,
    convert: impl Fn(i64) -> T,
) -> PyResult<Vec<T>> {
    macro_rules! of_width {
        ($($width:ty),*) => {$(
            if let Ok(array) = given.cast::<PyArray1<$width>>() {
                let array = array.try_readonly().map_err(refused)?;
                return Ok(array.as_array().iter().map(|&number| convert(number as i64)).collect());
            }
        )*};
    }
    of_width!(u16, i64, i32, u8, i16, u32, i8);
    static ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let expected = "an array of integers";
    let array = imported(given.py(), &ARRAY, "numpy", "asarray")?.call1((given,));
    let array = array.map_err(|_| mistyped(what, expected, given))?;
    let array = array.cast::<PyUntypedArray>().map_err(|_| mistyped(what, expected, given))?;
    let kind = array.dtype().kind();
    if !(kind == b'i' || kind == b'u') {
        let problem = format!("{what}: expected {expected}, not of {} ({})", array.dtype(), quoted(given));
        return Err(PyTypeError::new_err(problem));
    }
    if array.ndim() != 1 {
        return Err(refused(format!("{what}: the shape is {:?}: expected one dimension", array.shape())));
    }
    let wide = array.call_method1("astype", ("int64",))?;
    let wide = wide.cast::<PyArray1<i64>>().map_err(|_| mistyped(what, expected, given))?;
    Ok(wide.try_readonly().map_err(refused)?.as_array().iter().copied().map(convert).collect())
}

/// A value for each lane.
pub(crate) fn fits(what: &str, given: usize, lanes: usize) -> PyResult<()> {
    if given == lanes {
        return Ok(());
    }
    Err(refused(format!("{what}: there are {given}: expected {lanes}, one for each lane")))
}

/// Which lanes are meant.
pub(crate) struct LanesArg(pub(crate) Vec<bool>);

impl LanesArg {
    pub(crate) fn fits(&self, lanes: usize) -> PyResult<()> {
        fits("lanes", self.0.len(), lanes)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for LanesArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = of!(name!("numpy.typing", "NDArray"), name!("numpy", "bool_"));

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = given.cast::<PyArray1<bool>>();
        let array = array.map_err(|_| mistyped("lanes", "a bool array in one dimension", &given))?;
        Ok(Self(array.try_readonly().map_err(refused)?.as_array().to_vec()))
    }
}
