//! A server in this process, and a client that speaks just enough HTTP.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use cardsharp_env::GAMES;
use cardsharp_server::{Limits, Notices, Options, Server};
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// How long a test waits for something that must happen.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server that stops when this is dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

pub fn options() -> Options {
    Options { games: GAMES.to_vec(), ..Options::default() }
}

pub fn in_folder(data: &Path) -> Options {
    Options { data: Some(data.to_owned()), ..options() }
}

/// Returns the options with a list of the messages for the person who operates the server.
pub fn noticed(options: Options) -> (Options, Arc<Mutex<Vec<String>>>) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&said);
    let notices: Notices = Arc::new(move |text: &str| to.lock().unwrap().push(text.to_owned()));
    (Options { notices: Some(notices), ..options }, said)
}

pub fn limited(limits: Limits) -> Options {
    Options { limits, ..options() }
}

impl Running {
    pub fn start(options: Options) -> Self {
        let server = Server::new("127.0.0.1:0".parse().unwrap(), options).unwrap();
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let run = move || {
            let stopped = async {
                let _ = stopped.await;
            };
            server.run(stopped).unwrap();
        };
        Self { address, stop: Some(stop), thread: Some(std::thread::spawn(run)) }
    }

    pub fn ask(&self, method: &str, path: &str, secret: &str, body: Value) -> Reply {
        ask(self.address, method, path, secret, body)
    }

    pub fn get(&self, path: &str, secret: &str) -> Reply {
        self.ask("GET", path, secret, Value::Null)
    }

    pub fn post(&self, path: &str, secret: &str, body: Value) -> Reply {
        self.ask("POST", path, secret, body)
    }

    /// Opens a table with this request.
    pub fn open(&self, body: Value) -> Opened {
        let reply = self.post("/v1/tables", "", body);
        assert_eq!(reply.status, 200, "{}", reply.body);
        Opened::read(&reply.body)
    }

    pub fn listen(&self, opened: &Opened, secret: &str, last: Option<&str>) -> Events {
        let mut headers = format!("Authorization: Bearer {secret}\r\n");
        if let Some(last) = last {
            headers += &format!("Last-Event-ID: {last}\r\n");
        }
        Events::open(self.address, &opened.path("/events"), &headers)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap();
        }
    }
}

pub struct Opened {
    pub table: String,
    pub host: String,
    pub watch: String,
    pub seats: Vec<String>,
}

impl Opened {
    /// Reads the answer of the server.
    pub fn read(answer: &Value) -> Self {
        let text = |name: &str| answer[name].as_str().unwrap().to_owned();
        let seats = answer["seats"].as_array().unwrap().iter();
        let seats = seats.map(|seat| seat.as_str().unwrap_or_default().to_owned()).collect();
        Self { table: text("table"), host: text("host"), watch: text("watch"), seats }
    }

    pub fn path(&self, what: &str) -> String {
        format!("/v1/tables/{}{what}", self.table)
    }
}

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Value,
    pub text: String,
}

impl Reply {
    /// Returns the code of an error.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }

    pub fn message(&self) -> &str {
        self.body["error"]["message"].as_str().unwrap_or_default()
    }
}

pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

pub fn ask(address: SocketAddr, method: &str, path: &str, secret: &str, body: Value) -> Reply {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let secret =
        if secret.is_empty() { String::new() } else { format!("Authorization: Bearer {secret}\r\n") };
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n{secret}Connection: close\r\n");
    send(address, &format!("{head}Content-Length: {length}\r\n\r\n{body}"))
}

/// Sends a complete request unchanged, and reads the response until the server closes the connection.
pub fn send(address: SocketAddr, request: &str) -> Reply {
    try_send(address, request).unwrap()
}

/// Does the same as `send` with a server that may hang up.
pub fn try_send(address: SocketAddr, request: &str) -> io::Result<Reply> {
    let mut stream = connect(address);
    stream.write_all(request.as_bytes())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let value = serde_json::from_str(body).unwrap_or(Value::Null);
    Ok(Reply { status, head: head.to_lowercase(), body: value, text: body.to_owned() })
}

#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub name: String,
    pub id: String,
    pub data: Value,
}

pub struct Events {
    pub status: u16,
    reader: BufReader<TcpStream>,
    /// The part of the body that was read, but not returned yet.
    rest: String,
}

impl Events {
    pub fn open(address: SocketAddr, path: &str, headers: &str) -> Self {
        let mut stream = connect(address);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n").unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        Self { status, reader, rest: String::new() }
    }

    /// The next event; none at the end.
    pub fn next(&mut self) -> Option<Event> {
        loop {
            let Some(end) = self.rest.find("\n\n") else {
                let chunk = self.chunk()?;
                self.rest += &chunk;
                continue;
            };
            let block: String = self.rest.drain(..end + 2).collect();
            let field = |name: &str| {
                let line = block.lines().find_map(|line| line.strip_prefix(name));
                line.map(|value| value.trim_start_matches(": ").to_owned()).unwrap_or_default()
            };
            if let Ok(data) = serde_json::from_str(&field("data")) {
                return Some(Event { name: field("event"), id: field("id"), data });
            }
        }
    }

    /// Returns the events that arrive until none has arrived for this time.
    pub fn arrived(&mut self, quiet: Duration) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            // A complete event needs no more bytes.
            if !self.rest.contains("\n\n") && self.reader.buffer().is_empty() {
                let stream = self.reader.get_ref();
                stream.set_read_timeout(Some(quiet)).unwrap();
                let is_quiet = self.reader.fill_buf().is_err();
                self.reader.get_ref().set_read_timeout(Some(PATIENCE)).unwrap();
                if is_quiet {
                    return events;
                }
            }
            match self.next() {
                Some(event) => events.push(event),
                None => return events,
            }
        }
    }

    /// The next event; none at the end, or where the connection broke.
    pub fn next_or_torn(&mut self) -> Option<Event> {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.next())).ok().flatten()
    }

    /// The next piece of the body; none at the end.
    pub fn chunk(&mut self) -> Option<String> {
        let mut size = String::new();
        self.reader.read_line(&mut size).unwrap();
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        let mut chunk = vec![0; size + 2];
        self.reader.read_exact(&mut chunk[..if size == 0 { 0 } else { size + 2 }]).unwrap();
        (size > 0).then(|| String::from_utf8(chunk[..size].to_vec()).unwrap())
    }

    /// Returns the next event with this name. Lines of the event log have the empty name.
    pub fn named(&mut self, name: &str) -> Event {
        loop {
            let event = self.next().expect("the stream goes on");
            if event.name == name {
                return event;
            }
        }
    }

    /// Returns the next line of this kind in the event log.
    pub fn line(&mut self, kind: &str) -> Event {
        loop {
            let event = self.named("");
            if event.data["line"] == kind {
                return event;
            }
        }
    }
}

/// Returns the players for the seats of a new table: people by name, and bots like `bot:scripted`.
pub fn seats(who: &[&str]) -> Value {
    let taker = |name: &&str| match name.strip_prefix("bot:") {
        Some(bot) => json!({ "bot": bot }),
        None => json!({ "person": name }),
    };
    who.iter().map(taker).collect()
}
