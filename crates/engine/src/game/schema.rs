//! JSON schemas of what a game writes.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::generate::Contract;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::{Lines, Play};
use crate::base::Seat;
use crate::base::schema::document;

/// The form of a view as JSON, with a schema.
struct WrittenView<G>(PhantomData<G>);

impl<G: Play> JsonSchema for WrittenView<G>
where
    G::PublicState: JsonSchema,
    G::PrivateState: JsonSchema,
{
    fn schema_name() -> Cow<'static, str> {
        "View".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let part = |mut schema: Schema, meaning: &str| {
            schema.insert("description".to_owned(), json!(meaning));
            schema
        };
        let seat = part(generator.subschema_for::<Seat>(), "The seat of the view.");
        let table = part(generator.subschema_for::<G::PublicState>(), "The public state.");
        let own = part(generator.subschema_for::<G::PrivateState>(), "The private state of this seat.");
        json_schema!({
            "description": "Everything that one seat may know of a round.",
            "type": "object",
            "properties": {
                "game": { "const": G::NAME, "description": "The name of the game." },
                "version": { "const": G::VIEW, "description": "The version of the view format of this game." },
                "seat": seat,
                "table": table,
                "own": own,
            },
            "required": ["game", "version", "seat", "table", "own"],
            "additionalProperties": false,
        })
    }
}

/// Returns the JSON schema of a game's views, in the form in which they are written: no field is left out.
pub fn view_schema<G: Play>() -> Value
where
    G::PublicState: JsonSchema,
    G::PrivateState: JsonSchema,
{
    document::<WrittenView<G>>(&format!("A view of {}", G::TITLE), Contract::Serialize)
}

/// The JSON schemas of a game, generated on request.
#[derive(Copy, Clone, Debug)]
pub struct Schemas {
    /// The name of the game.
    pub game: &'static str,
    /// The schema of its views: [`view_schema`].
    pub view: fn() -> Value,
    /// The schema of a deal in traces.
    pub deal: fn() -> Value,
    /// The schema of an event in traces.
    pub event: fn() -> Value,
}

impl Schemas {
    /// The schemas of game `G`.
    pub const fn of<G: Lines>() -> Self
    where
        G::PublicState: JsonSchema,
        G::PrivateState: JsonSchema,
    {
        Self {
            game: G::NAME,
            view: view_schema::<G>,
            deal: || document::<G::Deal>(&format!("A deal of {}", G::TITLE), Contract::Serialize),
            event: || document::<G::Event>(&format!("An event of {}", G::TITLE), Contract::Serialize),
        }
    }
}
