//! Results of contests as text.

use std::collections::BTreeMap;
use std::time::Duration;

use cardsharp_bot::arena::report::{Anchor, BotReport, FEW, Millis, RoundRobin, Sprt, StrengthVerdict};
use cardsharp_bot::arena::rule_sets::RuleSets;
use cardsharp_bot::arena::{Interval, Report, command};
use cardsharp_bot::bot::Faults;
use cardsharp_text::format::{self, counted};

use crate::error::CliError;
use crate::games;
use crate::output::Output;
use crate::tables;

/// Target length of a line in a bot's name, in characters.
const NAME: usize = 16;

pub(super) fn report(out: &mut Output, report: &Report) -> Result<(), CliError> {
    out.line(out.bold(format!(
        "{}, {} players, {} of {} from every seat, seed {}",
        report.game,
        report.players,
        counted(report.deals, "deal"),
        counted(report.rounds, "round"),
        report.seed
    )))?;
    let order = ranking(report);
    let bots: Vec<&BotReport> = order.iter().map(|&bot| &report.bots[bot]).collect();
    if let Some(round_robin) = &report.round_robin {
        ratings(out, &bots, round_robin)?;
        cross_play(out, &bots, &order, round_robin)?;
    }
    figures(out, &bots)?;
    places(out, report.players, &bots)?;
    contracts(out, &bots)?;
    habits(out, &bots)?;
    faults(out, &bots)?;
    match (&report.sprt, report.bots.first()) {
        (Some(known), Some(first)) => sprt(out, known, &first.name, report.deals)?,
        (None, Some(first)) if report.round_robin.is_none() => {
            out.line(format!("{} is {}.", first.name, verdict(report)))?;
        }
        _ => {}
    }
    out.line("Place score: 1 = always first, 0 = average, −1 = always last; ties count half.")?;
    out.line("Ahead: points in a round minus the mean of the other seats.")
}

/// Prints the speed of a contest. Reports leave it out, because they are deterministic.
pub(super) fn speed(out: &mut Output, rounds: u64, time: Duration, threads: usize) -> Result<(), CliError> {
    let seconds = time.as_secs_f64();
    let rate = rounds as f64 / seconds.max(1e-9);
    let (rounds, threads) = (counted(rounds, "round"), counted(threads as u64, "thread"));
    let line = format!("{rounds} in {seconds:.1} s on {threads}: {rate:.0} rounds per second.");
    out.line(out.dim(line))
}

/// Returns the order in which bots are shown: as named, or after a round robin by rating, the best first.
fn ranking(report: &Report) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.bots.len()).collect();
    let rating = |bot: usize| report.bots[bot].rating.unwrap_or_default().mean;
    order.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
    order
}

fn signed(of: Interval, digits: usize) -> [String; 2] {
    let number = |value: f64| format::signed(value, digits);
    [number(of.mean), format!("{} … {}", number(of.low), number(of.high))]
}

/// Prints the strength of the bots, with a column for each.
fn figures(out: &mut Output, bots: &[&BotReport]) -> Result<(), CliError> {
    let rated = bots.iter().any(|bot| bot.rating.is_some());
    // Do not repeat figures from the table of ratings.
    let names: &[&str] = match rated {
        true => &["first, %", "points", "µs/move, p50 (p99)", "deals"],
        false => &["place score", "first, %", "points", "ahead", "µs/move, p50 (p99)"],
    };
    let plain = |of: Interval, by: f64, digits: usize| {
        let number = |value: f64| format!("{:.digits$}", by * value);
        [number(of.mean), format!("{} … {}", number(of.low), number(of.high))]
    };
    let cell = |bot: &BotReport, row: usize, two: bool| match names[row] {
        "place score" => lines(signed(bot.place_score, 3), two),
        "first, %" => lines(plain(bot.first_rate, 100.0, 1), two),
        "points" => lines(plain(bot.points, 1.0, 2), two),
        "ahead" => lines(signed(bot.points_ahead.unwrap_or_default(), 2), two),
        "deals" => bot.deals.unwrap_or_default().to_string(),
        _ => lines(times(bot), two),
    };
    by_bot(out, "", bots, names.len(), |row| names[row].to_owned(), cell)
}

/// Formats a figure with its interval, in two lines if columns must be narrow.
fn lines([mean, range]: [String; 2], two: bool) -> String {
    if two { format!("{mean}\n{range}") } else { format!("{mean} ({range})") }
}

/// Returns the median and the 99th percentile of the time per move, in microseconds.
fn times(bot: &BotReport) -> [String; 2] {
    let Millis { p50, p99 } = bot.ms_per_move.unwrap_or_default();
    [p50, p99].map(|ms| format!("{:.1}", 1e3 * ms))
}

fn ratings(out: &mut Output, bots: &[&BotReport], round_robin: &RoundRobin) -> Result<(), CliError> {
    let header = ["", "bot", "rating", "place score", "ahead"];
    let rows = bots.iter().enumerate().map(|(place, bot)| {
        vec![
            (place + 1).to_string(),
            tables::broken(&bot.name, NAME),
            lines(signed(bot.rating.unwrap_or_default(), 0), true),
            lines(signed(bot.place_score, 3), true),
            lines(signed(bot.points_ahead.unwrap_or_default(), 2), true),
        ]
    });
    out.line(tables::table(&header, &[0, 2, 3, 4], rows))?;
    let zero = match round_robin.ratings.anchor {
        Anchor::Random => "random play",
        Anchor::Mean => "the mean of all bots",
    };
    let orders = round_robin.ratings.orders;
    out.line(format!(
        "Rating: 400 points more mean a place ahead in 10 of 11 rounds; 0 is {zero}. Means over {orders} orders of the \
         deals. {}.",
        counted(round_robin.tables, "different table")
    ))
}

fn cross_play(
    out: &mut Output,
    bots: &[&BotReport],
    order: &[usize],
    round_robin: &RoundRobin,
) -> Result<(), CliError> {
    out.line("Row placed ahead of column (1 = always, −1 = never):")?;
    let names = bots.iter().map(|bot| longest(&tables::broken(&bot.name, NAME)));
    // A cell is like `+0.00 ±0.00`. The first column has the number and the name.
    let step = columns(names.max().unwrap_or_default() + 6, 11);
    for from in (0..order.len()).step_by(step) {
        let columns = &order[from..order.len().min(from + step)];
        let numbers: Vec<String> =
            (from..from + columns.len()).map(|column| (column + 1).to_string()).collect();
        let mut header = vec!["", "bot"];
        header.extend(numbers.iter().map(String::as_str));
        let rows = order.iter().enumerate().map(|(place, &one)| {
            let cell = |&other: &usize| match round_robin.cross_play[one][other] {
                Some(meeting) => {
                    let half = (meeting.ahead.high - meeting.ahead.low) / 2.0;
                    format!("{} ±{half:.2}", format::signed(meeting.ahead.mean, 2))
                }
                None if one == other => "·".to_owned(),
                None => "never met".to_owned(),
            };
            let names = [(place + 1).to_string(), tables::broken(&bots[place].name, NAME)];
            names.into_iter().chain(columns.iter().map(cell)).collect()
        });
        let right: Vec<usize> = (0..columns.len() + 2).filter(|&column| column != 1).collect();
        out.line(tables::table(&header, &right, rows))?;
    }
    Ok(())
}

/// Returns the length of the longest line, in characters.
fn longest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or_default()
}

/// Returns how many columns of this width fit next to a first column of width `first`.
fn columns(first: usize, width: usize) -> usize {
    // Columns are separated by a line, with a space on each side.
    (tables::width().saturating_sub(first + 4) / (width + 3)).max(1)
}

/// Prints a table with `rows` rows and a column for each bot, or several tables if there are many bots. The last
/// argument of `cell` says whether the column must be narrow.
fn by_bot(
    out: &mut Output,
    title: &str,
    bots: &[&BotReport],
    rows: usize,
    name: impl Fn(usize) -> String,
    cell: impl Fn(&BotReport, usize, bool) -> String,
) -> Result<(), CliError> {
    let first = (0..rows).map(|row| longest(&name(row))).max().unwrap_or_default();
    let widest = |narrow: bool| {
        let cells = bots.iter().flat_map(|bot| (0..rows).map(|row| longest(&cell(bot, row, narrow))));
        let names = bots.iter().map(|bot| longest(&tables::broken(&bot.name, NAME)));
        cells.chain(names).max().unwrap_or_default()
    };
    let narrow = columns(first, widest(false)) < bots.len();
    if !title.is_empty() {
        out.line(title)?;
    }
    for bots in bots.chunks(columns(first, widest(narrow))) {
        let names: Vec<String> = bots.iter().map(|bot| tables::broken(&bot.name, NAME)).collect();
        let header: Vec<&str> = [""].into_iter().chain(names.iter().map(String::as_str)).collect();
        let rows = (0..rows).map(|row| {
            [name(row)].into_iter().chain(bots.iter().map(|bot| cell(bot, row, narrow))).collect()
        });
        out.line(tables::table(&header, &[], rows))?;
    }
    Ok(())
}

fn places(out: &mut Output, players: usize, bots: &[&BotReport]) -> Result<(), CliError> {
    let share = |bot: &BotReport, place: usize, narrow: bool| {
        let (share, width) = (bot.places[place], if narrow { 7 } else { 15 });
        format!("{:>5.1} % {:<width$}", 100.0 * share, tables::bar(share, width))
    };
    by_bot(out, "Places, share of rounds:", bots, players, |place| (place + 1).to_string(), share)
}

/// Prints the contracts that the bots played, in games with contracts.
fn contracts(out: &mut Output, bots: &[&BotReport]) -> Result<(), CliError> {
    if bots.iter().all(|bot| bot.contracts.is_empty()) {
        return Ok(());
    }
    let header = ["contract", "bot", "played", "share of rounds", "made", "mean points"];
    let kinds = bots[0].contracts.len();
    let rows = (0..kinds).flat_map(|kind| bots.iter().map(move |bot| (bot, &bot.contracts[kind])));
    let rows = rows.filter(|(_, contract)| contract.count > 0).map(|(bot, contract)| {
        vec![
            contract.name.clone(),
            tables::broken(&bot.name, NAME),
            contract.count.to_string(),
            format!("{:.1} %", 100.0 * contract.share),
            format!("{:.1} %", 100.0 * contract.made),
            format!("{:+.1}", contract.points),
        ]
    });
    out.line(tables::table(&header, &[2, 3, 4, 5], rows))
}

/// Prints the faults of `exec:` bots.
fn faults(out: &mut Output, bots: &[&BotReport]) -> Result<(), CliError> {
    bots.iter().filter_map(|bot| bot.faults_summary()).try_for_each(|text| out.line(text))
}

/// Prints how the bots play: the kinds of their moves.
fn habits(out: &mut Output, bots: &[&BotReport]) -> Result<(), CliError> {
    let kinds =
        |bot: &BotReport| bot.habits.iter().flat_map(|habits| habits.kinds.clone()).collect::<Vec<_>>();
    let names: Vec<String> =
        bots.first().map(|bot| kinds(bot)).into_iter().flatten().map(|kind| kind.name).collect();
    // Leave out kinds of moves that no bot made.
    let count = |kind: usize| bots.iter().map(|bot| kinds(bot)[kind].count).sum::<u64>();
    let shown: Vec<usize> = (0..names.len()).filter(|&kind| count(kind) > 0).collect();
    if shown.is_empty() {
        return Ok(());
    }
    let name = |row: usize| match row {
        0 => "decisions with a choice".to_owned(),
        row => names[shown[row - 1]].clone(),
    };
    let cell = |bot: &BotReport, row: usize, _: bool| match (row, &bot.habits) {
        (_, None) => String::new(),
        (0, Some(habits)) => format!("{:>7} {:>7.2}", "", habits.per_round),
        (row, Some(habits)) => {
            let kind = &habits.kinds[shown[row - 1]];
            format!("{:>5.1} % {:>7.2}", 100.0 * kind.share, kind.per_round)
        }
    };
    by_bot(
        out,
        "Play statistics, share of decisions and number per round:",
        bots,
        shown.len() + 1,
        name,
        cell,
    )
}

fn sprt(out: &mut Output, known: &Sprt, first: &str, deals: u64) -> Result<(), CliError> {
    let Sprt { delta, log_likelihood_ratio, bound, most_deals, .. } = known;
    let found = match known.decision {
        StrengthVerdict::Stronger => format!("{first} is stronger than the other bots: decided after"),
        StrengthVerdict::Weaker => format!("{first} is weaker than the other bots: decided after"),
        StrengthVerdict::Unknown => {
            format!("Undecided whether {first} is stronger or weaker than the other bots after")
        }
    };
    out.line(format!(
        "{found} {deals} of at most {} (sequential test of place scores {delta:+} and {:+} with 5 % errors: log likelihood \
         ratio {log_likelihood_ratio:+.2}, bounds ±{bound:.2}).",
        counted(*most_deals, "deal"),
        -delta
    ))?;
    out.line("The intervals are valid at any stopping time, and therefore wider.")
}

/// Says what the interval shows about the first bot against the others.
fn verdict(report: &Report) -> &'static str {
    match report.decision() {
        StrengthVerdict::Stronger => "stronger than the other bots: its interval is above 0",
        StrengthVerdict::Weaker => "weaker than the other bots: its interval is below 0",
        StrengthVerdict::Unknown if report.deals < FEW => {
            "not measured well enough: these are too few deals; use more --deals"
        }
        StrengthVerdict::Unknown => {
            "not clearly stronger or weaker than the other bots: its interval contains 0; use more --deals"
        }
    }
}

/// Number of rule sets that are shown with the command that repeats them.
const WORST: usize = 5;

/// Prints how many rule sets the first bot won and lost, by number of players, and its worst rule sets.
pub(super) fn rule_sets(out: &mut Output, found: &RuleSets) -> Result<(), CliError> {
    let RuleSets { seed, above, below, mean, contests } = found;
    let Some(first) = contests.first() else { return Ok(()) };
    let [name, other] = [0, 1].map(|bot| first.bots.get(bot).map_or("", |bot| bot.name.as_str()));
    let sets = contests.len();
    out.line(out.bold(format!(
        "{}, {sets} rule sets, {} deals each from every seat, seed {seed}: {name} against copies of {other}",
        first.game, first.deals
    )))?;
    by_players(out, contests)?;
    let share = |count: usize| format!("{count} ({:.1} %)", 100.0 * count as f64 / sets as f64);
    out.line(format!(
        "Place score clearly above 0 in {} of {sets} rule sets, clearly below 0 in {}, undecided in {}; mean {}.",
        share(*above),
        share(*below),
        share(sets - above - below),
        format::signed(*mean, 3)
    ))?;
    out.line(format!("The {} worst rule sets:", WORST.min(sets)))?;
    for report in contests.iter().take(WORST) {
        let [mean, range] = signed(report.place_score(), 3);
        out.line(format!("  {mean} ({range}), {} players", report.players))?;
        out.line(out.dim(format!("    {}", command::again(games::all(), report)?)))?;
    }
    for bot in [0, 1] {
        let of_bot = || contests.iter().filter_map(|report| report.bots.get(bot));
        let all: Faults = of_bot().filter_map(|bot| bot.faults).sum();
        let first = of_bot().find_map(|bot| bot.first_fault.as_ref());
        if let Some(text) = all.summary([name, other][bot], first) {
            out.line(text)?;
        }
    }
    out.line("Place score: 1 = always first, 0 = average, −1 = always last. Each rule set has its own 95 % interval.")
}

fn by_players(out: &mut Output, contests: &[Report]) -> Result<(), CliError> {
    let mut players: BTreeMap<usize, Vec<&Report>> = BTreeMap::new();
    contests.iter().for_each(|report| players.entry(report.players).or_default().push(report));
    let header = ["players", "rule sets", "above 0", "below 0", "mean", "lowest", "highest"];
    let rows = players.iter().map(|(players, sets)| {
        let count = |what| sets.iter().filter(|report| report.decision() == what).count().to_string();
        let means = || sets.iter().map(|report| report.place_score().mean);
        let mean = means().sum::<f64>() / sets.len() as f64;
        let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(f64::NEG_INFINITY, f64::max));
        let [mean, low, high] = [mean, low, high].map(|score| format::signed(score, 3));
        let counts =
            [sets.len().to_string(), count(StrengthVerdict::Stronger), count(StrengthVerdict::Weaker)];
        [players.to_string()].into_iter().chain(counts).chain([mean, low, high]).collect()
    });
    out.line(tables::table(&header, &[0, 1, 2, 3, 4, 5, 6], rows))
}
