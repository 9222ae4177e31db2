//! `cardsharp serve`.

use std::env::VarError;
use std::net::SocketAddr;
use std::path::PathBuf;

use cardsharp_server::{Limits, Named, Options, Server, until};
use serde_json::json;

use crate::args::thread_count;
use crate::error::CliError;
use crate::input::{SMALL, read_text};
use crate::list;
use crate::output::Output;
use crate::signals::Signals;

/// The variable of the environment that may hold the token.
const TOKEN: &str = "CARDSHARP_TOKEN";

/// Serve tables for people and bots, and advice, over HTTP.
///
/// `docs/server.md` tells what can be asked, and what nobody can find out by asking. The server listens on this machine
/// only, unless --listen says otherwise; then it demands a token, from --token-file or the variable CARDSHARP_TOKEN (an
/// argument could be read by every user of the machine). Clients name the built-in bots, the bot that ships for each
/// game by the game's name, and those of --bots; never a path. A signal lets requests under way finish and ends it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp serve
  cardsharp serve --page target/web/page --data tables
  cardsharp serve --data tables --bots mine=runs/dalmuti/bundle
  cardsharp serve --listen 0.0.0.0:8037 --token-file token.txt --origin https://cards.example
  cardsharp serve --openapi > openapi.json")]
pub(crate) struct Serve {
    /// Where to listen; port 0 is any free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8037")]
    listen: SocketAddr,
    /// File whose only line is the token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Let pages of this origin ask, besides the server's own; may be repeated
    #[arg(long = "origin", value_name = "URL")]
    origins: Vec<String>,
    /// Folder of the table in the browser, to be served besides [default: no page]
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Folder that keeps tables beyond the end of the server [default: they end with it]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A bot that clients may name: a bundle, checkpoint or bot file; may be repeated
    #[arg(long = "bots", value_name = "NAME=PATH", value_parser = named)]
    bots: Vec<Named>,
    /// Live tables at a time
    #[arg(long, value_name = "N", default_value_t = Limits::default().tables)]
    tables: usize,
    /// Event streams at a time
    #[arg(long, value_name = "N", default_value_t = Limits::default().streams)]
    streams: usize,
    /// Threads on which bots think; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    /// Print the OpenAPI description of the server, and serve nothing
    #[arg(long)]
    openapi: bool,
}

/// `NAME=PATH`.
fn named(text: &str) -> Result<Named, String> {
    let (name, path) = text.split_once('=').ok_or("expected NAME=PATH")?;
    Ok(Named { name: name.to_owned(), path: path.into() })
}

impl Serve {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if self.openapi {
            return out.json_page(&cardsharp_server::openapi());
        }
        let token = match &self.token_file {
            Some(path) => Some(read_text(path, SMALL)?.trim().to_owned()),
            None => match std::env::var(TOKEN) {
                Ok(token) => Some(token.trim().to_owned()),
                Err(VarError::NotPresent) => None,
                // A server that was to be protected must not begin without.
                Err(VarError::NotUnicode(_)) => {
                    let expected = "expected text in UTF-8".to_owned();
                    return Err(CliError::Option {
                        option: TOKEN,
                        given: "what it is set to".to_owned(),
                        expected,
                    });
                }
            },
        };
        let default = Limits::default();
        let thinkers = if self.threads == 0 { default.thinkers } else { self.threads };
        let limits = Limits { tables: self.tables, streams: self.streams, thinkers, ..default };
        let games: Vec<_> = list::games().iter().collect();
        let options = Options {
            games,
            bots: self.bots,
            token,
            origins: self.origins,
            page: self.page,
            data: self.data,
            limits,
        };
        let server = Server::new(self.listen, options)?;
        let stop = Signals::catch_for_server()?.into_stop();
        let address = server.address();
        if out.json {
            out.json_line(&json!({ "line": "serving", "address": address }))?;
        } else {
            out.line(format!("Serving at http://{address} until a signal ends it"))?;
        }
        out.flush()?;
        Ok(server.run(until(stop))?)
    }
}
