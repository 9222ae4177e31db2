//! Results of training runs.

use std::time::Duration;

use cardsharp_bot::arena::command::word;

use super::asked::{Asked, Measuring};
use super::contest::figure;
use super::error::ReportError;
use super::figures::{count, counted, percent, signed, with_range};
use super::html::{Html, Table, text};
use super::plot::COLOURS;
use super::plot::lines::{Curve, Size, lines};
use super::record::{Strength, thinned};
use super::source::Run;
use super::timed::Timed;
use super::{Section, title_of};
use crate::duration;

/// The label of the horizontal axis of every curve.
pub(super) const DECISIONS: &str = "decisions of the learner";
/// Maximum number of points in a curve of figures that every iteration has.
const POINTS: usize = 300;

/// A column of the metrics that the page shows if the run has it.
struct Shown {
    column: &'static str,
    title: &'static str,
    /// Lower values are drawn at this value.
    least: f64,
}

impl Shown {
    const fn new(column: &'static str, title: &'static str) -> Self {
        Self { column, title, least: f64::MIN }
    }
}

const SHOWN: [Shown; 9] = [
    Shown::new("policy/entropy", "Policy entropy, in nats; falls during training"),
    // The estimates of the first iterations may be arbitrarily bad.
    Shown {
        least: -1.0,
        ..Shown::new(
            "value/explained_variance",
            "Explained variance of the value estimates; higher is better, at most 1",
        )
    },
    Shown::new("loss/policy", "Policy loss; lower is better"),
    Shown::new("loss/action", "Loss of the action values; lower is better"),
    Shown::new("loss/value", "Value loss; lower is better"),
    Shown::new("loss/critic", "Critic loss; lower is better"),
    Shown::new("policy/approx_kl", "Approximate KL divergence of an update, in nats; above 0.05 is large"),
    Shown::new("policy/clip_fraction", "Clip fraction; 0.05 to 0.3 is typical"),
    Shown::new("loss/gradient_norm", "Gradient norm; should not grow"),
];

/// Shows a run with its learning curve.
pub(super) fn section(run: &Run) -> Result<Section, ReportError> {
    let mut body = facts(run);
    let strengths = run.record.strengths();
    if strengths.is_empty() {
        body.element("p", "The strength of this run has not been measured yet.");
    } else {
        body.add(&strength(run, &strengths));
        let curves: Vec<Curve> = strengths.iter().map(curve).collect();
        let label = format!("Place score of {} over its decisions, with 95 % intervals", run.name);
        let names: Vec<String> = strengths.iter().map(|s| format!("against {}", s.opponent)).collect();
        with_key(
            &mut body,
            "Place score; higher is better",
            &names,
            &lines(Size::Whole, &label, DECISIONS, &curves)?,
        );
    }
    body.raw("<div class=\"pair\">\n");
    let speed = Shown::new("", "Decisions per second, including measurements; higher is better");
    let drawn = SHOWN.into_iter().map(|shown| (run.record.figures(shown.column), shown));
    for (all, Shown { title, least, .. }) in drawn.chain([(speeds(run), speed)]) {
        if all.is_empty() {
            continue;
        }
        let (points, of) = thinned(&all, POINTS);
        let cut = points.iter().filter(|&&(_, y)| y < least).count();
        let points = points.into_iter().map(|(x, y)| (x, y.max(least))).collect();
        let drawing = lines(
            Size::Half,
            &format!("{title}, over decisions"),
            DECISIONS,
            &[Curve { points, band: vec![] }],
        )?;
        let mut notes = Vec::new();
        if of > 1 {
            notes.push(format!("means of {of} iterations"));
        }
        if cut > 0 {
            notes.push(format!("values below {} are drawn there", signed(least, 0)));
        }
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        figure(&mut body, &format!("{title}{notes}"), &drawing);
    }
    body.raw("</div>\n<details><summary>Configuration</summary>\n<pre><code>");
    body.text(&run.config_text).raw("</code></pre>\n</details>\n");
    Ok(Section { title: format!("{}: the run {}", title_of(&run.asked.game), run.name), body })
}

fn facts(run: &Run) -> Html {
    let Asked { game, seed, iterations, .. } = &run.asked;
    let mut html = Html::default();
    html.raw("<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, text: &str| {
        html.raw("<div>").element("dt", name).element("dd", text).raw("</div>\n");
    };
    fact("Game", &title_of(game));
    let done = run.record.iterations();
    let done =
        if done == *iterations { count(done) } else { format!("{} of {}", count(done), count(*iterations)) };
    fact("Iterations", &done);
    fact("Decisions", &count(run.record.decisions()));
    if !run.timing.is_empty() {
        let seconds: f64 = run.timing.iter().map(|timed| timed.seconds).sum();
        let measuring: f64 = run.timing.iter().map(|timed| timed.measuring).sum();
        // An edited file may contain impossible times.
        let time =
            |seconds| Duration::try_from_secs_f64(seconds).map_or_else(|_| "?".to_owned(), duration::short);
        fact("Time", &format!("{}, {} of it measuring", time(seconds), time(measuring)));
        let made: f64 = run.timing.iter().map(|timed| timed.rate * timed.seconds).sum();
        fact("Decisions per second", &count((made / seconds.max(1e-9)) as u64));
    }
    fact("Seed", &seed.to_string());
    let hidden: Vec<String> = run.asked.net.hidden.iter().map(ToString::to_string).collect();
    fact("Hidden layers", &hidden.join(", "));
    fact("Folder", &run.name);
    html.raw("</dl>\n");
    let config = format!("{}/config.toml", run.name.trim_end_matches('/'));
    html.command(&format!("cardsharp train {}", word(&config)));
    html
}

/// Returns the decisions per second over the decisions, for every iteration with a known time.
fn speeds(run: &Run) -> Vec<(f64, f64)> {
    let decisions = run.record.steps();
    let of = |timed: &Timed| {
        Some((*decisions.get(usize::try_from(timed.iteration).ok()?.checked_sub(1)?)?, timed.rate))
    };
    run.timing.iter().filter_map(of).collect()
}

/// Shows the last measured strength of the learner, and the best one.
fn strength(run: &Run, strengths: &[Strength]) -> Html {
    let heads = ["against", "place score", "first", "at iteration", "best", "at iteration"];
    let mut table = Table::new("Last measured strength, with 95 % confidence intervals", &heads);
    for strength in strengths {
        let best = strength.points.iter().max_by(|a, b| a.score.mean.total_cmp(&b.score.mean));
        let (Some(last), Some(best)) = (strength.points.last(), best) else { continue };
        let cells = [
            with_range(last.score, 3),
            text(percent(last.first)),
            text(count(last.iteration)),
            with_range(best.score, 3),
            text(count(best.iteration)),
        ];
        table.row(&strength.opponent, &cells);
    }
    let mut html = Html::default();
    let Measuring { every, deals, final_deals } = run.asked.evaluate;
    let line = format!(
        "Measured every {} over {}, the finished run over {}. The best of many measurements is overestimated.",
        counted(every, "iteration", "iterations"),
        counted(deals, "deal", "deals"),
        counted(final_deals, "deal", "deals"),
    );
    html.element("p", line).add(&table.finish());
    html
}

fn curve(strength: &Strength) -> Curve {
    Curve {
        points: strength.points.iter().map(|point| (point.decisions, point.score.mean)).collect(),
        band: strength
            .points
            .iter()
            .map(|point| (point.decisions, point.score.low, point.score.high))
            .collect(),
    }
}

/// Runs of one game, measured against the same opponent.
struct Compared<'a> {
    game: &'a str,
    opponent: String,
    names: Vec<String>,
    curves: Vec<Curve>,
}

/// Draws the runs of one game together, for every opponent that several runs were measured against.
pub(super) fn comparisons(runs: &[&Run]) -> Result<Vec<Section>, ReportError> {
    let mut all: Vec<Compared<'_>> = Vec::new();
    for run in runs {
        for strength in run.record.strengths() {
            let (game, curve) = (run.asked.game.as_str(), curve(&strength));
            match all.iter_mut().find(|of| of.game == game && of.opponent == strength.opponent) {
                Some(of) => {
                    of.names.push(run.name.clone());
                    of.curves.push(curve);
                }
                None => all.push(Compared {
                    game,
                    opponent: strength.opponent,
                    names: vec![run.name.clone()],
                    curves: vec![curve],
                }),
            }
        }
    }
    let several = all.iter().filter(|of| of.curves.len() > 1);
    let section = |Compared { game, opponent, names, curves }: &Compared<'_>| {
        let label = format!("Place score of {} runs against {opponent}, over decisions", names.len());
        let mut body = Html::default();
        with_key(&mut body, "Place score", names, &lines(Size::Whole, &label, DECISIONS, curves)?);
        Ok(Section { title: format!("{}: runs compared, against {opponent}", title_of(game)), body })
    };
    several.map(section).collect()
}

/// Adds a drawing of curves, with a key of their colors above.
pub(super) fn with_key(html: &mut Html, caption: &str, names: &[String], drawing: &Html) {
    html.raw("<figure class=\"wide\">\n<figcaption>").text(caption).raw(" <span class=\"key\">");
    for (i, name) in names.iter().enumerate() {
        html.raw("<span><i class=\"c").text(i % COLOURS).raw("\"></i> ").text(name).raw("</span> ");
    }
    html.raw("</span></figcaption>\n").add(drawing).raw("</figure>\n");
}
