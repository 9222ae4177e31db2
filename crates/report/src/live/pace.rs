//! The speed of a run, from the times of its latest iterations in `timing.csv`.

use std::time::Duration;

use crate::record::{IterationTime, MeasurementPlan, times};

/// Number of latest iterations to average.
const LATELY: usize = 20;
/// Number of latest measurements to average.
const MEASURED: usize = 3;

/// The speed of a run.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Pace {
    /// Decisions per second, including measurements.
    pub(super) rate: f64,
    /// Remaining time from the moment when the last line was written.
    pub(super) left: Duration,
    /// Seconds of an iteration without its measurement.
    pub(super) iteration: f64,
}

impl Pace {
    /// Computes the speed from the text of `timing.csv`, for a run of `iterations` iterations; `None` before the first
    /// one is complete.
    pub(super) fn of(text: &str, iterations: u64, measuring: MeasurementPlan) -> Option<Self> {
        let rows = times(text)?;
        let last = rows.last()?.iteration;
        let lately = &rows[rows.len().saturating_sub(LATELY)..];
        let sum = |of: fn(&IterationTime) -> f64| lately.iter().map(of).sum::<f64>();
        let seconds = sum(|row| row.seconds);
        let rate = sum(|row| row.rate * row.seconds) / seconds;
        let iteration = sum(|row| row.seconds - row.measuring) / lately.len() as f64;

        let MeasurementPlan { every, deals, final_deals } = measuring;
        let is_measured = |row: &&IterationTime| every > 0 && row.iteration.is_multiple_of(every);
        let measured: Vec<f64> =
            rows.iter().rev().filter(is_measured).take(MEASURED).map(|row| row.measuring).collect();
        // Before the first measurement, its duration is unknown.
        let each = measured.iter().sum::<f64>() / measured.len().max(1) as f64;
        let to_come = iterations.saturating_sub(last);
        // The last iteration has its own measurement, even if none is due.
        let before = iterations.saturating_sub(1);
        let due = |iteration: u64| iteration.checked_div(every).unwrap_or(0);
        let during = due(before) - due(last.min(before));
        let at_the_end = if to_come == 0 { 0.0 } else { final_deals as f64 / deals.max(1) as f64 };
        let left = to_come as f64 * iteration + (during as f64 + at_the_end) * each;
        let left = Duration::try_from_secs_f64(left).ok()?;
        rate.is_finite().then_some(Self { rate, left, iteration })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "iteration,throughput/decisions_per_second,time/iteration,time/learn,time/evaluate\n";
    const EVERY_FIVE: MeasurementPlan = MeasurementPlan { every: 5, deals: 40, final_deals: 80 };

    /// Iterations take 2 seconds, with 1,000 decisions a second. Every fifth is measured for 3 more seconds.
    fn timing(iterations: u64) -> String {
        let row = |i: u64| match i % 5 {
            0 => format!("{i},400,5,1,3\n"),
            _ => format!("{i},1000,2,1,0\n"),
        };
        NAMES.to_owned() + &(1..=iterations).map(row).collect::<String>()
    }

    #[test]
    fn the_rate_is_that_of_the_latest_iterations() {
        // Every fifth iteration takes 3 seconds more, so the mean is 2.6 seconds.
        let pace = Pace::of(&timing(40), 100, EVERY_FIVE).expect("a pace");
        assert!((pace.rate - 2000.0 / 2.6).abs() < 1e-9, "{pace:?}");
        assert_eq!(pace.iteration, 2.0);
        // Slow iterations of long ago do not count.
        let slow = format!("{NAMES}1,1,1000,1,0\n{}", timing(40).trim_start_matches(NAMES));
        assert_eq!(Pace::of(&slow, 100, EVERY_FIVE), Some(pace));
    }

    #[test]
    fn the_time_left_counts_measurements_as_they_come() {
        let left = |done, iterations, measuring| {
            Pace::of(&timing(done), iterations, measuring).map(|pace| pace.left.as_secs_f64())
        };
        // Iterations 41 to 50 have one regular measurement, and the final one with twice the deals.
        assert_eq!(left(40, 50, EVERY_FIVE), Some(20.0 + 3.0 + 6.0));
        assert_eq!(left(44, 50, EVERY_FIVE), Some(12.0 + 3.0 + 6.0));
        assert_eq!(left(45, 50, EVERY_FIVE), Some(10.0 + 6.0));
        assert_eq!(left(45, 48, EVERY_FIVE), Some(6.0 + 6.0));
        assert_eq!(left(50, 50, EVERY_FIVE), Some(0.0));
        // The duration of the first measurement is unknown.
        assert_eq!(left(3, 10, EVERY_FIVE), Some(14.0));
        assert_eq!(left(3, 10, MeasurementPlan { every: 0, ..EVERY_FIVE }), Some(14.0));
    }

    #[test]
    fn incomplete_rows_are_skipped() {
        assert_eq!(Pace::of("", 10, EVERY_FIVE), None);
        assert_eq!(Pace::of(NAMES, 10, EVERY_FIVE), None);
        assert_eq!(Pace::of("iteration\n1\n", 10, EVERY_FIVE), None);
        assert_eq!(Pace::of(&format!("{NAMES}1,0,0,0,0\n"), 10, EVERY_FIVE), None, "no time, no rate");
        let whole = Pace::of(&timing(4), 10, EVERY_FIVE);
        for more in ["5,400,5,1", "what,ever\n", "5,x,5,1,3\n", "5,400,NaN,1,3\n", "5\n"] {
            assert_eq!(Pace::of(&(timing(4) + more), 10, EVERY_FIVE), whole, "{more}");
        }
    }
}
