//! What strangers learn about a table before they play.

use crate::common::{Running, options, seats};
use serde_json::{Value, json};

fn open(server: &Running, more: Value) -> Value {
    let mut request = json!({ "game": "tahimi", "rules": { "players": 4 } });
    request["seats"] = seats(&["Ann", "Bob", "bot:scripted", "bot:scripted"]);
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let reply = server.post("/v1/tables", "", request);
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.body
}

#[test]
fn tables_are_listed_only_if_their_hosts_want_it() {
    let server = Running::start(options());
    assert_eq!(server.get("/v1/tables", "").body, json!({ "tables": [] }));
    open(&server, json!({}));
    let listed = open(&server, json!({ "listed": true, "open": true }));
    let tables = server.get("/v1/tables", "").body["tables"].clone();
    assert_eq!(tables.as_array().unwrap().len(), 1);
    assert_eq!((&tables[0]["table"], &tables[0]["open"]), (&listed["table"], &json!(true)));
    let path = format!("/v1/tables/{}", listed["table"].as_str().unwrap());
    assert_eq!(server.ask("DELETE", &path, listed["host"].as_str().unwrap(), Value::Null).status, 200);
    assert_eq!(server.get("/v1/tables", "").body, json!({ "tables": [] }));
}

#[test]
fn everyone_sees_the_options_of_a_table() {
    let server = Running::start(options());
    let state = |opened: &Value, secret: &Value| {
        server.get(&format!("/v1/tables/{}", opened["table"].as_str().unwrap()), secret.as_str().unwrap())
    };
    let opened = open(&server, json!({}));
    let now = state(&opened, &opened["watch"]).body;
    let facts = |now: &Value| ["spectators", "undo_allowed", "seed_chosen"].map(|name| now[name].clone());
    assert_eq!(facts(&now), [json!("public"), json!(true), json!(false)]);
    let opened = open(&server, json!({ "seed": 3, "undo": false, "spectators": "off" }));
    let now = state(&opened, &opened["seats"][0]).body;
    assert_eq!(facts(&now), [json!("off"), json!(false), json!(true)]);
    assert_eq!(opened["watch"], Value::Null, "spectators get no secret");
    assert_eq!(state(&opened, &opened["host"]).status, 200);
    let undo = format!("/v1/tables/{}/undo", opened["table"].as_str().unwrap());
    let refused = server.post(&undo, opened["seats"][0].as_str().unwrap(), Value::Null);
    assert_eq!((refused.status, refused.code()), (409, "no_undo"));
}
