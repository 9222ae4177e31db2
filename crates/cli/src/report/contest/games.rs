//! Stored games of a contest, with links to watch them.

use cardsharp_bot::Report;
use cardsharp_bot::arena::Game;

use super::super::figures::signed;
use super::super::html::{Html, Table, text};
use super::super::link;

/// Returns a table with a link for each stored game, or nothing if there are none. `at` is the page that shows games.
pub(super) fn games(report: &Report, at: &str) -> Html {
    let mut html = Html::default();
    let Some(first) = report.bots.first().filter(|_| !report.games.is_empty()) else { return html };
    html.element("h3", "Games");
    html.element("p", format!("Each link contains a whole session and opens it step by step at {at}."));
    let place = format!("mean place of {}", first.name);
    let heads = ["", "seats", place.as_str(), "points", "game"];
    let mut table = Table::new("Games of the first deals, from every seat", &heads);
    for Game { deal, turn, bots, places, points, trace } in &report.games {
        let its = || (0..bots.len()).filter(|&seat| bots[seat] == first.name && places[seat] > 0.0);
        let mean = its().map(|seat| places[seat]).sum::<f64>() / its().count().max(1) as f64;
        let points: i64 = its().map(|seat| points[seat]).sum();
        let mut watch = Html::default();
        watch.raw("<a href=\"").text(link::replay(at, trace)).raw("\">watch</a>");
        let figures = match its().next() {
            Some(_) => [text(format!("{mean:.2}")), text(signed(points as f64, 0))],
            None => [text(""), text("")],
        };
        let [place, points] = figures;
        let mut sat = Html::default();
        sat.name(&bots.join(", "));
        table.row(&format!("deal {}, game {}", deal + 1, turn + 1), &[sat, place, points, watch]);
    }
    html.add(&table.finish());
    html
}
