//! What came of training runs.

use super::asked::{Asked, Measuring};
use super::contest::figure;
use super::error::ReportError;
use super::figures::{count, counted, percent, signed, with_range};
use super::html::{Html, Table, text};
use super::plot::COLOURS;
use super::plot::lines::{Curve, Size, lines};
use super::record::{Strength, thinned};
use super::source::Run;
use super::{Section, title_of};

/// What the horizontal axis of every curve shows.
const DECISIONS: &str = "decisions of the learner";
/// Most points of a curve of figures that every iteration has.
const POINTS: usize = 300;

/// A figure of the record that the page shows where a run has it.
struct Shown {
    column: &'static str,
    title: &'static str,
    /// What lies below is drawn here.
    least: f64,
}

const SHOWN: [Shown; 2] = [
    Shown { column: "policy/entropy", title: "Entropy of the policy, in nats", least: f64::MIN },
    // The first iterations may be worse than any guess, by any measure.
    Shown { column: "value/explained_variance", title: "Explained variance of the values", least: -1.0 },
];

/// A run with its learning curve.
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
        with_key(&mut body, "Place score", &names, &lines(Size::Whole, &label, DECISIONS, &curves)?);
    }
    body.raw("<div class=\"pair\">\n");
    for Shown { column, title, least } in SHOWN {
        let all = run.record.figures(column);
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
            notes.push(format!("what is below {} is drawn there", signed(least, 0)));
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
    fact("Seed", &seed.to_string());
    let hidden: Vec<String> = run.asked.net.hidden.iter().map(ToString::to_string).collect();
    fact("Hidden layers", &hidden.join(", "));
    fact("Folder", &run.name);
    html.raw("</dl>\n");
    html.command(&format!("cardsharp train {}/config.toml", run.name.trim_end_matches('/')));
    html
}

/// How strong the learner was when it was last measured, and when it was strongest.
fn strength(run: &Run, strengths: &[Strength]) -> Html {
    let heads = ["against", "place score", "first", "at iteration", "best", "at iteration"];
    let mut table = Table::new("Strength when it was last measured, with 95 % intervals", &heads);
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
        "Measured every {} over {}, the finished run over {}. The best of many measurements owes something to luck.",
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

/// Runs of one game that were measured against one opponent.
struct Compared<'a> {
    game: &'a str,
    opponent: String,
    names: Vec<String>,
    curves: Vec<Curve>,
}

/// Runs of one game over each other, for every opponent that several of them met.
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

/// A drawing of curves, and over it which colour is which.
fn with_key(html: &mut Html, caption: &str, names: &[String], drawing: &Html) {
    html.raw("<figure class=\"wide\">\n<figcaption>").text(caption).raw(" <span class=\"key\">");
    for (i, name) in names.iter().enumerate() {
        html.raw("<span><i class=\"c").text(i % COLOURS).raw("\"></i> ").text(name).raw("</span> ");
    }
    html.raw("</span></figcaption>\n").add(drawing).raw("</figure>\n");
}
