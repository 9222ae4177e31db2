//! Reduces the variance of results that comes from the deals, with a control variate.
//!
//! Every deal is played from every seat. So whatever one seat gains and another loses already has the mean 0 over a
//! deal. The remaining variance comes from deals that give the better player more room than others.
//!
//! The scripted player also plays each deal once in all seats. Two covariates come from that game: its length, and the
//! spread of its points. If a figure correlates with them, it is corrected for the difference between the measured
//! deals and average deals.
//!
//! The corrections are fitted on separate data. The coefficients come from a quarter as many other deals, which the
//! same bots play. The means of the covariates come from [`REFERENCE`] times as many deals, which the scripted player
//! plays alone. The intervals include the error of these means. A figure is adjusted only if that narrows its interval,
//! both on the deals of the fit and on the measured deals.

use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::{ActionId, SeatView, seed};

use super::contest::Contest;
use super::findings::deals;
use super::play::{AHEAD, SCALE, SCORE, Unit};
use super::report::{Adjusted, AdjustedFigures, Luck, Report};
use super::schedule::Schedule;
use crate::stats::{Interval, Z};

/// Reference deals for the means of the covariates, for each measured deal.
pub const REFERENCE: u64 = 8;
/// The fewest deals for fitting coefficients.
const FEWEST: u64 = 64;

/// The covariates of a deal, from the game of the scripted players. They are the number of decisions with a choice, and
/// the sum over rounds and players of the absolute distance of points from the mean.
type Gauge = [f64; 2];
const COVARIATES: [&str; 2] = ["decisions", "spread of the points"];

/// A contest whose results will be adjusted for luck.
#[derive(Clone)]
pub struct Adjusting<'c> {
    contest: &'c Contest,
    pilot: Contest,
    reference: Contest,
}

/// The covariates of the deals of one unit. [`Adjusting::gauge`] returns it, and [`Adjusting::report`] reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauged(Vec<Gauge>);

impl Contest {
    /// Returns the contest together with the other games that are needed to adjust its results for luck.
    pub fn adjusting(&self) -> Adjusting<'_> {
        let pilot = self.over((self.deals / 4).max(FEWEST), seed::derived(self.seed, &[8]));
        // Only the scripted player plays these tables; the schedule is a placeholder.
        let reference = Contest {
            schedule: Schedule::fixed(&vec![0; self.players]),
            deals: self.deals * REFERENCE,
            seed: seed::derived(self.seed, &[9]),
            ..self.clone()
        };
        Adjusting { contest: self, pilot, reference }
    }

    /// Plays each deal of a unit once with the scripted player in all seats.
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
    /// Returns the contest that the coefficients are fitted on. Play all its units.
    pub fn pilot(&self) -> &Contest {
        &self.pilot
    }

    /// Returns the number of units for [`Adjusting::gauge`].
    pub fn gauges(&self) -> u64 {
        self.parts().map(Contest::units).iter().sum()
    }

    fn parts(&self) -> [&Contest; 3] {
        [self.contest, &self.pilot, &self.reference]
    }

    /// Plays one unit of games between scripted players. It is a pure function of the unit's number.
    pub fn gauge(&self, mut unit: u64) -> Gauged {
        for part in self.parts() {
            if unit < part.units() {
                return part.gauge(unit);
            }
            unit -= part.units();
        }
        Gauged(Vec::new())
    }

    /// Returns the report of the contest with adjusted results. It needs the contest's units, those of the pilot, and
    /// all gauges, each in the order of their numbers.
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

/// A figure in one deal minus its mean over all deals, and the covariates of the deal.
type Sample = (f64, Gauge);

/// Returns the samples of a figure of a bot, for the deals in which it played.
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

/// Fitted coefficients, and the factor by which they narrow the interval on the deals of the fit.
struct Fit {
    coefficients: Gauge,
    narrower: f64,
}

/// Fits the coefficients by least squares. Leaves the later covariate out if the covariates are constant or linearly
/// dependent.
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
    // The fit costs one degree of freedom for each coefficient, and about the same again for its error on other deals.
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

/// Returns the mean of some values, and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n.max(1.0);
    let squares = values.map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (mean, (squares / (n - 1.0).max(1.0) / n.max(1.0)).sqrt())
}

#[cfg(test)]
mod tests;
