//! Limits hold, and errors name the limit.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::common::{
    Events, Opened, PATIENCE, Reply, Running, connect, limited, options, seats, send, try_send,
};
use cardsharp_server::{Limits, Options};
use serde_json::{Value, json};

fn dalmuti() -> Value {
    json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]) })
}

#[test]
fn a_body_has_a_limit_and_a_time() {
    let limits = Limits { body: 2000, body_time: Duration::from_millis(200), ..Limits::default() };
    let server = Running::start(limited(limits));
    let large = server.post("/v1/tables", "", json!({ "game": "x".repeat(3000) }));
    assert_eq!((large.status, large.message()), (413, "the body has more than 2000 bytes"));
    let host = server.address;
    let half = format!("POST /v1/tables HTTP/1.1\r\nHost: {host}\r\nContent-Length: 20\r\n\r\n{{\"game\":");
    let slow = send(server.address, &half);
    assert_eq!((slow.status, slow.code()), (408, "slow"));
}

#[test]
fn who_sends_no_request_is_hung_up_on() {
    let limits = Limits { head_time: Duration::from_millis(300), ..Limits::default() };
    let server = Running::start(limited(limits));
    let silent = connect(server.address);
    let mut slow = connect(server.address);
    slow.write_all(b"GET /v1/games HTTP/1.1\r\nHost: loc").unwrap();
    // A client that sent one request and keeps the connection open.
    let mut idle = connect(server.address);
    write!(idle, "GET /v1/none HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
    for mut stream in [silent, slow, idle] {
        let begun = Instant::now();
        let mut rest = Vec::new();
        // Closed or reset: the server does not wait.
        let _ = stream.read_to_end(&mut rest);
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }
}

/// A server that trusts this machine as a proxy, with these limits for an address.
fn proxied(limits: Limits) -> Running {
    let (proxies, token) = (vec!["127.0.0.1".to_owned()], Some(TOKEN.to_owned()));
    Running::start(Options { limits, proxies, token, ..options() })
}

const TOKEN: &str = "0123456789abcdef";

/// Sends a request for the games, forwarded for this client.
fn forwarded(server: &Running, client: &str) -> Reply {
    let head =
        format!("GET /v1/games HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\n", server.address);
    send(server.address, &format!("{head}X-Forwarded-For: {client}\r\nConnection: close\r\n\r\n"))
}

#[test]
fn an_address_sends_a_limited_number_of_requests() {
    let limits = Limits { requests_of_address: 1, ..Limits::default() };
    let server = proxied(limits);
    let mut answers: Vec<Reply> = (0..30).map(|_| forwarded(&server, "192.0.2.7")).collect();
    assert!(answers[..10].iter().all(|answer| answer.status == 200));
    // Ten requests at once, and one more for each second that they take.
    let refused = answers.pop().unwrap();
    assert_eq!((refused.status, refused.code()), (429, "rate"), "{}", refused.text);
    assert!(refused.message().starts_with("too many requests from your address: at most 1 in a second"));
    assert!(refused.head.contains("retry-after: "), "{}", refused.head);
    // Forged addresses come before the one that the proxy appends.
    assert_eq!(forwarded(&server, "198.51.100.1, 192.0.2.7").status, 429);
    assert_eq!(forwarded(&server, "192.0.2.8").status, 200);
    for _ in 0..30 {
        assert_eq!(server.get("/v1/games", TOKEN).status, 200, "this machine has no limit");
    }
}

#[test]
fn an_address_has_a_limited_number_of_connections() {
    let limits = Limits { connections_of_address: 2, counts_this_machine: true, ..Limits::default() };
    let server = Running::start(limited(limits));
    // A connection counts once the server has accepted it, and connections are accepted in order.
    let first: Vec<_> = (0..2).map(|_| connect(server.address)).collect();
    let refused = server.get("/v1/games", "");
    assert_eq!((refused.status, refused.code()), (429, "rate"), "{}", refused.text);
    assert!(refused.head.contains("retry-after: 1") && refused.head.contains("connection: close"));
    let second: Vec<_> = (0..2).map(|_| connect(server.address)).collect();
    let mut flood = connect(server.address);
    // The server hangs up without an answer.
    assert_eq!(flood.read(&mut [0]).unwrap_or(0), 0);
    drop((first, second));
    let begun = Instant::now();
    let request = format!("GET /v1/games HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    // Until the server notices that the connections are closed, it hangs up.
    while try_send(server.address, &request).map_or(0, |reply| reply.status) != 200 {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_client_behind_a_proxy_waits_for_a_limited_number_of_answers() {
    let server = proxied(Limits { connections_of_address: 2, ..Limits::default() });
    let opened = server.post("/v1/tables", TOKEN, dalmuti());
    let opened = Opened::read(&opened.body);
    let listen = |client: &str| {
        let headers = format!("Authorization: Bearer {}\r\nX-Forwarded-For: {client}\r\n", opened.watch);
        Events::open(server.address, &opened.path("/events"), &headers)
    };
    let streams: Vec<Events> = (0..2).map(|_| listen("192.0.2.7")).collect();
    assert_eq!(streams.iter().map(|stream| stream.status).collect::<Vec<_>>(), [200, 200]);
    assert_eq!(forwarded(&server, "192.0.2.7").code(), "rate");
    assert_eq!(listen("192.0.2.8").status, 200);
    drop(streams);
    let begun = Instant::now();
    while forwarded(&server, "192.0.2.7").status != 200 {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Asks for a stream until the server has noticed that others were closed.
fn stream_soon(server: &Running, opened: &Opened, secret: &str) -> Events {
    let begun = Instant::now();
    loop {
        let events = server.listen(opened, secret, None);
        if events.status == 200 {
            return events;
        }
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn tables_and_streams_are_counted() {
    let limits = Limits { tables: 2, streams: 4, streams_of_table: 2, ..Limits::default() };
    let server = Running::start(limited(limits));
    let first = server.open(dalmuti());
    let second = server.open(dalmuti());
    let third = server.post("/v1/tables", "", dalmuti());
    assert_eq!((third.status, third.message()), (503, "the limit of 2 tables is reached"));
    let mut streams: Vec<Events> = (0..2).map(|_| server.listen(&first, &first.watch, None)).collect();
    let full = |opened: &Opened, secret: &str| {
        let full = server.get(&opened.path("/events"), secret);
        assert_eq!(full.status, 503);
        full.message().to_owned()
    };
    assert_eq!(full(&first, &first.watch), "the limit of 2 streams for spectators of this table is reached");
    streams.push(server.listen(&second, &second.watch, None));
    // The rest is for seats.
    assert_eq!(full(&second, &second.watch), "the limit of 3 streams for spectators is reached");
    streams.push(server.listen(&first, &first.seats[0], None));
    assert_eq!(streams[3].status, 200);
    assert_eq!(full(&second, &second.seats[0]), "the limit of 4 streams is reached");
    // Closed streams and ended tables no longer count.
    streams.clear();
    stream_soon(&server, &second, &second.watch);
    assert_eq!(server.ask("DELETE", &first.path(""), &first.host, Value::Null).status, 200);
    assert_eq!(server.get(&first.path(""), &first.host).code(), "no_table");
    server.open(dalmuti());
}

#[test]
fn a_new_stream_of_a_seat_ends_its_oldest() {
    let limits = Limits { streams_of_table: 1, streams_of_seat: 2, ..Limits::default() };
    let server = Running::start(limited(limits));
    let opened = server.open(dalmuti());
    let _watching = server.listen(&opened, &opened.watch, None);
    let mut streams: Vec<Events> = (0..3).map(|_| server.listen(&opened, &opened.seats[0], None)).collect();
    // The first one ends, the others continue.
    assert_eq!(streams[0].named("closed").data["why"], "replaced");
    let legal = streams[1].named("legal").data["legal"][0].clone();
    streams[2].named("legal");
    let moved = server.post(&opened.path("/moves"), &opened.seats[0], json!({ "move": legal }));
    assert_eq!(moved.status, 200);
    streams[1..].iter_mut().for_each(|events| assert_eq!(events.line("move").data["seat"], 0));
}

#[test]
fn tickets_are_counted_for_each_event_log() {
    let limits = Limits { streams: 4, streams_of_table: 2, streams_of_seat: 1, ..Limits::default() };
    let server = Running::start(limited(limits));
    let (first, second) = (server.open(dalmuti()), server.open(dalmuti()));
    let ask = |opened: &Opened, secret: &str| server.post(&opened.path("/tickets"), secret, Value::Null);
    let ticket = ask(&first, &first.watch).body["ticket"].as_str().unwrap().to_owned();
    assert_eq!(ask(&first, &first.watch).status, 200);
    let full = ask(&first, &first.watch);
    assert_eq!((full.status, full.message()), (503, "the limit of 2 tickets for this event log is reached"));
    assert_eq!(ask(&second, &second.watch).status, 200);
    assert_eq!(ask(&second, &second.watch).message(), "the limit of 3 tickets for spectators is reached");
    assert_eq!(ask(&first, &first.seats[0]).status, 200);
    assert_eq!(ask(&second, &second.seats[0]).message(), "the limit of 4 tickets is reached");
    // A used ticket no longer counts.
    let path = first.path(&format!("/events?ticket={ticket}"));
    assert_eq!(Events::open(server.address, &path, "").status, 200);
    assert_eq!(ask(&first, &first.watch).status, 200);
}

#[test]
fn too_many_connections_are_refused() {
    let server = Running::start(limited(Limits { connections: 4, ..Limits::default() }));
    let idle: Vec<_> = (0..4).map(|_| connect(server.address)).collect();
    let begun = Instant::now();
    loop {
        // The server may not have accepted all of them yet.
        let reply = server.get("/v1/games", "");
        if reply.status == 503 {
            assert_eq!((reply.code(), reply.message()), ("full", "the limit of connections is reached"));
            break;
        }
        assert!(begun.elapsed() < PATIENCE);
    }
    drop(idle);
    while server.get("/v1/games", "").status != 200 {
        assert!(begun.elapsed() < PATIENCE);
    }
}

#[test]
fn one_table_cannot_take_all_places_to_wait() {
    let limits = Limits { waiting: 3, waiting_of_table: 2, tries: 1_000_000, ..Limits::default() };
    let server = Running::start(limited(limits));
    let (slow, other) = (server.open(dalmuti()), server.open(dalmuti()));
    let (ann, path) = (&slow.seats[0], slow.path("/hint"));
    server.listen(&slow, ann, None).named("legal");
    // Three hints that take longer than the test: two of them wait, and the server refuses the one that comes last.
    let endless = json!({ "bot": "search:1000000" }).to_string();
    let mut asked: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = connect(server.address);
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {ann}\r\n",
                server.address
            );
            write!(stream, "{head}Content-Length: {}\r\n\r\n{endless}", endless.len()).unwrap();
            stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    let refused = loop {
        assert!(begun.elapsed() < PATIENCE);
        let mut reply = [0; 1024];
        if let Some(size) = asked.iter_mut().find_map(|stream| stream.read(&mut reply).ok()) {
            break String::from_utf8_lossy(&reply[..size]).into_owned();
        }
    };
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("busy"), "{refused}");
    assert_eq!(server.post(&path, ann, Value::Null).code(), "busy");
    let others = server.post(&other.path("/leave"), &other.host, json!({ "seat": 1 }));
    assert_eq!(others.code(), "rules", "there is a place for others");
}

#[test]
fn tables_that_nobody_asks_for_are_dropped() {
    let limits = Limits { idle: Duration::from_millis(200), ..Limits::default() };
    let server = Running::start(limited(limits));
    let (kept, dropped) = (server.open(dalmuti()), server.open(dalmuti()));
    let _listening = server.listen(&kept, &kept.watch, None);
    std::thread::sleep(Duration::from_millis(800));
    assert_eq!(server.get(&dropped.path(""), &dropped.watch).code(), "no_table");
    assert_eq!(server.get(&kept.path(""), &kept.watch).status, 200);
}

#[test]
fn a_listener_who_stalls_holds_up_nobody_and_is_hung_up_on() {
    // Longer than a busy machine lets the client that listens wait.
    let limits = Limits { write_time: Duration::from_millis(1500), ..Limits::default() };
    let server = Running::start(limited(limits));
    // The bots' events exceed all buffers.
    let who = seats(&["bot:random", "bot:random", "bot:random", "bot:random"]);
    let rules = json!({ "players": 4, "hands": 800 });
    let opened = server.open(json!({ "game": "dalmuti", "rules": rules, "seats": who }));
    let mut stalled: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = connect(server.address);
            let (path, secret) = (opened.path("/events"), &opened.watch);
            let host = server.address;
            write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n\r\n")
                .unwrap();
            stream
        })
        .collect();
    let mut events = server.listen(&opened, &opened.watch, None);
    let mut bytes = 0;
    let last = loop {
        let event = events.named("");
        bytes += event.data.to_string().len();
        if event.data["line"] == "end" {
            break event;
        }
    };
    std::thread::sleep(Duration::from_secs(4));
    for stream in &mut stalled {
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard);
        // The client gets what was in the system's buffers, and nothing more.
        assert!(!heard.is_empty() && heard.len() < bytes, "{} of {bytes}", heard.len());
    }
    // It can resume where the stream ended.
    let before = last.id.replace('-', " ").split(' ').nth(1).unwrap().parse::<usize>().unwrap() - 1;
    let mut resumed = server.listen(&opened, &opened.watch, Some(&format!("0-{before}")));
    assert_eq!(resumed.named(""), last);
}

/// Makes moves for Ann until one is refused, or an event says that the bots cannot continue. Returns the reason.
fn stopped(server: &Running, opened: &Opened) -> String {
    let mut events = server.listen(opened, &opened.seats[0], None);
    loop {
        let event = events.next().unwrap();
        match (event.name.as_str(), &event.data["stopped"]) {
            ("legal", _) => {
                let choice = event.data["legal"][0].clone();
                let reply = server.post(&opened.path("/moves"), &opened.seats[0], json!({ "move": choice }));
                if reply.status != 200 {
                    return reply.message().to_owned();
                }
            }
            ("table", Value::String(why)) => return why.clone(),
            _ => {}
        }
    }
}

#[test]
fn records_have_limits() {
    let server = Running::start(limited(Limits { record: 2500, ..Limits::default() }));
    let why = stopped(&server, &server.open(dalmuti()));
    assert_eq!(
        why,
        "the event log of this table has reached its limit of 2500 bytes: no more moves are possible"
    );
    // The limit of all tables together. Tables that end free their part.
    let server = Running::start(limited(Limits { records: 20_000, ..Limits::default() }));
    let (first, second) = (server.open(dalmuti()), server.open(dalmuti()));
    let why = "the limit of 20000 bytes of event logs is reached";
    assert_eq!(stopped(&server, &first), why);
    assert_eq!(stopped(&server, &second), why);
    assert_eq!(server.post("/v1/tables", "", dalmuti()).message(), why, "and no more tables");
    assert_eq!(server.ask("DELETE", &first.path(""), &first.host, Value::Null).status, 200);
    // Now there is room, and the second table continues until it has used all of it.
    let before = server.get(&second.path(""), &second.watch).body["stopped"].clone();
    let mut events = server.listen(&second, &second.watch, None);
    while before.is_string() && events.named("table").data["stopped"].is_string() {}
    assert_eq!(stopped(&server, &second), why);
}

#[test]
fn advice_has_limits() {
    let server = Running::start(options());
    let ask = |bot: &str, count: usize| {
        server.post("/v1/advise", "", json!({ "bot": bot, "positions": vec![json!({ "view": {} }); count] }))
    };
    assert_eq!(ask("scripted", 65).message(), "65 positions are too many: expected at most 64");
    assert_eq!(ask("search:2000", 11).message(), "22000 playouts are too many: expected at most 20000");
    let reply = ask("scripted", 2);
    assert_eq!(reply.body["answers"][1]["error"], "the position has no field `game`");
}
