//! What operators need: health, metrics, and a quick stop.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::common::{Running, connect, in_folder, limited, options, seats, send};
use cardsharp_server::{Limits, Options};
use serde_json::json;

const TOKEN: &str = "0123456789abcdef";

#[test]
fn a_server_says_whether_it_works() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let server = Running::start(Options { token: Some(TOKEN.to_owned()), ..in_folder(&data) });
    // Without a token, under any host name, and through a proxy.
    let ask = || {
        let head = "GET /healthz HTTP/1.1\r\nHost: 10.1.2.3\r\nX-Forwarded-For: 192.0.2.7\r\n";
        send(server.address, &format!("{head}Connection: close\r\n\r\n"))
    };
    let well = ask();
    assert_eq!((well.status, well.body), (200, json!({})));
    std::fs::remove_dir_all(&data).unwrap();
    let gone = ask();
    assert_eq!((gone.status, gone.message()), (507, "the data folder of the server is gone"));
}

#[test]
fn metrics_count_requests_and_tables() {
    let server = Running::start(Options { token: Some(TOKEN.to_owned()), ..options() });
    assert_eq!(server.get("/metrics", "").status, 401);
    let who = seats(&["Ann", "bot:scripted"]);
    let opened = server.post("/v1/tables", TOKEN, json!({ "game": "kuhn", "seats": who }));
    assert_eq!(opened.status, 200, "{}", opened.text);
    for _ in 0..3 {
        assert_eq!(server.get("/v1/games", TOKEN).status, 200);
    }
    assert_eq!(server.get("/none", TOKEN).status, 404);
    let metrics = server.get("/metrics", TOKEN);
    assert!(metrics.head.contains("content-type: application/openmetrics-text; version=1.0.0"));
    for line in [
        "cardsharp_requests_total{endpoint=\"games\",status=\"200\"} 3",
        "cardsharp_requests_total{endpoint=\"metrics\",status=\"401\"} 1",
        "cardsharp_requests_total{endpoint=\"none\",status=\"404\"} 1",
        "cardsharp_response_seconds_count{endpoint=\"games\"} 3",
        "cardsharp_tables 1",
        "cardsharp_streams 0",
        "# EOF",
    ] {
        assert!(metrics.text.lines().any(|found| found == line), "{line} is missing:\n{}", metrics.text);
    }
    assert!(!metrics.text.contains("cardsharp_event_log_bytes 0\n"), "{}", metrics.text);
}

#[test]
fn a_server_stops_within_five_seconds() {
    let server = Running::start(limited(Limits { tries: 1_000_000, ..Limits::default() }));
    let who = seats(&["Ann", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let opened = server.open(json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who }));
    let address = server.address;
    let mut stream = server.listen(&opened, &opened.seats[0], None);
    stream.named("legal");
    // A search, half a request, and a client that reads nothing.
    let body = r#"{"bot":"search:1000000"}"#;
    let hint =
        format!("POST {} HTTP/1.1\r\nAuthorization: Bearer {}\r\n", opened.path("/hint"), opened.seats[0]);
    let unfinished: Vec<_> = [
        format!("{hint}Host: {address}\r\nContent-Length: {}\r\n\r\n{body}", body.len()),
        format!("POST /v1/advise HTTP/1.1\r\nHost: {address}\r\nContent-Length: 20\r\n\r\n{{"),
        format!("GET /v1/games HTTP/1.1\r\nHost: {address}\r\n"),
        format!(
            "GET {} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\r\n",
            opened.path("/events"),
            opened.watch
        ),
    ]
    .iter()
    .map(|request| {
        let mut stream = connect(address);
        stream.write_all(request.as_bytes()).unwrap();
        stream
    })
    .collect();
    std::thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    drop(server);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    // Streams end, and are not cut off.
    while stream.next().is_some() {}
    drop(unfinished);
}
