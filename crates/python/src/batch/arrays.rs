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
use crate::output::record;

/// The memory of an array `[lanes, columns]`, or, without columns, `[lanes]`. What is shown of it is always a view, which
/// nobody can turn into another shape for the next one.
struct Memory<T> {
    columns: Option<usize>,
    flat: Py<PyArray1<T>>,
}

/// Declares the arrays of a step, in the order of its fields.
macro_rules! arrays {
    ($($name:ident: $type:ty;)*) => {
        /// The memory of the arrays of a step.
        pub(super) struct Arrays {
            lanes: usize,
            $($name: Memory<$type>,)*
        }

        /// The same, locked for writing.
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
                $(let $name = self.$name.flat.bind(py).try_readwrite().map_err(refused)?;)*
                Ok(Locked { lanes: self.lanes, $($name,)* })
            }

            /// The step that shows them.
            pub(super) fn step(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                static STEP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                let fields = PyTuple::new(py, [$(self.$name.shown(py, self.lanes)?),*])?;
                record(py, &STEP, "Step", fields).map(Bound::unbind)
            }

            /// Whether nobody holds any of them, nor a part of one.
            fn are_free(&self, py: Python<'_>) -> bool {
                $(self.$name.is_free(py) &&)* true
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

impl<T: Element + Copy> Memory<T> {
    fn zeros(py: Python<'_>, lanes: usize, columns: Option<usize>) -> Self {
        let flat = PyArray1::zeros(py, lanes * columns.unwrap_or(1), false);
        Self { columns, flat: flat.unbind() }
    }

    fn shown<'py>(&self, py: Python<'py>, lanes: usize) -> PyResult<Bound<'py, PyAny>> {
        let flat = self.flat.bind(py);
        Ok(match self.columns {
            Some(columns) => flat.reshape([lanes, columns])?.into_any(),
            None => flat.reshape([lanes])?.into_any(),
        })
    }

    /// Whether nobody holds it: views of an array, and views of those, hold the memory that they show.
    fn is_free(&self, py: Python<'_>) -> bool {
        // The other way to ask is unsafe code.
        #[expect(deprecated)]
        let holders = self.flat.get_refcnt(py);
        holders == 1
    }
}

impl Arrays {
    fn new(py: Python<'_>, game: &dyn AnyGame, parts: &[Endless]) -> Self {
        let lanes = parts.iter().map(Endless::lanes).sum();
        let seats = parts.iter().map(Endless::seats).max();
        let reveals = parts.iter().any(|part| part.stream().reveal);
        Self {
            lanes,
            rows: Memory::zeros(py, lanes, Some(width(game.observation()))),
            legal: Memory::zeros(py, lanes, Some(width(game.actions()))),
            seat: Memory::zeros(py, lanes, None),
            reward: Memory::zeros(py, lanes, seats),
            round_over: Memory::zeros(py, lanes, None),
            done: Memory::zeros(py, lanes, None),
            returns: Memory::zeros(py, lanes, seats),
            place: Memory::zeros(py, lanes, seats),
            points: Memory::zeros(py, lanes, seats),
            rules: Memory::zeros(py, lanes, None),
            hidden: Memory::zeros(py, lanes, Some(if reveals { width(game.hidden()) } else { 0 })),
        }
    }
}

/// The arrays of a batch: those it shows now, and earlier ones, which are written again once nobody holds them. New
/// ones would take a tenth of a step's time.
pub(super) struct ArrayPool {
    /// The last are those of now.
    sets: Vec<Arrays>,
}

impl ArrayPool {
    /// What was shown now, last and the time before that is often held when the next step is asked for.
    const SETS: usize = 3;

    pub(super) fn new(py: Python<'_>, game: &dyn AnyGame, parts: &[Endless]) -> Self {
        Self { sets: vec![Arrays::new(py, game, parts)] }
    }

    /// The arrays of now.
    pub(super) fn now(&self) -> &Arrays {
        &self.sets[self.sets.len() - 1]
    }

    /// Arrays that nobody holds, which are those of now from here on.
    pub(super) fn next(&mut self, py: Python<'_>, game: &dyn AnyGame, parts: &[Endless]) -> &Arrays {
        match self.sets.iter().position(|arrays| arrays.are_free(py)) {
            Some(free) => self.sets[free..].rotate_left(1),
            None => {
                self.sets.push(Arrays::new(py, game, parts));
                let surplus = self.sets.len().saturating_sub(Self::SETS);
                self.sets.drain(..surplus);
            }
        }
        self.now()
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
            self.rules[lane] = part.saved(lane).rules as u16;
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
