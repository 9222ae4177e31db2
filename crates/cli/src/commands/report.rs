//! `cardsharp report FILE|RUN… --to PAGE`.

use std::path::PathBuf;

use cardsharp_bot::disk;
use cardsharp_report::{Context, ReportError, Source, check_target, page, read};
use cardsharp_text::format::counted;
use serde_json::json;

use crate::args::ViewerArg;
use crate::error::{CliError, Failure};
use crate::output::{self, Output};
use crate::{files, games};

/// Write an HTML report of arena results and training runs, with tables and plots.
///
/// The report is one HTML file that needs no server and no network access. It shows strength with confidence intervals,
/// places, play statistics, contracts, ratings and cross-play of round robins, and learning curves. It is deterministic. An
/// existing file is replaced.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp arena dalmuti --bots scripted,random --json > contest.json
  cardsharp report contest.json --to report.html
  cardsharp report runs/quickstart-1 runs/quickstart-2 --to runs.html
  cardsharp arena taki --bots taki,scripted --keep-games 2 --json | cardsharp report - --to games.html
  cardsharp report checkpoints/tahimi/bot --to tahimi.html --title 'The Tahimi bot'

More: ", docs!("report.html")))]
pub(crate) struct Report {
    /// Output of `arena --json` (`-`: standard input), folders of runs, of runs with several seeds or of sweeps, and
    /// bundles with an `arena.json`
    #[arg(required = true, value_name = "FILE|RUN")]
    sources: Vec<PathBuf>,
    /// The report; `-` is standard output
    #[arg(long, value_name = "FILE.html")]
    to: PathBuf,
    /// The title of the report [default: the games in it]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    #[command(flatten)]
    viewer: ViewerArg,
}

impl Failure for ReportError {
    fn code(&self) -> u8 {
        if self.is_input() { 2 } else { 1 }
    }
}

impl Report {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        check_target(&self.to, &self.sources)?;
        output::check_stdout(&self.to, out)?;
        let games = games::all();
        let sources = self.sources.iter().map(|path| read(games, path)).collect::<Result<Vec<_>, _>>()?;
        let context = Context { games, viewer: &self.viewer.viewer };
        let page = page(&sources, self.title.as_deref(), context)?;
        files::write(&self.to, page.as_bytes())?;
        if disk::is_stdout(&self.to) {
            return Ok(());
        }
        let contests: usize = sources.iter().map(Source::contests).sum();
        let runs: usize = sources.iter().map(Source::runs).sum();
        let to = self.to.display().to_string();
        if out.json {
            return out
                .json_page(&json!({ "page": to, "bytes": page.len(), "contests": contests, "runs": runs }));
        }
        let of = |number: usize, noun: &str| counted(number as u64, noun);
        out.line(format!("Wrote {to}: {}, {}.", of(contests, "contest"), of(runs, "run")))
    }
}
