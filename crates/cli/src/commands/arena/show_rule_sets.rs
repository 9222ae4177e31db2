//! Contests under random rule sets, as text.

use std::collections::BTreeMap;

use cardsharp_bot::arena::report::Decision;
use cardsharp_bot::arena::rule_sets::RuleSets;
use cardsharp_bot::arena::{Report, command};
use cardsharp_bot::bot::Faults;

use super::show::signed;
use crate::error::CliError;
use crate::list;
use crate::output::Output;
use crate::tables;

/// Number of rule sets that are shown with the command that repeats them.
const WORST: usize = 5;

/// Prints how many rule sets the first bot won and lost, by number of players, and its worst rule sets.
pub(super) fn found(out: &mut Output, found: &RuleSets) -> Result<(), CliError> {
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
        tables::signed(*mean, 3)
    ))?;
    out.line(format!("The {} worst rule sets:", WORST.min(sets)))?;
    for report in contests.iter().take(WORST) {
        let [mean, range] = signed(report.place_score(), 3);
        out.line(format!("  {mean} ({range}), {} players", report.players))?;
        out.line(out.dim(format!("    {}", command::again(list::games(), report)?)))?;
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
        let [mean, low, high] = [mean, low, high].map(|score| tables::signed(score, 3));
        let counts = [sets.len().to_string(), count(Decision::Stronger), count(Decision::Weaker)];
        [players.to_string()].into_iter().chain(counts).chain([mean, low, high]).collect()
    });
    out.line(tables::table(&header, &[0, 1, 2, 3, 4, 5, 6], rows))
}
