//! Swept fields and their values.

use cardsharp_env::rng::Draw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// Significant digits of a drawn or suggested number: as many as a person would type. They hide differences in the last
/// bit of a logarithm.
const DIGITS: usize = 4;

/// A swept field of the configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Its path from the root, as `--set` takes it.
    pub field: String,
    /// The values that it takes.
    pub values: FieldValues,
}

/// The values of a field: a list of values, or a range of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FieldValues {
    /// A list of at least one value, all of them different.
    List(Vec<Value>),
    /// A range of numbers.
    Range(Range),
}

/// Numbers from `min` to `max`, both included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The smallest number, which is valid itself.
    pub min: f64,
    /// The largest number, at least `min`.
    pub max: f64,
    /// Whether the scale is logarithmic, as for learning rates: equal ratios count the same, instead of equal
    /// differences. Then `min` must be above 0.
    #[serde(default)]
    pub log: bool,
    /// Whether the range contains only whole numbers. Then `min` and `max` must be whole numbers.
    #[serde(default)]
    pub int: bool,
    /// Number of values in a grid, 2 to 1000, at equal distances on the scale, including both ends. Required with
    /// `method = "grid"`, not allowed with other methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
}

impl Range {
    /// Returns the value at `place` in the range; `place` is 0 to 1.
    pub(super) fn at(&self, place: f64) -> Value {
        let Self { min, max, .. } = *self;
        if self.int {
            // Every whole number gets an equal share of the places, or with `log` a share in proportion to its width on
            // the log scale.
            let (low, high) = (min - 0.5, max + 0.5);
            let number = self.between(low, high, place).round().clamp(min, max);
            return Value::from(number as i64);
        }
        let number = self.between(min, max, place);
        let short = format!("{number:.*e}", DIGITS - 1).parse().unwrap_or(number).clamp(min, max);
        Number::from_f64(short).map_or(Value::Null, Value::Number)
    }

    fn between(&self, low: f64, high: f64, place: f64) -> f64 {
        match self.log {
            true => libm::exp(libm::log(low) + place * (libm::log(high) - libm::log(low))),
            false => low + place * (high - low),
        }
    }

    /// Returns the place of a value in the range, 0 to 1.
    pub(super) fn place(&self, value: &Value) -> f64 {
        let number = value.as_f64().unwrap_or(self.min);
        let (low, high) = if self.int { (self.min - 0.5, self.max + 0.5) } else { (self.min, self.max) };
        let place = match self.log {
            true => (libm::log(number) - libm::log(low)) / (libm::log(high) - libm::log(low)),
            false => (number - low) / (high - low),
        };
        place.clamp(0.0, 1.0)
    }
}

impl FieldValues {
    /// Returns the values of a grid.
    pub(super) fn grid(&self) -> Vec<Value> {
        match self {
            Self::List(list) => list.clone(),
            Self::Range(range) => {
                let steps = range.steps.unwrap_or(2).max(2);
                let ends = Range { steps: None, ..range.clone() };
                let place = |step: usize| step as f64 / (steps - 1) as f64;
                let at = |step| match range.int {
                    // The ends of a grid are the ends of the range itself, without the half that `Range::at` adds.
                    true => Value::from(ends.between(range.min, range.max, place(step)).round() as i64),
                    false => ends.at(place(step)),
                };
                let mut values: Vec<Value> = (0..steps).map(at).collect();
                values.dedup();
                values
            }
        }
    }

    /// Draws one of the values.
    pub(super) fn draw(&self, draw: &mut Draw) -> Value {
        match self {
            Self::List(list) => list[draw.below(list.len() as u32) as usize].clone(),
            Self::Range(range) => range.at((draw.bits() >> 11) as f64 / (1_u64 << 53) as f64),
        }
    }
}

/// Formats a value as `--set` takes it.
pub(super) fn toml_of(value: &Value) -> String {
    // A value that was read from TOML can be written as TOML.
    toml::Value::try_from(value).map_or_else(|_| value.to_string(), |value| value.to_string())
}
