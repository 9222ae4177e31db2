//! `timing.csv`: what the clock said of a run, iteration by iteration.

/// What the clock said of an iteration.
pub(super) struct Timed {
    /// Its number, from 1.
    pub(super) iteration: u64,
    /// Decisions per second.
    pub(super) rate: f64,
    /// Seconds of all of it, and those of its measurement.
    pub(super) seconds: f64,
    pub(super) measuring: f64,
}

/// The rows whose figures are there. Nothing depends on this file: what is damaged in it is passed over.
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
