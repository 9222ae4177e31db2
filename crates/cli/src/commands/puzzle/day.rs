//! Days since 1 January 1970 in UTC, as dates.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS: u64 = 86_400;
/// The last year that can be typed, so that dates have four digits.
const LAST: u64 = 9999;

/// Returns today in UTC. A clock before 1970 counts as day 0.
pub(super) fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / SECONDS)
}

/// Parses a date like `2026-12-24`.
pub(super) fn parse(text: &str) -> Result<u64, &'static str> {
    let number = |part: Option<&str>, digits: usize| {
        part.filter(|part| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|part| part.parse::<u64>().ok())
    };
    let mut parts = text.split('-');
    let date = [4, 2, 2].map(|digits| number(parts.next(), digits));
    match (date, parts.next()) {
        ([Some(year), Some(month @ 1..=12), Some(day)], None)
            if (1970..=LAST).contains(&year) && (1..=month_days(year, month)).contains(&day) =>
        {
            Ok(year_start(year) + (1..month).map(|month| month_days(year, month)).sum::<u64>() + day - 1)
        }
        _ => Err("expected a date from 1970-01-01 on, like 2026-12-24"),
    }
}

/// Returns a day as a date.
pub(super) fn text(day: u64) -> String {
    let mut year = 1970;
    while year < LAST && year_start(year + 1) <= day {
        year += 1;
    }
    let mut rest = day - year_start(year);
    let mut month = 1;
    while month < 12 && rest >= month_days(year, month) {
        rest -= month_days(year, month);
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", rest + 1)
}

/// Returns the day on which a year starts. Every fourth year is a leap year, except for most centuries.
fn year_start(year: u64) -> u64 {
    let leaps = |year: u64| year / 4 - year / 100 + year / 400;
    365 * (year - 1970) + leaps(year - 1) - leaps(1969)
}

fn month_days(year: u64, month: u64) -> u64 {
    match month {
        2 => 28 + year_start(year + 1) - year_start(year) - 365,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, text};

    #[test]
    fn dates_are_days_since_1970() {
        let known = [
            ("1970-01-01", 0),
            ("1970-12-31", 364),
            ("2000-02-29", 11_016),
            ("2026-11-29", 20_786),
            ("2100-03-01", 47_541),
        ];
        for (date, day) in known {
            assert_eq!((parse(date), text(day)), (Ok(day), date.to_owned()));
        }
        assert!((0..60_000).all(|day| parse(&text(day)) == Ok(day)));
    }

    #[test]
    fn other_texts_are_no_dates() {
        for wrong in
            ["", "today", "2026-2-3", "2026-13-01", "2026-02-29", "1969-12-31", "2026-01-01-01", "+026-01-01"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
