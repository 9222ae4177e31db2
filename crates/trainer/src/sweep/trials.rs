//! Settings of a grid, and drawn settings.

use cardsharp_env::rng::{Draw, derive};
use serde_json::Value;

use super::field::Field;

/// Names the random streams of drawn and suggested settings.
const DRAWN: u64 = 0x7377_6472;
/// Maximum number of tries to draw a new setting.
const TRIES: u64 = 100;

/// Returns every combination of values. The first field changes slowest.
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

/// Returns setting `number`, from `draw` with its own random stream for each field. Draws again if the setting is in
/// `before`, because fields with few values would repeat it.
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

/// Draws setting `number` uniformly from all combinations.
pub(super) fn random(fields: &[Field], seed: u64, number: u64, before: &[Vec<Value>]) -> Vec<Value> {
    unlike(seed, number, before, |stream| {
        let value = |(at, field): (usize, &Field)| field.values.draw(&mut Draw::new(stream(at as u64), 0));
        fields.iter().enumerate().map(value).collect()
    })
}
