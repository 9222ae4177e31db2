//! The settings of a grid, and those that are drawn.

use cardsharp_env::rng::{Draw, derive};
use serde_json::Value;

use super::field::Field;

/// Names the streams that settings are drawn from.
const DRAWN: u64 = 0x7377_6472;
/// How often a setting that was drawn before is drawn anew.
const TRIES: u64 = 100;

/// Every combination; the first field changes last.
pub(super) fn grid(fields: &[Field]) -> Vec<Vec<Value>> {
    fields.iter().fold(vec![Vec::new()], |settings, field| {
        let values = field.values.grid();
        let with = |setting: &Vec<Value>| {
            values
                .iter()
                .map(|value| [&setting[..], std::slice::from_ref(value)].concat())
                .collect::<Vec<_>>()
        };
        settings.iter().flat_map(with).collect()
    })
}

/// The setting of this number, drawn by `draw` from streams of its own, and again if it was there before: a field with few
/// values would repeat itself.
pub(super) fn unlike(
    seed: u64,
    number: u64,
    before: &[Vec<Value>],
    mut draw: impl FnMut(&dyn Fn(u64) -> u64) -> Vec<Value>,
) -> Vec<Value> {
    let mut setting = Vec::new();
    for attempt in 0..TRIES {
        setting = draw(&|field| derive(seed, &[DRAWN, number, attempt, field]));
        if !before.contains(&setting) {
            break;
        }
    }
    setting
}

/// The setting of this number, drawn alike from everything that there is.
pub(super) fn random(fields: &[Field], seed: u64, number: u64, before: &[Vec<Value>]) -> Vec<Value> {
    unlike(seed, number, before, |stream| {
        let value = |(at, field): (usize, &Field)| field.values.draw(&mut Draw::new(stream(at as u64), 0));
        fields.iter().enumerate().map(value).collect()
    })
}
