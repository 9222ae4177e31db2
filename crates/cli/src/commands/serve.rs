use std::env::VarError;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use cardsharp_server::{Limits, NamedNetwork, Options, Server, StartError, until};
use cardsharp_text::escape::page;
use cardsharp_text::input::{SMALL, read_text};
use serde_json::json;

use crate::args::thread_count;
use crate::error::{CliError, Failure};
use crate::games;
use crate::output::Output;

use crate::signals::Signals;

/// The environment variable that may hold the token.
const TOKEN: &str = "CARDSHARP_TOKEN";

/// Serve tables for people and bots over HTTP.
///
/// By default the server accepts connections from this machine only. To accept others, set --listen and a token, with
/// --token-file or the variable CARDSHARP_TOKEN. Clients can use the built-in bots, the bot that ships for each game (by
/// the game's name) and the bots of --bots, but no paths. Press Ctrl-C to stop; requests in progress are completed.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp serve
  cardsharp serve --page target/web/page --data tables
  cardsharp serve --data tables --bots mine=runs/dalmuti/bundle
  cardsharp serve --token-file token.txt --host cards.example --trusted-proxy 127.0.0.1
  cardsharp serve --openapi > openapi.json

More: ", docs!("server.html")))]
pub(crate) struct Serve {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8037")]
    listen: SocketAddr,
    /// File with the access token, on one line
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Accept requests for this host name, in addition to those of this machine; needs a token; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Believe the client addresses that this proxy or network sends in X-Forwarded-For; needs a token; may be repeated
    #[arg(long = "trusted-proxy", value_name = "ADDRESS")]
    proxies: Vec<String>,
    /// Allow requests from pages of this origin; may be repeated
    #[arg(long = "origin", value_name = "URL")]
    origins: Vec<String>,
    /// Folder of the table in the browser, to serve it as well [default: no page]
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Folder to store tables in, so that they survive a restart [default: not stored]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Offer a bot under this name: a bundle, checkpoint or bot file, or an installed bot; may be repeated
    #[arg(long = "bots", value_name = "NAME=PATH", value_parser = named)]
    bots: Vec<NamedNetwork>,
    /// Maximum number of open tables
    #[arg(long, value_name = "N", default_value_t = Limits::default().tables)]
    tables: usize,
    /// Maximum number of event streams
    #[arg(long, value_name = "N", default_value_t = Limits::default().streams)]
    streams: usize,
    /// Maximum number of requests in a second from one address, on average
    #[arg(long, value_name = "N", default_value_t = Limits::default().requests_of_address,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    requests: u32,
    /// Threads for bots, 0 = one for each CPU core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    /// Write a line for each request to standard error [default: no log]
    #[arg(long, value_name = "FORMAT")]
    log: Option<LogFormat>,
    /// Print the OpenAPI description of the server and exit
    #[arg(long)]
    openapi: bool,
}

/// The format of the access log.
#[derive(Copy, Clone, clap::ValueEnum)]
enum LogFormat {
    /// Text for people
    Text,
    /// A JSON object per line
    Json,
}

impl LogFormat {
    /// Writes all events of the server to standard error from now on.
    fn begin(self) {
        let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false);
        match self {
            Self::Text => log.init(),
            Self::Json => log.json().flatten_event(true).init(),
        }
    }
}

fn named(text: &str) -> Result<NamedNetwork, String> {
    let (name, path) = text.split_once('=').ok_or("expected NAME=PATH")?;
    Ok(NamedNetwork { name: name.to_owned(), path: path.into() })
}

/// The variable with the server's token is not UTF-8.
#[derive(Debug, thiserror::Error)]
#[error("the variable {TOKEN} is not UTF-8 text: set it to letters and digits, or use --token-file")]
struct TokenError;

impl Failure for TokenError {
    fn code(&self) -> u8 {
        2
    }
}

impl Failure for StartError {
    fn code(&self) -> u8 {
        if matches!(self, Self::Io { .. } | Self::Taken(_)) { 1 } else { 2 }
    }
}

impl Serve {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if self.openapi {
            return out.json_page(&cardsharp_server::openapi());
        }
        // Journals show all cards, and are for this user only.
        #[cfg(unix)]
        rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
        let token = match &self.token_file {
            Some(path) => Some(read_text(path, SMALL)?.trim().to_owned()),
            None => match std::env::var(TOKEN) {
                Ok(token) => Some(token.trim().to_owned()),
                Err(VarError::NotPresent) => None,
                // A server that needs a token must not start without it.
                Err(VarError::NotUnicode(_)) => {
                    return Err(TokenError.into());
                }
            },
        };
        let default = Limits::default();
        let thinkers = if self.threads == 0 { default.thinkers } else { self.threads };
        let most = default.connections;
        let limits = Limits {
            tables: self.tables,
            streams: self.streams,
            requests_of_address: self.requests,
            thinkers,
            ..default
        };
        let games: Vec<_> = games::all().iter().collect();
        let options = Options {
            games,
            bots: self.bots,
            token,
            hosts: self.hosts,
            proxies: self.proxies,
            origins: self.origins,
            page: self.page,
            data: self.data,
            limits,
            notices: Some(Arc::new(|text: &str| {
                // Ignore errors: the terminal may be closed.
                let _ = writeln!(std::io::stderr(), "{}", page(text));
            })),
        };
        if let Some(format) = self.log {
            format.begin();
        }
        let server = Server::new(self.listen, options)?;
        let stop = Signals::catch_for_server()?.into_stop();
        let address = server.address();
        let Limits { tables, streams, connections, .. } = *server.limits();
        if out.json {
            out.json_line(&json!({
                "line": "serving", "address": address, "tables": tables, "streams": streams, "connections": connections,
            }))?;
        } else {
            out.line(format!("Serving at http://{address}. Press Ctrl-C to stop."))?;
            let more = if connections < most { "; `ulimit -n` allows no more" } else { "" };
            out.line(format!(
                "Limits: {tables} tables, {streams} streams, {connections} connections{more}."
            ))?;
        }
        out.flush()?;
        Ok(server.run(until(stop))?)
    }
}
