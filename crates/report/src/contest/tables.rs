//! Tables of a contest.

use cardsharp_bot::arena::report::BotReport;

use crate::html::{Html, HtmlTable, cell, count, percent, share_with_range, signed, text, time, with_range};

/// Shows the strength of each bot.
pub(super) fn figures(bots: &[&BotReport]) -> Html {
    let heads = ["bot", "place score", "first", "ahead", "points", "time per move"];
    let mut table = HtmlTable::new(
        "Strength with 95 % confidence intervals; time per move: median and 99th percentile",
        &heads,
    );
    for bot in bots {
        let ahead = bot.points_ahead.map_or_else(|| text("–"), |ahead| with_range(ahead, 2));
        let cells = [
            with_range(bot.place_score, 3),
            share_with_range(bot.first_rate),
            ahead,
            with_range(bot.points, 2),
            times(bot),
        ];
        table.row(&bot.name, &cells);
    }
    table.finish()
}

/// Shows the strength of each bot in a round robin, the best first.
pub(super) fn ratings(bots: &[&BotReport]) -> Html {
    let heads = ["bot", "rating", "place score", "first", "ahead", "deals", "time per move"];
    let mut table = HtmlTable::new(
        "Strength with 95 % confidence intervals; time per move: median and 99th percentile",
        &heads,
    );
    for (number, bot) in bots.iter().enumerate() {
        let ahead = bot.points_ahead.map_or_else(|| text("–"), |ahead| with_range(ahead, 2));
        let cells = [
            with_range(bot.rating.unwrap_or_default(), 0),
            with_range(bot.place_score, 3),
            share_with_range(bot.first_rate),
            ahead,
            text(bot.deals.map_or_else(|| "–".to_owned(), count)),
            times(bot),
        ];
        table.row(&format!("{} {}", number + 1, bot.name), &cells);
    }
    table.finish()
}

/// Returns a cell with the time per move. Contests in bundles have no times.
fn times(bot: &BotReport) -> Html {
    bot.ms_per_move.map_or_else(|| text("–"), |of| cell(&time(of.p50), &time(of.p99)))
}

/// Shows the contracts that the bots played; empty for games without contracts.
pub(super) fn contracts(bots: &[&BotReport]) -> Html {
    let kinds = bots.first().map_or(0, |bot| bot.contracts.len());
    // Leave out contracts that no bot played.
    let shown: Vec<usize> =
        (0..kinds).filter(|&kind| bots.iter().any(|bot| bot.contracts[kind].count > 0)).collect();
    if shown.is_empty() {
        return Html::default();
    }
    let heads = ["contract", "bot", "played", "share of rounds", "made", "mean points"];
    let mut table = HtmlTable::new("Contracts of each bot", &heads);
    for &kind in &shown {
        for (i, bot) in bots.iter().enumerate() {
            let contract = &bot.contracts[kind];
            let ever = |figure: String| text(if contract.count == 0 { "–" } else { &figure });
            let mut cells = Html::default();
            cells.raw("<td class=\"name\">").name(&bot.name).raw("</td>");
            let figures = [
                text(count(contract.count)),
                share(contract.share),
                ever(percent(contract.made)),
                ever(signed(contract.points, 1)),
            ];
            cells.raw("<td>").add(&figures[0]).raw("</td>").add(&figures[1]);
            cells.raw("<td>").add(&figures[2]).raw("</td><td>").add(&figures[3]).raw("</td>");
            table.row_of(if i == 0 { &contract.name } else { "" }, &cells);
        }
    }
    let mut html = Html::default();
    html.element("h3", "Contracts").add(&table.finish());
    html
}

/// Returns a cell with a share, and a bar behind it.
fn share(of: f64) -> Html {
    let mut cells = Html::default();
    let length = format!("{:.4}", of.clamp(0.0, 1.0));
    cells.raw("<td class=\"share\" style=\"--share:").text(length).raw("\">").text(percent(of)).raw("</td>");
    cells
}

/// Shows how the bots play; empty if that was not recorded.
pub(super) fn habits(bots: &[&BotReport]) -> Html {
    let looked: Vec<_> =
        bots.iter().filter_map(|bot| bot.habits.as_ref().map(|habits| (bot, habits))).collect();
    let Some((_, first)) = looked.first() else { return Html::default() };
    let kinds = first.kinds.iter().enumerate();
    let done = kinds.filter(|(i, _)| looked.iter().any(|(_, habits)| habits.kinds[*i].count > 0));
    let shown: Vec<(usize, &str)> = done.map(|(i, kind)| (i, kind.name.as_str())).collect();
    if shown.is_empty() {
        return Html::default();
    }
    let heads: Vec<&str> =
        ["moves"].into_iter().chain(looked.iter().map(|(bot, _)| bot.name.as_str())).collect();
    let mut table = HtmlTable::new("Share of each bot’s decisions with a choice", &heads);
    for (kind, name) in shown {
        let mut cells = Html::default();
        for (_, habits) in &looked {
            cells.add(&share(habits.kinds[kind].share));
        }
        table.row_of(name, &cells);
    }
    let decisions: Vec<Html> =
        looked.iter().map(|(_, habits)| text(format!("{:.2}", habits.per_round))).collect();
    table.row("decisions per round", &decisions);
    let mut html = Html::default();
    html.element("h3", "Play statistics").add(&table.finish());
    html
}

/// Shows the faults of `exec:` bots; empty if there were none.
pub(super) fn faults(bots: &[&BotReport]) -> Html {
    let failed: Vec<_> =
        bots.iter().filter_map(|bot| Some((bot, bot.faults.filter(|faults| faults.total() > 0)?))).collect();
    let mut html = Html::default();
    if failed.is_empty() {
        return html;
    }
    let heads = ["bot", "illegal", "late", "broken", "given up"];
    let mut table = HtmlTable::new("Random moves because an external bot failed", &heads);
    for (bot, faults) in &failed {
        let counts = [faults.illegal, faults.late, faults.broken, faults.given_up];
        table.row(&bot.name, &counts.map(|number| text(count(number))));
    }
    html.element("h3", "Faults").add(&table.finish());
    for (bot, _) in &failed {
        let Some(first) = &bot.first_fault else { continue };
        html.element("p", format!("The first fault of {}:", bot.name));
        html.raw("<pre><code>").text(first).raw("</code></pre>\n");
    }
    html
}
