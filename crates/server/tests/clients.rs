//! Clients that poll, and views between decisions.

use std::time::{Duration, Instant};

use crate::common::{Opened, Running, options, seats, send};
use serde_json::{Value, json};

fn table(server: &Running) -> Opened {
    let who = seats(&["Ann", "Bob", "bot:scripted", "bot:scripted"]);
    server.open(json!({ "game": "tahimi", "rules": { "players": 4, "rounds": 2 }, "seats": who }))
}

/// Returns the events in the answer of a poll, as names, ids and data.
fn poll(server: &Running, opened: &Opened, secret: &str, query: &str) -> Vec<(String, String, Value)> {
    let head =
        format!("GET {} HTTP/1.1\r\nHost: {}\r\n", opened.path(&format!("/events?{query}")), server.address);
    let reply =
        send(server.address, &format!("{head}Authorization: Bearer {secret}\r\nConnection: close\r\n\r\n"));
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert!(reply.head.contains("x-accel-buffering: no"));
    let event = |block: &str| {
        let field = |name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name));
            line.map(|value| value.trim_start_matches(": ").to_owned()).unwrap_or_default()
        };
        (field("event"), field("id"), serde_json::from_str(&field("data")).unwrap())
    };
    reply.text.split("\n\n").filter(|block| !block.is_empty()).map(event).collect()
}

#[test]
fn clients_without_streams_play_by_polling() {
    let server = Running::start(options());
    let opened = table(&server);
    // Both people poll by turns.
    let mut last = [String::new(), String::new()];
    let (mut lines, mut closed) = ([0, 0], [false, false]);
    while closed != [true, true] {
        for seat in (0..2).filter(|seat| !closed[*seat]).collect::<Vec<_>>() {
            let secret = &opened.seats[seat];
            for (name, id, data) in poll(&server, &opened, secret, &format!("wait=0&after={}", last[seat])) {
                if name.is_empty() {
                    assert_eq!(id, format!("0-{}", lines[seat]), "no line is missing");
                    lines[seat] += 1;
                    last[seat] = id;
                } else if name == "legal" {
                    let body = json!({ "move": data["legal"][0] });
                    assert_eq!(server.post(&opened.path("/moves"), secret, body).status, 200);
                } else if name == "closed" {
                    assert_eq!(data, json!({ "why": "over" }));
                    closed[seat] = true;
                }
            }
        }
    }
}

#[test]
fn a_poll_waits_for_the_first_event_and_not_longer() {
    let server = Running::start(options());
    let opened = table(&server);
    while opened.seats[..2].iter().all(|own| server.get(&opened.path("/view"), own).status != 200) {}
    let last = server.get(&opened.path(""), &opened.watch).body["last"].as_str().unwrap().to_owned();
    let wait = |seconds: u32| poll(&server, &opened, &opened.watch, &format!("wait={seconds}&after={last}"));
    let begun = Instant::now();
    assert_eq!(wait(1).len(), 1, "nothing but the state of the table");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| wait(60));
        std::thread::sleep(Duration::from_millis(200));
        let _ann = server.listen(&opened, &opened.seats[0], None);
        let events = waiting.join().unwrap();
        assert_eq!(events.last().unwrap().2["seats"][0]["present"], true, "changes of the table count");
    });
    assert!(begun.elapsed() < Duration::from_secs(30));
    let refused = server.get(&opened.path("/events?wait=61"), &opened.watch);
    assert_eq!(refused.message(), "`wait` cannot be 61: expected a number of seconds from 0 to 60");
}

#[test]
fn a_seat_gets_its_view_while_others_decide() {
    let server = Running::start(options());
    for game in ["dalmuti", "tahimi", "taki", "tachtigen"] {
        let who = seats(&["Ann", "Bob", "bot:scripted", "bot:scripted"]);
        let rules = if game == "tachtigen" { json!({}) } else { json!({ "players": 4 }) };
        let opened = server.open(json!({ "game": game, "rules": rules, "seats": who }));
        for _ in 0..12 {
            let views = || {
                opened.seats[..2].iter().map(|own| server.get(&opened.path("/view"), own)).collect::<Vec<_>>()
            };
            let due = views().iter().position(|view| view.status == 200);
            let Some(due) = due else { continue };
            let other = server.get(&opened.path("/view?any=true"), &opened.seats[1 - due]);
            assert_eq!((other.status, &other.body["legal"]), (200, &json!([])), "{game}: {}", other.text);
            assert_eq!(other.body["view"]["seat"], 1 - due);
            assert_eq!(server.get(&opened.path("/view"), &opened.seats[1 - due]).status, 409, "as before");
            let own = server.get(&opened.path("/view?any=true"), &opened.seats[due]);
            let body = json!({ "move": own.body["legal"][0] });
            assert_eq!(server.post(&opened.path("/moves"), &opened.seats[due], body).status, 200);
        }
    }
}
