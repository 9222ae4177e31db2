//! The rule that stops hopeless settings.
//!
//! The median rule (Golovin et al.: "Google Vizier: A Service for Black-Box Optimization", 2017, section 3.2.2),
//! applied to means over seeds. It compares a setting only with lower numbers, so decisions do not depend on the order
//! of results.

/// The mean scores of a setting over its seeds, one for each measurement so far; higher is better.
pub(super) type Curve<'a> = &'a [f64];

/// Returns the median of the other settings' averages, if the best mean of `own` is below it: then the setting is
/// stopped.
pub(super) fn hopeless(own: Curve<'_>, others: &[f64]) -> Option<f64> {
    let best = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let median = median(others)?;
    (best < median).then_some(median)
}

/// Returns the average of a curve.
pub(super) fn average(curve: Curve<'_>) -> f64 {
    curve.iter().sum::<f64>() / curve.len() as f64
}

fn median(of: &[f64]) -> Option<f64> {
    let mut sorted = of.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.get(of.len().checked_sub(1)? / 2)?, sorted.get(of.len() / 2)?);
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::{average, hopeless};

    #[test]
    fn a_setting_below_the_median_of_averages_is_hopeless() {
        // Curves of others, made up: a slow one, a fast one, one that never learns.
        let others = [[0.0, 0.2, 0.4], [0.3, 0.4, 0.5], [-0.5, -0.5, -0.5]];
        let at = |rung: usize| others.map(|curve| average(&curve[..=rung]));
        assert_eq!(hopeless(&[-0.1], &at(0)), Some(0.0));
        assert_eq!(hopeless(&[0.0], &at(0)), None, "as good as the median");
        // The best measurement counts, not the last one.
        assert_eq!(hopeless(&[0.1, 0.05], &at(1)), None);
        assert_eq!(hopeless(&[0.05, 0.05], &at(1)).map(|median| (median * 1e9).round() / 1e9), Some(0.1));
        assert_eq!(hopeless(&[0.1], &[]), None);
        // The median of two numbers is their mean.
        assert_eq!(hopeless(&[0.1], &[0.0, 0.5]), Some(0.25));
    }
}
