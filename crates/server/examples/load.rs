//! Load test of a server: many tables with one person and bots, a stream for every person, and a fixed rate of moves.
//!
//!     cargo run --release -p cardsharp-server --example load -- 1000 200 60 dalmuti scripted
//!
//! The server runs in a separate process with a data folder. The figures for memory and CPU time are of that process
//! alone. The client runs on the same machine and uses a part of it.

use std::collections::VecDeque;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cardsharp_env::{GAMES, game};
use cardsharp_server::{NamedNetwork, Options, Server, until};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

type Failure = Box<dyn Error + Send + Sync>;

/// The environment variable that turns a process into the server.
const FOLDER: &str = "CARDSHARP_LOAD_FOLDER";
/// Connections for requests with moves.
const CONNECTIONS: usize = 32;

fn main() -> Result<(), Failure> {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return serve(Path::new(&folder));
    }
    let mut words = std::env::args().skip(1);
    let mut number = |default: usize| words.next().map_or(Ok(default), |word| word.parse());
    let (tables, rate, seconds) = (number(1000)?, number(200)?, number(60)?);
    let (name, bot) =
        (words.next().unwrap_or("dalmuti".to_owned()), words.next().unwrap_or("scripted".to_owned()));
    let folder = tempfile::tempdir()?;
    let (mut child, address) = serve_apart(folder.path())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let measured = runtime.block_on(load(address, tables, rate, seconds, &name, &bot));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let used = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    child.kill()?;
    child.wait()?;
    let mut times = measured?;
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{tables} tables of {name} with {bot}, {tables} streams, {rate} moves a second for {seconds} s:"
    );
    println!(
        "  {} moves, p50 {:.1} ms, p90 {:.1} ms, p99 {:.1} ms, max {:.1} ms",
        times.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    for line in status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS")) {
        println!("  server {line}");
    }
    // Fields 14 and 15 of the process status are its user time and system time, in hundredths of a second.
    let fields: Vec<&str> = used.rsplit(')').next().unwrap_or_default().split(' ').collect();
    if let [own, system] = fields.get(12..14).unwrap_or_default() {
        println!("  server time {own} + {system} hundredths of a second");
    }
    Ok(())
}

fn serve(folder: &Path) -> Result<(), Failure> {
    let bundle =
        |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints").join(name).join("bot");
    let games = ["dalmuti", "tahimi", "taki", "tachtigen"];
    let bots = games.map(|name| NamedNetwork { name: name.to_owned(), path: bundle(name) }).to_vec();
    let options =
        Options { games: GAMES.to_vec(), bots, data: Some(folder.to_owned()), ..Options::default() };
    let server = Server::new("127.0.0.1:0".parse()?, options)?;
    println!("address {}", server.address());
    Ok(server.run(until(Arc::new(AtomicBool::new(false))))?)
}

fn serve_apart(folder: &Path) -> Result<(Child, SocketAddr), Failure> {
    let own = std::env::current_exe()?;
    let mut child = Command::new(own).env(FOLDER, folder).stdout(Stdio::piped()).spawn()?;
    let out = child.stdout.take().ok_or("no output")?;
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line)?;
    Ok((child, line.trim().trim_start_matches("address ").parse()?))
}

/// A pending decision: the path of its table, the secret of its seat, and a legal move.
struct Due {
    path: String,
    secret: String,
    choice: Value,
}

async fn load(
    address: SocketAddr,
    tables: usize,
    rate: usize,
    seconds: usize,
    name: &str,
    bot: &str,
) -> Result<Vec<Duration>, Failure> {
    let rules = game(name).ok_or("no such game")?.default_rules();
    let mut seats: Vec<Value> = vec![json!({ "bot": bot }); rules.seats()];
    seats[0] = json!({ "person": "Ann" });
    let due: Arc<Mutex<VecDeque<Due>>> = Arc::default();
    let mut opening = Connection::open(address).await?;
    for _ in 0..tables {
        let body = json!({ "game": name, "rules": rules.json(), "seats": seats });
        let opened = opening.ask("POST", "/v1/tables", "", &body).await?;
        let path = format!("/v1/tables/{}", opened["table"].as_str().ok_or_else(|| opened.to_string())?);
        let secret = opened["seats"][0].as_str().unwrap_or_default().to_owned();
        tokio::spawn(listen(address, path, secret, Arc::clone(&due)));
    }
    let connections: Arc<Mutex<Vec<Connection>>> = Arc::default();
    for _ in 0..CONNECTIONS {
        let connection = Connection::open(address).await?;
        locked(&connections).push(connection);
    }
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    let times: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let mut tick = tokio::time::interval(Duration::from_secs_f64(1.0 / rate as f64));
    let end = Instant::now() + Duration::from_secs(seconds as u64);
    let mut idle = 0;
    while Instant::now() < end {
        tick.tick().await;
        let Some(Due { path, secret, choice }) = locked(&due).pop_front() else {
            idle += 1;
            continue;
        };
        let (free, connections, times) = (Arc::clone(&free), Arc::clone(&connections), Arc::clone(&times));
        // The measured time includes the wait for a free connection.
        let begun = Instant::now();
        tokio::spawn(async move {
            let Ok(_free) = free.acquire().await else { return };
            let Some(mut connection) = locked(&connections).pop() else { return };
            let asked =
                connection.ask("POST", &format!("{path}/moves"), &secret, &json!({ "move": choice })).await;
            match asked {
                Ok(reply) if !reply["last"].is_null() => locked(&times).push(begun.elapsed()),
                other => eprintln!("{path}: {other:?}"),
            }
            locked(&connections).push(connection);
        });
    }
    if idle > 0 {
        println!("{idle} ticks at which no table waited for its person");
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let times = std::mem::take(&mut *locked(&times));
    Ok(times)
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Reads a stream, and adds the decisions of its person to `due`.
async fn listen(address: SocketAddr, path: String, secret: String, due: Arc<Mutex<VecDeque<Due>>>) {
    let heard = async {
        let mut stream = TcpStream::connect(address).await?;
        let head = format!(
            "GET {path}/events HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {secret}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await?;
        let (mut text, mut bytes) = (String::new(), [0; 4096]);
        loop {
            let count = stream.read(&mut bytes).await?;
            if count == 0 {
                return Ok::<(), Failure>(());
            }
            text.push_str(&String::from_utf8_lossy(&bytes[..count]));
            let Some(last) = text.rfind("\n\n") else { continue };
            let asked =
                text[..last].split("\n\n").filter_map(|event| event.split("event: legal\ndata: ").nth(1));
            if let Some(legal) = asked.last().and_then(|data| serde_json::from_str::<Value>(data).ok()) {
                // Any of them, so that sessions differ.
                let legal = legal["legal"].as_array().cloned().unwrap_or_default();
                let choice = legal[path.len() * 7 % legal.len().max(1)].clone();
                locked(&due).push_back(Due { path: path.clone(), secret: secret.clone(), choice });
            }
            text.drain(..last);
        }
    };
    if let Err(error) = heard.await {
        eprintln!("{path}: {error}");
    }
}

/// A connection for one request after the other.
struct Connection {
    stream: TcpStream,
    address: SocketAddr,
    used: Instant,
}

/// How long a connection may idle, some seconds less than the timeout of the server.
const FRESH: Duration = Duration::from_secs(5);

impl Connection {
    async fn open(address: SocketAddr) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, address, used: Instant::now() })
    }

    async fn ask(&mut self, method: &str, path: &str, secret: &str, body: &Value) -> Result<Value, Failure> {
        if self.used.elapsed() > FRESH {
            *self = Self::open(self.address).await?;
        }
        let (host, body) = (self.address, body.to_string());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n");
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.write_all(request.as_bytes()).await?;
        let (mut text, mut bytes) = (Vec::new(), [0; 8192]);
        loop {
            let count = self.stream.read(&mut bytes).await?;
            if count == 0 {
                return Err("the server closed the connection".into());
            }
            text.extend(&bytes[..count]);
            let answer = String::from_utf8_lossy(&text);
            let Some((head, body)) = answer.split_once("\r\n\r\n") else { continue };
            let length = head.to_lowercase();
            let length =
                length.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if body.len() >= length.ok_or("no length")? {
                self.used = Instant::now();
                return Ok(serde_json::from_str(body)?);
            }
        }
    }
}
