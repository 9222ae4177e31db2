//! Means with bootstrap intervals, and quantiles of durations. Their tallies can be merged in any grouping.

use std::time::Duration;

use cardsharp_env::Draw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Resamples of a bootstrap. 2,000 leave 50 beyond each end of a 95 % interval.
pub const RESAMPLES: usize = 2000;

/// Standard deviations from the mean to each end of a 95 % interval of a normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// A mean and its 95 % confidence interval, usually from a bootstrap over the deals.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// The mean of all samples.
    pub mean: f64,
    /// Lower end of the interval. In a bootstrap, 2.5 % of the resamples are below it.
    pub low: f64,
    /// Upper end of the interval. In a bootstrap, 2.5 % of the resamples are above it.
    pub high: f64,
}

/// Formats a share that was measured or estimated. One that rounds to 0 or 100 % is not proved to be that, so it gets
/// words.
pub fn percent(share: f64, digits: usize) -> String {
    let [least, most] = [0.0, 100.0].map(|end| format!("{end:.digits$}"));
    let step = 0.1_f64.powi(digits as i32);
    match format!("{:.digits$}", 100.0 * share) {
        text if text == least => format!("less than {step:.digits$} %"),
        text if text == most => format!("more than {:.digits$} %", 100.0 - step),
        text => format!("{text} %"),
    }
}

/// Returns the mean of a figure over runs with different seeds, with a 95 % interval by Student's t. Returns `None` for
/// fewer than two runs.
pub fn over_seeds(figures: &[f64]) -> Option<Interval> {
    let count = figures.len();
    let mean = figures.iter().sum::<f64>() / count as f64;
    let squares = figures.iter().map(|figure| (figure - mean).powi(2)).sum::<f64>();
    let half = student(count.checked_sub(1)?)? * (squares / (count - 1) as f64 / count as f64).sqrt();
    Some(Interval { mean, low: mean - half, high: mean + half })
}

/// Returns the 97.5 % quantile of Student's t with `freedom` degrees of freedom. Returns `None` for 0.
fn student(freedom: usize) -> Option<f64> {
    const SMALL: [f64; 12] =
        [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179];
    // Beyond the table, the first terms of the expansion are accurate to three digits (Abramowitz and Stegun, 26.7.5).
    let n = freedom as f64;
    let expansion =
        || Z + (Z.powi(3) + Z) / (4.0 * n) + (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / (96.0 * n * n);
    Some(SMALL.get(freedom.checked_sub(1)?).copied().unwrap_or_else(expansion))
}

/// Formats a probability that was counted in sampled deals: nothing for 0, and [`percent`] between 0 and 1.
pub fn counted_percent(share: f64, digits: usize) -> String {
    match share {
        0.0 => String::new(),
        1.0 => "100 %".to_owned(),
        share => percent(share, digits),
    }
}

/// Sums of `K` quantities over one group of dependent samples. They are whole numbers, so that opposite sums cancel
/// exactly.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "[i64; K]: Serialize", deserialize = "[i64; K]: Deserialize<'de>"))]
pub struct SampleGroup<const K: usize> {
    /// The sum of each quantity.
    pub sums: [i64; K],
    /// Number of samples in the sums.
    pub count: u64,
}

impl<const K: usize> Default for SampleGroup<K> {
    fn default() -> Self {
        Self { sums: [0; K], count: 0 }
    }
}

impl<const K: usize> std::ops::AddAssign for SampleGroup<K> {
    fn add_assign(&mut self, other: Self) {
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, more)| *sum += more);
        self.count += other.count;
    }
}

impl<const K: usize> SampleGroup<K> {
    /// Returns the mean of each quantity per sample.
    fn means(&self) -> [f64; K] {
        self.sums.map(|sum| sum as f64 / self.count.max(1) as f64)
    }
}

/// Returns the mean of each quantity over all samples of `groups`, with percentile bootstrap intervals. Each of the
/// [`RESAMPLES`] resamples draws whole groups. The same groups and seed give the same intervals.
pub fn bootstrap<const K: usize>(groups: &[SampleGroup<K>], seed: u64) -> [Interval; K] {
    let total = |groups: &mut dyn Iterator<Item = SampleGroup<K>>| {
        groups.fold(SampleGroup::default(), |mut sum, group| {
            sum += group;
            sum
        })
    };
    let means = total(&mut groups.iter().copied()).means();
    let count = u32::try_from(groups.len()).unwrap_or(u32::MAX);
    if count == 0 {
        return [Interval::default(); K];
    }
    let mut draw = Draw::new(seed, 0);
    let mut resampled: [Vec<f64>; K] = std::array::from_fn(|_| Vec::with_capacity(RESAMPLES));
    for _ in 0..RESAMPLES {
        let mut drawn = (0..count).map(|_| groups[draw.below(count) as usize]);
        let means = total(&mut drawn).means();
        resampled.iter_mut().zip(means).for_each(|(all, mean)| all.push(mean));
    }
    let beyond = RESAMPLES / 40;
    std::array::from_fn(|k| {
        resampled[k].sort_by(f64::total_cmp);
        Interval { mean: means[k], low: resampled[k][beyond], high: resampled[k][RESAMPLES - 1 - beyond] }
    })
}

/// The number of groups at which [`anytime`] is narrowest compared with an interval for a fixed number. At a tenth of
/// this number it is a quarter wider than one tuned for it. At forty times the number it is a seventh wider.
const TUNED: f64 = 500.0;

/// Returns the mean of each quantity over all samples of `groups`, with intervals that hold at every number of groups
/// at once. So a contest can stop at any time, and in 95 % of contests the intervals are right at all times.
///
/// The method is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform
/// central limit theory and asymptotic confidence sequences", Annals of Statistics 52, 2024). From 64 to 20,000 groups
/// it is 1.5 to 1.8 times as wide as an interval for a fixed number.
pub fn anytime<const K: usize>(groups: &[SampleGroup<K>]) -> [Interval; K] {
    let mut total = SampleGroup::default();
    groups.iter().for_each(|&group| total += group);
    let means = total.means();
    let n = groups.len() as f64;
    // Narrowest at `TUNED`, to first order (section 2.3 of the paper).
    let spent = -2.0 * libm::log(ALPHA);
    let rho_squared = (spent + libm::log(spent) + 1.0) / TUNED;
    let grown = n * rho_squared + 1.0;
    let reach = (2.0 * grown / (n * n * rho_squared) * libm::log(grown.sqrt() / ALPHA)).sqrt();
    let errors = deviations(groups, &means);
    std::array::from_fn(|k| {
        let half = if groups.is_empty() { 0.0 } else { reach * errors[k] };
        Interval { mean: means[k], low: means[k] - half, high: means[k] + half }
    })
}

/// The share of contests in which [`anytime`] may be wrong at any time.
const ALPHA: f64 = 0.05;

/// Returns the standard deviation of one group's contribution to each mean, as if all groups had the same number of
/// samples: that of `(sum − mean × samples) / mean number of samples`.
fn deviations<const K: usize>(groups: &[SampleGroup<K>], means: &[f64; K]) -> [f64; K] {
    let samples = groups.iter().map(|group| group.count).sum::<u64>() as f64;
    let (n, each) = (groups.len().max(1) as f64, samples.max(1.0) / groups.len().max(1) as f64);
    std::array::from_fn(|k| {
        let residual = |group: &SampleGroup<K>| (group.sums[k] as f64 - means[k] * group.count as f64) / each;
        let squares = groups.iter().map(residual).map(|residual| residual * residual).sum::<f64>();
        (squares / n).sqrt()
    })
}

/// Buckets per factor of 2: a bucket is 4.4 % wide.
const STEPS: usize = 16;

/// A histogram of the times per move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Durations(Vec<u64>);

impl Durations {
    /// Adds `moves` moves that were decided together in `time`. Each counts with an equal share of the time.
    pub fn add(&mut self, time: Duration, moves: usize) {
        let nanos = time.as_nanos() as f64 / moves.max(1) as f64;
        let bucket = (nanos.max(1.0).log2() * STEPS as f64) as usize;
        if self.0.len() <= bucket {
            self.0.resize(bucket + 1, 0);
        }
        self.0[bucket] += moves as u64;
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, more)| *own += more);
    }

    /// Returns the time in milliseconds that a share of `share` (0 to 1) of the moves did not exceed, to within 3 %.
    /// Returns 0 without moves.
    pub fn quantile(&self, share: f64) -> f64 {
        let wanted = share * self.0.iter().sum::<u64>() as f64;
        let mut seen = 0;
        for (bucket, &count) in self.0.iter().enumerate() {
            seen += count;
            if count > 0 && seen as f64 >= wanted {
                return ((bucket as f64 + 0.5) / STEPS as f64).exp2() / 1e6;
            }
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_never_0_or_100_percent() {
        let shown = [0.0, 0.004, 0.006, 0.5, 0.994, 0.996, 1.0].map(|share| percent(share, 0));
        let expected =
            ["less than 1 %", "less than 1 %", "1 %", "50 %", "99 %", "more than 99 %", "more than 99 %"];
        assert_eq!(shown, expected);
        assert_eq!([0.0, 1.0].map(|share| percent(share, 1)), ["less than 0.1 %", "more than 99.9 %"]);
    }

    #[test]
    fn the_mean_over_seeds_has_the_interval_of_students_t() {
        assert_eq!((over_seeds(&[]), over_seeds(&[0.5])), (None, None));
        let of = over_seeds(&[1.0, 2.0, 3.0]).expect("an interval");
        // 4.303 standard errors of 1/√3.
        assert!(
            (of.mean - 2.0).abs() < 1e-12 && (of.high - 4.484).abs() < 1e-3 && (of.low + 0.484).abs() < 1e-3
        );
        for (freedom, quantile) in [(13, 2.160), (20, 2.086), (30, 2.042), (120, 1.980)] {
            assert!((student(freedom).expect("a quantile") - quantile).abs() < 2e-3, "{freedom}");
        }
    }

    #[test]
    fn intervals_cover_the_mean_as_often_as_they_say() {
        let (mut covered, mut width) = (0, 0.0);
        for seed in 0..300 {
            let draw = &mut Draw::new(seed, 1);
            // Coins, 2 of them per group: mean 1/2, standard deviation of the mean 1/(2√400) = 0.025.
            let coin = |draw: &mut Draw| i64::from(draw.below(2));
            let groups: Vec<SampleGroup<1>> =
                (0..200).map(|_| SampleGroup { sums: [coin(draw) + coin(draw)], count: 2 }).collect();
            let [interval] = bootstrap(&groups, seed);
            covered += u32::from(interval.low <= 0.5 && 0.5 <= interval.high);
            width += interval.high - interval.low;
        }
        // 95 % of 300 is 285; four standard deviations are 15.
        assert!((270..=300).contains(&covered), "{covered}");
        assert!((width / 300.0 - 2.0 * 1.96 * 0.025).abs() < 0.005, "{}", width / 300.0);
    }

    #[test]
    fn intervals_are_the_same_for_the_same_seed_and_exact_without_variance() {
        let groups: Vec<SampleGroup<2>> =
            (0..50).map(|n| SampleGroup { sums: [n, 3 - 3], count: 1 + n as u64 % 2 }).collect();
        let [first, nothing] = bootstrap(&groups, 7);
        assert_eq!([first, nothing], bootstrap(&groups, 7));
        assert_ne!(first, bootstrap(&groups, 8)[0]);
        assert_eq!(first.mean, 1225.0 / 75.0);
        assert!(first.low < first.mean && first.mean < first.high);
        assert_eq!(nothing, Interval { mean: 0.0, low: 0.0, high: 0.0 });
        assert_eq!(bootstrap::<1>(&[], 1), [Interval::default()]);
    }

    #[test]
    fn quantiles_of_durations_survive_merging() {
        let (mut all, mut low, mut high) = (Durations::default(), Durations::default(), Durations::default());
        for micros in 1..=1000u64 {
            let part = if micros % 3 == 0 { &mut low } else { &mut high };
            part.add(Duration::from_micros(micros), 1);
            all.add(Duration::from_micros(4 * micros), 4);
        }
        low.merge(&high);
        for (share, millis) in [(0.5, 0.5), (0.99, 0.99), (0.001, 0.001)] {
            assert!((low.quantile(share) / millis - 1.0).abs() < 0.05, "{share}: {}", low.quantile(share));
            assert_eq!(all.quantile(share), low.quantile(share), "four moves in four times the time");
        }
        assert_eq!(Durations::default().quantile(0.5), 0.0);
    }
}
