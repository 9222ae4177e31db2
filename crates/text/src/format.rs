//! Formats numbers for people.

use std::time::Duration;

/// Formats a number with `digits` decimal places, and a sign only below 0. A number that rounds to 0 has none.
pub fn plain(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

/// Formats a number with its sign and `digits` decimal places. A number that rounds to 0 has a plus.
pub fn signed(value: f64, digits: usize) -> String {
    let text = plain(value, digits);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// Formats a count: `1 round`, `3 rounds`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Formats a duration as `1h05m`, `4m10s` or `9s`.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m{s:02}s"),
        (h, m, _) => format!("{h}h{m:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_not_negative() {
        assert_eq!(
            [-0.004, -0.0, 0.0, -0.005, 1.0].map(|v| signed(v, 2)),
            ["+0.00", "+0.00", "+0.00", "-0.01", "+1.00"]
        );
        assert_eq!([-0.4, 12.0, -200.0].map(|v| signed(v, 0)), ["+0", "+12", "-200"]);
        assert_eq!(
            [-0.004, -0.0, 0.0, -0.006, 1.0].map(|v| plain(v, 2)),
            ["0.00", "0.00", "0.00", "-0.01", "1.00"]
        );
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "round")), ["0 rounds", "1 round", "2 rounds"]);
    }

    #[test]
    fn durations_are_short() {
        let short = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!([9, 250, 3900].map(short), ["9s", "4m10s", "1h05m"]);
    }
}
