use std::path::PathBuf;

use cardsharp_bot::disk;
use cardsharp_bot::review::{Parts, Reviewer, Thoroughness};
use cardsharp_env::{AnyTable, Seat, trace as traces};
use cardsharp_report::review::{self, ReviewedSession, SeenPosition};
use cardsharp_report::{Context, check_target, review_page};
use cardsharp_text::escape::quoted;
use cardsharp_text::format::{plain, signed};
use cardsharp_text::input::{self, LARGE};
use serde_json::Value;

use crate::args::{UnknownGame, ViewerArg, thread_count, threads};
use crate::error::{CliError, Failure};
use crate::output::{self, Output};
use crate::progress::Bar;
use crate::{bots, files, games, tables};

/// Review a session: what each decision of a seat cost, and how much was luck.
///
/// Decisions are judged by what the seat knew. A search picks its own move. If it differs, both moves are played out in
/// the same sampled deals, with the search in all seats. Costs have 95 % confidence intervals; if an interval contains 0,
/// the moves are not clearly different. For the most expensive mistakes the review explains what each move keeps, and who
/// could have topped it with what. The result of each round is split into luck and skill.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp review game.jsonl
  cardsharp review game.jsonl --seat 2 --deals 2000
  cardsharp review game.jsonl --to review.html
  cardsharp review game.jsonl --by search:1000+checkpoints/dalmuti/bot --json
  cardsharp trace taki --bots scripted --seed 7 | cardsharp review -

More: ", docs!("review.html")))]
pub(crate) struct Review {
    /// The trace; `-` reads standard input
    trace: PathBuf,
    /// The seat to review [default: the seat named `you` in the trace, otherwise 0]
    #[arg(long)]
    seat: Option<u8>,
    /// The search that judges: `search`, `search:N` (playouts), `search:N+BOT` [default: search:400+trained]
    #[arg(long, value_name = "SEARCH")]
    by: Option<String>,
    /// Sampled deals for each comparison of two moves
    #[arg(long, value_name = "N", default_value_t = Thoroughness::default().deals, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    deals: u32,
    /// Playouts of each round from its deal, at least 2, to estimate what the deal was worth
    #[arg(long, value_name = "N", default_value_t = Thoroughness::default().playouts, value_parser = playouts)]
    playouts: u32,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads, 0 = one for each CPU core; does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    /// Also write the review as an HTML file that needs no server; `-` writes only the HTML to standard output
    #[arg(long, value_name = "FILE.html")]
    to: Option<PathBuf>,
    #[command(flatten)]
    viewer: ViewerArg,
}

/// A session to review is invalid.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", quoted(name))]
struct SessionError {
    name: String,
    source: traces::TraceError,
}

impl Failure for SessionError {
    fn code(&self) -> u8 {
        2
    }
}

impl Review {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if let Some(to) = &self.to {
            check_target(to, std::slice::from_ref(&self.trace))?;
            output::check_stdout(to, out)?;
        }
        let name = input::name(&self.trace);
        let text = input::read_text(&self.trace, LARGE)?;
        let table = traces::replay(&text).map_err(|source| SessionError { name, source })?;
        let seat = self.seat(&text, table.as_ref())?;
        let game = table.game().to_owned();
        // The trace was read already, so this program has its game.
        let rules = games::game(&game).ok_or_else(|| UnknownGame(game.clone()))?;
        let (judge, settings) = bots::judge(self.by.as_deref(), rules, threads(self.threads))?;
        let thoroughness = Thoroughness { deals: self.deals, playouts: self.playouts, seed: self.seed };
        let mut reviewer = Reviewer::new(table, seat, settings, thoroughness);
        let bar = Bar::units(reviewer.progress().1 as u64, "steps");
        let (mut decisions, mut rounds) = (Vec::new(), Vec::new());
        while let Some(reviewed) = reviewer.advance() {
            decisions.extend(reviewed.decision);
            rounds.extend(reviewed.round);
            bar.advance();
        }
        bar.finish();
        let Self { deals, playouts, .. } = self;
        let review = ReviewedSession { game, seat, judge, deals, playouts, decisions, rounds };
        if let Some(to) = &self.to {
            let context = Context { games: games::all(), viewer: &self.viewer.viewer };
            let page = review_page(&review, &text, context)?;
            files::write(to, page.as_bytes())?;
            if disk::is_stdout(to) {
                return Ok(());
            }
            if !out.json {
                show(&review, &text, out)?;
                return out.line(format!("\nWrote {}.", to.display()));
            }
        }
        if out.json { out.json_page(&review) } else { show(&review, &text, out) }
    }

    fn seat(&self, text: &str, table: &dyn AnyTable) -> Result<Seat, CliError> {
        let Some(seat) = self.seat else {
            let header: Option<Value> =
                traces::lines(text).next().and_then(|(_, line)| serde_json::from_str(line).ok());
            let names = header.as_ref().and_then(|header| header["bots"].as_array());
            let person = names.and_then(|names| names.iter().position(|name| name == "you"));
            return Ok(Seat(person.unwrap_or_default() as u8));
        };
        let seats = table.seats();
        if usize::from(seat) < seats {
            return Ok(Seat(seat));
        }
        let expected = format!("expected 0 to {}", seats - 1);
        Err(CliError::Option { option: "--seat", given: seat.to_string(), expected })
    }
}

/// Parses a number of playouts.
fn playouts(text: &str) -> Result<u32, &'static str> {
    let given = text.parse().ok().filter(|given| (2..=1_000_000).contains(given));
    given.ok_or("expected 2 to 1000000")
}

fn show(review: &ReviewedSession, trace: &str, out: &mut Output) -> Result<(), CliError> {
    out.line(format!("Seat {}, judged by {}: {}", review.seat.0, review.judge, review.counted()))?;
    out.line(review.cost())?;
    let dearest = review.dearest();
    for (decision, compared) in &dearest {
        out.line("")?;
        out.line(review::heading(decision))?;
        if let Some(SeenPosition { picture, .. }) = SeenPosition::before(trace, decision.step, review.seat, 0)
        {
            out.line(picture)?;
        }
        out.line(review::price(decision, compared))?;
        for reason in review::reasons(decision, compared) {
            out.line(reason)?;
        }
    }
    if dearest.is_empty() {
        out.line("No decision was clearly a mistake.")?;
    }
    out.line("")?;
    if review.rounds.is_empty() {
        return out.line(review::UNFINISHED);
    }
    let rows = review.rounds.iter().map(|round| {
        let Parts { result, deal, decisions, rest } = &round.place;
        vec![
            round.round.to_string(),
            format!("{:.2}", f64::from(round.players + 1) / 2.0),
            format!("{} ({} … {})", plain(deal.mean, 2), plain(deal.low, 2), plain(deal.high, 2)),
            format!(
                "{} ({} … {})",
                signed(decisions.mean, 2),
                signed(decisions.low, 2),
                signed(decisions.high, 2)
            ),
            signed(*rest, 2),
            format!("{result:.0}"),
            format!("{:.0}", round.points.result),
        ]
    });
    let header = ["round", "average place", "deal", "decisions", "other", "place", "points"];
    out.line(tables::table(&header, &[0, 1, 2, 3, 4, 5, 6], rows))?;
    out.line(review.parts())
}
