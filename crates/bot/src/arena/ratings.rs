//! Ratings from the places in every round, by Weng and Lin's full-pair Bradley–Terry update ("A Bayesian
//! approximation method for online ranking", JMLR 12, 2011): one team per seat, shared places are half won.
//!
//! Such ratings are meant for people, one match after the other, and depend on the order of the matches:
//! the last ones weigh most. Bots do not change, so what they get is the mean over [`ORDERS`] orders of
//! the deals, and within an order the mean over all its rounds but the first tenth (when ratings are still on
//! their way). That comes close to what all rounds together say, without an order, as a test shows.
//!
//! Ratings have no zero of their own; theirs is the bot that plays at random, or the mean of all
//! where none does. The unit is that of chess ratings: 400 points are odds of ten to one to be placed ahead.

use cardsharp_env::Draw;
use cardsharp_env::rng::derive;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::contest::Deal;
use super::report::{Anchor, Ratings};
use crate::stats::{Interval, Z};

/// Orders of the deals over which ratings are averaged.
const ORDERS: u64 = 32;
/// Resamples of the deals behind the intervals: as many as fit [`WORK`], between these.
const RESAMPLES: std::ops::RangeInclusive<u64> = 100..=1000;
/// Rounds to be rated for the intervals, a few seconds' work.
const WORK: u64 = 2_000_000;

/// The rating of each bot, and how they were made. `names` are those of the bots.
pub(super) fn rate(deals: &[&Deal], names: &[&str], seed: u64) -> (Vec<Interval>, Ratings) {
    let bots = names.len();
    let random = names.iter().position(|&name| name == "random");
    let mut order: Vec<usize> = (0..deals.len()).collect();
    let mut runs = Vec::new();
    for number in 0..ORDERS {
        Draw::new(derive(seed, &[0, number]), 0).shuffle(&mut order);
        runs.push(anchored(pass(deals, &order, bots), random));
    }
    let (means, spread) = moments(&runs, bots);
    let rounds: usize = deals.iter().map(|deal| deal.places.len()).sum();
    let resamples = (WORK / rounds.max(1) as u64).clamp(*RESAMPLES.start(), *RESAMPLES.end());
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
        orders: ORDERS,
        resamples,
        order_noise: spread.iter().copied().fold(0.0, f64::max),
    };
    (means.iter().zip(&errors).map(interval).collect(), ratings)
}

/// Rates the deals in this order: the mean rating of each bot over all rounds but the first tenth.
fn pass(deals: &[&Deal], order: &[usize], bots: usize) -> Vec<f64> {
    let config = WengLinConfig::default();
    // One logarithmic unit of odds is √2 β between players whose strength is known.
    let unit = 400.0 / std::f64::consts::LN_10 / (std::f64::consts::SQRT_2 * config.beta);
    let mut ratings = vec![WengLinRating::default(); bots];
    let rounds: usize = order.iter().map(|&deal| deals[deal].places.len()).sum();
    let (mut sums, mut done) = (vec![0.0; bots], 0);
    for &deal in order {
        let deal = deals[deal];
        for places in &deal.places {
            let seats = (0..deal.lineup.players()).filter(|&seat| places[seat] != 0);
            let playing: Vec<(usize, [WengLinRating; 1], MultiTeamOutcome)> = seats
                .map(|seat| {
                    let bot = deal.lineup.bot(seat);
                    (bot, [ratings[bot]], MultiTeamOutcome::new(usize::from(places[seat])))
                })
                .collect();
            let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
                playing.iter().map(|(_, team, place)| (team.as_slice(), *place)).collect();
            let after = weng_lin_multi_team(&teams, &config);
            for bot in deal.lineup.sitting() {
                // A bot in several seats moves by the mean of what they say.
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
            done += 1;
            if done * 10 > rounds {
                sums.iter_mut().zip(&ratings).for_each(|(sum, own)| *sum += own.rating);
            }
        }
    }
    let counted = (rounds - rounds / 10).max(1) as f64;
    sums.into_iter().map(|sum| unit * sum / counted).collect()
}

/// The ratings with the anchor at 0.
fn anchored(mut ratings: Vec<f64>, random: Option<usize>) -> Vec<f64> {
    let zero = match random {
        Some(bot) => ratings[bot],
        None => ratings.iter().sum::<f64>() / ratings.len() as f64,
    };
    ratings.iter_mut().for_each(|rating| *rating -= zero);
    ratings
}

/// The mean and the standard deviation of each bot's rating over some runs.
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
