//! Values that may change over a run: learning rates, weights in a loss, probabilities of random moves.
//!
//! ```toml
//! ppo.learning_rate = 0.001                                                     # constant
//! ppo.learning_rate = { from = 1e-3, to = 1e-5 }                                # a straight line
//! ppo.learning_rate = { from = 1e-3, to = 1e-5, shape = "cosine", warmup = 0.05 }
//! ```

use std::borrow::Cow;
use std::f32::consts::PI;
use std::fmt;

use cardsharp_document::{FieldError, expect};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The share of `from` at the start of a warm-up. With a rate of 0 an iteration would learn nothing.
const WARMUP_START: f32 = 0.1;

/// How a schedule moves between its two values.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScheduleShape {
    /// In a straight line.
    #[default]
    Linear,
    /// Along half a cosine: slowly at both ends, fastest in the middle.
    Cosine,
}

/// A value that may change from the first to the last iteration of a run. In a configuration a plain number is a
/// constant.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Schedule {
    /// The value in the first iteration, or after the warm-up.
    pub from: f32,
    /// The value in the last iteration.
    pub to: f32,
    /// How it moves between the two.
    #[serde(skip_serializing_if = "is_linear")]
    pub shape: ScheduleShape,
    /// The share of the run in which the value first rises to `from`.
    #[serde(skip_serializing_if = "is_zero")]
    pub warmup: f32,
}

/// A schedule that is written as a table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScheduleTable {
    /// The value in the first iteration, or after the warm-up.
    from: f32,
    /// The value in the last iteration.
    to: f32,
    /// How it moves between the two: in a straight line, or along half a cosine.
    #[serde(default)]
    shape: ScheduleShape,
    /// The share of the run in which the value first rises, in a straight line, from a tenth of `from` to `from`; 0 to
    /// below 1.
    #[serde(default)]
    warmup: f32,
}

/// `skip_serializing_if` passes a reference.
fn is_linear(shape: &ScheduleShape) -> bool {
    *shape == ScheduleShape::Linear
}

fn is_zero(share: &f32) -> bool {
    *share == 0.0
}

impl Schedule {
    /// The fields of a schedule that is written as a table. The first two have no default.
    pub(crate) const FIELDS: [&str; 4] = ["from", "to", "shape", "warmup"];

    /// The same value throughout the run.
    pub const fn constant(value: f32) -> Self {
        Self::linear(value, value)
    }

    /// A straight line from the first to the last iteration.
    pub const fn linear(from: f32, to: f32) -> Self {
        Self { from, to, shape: ScheduleShape::Linear, warmup: 0.0 }
    }

    /// The value at `progress`, 0 in the first and 1 in the last iteration.
    pub fn at(self, progress: f32) -> f32 {
        let Self { from, to, shape, warmup } = self;
        if progress < warmup {
            return from * (WARMUP_START + (1.0 - WARMUP_START) * progress / warmup);
        }
        let way = (progress - warmup) / (1.0 - warmup);
        let share = match shape {
            ScheduleShape::Linear => way,
            ScheduleShape::Cosine => 0.5 * (1.0 - libm::cosf(PI * way)),
        };
        from + (to - from) * share
    }

    /// Refuses values that are not `right`, and a warm-up out of range.
    ///
    /// # Errors
    /// Names the value, as a path from the section of `field`.
    pub(crate) fn check(
        self,
        field: &str,
        right: impl Fn(f32) -> bool,
        expected: &'static str,
    ) -> Result<(), FieldError> {
        let Self { from, to, warmup, .. } = self;
        if self == Self::constant(from) {
            return expect(right(from), field, from, expected);
        }
        expect(right(from), &format!("{field}.from"), from, expected)?;
        expect(right(to), &format!("{field}.to"), to, expected)?;
        let share = (0.0..1.0).contains(&warmup);
        let expected = "expected a share of the run, from 0 to below 1";
        expect(share, &format!("{field}.warmup"), warmup, expected)
    }
}

impl From<ScheduleTable> for Schedule {
    fn from(ScheduleTable { from, to, shape, warmup }: ScheduleTable) -> Self {
        Self { from, to, shape, warmup }
    }
}

impl<'de> Deserialize<'de> for Schedule {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Written)
    }
}

/// Reads a schedule, which is a number or a table.
struct Written;

impl<'de> Visitor<'de> for Written {
    type Value = Schedule;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a number, or a table like { from = 0.001, to = 0.00001 }")
    }

    fn visit_f64<E>(self, value: f64) -> Result<Schedule, E> {
        Ok(Schedule::constant(value as f32))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Schedule, E> {
        Ok(Schedule::constant(value as f32))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Schedule, E> {
        Ok(Schedule::constant(value as f32))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Schedule, A::Error> {
        ScheduleTable::deserialize(MapAccessDeserializer::new(map)).map(Schedule::from)
    }
}

impl JsonSchema for Schedule {
    fn schema_name() -> Cow<'static, str> {
        "Schedule".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A value that may change over a run: a number is a constant.",
            "anyOf": [{ "type": "number", "format": "float" }, generator.subschema_for::<ScheduleTable>()],
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: serde_json::Value) -> Schedule {
        serde_json::from_value(value).expect("a schedule")
    }

    #[test]
    fn numbers_are_constants_and_tables_lines_or_cosines() {
        for number in [json!(0.25), json!(1), json!(0)] {
            let value = number.as_f64().expect("a number") as f32;
            let schedule = read(number);
            assert_eq!(schedule, Schedule::constant(value));
            assert_eq!([0.0, 0.3, 1.0].map(|progress| schedule.at(progress)), [value; 3]);
        }
        let line = read(json!({ "from": 1.0, "to": 0.0 }));
        assert_eq!(line, Schedule::linear(1.0, 0.0));
        assert_eq!([0.0, 0.25, 1.0].map(|progress| line.at(progress)), [1.0, 0.75, 0.0]);
        let cosine = read(json!({ "from": 1.0, "to": 0.0, "shape": "cosine" }));
        // (1 + cos(π/4)) / 2 after a quarter of the run.
        let expected = [1.0, 0.853_553_4, 0.5, 0.0];
        for (progress, expected) in [0.0, 0.25, 0.5, 1.0].into_iter().zip(expected) {
            assert!((cosine.at(progress) - expected).abs() < 1e-6, "{progress}: {}", cosine.at(progress));
        }
    }

    #[test]
    fn a_warm_up_rises_from_a_tenth_to_the_first_value_and_the_rest_of_the_run_is_the_shape() {
        let schedule = read(json!({ "from": 1.0, "to": 0.0, "warmup": 0.2 }));
        for (progress, expected) in [(0.0, 0.1), (0.1, 0.55), (0.2, 1.0), (0.6, 0.5), (1.0, 0.0)] {
            assert!((schedule.at(progress) - expected).abs() < 1e-6, "{progress}: {}", schedule.at(progress));
        }
    }

    #[test]
    fn schedules_are_written_as_they_are_read() {
        for written in [
            json!({ "from": 0.5, "to": 0.25 }),
            json!({ "from": 0.5, "to": 0.25, "shape": "cosine" }),
            json!({ "from": 0.5, "to": 0.25, "warmup": 0.125 }),
        ] {
            assert_eq!(json!(read(written.clone())), written);
        }
        assert_eq!(json!(read(json!(0.5))), json!({ "from": 0.5, "to": 0.5 }));
    }
}
