//! Rates bots by their places in every round, with Weng and Lin's full-pair Bradley–Terry update ("A Bayesian
//! approximation method for online ranking", JMLR 12, 2011). Each seat is a team, and ties count half.
//!
//! This method is made for people, who improve from match to match. Its ratings first move far, and they depend on the
//! order of the matches: the last ones weigh most. Bots do not change. So the deals are rated in repeated passes. The
//! first rounds only settle the ratings: at least `SETTLE` for each bot, and at least a tenth of the contest. Then
//! ratings are averaged over whole passes. The reported rating is the mean over several orders of the deals. A test
//! shows that this agrees with a fit to all rounds at once, which has no order.
//!
//! The rating of a bot that was never placed ahead has no lower limit. Its number only says that the bot is far behind.
//!
//! Ratings are relative. The random bot has rating 0; without one, the mean of all bots is 0. The unit is that of chess
//! ratings: a lead of 400 points gives odds of ten to one to be placed ahead.

use cardsharp_env::rng::derive;
use cardsharp_env::{Draw, MAX_SEATS};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::play::PlayedDeal;
use super::report::{Anchor, Ratings};
use super::schedule::Lineup;
use crate::stats::{Interval, Z};

/// Rounds that a bot plays before its rating counts.
const SETTLE: usize = 1000;
/// Orders of the deals over which ratings are averaged, and resamples of the deals for the intervals. Within these
/// limits, as many as fit [`WORK`].
const ORDERS: std::ops::RangeInclusive<u64> = 8..=32;
const RESAMPLES: std::ops::RangeInclusive<u64> = 100..=400;
/// Rounds to rate for the intervals, which takes a few seconds. The ratings get a quarter of them.
const WORK: u64 = 2_000_000;

/// Returns the rating of each bot, and how the ratings were computed. `names` are the bots' names.
pub(super) fn rate(deals: &[&PlayedDeal], names: &[&str], seed: u64) -> (Vec<Interval>, Ratings) {
    let bots = names.len();
    let random = names.iter().position(|&name| name == "random");
    let mut order: Vec<usize> = (0..deals.len()).collect();
    let rounds: usize = deals.iter().map(|deal| deal.places.len()).sum();
    let fitting = |work: u64, limits: &std::ops::RangeInclusive<u64>| {
        (work / rounds.max(1) as u64).clamp(*limits.start(), *limits.end())
    };
    let (orders, resamples) = (fitting(WORK / 4, &ORDERS), fitting(WORK, &RESAMPLES));
    let mut runs = Vec::new();
    for number in 0..orders {
        Draw::new(derive(seed, &[0, number]), 0).shuffle(&mut order);
        runs.push(anchored(pass(deals, &order, bots), random));
    }
    let (means, spread) = moments(&runs, bots);
    let count = u32::try_from(deals.len()).unwrap_or(u32::MAX);
    let resampled: Vec<Vec<f64>> = (0..resamples)
        .map(|number| {
            let mut draw = Draw::new(derive(seed, &[1, number]), 0);
            order.iter_mut().for_each(|deal| *deal = draw.below(count) as usize);
            anchored(pass(deals, &order, bots), random)
        })
        .collect();
    let (_, errors) = moments(&resampled, bots);
    let interval =
        |(mean, error): (&f64, &f64)| Interval { mean: *mean, low: mean - Z * error, high: mean + Z * error };
    let ratings = Ratings {
        anchor: if random.is_some() { Anchor::Random } else { Anchor::Mean },
        orders,
        resamples,
        order_noise: spread.iter().copied().fold(0.0, f64::max),
    };
    (means.iter().zip(&errors).map(interval).collect(), ratings)
}

/// Rates the deals in this order, and returns the mean rating of each bot after the ratings settled.
fn pass(deals: &[&PlayedDeal], order: &[usize], bots: usize) -> Vec<f64> {
    let config = WengLinConfig::default();
    // One natural-log unit of odds is √2 β between players of known strength.
    let unit = 400.0 / std::f64::consts::LN_10 / (std::f64::consts::SQRT_2 * config.beta);
    let circle: usize = order.iter().map(|&deal| deals[deal].places.len()).sum();
    if circle == 0 {
        return vec![0.0; bots];
    }
    let players = deals[order[0]].lineup.players();
    let settle = (circle / 10).max((SETTLE * bots).div_ceil(players));
    let counted = settle.div_ceil(circle) * circle;
    let mut ratings = vec![WengLinRating::default(); bots];
    let mut sums = vec![0.0; bots];
    let rounds = order.iter().cycle().map(|&deal| deals[deal]);
    let rounds = rounds.flat_map(|deal| deal.places.iter().map(|places| (&deal.lineup, places)));
    for (done, (lineup, places)) in rounds.take(settle + counted).enumerate() {
        rate_round(lineup, places, &mut ratings, &config);
        if done >= settle {
            sums.iter_mut().zip(&ratings).for_each(|(sum, own)| *sum += own.rating);
        }
    }
    sums.into_iter().map(|sum| unit * sum / counted as f64).collect()
}

fn rate_round(
    lineup: &Lineup,
    places: &[u8; MAX_SEATS],
    ratings: &mut [WengLinRating],
    config: &WengLinConfig,
) {
    let playing: Vec<(usize, [WengLinRating; 1], MultiTeamOutcome)> = (0..lineup.players())
        .filter(|&seat| places[seat] != 0)
        .map(|seat| {
            let bot = lineup.bot(seat);
            (bot, [ratings[bot]], MultiTeamOutcome::new(usize::from(places[seat])))
        })
        .collect();
    let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
        playing.iter().map(|(_, team, place)| (team.as_slice(), *place)).collect();
    let after = weng_lin_multi_team(&teams, config);
    for bot in lineup.sitting() {
        // A bot in several seats moves by the mean of their updates.
        let own = playing.iter().zip(&after).filter(|((other, ..), _)| *other == bot);
        let (mut rating, mut uncertainty, mut seats) = (0.0, 0.0, 0.0);
        for team in own.filter_map(|(_, team)| team.first()) {
            rating += team.rating;
            uncertainty += team.uncertainty;
            seats += 1.0;
        }
        if seats > 0.0 {
            ratings[bot] = WengLinRating { rating: rating / seats, uncertainty: uncertainty / seats };
        }
    }
}

/// Shifts the ratings so that the anchor has 0.
fn anchored(mut ratings: Vec<f64>, random: Option<usize>) -> Vec<f64> {
    let zero = match random {
        Some(bot) => ratings[bot],
        None => ratings.iter().sum::<f64>() / ratings.len() as f64,
    };
    ratings.iter_mut().for_each(|rating| *rating -= zero);
    ratings
}

/// Returns the mean and the standard deviation of each bot's rating over some runs.
fn moments(runs: &[Vec<f64>], bots: usize) -> (Vec<f64>, Vec<f64>) {
    let count = runs.len() as f64;
    let means: Vec<f64> = (0..bots).map(|bot| runs.iter().map(|run| run[bot]).sum::<f64>() / count).collect();
    let deviation = |bot: usize| {
        let squares = runs.iter().map(|run| (run[bot] - means[bot]) * (run[bot] - means[bot])).sum::<f64>();
        (squares / (count - 1.0)).sqrt()
    };
    let deviations = (0..bots).map(deviation).collect();
    (means, deviations)
}

#[cfg(test)]
mod tests;
