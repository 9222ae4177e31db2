//! Arrays of numbers from Python, read strictly.

use cardsharp_env::mask;
use ndarray::Array2;
use numpy::{
    PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::{type_hint_identifier as name, type_hint_subscript as of, type_hint_union};

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

/// Bytes of a mask that are read together.
const PIECE: usize = 32;

/// The bytes other than 0, one bit each.
fn bits(piece: &[u8; PIECE]) -> u32 {
    /// All bits of each byte except the highest.
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (eights, _) = piece.as_chunks();
    let eights: [u64; PIECE / 8] = std::array::from_fn(|number| u64::from_le_bytes(eights[number]));
    // Most pieces of a mask have no legal action.
    if eights.iter().fold(0, |all, bytes| all | bytes) == 0 {
        return 0;
    }
    eights.iter().enumerate().fold(0, |all, (number, bytes)| {
        // The highest bit of each byte other than 0. The product moves these eight bits to the highest byte.
        let set = (((bytes & LOW) + LOW) | bytes) & !LOW;
        let bits = (set >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        all | (bits as u32) << (8 * number)
    })
}

/// Writes a mask with one byte for each action as words. Every byte but 0 means legal.
pub(crate) fn write_words(flags: &[u8], words: &mut [u64]) {
    words.fill(0);
    let (pieces, rest) = flags.as_chunks();
    let mut last = [0; PIECE];
    last[..rest.len()].copy_from_slice(rest);
    pieces.iter().chain([&last]).enumerate().for_each(|(number, piece)| {
        if let Some(word) = words.get_mut(number / 2) {
            *word |= u64::from(bits(piece)) << (number % 2 * PIECE);
        }
    });
}

/// Observation rows.
pub(crate) struct RowsArg<'py>(pub(crate) PyReadonlyArray2<'py, u8>);

impl<'a, 'py> FromPyObject<'a, 'py> for RowsArg<'py> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = of!(name!("numpy.typing", "NDArray"), name!("numpy", "uint8"));

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = given.cast::<PyArray2<u8>>();
        let array = array.map_err(|_| mistyped("observations", "a uint8 array [n, cells]", &given))?;
        array.try_readonly().map(Self).map_err(refused)
    }
}

/// Action masks as words, `[n, words]`.
pub(crate) struct MasksArg {
    pub(crate) words: Array2<u64>,
    pub(crate) actions: usize,
}

impl<'a, 'py> FromPyObject<'a, 'py> for MasksArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        of!(name!("numpy.typing", "NDArray"), name!("numpy", "bool_")),
        of!(name!("numpy.typing", "NDArray"), name!("numpy", "int8"))
    );

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wrong = || mistyped("action_mask", "a bool or int8 array [n, actions]", &given);
        if given.cast::<PyArray2<bool>>().is_err() && given.cast::<PyArray2<i8>>().is_err() {
            return Err(wrong());
        }
        let flags = given.call_method1("view", ("uint8",))?;
        let flags = flags.cast::<PyArray2<u8>>().map_err(|_| wrong())?.try_readonly().map_err(refused)?;
        let flags = flags.as_array();
        let mut words = Array2::zeros((flags.nrows(), flags.ncols().div_ceil(64)));
        for (row, (flags, mut words)) in flags.outer_iter().zip(words.rows_mut()).enumerate() {
            let Some(words) = words.as_slice_mut() else { continue };
            write_words(&flags.to_vec(), words);
            if mask::count(words) == 0 {
                return Err(refused(format!("action_mask: row {row} has no legal action")));
            }
        }
        Ok(Self { words, actions: flags.ncols() })
    }
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
