//! People who are absent: substitutes, limits of time, and who is present.

use crate::common::{Events, Opened, Running, in_folder, options, seats};
use serde_json::{Value, json};

fn table(server: &Running, more: Value) -> Opened {
    let mut request = json!({ "game": "tahimi", "rules": { "players": 4, "rounds": 2 } });
    request["seats"] = seats(&["Ann", "Bob", "bot:scripted", "bot:scripted"]);
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.open(request)
}

/// Returns the next `table` event for which `is` holds.
fn table_where(events: &mut Events, is: impl Fn(&Value) -> bool) -> Value {
    loop {
        let table = events.named("table").data;
        if is(&table) {
            return table;
        }
    }
}

#[test]
fn everyone_sees_which_people_are_present() {
    let server = Running::start(options());
    let opened = table(&server, json!({}));
    let mut watching = server.listen(&opened, &opened.watch, None);
    let present = |table: &Value| -> Vec<bool> {
        table["seats"].as_array().unwrap().iter().map(|seat| seat["present"].as_bool().unwrap()).collect()
    };
    assert_eq!(present(&watching.named("table").data), [false, false, true, true]);
    let ann = server.listen(&opened, &opened.seats[0], None);
    table_where(&mut watching, |table| present(table) == [true, false, true, true]);
    // A second stream of the same seat changes nothing.
    let second = server.listen(&opened, &opened.seats[0], None);
    drop(ann);
    let _bob = server.listen(&opened, &opened.seats[1], None);
    table_where(&mut watching, |table| present(table) == [true, true, true, true]);
    drop(second);
    table_where(&mut watching, |table| present(table) == [false, true, true, true]);
}

#[test]
fn a_bot_plays_for_an_absent_person_until_they_are_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::start(in_folder(folder.path()));
    let opened = table(&server, json!({}));
    let substitute = |server: &Running, secret: &str, body: Value| {
        let reply = server.post(&opened.path("/substitute"), secret, body);
        (reply.status, reply.message().to_owned())
    };
    let [ann, bob] = [0, 1].map(|seat| opened.seats[seat].as_str());
    // People hand over their own seat, and the host any.
    let refused = substitute(&server, ann, json!({ "seat": 1, "bot": "scripted" }));
    assert_eq!(refused.0, 403);
    let refused = substitute(&server, &opened.host, json!({ "seat": 2, "bot": "scripted" }));
    assert_eq!(refused, (409, "expected the seat of a person".to_owned()));
    assert_eq!(substitute(&server, bob, json!({ "bot": "nonsense" })).0, 400);
    assert_eq!(substitute(&server, bob, json!({ "bot": "scripted" })).0, 200);
    assert_eq!(substitute(&server, &opened.host, json!({ "seat": 0, "bot": "random" })).0, 200);
    // The bots finish the round and the session, but not the people. All see whom bots play for, also after a restart.
    let seats = |server: &Running| server.get(&opened.path(""), &opened.watch).body["seats"].clone();
    let all = seats(&server);
    assert_eq!([&all[0]["substitute"], &all[1]["substitute"]], [&json!("random"), &json!("scripted")]);
    let mut events = server.listen(&opened, ann, None);
    events.line("end");
    drop(events);
    drop(server);
    server = Running::start(in_folder(folder.path()));
    assert_eq!(seats(&server)[1]["substitute"], "scripted");
}

#[test]
fn a_seat_changes_hands_with_the_next_deal() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let opened = table(&server, json!({}));
    let [ann, bob] = [0, 1].map(|seat| opened.seats[seat].as_str());
    let give = |secret: &str, bot: Value| {
        let body = json!({ "bot": bot, "from": "deal" });
        assert_eq!(server.post(&opened.path("/substitute"), secret, body).status, 200);
    };
    assert_eq!(server.post(&opened.path("/substitute"), bob, json!({ "bot": "scripted" })).status, 200);
    give(ann, json!("scripted"));
    give(bob, Value::Null);
    let mut events = server.listen(&opened, ann, None);
    let table = events.named("table").data;
    assert_eq!(table["planned"], json!([{ "seat": 0, "bot": "scripted" }, { "seat": 1, "bot": null }]));
    // Ann plays the first round, and Bob the second.
    let mut watching = server.listen(&opened, &opened.watch, None);
    loop {
        let event = events.next().unwrap();
        if event.name == "legal" {
            let body = json!({ "move": event.data["legal"][0] });
            assert_eq!(server.post(&opened.path("/moves"), ann, body).status, 200);
        }
        if event.data["line"] == "deal" && event.data["round"] == 2 {
            break;
        }
    }
    let table = table_where(&mut watching, |table| table["planned"] == json!([]));
    assert_eq!(
        [&table["seats"][0]["substitute"], &table["seats"][1]["substitute"]],
        [&json!("scripted"), &Value::Null]
    );
    server.listen(&opened, bob, None).named("legal");
    assert_eq!(server.get(&opened.path("/view"), ann).code(), "not_your_turn");
    // The same after a restart.
    drop((events, watching, server));
    let server = Running::start(in_folder(folder.path()));
    server.listen(&opened, bob, None).named("legal");
}

#[test]
fn a_clock_ends_the_time_of_people() {
    let server = Running::start(options());
    let clock = |then: &str| json!({ "clock": { "decision": 1, "then": then } });
    let refused = server.post(
        "/v1/tables",
        "",
        json!({
            "game": "kuhn", "seats": seats(&["Ann", "bot:random"]), "clock": { "decision": 0 },
        }),
    );
    assert_eq!(refused.message(), "`0` cannot be a limit of time: expected 1 to 604800 seconds");
    // A move is made for the person.
    let opened = table(&server, clock("move"));
    let mut watching = server.listen(&opened, &opened.watch, None);
    assert_eq!(watching.named("table").data["clock"]["decision"], 1);
    while watching.line("move").data["seat"].as_u64().unwrap() > 1 {}
    // A bot plays from then on, and the person can return.
    let mut slow = clock("substitute");
    slow["pace"] = json!(200);
    let opened = table(&server, slow);
    let mut events = server.listen(&opened, &opened.seats[0], None);
    let left = events.named("legal").data["seconds"].as_f64().unwrap();
    assert!(left <= 1.0, "{left}");
    table_where(&mut events, |table| table["seats"][0]["substitute"] == "scripted");
    assert_eq!(
        server.post(&opened.path("/substitute"), &opened.seats[0], json!({ "bot": null })).status,
        200
    );
    // The seat is lost.
    let opened = table(&server, clock("leave"));
    let mut events = server.listen(&opened, &opened.seats[0], None);
    events.named("legal");
    while events.next().is_some() {}
    assert_eq!(server.get(&opened.path(""), &opened.seats[0]).status, 403);
}

#[test]
fn the_time_of_a_session_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let clock = json!({ "clock": { "decision": 60, "session": 60, "then": "move" } });
    let opened = table(&server, clock);
    let ann = &opened.seats[0];
    let seconds = |server: &Running| {
        let mut events = server.listen(&opened, ann, None);
        let legal = events.named("legal").data;
        (legal["seconds"].as_f64().unwrap(), legal["legal"][0].clone())
    };
    // Bob lets a bot play so that Ann decides next.
    assert_eq!(
        server.post(&opened.path("/substitute"), &opened.seats[1], json!({ "bot": "scripted" })).status,
        200
    );
    let (first, choice) = seconds(&server);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(server.post(&opened.path("/moves"), ann, json!({ "move": choice })).status, 200);
    let (second, _) = seconds(&server);
    assert!(second <= first - 1.4, "{second} s after {first} s");
    drop(server);
    let server = Running::start(in_folder(folder.path()));
    let (third, _) = seconds(&server);
    assert!((58.0..=58.6).contains(&third), "{third}");
}
