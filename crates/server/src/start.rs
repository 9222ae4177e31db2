//! How servers start: listening, threads, validation of options, and errors.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ipnet::IpNet;
use tokio::runtime::Runtime;

use crate::catalog::CatalogError;
use crate::limits::Limits;
use crate::registry::DataError;
use crate::serve;

/// The minimum number of characters in a token.
const TOKEN: usize = 16;

/// How often [`until`] checks its flag.
const LOOK: Duration = Duration::from_millis(50);

/// Completes soon after the flag is set. A signal handler may set the flag.
pub async fn until(stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A bot cannot be offered.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The data folder cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Other machines could reach the server, and it has no token.
    #[error(
        "{0} can be reached from other machines, so a token is required: write one to a file and pass `--token-file FILE`, or \
         listen on 127.0.0.1"
    )]
    NoToken(SocketAddr),
    /// Other machines can reach the server through a proxy, and it has no token.
    #[error(
        "a server behind a proxy, or with a host name, can be reached from other machines, so a token is required: write \
         one to a file and pass `--token-file FILE`"
    )]
    NoTokenBehind,
    /// Other machines could reach the site, which has no access control.
    #[error(
        "{0} can be reached from other machines, and this server has no access control: listen on 127.0.0.1:{port}, and \
         open it from another machine with `ssh -L {port}:127.0.0.1:{port} THIS-MACHINE`",
        port = .0.port()
    )]
    Others(SocketAddr),
    /// The token is too short.
    #[error("the token has {0} characters: expected at least {TOKEN}")]
    ShortToken(usize),
    /// The token has a character that cannot be sent, at this position from 1.
    #[error(
        "character {0} of the token is not allowed in an HTTP header: expected one line of ASCII letters, digits and \
         punctuation, without spaces"
    )]
    Token(usize),
    /// The text is not an origin as browsers send it.
    #[error("`{0}` is not an origin: expected a scheme and a host, like https://cards.example")]
    Origin(String),
    /// The text is not a host name.
    #[error("`{0}` is not a host name: expected one without scheme and port, like cards.example")]
    Host(String),
    /// The text is not an address.
    #[error("`{0}` is not an address of a proxy: expected one like 127.0.0.1, ::1 or 10.0.0.0/8")]
    Proxy(String),
    /// The folder has no `index.html`.
    #[error("{} has no index.html: expected the folder of the built page", .0.display())]
    Page(PathBuf),
    /// Another program listens at the address.
    #[error("another program listens at {0} already: choose another address or port with `--listen`")]
    Taken(SocketAddr),
    /// The system refuses the address or threads.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// The system's error.
        source: io::Error,
    },
}

/// Files that are open apart from connections: those of the runtime, and of every thread that writes a journal.
const FILES: usize = 64;

/// Raises the number of files that this process may have open as far as the system allows, and returns it. Systems
/// without such a number have no limit here.
pub(crate) fn open_files() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // If the system refuses, the lower number remains.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
        let most = getrlimit(Resource::Nofile).current;
        most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX)
    }
    #[cfg(not(unix))]
    usize::MAX
}

/// Lowers the limits of connections and streams so that they fit into this number of open files. A quarter of the
/// connections remains for other requests than streams.
pub(crate) fn fit(limits: &mut Limits, files: usize) {
    limits.connections = limits.connections.min(files.saturating_sub(FILES + serve::REFUSED)).max(4);
    limits.streams = limits.streams.min(limits.connections / 4 * 3);
}

/// Listens at an address. Returns the actual address, which has the chosen port if port 0 was requested.
pub(crate) fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let refused = |source| StartError::Io { what: format!("cannot listen at {address}"), source };
    let listener = TcpListener::bind(address).map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => StartError::Taken(address),
        _ => refused(source),
    })?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}

/// Returns the error for a failure of the system to serve.
pub(crate) fn refused(source: io::Error) -> StartError {
    StartError::Io { what: "cannot serve".to_owned(), source }
}

/// Returns a runtime with `threads` threads for connections, and at most `blocking` threads for long work.
pub(crate) fn runtime(threads: usize, blocking: usize) -> Result<Runtime, StartError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .max_blocking_threads(blocking)
        .enable_all()
        .build()
        .map_err(refused)
}

/// Returns the host names that requests from this machine use for a loopback address.
pub(crate) fn own_names(own: IpAddr) -> Vec<String> {
    let names = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
    let own = if own.is_ipv6() { format!("[{own}]") } else { own.to_string() };
    let other = Some(own).filter(|own| !names.contains(own));
    names.into_iter().chain(other).collect()
}

/// Returns a host name as requests have it.
pub(crate) fn host(given: &str) -> Result<String, StartError> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    match !given.is_empty() && given.chars().all(is_of_name) {
        true => Ok(given.to_ascii_lowercase()),
        false => Err(StartError::Host(given.to_owned())),
    }
}

/// Returns the addresses of proxies: one address, or a network like `10.0.0.0/8`.
pub(crate) fn proxy(given: &str) -> Result<IpNet, StartError> {
    let one = || given.parse::<IpAddr>().map(|address| address.to_canonical().into());
    given.parse().or_else(|_| one()).map_err(|_| StartError::Proxy(given.to_owned()))
}

/// Returns an error if a folder has no `index.html`.
pub(crate) fn check_page(folder: &Path) -> Result<(), StartError> {
    match folder.join("index.html").is_file() {
        true => Ok(()),
        false => Err(StartError::Page(folder.to_owned())),
    }
}

/// Returns an error if a token is too short, or no request can carry it.
pub(crate) fn check_token(token: &str) -> Result<(), StartError> {
    if let Some(at) = token.chars().position(|c| !c.is_ascii_graphic()) {
        return Err(StartError::Token(at + 1));
    }
    if token.len() < TOKEN { Err(StartError::ShortToken(token.len())) } else { Ok(()) }
}

/// Returns an origin as browsers send it: in lower case, and without the default port of its scheme.
pub(crate) fn origin(given: &str) -> Result<String, StartError> {
    let lower = given.to_ascii_lowercase();
    let usual = match lower.split_once("://") {
        Some(("http", _)) => ":80",
        Some(("https", _)) => ":443",
        _ => "",
    };
    let origin = lower.strip_suffix(usual).unwrap_or(&lower);
    let is_of_host = |c: char| c.is_ascii_graphic() && !"/?#@".contains(c);
    match origin.split_once("://") {
        Some((_, host)) if !host.is_empty() && host.chars().all(is_of_host) => Ok(origin.to_owned()),
        _ => Err(StartError::Origin(given.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    #[test]
    fn limits_fit_into_the_open_files() {
        let fitted = |files: usize| {
            let mut limits = Limits::default();
            super::fit(&mut limits, files);
            (limits.connections, limits.streams)
        };
        assert_eq!(fitted(1024), (944, 708));
        assert_eq!(fitted(1 << 20), (4096, 2048));
        assert_eq!(fitted(10), (4, 3));
        assert!(super::open_files() >= 256, "{}", super::open_files());
    }

    #[test]
    fn an_address_in_use_is_named() {
        let (_listener, address) = super::listen(([127, 0, 0, 1], 0).into()).expect("a free port");
        let error = super::listen(address).expect_err("the address is in use").to_string();
        assert_eq!(
            error,
            format!(
                "another program listens at {address} already: choose another address or port with `--listen`"
            )
        );
    }
}
