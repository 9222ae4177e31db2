//! Picking from masks.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::input::{Anything, refused};
use crate::output::Actions;

/// Flags that are passed over together.
const PIECE: usize = 64;

/// How many flags are set. Bytes are added in pieces, whose sums fit into one, so that many are added at a time.
fn count(flags: &[bool]) -> u32 {
    flags.chunks(PIECE).map(|piece| u32::from(piece.iter().map(|&flag| u8::from(flag)).sum::<u8>())).sum()
}

/// What `cardsharp_rl.uniform` calls: of row i's legal actions the one that lies `draws[i]` (0 to 1) of the way.
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
        let own;
        let flags = match row.as_slice() {
            Some(flags) => flags,
            None => {
                own = row.to_vec();
                own.as_slice()
            }
        };
        let found = count(flags);
        if found == 0 {
            return Err(refused(format!("action_mask: row {number} has no legal action")));
        }
        // What rounds up to all of them is the last one.
        let mut left = ((draw * f64::from(found)) as u32).min(found - 1);
        for (piece, flags) in flags.chunks(PIECE).enumerate() {
            let here = count(flags);
            if left < here {
                let mut legal = flags.iter().enumerate().filter(|(_, flag)| **flag);
                let place = legal.nth(left as usize).map_or(0, |(place, _)| place);
                return Ok((piece * PIECE + place) as u16);
            }
            left -= here;
        }
        Err(refused(format!("action_mask: row {number} has no legal action")))
    };
    let rows = legal.outer_iter().zip(draws.iter()).enumerate().map(nth);
    let picks = rows.collect::<PyResult<Vec<u16>>>()?;
    Ok(PyArray1::from_vec(py, picks).into())
}
