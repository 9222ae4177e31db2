//! The first difference of two lines of a trace or an event log.

use serde_json::Value;

use crate::base::list::sort_few;

/// How lines are compared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Comparing {
    /// Values must be equal as they are written.
    Exactly,
    /// For lines that other programs wrote: fractions to six digits, cards in any order and letter case.
    Loosely,
}

/// Returns the first difference of two lines: its path, the expected value, the value found.
pub fn difference(expected: &Value, found: &Value, how: Comparing) -> Option<(String, String, String)> {
    let missing = || "missing".to_owned();
    match (expected, found) {
        (Value::Object(want), Value::Object(have)) => {
            // Compare the kind of line first: differences that follow from a wrong kind would only confuse.
            let keys = ["line"].into_iter().chain(want.keys().chain(have.keys()).map(String::as_str));
            keys.into_iter().find_map(|key| match (want.get(key), have.get(key)) {
                (Some(want), Some(have)) => {
                    difference(want, have, how).map(|(at, w, h)| (join(key, &at), w, h))
                }
                (Some(want), None) => Some((key.to_owned(), want.to_string(), missing())),
                (None, Some(have)) => Some((key.to_owned(), missing(), have.to_string())),
                (None, None) => None,
            })
        }
        (Value::Array(want), Value::Array(have)) => {
            (0..want.len().max(have.len())).find_map(|i| match (want.get(i), have.get(i)) {
                (Some(want), Some(have)) => {
                    let differs = difference(want, have, how);
                    differs.map(|(at, w, h)| (join(&format!("[{i}]"), &at), w, h))
                }
                (want, have) => {
                    let text = |v: Option<&Value>| v.map_or_else(missing, Value::to_string);
                    Some((format!("[{i}]"), text(want), text(have)))
                }
            })
        }
        (want, have) if is_equal(want, have) || how == Comparing::Loosely && are_alike(want, have) => None,
        (want, have) => Some((String::new(), want.to_string(), have.to_string())),
    }
}

/// Whether two scalar values are equal. 1 and 1.0 are equal, because JavaScript writes both as 1.
fn is_equal(want: &Value, have: &Value) -> bool {
    match (want, have) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() != other.is_f64() => {
            one.as_f64() == other.as_f64()
        }
        _ => want == have,
    }
}

/// Whether two numbers are equal except for rounding, or two texts have the same words in any order and letter
/// case.
fn are_alike(want: &Value, have: &Value) -> bool {
    match (want, have) {
        (Value::String(want), Value::String(have)) => {
            let sorted = |text: &str| {
                let mut words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
                sort_few(&mut words, |a, b| a < b);
                words
            };
            // Count first, so that long texts from outside are not sorted.
            let count = |text: &str| text.split_whitespace().count();
            count(want) == count(have) && sorted(want) == sorted(have)
        }
        _ => match (want.as_f64(), have.as_f64()) {
            (Some(want), Some(have)) => (want - have).abs() <= 1e-6 * want.abs().max(1.0),
            _ => false,
        },
    }
}

fn join(outer: &str, inner: &str) -> String {
    match inner {
        "" => outer.to_owned(),
        inner if inner.starts_with('[') => format!("{outer}{inner}"),
        inner => format!("{outer}.{inner}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named_by_its_path() {
        let found = |a: Value, b: Value| difference(&a, &b, Comparing::Exactly);
        let three = |a: &str, b: &str, c: &str| Some((a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(found(json!({"a": [1, 2]}), json!({"a": [1, 2]})), None);
        assert_eq!(found(json!({"a": [1, 2]}), json!({"a": [1, 3]})), three("a[1]", "2", "3"));
        assert_eq!(found(json!({"a": [{"b": 1}]}), json!({"a": [{}]})), three("a[0].b", "1", "missing"));
        assert_eq!(found(json!({"a": 1}), json!({"a": 1, "z": null})), three("z", "missing", "null"));
        assert_eq!(
            found(json!({"a": 1, "line": "x"}), json!({"a": 2, "line": "y"})),
            three("line", "\"x\"", "\"y\"")
        );
        assert_eq!(found(json!([1, 1.0]), json!([1.0, 1])), None);
        assert_eq!(found(json!([1]), json!([1.5])), three("[0]", "1", "1.5"));
        assert_eq!(found(json!([1]), json!([1, 2])), three("[1]", "missing", "2"));
    }

    #[test]
    fn what_others_wrote_is_compared_loosely() {
        let ours = json!({"cards": "3 4 J", "reward": [0.133_333_34, 1]});
        let loosely = |theirs: Value| difference(&ours, &theirs, Comparing::Loosely);
        let theirs = json!({"cards": " j 3  4", "reward": [0.133_333, 1.0]});
        assert_eq!(loosely(theirs.clone()), None);
        assert!(difference(&ours, &theirs, Comparing::Exactly).is_some());
        assert!(loosely(json!({"cards": "3 4 J", "reward": [0.1334, 1]})).is_some());
        assert!(loosely(json!({"cards": "3 3 4 J", "reward": [0.133_333_34, 1]})).is_some());
        let long = "J 4 3 ".repeat(200_000);
        assert!(loosely(json!({"cards": long, "reward": [0.133_333_34, 1]})).is_some());
    }
}
