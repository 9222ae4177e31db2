//! Tables survive the end of the server, whatever ended it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

use crate::common::{
    Events, Opened, PATIENCE, Running, ask, connect, in_folder, limited, noticed, options, seats,
};
use cardsharp_server::{DataError, Limits, NamedNetwork, Options, Published, Server, StartError, until};
use serde_json::{Value, json};

/// The environment variable that turns a process of this test into the server to kill.
const FOLDER: &str = "CARDSHARP_TEST_FOLDER";

fn request() -> Value {
    let who = seats(&["Ann", "Bob", "bot:scripted", "bot:random"]);
    json!({ "game": "dalmuti", "rules": { "players": 4, "hands": 3 }, "seats": who, "seed": 3 })
}

/// The options of a server in this folder that offers the bot `strong`.
fn with_strong(folder: &Path) -> Options {
    let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/dalmuti/bot");
    let strong = NamedNetwork { name: "strong".to_owned(), path: bundle.into() };
    Options { bots: vec![strong], ..in_folder(folder) }
}

/// Makes one move for Ann or Bob. Returns false if neither must decide.
fn one_move(address: std::net::SocketAddr, opened: &Opened) -> bool {
    for secret in opened.seats.iter().take(2) {
        let due = ask(address, "GET", &opened.path("/view"), secret, Value::Null);
        if due.status == 200 {
            let choice = due.body["legal"].as_array().unwrap().last().unwrap().clone();
            let reply = ask(address, "POST", &opened.path("/moves"), secret, json!({ "move": choice }));
            return reply.status == 200;
        }
    }
    false
}

/// Returns the first `least` lines of an event log, with the ids of their events.
fn record(server: &Running, opened: &Opened, secret: &str, least: usize) -> Vec<(String, Value)> {
    let mut events = server.listen(opened, secret, None);
    (0..least).map(|_| events.named("")).map(|event| (event.id, event.data)).collect()
}

#[test]
fn a_table_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let opened = server.open(request());
    let mut moved = 0;
    while moved < 4 {
        moved += usize::from(one_move(server.address, &opened));
    }
    let before = record(&server, &opened, &opened.seats[0], 8);
    drop(server);
    let server = Running::start(in_folder(folder.path()));
    assert_eq!(record(&server, &opened, &opened.seats[0], 8), before);
    while !one_move(server.address, &opened) {}
    // While one server uses the folder, no other can.
    let second = Server::new("127.0.0.1:0".parse().unwrap(), in_folder(folder.path())).map(|_| ());
    assert!(matches!(second, Err(StartError::Data(DataError::InUse(_)))));
}

#[test]
fn a_table_is_read_from_its_last_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { checkpoint: 1, ..Limits::default() };
    let options = || Options { limits: limits.clone(), ..in_folder(folder.path()) };
    let mut server = Running::start(options());
    let who = seats(&["Ann", "Bob", "bot:scripted", "bot:random"]);
    let rules = json!({ "players": 4, "rounds": 9 });
    let request = json!({ "game": "tahimi", "rules": rules, "seats": who, "spectators": "delayed" });
    let opened = server.open(request);
    let eve = json!({ "who": { "person": "Eve" } });
    let joined = server.post(&opened.path("/join"), &opened.host, eve).body;
    let mut people = opened.seats.clone();
    people.push(joined["secret"].as_str().unwrap().to_owned());
    let file = table_file(folder.path(), &opened);
    let everything = |server: &Running, people: &[String]| {
        let got = |secret: &String| {
            let events = server.get(&opened.path("/events?wait=0"), secret).text;
            [events, server.get(&opened.path("/view?any=true"), secret).text]
        };
        let all = people.iter().chain([&opened.watch]).filter(|secret| !secret.is_empty());
        (server.get(&opened.path(""), &opened.host).body, all.flat_map(got).collect::<Vec<_>>())
    };
    let mut checkpoints = 0;
    while server.get(&opened.path(""), &opened.host).body["over"] == false {
        for secret in people.iter().filter(|secret| !secret.is_empty()) {
            let due = server.get(&opened.path("/view"), secret);
            if due.status == 200 {
                let choice = json!({ "move": due.body["legal"][0] });
                assert_eq!(server.post(&opened.path("/moves"), secret, choice).status, 200);
            }
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let found = text.matches("[{\"checkpoint\":").count();
        let is_at_rest = people.iter().any(|secret| server.get(&opened.path("/view"), secret).status == 200);
        if found > checkpoints && is_at_rest {
            checkpoints = found;
            let before = everything(&server, &people);
            drop(server);
            server = Running::start(options());
            assert_eq!(everything(&server, &people), before);
            if people[2].is_empty() && found > 3 {
                // Her event log is in no checkpoint, so the whole journal is read.
                let dan = json!({ "seat": 2, "who": { "person": "Dan" } });
                let joined = server.post(&opened.path("/join"), &opened.host, dan).body;
                people[2] = joined["secret"].as_str().unwrap().to_owned();
                let before = everything(&server, &people);
                drop(server);
                server = Running::start(options());
                assert_eq!(everything(&server, &people), before);
            }
        }
    }
    assert!(checkpoints > 5, "{checkpoints} checkpoints");
    let trace = server.get(&opened.path("/trace"), &opened.host).text;
    assert!(cardsharp_env::trace::replay(&trace).unwrap().over());
}

/// Tables of every release; see crates/cli/tests/releases/README.md.
#[test]
fn tables_of_releases_continue() {
    let releases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/releases");
    let mut read = 0;
    for release in std::fs::read_dir(releases).unwrap().map(|entry| entry.unwrap().path()) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("tables")).unwrap();
        let known = std::fs::read_to_string(release.join("opened.json")).unwrap();
        let known: Value = serde_json::from_str(&known).unwrap();
        let opened = Opened::read(&known);
        let file = format!("tables/{}.jsonl", opened.table);
        std::fs::copy(release.join(&file), folder.path().join(&file)).unwrap();
        let server = Running::start(in_folder(folder.path()));
        let before = record(&server, &opened, &opened.seats[0], 8);
        while !one_move(server.address, &opened) {}
        assert_eq!(record(&server, &opened, &opened.seats[0], 8), before);
        // The deals are those to which that version committed.
        let state = || server.get(&opened.path(""), &opened.host).body;
        while state()["over"] == false {
            one_move(server.address, &opened);
        }
        let deals: Published = serde_json::from_value(state()["deals"].clone()).unwrap();
        assert_eq!((deals.verify().is_ok(), json!(deals.commitment)), (true, known["commitment"].clone()));
        assert_eq!(deals.salts.unwrap().len(), 2);
        read += 1;
    }
    assert!(read > 0);
}

#[test]
fn a_torn_line_is_dropped_and_anything_else_is_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let (opened, other) = (server.open(request()), server.open(request()));
    let mut moved = 0;
    while moved < 4 {
        moved += usize::from(one_move(server.address, &opened));
    }
    let before = record(&server, &opened, &opened.seats[1], 2);
    drop(server);
    let file = table_file(folder.path(), &opened);
    let whole = std::fs::read_to_string(&file).unwrap();
    assert!(!whole.contains(&opened.seats[0]) && !whole.contains(&opened.host), "secrets are not kept");
    std::fs::write(&file, format!("{whole}[{{\"move\":{{\"seat\":1,\"cho")).unwrap();
    let server = Running::start(in_folder(folder.path()));
    assert_eq!(record(&server, &opened, &opened.seats[1], 2), before);
    while !one_move(server.address, &opened) {}
    drop(server);
    let longer = std::fs::read_to_string(&file).unwrap();
    assert!(longer.starts_with(&whole) && longer.len() > whole.len());
    // A line more, a line less in the middle, another bot, another move, and nothing at all.
    let lines: Vec<&str> = whole.lines().collect();
    let without = [&lines[..1], &lines[2..]].concat().join("\n") + "\n";
    for damaged in [
        format!("{whole}nonsense\n"),
        without,
        whole.replacen("random", "scripted", 1),
        whole.replacen("\"choice\":\"", "\"choice\":\"1", 1),
        String::new(),
    ] {
        std::fs::write(&file, damaged).unwrap();
        let (options, notices) = noticed(in_folder(folder.path()));
        let server = Running::start(options);
        assert_eq!(server.get(&opened.path(""), &opened.host).code(), "no_table");
        assert!(!file.exists() && folder.path().join("damaged").join(file.file_name().unwrap()).exists());
        let notices = notices.lock().unwrap().clone();
        assert!(
            notices.len() == 1 && notices[0].contains(&opened.table) && notices[0].contains("line "),
            "{notices:?}"
        );
        assert_eq!(server.get(&other.path(""), &other.host).status, 200, "other tables continue");
    }
}

/// Returns the journal of a table.
fn table_file(folder: &Path, opened: &Opened) -> PathBuf {
    folder.join("tables").join(&opened.table).with_extension("jsonl")
}

#[cfg(unix)]
#[test]
fn files_that_are_no_journals_stop_no_server() {
    let folder = tempfile::tempdir().unwrap();
    drop(Running::start(in_folder(folder.path())));
    let (tables, saves) = (folder.path().join("tables"), folder.path().join("saves"));
    let fifo = tables.join("0123456789abcdef.jsonl");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    std::fs::write(tables.join("x.jsonl"), "nonsense").unwrap();
    std::fs::write(saves.join("fedcba9876543210.jsonl"), "nonsense").unwrap();
    std::fs::create_dir(tables.join("folder")).unwrap();
    let (options, notices) = noticed(in_folder(folder.path()));
    let server = Running::start(options);
    let opened = server.open(request());
    while !one_move(server.address, &opened) {}
    assert_eq!(server.get("/v1/tables/0123456789abcdef", &opened.host).code(), "no_table");
    let save = json!({ "save": "fedcba9876543210-0" });
    assert_eq!(server.post("/v1/tables/restore", "", save).code(), "unusable");
    let mut notices = notices.lock().unwrap().clone();
    notices.sort();
    let named = ["fedcba9876543210", "0123456789abcdef", "folder", "x.jsonl"];
    assert_eq!(notices.len(), named.len(), "{notices:?}");
    for (notice, name) in notices.iter().zip(named) {
        assert!(notice.contains(name), "{notice}");
    }
}

#[test]
fn a_table_whose_bot_is_not_offered_any_more_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(with_strong(folder.path()));
    let who = seats(&["Ann", "bot:strong", "bot:scripted", "bot:scripted"]);
    let opened = server.open(json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who }));
    drop(server);
    let server = Running::start(in_folder(folder.path()));
    let refused = server.get(&opened.path(""), &opened.watch);
    assert_eq!((refused.status, refused.code()), (409, "unusable"));
    assert!(refused.message().contains("there is no bot `strong`"), "{}", refused.message());
    drop(server);
    let server = Running::start(with_strong(folder.path()));
    assert_eq!(server.get(&opened.path(""), &opened.watch).status, 200);
}

#[test]
fn a_table_that_is_not_used_sleeps() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { asleep: Duration::from_millis(100), ..Limits::default() };
    let server = Running::start(Options { limits, ..in_folder(folder.path()) });
    let (opened, other) = (server.open(request()), server.open(request()));
    while !one_move(server.address, &opened) {}
    let before = record(&server, &opened, &opened.seats[0], 4);
    let listened = server.listen(&other, &other.watch, None);
    std::thread::sleep(Duration::from_secs(1));
    // Outside of the memory, a table is gone when its file is.
    let [file, away] = [table_file(folder.path(), &opened), folder.path().join("away")];
    std::fs::rename(&file, &away).unwrap();
    std::fs::rename(table_file(folder.path(), &other), folder.path().join("other")).unwrap();
    assert_eq!(server.get(&other.path(""), &other.host).status, 200, "it has a listener");
    drop(listened);
    std::fs::rename(&away, &file).unwrap();
    let records: Vec<_> = std::thread::scope(|scope| {
        // A seat can have four streams.
        let reading = (0..4).map(|_| scope.spawn(|| record(&server, &opened, &opened.seats[0], 4)));
        reading.collect::<Vec<_>>().into_iter().map(|read| read.join().unwrap()).collect()
    });
    assert!(records.iter().all(|read| *read == before));
    while !one_move(server.address, &opened) {}
    std::thread::sleep(Duration::from_secs(1));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(server.get(&opened.path(""), &opened.host).code(), "no_table");
}

#[test]
fn a_server_whose_folder_is_gone_accepts_no_changes() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let opened = server.open(request());
    let mut events = server.listen(&opened, &opened.seats[0], None);
    // The bots have moved, and a person must decide.
    while !opened.seats[..2].iter().any(|own| server.get(&opened.path("/view"), own).status == 200) {}
    std::fs::remove_dir_all(folder.path()).unwrap();
    let refused = server.post("/v1/tables", "", request());
    assert_eq!((refused.status, refused.code()), (507, "disk"));
    assert!(!one_move(server.address, &opened));
    let stopped = loop {
        let table = events.named("table").data;
        if !table["stopped"].is_null() {
            break table["stopped"].clone();
        }
    };
    assert_eq!(stopped, "the server could not write to its disk, so the step was not made");
    assert_eq!(server.post(&opened.path("/save"), &opened.host, Value::Null).status, 507);
    // Bots cannot move, either.
    let left =
        |seat: usize| server.post(&opened.path("/leave"), &opened.seats[seat], json!({ "bot": "scripted" }));
    assert_eq!([left(0).status, left(1).status], [507, 507]);
}

#[test]
fn bots_say_that_the_disk_refused_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let who = seats(&["bot:scripted", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let rules = json!({ "players": 4, "hands": 5 });
    let opened =
        server.open(json!({ "game": "dalmuti", "rules": rules, "seats": who, "pace": 100, "seed": 3 }));
    let mut events = server.listen(&opened, &opened.watch, None);
    events.line("move");
    let (tables, away) = (folder.path().join("tables"), folder.path().join("away"));
    std::fs::rename(&tables, &away).unwrap();
    while events.named("table").data["stopped"].is_null() {}
    // They continue when the disk does.
    std::fs::rename(&away, &tables).unwrap();
    while !events.named("table").data["stopped"].is_null() {}
    events.line("move");
}

#[test]
fn a_table_put_aside_is_nowhere_else_and_comes_back_once() {
    let folder = tempfile::tempdir().unwrap();
    for options in [options(), in_folder(folder.path())] {
        let server = Running::start(options);
        let opened = server.open(request());
        while !one_move(server.address, &opened) {}
        let before = record(&server, &opened, &opened.seats[1], 2);
        let saved = server.post(&opened.path("/save"), &opened.host, Value::Null);
        assert_eq!(server.get(&opened.path(""), &opened.host).code(), "no_table");
        let restored = server.post("/v1/tables/restore", "", saved.body.clone());
        assert_eq!(restored.body, json!({ "table": opened.table }));
        assert_eq!(record(&server, &opened, &opened.seats[1], 2), before);
        assert_eq!(server.post("/v1/tables/restore", "", saved.body).code(), "no_save");
    }
}

#[test]
fn a_save_that_cannot_be_brought_back_says_why_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(with_strong(folder.path()));
    let who = seats(&["Ann", "bot:strong", "bot:scripted", "bot:scripted"]);
    let opened = server.open(json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who }));
    let saved = server.post(&opened.path("/save"), &opened.host, Value::Null).body;
    drop(server);
    let server = Running::start(in_folder(folder.path()));
    let restore = |server: &Running| server.post("/v1/tables/restore", "", saved.clone());
    let refused = restore(&server);
    assert_eq!((refused.status, refused.code()), (409, "unusable"));
    assert!(refused.message().contains("there is no bot `strong`"), "{}", refused.message());
    drop(server);
    // A line of another version. The error has the number of the line, but not its content.
    let server = Running::start(with_strong(folder.path()));
    let file = std::fs::read_dir(folder.path().join("saves")).unwrap().next().unwrap().unwrap().path();
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, whole.replacen("\"journal\":2", "\"journal\":3", 1)).unwrap();
    let why = "this server cannot continue the table: line 1 of its journal cannot be read";
    assert_eq!(restore(&server).message(), why);
    // A save that was cut after a line is not a shorter session.
    let lines: Vec<&str> = whole.lines().collect();
    for count in 1..lines.len() {
        std::fs::write(&file, lines[..count].join("\n") + "\n").unwrap();
        let why = "this server cannot continue the table: the end of its journal is missing";
        assert_eq!(restore(&server).message(), why);
    }
    std::fs::write(&file, whole).unwrap();
    assert_eq!(restore(&server).status, 200);
    // A save whose file is gone.
    let saved = server.post(&opened.path("/save"), &opened.host, Value::Null).body;
    std::fs::remove_dir_all(folder.path().join("saves")).unwrap();
    assert_eq!(server.post("/v1/tables/restore", "", saved).code(), "no_save");
}

#[test]
fn a_table_ends_whose_file_somebody_removed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let opened = server.open(request());
    std::fs::remove_file(folder.path().join("tables").join(&opened.table).with_extension("jsonl")).unwrap();
    assert_eq!(server.ask("DELETE", &opened.path(""), &opened.host, Value::Null).status, 200);
    assert_eq!(server.get(&opened.path(""), &opened.host).code(), "no_table");
}

#[test]
fn a_table_goes_on_whose_player_hangs_up() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(in_folder(folder.path()));
    let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let rules = json!({ "players": 4, "hands": 4 });
    let opened = server.open(json!({ "game": "dalmuti", "rules": rules, "seats": who, "seed": 3 }));
    let (host, ann, path) = (server.address, &opened.seats[0], opened.path("/moves"));
    let mut begun = Instant::now();
    // The bots continue only after these requests.
    for time in 0.. {
        if server.get(&opened.path(""), ann).body["over"] == true {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "nothing goes on after {time} looks");
        let due = server.get(&opened.path("/view"), ann);
        if due.status != 200 {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        }
        begun = Instant::now();
        let body = json!({ "move": due.body["legal"][0] }).to_string();
        let head = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {ann}\r\n");
        let mut stream = connect(host);
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        // Disconnects at another moment each time.
        std::thread::sleep(Duration::from_micros(100 * (time % 20)));
    }
}

#[test]
fn a_table_whose_journal_is_full_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { journal: 4000, ..Limits::default() };
    for data in [None, Some(folder.path().to_owned())] {
        let options = || Options { data: data.clone(), ..limited(limits.clone()) };
        let server = Running::start(options());
        let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
        let opened = server.open(json!({ "game": "tachtigen", "seats": who, "seed": 3 }));
        let ann = &opened.seats[0];
        let choice = server.listen(&opened, ann, None).named("legal").data["legal"][0].clone();
        // An event log that always has the same few lines, while the journal grows.
        let refused = loop {
            let moved = server.post(&opened.path("/moves"), ann, json!({ "move": choice }));
            let undone = server.post(&opened.path("/undo"), ann, Value::Null);
            if let Some(refused) = [moved, undone].into_iter().find(|reply| reply.status != 200) {
                break refused;
            }
        };
        assert_eq!((refused.status, refused.code()), (409, "long_record"));
        let why =
            "the event log of this table has reached its limit of 4000 bytes: no more moves are possible";
        assert_eq!(refused.message(), why);
        drop(server);
        if data.is_some() {
            let server = Running::start(options());
            assert_eq!(server.get(&opened.path(""), ann).status, 200);
        }
    }
}

#[test]
fn tables_put_aside_long_ago_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let swept = Duration::from_millis(400);
    let put_aside = |server: &Running| {
        let opened = server.open(request());
        server.post(&opened.path("/save"), &opened.host, Value::Null).body
    };
    let restore = |server: &Running, saved: &Value| server.post("/v1/tables/restore", "", saved.clone());
    for data in [None, Some(folder.path().to_owned())] {
        let limits = Limits { aside: swept, ..Limits::default() };
        let (options, notices) = noticed(Options { data, ..limited(limits) });
        let server = Running::start(options);
        let saved = put_aside(&server);
        std::thread::sleep(3 * swept);
        assert_eq!(restore(&server, &saved).code(), "no_save");
        assert!(notices.lock().unwrap()[0].ends_with("was deleted: it was too old"), "not silently");
    }
    let saves = || std::fs::read_dir(folder.path().join("saves")).unwrap().map(|file| file.unwrap().path());
    assert_eq!(saves().count(), 0);
    // Also saves of a server that ran before, for a hundred days.
    let server = Running::start(in_folder(folder.path()));
    let old = put_aside(&server);
    drop(server);
    let days = Duration::from_secs(100 * 24 * 3600);
    std::fs::write(folder.path().join("clock"), days.as_millis().to_string()).unwrap();
    let server = Running::start(in_folder(folder.path()));
    let young = put_aside(&server);
    drop(server);
    // The clock of the system does not matter: it may jump.
    let then = SystemTime::now() - days;
    for file in saves() {
        std::fs::OpenOptions::new().write(true).open(file).unwrap().set_modified(then).unwrap();
    }
    let limits = Limits { idle_over: swept, ..Limits::default() };
    let server = Running::start(Options { data: Some(folder.path().to_owned()), ..limited(limits) });
    std::thread::sleep(3 * swept);
    assert_eq!(saves().count(), 1);
    assert_eq!(restore(&server, &old).code(), "no_save");
    assert_eq!(restore(&server, &young).status, 200);
}

#[test]
fn nothing_that_was_told_is_lost_to_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, mut address) = serve_apart(folder.path());
    let reply = ask(address, "POST", "/v1/tables", "", request());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let opened = Opened {
        table: text(&reply.body["table"]),
        host: text(&reply.body["host"]),
        watch: text(&reply.body["watch"]),
        seats: reply.body["seats"].as_array().unwrap().iter().map(text).collect(),
    };
    for round in 0..10 {
        let headers = format!("Authorization: Bearer {}\r\n", opened.watch);
        let mut events = Events::open(address, &opened.path("/events"), &headers);
        assert_eq!(events.status, 200);
        let moving = std::thread::spawn({
            let (table, host, watch, seats) =
                (opened.table.clone(), opened.host.clone(), opened.watch.clone(), opened.seats.clone());
            let opened = Opened { table, host, watch, seats };
            move || (0..20).filter(|_| one_move_or_gone(address, &opened)).count()
        });
        std::thread::sleep(Duration::from_millis(10 + 7 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        moving.join().unwrap();
        // Everything that was sent before the kill is sent again after it, unchanged.
        let heard: Vec<_> =
            std::iter::from_fn(|| events.next_or_torn()).filter(|event| event.name.is_empty()).collect();
        (child, address) = serve_apart(folder.path());
        let mut again = Events::open(address, &opened.path("/events"), &headers);
        for event in heard {
            assert_eq!(again.named(""), event);
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn one_move_or_gone(address: std::net::SocketAddr, opened: &Opened) -> bool {
    std::panic::catch_unwind(|| one_move(address, opened)).unwrap_or(false)
}

/// Starts a server in a separate process. Returns the process and its address.
fn serve_apart(folder: &Path) -> (Child, std::net::SocketAddr) {
    let own = std::env::current_exe().unwrap();
    let mut child = Command::new(own)
        .args(["--exact", "restart::a_server_to_be_killed", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.map_while(Result::ok).find_map(|line| line.split("address ").nth(1)?.parse().ok());
    (child, address.unwrap())
}

#[test]
fn a_server_to_be_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let server = Server::new("127.0.0.1:0".parse().unwrap(), in_folder(Path::new(&folder))).unwrap();
    println!("address {}", server.address());
    server.run(until(Arc::new(AtomicBool::new(false)))).unwrap();
}
