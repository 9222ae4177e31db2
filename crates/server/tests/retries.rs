//! Requests whose answers are lost can be sent again.

use crate::common::{Opened, Reply, Running, in_folder, options, seats, send};
use serde_json::{Value, json};

fn table(server: &Running) -> Opened {
    let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let rules = json!({ "players": 4, "hands": 3 });
    server.open(json!({ "game": "dalmuti", "rules": rules, "seats": who, "seed": 3 }))
}

/// Sends a request with an `Idempotency-Key`.
fn keyed(server: &Running, method: &str, path: &str, secret: &str, key: &str, body: &Value) -> Reply {
    let (host, body) = (server.address, if body.is_null() { String::new() } else { body.to_string() });
    let secret =
        if secret.is_empty() { String::new() } else { format!("Authorization: Bearer {secret}\r\n") };
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{secret}Idempotency-Key: {key}\r\n");
    send(host, &format!("{head}Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len()))
}

/// Waits for Ann's decision. Returns her last event and her legal moves.
fn due(server: &Running, opened: &Opened) -> (String, Vec<Value>) {
    let mut events = server.listen(opened, &opened.seats[0], None);
    let mut last = String::new();
    loop {
        let event = events.next().unwrap();
        match event.name.as_str() {
            "legal" => return (last, event.data["legal"].as_array().unwrap().clone()),
            "" => last = event.id,
            _ => {}
        }
    }
}

#[test]
fn a_change_after_an_old_event_is_refused_with_the_state_of_the_table() {
    let server = Running::start(options());
    let opened = table(&server);
    let (ann, mut cards) = (&opened.seats[0], 0);
    // Several decisions of the same seat in a row, as in the tax of Dalmuti, allow the same move twice.
    for _ in 0..40 {
        let (last, legal) = due(&server, &opened);
        let path = opened.path(&format!("/moves?after={last}"));
        let send = || server.post(&path, ann, json!({ "move": legal[0] }));
        let replies = std::thread::scope(|scope| {
            [scope.spawn(send), scope.spawn(send)].map(|sent| sent.join().unwrap())
        });
        assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1, "{replies:?}");
        let refused = replies.iter().find(|reply| reply.status != 200).unwrap();
        assert_eq!((refused.status, refused.code()), (409, "stale"));
        assert_eq!(refused.body["table"]["game"], "dalmuti");
        assert_ne!(refused.body["table"]["last"], json!(last));
        cards += 1;
        if server.get(&opened.path(""), ann).body["over"] == true {
            break;
        }
    }
    assert!(cards > 5, "{cards} moves");
    let undo = |after: &str| server.post(&opened.path(&format!("/undo?after={after}")), ann, Value::Null);
    assert_eq!(undo("0-1").code(), "stale");
    assert_eq!(undo("nonsense").status, 400);
    // A move that was taken back is no longer the last one.
    let opened = table_of_one(&server);
    let (last, legal) = due(&server, &opened);
    let ann = &opened.seats[0];
    let undo = server.post(&opened.path(&format!("/undo?after={last}")), ann, Value::Null);
    assert_ne!(undo.code(), "stale");
    server.post(&opened.path("/moves"), ann, json!({ "move": legal[0] }));
    assert_eq!(server.post(&opened.path("/undo"), ann, Value::Null).body["undone"], true);
    let again = server.post(&opened.path(&format!("/moves?after={last}")), ann, json!({ "move": legal[0] }));
    assert_eq!(again.code(), "stale");
    // The host gets the last event of spectators.
    let last = server.get(&opened.path(""), &opened.host).body["last"].clone();
    assert_eq!(last, server.get(&opened.path(""), &opened.watch).body["last"]);
    let end = |after: &str| {
        server.ask("DELETE", &opened.path(&format!("?after={after}")), &opened.host, Value::Null)
    };
    assert_eq!(end("0-0").code(), "stale");
    assert_eq!(end(last.as_str().unwrap()).status, 200);
}

/// A table at which nothing happens after Ann's first move.
fn table_of_one(server: &Running) -> Opened {
    let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
    server.open(json!({ "game": "tachtigen", "seats": who, "seed": 3 }))
}

#[test]
fn a_request_with_a_key_is_carried_out_once() {
    let server = Running::start(options());
    let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let open = json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who, "open": true });
    let twice = |method: &str, path: &str, secret: &str, key: &str, body: &Value| {
        let send = || keyed(&server, method, path, secret, key, body);
        let [first, second] = std::thread::scope(|scope| {
            [scope.spawn(send), scope.spawn(send)].map(|sent| sent.join().unwrap())
        });
        assert_eq!((first.status, &first.text), (200, &second.text), "{method} {path}");
        assert_eq!(send().text, first.text);
        first.body
    };
    let reply = twice("POST", "/v1/tables", "", "a", &open);
    let text = |name: &str| reply[name].as_str().unwrap().to_owned();
    let ann = reply["seats"][0].as_str().unwrap().to_owned();
    let opened =
        Opened { table: text("table"), host: text("host"), watch: text("watch"), seats: vec![ann.clone()] };
    let (_, legal) = due(&server, &opened);
    twice("POST", &opened.path("/moves"), &ann, "b", &json!({ "move": legal[0] }));
    let joined =
        twice("POST", &opened.path("/join"), "", "b", &json!({ "seat": 2, "who": { "person": "Eve" } }));
    assert_eq!(server.get(&opened.path(""), joined["secret"].as_str().unwrap()).status, 200);
    // The secret is worth nothing after the first request, but its owner gets the answer.
    let secret = joined["secret"].as_str().unwrap();
    twice("POST", &opened.path("/leave"), secret, "a", &json!({ "bot": "scripted" }));
    let saved = twice("POST", &opened.path("/save"), &opened.host, "a", &Value::Null);
    twice("POST", "/v1/tables/restore", "", "b", &saved);
    twice("DELETE", &opened.path(""), &opened.host, "b", &Value::Null);
}

#[test]
fn a_key_belongs_to_one_request() {
    let server = Running::start(options());
    let opened = table(&server);
    let (ann, path) = (&opened.seats[0], opened.path("/moves"));
    let (_, legal) = due(&server, &opened);
    // A refused request changed nothing, and may be sent again in another form.
    assert_eq!(keyed(&server, "POST", &path, ann, "k", &json!({ "move": "nonsense" })).code(), "no_move");
    assert_eq!(keyed(&server, "POST", &path, ann, "k", &json!({ "move": legal[0] })).status, 200);
    let other = keyed(&server, "POST", &path, ann, "k", &json!({ "move": "nonsense" }));
    assert_eq!((other.status, other.code()), (409, "key"));
    // Other paths and clients have keys of their own.
    assert_eq!(keyed(&server, "POST", &opened.path("/undo"), ann, "k", &Value::Null).status, 200);
    assert_eq!(keyed(&server, "POST", &path, &opened.watch, "k", &json!({ "move": legal[0] })).status, 403);
    for wrong in ["", "two words", &"k".repeat(201)] {
        let refused = keyed(&server, "POST", &path, ann, wrong, &Value::Null);
        assert_eq!((refused.status, refused.code()), (400, "key"), "{wrong}");
    }
    assert!(other.head.contains("keep-alive: timeout=10"), "{}", other.head);
}

#[test]
fn a_host_restores_a_save_whose_secret_was_lost() {
    let folder = tempfile::tempdir().unwrap();
    for options in [options(), in_folder(folder.path())] {
        let server = Running::start(options);
        let opened = table(&server);
        let saved = server.post(&opened.path("/save"), &opened.host, Value::Null).body;
        let restore =
            |secret: &str| server.post("/v1/tables/restore", secret, json!({ "table": opened.table }));
        assert_eq!((restore("").status, restore(&opened.seats[0]).code()), (401, "no_save"));
        assert_eq!(restore(&opened.host).body, json!({ "table": opened.table }));
        // Also if the answer to this was lost.
        assert_eq!(restore(&opened.host).body, json!({ "table": opened.table }));
        assert_eq!(restore(&opened.seats[0]).code(), "no_save");
        assert_eq!(server.post("/v1/tables/restore", "", saved.clone()).code(), "no_save", "it is used up");
        assert_eq!(server.get(&opened.path(""), &opened.seats[0]).status, 200);
        // A later save has another secret.
        server.post(&opened.path("/save"), &opened.host, Value::Null);
        assert_eq!(server.post("/v1/tables/restore", "", saved).code(), "no_save");
        let both = json!({ "table": opened.table, "save": "x" });
        assert_eq!(server.post("/v1/tables/restore", &opened.host, both).status, 400);
        assert_eq!(restore(&opened.host).status, 200);
    }
}

#[test]
fn a_host_gets_a_new_secret_for_a_seat() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let opened = table(&server);
    let (_, legal) = due(&server, &opened);
    let mut events = server.listen(&opened, &opened.seats[0], None);
    let renew =
        |secret: &str, seat: u8| server.post(&opened.path("/secret"), secret, json!({ "seat": seat }));
    assert_eq!(renew(&opened.seats[0], 0).status, 403);
    assert_eq!((renew(&opened.host, 1).code(), renew(&opened.host, 9).code()), ("seat", "seat"));
    let renewed = renew(&opened.host, 0);
    assert_eq!(renewed.status, 200, "{}", renewed.text);
    let secret = renewed.body["secret"].as_str().unwrap().to_owned();
    while events.next().is_some() {}
    assert_eq!(server.get(&opened.path(""), &opened.seats[0]).status, 403);
    assert_eq!(server.listen(&opened, &secret, None).named("legal").data["legal"], json!(legal));
    drop(server);
    let server = Running::start(in_folder(folder.path()));
    assert_eq!(server.get(&opened.path(""), &opened.seats[0]).status, 403);
    assert_eq!(server.listen(&opened, &secret, None).named("legal").data["legal"], json!(legal));
}
