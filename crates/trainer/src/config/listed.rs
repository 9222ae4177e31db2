//! Reference of all fields of a configuration. Names and defaults come from the types, meanings from the doc comments
//! of the fields, and ranges from the error texts of the checks.

use serde::Serialize;
use serde_json::{Value, json};

use super::Config;
use super::reader::{entry, is_schedule};

/// A field of the configuration, as `describe config` lists it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedField {
    /// Its path from the root, `N` in the place of the number of a table in a list.
    pub field: String,
    /// What kind of value it has.
    pub kind: &'static str,
    /// The value where it is left out, as JSON.
    pub default: Value,
    /// What values it may have; empty where that is any of the kind.
    pub values: String,
    /// What the field means, in words.
    pub meaning: String,
}

impl Config {
    /// Every field, in the order of the sections.
    pub fn listed() -> Vec<ListedField> {
        let schema = Self::schema();
        let mut walk = Listing { definitions: &schema["$defs"], found: Vec::new() };
        walk.object(&schema, &Self::default().json(), &[]);
        walk.found
    }
}

struct Listing<'s> {
    definitions: &'s Value,
    found: Vec<ListedField>,
}

impl Listing<'_> {
    /// What a reference leads to.
    fn definition<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"));
        name.map_or(schema, |name| &self.definitions[name])
    }

    /// The fields of the section at `path`.
    fn object(&mut self, schema: &Value, defaults: &Value, path: &[&str]) {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let (sections, fields): (Vec<_>, Vec<_>) = properties.partition(|(name, _)| {
            let path = [path, &[name.as_str()]].concat();
            entry(&path).is_some() || is_section(&defaults[name.as_str()]) && name.as_str() != "rules"
        });
        for (name, schema) in fields {
            let (path, default) = ([path, &[name.as_str()]].concat(), &defaults[name.as_str()]);
            self.found.push(ListedField {
                field: path.join("."),
                kind: kind(default),
                default: default.clone(),
                values: expected(&path, default),
                meaning: meaning(&schema["description"]),
            });
        }
        for (name, schema) in sections {
            let path = [path, &[name.as_str()]].concat();
            match entry(&path) {
                Some(defaults) => {
                    let part = self.definition(&schema["items"]).clone();
                    self.object(&part, &defaults, &[&path[..], &["N"]].concat());
                }
                None => {
                    let part = self.definition(schema).clone();
                    self.object(&part, &defaults[name.as_str()], &path);
                }
            }
        }
    }
}

/// Whether a value is a section: a table that is no schedule.
fn is_section(value: &Value) -> bool {
    value.is_object() && !is_schedule(value)
}

fn kind(default: &Value) -> &'static str {
    match default {
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "whole number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        default if is_schedule(default) => "schedule",
        Value::Object(_) | Value::Null => "table",
    }
}

fn meaning(description: &Value) -> String {
    description.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns what the error of a wrong value says is expected. If the value only has another kind, the error of the kind.
fn expected(path: &[&str], default: &Value) -> String {
    let wrong = match default {
        Value::Number(number) if number.is_f64() => vec![json!(1e30), json!(-1e30)],
        // Each is the largest of a type.
        Value::Number(_) => [u64::MAX, u64::from(u32::MAX), 65_535, 255, 0].map(Value::from).to_vec(),
        Value::String(_) => vec![json!("?")],
        Value::Array(_) => vec![json!([]), json!([0]), json!([1e9])],
        default if is_schedule(default) => vec![json!(1e30), json!(-1e30)],
        _ => Vec::new(),
    };
    let said: Vec<Refusal> = wrong.into_iter().filter_map(|wrong| refused(path, &wrong)).collect();
    let of_value = said.iter().find(|said| !said.by_kind);
    // That it is a whole number is what its kind says.
    let of_kind = || said.iter().find(|said| default.is_string() && said.by_kind);
    let said = of_value.or_else(of_kind).map_or("", |said| said.expected.as_str());
    ["expected ", "a number ", "a whole number "]
        .iter()
        .fold(said, |said, known| said.trim_start_matches(known))
        .to_owned()
}

/// What is said to a wrong value.
struct Refusal {
    /// Whether no value of this kind would do.
    by_kind: bool,
    expected: String,
}

/// What the checks say to this value of a field; none if they have nothing to say against it.
fn refused(path: &[&str], wrong: &Value) -> Option<Refusal> {
    let mut config = json!(Config::default());
    let mut at = &mut config;
    for (depth, name) in path.iter().enumerate() {
        at = match *name {
            "N" => {
                // A list of one table, with a name where it needs one.
                let mut table = entry(&path[..depth])?;
                if let Some(name) = table.get_mut("name") {
                    *name = json!("table");
                }
                *at = json!([table]);
                at.get_mut(0)?
            }
            name => at.get_mut(name)?,
        };
    }
    *at = wrong.clone();
    match Config::deserialize_from(&config) {
        Err(expected) => Some(Refusal { by_kind: true, expected }),
        Ok(config) => {
            let error = config.check().err()?;
            let field = path.join(".").replace(".N", "[0]");
            let of_it = error.field.starts_with(&field);
            of_it.then(|| Refusal { by_kind: false, expected: error.expected.to_owned() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_listed_with_the_values_that_checks_expect() {
        let all = Config::listed();
        let of = |field: &str| all.iter().find(|listed| listed.field == field).expect("a field");
        assert_eq!(of("iterations").values, "1 to 10000000");
        assert_eq!((of("evaluate.deals").kind, &of("evaluate.deals").default), ("whole number", &json!(40)));
        assert_eq!(of("algorithm").values, "`ppo` or `dmc`");
        assert_eq!(of("ppo.learning_rate").kind, "schedule");
        assert_eq!(of("net.hidden").values, "1 to 8 layers of 1 to 4096 units");
        assert_eq!(of("rollout.tables.N.weight").values, "above 0");
        assert_eq!(of("rollout.random.rounds").values, "0 to 10000");
        assert_eq!(of("evaluate.tables.N.deals").values, "2 to 1000000");
        assert!(all.iter().all(|listed| !listed.meaning.is_empty()), "every field has a meaning");
        // Every default is listed, except rules of the game.
        let mut leaves = Vec::new();
        cardsharp_document::leaves("", &json!(Config::default()), &mut leaves);
        for (leaf, _) in leaves {
            let is_listed =
                all.iter().any(|of| leaf == of.field || leaf.starts_with(&format!("{}.", of.field)));
            assert!(is_listed || leaf.ends_with("tables"), "{leaf}");
        }
    }
}
