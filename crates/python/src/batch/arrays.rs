//! The arrays that a batch shows.

use std::ops::Range;

use cardsharp_env::AnyGame;
use cardsharp_env::blocks::width;
use cardsharp_env::endless::{Endless, Outcomes};
use cardsharp_env::mask::write_flags;
use ndarray::{Array1, Array2, Axis, Slice};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray, PyReadwriteArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::input::refused;
use crate::output::{imported, record};

/// Declares the arrays of a step, in the order of its fields.
macro_rules! arrays {
    ($($name:ident: $type:ty;)*) => {
        /// The arrays of a step, `[lanes, columns]`, each as it is shown and flat, as it is written.
        pub(super) struct Arrays {
            lanes: usize,
            $($name: (Py<PyAny>, Py<PyArray1<$type>>),)*
        }

        /// The flat arrays, locked for writing.
        pub(super) struct Locked<'py> {
            lanes: usize,
            $($name: PyReadwriteArray1<'py, $type>,)*
        }

        /// Memory of arrays, for some lanes.
        pub(super) struct Shown<'a> {
            lanes: usize,
            $($name: &'a mut [$type],)*
        }

        impl Arrays {
            pub(super) fn lock<'py>(&self, py: Python<'py>) -> PyResult<Locked<'py>> {
                $(let $name = self.$name.1.bind(py).try_readwrite().map_err(refused)?;)*
                Ok(Locked { lanes: self.lanes, $($name,)* })
            }

            /// The step that shows them.
            pub(super) fn step(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                static STEP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                let fields = PyTuple::new(py, [$(self.$name.0.bind(py)),*])?;
                record(py, &STEP, "Step", fields).map(Bound::unbind)
            }
        }

        impl<'py> Locked<'py> {
            pub(super) fn shown(&mut self) -> PyResult<Shown<'_>> {
                $(let $name = self.$name.as_slice_mut().map_err(refused)?;)*
                Ok(Shown { lanes: self.lanes, $($name,)* })
            }
        }

        impl<'a> Shown<'a> {
            /// The memory of the first `lanes` lanes; that of the others is left.
            pub(super) fn take(&mut self, lanes: usize) -> Self {
                let all = self.lanes;
                self.lanes -= lanes;
                $(
                    let flat = std::mem::take(&mut self.$name);
                    let columns = flat.len() / all;
                    let ($name, left) = flat.split_at_mut(lanes * columns);
                    self.$name = left;
                )*
                Self { lanes, $($name,)* }
            }
        }
    };
}

arrays! {
    rows: u8;
    legal: bool;
    seat: u8;
    reward: f32;
    round_over: bool;
    done: bool;
    returns: f32;
    place: u8;
    points: i32;
    rules: u16;
    hidden: u8;
}

/// An array of zeros in two dimensions, or, without columns, in one.
fn array<T: Element + Copy + Default>(
    py: Python<'_>,
    lanes: usize,
    columns: Option<usize>,
) -> PyResult<(Py<PyAny>, Py<PyArray1<T>>)> {
    let flat = PyArray1::<T>::zeros(py, lanes * columns.unwrap_or(1), false);
    let shown = match columns {
        Some(columns) => flat.reshape([lanes, columns])?.into_any(),
        None => flat.clone().into_any(),
    };
    Ok((shown.unbind(), flat.unbind()))
}

/// An array of bytes in two dimensions whose content nobody has seen: all of it is written before anybody does. Rows are
/// most of what a step shows, and filling them twice would take a tenth of its time.
fn blank(py: Python<'_>, lanes: usize, columns: usize) -> PyResult<(Py<PyAny>, Py<PyArray1<u8>>)> {
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let flat = imported(py, &EMPTY, "numpy", "empty")?.call1((lanes * columns, "uint8"))?;
    let flat = flat.cast_into::<PyArray1<u8>>()?;
    Ok((flat.reshape([lanes, columns])?.into_any().unbind(), flat.unbind()))
}

impl Arrays {
    pub(super) fn new(py: Python<'_>, game: &dyn AnyGame, parts: &[Endless]) -> PyResult<Self> {
        let lanes = parts.iter().map(Endless::lanes).sum();
        let seats = parts.iter().map(Endless::seats).max();
        let reveals = parts.iter().any(|part| part.stream().reveal);
        Ok(Self {
            lanes,
            rows: blank(py, lanes, width(game.observation()))?,
            legal: array(py, lanes, Some(width(game.actions())))?,
            seat: array(py, lanes, None)?,
            reward: array(py, lanes, seats)?,
            round_over: array(py, lanes, None)?,
            done: array(py, lanes, None)?,
            returns: array(py, lanes, seats)?,
            place: array(py, lanes, seats)?,
            points: array(py, lanes, seats)?,
            rules: array(py, lanes, None)?,
            hidden: array(py, lanes, Some(if reveals { width(game.hidden()) } else { 0 }))?,
        })
    }
}

/// Copies a row of an array of the engine's.
fn copy_row(from: &Array2<u8>, lane: usize, to: &mut [u8]) {
    let columns = from.ncols();
    if let Some(from) = from.row(lane).as_slice() {
        to[lane * columns..][..columns].copy_from_slice(from);
    }
}

/// Copies an array of the engine's, which lies in one piece.
fn copy<T: Copy>(from: &Array2<T>, to: &mut [T]) {
    if let Some(from) = from.as_slice() {
        to.copy_from_slice(from);
    }
}

impl Shown<'_> {
    /// Shows where these lanes are, and what came of the last step of all.
    pub(super) fn fill(&mut self, part: &Endless, lanes: &[usize]) {
        let (batch, outcomes) = (part.batch(), part.outcomes());
        let actions = self.legal.len() / self.lanes;
        let all = lanes.len() == self.lanes;
        if all {
            copy(&batch.row, self.rows);
            copy(&batch.hidden, self.hidden);
        }
        for &lane in lanes {
            if !all {
                copy_row(&batch.row, lane, self.rows);
                copy_row(&batch.hidden, lane, self.hidden);
            }
            if let Some(words) = batch.legal.row(lane).as_slice() {
                write_flags(words, &mut self.legal[lane * actions..][..actions]);
            }
            self.seat[lane] = batch.seat[lane].0;
            self.rules[lane] = part.course(lane).rules as u16;
        }
        copy(&outcomes.reward, self.reward);
        copy(&outcomes.returns, self.returns);
        copy(&outcomes.place, self.place);
        copy(&outcomes.points, self.points);
        self.round_over.copy_from_slice(&outcomes.round_over);
        self.done.copy_from_slice(&outcomes.done);
    }
}

/// What came of the last step, as it is pickled.
pub(super) fn kept<'a, 'py>(
    py: Python<'py>,
    parts: impl Iterator<Item = &'a Outcomes>,
) -> PyResult<Bound<'py, PyTuple>> {
    let parts: Vec<&Outcomes> = parts.collect();
    fn joined<T: Copy>(parts: &[&Outcomes], of: fn(&Outcomes) -> &Array2<T>) -> PyResult<Array2<T>> {
        let views: Vec<_> = parts.iter().map(|part| of(part).view()).collect();
        ndarray::concatenate(Axis(0), &views).map_err(refused)
    }
    let flags = |of: fn(&Outcomes) -> &Vec<bool>| -> Array1<bool> {
        parts.iter().flat_map(|part| of(part).iter().copied()).collect()
    };
    PyTuple::new(
        py,
        [
            joined(&parts, |part| &part.reward)?.to_pyarray(py).into_any(),
            joined(&parts, |part| &part.place)?.to_pyarray(py).into_any(),
            joined(&parts, |part| &part.points)?.to_pyarray(py).into_any(),
            joined(&parts, |part| &part.returns)?.to_pyarray(py).into_any(),
            flags(|part| &part.round_over).to_pyarray(py).into_any(),
            flags(|part| &part.done).to_pyarray(py).into_any(),
        ],
    )
}

/// What was pickled.
pub(super) fn outcomes(given: &Bound<'_, PyAny>) -> PyResult<Outcomes> {
    fn array<T: Element + Copy, D: ndarray::Dimension>(
        array: PyReadonlyArray<'_, T, D>,
    ) -> ndarray::Array<T, D> {
        array.as_array().to_owned()
    }
    let (reward, place, points, returns, round_over, done) = given.extract()?;
    let flags = |flags| array::<bool, ndarray::Ix1>(flags).to_vec();
    Ok(Outcomes {
        reward: array(reward),
        place: array(place),
        points: array(points),
        returns: array(returns),
        round_over: flags(round_over),
        done: flags(done),
    })
}

/// What came of these lanes, counted from `first`.
pub(super) fn part_of(all: &Outcomes, first: usize, lanes: usize) -> PyResult<Outcomes> {
    let count = all.reward.nrows();
    let lengths =
        [all.place.nrows(), all.points.nrows(), all.returns.nrows(), all.round_over.len(), all.done.len()];
    if lengths.iter().any(|&length| length != count) || first + lanes > count {
        return Err(refused("not the pickle of a batch: outcomes are not those of its lanes"));
    }
    let lanes = first..first + lanes;
    fn rows<T: Copy>(all: &Array2<T>, lanes: &Range<usize>) -> Array2<T> {
        all.slice_axis(Axis(0), Slice::from(lanes.clone())).to_owned()
    }
    Ok(Outcomes {
        reward: rows(&all.reward, &lanes),
        place: rows(&all.place, &lanes),
        points: rows(&all.points, &lanes),
        returns: rows(&all.returns, &lanes),
        round_over: all.round_over[lanes.clone()].to_vec(),
        done: all.done[lanes].to_vec(),
    })
}
