//! Taking the luck of the deals out of figures: a control variate.
//!
//! That every deal is played from every seat has taken out who was dealt what already: anything that one
//! seat gains and another loses has the mean 0 over a deal. What is left is that some deals give the better
//! player more room than others. Each deal is also played once by the built-in player in all seats, and two
//! things are known from that game: how long it was, and how far its points lay apart. Where a figure goes up
//! and down with them, it is corrected for what the measured deals had more of than deals have on the
//! average.
//!
//! Nothing is fitted to what it is applied to. The coefficients come from other deals, a quarter as many, that the
//! same bots play; the covariates' means from [`REFERENCE`] times as many, played by the built-in player alone.
//! The doubt about those means is part of the interval. A figure is adjusted only if that makes the interval
//! narrower both on the deals the coefficients were found from and on those measured.

use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::{ActionId, SeatView, seed};

use super::contest::Contest;
use super::findings::deals;
use super::play::{AHEAD, SCALE, SCORE, Unit};
use super::report::{Adjusted, AdjustedFigures, Luck, Report};
use super::schedule::Schedule;
use crate::stats::{Interval, Z};

/// Deals that the covariates' means are found from, for each deal that is measured.
pub const REFERENCE: u64 = 8;
/// The fewest deals that coefficients are found from.
const FEWEST: u64 = 64;

/// What is known of a deal from the game of the built-in players: decisions with a choice, and how far
/// the points of each round lay from its mean, added up.
type Gauge = [f64; 2];
const COVARIATES: [&str; 2] = ["decisions", "spread of the points"];

/// A contest whose figures are to be adjusted for luck.
#[derive(Clone)]
pub struct Adjusting<'c> {
    contest: &'c Contest,
    pilot: Contest,
    reference: Contest,
}

/// What is known of the deals of one unit. Opaque: it goes from [`Adjusting::gauge`] to
/// [`Adjusting::report`].
#[derive(Clone, Debug, PartialEq)]
pub struct Gauged(Vec<Gauge>);

impl Contest {
    /// The contest, and what has to be played besides it to adjust its figures for luck.
    pub fn adjusting(&self) -> Adjusting<'_> {
        let pilot = self.over((self.deals / 4).max(FEWEST), seed::derived(self.seed, &[8]));
        // Nobody but the built-in player sits at these tables.
        let reference = Contest {
            schedule: Schedule::fixed(&vec![0; self.players]),
            deals: self.deals * REFERENCE,
            seed: seed::derived(self.seed, &[9]),
            ..self.clone()
        };
        Adjusting { contest: self, pilot, reference }
    }

    /// Plays the deals of a unit once each with the built-in player in all seats.
    fn gauge(&self, unit: u64) -> Gauged {
        let deals = self.deals_of(unit);
        let lanes = deals.clone().count();
        let options = BatchOptions { lanes, skip_forced: true, rows: false, reveal: false };
        let mut env = self.rules.batch(options);
        let mut batch = env.batch();
        for (lane, deal) in deals.enumerate() {
            env.start(lane, 0, self.deal_seed(deal), &mut batch);
        }
        let mut gauges = vec![[0.0; 2]; lanes];
        let mut picks = vec![ActionId::default(); lanes];
        while batch.state.iter().any(|&state| state != LaneState::Idle) {
            for (lane, [decisions, spread]) in gauges.iter_mut().enumerate() {
                match batch.state[lane] {
                    LaneState::Decide => {
                        *decisions += 1.0;
                        picks[lane] = env.view(lane).map(SeatView::scripted).unwrap_or_default();
                    }
                    LaneState::RoundOver | LaneState::SessionOver => {
                        let payoff = &batch.payoff[lane];
                        let played = (0..self.players).filter(|&seat| payoff.place[seat] != 0);
                        let points: Vec<f64> = played.map(|seat| f64::from(payoff.points[seat])).collect();
                        let mean = points.iter().sum::<f64>() / points.len().max(1) as f64;
                        *spread += points.iter().map(|points| (points - mean).abs()).sum::<f64>();
                    }
                    LaneState::Idle => {}
                }
            }
            env.step(&picks, &mut batch);
        }
        Gauged(gauges)
    }
}

impl Adjusting<'_> {
    /// The contest that coefficients are found from; all its units have to be played.
    pub fn pilot(&self) -> &Contest {
        &self.pilot
    }

    /// Number of units for [`Adjusting::gauge`].
    pub fn gauges(&self) -> u64 {
        self.parts().map(Contest::units).iter().sum()
    }

    fn parts(&self) -> [&Contest; 3] {
        [self.contest, &self.pilot, &self.reference]
    }

    /// Plays one unit of games among built-in players, a pure function of its number.
    pub fn gauge(&self, mut unit: u64) -> Gauged {
        for part in self.parts() {
            if unit < part.units() {
                return part.gauge(unit);
            }
            unit -= part.units();
        }
        Gauged(Vec::new())
    }

    /// The report of the contest with adjusted figures: from its units, those of the pilot, and all
    /// gauges, each in the order of their numbers.
    pub fn report(&self, units: &[Unit], pilot: &[Unit], gauges: &[Gauged]) -> Report {
        let mut report = self.contest.report(units);
        let mut rest = gauges.iter().flat_map(|gauged| &gauged.0).copied();
        let [measured, fitted, reference] =
            self.parts().map(|part| rest.by_ref().take(part.deals as usize).collect::<Vec<Gauge>>());
        for (bot, own) in report.bots.iter_mut().enumerate() {
            let figure = |sum: usize, plain: Interval| {
                let fit = fit(&samples(pilot, &fitted, bot, sum));
                adjust(&samples(units, &measured, bot, sum), &fit, &reference, plain)
            };
            own.adjusted = Some(AdjustedFigures {
                place_score: figure(SCORE, own.place_score),
                points_ahead: figure(AHEAD, own.points_ahead.unwrap_or_default()),
            });
        }
        report.luck = Some(Luck {
            covariates: COVARIATES.map(str::to_owned).to_vec(),
            fitted_deals: self.pilot.deals,
            reference_deals: self.reference.deals,
        });
        report
    }
}

/// A figure in one deal, less its mean over all of them, and what is known of the deal.
type Sample = (f64, Gauge);

/// The samples of a bot's figure, those of deals in which it sat at the table.
fn samples(units: &[Unit], gauges: &[Gauge], bot: usize, figure: usize) -> Vec<Sample> {
    let groups: Vec<_> = (deals(units).zip(gauges))
        .filter_map(|(deal, gauge)| deal.of(bot).map(|tally| (tally.group, *gauge)))
        .collect();
    let sum: i64 = groups.iter().map(|(group, _)| group.sums[figure]).sum();
    let count: u64 = groups.iter().map(|(group, _)| group.count).sum();
    let (mean, each) = (sum as f64 / count.max(1) as f64, count as f64 / groups.len().max(1) as f64);
    let about = |sum: i64, count: u64| (sum as f64 - mean * count as f64) / each / SCALE as f64;
    groups.into_iter().map(|(group, gauge)| (about(group.sums[figure], group.count), gauge)).collect()
}

/// Coefficients, and how many times narrower they make the interval of what they were found from.
struct Fit {
    coefficients: Gauge,
    narrower: f64,
}

/// Least squares. Of covariates that do not vary, or not independently, the later one is left out.
fn fit(samples: &[Sample]) -> Fit {
    let n = samples.len() as f64;
    let mean = |k: usize| samples.iter().map(|(_, gauge)| gauge[k]).sum::<f64>() / n;
    let means = [mean(0), mean(1)];
    let about = |k: usize, gauge: &Gauge| gauge[k] - means[k];
    let product =
        |k: usize, l: usize| samples.iter().map(|(_, gauge)| about(k, gauge) * about(l, gauge)).sum::<f64>();
    let with = |k: usize| samples.iter().map(|(figure, gauge)| figure * about(k, gauge)).sum::<f64>();
    let (a, b, c) = (product(0, 0), product(0, 1), product(1, 1));
    let (u, v) = (with(0), with(1));
    let determinant = a * c - b * b;
    let coefficients = if determinant > 1e-9 * a * c {
        [(c * u - b * v) / determinant, (a * v - b * u) / determinant]
    } else if a > 0.0 {
        [u / a, 0.0]
    } else if c > 0.0 {
        [0.0, v / c]
    } else {
        [0.0, 0.0]
    };
    let total = samples.iter().map(|(figure, _)| figure * figure).sum::<f64>();
    let rest = total - coefficients[0] * u - coefficients[1] * v;
    let used = coefficients.iter().filter(|&&coefficient| coefficient != 0.0).count() as f64;
    // Paid for: a degree of freedom each, and as much again for their own uncertainty on other deals.
    let paid = (rest.max(0.0) / (n - 1.0 - used)) * (1.0 + used / n);
    let narrower = if paid > 0.0 { (total / (n - 1.0) / paid).sqrt() } else { 1.0 };
    Fit { coefficients, narrower }
}

fn adjust(samples: &[Sample], fit: &Fit, reference: &[Gauge], plain: Interval) -> Adjusted {
    let [first, second] = fit.coefficients;
    let explained = |gauge: &Gauge| first * gauge[0] + second * gauge[1];
    let (expected, doubt) = mean_and_error(reference.iter().map(explained));
    let (_, error) = mean_and_error(samples.iter().map(|(figure, _)| *figure));
    let corrected = samples.iter().map(|(figure, gauge)| figure - (explained(gauge) - expected));
    let (shift, own) = mean_and_error(corrected);
    let after = (own * own + doubt * doubt).sqrt();
    let narrower = if after > 0.0 { error / after } else { 1.0 };
    let used = fit.narrower > 1.0 && narrower > 1.0;
    let mean = plain.mean + shift;
    let adjusted = Interval { mean, low: mean - Z * after, high: mean + Z * after };
    Adjusted { used, fitted: fit.narrower, narrower, figure: if used { adjusted } else { plain } }
}

/// The mean of some values, and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n.max(1.0);
    let squares = values.map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (mean, (squares / (n - 1.0).max(1.0) / n.max(1.0)).sqrt())
}

#[cfg(test)]
mod tests;
