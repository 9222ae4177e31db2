//! People and bots take seats and leave them.

use std::cell::RefCell;

use crate::common::{Opened, Running, in_folder, options, seats};
use serde_json::{Value, json};

/// Plays for the people with these secrets until `done` returns true.
fn play_until(server: &Running, opened: &Opened, secrets: &[&String], done: impl Fn() -> bool) {
    for _ in 0..20_000 {
        if done() {
            return;
        }
        for secret in secrets {
            let due = server.get(&opened.path("/view"), secret);
            if due.status == 200 {
                let choice = due.body["legal"][0].clone();
                assert_eq!(
                    server.post(&opened.path("/moves"), secret, json!({ "move": choice })).status,
                    200
                );
            }
        }
    }
    panic!("it never came to that");
}

#[test]
fn seats_of_bots_and_people_change_hands() {
    let server = Running::start(options());
    let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let opened = server.open(json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who }));
    let join = opened.path("/join");
    let eve = json!({ "seat": 2, "who": { "person": "Eve" } });
    // The table is not open, so only the host can seat people.
    assert_eq!(server.post(&join, "", eve.clone()).status, 403);
    assert_eq!(server.post(&join, &opened.seats[0], eve.clone()).status, 403);
    let joined = server.post(&join, &opened.host, eve.clone());
    assert_eq!((joined.status, &joined.body["seat"]), (200, &json!(2)));
    let secret = joined.body["secret"].as_str().unwrap().to_owned();
    let mut events = server.listen(&opened, &secret, None);
    assert_eq!(events.named("").data["seat"], 2);
    assert_eq!(events.line("deal").data["round"], 1, "from the beginning");
    // Occupied seats cannot be taken.
    assert_eq!(server.post(&join, &opened.host, eve).message(), "this seat belongs to a person");
    let bot = json!({ "seat": 1, "who": { "bot": "random" } });
    assert_eq!(server.post(&join, &opened.host, bot).message(), "this seat already has a bot");
    // The host can remove bots, but not people.
    let away = server.post(&opened.path("/leave"), &opened.host, json!({ "seat": 2, "bot": "random" }));
    assert_eq!(away.code(), "seat");
    assert_eq!(server.post(&opened.path("/leave"), &secret, json!({ "bot": "cautious" })).status, 200);
    assert_eq!(server.get(&opened.path(""), &secret).status, 403, "the secret is worth nothing any more");
    assert_eq!(events.named("closed").data["why"], "secret");
    let now = server.get(&opened.path(""), &opened.watch).body;
    let seat = json!({
        "seat": 2, "person": false, "name": "cautious", "present": true, "substitute": null, "ready": true,
        "salted": false,
    });
    assert_eq!(now["seats"][2], seat);
    // Eve saw the cards of a round in play, and everyone knows.
    assert_eq!(now["seen"], json!([{ "seat": 2, "name": "Eve", "round": 1 }]));
    // The rules have the same players for the whole session, so a person cannot leave without a bot.
    let refused = server.post(&opened.path("/leave"), &opened.seats[0], Value::Null);
    assert_eq!((refused.status, refused.code()), (400, "rules"));
    assert!(refused.message().contains("the same players stay for the whole session"));
}

#[test]
fn players_come_and_go_between_rounds_where_the_game_lets_them() {
    let server = Running::start(options());
    let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let rules = json!({ "players": 4, "rounds": 4 });
    let opened = server.open(json!({ "game": "tahimi", "rules": rules, "seats": who, "open": true }));
    let ann = &opened.seats[0];
    let joined = server.post(&opened.path("/join"), "", json!({ "who": { "person": "Eve" } }));
    assert_eq!((joined.status, &joined.body["seat"]), (200, &json!(4)), "{}", joined.text);
    let eve = joined.body["secret"].as_str().unwrap().to_owned();
    let gone = server.post(&opened.path("/leave"), &opened.host, json!({ "seat": 1 }));
    assert_eq!(gone.status, 200, "{}", gone.text);
    let mut hears = server.listen(&opened, ann, None);
    // Eve delays her first move, so that the loop cannot miss it.
    play_until(&server, &opened, &[ann], || server.get(&opened.path("/view"), &eve).status == 200);
    let changes = [hears.line("change").data, hears.line("change").data];
    assert_eq!(changes.each_ref().map(|change| change["choice"].as_str().unwrap()), ["join 4", "leave 1"]);
    assert_eq!(changes[0]["round"], 2);
    // Eve's event log has the whole session, and says from the start that she joins.
    let mut events = server.listen(&opened, &eve, None);
    let header = events.named("").data;
    assert_eq!((&header["seat"], &header["players"]), (&json!(4), &json!(5)));
    play_until(&server, &opened, &[ann, &eve], || server.get(&opened.path("/trace"), ann).status == 200);
    let mut observed = 0;
    while let Some(event) = events.next() {
        observed += usize::from(event.name.is_empty() && event.data["line"] == "turn");
    }
    assert!(observed > 0);
}

#[test]
fn somebody_joins_in_the_seat_of_a_person_who_left() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let who = seats(&["Ann", "Bob", "bot:scripted", "bot:scripted"]);
    let rules = json!({ "players": 4, "rounds": 4 });
    let opened = server.open(json!({ "game": "tahimi", "rules": rules, "seats": who }));
    let (ann, bob) = (&opened.seats[0], &opened.seats[1]);
    let join = |secret: &str, name: &str| {
        server.post(&opened.path("/join"), secret, json!({ "seat": 1, "who": { "person": name } }))
    };
    assert_eq!(server.post(&opened.path("/leave"), bob, Value::Null).status, 200);
    assert_eq!(join(&opened.host, "Eve").message(), "this seat belongs to a person", "who still plays");
    let mut hears = server.listen(&opened, ann, None);
    let eve = RefCell::default();
    play_until(&server, &opened, &[ann, bob], || {
        let joined = join(&opened.host, "Eve");
        if joined.status != 200 {
            assert_eq!(joined.message(), "this seat belongs to a person", "{}", joined.text);
            return false;
        }
        eve.replace(joined.body["secret"].as_str().unwrap().to_owned());
        true
    });
    let eve = eve.into_inner();
    assert_eq!(server.get(&opened.path(""), bob).status, 403, "the seat is no longer Bob's");
    assert_eq!(join(&opened.host, "Dan").message(), "this seat belongs to a person", "who is awaited");
    play_until(&server, &opened, &[ann], || server.get(&opened.path("/view"), &eve).status == 200);
    let changes = [hears.line("change").data, hears.line("change").data];
    assert_eq!(changes.each_ref().map(|change| change["choice"].as_str().unwrap()), ["leave 1", "join 1"]);
    let view = server.get(&opened.path("/view"), &eve).body;
    assert_eq!(join(&opened.host, "Dan").message(), "this seat belongs to a person", "who plays");
    // A restart from the journal gives the same view.
    drop(server);
    let server = Running::start(in_folder(folder.path()));
    assert_eq!(server.get(&opened.path("/view"), &eve).body, view);
}

#[test]
fn bots_play_on_by_themselves_and_a_pace_slows_them() {
    let server = Running::start(options());
    let who = seats(&["bot:scripted", "bot:random", "bot:scripted", "bot:random"]);
    let open = |pace: u32| {
        let rules = json!({ "players": 4, "hands": 1 });
        server.open(json!({ "game": "dalmuti", "rules": rules, "seats": who, "pace": pace }))
    };
    let opened = open(0);
    let mut events = server.listen(&opened, &opened.watch, None);
    events.line("end");
    let closed = events.next().unwrap();
    assert_eq!((closed.name.as_str(), closed.data), ("closed", json!({ "why": "over" })));
    assert!(events.next().is_none(), "a stream ends with the session");
    let trace = server.get(&opened.path("/trace"), &opened.host);
    assert_eq!(trace.status, 200);
    let opened = open(50);
    let mut events = server.listen(&opened, &opened.watch, None);
    events.line("move");
    let begun = std::time::Instant::now();
    for _ in 0..4 {
        events.line("move");
    }
    assert!(begun.elapsed() >= std::time::Duration::from_millis(4 * 50 - 10), "{:?}", begun.elapsed());
}
