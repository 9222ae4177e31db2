//! Results of a sweep.

use std::collections::BTreeMap;

use cardsharp_bot::run_record::metric;
use cardsharp_document::plain;

use crate::error::ReportError;
use crate::html::{Html, HtmlTable, count, counted, signed, text, with_range};
use crate::page::{Context, PageSection};
use crate::plot::{Axis, Curve, PlotPoint, PlotSize, lines, points, with_key};
use crate::run::DECISIONS;
use crate::source::{SourceSeeds, SourceSweep, SweepRow, SweepSummary};

/// Numbers with at least this ratio of largest to smallest have a logarithmic scale.
const APART: f64 = 20.0;

/// Shows the results of a sweep, the curves of its best settings, and the figure over every field.
pub(crate) fn section(sweep: &SourceSweep, context: Context<'_>) -> Result<PageSection, ReportError> {
    let SourceSweep { name, results, curves, runs } = sweep;
    let mut body = facts(name, results, *runs, context);
    body.add(&table(results));
    body.element(
        "p",
        "The intervals are of the mean over seeds (Student's t). The best of many settings looks better than it is, because luck \
         had a part in being the best.",
    );
    if let Some(again) = &results.again
        && let Some(mean) = again.mean
    {
        let range = again.interval.map(|of| format!(" ({} … {})", signed(of.low, 3), signed(of.high, 3)));
        body.element(
            "p",
            format!(
                "Setting {} was measured once more, on {} held out: {}{}.",
                again.setting,
                counted(again.deals, "deal", "deals"),
                signed(mean, 3),
                range.unwrap_or_default()
            ),
        );
    }
    body.add(&drawn(results, curves)?);
    for (at, field) in results.fields.iter().enumerate() {
        body.add(&over(results, at, field)?);
    }
    let title = format!(
        "{}: {} of {name}",
        context.title_of(&results.game),
        counted(results.settings.len() as u64, "setting", "settings")
    );
    Ok(PageSection { title, body })
}

fn facts(name: &str, results: &SweepSummary, runs: usize, context: Context<'_>) -> Html {
    let mut body = Html::default();
    body.raw("<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, text: &str| {
        body.raw("<div>").element("dt", name).element("dd", text).raw("</div>\n");
    };
    fact("Game", &context.title_of(&results.game));
    fact("Settings", &count(results.settings.len() as u64));
    let seeds: Vec<String> = results.seeds.iter().map(u64::to_string).collect();
    fact("Seeds", &seeds.join(", "));
    fact("Runs", &count(runs as u64));
    fact("Compared by", &format!("{}, {} is better", results.figure, results.better));
    let ended = |end: &str| results.settings.iter().filter(|row| row.end == end).count();
    let ends = [("finished", ended("finished")), ("stopped early", ended("stopped"))];
    let others = results.settings.len() - ends[0].1 - ends[1].1;
    let ends = ends.into_iter().chain([("failed or refused", others)]).filter(|(_, count)| *count > 0);
    fact("Ended", &ends.map(|(end, count)| format!("{count} {end}")).collect::<Vec<_>>().join(", "));
    fact("Folder", name);
    body.raw("</dl>\n");
    body
}

fn table(results: &SweepSummary) -> Html {
    let fields = results.fields.iter().map(String::as_str);
    let heads: Vec<&str> = ["setting"].into_iter().chain(fields).chain(["mean, 95 %", "ended"]).collect();
    let mut table = HtmlTable::new("Settings, best first", &heads);
    for row in &results.settings {
        let mean = match (row.mean, row.interval) {
            (_, Some(of)) => with_range(of, 3),
            (Some(mean), None) => text(signed(mean, 3)),
            (None, None) => text("—"),
        };
        let values = row.values.iter().map(|value| text(plain(value)));
        table.row(&row.setting.to_string(), &values.chain([mean, ended(row)]).collect::<Vec<_>>());
    }
    table.finish()
}

fn ended(row: &SweepRow) -> Html {
    let reason = row.reason.as_deref().unwrap_or_default();
    text(match (row.end.as_str(), row.iteration) {
        ("stopped", Some(iteration)) => format!("stopped at iteration {}", count(iteration)),
        ("failed" | "refused", _) => format!("{}: {reason}", row.end),
        (end, _) => end.to_owned(),
    })
}

/// Draws the curves of the best settings, if their figure is a place score.
fn drawn(results: &SweepSummary, all: &[SourceSeeds]) -> Result<Html, ReportError> {
    let mut body = Html::default();
    let opponent = metric::ARENA.iter().find_map(|metric| metric.opponent_in(&results.figure));
    let (mut names, mut curves) = (Vec::new(), Vec::new());
    for seeds in all {
        let Some(curve) = seeds.curve(opponent) else { continue };
        names.push(format!("setting {}", seeds.name));
        curves.push(curve);
    }
    let measured = curves.iter().any(|curve: &Curve| curve.points.len() > 1);
    let Some(opponent) = opponent.filter(|_| measured) else { return Ok(body) };
    let label = format!(
        "Place score against {opponent} of {} settings over decisions, means over seeds",
        names.len()
    );
    let caption = match names.len() < results.settings.len() {
        true => format!(
            "The best {}: place score against {opponent}, mean over seeds with its 95 % confidence interval; higher is better",
            names.len()
        ),
        false => {
            format!(
                "Place score against {opponent}, mean over seeds with its 95 % confidence interval; higher is better"
            )
        }
    };
    with_key(&mut body, &caption, &names, &lines(PlotSize::Whole, &label, DECISIONS, &curves)?);
    Ok(body)
}

/// Draws the figure of every setting over the value of one field.
fn over(results: &SweepSummary, at: usize, field: &str) -> Result<Html, ReportError> {
    let rows: Vec<&SweepRow> = results.settings.iter().filter(|row| row.mean.is_some()).collect();
    let numbers: Option<Vec<f64>> = rows.iter().map(|row| row.values[at].as_f64()).collect();
    let numbers = numbers.filter(|numbers| numbers.iter().any(|number| Some(number) != numbers.first()));
    let (axis, places) = match numbers {
        Some(numbers) => {
            let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let by_ratio = least > 0.0 && most / least >= APART;
            (if by_ratio { Axis::Ratios } else { Axis::Numbers }, numbers)
        }
        None => {
            let mut names: Vec<String> = Vec::new();
            let places = rows.iter().map(|row| {
                let name = plain(&row.values[at]);
                let known = names.iter().position(|other| *other == name);
                known.unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                }) as f64
            });
            let places: Vec<f64> = places.collect();
            if names.len() < 2 {
                return Ok(Html::default());
            }
            (Axis::Names(names), places)
        }
    };
    // Settings with the same value are drawn side by side.
    let mut shared: BTreeMap<u64, usize> = BTreeMap::new();
    let drawn = rows.iter().zip(&places).map(|(row, &x)| {
        let before = shared.entry(x.to_bits()).or_default();
        *before += 1;
        PlotPoint {
            x,
            earlier: *before - 1,
            y: row.mean.unwrap_or_default(),
            range: row.interval,
            whole: row.end == "finished",
        }
    });
    let drawn: Vec<PlotPoint> = drawn.collect();
    let mut body = Html::default();
    let label = format!("{} of every setting over {field}", results.figure);
    let early = if drawn.iter().all(|point| point.whole) {
        ""
    } else {
        ", stopped settings at their last measurement"
    };
    let caption = format!("{} over {field}; one dot for each setting{early}", results.figure);
    let names = ["finished".to_owned(), "stopped early".to_owned()];
    let names = if drawn.iter().all(|point| point.whole) { &names[..1] } else { &names[..] };
    with_key(&mut body, &caption, names, &points(&label, field, &axis, &drawn)?);
    Ok(body)
}
