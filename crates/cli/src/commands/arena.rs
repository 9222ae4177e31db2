//! `cardsharp arena GAME`.

use std::time::Instant;

use cardsharp_bot::arena::{Contest, Interval, Report};
use cardsharp_trainer::workers;

use crate::args::{GameArg, RulesArgs, ThinkingArgs, threads};
use crate::error::CliError;
use crate::output::Output;
use crate::progress::Bar;
use crate::tables;

/// Measure how strong bots are against each other.
///
/// Every deal is played from every seat, so that luck in the cards is shared; 95 % intervals are
/// resampled by deal. With two bots the first takes one seat among copies of the second; with as many
/// bots as players each takes every seat in turn. --seats seats them otherwise: partners, or several
/// copies of each.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp arena dalmuti --bots scripted,random --players 5
  cardsharp arena dalmuti --bots checkpoints/dalmuti/bot,scripted --deals 2000 --seed 7
  cardsharp arena dalmuti --bots checkpoints/dalmuti/bot,scripted --rounds 20 --deals 200 --json
  cardsharp arena tachtigen --bots checkpoints/tachtigen/bot,scripted --seats 0,1,0,1
  cardsharp arena taki --bots search:200,scripted
  cardsharp arena tahimi --bots aggressive,scripted
  cardsharp arena dalmuti --bots search:100+checkpoints/dalmuti/bot,checkpoints/dalmuti/bot

Bots that search (docs/search.md): `search`, `search:200` (tries per decision), `search:50ms`, and with a
network `search:200+checkpoints/dalmuti/bot`.")]
pub(crate) struct Arena {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// The bots: `random`, `scripted`, `cautious`, `aggressive`, `search`, bundles or checkpoints
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', required = true)]
    bots: Vec<String>,
    /// Which bot, counted from 0, takes which seat when a deal is first played; all then move on by a seat
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    seats: Option<Vec<usize>>,
    /// Deals, each a session that is played once from every seat
    #[arg(long, value_name = "N", default_value_t = 400)]
    deals: u64,
    /// Rounds in a session; ranks carry over from round to round
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: u32,
    /// What the deals and the bots' random streams are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How networks pick: 0 the likeliest move, 1 by probability
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    temperature: f32,
    /// Threads; 0 is one for each core. Does not change the result
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    thinking: ThinkingArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

impl Arena {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if !(0.0..=100.0).contains(&self.temperature) {
            let expected = "expected 0 to 100".to_owned();
            return Err(CliError::Option {
                option: "--temperature",
                given: self.temperature.to_string(),
                expected,
            });
        }
        let game = self.game.0;
        let rules = self.rules.resolve(game, Some(self.rounds))?;
        // All cores are busy with deals already.
        let means = self.thinking.means(self.temperature, 1);
        let load = |name: &String| cardsharp_bot::load_with(name, game, &means);
        let bots = self.bots.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let mut contest = Contest::new(game, &rules, bots, self.deals, self.seed)?;
        if let Some(seats) = self.seats {
            contest = contest.seated_as(seats)?;
        }
        let report = play(&contest, self.threads)?;
        if out.json {
            return out.json_page(&report);
        }
        show(out, &report)
    }
}

/// Plays a contest on several threads; the report does not depend on how many.
fn play(contest: &Contest, threads_asked: usize) -> Result<Report, CliError> {
    let begun = Instant::now();
    let bar = Bar::units(contest.units(), "units of deals");
    let units = workers::in_order(threads(threads_asked), contest.units() as usize, |unit| {
        let played = contest.play(unit as u64, &mut || begun.elapsed());
        bar.advance();
        played
    });
    bar.finish();
    Ok(contest.report(&units.into_iter().collect::<Result<Vec<_>, _>>()?))
}

fn show(out: &mut Output, report: &Report) -> Result<(), CliError> {
    out.line(out.bold(format!(
        "{}, {} players, {} deals of {} round(s) from every seat, seed {}",
        report.game, report.players, report.deals, report.rounds, report.seed
    )))?;
    let header = [
        "bot",
        "place score",
        "95 %",
        "first",
        "95 %",
        "points",
        "95 %",
        "ahead",
        "95 %",
        "µs a move",
        "99 %",
    ];
    let rows = report.bots.iter().map(|bot| {
        let time = bot.ms_per_move;
        let (score, first, points) = (bot.place_score, bot.first_rate, bot.points);
        let ahead = bot.points_ahead.unwrap_or_default();
        vec![
            bot.name.clone(),
            format!("{:+.3}", score.mean),
            format!("{:+.3} … {:+.3}", score.low, score.high),
            format!("{:.1} %", 100.0 * first.mean),
            format!("{:.1} … {:.1}", 100.0 * first.low, 100.0 * first.high),
            format!("{:.2}", points.mean),
            format!("{:.2} … {:.2}", points.low, points.high),
            format!("{:+.2}", ahead.mean),
            format!("{:+.2} … {:+.2}", ahead.low, ahead.high),
            format!("{:.1}", 1e3 * time.p50),
            format!("{:.1}", 1e3 * time.p99),
        ]
    });
    out.line(tables::table(&header, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], rows))?;
    let mut header = vec!["place"];
    header.extend(report.bots.iter().map(|bot| bot.name.as_str()));
    let rows = (0..report.players).map(|place| {
        let share = |share: f64| format!("{:>5.1} % {:<15}", 100.0 * share, tables::bar(share, 15));
        let shares = report.bots.iter().map(|bot| share(bot.places[place]));
        [format!("{}", place + 1)].into_iter().chain(shares).collect()
    });
    out.line(tables::table(&header, &[0], rows))?;
    contracts(out, report)?;
    if let Some(first) = report.bots.first() {
        out.line(format!("{} is {}.", first.name, verdict(&first.place_score)))?;
    }
    out.line("Place score: 1 always first, −1 always last, 0 the average seat.")?;
    out.line("Ahead: points in a round less the mean of the other seats'.")
}

/// What the bots undertook, in games with contracts.
fn contracts(out: &mut Output, report: &Report) -> Result<(), CliError> {
    if report.bots.iter().all(|bot| bot.contracts.is_empty()) {
        return Ok(());
    }
    let header = ["contract", "bot", "undertaken", "of its rounds", "made", "mean points"];
    let kinds = report.bots[0].contracts.len();
    let rows = (0..kinds).flat_map(|kind| report.bots.iter().map(move |bot| (bot, &bot.contracts[kind])));
    let rows = rows.filter(|(_, contract)| contract.count > 0).map(|(bot, contract)| {
        vec![
            contract.name.clone(),
            bot.name.clone(),
            contract.count.to_string(),
            format!("{:.1} %", 100.0 * contract.share),
            format!("{:.1} %", 100.0 * contract.made),
            format!("{:+.1}", contract.points),
        ]
    });
    out.line(tables::table(&header, &[2, 3, 4, 5], rows))
}

/// What the interval says about a bot among these others.
fn verdict(score: &Interval) -> &'static str {
    match (score.low > 0.0, score.high < 0.0) {
        (true, _) => "stronger than the rest: its interval lies above 0",
        (_, true) => "weaker than the rest: its interval lies below 0",
        _ => "not clearly stronger or weaker than the rest: its interval holds 0; more --deals narrow it",
    }
}
