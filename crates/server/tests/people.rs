//! People choose their names, and show emotes.

use crate::common::{Running, in_folder, options, seats};
use serde_json::json;

#[test]
fn a_guest_chooses_a_name_which_outlasts_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::start(in_folder(folder.path()));
    let request = json!({ "game": "tahimi", "rules": { "players": 3 }, "seats": seats(&["Ann", "Guest", "bot:scripted"]) });
    let opened = server.open(request);
    let [ann, guest] = [0, 1].map(|seat| opened.seats[seat].as_str());
    let mut watching = server.listen(&opened, &opened.watch, None);
    watching.named("table");
    let rename = |server: &Running, secret: &str, name: &str| {
        server.post(&opened.path("/name"), secret, json!({ "name": name }))
    };
    assert_eq!(rename(&server, guest, "  Bob ").status, 200);
    assert_eq!(watching.named("table").data["seats"][1]["name"], "Bob");
    assert_eq!(rename(&server, guest, "\u{200b}").status, 400);
    assert_eq!(rename(&server, &opened.watch, "Eve").status, 403);
    // After a bot has had the seat, its next person has another name.
    assert_eq!(server.post(&opened.path("/leave"), guest, json!({ "bot": "scripted" })).status, 200);
    let eve = json!({ "seat": 1, "who": { "person": "Eve" } });
    assert_eq!(server.post(&opened.path("/join"), &opened.host, eve).status, 200);
    assert_eq!(rename(&server, ann, "Anna").status, 200);
    drop(server);
    server = Running::start(in_folder(folder.path()));
    let seats = server.get(&opened.path(""), &opened.watch).body["seats"].clone();
    assert_eq!([&seats[0]["name"], &seats[1]["name"]], [&json!("Anna"), &json!("Eve")]);
}

#[test]
fn event_logs_have_the_names_from_the_start_of_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::start(in_folder(folder.path()));
    let seats = seats(&["Ann", "Guest", "bot:scripted"]);
    let request = json!({ "game": "tahimi", "rules": { "players": 3 }, "seats": seats, "ready_check": true });
    let opened = server.open(request);
    let [ann, guest] = [0, 1].map(|seat| opened.seats[seat].as_str());
    let rename = |server: &Running, name: &str| {
        let reply = server.post(&opened.path("/name"), guest, json!({ "name": name }));
        assert_eq!(reply.status, 200, "{}", reply.text);
    };
    rename(&server, "Bob");
    for secret in [ann, guest] {
        assert_eq!(server.post(&opened.path("/ready"), secret, json!({})).status, 200);
    }
    rename(&server, "Robert");
    let header = |server: &Running| server.listen(&opened, ann, None).line("header").data;
    let before = header(&server);
    assert!(before.to_string().contains("\"Bob\""), "{before}");
    drop(server);
    server = Running::start(in_folder(folder.path()));
    assert_eq!(header(&server), before);
    assert_eq!(server.get(&opened.path(""), ann).body["seats"][1]["name"], "Robert");
}

#[test]
fn everyone_who_listens_sees_an_emote_once() {
    let server = Running::start(options());
    let request = json!({ "game": "tahimi", "rules": { "players": 3 }, "seats": seats(&["Ann", "Bob", "bot:scripted"]) });
    let opened = server.open(request);
    let show =
        |secret: &str, emote: &str| server.post(&opened.path("/emote"), secret, json!({ "emote": emote }));
    let mut listening = [&opened.seats[0], &opened.watch].map(|secret| server.listen(&opened, secret, None));
    listening.iter_mut().for_each(|events| {
        events.named("table");
    });
    assert_eq!(show(&opened.seats[1], "well_played").status, 200);
    for events in &mut listening {
        assert_eq!(events.named("emote").data, json!({ "seat": 1, "emote": "well_played" }));
    }
    let again = show(&opened.seats[1], "wow");
    assert_eq!((again.status, again.code()), (429, "rate"));
    assert!(again.head.contains("retry-after: 2"), "{}", again.head);
    assert_eq!(show(&opened.seats[0], "rude").status, 400);
    assert_eq!(show(&opened.watch, "wow").status, 403);
    // A later stream does not repeat the emote.
    let mut late = server.listen(&opened, &opened.seats[1], None);
    late.named("table");
    assert_eq!(show(&opened.seats[0], "hello").status, 200);
    assert_eq!(late.named("emote").data["emote"], "hello");
}
