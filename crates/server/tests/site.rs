//! Sites: their answers, and which requests they refuse.

use std::net::SocketAddr;

use crate::common::{Reply, send};
use cardsharp_server::{PageResponse, Site, StartError};
use tokio::sync::oneshot;

/// The answers of a site, by path.
fn answered(path: &str) -> PageResponse {
    match path {
        "/" => PageResponse::of("text/html; charset=utf-8", "<!doctype html>"),
        "/fails" => PageResponse::failed("the disk refused it"),
        "/panics" => panic!("a fault"),
        path => PageResponse::missing(&format!("there is no {path}")),
    }
}

fn site(address: &str, folder: Option<std::path::PathBuf>) -> Result<Site, StartError> {
    let folder = folder.map(|folder| ("/page/", folder));
    Site::new(address.parse().unwrap(), "default-src 'none'", folder, answered)
}

/// Runs a site while `asking` sends requests.
fn running(site: Site, asking: impl FnOnce(SocketAddr)) {
    let address = site.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let served = std::thread::spawn(move || {
        site.run(async {
            let _ = stopped.await;
        })
    });
    asking(address);
    stop.send(()).unwrap();
    served.join().unwrap().unwrap();
}

fn ask(address: SocketAddr, method: &str, path: &str, more: &str) -> Reply {
    send(address, &format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n{more}Connection: close\r\n\r\n"))
}

#[test]
fn a_site_answers_by_path_and_serves_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page");
    let start = || site("127.0.0.1:0", Some(page.clone()));
    assert!(matches!(start(), Err(StartError::Page(named)) if named == page));
    std::fs::create_dir(&page).unwrap();
    std::fs::write(page.join("index.html"), "<!doctype html>the page").unwrap();
    std::fs::write(page.join("engine.wasm"), "0").unwrap();
    std::fs::write(folder.path().join("secret"), "of somebody else").unwrap();
    running(start().unwrap(), |address| {
        let get = |path: &str| ask(address, "GET", path, "");
        let index = get("/");
        assert_eq!((index.status, index.text.as_str()), (200, "<!doctype html>"));
        for header in [
            "content-type: text/html; charset=utf-8",
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "x-frame-options: deny",
            "cache-control: no-store",
        ] {
            assert!(index.head.contains(header), "{header} is missing: {}", index.head);
        }
        let missing = get("/x?y");
        assert_eq!((missing.status, missing.text.as_str()), (404, "there is no /x\n"));
        assert_eq!(get("/fails").status, 500);
        assert_eq!(get("/panics").text, "internal error of the server\n");
        let head = ask(address, "HEAD", "/", "");
        assert_eq!((head.status, head.text.as_str()), (200, ""));
        assert!(head.head.contains("content-length: 15"), "{}", head.head);

        assert!(get("/page").head.contains("location: /page/"));
        assert_eq!(get("/page/").text, "<!doctype html>the page");
        let engine = get("/page/engine.wasm");
        assert!(engine.head.contains("content-type: application/wasm"));
        assert!(engine.head.contains("cache-control: no-cache"), "{}", engine.head);
        // The page itself defines the rest of its policy.
        assert!(engine.head.contains("content-security-policy: frame-ancestors 'none'"), "{}", engine.head);
        for path in
            ["/page/../../secret", "/page/%2e%2e/secret", "/page/..%2fsecret", "/page/nothing.js", "/secret"]
        {
            assert_eq!(get(path).status, 404, "{path}");
        }
    });
}

#[test]
fn a_site_is_read_and_from_this_machine_only() {
    for others in ["0.0.0.0:8039", "192.0.2.1:8039"] {
        let refused = site(others, None).map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains("ssh -L 8039:127.0.0.1:8039"), "{refused}");
    }
    running(site("127.0.0.1:0", None).unwrap(), |address| {
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let refused = ask(address, method, "/", "");
            assert_eq!(refused.status, 405, "{method}");
            assert!(refused.head.contains("allow: get, head"));
        }
        // A foreign host name that resolves to this machine.
        let foreign = send(address, "GET / HTTP/1.1\r\nHost: cards.example\r\nConnection: close\r\n\r\n");
        assert_eq!(foreign.status, 421);
        let other = ask(address, "GET", "/", "Origin: https://evil.example\r\n");
        assert_eq!(other.status, 403);
        assert_eq!(ask(address, "GET", "/", &format!("Origin: http://{address}\r\n")).status, 200);
        assert_eq!(ask(address, "GET", "/page/", "").status, 404);
    });
}
