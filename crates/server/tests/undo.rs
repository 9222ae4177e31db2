//! Moves are taken back if all people agree.

use crate::common::{Events, Opened, Running, options, seats};
use serde_json::{Value, json};

fn table(server: &Running) -> Opened {
    let who = seats(&["Ann", "Bob", "bot:scripted", "bot:scripted"]);
    server.open(json!({ "game": "dalmuti", "rules": { "players": 4, "hands": 1 }, "seats": who, "seed": 5 }))
}

/// Plays until `seat` has moved. Returns the first line of an event log about this move.
fn moves(server: &Running, opened: &Opened, events: &mut [Events; 2], seat: usize) -> Value {
    for _ in 0..100 {
        for at in 0..2 {
            let due = server.get(&opened.path("/view"), &opened.seats[at]);
            if due.status == 200 {
                let choice = due.body["legal"][0].clone();
                let reply = server.post(&opened.path("/moves"), &opened.seats[at], json!({ "move": choice }));
                assert_eq!(reply.status, 200);
                if at == seat {
                    return events[0].line("move").data;
                }
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("seat {seat} never moved");
}

#[test]
fn a_move_is_taken_back_once_all_people_agree() {
    let server = Running::start(options());
    let opened = table(&server);
    let [ann, bob] = [0, 1].map(|seat| &opened.seats[seat]);
    let mut events = [ann, bob].map(|secret| server.listen(&opened, secret, None));
    let nothing = server.post(&opened.path("/undo"), ann, Value::Null);
    assert_eq!((nothing.status, nothing.code()), (409, "nothing_to_undo"));
    moves(&server, &opened, &mut events, 0);
    let asked = server.post(&opened.path("/undo"), ann, Value::Null);
    assert_eq!(asked.body, json!({ "undone": false }));
    let proposed = loop {
        let now = events[1].named("table").data;
        if !now["undo"].is_null() {
            break now;
        }
    };
    assert_eq!(proposed["undo"], json!({ "seat": 0, "agreed": [0], "missing": [1] }));
    // Refused, asked again, and agreed to.
    assert_eq!(server.post(&opened.path("/undo"), bob, json!({ "agree": false })).status, 200);
    assert!(server.get(&opened.path(""), bob).body["undo"].is_null());
    server.post(&opened.path("/undo"), ann, Value::Null);
    let agreed = server.post(&opened.path("/undo"), bob, Value::Null);
    assert_eq!(agreed.body, json!({ "undone": true }));
    // All streams get `reset`, and then the event log from the first line.
    for events in &mut events {
        events.named("reset");
        let header = events.named("");
        assert_eq!((header.id.as_str(), &header.data["line"]), ("1-0", &json!("header")));
    }
    // A client that reconnects later gets it, too.
    let mut late = server.listen(&opened, bob, Some("0-2"));
    assert_eq!(late.next().unwrap().name, "reset");
    assert_eq!(late.named("").id, "1-0");
    moves(&server, &opened, &mut events, 0);
}

#[test]
fn one_person_needs_nobody_to_agree() {
    let server = Running::start(options());
    let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let opened = server.open(json!({ "game": "tachtigen", "seats": who, "seed": 3 }));
    let ann = &opened.seats[0];
    let mut events = server.listen(&opened, ann, None);
    let legal = events.named("legal").data;
    let choice = legal["legal"][0].clone();
    assert_eq!(server.post(&opened.path("/moves"), ann, json!({ "move": choice })).status, 200);
    assert_eq!(server.post(&opened.path("/undo"), ann, Value::Null).body, json!({ "undone": true }));
    events.named("reset");
    assert_eq!(events.named("legal").data, legal, "the same decision again");
}
