//! Formats figures for a page.

use cardsharp_bot::arena::Interval;

use super::html::Html;

/// Formats a number with its sign and a real minus.
pub(super) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    // A number that rounds to 0 has no sign.
    if text[1..].chars().all(|c| matches!(c, '0' | '.')) {
        return text[1..].to_owned();
    }
    text.replace('-', "−")
}

/// Formats the ends of an interval.
pub(super) fn range(of: Interval, digits: usize) -> String {
    format!("{} … {}", signed(of.low, digits), signed(of.high, digits))
}

/// Returns a figure with its interval.
pub(super) fn with_range(of: Interval, digits: usize) -> Html {
    cell(&signed(of.mean, digits), &range(of, digits))
}

/// Returns a share with its interval, in percent.
pub(super) fn share_with_range(of: Interval) -> Html {
    let range = format!("{:.1} … {:.1}", 100.0 * of.low, 100.0 * of.high);
    cell(&percent(of.mean), &range)
}

/// Formats a share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns a figure, followed by smaller details.
pub(super) fn cell(figure: &str, besides: &str) -> Html {
    let mut html = Html::default();
    html.raw("<b>").text(figure).raw("</b> <small>").text(besides).raw("</small>");
    html
}

/// Formats a time with a suitable unit.
pub(super) fn time(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms < 0.9995 => format!("{:.1} µs", 1e3 * ms),
        ms if ms < 999.5 => format!("{ms:.1} ms"),
        ms => format!("{:.1} s", ms / 1e3),
    }
}

/// Formats a count with separators of thousands.
pub(super) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun.
pub(super) fn counted(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(value), if value == 1 { one } else { many })
}
