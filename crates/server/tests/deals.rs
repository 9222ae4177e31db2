//! Deals that players can verify, and tables that wait until all people are ready.

use std::path::Path;
use std::process::Command;

use crate::common::{Opened, Running, in_folder, options, seats};
use cardsharp_server::Published;
use serde_json::{Value, json};

const SALTS: [&str; 2] = ["rain-in-June", "17:04"];

/// Opens a table of two people.
fn table(server: &Running, more: Value) -> Opened {
    let mut request = json!({ "game": "kuhn", "seats": seats(&["Ann", "Bob"]), "ready_check": true });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.open(request)
}

fn state(server: &Running, opened: &Opened) -> Value {
    server.get(&opened.path(""), &opened.watch).body
}

fn ready(server: &Running, opened: &Opened, seat: usize, body: Value) -> (u16, String) {
    let reply = server.post(&opened.path("/ready"), &opened.seats[seat], body);
    (reply.status, reply.code().to_owned())
}

fn deals(state: &Value) -> Published {
    serde_json::from_value(state["deals"].clone()).unwrap()
}

/// Plays the first legal moves until the session is over. Returns everything that the people and the spectators could get
/// before.
fn play(server: &Running, opened: &Opened) -> String {
    let mut got = String::new();
    let secrets = [&opened.seats[0], &opened.seats[1], &opened.watch, &opened.host];
    while state(server, opened)["over"] == false {
        for secret in secrets {
            got += &server.get(&opened.path(""), secret).text;
            got += &server.get(&opened.path("/view?any=true"), secret).text;
            got += &server.get(&opened.path("/events?wait=0"), secret).text;
        }
        for secret in &opened.seats {
            let view = server.get(&opened.path("/view"), secret);
            if view.status == 200 {
                let choice = json!({ "move": view.body["legal"][0] });
                assert_eq!(server.post(&opened.path("/moves"), secret, choice).status, 200);
            }
        }
    }
    got
}

#[test]
fn the_secret_and_the_salts_give_the_deals_and_are_published_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::start(in_folder(folder.path()));
    let opened = table(&server, json!({}));
    let commitment = deals(&state(&server, &opened)).commitment;
    // Neither a restart nor a save changes it.
    drop(server);
    server = Running::start(in_folder(folder.path()));
    let again = json!({ "salt": "first-thought" });
    assert_eq!(ready(&server, &opened, 0, again).0, 200);
    assert_eq!(ready(&server, &opened, 0, json!({ "ready": false })).0, 200);
    assert_eq!(ready(&server, &opened, 0, json!({ "salt": SALTS[0] })).0, 200);
    let save = server.post(&opened.path("/save"), &opened.host, Value::Null).body;
    assert_eq!(server.post("/v1/tables/restore", "", save).status, 200);
    let now = state(&server, &opened);
    let facts = |name: &str| [0, 1].map(|seat| now["seats"][seat][name] == true);
    assert_eq!(
        (facts("ready"), facts("salted"), &now["waiting"]),
        ([true, false], [true, false], &json!(true))
    );
    assert_eq!(ready(&server, &opened, 1, json!({ "salt": SALTS[1] })).0, 200);
    let mut events = server.listen(&opened, &opened.watch, None);
    events.line("deal");
    drop((events, server));
    server = Running::start(in_folder(folder.path()));
    // Nothing shows the secret, the seed or a salt before the end.
    let got = play(&server, &opened);
    let now = state(&server, &opened);
    let published = deals(&now);
    let seed = published.verify().unwrap();
    assert_eq!(published.commitment, commitment);
    let salts = published.salts.as_ref().unwrap().iter();
    assert_eq!(
        salts.map(|salt| (salt.seat, salt.salt.as_str())).collect::<Vec<_>>(),
        [(0, SALTS[0]), (1, SALTS[1])]
    );
    assert!(got.contains(&commitment) && got.contains("\"deal\""));
    for hidden in [published.secret.as_deref().unwrap(), &seed.to_string(), SALTS[0], SALTS[1]] {
        assert!(!got.contains(hidden), "{hidden} in {got}");
    }
    // The last event `table` of a stream has them, too. The event log and the trace have the seed.
    let mut events = server.listen(&opened, &opened.seats[1], None);
    assert_eq!(deals(&events.named("table").data), published);
    assert_eq!(events.line("end").data["seed"], seed);
    let trace = server.get(&opened.path("/trace"), &opened.watch).text;
    assert_eq!(cardsharp_env::trace::replay(&trace).unwrap().seed(), seed);
    python(folder.path(), &now, &trace, true);
    let mut other = now.clone();
    other["deals"]["salts"][1]["salt"] = json!("17:05");
    python(folder.path(), &other, &trace, false);
}

/// Runs the check in Python of docs/fair-deals.md, which knows nothing of this project's code.
fn python(folder: &Path, state: &Value, trace: &str, fits: bool) {
    let page = include_str!("../../../docs/fair-deals.md");
    let (_, code) = page.split_once("```python\n").unwrap();
    let (code, _) = code.split_once("```").unwrap();
    std::fs::write(folder.join("table.json"), state.to_string()).unwrap();
    std::fs::write(folder.join("session.jsonl"), trace).unwrap();
    let done = Command::new("python3").arg("-c").arg(code).current_dir(folder).output().unwrap();
    assert_eq!(done.status.success(), fits, "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_waiting_table_shows_no_cards_and_takes_no_moves() {
    let server = Running::start(options());
    let opened = table(&server, json!({ "deal": false }));
    let [ann, bob] = [0, 1].map(|seat| opened.seats[seat].as_str());
    let mut events = server.listen(&opened, ann, None);
    assert_eq!(events.named("table").data["waiting"], true);
    let code = |method: &str, path: &str, secret: &str, body: Value| {
        server.ask(method, &opened.path(path), secret, body).code().to_owned()
    };
    assert_eq!(code("POST", "/moves", ann, json!({ "move": "bet" })), "waiting");
    assert_eq!(code("POST", "/deal", ann, Value::Null), "waiting");
    assert_eq!(code("POST", "/undo", ann, Value::Null), "nothing_to_undo");
    assert_eq!(code("POST", "/leave", ann, Value::Null), "waiting");
    assert_eq!(code("POST", "/join", &opened.host, json!({ "who": { "person": "Eve" } })), "waiting");
    assert_eq!(code("GET", "/view", ann, Value::Null), "waiting");
    assert_eq!(code("GET", "/view?any=true", ann, Value::Null), "no_view");
    assert_eq!(code("GET", "/trace", ann, Value::Null), "not_over");
    for salt in ["", "two words", "é", &"x".repeat(65)] {
        assert_eq!(code("POST", "/ready", ann, json!({ "salt": salt })), "value", "{salt}");
    }
    // Another person takes the seat, and must say so again.
    assert_eq!(ready(&server, &opened, 1, json!({})).0, 200);
    let renewed = server.post(&opened.path("/secret"), &opened.host, json!({ "seat": 1 })).body;
    let now = state(&server, &opened);
    assert_eq!((&now["seats"][1]["ready"], &now["seen"]), (&json!(false), &json!([])));
    assert_eq!(ready(&server, &opened, 0, json!({})).0, 200);
    assert_eq!(code("POST", "/ready", bob, json!({})), "forbidden");
    let ready_bob = server.post(&opened.path("/ready"), renewed["secret"].as_str().unwrap(), json!({}));
    assert_eq!(ready_bob.status, 200);
    let header = events.named("");
    assert_eq!((header.id.as_str(), &header.data["line"]), ("0-0", &json!("header")));
    assert_eq!(ready(&server, &opened, 0, json!({})), (409, "started".to_owned()));
}

#[test]
fn the_host_starts_without_a_person_who_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let opened = table(&server, json!({}));
    assert_eq!(ready(&server, &opened, 0, json!({})).0, 200);
    let substitute = |body: Value| server.post(&opened.path("/substitute"), &opened.host, body).status;
    assert_eq!(substitute(json!({ "seat": 1, "bot": "scripted" })), 200);
    let mut events = server.listen(&opened, &opened.seats[0], None);
    events.named("legal");
    let now = state(&server, &opened);
    assert_eq!((&now["waiting"], &now["seats"][1]["substitute"]), (&json!(false), &json!("scripted")));
    // The person can still come, also after a restart.
    assert_eq!(substitute(json!({ "seat": 1, "bot": null })), 200);
    drop((events, server));
    let server = Running::start(in_folder(folder.path()));
    play(&server, &opened);
    assert_eq!(deals(&state(&server, &opened)).salts, Some(Vec::new()));
}

#[test]
fn names_in_the_event_log_are_those_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::start(in_folder(folder.path()));
    let opened = table(&server, json!({ "seats": seats(&["Ann", "bot:random"]), "open": true }));
    let joined =
        server.post(&opened.path("/join"), "", json!({ "seat": 1, "who": { "person": "Eve" } })).body;
    let eve = joined["secret"].as_str().unwrap().to_owned();
    assert_eq!(ready(&server, &opened, 0, json!({})).0, 200);
    assert_eq!(server.post(&opened.path("/ready"), &eve, json!({})).status, 200);
    for _ in 0..2 {
        let header = server.listen(&opened, &eve, None).named("").data;
        assert_eq!(header["names"], json!(["Ann", "Eve"]));
        drop(server);
        server = Running::start(in_folder(folder.path()));
    }
    assert_eq!(state(&server, &opened)["seen"], json!([]));
}

#[test]
fn every_table_commits_to_its_deals_unless_the_host_chose_the_seed() {
    let server = Running::start(options());
    let opened = table(&server, json!({ "ready_check": false }));
    let (commitment, now) = (deals(&state(&server, &opened)).commitment, state(&server, &opened));
    assert_eq!(
        (&now["waiting"], &now["deals"]["secret"], &now["deals"]["seed"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    play(&server, &opened);
    let published = deals(&state(&server, &opened));
    assert_eq!((published.verify().is_ok(), published.commitment), (true, commitment));
    let opened = table(&server, json!({ "seed": 3 }));
    let now = state(&server, &opened);
    assert_eq!((&now["deals"], &now["seed_chosen"]), (&Value::Null, &json!(true)));
    assert_eq!(ready(&server, &opened, 0, json!({ "salt": "rain" })), (400, "value".to_owned()));
    assert_eq!([0, 1].map(|seat| ready(&server, &opened, seat, json!({})).0), [200, 200]);
    play(&server, &opened);
    let mut events = server.listen(&opened, &opened.watch, None);
    assert_eq!(events.line("end").data["seed"], 3);
}
