//! Picking from masks.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::input::{Anything, refused};
use crate::output::Actions;

/// What `cardsharp.uniform` calls: of row i's legal actions the one that lies `draws[i]` (0 to 1) of the way.
#[pyfunction]
pub(crate) fn pick_legal<'py>(
    py: Python<'py>,
    legal: Anything<'py>,
    draws: Anything<'py>,
) -> PyResult<Actions<'py>> {
    let legal: PyReadonlyArray2<'py, bool> = legal.0.extract()?;
    let draws: PyReadonlyArray1<'py, f64> = draws.0.extract()?;
    let (legal, draws) = (legal.as_array(), draws.as_array());
    if draws.len() != legal.nrows() {
        return Err(refused(format!(
            "draws: there are {}: expected {}, one for each row",
            draws.len(),
            legal.nrows()
        )));
    }
    let nth = |(number, (row, &draw)): (usize, (ndarray::ArrayView1<'_, bool>, &f64))| {
        let count = match row.as_slice() {
            // Rows that lie in one piece are counted many flags at a time.
            Some(row) => row.iter().map(|&flag| u16::from(flag)).sum::<u16>(),
            None => row.iter().map(|&flag| u16::from(flag)).sum(),
        };
        if count == 0 {
            return Err(refused(format!("legal: row {number} has no legal action")));
        }
        // What rounds up to all of them is the last one.
        let place = ((draw * f64::from(count)) as u16).min(count - 1);
        let mut left = place;
        for (action, &flag) in row.iter().enumerate() {
            if flag {
                if left == 0 {
                    return Ok(action as u16);
                }
                left -= 1;
            }
        }
        Err(refused(format!("legal: row {number} has too many actions")))
    };
    let rows = legal.outer_iter().zip(draws.iter()).enumerate().map(nth);
    let picks = rows.collect::<PyResult<Vec<u16>>>()?;
    Ok(PyArray1::from_vec(py, picks).into())
}
