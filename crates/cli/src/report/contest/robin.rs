//! Results that only a round robin has.

use cardsharp_bot::arena::report::{Anchor, BotReport, Meeting, RoundRobin};

use super::super::error::ReportError;
use super::super::figures::{counted, range, signed};
use super::super::html::{Html, Table};
use super::super::plot;
use super::figure;

/// Number of shades of each color in the heat map. `style.css` has the classes `ahead-N` and `behind-N`.
const SHADES: f64 = 6.0;

/// Shows the ratings with their intervals, the best at the top.
pub(super) fn ratings(bots: &[&BotReport], round_robin: &RoundRobin) -> Result<Html, ReportError> {
    let zero = match round_robin.ratings.anchor {
        Anchor::Random => "random play",
        Anchor::Mean => "the mean of all bots",
    };
    let ratings = &round_robin.ratings;
    let rows: Vec<_> = bots.iter().filter_map(|bot| Some((bot.name.clone(), bot.rating?))).collect();
    let mut html = Html::default();
    html.element("h3", "Ratings");
    html.element(
        "p",
        format!(
            "0 is {zero}. Means over {} of the deals; the order alone changes a rating by {:.1} (standard deviation). 95 % \
             confidence intervals from {}.",
            counted(ratings.orders, "order", "orders"),
            ratings.order_noise,
            counted(ratings.resamples, "resample of the deals", "resamples of the deals"),
        ),
    );
    let label = "Rating of each bot with its 95 % confidence interval, best first";
    figure(&mut html, "Rating", &plot::whiskers::whiskers(label, "rating", 0, &rows)?);
    Ok(html)
}

/// Shows as a heat map how often each bot was placed ahead of each other bot. `order` has the index of each bot in the
/// report.
pub(super) fn cross_play(bots: &[&BotReport], order: &[usize], round_robin: &RoundRobin) -> Html {
    let numbers: Vec<String> = (1..=bots.len()).map(|number| number.to_string()).collect();
    let heads: Vec<&str> = ["bot"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let mut table = Table::new(
        "Cross-play: how often the bot of the row was placed ahead of the bot of the column",
        &heads,
    );
    for (number, (bot, &row)) in bots.iter().zip(order).enumerate() {
        let mut cells = Html::default();
        for &column in order {
            match &round_robin.cross_play[row][column] {
                Some(meeting) => meets(&mut cells, meeting),
                None if row == column => {
                    cells.raw("<td class=\"self\">·</td>");
                }
                None => {
                    cells.raw("<td class=\"self\">never met</td>");
                }
            }
        }
        table.row_of(&format!("{} {}", number + 1, bot.name), &cells);
    }
    let mut html = Html::default();
    html.element("h3", "Cross-play");
    let line = "1: the bot of the row was always placed ahead of the bot of the column; −1: always behind. \
                Columns are numbered as the rows. Figures in grey have an interval that holds 0.";
    html.element("p", line);
    html.raw("<div class=\"heat\">\n").add(&table.finish()).raw("</div>\n");
    html
}

fn meets(cells: &mut Html, meeting: &Meeting) {
    let ahead = meeting.ahead;
    let shade = (ahead.mean.abs() * SHADES).round().clamp(0.0, SHADES) as u32;
    let side = if ahead.mean < 0.0 { "behind" } else { "ahead" };
    let doubt = if ahead.low <= 0.0 && ahead.high >= 0.0 { " doubt" } else { "" };
    let tip = format!("{}; {}", range(ahead, 3), counted(meeting.deals, "deal", "deals"));
    cells
        .raw("<td class=\"")
        .text(side)
        .raw("-")
        .text(shade)
        .text(doubt)
        .raw("\" title=\"")
        .text(tip)
        .raw("\">");
    let half = format!("±{:.2}", (ahead.high - ahead.low) / 2.0);
    cells.raw("<b>").text(signed(ahead.mean, 2)).raw("</b> <small>").text(half).raw("</small></td>");
}
