//! The page of a review.

use std::cmp::Ordering;

use cardsharp_bot::arena::Interval;
use cardsharp_bot::beliefs::Beliefs;
use cardsharp_bot::bots::search::{Compared, Difference};
use cardsharp_bot::review::{Estimate, Parts, ReviewedDecision};
use cardsharp_bot::stats::counted_percent;

use crate::error::ReportError;
use crate::html::{Html, HtmlTable, cell, signed, text, with_range};
use crate::link;
use crate::page::{Context, PageSection, assembled};
use crate::plot::{figure, whiskers};
use crate::review::{self, ReviewedSession, SeenPosition};

/// Number of decisions that are drawn, the most expensive ones.
const DRAWN: usize = 12;
/// Number of deals that beliefs are counted over.
const BELIEVED: u32 = 1000;
/// Explains the terms of this page.
const READING: &str = include_str!("reviewing.html");

/// Returns the page of a review of `trace`.
///
/// # Errors
/// A plot cannot be drawn.
pub fn page(session: &ReviewedSession, trace: &str, context: Context<'_>) -> Result<String, ReportError> {
    let game = context.title_of(&session.game);
    let mut sections =
        vec![PageSection { title: "In short".to_owned(), body: short(session, trace, context) }];
    sections
        .push(PageSection { title: "Most expensive decisions".to_owned(), body: dearest(session, trace)? });
    sections.push(PageSection { title: "Luck and skill".to_owned(), body: luck(session) });
    sections.push(PageSection { title: "All decisions with a choice".to_owned(), body: all(session) });
    let title = format!("{game}: review of seat {}", session.seat.0);
    Ok(assembled(&title, &sections, "review", READING).into_string())
}

fn short(session: &ReviewedSession, trace: &str, context: Context<'_>) -> Html {
    let mut html = Html::default();
    html.raw("<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, text: &str| {
        html.raw("<div>").element("dt", name).element("dd", text).raw("</div>\n");
    };
    fact("Game", &context.title_of(&session.game));
    fact("Seat", &session.seat.0.to_string());
    fact("Judge", &session.judge);
    fact("Rounds", &session.rounds.len().to_string());
    html.raw("</dl>\n");
    html.element("p", session.counted()).element("p", session.cost());
    html.raw("<p><a href=\"")
        .text(link::replay(context.viewer, trace))
        .raw("\">View the session step by step</a>");
    html.text(format!(" at {}; the link contains the whole session.", context.viewer)).raw("</p>\n");
    html
}

fn dearest(session: &ReviewedSession, trace: &str) -> Result<Html, ReportError> {
    let mut html = Html::default();
    let dearest = session.dearest();
    if dearest.is_empty() {
        html.element("p", "No decision was clearly a mistake.");
    }
    for (decision, compared) in dearest {
        html.element("h3", review::heading(decision));
        let position = SeenPosition::before(trace, decision.step, session.seat, BELIEVED);
        if let Some(SeenPosition { picture, .. }) = &position {
            html.raw("<pre><code>").text(picture).raw("</code></pre>\n");
        }
        html.element("p", review::price(decision, compared));
        let reasons = review::reasons(decision, compared);
        if !reasons.is_empty() {
            html.raw("<ul>\n");
            for reason in reasons {
                html.element("li", reason);
            }
            html.raw("</ul>\n");
        }
        if let Some(beliefs) = position.and_then(|position| position.beliefs) {
            html.add(&believed(&beliefs));
        }
    }
    let mut others: Vec<_> = session.others().collect();
    others.sort_by(review::dearer);
    others.truncate(DRAWN);
    if let Some((_, first)) = others.first() {
        let (unit, digits) = if review::by_points(first) { ("points", 1) } else { ("places", 2) };
        let rows = others.iter().map(|(decision, compared)| {
            let name = format!("Round {}: {} for {}", decision.round, decision.played, decision.better);
            (name, cost(compared))
        });
        let rows: Vec<(String, Interval)> = rows.collect();
        let caption = format!("Cost of decisions, in {unit}: the move played instead of the judge’s move");
        figure(&mut html, &caption, &whiskers(&caption, unit, digits, &rows)?);
    }
    Ok(html)
}

/// Shows the cards that the other seats may hold, as far as the reviewed seat could infer.
fn believed(Beliefs { deals, seats, .. }: &Beliefs) -> Html {
    let mut cards: Vec<&str> = Vec::new();
    for seat in seats {
        // Each seat lists its cards in the order of the game. Cards that a list lacks are inserted in that order.
        let mut next = 0;
        for held in &seat.cards {
            let at = cards.iter().position(|&card| card == held.card).unwrap_or_else(|| {
                cards.insert(next, &held.card);
                next
            });
            next = at + 1;
        }
    }
    let heads: Vec<String> = seats.iter().map(|seat| format!("seat {}", seat.seat.0)).collect();
    let heads: Vec<&str> = std::iter::once("card").chain(heads.iter().map(String::as_str)).collect();
    let caption = format!(
        "Probability that a seat holds the card, and expected copies, from {deals} deals consistent with the view"
    );
    let chance = |share: f64| counted_percent(share, 1);
    let mut table = HtmlTable::new(&caption, &heads);
    if seats.iter().any(|seat| seat.partner.is_some()) {
        let partner = |partner: Option<f64>| text(partner.map(chance).unwrap_or_default());
        table.row("is the partner", &seats.iter().map(|seat| partner(seat.partner)).collect::<Vec<_>>());
    }
    for card in cards {
        let held = seats.iter().map(|seat| match seat.cards.iter().find(|held| held.card == card) {
            // For cards with a single copy, the mean is the same.
            Some(held) if held.mean - held.any < 0.005 => text(chance(held.any)),
            Some(held) => cell(&chance(held.any), &format!("{:.2}", held.mean)),
            None => text(""),
        });
        table.row(card, &held.collect::<Vec<_>>());
    }
    let mut html = Html::default();
    html.raw("<details><summary>The other seats’ cards, as far as the seat could infer them</summary>\n");
    html.add(&table.finish()).raw("</details>\n");
    html
}

/// Returns the cost of a decision in the unit that ranks moves. Losses are positive.
fn cost(compared: &Compared) -> Interval {
    let Difference { mean, low, high, .. } = *review::measure(compared);
    if review::by_points(compared) {
        Interval { mean: -mean, low: -high, high: -low }
    } else {
        Interval { mean, low, high }
    }
}

fn luck(session: &ReviewedSession) -> Html {
    if session.rounds.is_empty() {
        let mut html = Html::default();
        html.element("p", review::UNFINISHED);
        return html;
    }
    let heads = ["round", "average place", "deal", "decisions", "other", "place", "points"];
    let mut table =
        HtmlTable::new("Place by round: deal + decisions + other = place; lower is better", &heads);
    for round in &session.rounds {
        let Parts { result, deal, decisions, rest } = &round.place;
        let range = |of: &Estimate| format!("{:.2} … {:.2}", of.low, of.high);
        table.row(
            &round.round.to_string(),
            &[
                text(format!("{:.2}", f64::from(round.players + 1) / 2.0)),
                cell(&format!("{:.2}", deal.mean), &range(deal)),
                with_range(Interval { mean: decisions.mean, low: decisions.low, high: decisions.high }, 2),
                text(signed(*rest, 2)),
                text(format!("{result:.0}")),
                text(format!("{:.0}", round.points.result)),
            ],
        );
    }
    let mut html = Html::default();
    html.add(&table.finish()).element("p", session.parts());
    html
}

fn all(session: &ReviewedSession) -> Html {
    let heads = ["step", "round", "phase", "played", "better", "places lost", "points lost", "clear"];
    let mut table = HtmlTable::new("In the order of play, with 95 % confidence intervals", &heads);
    for decision in &session.decisions {
        let ReviewedDecision { step, round, phase, played, better, compared, .. } = decision;
        let mut cells = vec![text(round), text(phase), text(played)];
        match compared {
            None => cells.extend(["the same", "", "", ""].map(text)),
            Some(compared) => {
                let lost = |of: &Difference, sign: f64| {
                    let [one, other] = [sign * of.low, sign * of.high];
                    let (low, high) = match one.total_cmp(&other) {
                        Ordering::Greater => (other, one),
                        _ => (one, other),
                    };
                    with_range(Interval { mean: sign * of.mean, low, high }, 2)
                };
                let clear = if review::measure(compared).is_clear() { "yes" } else { "no" };
                cells.extend([
                    text(better),
                    lost(&compared.place, 1.0),
                    lost(&compared.points, -1.0),
                    text(clear),
                ]);
            }
        }
        table.row(&step.to_string(), &cells);
    }
    table.finish()
}
