//! Seeds: integers from 0 to 2⁵³ − 1.
//!
//! JSON that passes through JavaScript, or through any program that reads numbers as 64-bit floats, keeps integers
//! exactly up to 2⁵³ − 1. A rounded seed deals other cards, so larger seeds are never drawn and always rejected.
//!
//! Contests that were measured when seeds had 64 bits are the exception: the arena can replay them, and JSON writes their
//! seeds as text ([`recorded`]).

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

use super::rng::{Draw, derive};

/// The largest seed, 2⁵³ − 1: `Number.MAX_SAFE_INTEGER` in JavaScript.
pub const MAX: u64 = (1 << 53) - 1;

/// What a seed is, for messages.
pub const EXPECTED: &str = "an integer from 0 to 9007199254740991 (2^53 - 1)";

/// A number that is too large for a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a seed: expected {EXPECTED}")]
pub struct SeedError(pub u64);

/// Rejects a seed that is too large.
///
/// # Errors
/// It is larger than [`MAX`].
pub fn check(seed: u64) -> Result<u64, SeedError> {
    if seed <= MAX { Ok(seed) } else { Err(SeedError(seed)) }
}

/// Makes a seed from 64 random bits: the upper 53.
pub const fn of_bits(bits: u64) -> u64 {
    bits >> 11
}

/// Derives a separate seed for each path of numbers under `seed`, as [`derive()`] does. This one may be written
/// down: it is for a session, a contest or a bot.
pub fn derived(seed: u64, path: &[u64]) -> u64 {
    of_bits(derive(seed, path))
}

/// Draws a random seed.
pub fn drawn(draw: &mut Draw) -> u64 {
    of_bits(draw.bits())
}

/// Reads a seed, for `#[serde(deserialize_with = "seed::read")]`.
///
/// # Errors
/// It is not an integer from 0 to [`MAX`].
pub fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    deserializer.deserialize_u64(Reader { recorded: false })
}

/// Reads a seed from JSON, and larger ones of recorded contests from text.
struct Reader {
    recorded: bool,
}

impl Visitor<'_> for Reader {
    type Value = u64;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let larger = if self.recorded { ", or a larger one of 64 bits as text" } else { "" };
        write!(to, "a seed, {EXPECTED}{larger}")
    }

    fn visit_u64<E: Error>(self, seed: u64) -> Result<u64, E> {
        check(seed).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, seed: i64) -> Result<u64, E> {
        u64::try_from(seed).map_err(|_| E::invalid_value(Unexpected::Signed(seed), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
        let seed = if self.recorded { text.parse().ok() } else { None };
        seed.ok_or_else(|| E::invalid_type(Unexpected::Str(text), &self))
    }
}

/// The seed of a recorded contest, for `#[serde(with = "seed::recorded")]`: a number up to [`MAX`], text above it.
pub mod recorded {
    use schemars::{Schema, SchemaGenerator, json_schema};
    use serde::{Deserializer, Serializer};

    use super::{MAX, Reader};

    /// Returns the JSON schema of such a seed, for `#[schemars(schema_with = "seed::recorded::schema")]`.
    pub fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "integer", "minimum": 0, "maximum": MAX },
                { "type": "string", "pattern": "^[0-9]{16,20}$" },
            ],
        })
    }

    /// Writes a seed.
    ///
    /// # Errors
    /// The serializer refuses.
    pub fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        if *seed <= MAX {
            serializer.serialize_u64(*seed)
        } else {
            serializer.serialize_str(&seed.to_string())
        }
    }

    /// Reads a seed.
    ///
    /// # Errors
    /// It is neither an integer from 0 to [`MAX`] nor the text of an integer from 0 to 2⁶⁴ − 1.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(Reader { recorded: true })
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::{from_str, to_string};

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Given {
        #[serde(deserialize_with = "read")]
        seed: u64,
    }

    fn given(text: &str) -> Result<u64, String> {
        let read: Result<Given, _> = from_str(&format!(r#"{{"seed":{text}}}"#));
        read.map(|given| given.seed).map_err(|error| error.to_string())
    }

    #[test]
    fn the_largest_seed_is_exact_as_a_float_and_the_next_but_one_integer_is_not() {
        assert_eq!(MAX as f64 as u64, MAX);
        assert_eq!((MAX + 2) as f64 as u64, MAX + 1);
        assert!(EXPECTED.contains(&to_string(&MAX).expect("a number")));
    }

    #[test]
    fn seeds_up_to_the_largest_are_read_and_all_else_is_rejected() {
        assert_eq!(given("0"), Ok(0));
        assert_eq!(given("9007199254740991"), Ok(MAX));
        let refused = given("9007199254740992").expect_err("too large");
        assert!(
            refused.starts_with(&format!("9007199254740992 is not a seed: expected {EXPECTED}")),
            "{refused}"
        );
        for text in ["-1", "1.5", "18446744073709551616", "null", "\"7\"", "true"] {
            let refused = given(text).expect_err(text);
            assert!(refused.contains(EXPECTED), "{text}: {refused}");
        }
    }

    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    struct Recorded {
        #[serde(with = "recorded")]
        seed: u64,
    }

    #[test]
    fn recorded_seeds_are_numbers_that_floats_hold_and_text_above() {
        for (seed, text) in [
            (0, r#"{"seed":0}"#),
            (MAX, r#"{"seed":9007199254740991}"#),
            (MAX + 1, r#"{"seed":"9007199254740992"}"#),
            (u64::MAX, r#"{"seed":"18446744073709551615"}"#),
        ] {
            assert_eq!(to_string(&Recorded { seed }).expect("JSON"), text);
            assert_eq!(from_str::<Recorded>(text).expect(text), Recorded { seed });
        }
        for text in [r#"{"seed":9007199254740992}"#, r#"{"seed":-1}"#, r#"{"seed":"x"}"#, r#"{"seed":1.5}"#] {
            let refused = from_str::<Recorded>(text).expect_err(text).to_string();
            assert!(refused.contains(EXPECTED), "{text}: {refused}");
        }
    }

    #[test]
    fn every_seed_that_is_drawn_or_derived_may_be_written_down() {
        let mut draw = Draw::new(3, 0);
        assert!((0..1000).all(|_| drawn(&mut draw) <= MAX));
        let derived: Vec<u64> = (0..1000).map(|number| derived(u64::MAX, &[number])).collect();
        assert!(derived.iter().all(|&seed| seed <= MAX));
        assert!(derived.iter().any(|&seed| seed > MAX / 2));
        assert_eq!(of_bits(u64::MAX), MAX);
    }
}
