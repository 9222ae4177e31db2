//! Formats durations.

use std::time::Duration;

/// Formats a duration as `1h05m`, `4m10s` or `9s`.
pub(crate) fn short(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m{s:02}s"),
        (h, m, _) => format!("{h}h{m:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn times_are_short() {
        let short = |seconds| super::short(Duration::from_secs(seconds));
        assert_eq!([9, 250, 3900].map(short), ["9s", "4m10s", "1h05m"]);
    }
}
