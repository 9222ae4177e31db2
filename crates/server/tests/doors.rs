//! Access control: tokens, secrets, hosts, origins and bots.

use crate::common::{Events, Opened, Running, options, seats, send};
use cardsharp_server::{Limits, NamedNetwork, Options, Server, StartError};
use serde_json::{Value, json};

const TOKEN: &str = "0123456789abcdef";

fn table(server: &Running) -> Opened {
    let who = seats(&["Ann", "Bob", "bot:scripted", "bot:scripted"]);
    server.open(json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who }))
}

#[test]
fn only_requests_to_this_host_and_from_its_pages_are_answered() {
    let allowed = "https://cards.example";
    let server = Running::start(Options { origins: vec![allowed.to_owned()], ..options() });
    let port = server.address.port();
    let get = |host: &str, origin: &str| {
        let origin = if origin.is_empty() { String::new() } else { format!("Origin: {origin}\r\n") };
        send(
            server.address,
            &format!("GET /v1/games HTTP/1.1\r\nHost: {host}\r\n{origin}Connection: close\r\n\r\n"),
        )
    };
    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("[::1]:{port}"),
        "localhost".into(),
    ] {
        assert_eq!(get(&host, "").status, 200, "{host}");
    }
    // A foreign host name that resolves to this machine.
    let foreign = get("cards.example", "");
    assert_eq!((foreign.status, foreign.code()), (421, "host"));
    assert!(foreign.message().ends_with(": expected localhost, 127.0.0.1, [::1]"), "{}", foreign.message());
    assert_eq!(get(&format!("localhost:{port}\r\nHost: cards.example"), "").code(), "host");
    let here = format!("localhost:{port}");
    let own = get(&here, &format!("http://{here}"));
    assert_eq!(own.status, 200);
    assert!(!own.head.contains("access-control"));
    for origin in ["https://evil.example", "null", "http://localhost:1"] {
        assert_eq!(get(&here, origin).code(), "origin", "{origin}");
    }
    assert!(get(&here, allowed).head.contains("access-control-allow-origin: https://cards.example"));
    let asking = format!(
        "OPTIONS /v1/tables HTTP/1.1\r\nHost: {here}\r\nOrigin: {allowed}\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n"
    );
    let preflight = send(server.address, &asking);
    assert_eq!(preflight.status, 204);
    assert!(preflight.head.contains(
        "access-control-allow-headers: authorization, content-type, last-event-id, idempotency-key"
    ));
}

#[test]
fn every_answer_has_headers_that_protect_browsers() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<!doctype html>").unwrap();
    let origins = vec!["https://cards.example".to_owned()];
    let server = Running::start(Options { page: Some(folder.path().to_owned()), origins, ..options() });
    let host = server.address;
    let opened = table(&server);
    let secret = &opened.watch;
    let events = opened.path("/events");
    for (line, more, status) in [
        ("GET / HTTP/1.1", String::new(), 200),
        ("GET /none HTTP/1.1", String::new(), 404),
        ("GET /v1/games HTTP/1.1", String::new(), 200),
        ("PUT /v1/games HTTP/1.1", String::new(), 405),
        ("OPTIONS /v1/tables HTTP/1.1", "Origin: https://cards.example\r\n".to_owned(), 204),
        ("GET / HTTP/1.1", "Origin: https://evil.example\r\n".to_owned(), 403),
        (&format!("GET {events}?after=x HTTP/1.1"), format!("Authorization: Bearer {secret}\r\n"), 400),
    ] {
        let answer = send(host, &format!("{line}\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n"));
        assert_eq!(answer.status, status, "{line}");
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "x-frame-options: deny",
            "content-security-policy: frame-ancestors 'none'",
        ] {
            assert!(answer.head.contains(header), "{line}: no {header} in {}", answer.head);
        }
    }
}

#[test]
fn a_page_is_served_besides() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page");
    let options = || Options { page: Some(page.clone()), token: Some(TOKEN.to_owned()), ..options() };
    let start = || Server::new("127.0.0.1:0".parse().unwrap(), options()).map(|_| ());
    assert!(matches!(start(), Err(StartError::Page(named)) if named == page));
    std::fs::create_dir(&page).unwrap();
    std::fs::write(page.join("index.html"), "<!doctype html>").unwrap();
    std::fs::write(page.join("engine.wasm"), "0").unwrap();
    std::fs::write(page.join("server.json"), "{\"tables\": false}").unwrap();
    std::fs::write(folder.path().join("secret"), "of somebody else").unwrap();
    let server = Running::start(options());
    let accepting = |accept: &str, path: &str| {
        let host = server.address;
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: {accept}");
        send(host, &format!("{head}\r\nConnection: close\r\n\r\n"))
    };
    let get = |path: &str| accepting("identity", path);
    // The page needs no token.
    let index = get("/");
    assert_eq!((index.status, index.text.as_str()), (200, "<!doctype html>"));
    assert!(index.head.contains("content-type: text/html"), "{}", index.head);
    assert!(index.head.contains("cache-control: no-cache"), "{}", index.head);
    assert!(get("/engine.wasm").head.contains("content-type: application/wasm"));
    assert_eq!(get("/server.json").body, json!({ "tables": true, "token": true }));
    for path in ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "/nothing.js", "/v1/nothing"] {
        assert_eq!(get(path).code(), "no_path", "{path}");
    }
    assert_eq!(server.post("/index.html", "", Value::Null).code(), "no_path");
    // Clients that accept gzip get the packed file.
    std::fs::write(page.join("engine.wasm.gz"), "packed").unwrap();
    for (accept, text, is_packed) in [("gzip, br", "packed", true), ("identity", "0", false)] {
        let engine = accepting(accept, "/engine.wasm");
        assert_eq!((engine.status, engine.text.as_str()), (200, text), "{accept}");
        assert_eq!(engine.head.contains("content-encoding: gzip"), is_packed, "{}", engine.head);
        assert!(engine.head.contains("vary: accept-encoding"), "{}", engine.head);
        assert!(engine.head.contains("content-type: application/wasm"), "{}", engine.head);
    }
    // A link may lead to another file of the page, but not out of the folder, and a FIFO does not block the server.
    #[cfg(unix)]
    {
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, page.join(name)).unwrap();
        std::fs::create_dir(page.join("cards")).unwrap();
        std::fs::write(page.join("cards/a b.txt"), "of the page").unwrap();
        link("cards/a b.txt", "inside.txt");
        link("../secret", "outside.txt");
        link("..", "above");
        link("../secret", "index.html.gz");
        let made = std::process::Command::new("mkfifo").arg(page.join("fifo")).status().unwrap();
        assert!(made.success());
        for path in ["/cards/a%20b.txt", "/inside.txt"] {
            assert_eq!(get(path).text, "of the page", "{path}");
        }
        assert_eq!(accepting("gzip", "/").text, "<!doctype html>");
        for path in ["/outside.txt", "/above/secret", "/fifo", "/cards", "/cards/", "/cards/a%00b", "/%ff"] {
            assert_eq!(get(path).code(), "no_path", "{path}");
        }
    }
    // Without a page there are no files, but `/server.json` still says what this server offers, for pages of other
    // origins.
    let bare = Running::start(self::options());
    assert_eq!((bare.get("/", "").status, bare.get("/index.html", "").status), (404, 404));
    // A browser gets help at `/`.
    let host = bare.address;
    let browse = |method: &str, path: &str| {
        let accept = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";
        send(
            host,
            &format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{accept}\r\nConnection: close\r\n\r\n"),
        )
    };
    let help = browse("GET", "/");
    assert_eq!(help.status, 200, "{}", help.head);
    assert!(help.head.contains("content-type: text/html"), "{}", help.head);
    assert!(
        help.text.contains("cardsharp serve --page") && help.text.contains("/v1/openapi.json"),
        "{}",
        help.text
    );
    assert_eq!((browse("GET", "/index.html").status, browse("DELETE", "/").status), (404, 404));
    assert_eq!(bare.get("/server.json", "").body, json!({ "tables": true, "token": false }));
}

#[test]
fn beyond_loopback_a_token_is_demanded() {
    let at = |address: &str, token: Option<&str>| {
        let options = Options { token: token.map(str::to_owned), ..options() };
        Server::new(address.parse().unwrap(), options).map(|_| ())
    };
    assert!(matches!(at("0.0.0.0:0", None), Err(StartError::NoToken(_))));
    assert!(matches!(at("0.0.0.0:0", Some("short")), Err(StartError::ShortToken(5))));
    at("0.0.0.0:0", Some(TOKEN)).unwrap();
    // Tokens that no request can carry: two lines of a file, a space, letters beyond ASCII.
    for (token, place) in
        [("0123456789abcdef\n0123456789abcdef", 17), ("0123456789 abcdef", 11), ("é123456789abcdef", 1)]
    {
        assert!(
            matches!(at("127.0.0.1:0", Some(token)), Err(StartError::Token(at)) if at == place),
            "{token}"
        );
    }
}

#[test]
fn behind_a_proxy_a_token_is_demanded_and_trusted_headers_count() {
    let at = |hosts: &[&str], proxies: &[&str], token: Option<&str>| {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let (hosts, proxies) = (names(hosts), names(proxies));
        Options { hosts, proxies, token: token.map(str::to_owned), ..options() }
    };
    let start = |options| Server::new("127.0.0.1:0".parse().unwrap(), options).map(|_| ());
    assert!(matches!(start(at(&["cards.example"], &[], None)), Err(StartError::NoTokenBehind)));
    assert!(matches!(start(at(&[], &["127.0.0.1"], None)), Err(StartError::NoTokenBehind)));
    for wrong in ["", "https://cards.example", "cards.example:80", "a b"] {
        assert!(
            matches!(start(at(&[wrong], &[], Some(TOKEN))), Err(StartError::Host(named)) if named == wrong)
        );
    }
    for wrong in ["", "proxy", "10.0.0.0/33", "127.0.0.1:80"] {
        assert!(
            matches!(start(at(&[], &[wrong], Some(TOKEN))), Err(StartError::Proxy(named)) if named == wrong)
        );
    }
    let ask = |server: &Running, host: &str, more: &str| {
        let head = format!("GET /v1/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        send(server.address, &format!("{head}Authorization: Bearer {TOKEN}\r\n{more}\r\n"))
    };
    // Without a token, nothing may be forwarded.
    let open = Running::start(options());
    for header in ["X-Forwarded-For: 192.0.2.7", "Forwarded: for=192.0.2.7", "X-Real-IP: 192.0.2.7"] {
        let refused = ask(&open, "localhost", &format!("{header}\r\n"));
        assert_eq!((refused.status, refused.code()), (403, "forwarded"), "{header}");
    }
    assert_eq!(ask(&open, "localhost", "").status, 200);
    // Host names, and the server's own origin by HTTPS.
    let https = "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\n";
    let own = "Origin: https://cards.example\r\n";
    let trusting = Running::start(at(&["Cards.Example"], &["127.0.0.0/8"], Some(TOKEN)));
    let wary = Running::start(at(&["cards.example"], &["192.0.2.1", "::1"], Some(TOKEN)));
    for server in [&trusting, &wary] {
        for host in ["cards.example", "CARDS.example:443", "localhost"] {
            assert_eq!(ask(server, host, https).status, 200, "{host}");
        }
        assert_eq!(ask(server, "evil.example", https).code(), "host");
        assert_eq!(ask(server, "cards.example", own).code(), "origin");
    }
    assert_eq!(ask(&trusting, "cards.example", &format!("{https}{own}")).status, 200);
    assert_eq!(ask(&wary, "cards.example", &format!("{https}{own}")).code(), "origin");
}

#[test]
fn origins_are_compared_as_browsers_send_them() {
    let at = |origin: &str| Options { origins: vec![origin.to_owned()], ..options() };
    let server = Running::start(at("HTTPS://Cards.Example:443"));
    let host = server.address;
    let ask = |origin: &str| {
        send(
            host,
            &format!(
                "GET /v1/games HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: close\r\n\r\n"
            ),
        )
        .status
    };
    assert_eq!(
        ["https://cards.example", "https://cards.example:8443", "http://cards.example"].map(ask),
        [200, 403, 403]
    );
    for wrong in [
        "cards.example",
        "https://",
        "https://cards.example/",
        "https://cards example",
        "https://kärten.example",
    ] {
        let refused = Server::new("127.0.0.1:0".parse().unwrap(), at(wrong)).map(|_| ());
        assert!(matches!(refused, Err(StartError::Origin(named)) if named == wrong), "{wrong}");
    }
}

#[test]
fn a_token_opens_tables_and_secrets_open_seats() {
    let server = Running::start(Options { token: Some(TOKEN.to_owned()), ..options() });
    let none = server.get("/v1/games", "");
    assert_eq!((none.status, none.code()), (401, "unauthorized"));
    assert!(none.head.contains("www-authenticate: bearer"));
    assert_eq!(server.get("/v1/games", "fedcba9876543210").status, 403);
    assert_eq!(server.get("/v1/games", TOKEN).status, 200);
    let who = seats(&["Ann", "Bob", "bot:scripted", "bot:scripted"]);
    let open = json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who });
    assert_eq!(server.post("/v1/tables", "", open.clone()).status, 401);
    let opened = server.post("/v1/tables", TOKEN, open).body;
    let path = format!("/v1/tables/{}", opened["table"].as_str().unwrap());
    // The token gives no access to a seat.
    assert_eq!(server.get(&path, TOKEN).status, 403);
    assert_eq!(server.get(&path, opened["seats"][1].as_str().unwrap()).status, 200);
}

#[test]
fn each_secret_is_for_what_it_is() {
    let server = Running::start(options());
    let (opened, other) = (table(&server), table(&server));
    let status = |method: &str, what: &str, secret: &str| {
        server.ask(method, &opened.path(what), secret, Value::Null).status
    };
    for secret in [&opened.host, &opened.watch, &opened.seats[0], &opened.seats[1]] {
        assert_eq!(status("GET", "", secret), 200);
    }
    for (method, what, secret) in [
        ("POST", "/moves", &opened.host),
        ("POST", "/moves", &opened.watch),
        ("POST", "/hint", &opened.watch),
        ("POST", "/undo", &opened.host),
        ("GET", "/events", &opened.host),
        ("GET", "/view", &opened.host),
        ("DELETE", "", &opened.seats[0]),
        ("DELETE", "", &opened.watch),
        ("POST", "/save", &opened.seats[0]),
        ("POST", "/deal", &opened.watch),
        ("POST", "/leave", &opened.watch),
        ("GET", "", &other.seats[0]),
        ("GET", "/events", &other.watch),
    ] {
        assert_eq!(status(method, what, secret), 403, "{method} {what}");
    }
    assert_eq!(status("GET", "", ""), 401);
    assert_eq!(server.get("/v1/tables/0000000000000000", &opened.host).status, 404);
    let unknown = server.get("/v1/nothing", "");
    assert_eq!((unknown.status, unknown.code()), (404, "no_path"));
    let no_text = server.get("/v1/tables/%ff", &opened.host);
    assert_eq!((no_text.status, no_text.code()), (404, "no_path"), "{}", no_text.text);
    assert_eq!(server.ask("PUT", "/v1/tables", "", Value::Null).status, 405);
}

#[test]
fn a_ticket_opens_one_stream() {
    let server = Running::start(options());
    let (opened, other) = (table(&server), table(&server));
    let ticket = |opened: &Opened, secret: &str| {
        let reply = server.post(&opened.path("/tickets"), secret, Value::Null);
        reply.body["ticket"].as_str().unwrap().to_owned()
    };
    let listen = |opened: &Opened, ticket: &str| {
        Events::open(server.address, &opened.path(&format!("/events?ticket={ticket}")), "")
    };
    let own = ticket(&opened, &opened.seats[1]);
    let mut events = listen(&opened, &own);
    assert_eq!(events.named("").data["seat"], 1);
    assert_eq!(listen(&opened, &own).status, 401, "it is used up");
    let own = ticket(&opened, &opened.seats[1]);
    assert_eq!(listen(&other, &own).status, 401, "it is another table's");
    assert_eq!(server.post(&opened.path("/tickets"), &opened.host, Value::Null).status, 403);
    let own = ticket(&opened, &opened.watch);
    let path = opened.path(&format!("/events?ticket={own}&after=0-0"));
    let mut events = Events::open(server.address, &path, "");
    assert_eq!(events.named("").id, "0-1", "after the header");
}

#[test]
fn clients_name_bots_and_never_paths() {
    let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/dalmuti/bot");
    let named = |name: &str| vec![NamedNetwork { name: name.to_owned(), path: bundle.into() }];
    let server = Running::start(Options { bots: named("strong"), ..options() });
    let open = |bot: &str| {
        let who = seats(&["Ann", &format!("bot:{bot}"), "bot:scripted", "bot:scripted"]);
        server.post("/v1/tables", "", json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who }))
    };
    for bot in [
        "strong",
        "strong@4",
        "strong@10",
        "search",
        "search:50:play",
        "search:50+strong",
        "search:50:beliefs+strong",
        "aggressive",
    ] {
        assert_eq!(open(bot).status, 200, "{bot}");
    }
    for bot in [
        bundle,
        "../bot",
        "strong@11",
        "strong@",
        "search:0",
        "search:2001",
        "search:50ms",
        "search:50+/etc/passwd",
        "nobody",
        "search:nonsense",
        "exec:true",
    ] {
        let refused = open(bot);
        assert_eq!((refused.status, refused.code()), (400, "no_bot"), "{bot}");
        assert!(refused.message().contains("expected random, scripted"), "{}", refused.message());
    }
    // A very long name that would parse like a short one. Every event log would repeat it.
    let long = format!("search:{}20", "0".repeat(900_000));
    let refused = open(&long);
    assert_eq!((refused.status, refused.code()), (400, "no_bot"));
    assert!(
        refused.message().ends_with("expected a name of at most 200 characters"),
        "{}",
        refused.message()
    );
    // This bundle has no belief model. And the limit for playouts applies to levels, too.
    let unwatched = bundle.replace("dalmuti", "taki");
    let unwatched = vec![NamedNetwork { name: "unwatched".to_owned(), path: unwatched.into() }];
    let server = Running::start(Options { bots: unwatched, ..options() });
    let taki = |bot: &str| {
        let table = json!({ "game": "taki", "rules": { "players": 2 }, "seats": seats(&["Ann", bot]) });
        server.post("/v1/tables", "", table).status
    };
    assert_eq!(["bot:search:50+unwatched", "bot:search:50:beliefs+unwatched"].map(taki), [200, 400]);
    let limits = Limits { tries: 10, ..Limits::default() };
    let short = Running::start(Options { limits, bots: named("strong"), ..options() });
    let open = |bot: &str| {
        let who = seats(&["Ann", bot, "bot:scripted", "bot:scripted"]);
        let table = json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who });
        short.post("/v1/tables", "", table).status
    };
    assert_eq!(["bot:strong@9", "bot:search:10+strong", "bot:strong@10"].map(open), [200, 200, 400]);
    let refused = |bots: Vec<NamedNetwork>| {
        let started = Server::new("127.0.0.1:0".parse().unwrap(), Options { bots, ..options() });
        started.map(|_| ()).unwrap_err().to_string()
    };
    for name in ["scripted", "", "a/b", "a@4"] {
        let why = refused(named(name));
        assert!(why.starts_with(&format!("a bot cannot be called `{name}`")), "{why}");
    }
    assert_eq!(refused([named("a"), named("a")].concat()), "two bots are called `a`");
    let nowhere = vec![NamedNetwork { name: "a".to_owned(), path: "no/such/bot".into() }];
    assert_eq!(refused(nowhere), "there is no bot file, bundle or checkpoint at no/such/bot");
    let program = vec![NamedNetwork { name: "a".to_owned(), path: "exec:./bot".into() }];
    assert!(refused(program).starts_with("`exec:./bot`: a server starts no programs as bots"));
}

#[test]
fn bad_requests_say_what_would_be_right() {
    let server = Running::start(options());
    let open = |body: Value| server.post("/v1/tables", "", body).message().to_owned();
    assert!(
        open(json!({ "game": "chess", "seats": [] }))
            .starts_with("there is no game `chess`: expected one of ")
    );
    assert_eq!(
        open(json!({ "game": "dalmuti", "rules": { "plyers": 4 }, "seats": [] })),
        "there is no rules option `plyers`; did you mean `players`?"
    );
    assert_eq!(
        open(json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": seats(&["Ann"]) })),
        "expected 4 seats for these rules, found 1"
    );
    assert!(open(json!({ "game": "dalmuti", "sits": [] })).contains("unknown field `sits`"));
    let named = |name: &str| {
        let who = seats(&[name, "bot:scripted", "bot:scripted", "bot:scripted"]);
        open(json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who }))
    };
    assert!(named("").contains("expected 1 to 40 visible characters"));
    for hidden in ["\u{1b}[2J", "   ", "\u{200b}", "\u{200d}", "Ann\u{202e}nnA"] {
        assert!(named(hidden).contains("cannot be a name"), "{hidden:?}");
    }
    let who = seats(&["  نیک\u{200c}رو ", "bot:scripted", "bot:scripted", "bot:scripted"]);
    let trimmed = server.open(json!({ "game": "dalmuti", "rules": { "players": 4 }, "seats": who }));
    let now = server.get(&trimmed.path(""), &trimmed.watch).body;
    assert_eq!(now["seats"][0]["name"], "نیک\u{200c}رو");
    let opened = table(&server);
    let resumed = |last: &str| {
        let headers = format!("Authorization: Bearer {}\r\nLast-Event-ID: {last}\r\n", opened.watch);
        Events::open(server.address, &opened.path("/events"), &headers).status
    };
    assert_eq!([resumed("0-0"), resumed("7-3"), resumed("x"), resumed("1-")], [200, 200, 400, 400]);
}
