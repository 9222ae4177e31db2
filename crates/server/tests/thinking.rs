//! Bots that search delay no others, and a search ends when its result is not needed.

use std::io::{Read, Write};

use crate::common::{Opened, Running, connect, in_folder, limited, options, seats};
use cardsharp_server::{Limits, NamedNetwork, Options};
use serde_json::{Value, json};
use std::time::Duration;

/// A search that takes longer than any test.
const ENDLESS: &str = "search:1000000";

/// Limits that allow such a search, on one thread.
fn long() -> Limits {
    Limits { tries: 1_000_000, thinkers: 1, think: Duration::from_secs(3600), ..Limits::default() }
}

fn table(server: &Running, who: &[&str]) -> Opened {
    let rules = json!({ "players": 4, "rounds": 1 });
    server.open(json!({ "game": "tahimi", "rules": rules, "seats": seats(who), "seed": 3 }))
}

/// Opens a table at which a bot searches without end.
fn thinking(server: &Running) -> Opened {
    let bot = &format!("bot:{ENDLESS}");
    table(server, &[bot, bot, bot, bot])
}

/// A view with a decision.
fn view() -> Value {
    let rules = cardsharp_env::game("tahimi").unwrap().default_rules();
    let table = rules.table(3);
    table.asked().unwrap().json()
}

#[test]
fn a_table_without_searches_plays_while_others_search() {
    let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/tahimi/bot");
    let bots = vec![NamedNetwork { name: "tahimi".to_owned(), path: bundle.into() }];
    let server = Running::start(Options { bots, ..limited(long()) });
    let searching: Vec<Opened> = (0..4).map(|_| thinking(&server)).collect();
    let opened = table(&server, &["Ann", "bot:scripted", "bot:tahimi", "bot:random"]);
    let (ann, mut events) = (&opened.seats[0], server.listen(&opened, &opened.seats[0], None));
    while let Some(event) = events.next() {
        if event.name == "legal" {
            let hint = server.post(&opened.path("/hint"), ann, json!({ "bot": "tahimi" }));
            let choice = &hint.body["moves"][0]["move"];
            let moved = server.post(&opened.path("/moves"), ann, json!({ "move": choice }));
            assert_eq!(moved.status, 200, "{}", moved.text);
        }
    }
    assert_eq!(server.get(&opened.path("/trace"), ann).status, 200);
    let asked = json!({ "bot": "scripted", "positions": [{ "view": view() }] });
    assert_eq!(server.post("/v1/advise", "", asked).body["answers"][0]["game"], "tahimi");
    for table in searching {
        assert_eq!(server.get(&table.path(""), &table.host).body["over"], false);
    }
}

#[test]
fn a_table_is_changed_while_its_bots_search() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(Options { limits: long(), ..in_folder(folder.path()) });
    let opened = thinking(&server);
    // People take seats, and leave them.
    let eve = json!({ "seat": 2, "who": { "person": "Eve" } });
    let joined = server.post(&opened.path("/join"), &opened.host, eve);
    assert_eq!(joined.status, 200, "{}", joined.text);
    let eve = joined.body["secret"].as_str().unwrap();
    let refused = server.post(&opened.path("/undo"), eve, Value::Null);
    assert_eq!((refused.status, refused.code()), (409, "nothing_to_undo"));
    // Once a bot that does not search has a seat, it decides there.
    let mut events = server.listen(&opened, &opened.watch, None);
    for seat in [0, 1, 3] {
        let anyone = json!({ "seat": seat, "who": { "person": "Bob" } });
        let bob = server.post(&opened.path("/join"), &opened.host, anyone).body["secret"].clone();
        let left = json!({ "bot": "scripted" });
        assert_eq!(server.post(&opened.path("/leave"), bob.as_str().unwrap(), left).status, 200);
    }
    assert_eq!(server.post(&opened.path("/leave"), eve, json!({ "bot": "random" })).status, 200);
    events.line("end");
    // Saving and deleting do not wait for a search.
    let other = thinking(&server);
    let saved = server.post(&other.path("/save"), &other.host, Value::Null);
    assert_eq!(server.post("/v1/tables/restore", "", saved.body).status, 200);
    assert_eq!(server.ask("DELETE", &other.path(""), &other.host, Value::Null).status, 200);
}

#[test]
fn a_search_has_a_time() {
    let limits = Limits { think: Duration::from_millis(50), tries_of_request: 1_000_000, ..long() };
    let server = Running::start(limited(limits));
    let opened = thinking(&server);
    server.listen(&opened, &opened.watch, None).line("end");
    let asked = json!({ "bot": ENDLESS, "positions": [{ "view": view() }] });
    assert_eq!(server.post("/v1/advise", "", asked).body["answers"][0]["game"], "tahimi");
}

#[test]
fn a_search_ends_when_its_client_leaves() {
    let server = Running::start(limited(Limits { tries_of_request: 1_000_000, ..long() }));
    let body = json!({ "bot": ENDLESS, "positions": [{ "view": view() }] }).to_string();
    let host = server.address;
    let head = format!("POST /v1/advise HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n", body.len());
    let mut leaving = connect(host);
    leaving.write_all(format!("{head}{body}").as_bytes()).unwrap();
    // The only thread for searches is in use: no answer comes.
    leaving.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    assert!(leaving.read(&mut [0; 1]).is_err());
    drop(leaving);
    let asked = json!({ "bot": "search:5", "positions": [{ "view": view() }] });
    assert_eq!(server.post("/v1/advise", "", asked).body["answers"][0]["game"], "tahimi");
}

#[test]
fn a_server_stops_while_bots_search() {
    let server = Running::start(limited(long()));
    let opened = thinking(&server);
    server.listen(&opened, &opened.watch, None).line("deal");
    drop(server);
    // Also with requests that wait for a search.
    let server = Running::start(limited(long()));
    let (opened, bot) = (thinking(&server), format!("bot:{ENDLESS}"));
    let own = table(&server, &["Ann", &bot, &bot, &bot]);
    server.listen(&opened, &opened.watch, None).line("deal");
    let hint = json!({ "bot": ENDLESS }).to_string();
    let mut events = server.listen(&own, &own.seats[0], None);
    events.named("legal");
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{hint}",
        own.path("/hint"),
        server.address,
        own.seats[0],
        hint.len()
    );
    let mut waiting = connect(server.address);
    waiting.write_all(head.as_bytes()).unwrap();
    drop(server);
    let mut rest = String::new();
    // Closed or reset.
    let _ = waiting.read_to_string(&mut rest);
    assert!(rest.is_empty() || rest.starts_with("HTTP/1.1 503"), "{rest}");
}

#[test]
fn the_pace_of_bots_delays_no_request() {
    let server = Running::start(options());
    let who = seats(&["bot:scripted", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let rules = json!({ "players": 4, "rounds": 1 });
    let opened = server.open(json!({ "game": "tahimi", "rules": rules, "seats": who, "pace": 10_000 }));
    let begun = std::time::Instant::now();
    for seat in 0..4 {
        let joining = json!({ "seat": seat, "who": { "person": "Eve" } });
        assert_eq!(server.post(&opened.path("/join"), &opened.host, joining).status, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn long_event_logs_wait_with_the_searches() {
    let server = Running::start(limited(long()));
    let bots = ["bot:random"; 12];
    let rules = json!({ "players": 12, "hands": 100 });
    let opened = server.open(json!({ "game": "dalmuti", "rules": rules, "seats": seats(&bots), "seed": 3 }));
    server.listen(&opened, &opened.watch, None).line("end");
    let lines = server.get(&opened.path("/trace"), &opened.watch).text.lines().count();
    assert!(lines > 20_000, "{lines}");
    let short = table(&server, &["Ann", "bot:random", "bot:random", "bot:random"]);
    let searching = thinking(&server);
    server.listen(&searching, &searching.watch, None).line("deal");
    // The only thread for searches is in use.
    let head = format!("GET {} HTTP/1.1\r\nHost: {}\r\n", opened.path("/trace"), server.address);
    let mut waiting = connect(server.address);
    write!(waiting, "{head}Authorization: Bearer {}\r\n\r\n", opened.watch).unwrap();
    waiting.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    assert!(waiting.read(&mut [0; 1]).is_err());
    assert_eq!(server.get(&short.path("/view?any=true"), &short.seats[0]).status, 200);
    assert_eq!(server.ask("DELETE", &searching.path(""), &searching.host, Value::Null).status, 200);
    waiting.set_read_timeout(None).unwrap();
    assert_eq!(waiting.read(&mut [0; 1]).unwrap(), 1);
}
