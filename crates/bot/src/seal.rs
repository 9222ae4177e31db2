//! Hashes that reveal changes: the last line of the configuration of a run or sweep, and a field of a JSON object.

use serde_json::Value;

/// The start of the hash line; the hash follows.
const LINE: &str = "# A run does not go on if the lines above were changed: BLAKE3 ";

/// Returns `text` with the hash line appended.
pub fn sealed(text: &str) -> String {
    format!("{text}{LINE}{}\n", blake3::hash(text.as_bytes()))
}

/// Describes how a sealed text was changed. Returns `None` if it was not.
pub fn broken(text: &str) -> Option<String> {
    let Some((above, hash)) = text.rsplit_once(LINE) else {
        return Some(
            "its last line, the hash of the others, is missing, as in a file that was cut short".to_owned(),
        );
    };
    let (given, expected) = (blake3::hash(above.as_bytes()).to_string(), hash.trim_end_matches(['\r', '\n']));
    (given != expected)
        .then(|| format!("the hash of its lines is {given}, and its last line says {expected}"))
}

/// The field of a JSON object that holds the hash of the other fields.
pub const JSON_FIELD: &str = "blake3";

/// Returns the hash of a JSON object without [`JSON_FIELD`], written on one line with its fields in alphabetical order.
pub fn json_sum(object: &Value) -> String {
    let mut object = object.clone();
    object.as_object_mut().and_then(|fields| fields.remove(JSON_FIELD));
    blake3::hash(object.to_string().as_bytes()).to_string()
}

/// Describes how the fields of a JSON object differ from its hash. Returns `None` if they do not.
pub fn json_broken(object: &Value) -> Option<String> {
    let Some(expected) = object[JSON_FIELD].as_str() else {
        return Some(format!("the field `{JSON_FIELD}`, the hash of the others, is missing"));
    };
    let found = json_sum(object);
    (found != expected).then(|| {
        format!("it was changed after it was written: the hash of its fields is {found}, and `{JSON_FIELD}` is {expected}")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_change_of_a_sealed_text_shows() {
        let text = sealed("seed = 1\niterations = 30\n");
        assert_eq!(broken(&text), None);
        for length in 0..text.trim_end().len() {
            assert!(broken(&text[..length]).is_some(), "cut after {length} bytes");
        }
        for at in 0..text.trim_end().len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            assert!(broken(&String::from_utf8(bytes).unwrap()).is_some(), "byte {at}");
        }
        for more in ["seed = 2\n", "#"] {
            assert!(broken(&(text.clone() + more)).is_some(), "{more}");
        }
    }

    #[test]
    fn every_change_of_a_sealed_object_shows() {
        let mut object = json!({ "mean": -0.925, "seeds": [1, 2], "again": null });
        assert!(json_broken(&object).is_some_and(|problem| problem.contains("is missing")));
        object[JSON_FIELD] = json_sum(&object).into();
        assert_eq!(json_broken(&object), None);
        // The layout of the text does not matter.
        let read: Value = serde_json::from_str(&format!("{object:#}")).unwrap();
        assert_eq!(json_broken(&read), None);
        for (field, value) in [("mean", json!(0.99)), ("seeds", json!([1])), ("more", json!(1))] {
            let mut changed = object.clone();
            changed[field] = value;
            assert!(json_broken(&changed).is_some_and(|problem| problem.contains("was changed")), "{field}");
        }
    }
}
