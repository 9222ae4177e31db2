//! The JSON schema of a bundle's files.

use std::borrow::Cow;

use cardsharp_env::document;
use schemars::generate::Contract;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::card::CardContest;
use super::cost::{self, Cost};
use super::manifest::{MANIFEST, Manifest};
use super::vectors::{self, Vector};
use super::{Actions, Encoding};
use crate::beliefs;
use crate::bots::{self, levels};
use crate::file::Metadata;
use crate::identity::{self, Identity};

/// The JSON content of a bundle's files, by file name.
struct Bundle;

impl JsonSchema for Bundle {
    fn schema_name() -> Cow<'static, str> {
        "Bundle".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut files = serde_json::Map::new();
        let mut file = |name: &str, meaning: &str, schema: Schema| {
            let mut schema = schema;
            schema.insert("description".to_owned(), json!(meaning));
            files.insert(name.to_owned(), schema.to_value());
        };
        file("actions.json", "The meaning of the action ids.", generator.subschema_for::<Actions>());
        file(
            "arena.json",
            "The results of contests with the bot.",
            generator.subschema_for::<Vec<CardContest>>(),
        );
        let metadata = generator.subschema_for::<Metadata>();
        file(bots::FILE, "The key `cardsharp` of the file's metadata, read as JSON.", metadata);
        file(
            "encoding.json",
            "The meaning of the cells of an observation row.",
            generator.subschema_for::<Encoding>(),
        );
        file(
            levels::FILE,
            "The levels of the bot, weaker versions of it. Only in bundles with levels.",
            generator.subschema_for::<levels::Levels>(),
        );
        let metadata = generator.subschema_for::<Metadata<beliefs::BeliefModelHeader>>();
        let meaning =
            "The key `cardsharp` of the file's metadata, read as JSON. Only in bundles with a belief model.";
        file(beliefs::FILE, meaning, metadata);
        let meaning = "The cost of training. Only in bundles that were exported with it.";
        file(cost::FILE, meaning, generator.subschema_for::<Cost>());
        let meaning =
            "The name, version and license of the bot. Only in bundles that were exported with a name.";
        file(identity::FILE, meaning, generator.subschema_for::<Identity>());
        let lines = generator.subschema_for::<Vec<Vector>>();
        file(vectors::FILE, "The test vectors: the lines of the decompressed file.", lines);
        file(
            MANIFEST,
            "The list of the bundle's files, with their checksums.",
            generator.subschema_for::<Manifest>(),
        );
        let required: Vec<&String> =
            files.keys().filter(|name| !super::OPTIONAL.contains(&name.as_str())).collect();
        json_schema!({
            "description": "The JSON content of a bundle, by file name.",
            "type": "object", "required": required, "properties": files, "additionalProperties": false,
        })
    }
}

/// Returns the schema of all JSON in a bundle, as one object with a field for each file.
pub fn schema() -> Value {
    document::<Bundle>("A bundle", Contract::Serialize)
}
