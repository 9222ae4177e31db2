//! `timing.csv`: the times of a run, iteration by iteration.

/// The times of one iteration.
pub(super) struct Timed {
    /// The number of the iteration, from 1.
    pub(super) iteration: u64,
    pub(super) rate: f64,
    /// Seconds of the whole iteration, and of its measurement.
    pub(super) seconds: f64,
    pub(super) measuring: f64,
}

/// Returns the complete rows. Nothing depends on this file, so damaged rows are skipped.
pub(super) fn rows(text: &str) -> Option<Vec<Timed>> {
    let mut lines = text.split_inclusive('\n').map_while(|line| line.strip_suffix('\n'));
    let names: Vec<&str> = lines.next()?.split(',').collect();
    let column = |name: &str| names.iter().position(|column| *column == name);
    let at = [
        column("iteration")?,
        column("throughput/decisions_per_second")?,
        column("time/iteration")?,
        column("time/evaluate")?,
    ];
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let figure = |at: usize| {
            let figure = cells.get(at)?.parse::<f64>().ok()?;
            (figure.is_finite() && figure >= 0.0).then_some(figure)
        };
        let [iteration, rate, seconds, measuring] = at.map(figure);
        Some(Timed {
            iteration: iteration? as u64,
            rate: rate?,
            seconds: seconds?,
            measuring: measuring?.min(seconds?),
        })
    };
    Some(lines.filter_map(row).collect())
}
