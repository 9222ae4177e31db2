//! JSON schemas: what a part of a file contains, and what its fields mean.

use std::borrow::Cow;

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::hands::Positions;
use super::list::List;

/// The dialect of all schemas.
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the schema of `T` as a document. `contract` selects the written form, where nothing is left out, or what
/// can be read.
pub fn document<T: JsonSchema>(title: &str, contract: Contract) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.contract = contract;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), json!(title));
    let mut schema = schema.to_value();
    plain(&mut schema);
    schema
}

/// Removes Rust-specific details from a schema: links in docs, and the extra digits of `f32` numbers that were read
/// as `f64`.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(plain),
        Value::Array(list) => list.iter_mut().for_each(plain),
        Value::String(text) => *text = text.replace("[`", "`").replace("`]", "`"),
        Value::Number(number) => {
            if let Some(wide) =
                number.as_f64().filter(|wide| number.is_f64() && f64::from(*wide as f32) == *wide)
                && let Ok(short) = (wide as f32).to_string().parse::<f64>()
            {
                *schema = json!(short);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Returns a pattern for a text of any number of these words, separated by single spaces.
pub fn words_pattern<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let special = |c: char| "\\^$.|?*+()[]{}/".contains(c);
    let escaped = |word: &str| -> String {
        word.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
    };
    let any = words.into_iter().map(escaped).collect::<Vec<_>>().join("|");
    format!("^(({any})( ({any}))*)?$")
}

/// Returns the schema of cards in card notation: any number of these names.
pub fn cards<'w>(names: impl IntoIterator<Item = &'w str>) -> Schema {
    json_schema!({
        "description": "Cards in card notation, with a space between two of them.",
        "type": "string", "pattern": words_pattern(names),
    })
}

/// Returns the schema of one of several words, each with its meaning.
pub fn choice(meaning: &str, words: impl IntoIterator<Item = (Value, &'static str)>) -> Schema {
    let one =
        |(word, meaning): (Value, &'static str)| json!({ "const": word, "description": meaning.trim() });
    let all: Vec<Value> = words.into_iter().map(one).collect();
    json_schema!({ "description": meaning.trim(), "oneOf": all })
}

impl JsonSchema for Positions {
    fn schema_name() -> Cow<'static, str> {
        "Positions".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 15 }, "uniqueItems": true,
        })
    }
}

impl<T: JsonSchema, const N: usize> JsonSchema for List<T, N> {
    fn schema_name() -> Cow<'static, str> {
        format!("List_of_{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": generator.subschema_for::<T>(), "maxItems": N })
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use schemars::generate::Contract;
    use serde_json::json;

    use super::{document, words_pattern};

    /// A step, as of [`document`].
    #[derive(Default, serde::Serialize, serde::Deserialize, JsonSchema)]
    #[serde(default)]
    struct Step {
        /// How far.
        rate: f32,
    }

    #[test]
    fn documents_speak_no_language_of_programs() {
        let schema = document::<Step>("A step", Contract::Deserialize);
        assert_eq!(
            (&schema["title"], &schema["description"]),
            (&json!("A step"), &json!("A step, as of `document`."))
        );
        assert_eq!(schema["properties"]["rate"]["description"], json!("How far."));
        let mut tenth = json!([f64::from(0.1f32), 0.1, 3]);
        super::plain(&mut tenth);
        assert_eq!(tenth, json!([0.1, 0.1, 3]));
    }

    #[test]
    fn patterns_know_words_from_patterns() {
        assert_eq!(words_pattern(["R+2", "*"]), r"^((R\+2|\*)( (R\+2|\*))*)?$");
    }
}
