//! TypeScript types, generated from the JSON schemas of the Rust types.

use cardsharp_bot::beliefs::Beliefs;
use cardsharp_bot::bots::BUILT_IN;
use cardsharp_bot::review::Reviewed;
use cardsharp_env::game::KeyedText;
use cardsharp_env::{GAMES, SCHEMAS, rules};
use cardsharp_wasm as answers;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::error::TaskError;

/// The types without a Rust type.
const WRITTEN: &str = include_str!("package/types.d.ts");

/// Returns all types of the package except its classes and functions.
pub(crate) fn types() -> Result<String, TaskError> {
    let mut text = WRITTEN.to_owned();
    let quoted = |name: &str| format!("\"{name}\"");
    alias(&mut text, "The name of a game.", "GameName", &union(GAMES.iter().map(|game| quoted(game.name()))));
    alias(
        &mut text,
        "The name of a bot without a network.",
        "BuiltIn",
        &union(BUILT_IN.iter().map(|name| quoted(name))),
    );
    let capitals = || GAMES.iter().map(|game| capital(game.name()));
    for (game, capital) in GAMES.iter().zip(capitals()) {
        let mut schema = rules::schema(game.title(), game.options());
        // Validated rules have all options.
        schema["required"] = game.options().iter().map(|option| Value::from(option.name)).collect();
        schema["description"] = format!("Rules of {}.", game.title()).into();
        declare(&mut text, "", &format!("{capital}Rules"), &schema)?;
    }
    for (schemas, capital) in SCHEMAS.iter().zip(capitals()) {
        let parts = [("View", schemas.view), ("Deal", schemas.deal), ("Event", schemas.event)];
        let mut all = Map::new();
        for (name, schema) in parts {
            let mut schema = schema();
            if let Some(Value::Object(parts)) =
                schema.as_object_mut().and_then(|fields| fields.remove("$defs"))
            {
                all.extend(parts);
            }
            all.insert(name.to_owned(), schema);
        }
        // Declared above, with all options: views that the package returns have all of them.
        all.remove("Rules");
        for (name, schema) in all {
            declare(&mut text, &capital, &format!("{capital}{}", plain(&name)), &schema)?;
        }
    }
    let of_all = |what: &str| union(capitals().map(|capital| format!("{capital}{what}")));
    alias(&mut text, "The rules of a game with all options.", "Rules", &of_all("Rules"));
    alias(&mut text, "The view of one seat, as JSON.", "ViewJson", &of_all("View"));
    alias(&mut text, "An event: what happened in addition to a move.", "GameEvent", &of_all("Event"));
    let mut out = SchemaSettings::draft2020_12().for_serialize().into_generator();
    type Add = fn(&mut SchemaGenerator) -> schemars::Schema;
    let answers: [Add; 8] = [
        add::<Beliefs>,
        add::<Reviewed>,
        add::<answers::Description>,
        add::<answers::Move>,
        add::<answers::Worth>,
        add::<answers::Advice>,
        add::<answers::Level>,
        add::<KeyedText>,
    ];
    for add in answers {
        add(&mut out);
    }
    let mut given = SchemaSettings::draft2020_12().into_generator();
    add::<answers::BotOptions>(&mut given);
    add::<answers::ReviewOptions>(&mut given);
    for generator in [&mut out, &mut given] {
        for (name, schema) in generator.take_definitions(true) {
            declare(&mut text, "", &name, &schema)?;
        }
    }
    Ok(text)
}

fn add<T: JsonSchema>(generator: &mut SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<T>()
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Replaces everything in a name but letters, digits and `_`.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn union(types: impl IntoIterator<Item = String>) -> String {
    types.into_iter().collect::<Vec<_>>().join(" | ")
}

fn alias(text: &mut String, doc: &str, name: &str, of: &str) {
    text.push_str(&format!("\n{}export type {name} = {of};\n", comment(doc, "")));
}

fn comment(doc: &str, indent: &str) -> String {
    let doc = doc.replace('\n', " ").replace("*/", "* /");
    if doc.is_empty() { doc } else { format!("{indent}/** {doc} */\n") }
}

/// Declares the type of a schema. The names of other types get `prefix`.
fn declare(text: &mut String, prefix: &str, name: &str, schema: &Value) -> Result<(), TaskError> {
    let doc = schema["description"].as_str().unwrap_or_default();
    let Some(properties) = schema["properties"].as_object() else {
        alias(text, doc, name, &of(schema, prefix)?);
        return Ok(());
    };
    text.push_str(&format!("\n{}export interface {name} {{\n", comment(doc, "")));
    for (field, schema) in fields(properties, schema, prefix)? {
        text.push_str(&comment(schema["description"].as_str().unwrap_or_default(), "    "));
        text.push_str(&format!("    {field};\n"));
    }
    text.push_str("}\n");
    Ok(())
}

/// Returns every field with its type and its schema.
fn fields<'s>(
    properties: &'s Map<String, Value>,
    schema: &Value,
    prefix: &str,
) -> Result<Vec<(String, &'s Value)>, TaskError> {
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|r| r == name));
    let typed = |(name, field): (&String, &'s Value)| {
        let may = if required(name) { "" } else { "?" };
        Ok((format!("{name}{may}: {}", of(field, prefix)?), field))
    };
    properties.iter().map(typed).collect()
}

/// Returns the type of a schema.
fn of(schema: &Value, prefix: &str) -> Result<String, TaskError> {
    let each =
        |schemas: &[Value]| schemas.iter().map(|schema| of(schema, prefix)).collect::<Result<Vec<_>, _>>();
    if let Some(name) = schema["$ref"].as_str() {
        return Ok(format!("{prefix}{}", plain(name.rsplit('/').next().unwrap_or_default())));
    }
    if let Some(value) = schema.get("const") {
        return Ok(value.to_string());
    }
    if let Some(values) = schema["enum"].as_array() {
        return Ok(union(values.iter().map(Value::to_string)));
    }
    if let Some(choices) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return Ok(union(each(choices)?));
    }
    match &schema["type"] {
        Value::String(kind) => simple(kind, schema, prefix),
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str).map(|kind| simple(kind, schema, prefix));
            Ok(union(kinds.collect::<Result<Vec<_>, _>>()?))
        }
        // An option with its own kind of value.
        _ => Ok("unknown".to_owned()),
    }
}

fn simple(kind: &str, schema: &Value, prefix: &str) -> Result<String, TaskError> {
    Ok(match kind {
        "string" | "boolean" | "null" => kind.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => {
                let items = items.iter().map(|item| of(item, prefix)).collect::<Result<Vec<_>, _>>()?;
                format!("[{}]", items.join(", "))
            }
            None => {
                let items = of(&schema["items"], prefix)?;
                if items.contains('|') { format!("({items})[]") } else { format!("{items}[]") }
            }
        },
        "object" => match (schema["properties"].as_object(), &schema["additionalProperties"]) {
            (Some(properties), _) => {
                let fields = fields(properties, schema, prefix)?.into_iter().map(|(field, _)| field);
                format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
            }
            (None, values @ Value::Object(_)) => format!("Record<string, {}>", of(values, prefix)?),
            (None, _) => "Record<string, unknown>".to_owned(),
        },
        _ => return Err(TaskError::Schema(schema.to_string())),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_schema_has_its_type() {
        let of = |schema: Value| of(&schema, "Taki").expect("a type");
        assert_eq!(of(json!({"type": "integer", "minimum": 0})), "number");
        assert_eq!(of(json!({"type": ["string", "null"]})), "string | null");
        assert_eq!(of(json!({"type": "array", "items": {"enum": ["a", 2]}})), "(\"a\" | 2)[]");
        assert_eq!(of(json!({"anyOf": [{"$ref": "#/$defs/Level"}, {"type": "null"}]})), "TakiLevel | null");
        assert_eq!(of(json!({"oneOf": [{"const": "end"}, {"const": "value"}]})), "\"end\" | \"value\"");
        assert_eq!(of(json!({})), "unknown");
        assert_eq!(
            of(json!({"type": "array", "prefixItems": [{"type": "null"}, {"const": 3}]})),
            "[null, 3]"
        );
        let object =
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]});
        assert_eq!(of(object), "{ a: string; b?: unknown }");
        assert!(super::of(&json!({"type": "tuple"}), "").is_err());
    }

    #[test]
    fn types_stand_for_all_that_classes_name() {
        let types = types().expect("types");
        for name in [
            "Game",
            "Description",
            "Move",
            "Worth",
            "Advice",
            "Ranked",
            "BotOptions",
            "SearchOptions",
            "Rules",
            "ViewJson",
            "GameEvent",
        ] {
            let declared = [format!("export interface {name} {{"), format!("export type {name} =")];
            assert!(
                declared.iter().any(|declared| types.contains(declared)),
                "{name} is not declared:\n{types}"
            );
        }
        assert!(types.contains("    value?: number"), "what may be missing is optional:\n{types}");
    }
}
