//! Picks actions from masks and logits.

use cardsharp_env::mask;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::input::{Anything, refused};
use crate::numbers::write_words;
use crate::output::Actions;

/// Reads one draw (0 to 1) and one mask per row, and writes one action per row.
fn each_row<'py>(
    py: Python<'py>,
    masks: &PyReadonlyArray2<'py, u8>,
    draws: &PyReadonlyArray1<'py, f64>,
    mut pick: impl FnMut(usize, &[u64], f64) -> PyResult<u16>,
) -> PyResult<Actions<'py>> {
    let (masks, draws) = (masks.as_array(), draws.as_array());
    if draws.len() != masks.nrows() {
        let (given, rows) = (draws.len(), masks.nrows());
        return Err(refused(format!("draws: there are {given}: expected {rows}, one for each row")));
    }
    let mut words = vec![0; masks.ncols().div_ceil(64)];
    let mut picks = Vec::with_capacity(masks.nrows());
    for (row, (flags, &draw)) in masks.outer_iter().zip(draws).enumerate() {
        match flags.as_slice() {
            Some(flags) => write_words(flags, &mut words),
            None => write_words(&flags.to_vec(), &mut words),
        }
        picks.push(pick(row, &words, draw)?);
    }
    Ok(PyArray1::from_vec(py, picks).into())
}

fn nothing_legal(row: usize) -> PyErr {
    refused(format!("action_mask: row {row} has no legal action"))
}

/// Picks for `cardsharp_rl.uniform`: of row i's k legal actions the one at place `draws[i]` (0 to 1) times k.
#[pyfunction]
pub(crate) fn pick_legal<'py>(
    py: Python<'py>,
    action_mask: Anything<'py>,
    draws: Anything<'py>,
) -> PyResult<Actions<'py>> {
    let (masks, draws) = (action_mask.0.extract()?, draws.0.extract()?);
    each_row(py, &masks, &draws, |row, words, draw| {
        let found = mask::count(words);
        // A product that rounds up to all of them means the last one.
        let number = ((draw * f64::from(found)) as u32).min(found.saturating_sub(1));
        mask::nth(words, number).map(|action| action.0).ok_or_else(|| nothing_legal(row))
    })
}

/// Picks for `cardsharp_rl.sample_logits`: an action of row i by the softmax of its legal logits over `temperature`.
/// `draws[i]` (0 to 1) chooses it. At temperature 0 it is the action with the largest logit.
#[pyfunction]
pub(crate) fn pick_logits<'py>(
    py: Python<'py>,
    logits: Anything<'py>,
    action_mask: Anything<'py>,
    draws: Anything<'py>,
    temperature: f64,
) -> PyResult<Actions<'py>> {
    let (masks, draws) = (action_mask.0.extract::<PyReadonlyArray2<'py, u8>>()?, draws.0.extract()?);
    let logits: PyReadonlyArray2<'py, f32> = logits.0.extract()?;
    let logits = logits.as_array();
    if logits.dim() != masks.as_array().dim() {
        let (given, expected) = (logits.shape(), masks.as_array().dim());
        return Err(refused(format!(
            "logits: the shape is {given:?}: expected {expected:?}, as of the mask"
        )));
    }
    let mut weights: Vec<(u16, f32)> = Vec::new();
    each_row(py, &masks, &draws, |row, words, draw| {
        let all = logits.row(row);
        weights.clear();
        weights.extend(mask::actions(words).map(|action| (action.0, all[usize::from(action.0)])));
        let mut best = *weights.first().ok_or_else(|| nothing_legal(row))?;
        for &(action, logit) in &weights {
            if logit > best.1 || best.1.is_nan() {
                best = (action, logit);
            }
        }
        if !best.1.is_finite() || weights.iter().any(|(_, logit)| logit.is_nan()) {
            return Err(refused(format!("logits: row {row} has no finite largest logit of a legal action")));
        }
        if temperature <= 0.0 {
            return Ok(best.0);
        }
        let scale = (1.0 / temperature) as f32;
        let mut total = 0.0;
        for (_, weight) in &mut weights {
            *weight = libm::expf((*weight - best.1) * scale);
            total += f64::from(*weight);
        }
        let mut left = draw * total;
        for &(action, weight) in &weights {
            left -= f64::from(weight);
            if left < 0.0 {
                return Ok(action);
            }
        }
        // Rounding may leave a rest after the last action.
        Ok(best.0)
    })
}
