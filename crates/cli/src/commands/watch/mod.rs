mod games;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use cardsharp_report::live::{self, WatchedRun, page};
use cardsharp_server::{PageResponse, Site, until};
use cardsharp_text::escape::quoted;
use serde_json::json;

use crate::error::CliError;
use crate::output::Output;
use crate::signals::Signals;
use games::{Games, Refused};

/// The folder to which `xtask page` writes the table in the browser.
const BUILT: &str = "target/web/page";

/// Serve a live page of training runs.
///
/// The page shows each run's state, progress, speed and remaining time, its learning curves and arena results, and sessions
/// of the newest checkpoint against itself. For several runs it also shows the settings that differ. The page updates
/// itself; it only reads the run folders. Only this machine can open it. From another machine, run
/// `ssh -L 8039:127.0.0.1:8039 MACHINE` and open http://127.0.0.1:8039. Press Ctrl-C to stop.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp watch runs/quickstart-1
  cardsharp watch runs/dalmuti-1 runs/dalmuti-2 --every 30
  cardsharp watch runs/quickstart-1 --listen 127.0.0.1:0 --json

More: ", docs!("report.html")))]
pub(crate) struct Watch {
    /// Run folders
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Address on this machine to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8039")]
    listen: SocketAddr,
    /// Folder of the table in the browser [default: target/web/page if it exists]
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Seconds between two updates of the page
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=3600))]
    every: u16,
}

impl Watch {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        self.runs.iter().try_for_each(|run| live::check(crate::games::all(), run))?;
        let built = Path::new(BUILT);
        let table = self.page.or_else(|| built.join("index.html").is_file().then(|| built.to_owned()));
        let watched = Watched {
            runs: self.runs.into_iter().map(Games::new).collect(),
            every: self.every,
            has_table: table.is_some(),
        };
        let table = table.map(|folder| (page::TABLE, folder));
        let site = Site::new(self.listen, page::POLICY, table, move |path| watched.answer(path))?;
        let stop = Signals::catch_for_server()?.into_stop();
        let address = site.address();
        if out.json {
            out.json_line(&json!({ "line": "serving", "address": address }))?;
        } else {
            out.line(format!("Serving at http://{address}. Press Ctrl-C to stop."))?;
        }
        out.flush()?;
        Ok(site.run(until(stop))?)
    }
}

struct Watched {
    runs: Vec<Games>,
    every: u16,
    /// Whether the table in the browser is served, too.
    has_table: bool,
}

impl Watched {
    /// Answers a request for a path.
    fn answer(&self, path: &str) -> PageResponse {
        const HTML: &str = "text/html; charset=utf-8";
        let made = match path {
            "/" => page::whole(crate::games::all(), &self.read(), self.every, self.has_table),
            "/body" => page::content(crate::games::all(), &self.read(), self.has_table),
            "/page.js" => return PageResponse::of("text/javascript; charset=utf-8", page::SCRIPT),
            "/style.css" => return PageResponse::of("text/css; charset=utf-8", page::style()),
            _ => return self.session(path),
        };
        made.map_or_else(
            |error| PageResponse::failed(&error.to_string()),
            |page| PageResponse::of(HTML, page),
        )
    }

    fn read(&self) -> Vec<WatchedRun> {
        self.runs
            .iter()
            .map(|games| WatchedRun::read(crate::games::all(), games.folder(), || games.sessions()))
            .collect()
    }

    /// Returns the trace of a session: `/runs/0/games/ITERATION/N.jsonl`.
    fn session(&self, path: &str) -> PageResponse {
        let Some((run, iteration, number)) = asked(path) else {
            return PageResponse::missing(&format!("there is no `{}` here; the page is at /", quoted(path)));
        };
        let Some(games) = self.runs.get(run) else {
            return PageResponse::missing(&format!(
                "there is no run {run}: expected 0 to {}",
                self.runs.len().saturating_sub(1)
            ));
        };
        match games.trace(iteration, number) {
            Ok(trace) => PageResponse::of("application/jsonl", trace.to_vec()),
            Err(Refused::Missing(why)) => PageResponse::missing(&why),
            Err(Refused::Failed(error)) => PageResponse::failed(&error.to_string()),
        }
    }
}

/// Parses the path of a session into run, iteration and number.
fn asked(path: &str) -> Option<(usize, u64, u64)> {
    let mut parts = path.strip_prefix("/runs/")?.strip_suffix(".jsonl")?.split('/');
    let (run, games) = (parts.next()?, parts.next()?);
    let (iteration, number) = (parts.next()?, parts.next()?);
    if games != "games" || parts.next().is_some() {
        return None;
    }
    Some((whole(run)?.try_into().ok()?, whole(iteration)?, whole(number)?))
}

/// Parses a number without leading zeros or signs.
fn whole(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn sessions_have_one_path_each() {
        assert_eq!(asked("/runs/0/games/30/2.jsonl"), Some((0, 30, 2)));
        for path in [
            "/",
            "/runs/0/games/30/2",
            "/runs/0/games/30/2.json",
            "/runs/0/games/30/02.jsonl",
            "/runs/+0/games/30/2.jsonl",
            "/runs/0/games/-1/2.jsonl",
            "/runs/0/games/30/2/3.jsonl",
            "/runs/0/files/30/2.jsonl",
            "/runs/../games/30/2.jsonl",
            "/runs/0/games/99999999999999999999/2.jsonl",
            "/runs/0/games/%2e%2e/2.jsonl",
        ] {
            assert_eq!(asked(path), None, "{path}");
        }
    }
}
