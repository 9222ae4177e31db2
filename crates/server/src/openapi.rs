//! The OpenAPI description of the endpoints.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::endpoint::{Endpoint, ResponseKind, Who};
use crate::refusal::ErrorAnswer;

/// Returns the OpenAPI description of these endpoints.
pub(crate) fn describe(endpoints: &[Endpoint]) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut schemas = settings.into_generator();
    let refusal = schemas.subschema_for::<ErrorAnswer>();
    let mut paths: Map<String, Value> = Map::new();
    for endpoint in endpoints {
        let Endpoint { method, path, doc, body, kind, changes, .. } = endpoint;
        let (media, schema) = match kind {
            ResponseKind::Json(schema) => ("application/json", json!(schema(&mut schemas))),
            ResponseKind::Lines(media) => (*media, json!({ "type": "string" })),
            ResponseKind::Events => ("text/event-stream", json!({ "type": "string" })),
        };
        let mut operation = json!({
            "operationId": doc.name,
            "summary": doc.summary,
            "description": doc.text,
            "security": security(doc.who),
            "responses": {
                "200": { "description": "The request was carried out.", "content": { media: { "schema": schema } } },
                "default": {
                    "description": "The request was refused, and nothing changed.",
                    "content": { "application/json": { "schema": refusal } },
                },
            },
        });
        let parameters = parameters(path, kind, *changes);
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        if let Some(body) = body {
            let schema = body(&mut schemas);
            operation["requestBody"] = json!({ "content": { "application/json": { "schema": schema } } });
        }
        let entry = paths.entry((*path).to_owned()).or_insert_with(|| json!({}));
        entry[method.as_str().to_lowercase()] = operation;
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "cardsharp",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Tables for people and bots, and advice about moves. For a guide, see the page “Tables over HTTP” in the cardsharp documentation.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": schemas.take_definitions(true),
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "The server's token, if it has one." },
                "secret": {
                    "type": "http", "scheme": "bearer",
                    "description": "A secret of the table: for the host, a seat or spectators.",
                },
            },
        },
    })
}

fn security(who: Who) -> Value {
    match who {
        Who::Token => json!([{}, { "token": [] }]),
        Who::Host | Who::Seat | Who::Secret => json!([{ "secret": [] }]),
        Who::Itself => json!([{}, { "token": [] }, { "secret": [] }]),
    }
}

fn parameters(path: &str, kind: &ResponseKind, changes: bool) -> Vec<Value> {
    let parameter = |name: &str, place: &str, text: &str| {
        let required = place == "path";
        json!({ "name": name, "in": place, "required": required, "description": text, "schema": { "type": "string" } })
    };
    let mut parameters = Vec::new();
    if path.contains("{id}") {
        parameters.push(parameter("id", "path", "The table."));
    }
    if path.ends_with("/view") {
        parameters.push(parameter(
            "any",
            "query",
            "`true`: also while others decide. Then `legal` is empty.",
        ));
    }
    if changes {
        parameters.push(parameter(
            "Idempotency-Key",
            "header",
            "A text that you choose for this request. If you send it again within ten minutes, you get the first answer.",
        ));
    }
    if changes && path.contains("{id}") {
        parameters.push(parameter(
            "after",
            "query",
            "The id of the last event that you received. If there are later ones, the request is refused with code `stale`.",
        ));
    }
    if matches!(kind, ResponseKind::Events) {
        parameters.push(parameter(
            "Last-Event-ID",
            "header",
            "The id of the last event that you received. The stream continues after it.",
        ));
        parameters.push(parameter(
            "after",
            "query",
            "The same as `Last-Event-ID`, for clients that cannot set a header.",
        ));
        parameters.push(parameter("ticket", "query", "A ticket instead of a secret."));
        parameters.push(parameter(
            "wait",
            "query",
            "Long polling: seconds to wait for events, 0 to 60. The response ends after the first ones.",
        ));
    }
    parameters
}
