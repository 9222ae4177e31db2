use std::path::PathBuf;

use cardsharp_bot::bots::search::SearchSettings;
use cardsharp_bot::bots::{path_of, resolved, shipped, without_folders};
use cardsharp_bot::identity::Identity;
use cardsharp_bot::puzzle::find::{Finder, select, usual_rules};
use cardsharp_bot::puzzle::{FORMAT, Made, PuzzleSet};
use cardsharp_bot::{disk, workers};
use serde_json::json;

use crate::args::{GameArg, RulesArgs, seed, thread_count, threads};
use crate::error::{CliError, Failure};
use crate::output::{self, Output};
use crate::progress::Bar;
use crate::{bots, files};

/// Find puzzles in sessions between bots, and write them to a file
///
/// Every decision is screened: a puzzle needs a plausible move that loses a lot. Two judges then play every legal move out
/// in different sampled deals, or with the endgame solver where hidden cards do not matter. A puzzle is accepted if both
/// judges agree and all other moves are clearly worse than the best ones. The same seed gives the same file for any
/// number of threads.
#[derive(clap::Args)]
pub(crate) struct Find {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// Sessions to search. Each has at most two rounds
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    sessions: u32,
    /// The most puzzles; kinds of decisions take turns
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: u32,
    /// The search that judges, like that of `cardsharp review`. Its network also plays the sessions [default:
    /// search:400+trained]
    #[arg(long, value_name = "SEARCH")]
    by: Option<String>,
    /// Sampled deals of the second judge; the first judge has half of them
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    deals: u32,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = seed)]
    seed: u64,
    /// Threads, 0 = one for each CPU core; does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    /// The file to write (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The sessions have no puzzle.
#[derive(Debug, thiserror::Error)]
#[error("no puzzle was found in {sessions} sessions: use more --sessions, or another --seed")]
struct NothingFound {
    sessions: u32,
}

impl Failure for NothingFound {
    fn code(&self) -> u8 {
        1
    }
}

impl Find {
    pub(super) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let game = self.game.0;
        output::check_stdout(&self.to, out)?;
        files::check(&self.to)?;
        let rules = match self.rules.is_given() {
            true => vec![self.rules.resolve(game, None)?],
            false => usual_rules(game),
        };
        let (judge, settings) = bots::judge(self.by.as_deref(), game, 1)?;
        let bot = match path_of(&judge).map(|bot| resolved(bot, game.name()).into_owned()) {
            None => "scripted".to_owned(),
            Some(name) => match shipped(&name).and_then(|bot| Identity::from_bytes(bot.identity).ok()) {
                Some(identity) => identity.to_string(),
                None => without_folders(&name)?,
            },
        };
        let finder = Finder::new(rules, SearchSettings { threads: 1, ..settings }, self.deals, self.seed);
        let sessions = self.sessions as usize;
        let bar = Bar::units(sessions as u64, "sessions");
        let found = workers::in_order(threads(self.threads), sessions, |number| {
            let found = finder.session(number);
            bar.advance();
            found
        });
        bar.finish();
        let found: Vec<_> = found.into_iter().flatten().collect();
        let all = found.len();
        if all == 0 {
            return Err(NothingFound { sessions: self.sessions }.into());
        }
        let puzzles = select(found, self.count as usize);
        let count = puzzles.len();
        let is_shipped = path_of(&judge).is_none_or(|bot| shipped(bot).is_some());
        let judge = if is_shipped { judge } else { without_folders(&judge)? };
        let made =
            Made { version: env!("CARGO_PKG_VERSION").to_owned(), bot, judge, sessions, seed: self.seed };
        let set = PuzzleSet { format: FORMAT, game: game.name().to_owned(), made, puzzles };
        files::write(&self.to, text(&set)?.as_bytes())?;
        if disk::is_stdout(&self.to) {
            return Ok(());
        }
        if out.json {
            return out
                .json_page(&json!({ "found": all, "puzzles": count, "to": self.to.display().to_string() }));
        }
        out.line(format!("Wrote {count} of {all} puzzles to {}.", self.to.display()))
    }
}

/// Returns the set as JSON with a line for each puzzle.
fn text(set: &PuzzleSet) -> Result<String, CliError> {
    let PuzzleSet { format, game, made, puzzles } = set;
    let line = |puzzle| serde_json::to_string(puzzle).map_err(CliError::Json);
    let puzzles: Vec<String> = puzzles.iter().map(line).collect::<Result<_, _>>()?;
    let head = serde_json::to_string(&json!({ "format": format, "game": game, "made": made }));
    let head = head.map_err(CliError::Json)?;
    let head = head.strip_suffix('}').unwrap_or(&head);
    Ok(format!("{head},\"puzzles\":[\n{}\n]}}\n", puzzles.join(",\n")))
}
