//! Training runs, and comparisons of runs of one game.

use std::collections::BTreeMap;
use std::time::Duration;

use cardsharp_bot::arena::command::word;
use cardsharp_bot::run_record::metric::{self, Metric};
use cardsharp_text::format;

use crate::error::ReportError;
use crate::html::{Html, HtmlTable, count, counted, percent, signed, text, with_range};
use crate::page::{Context, PageSection};
use crate::plot::{Curve, PlotSize, figure, lines, with_key};
use crate::record::{IterationTime, MeasurementPlan, RunConfig, Strength, thinned};
use crate::source::SourceRun;

/// The label of the horizontal axis of every curve.
pub(crate) const DECISIONS: &str = "decisions of the learner";
/// Maximum number of points in a curve of figures that every iteration has.
const POINTS: usize = 300;

/// A metric that the page shows if the run has it.
struct Shown {
    metric: Metric,
    title: &'static str,
    /// Lower values are drawn at this value.
    least: f64,
}

impl Shown {
    const fn new(metric: Metric, title: &'static str) -> Self {
        Self { metric, title, least: f64::MIN }
    }
}

const SHOWN: [Shown; 9] = [
    Shown::new(metric::ENTROPY, "Policy entropy"),
    // The estimates of the first iterations may be arbitrarily bad.
    Shown {
        least: -1.0,
        ..Shown::new(metric::EXPLAINED_VARIANCE, "Explained variance of the value estimates, at most 1")
    },
    Shown::new(metric::POLICY_LOSS, "Policy loss"),
    Shown::new(metric::ACTION_LOSS, "Loss of the action values"),
    Shown::new(metric::VALUE_LOSS, "Value loss"),
    Shown::new(metric::CRITIC_LOSS, "Critic loss"),
    Shown::new(metric::APPROX_KL, "Approximate KL divergence of an update"),
    Shown::new(metric::CLIP_FRACTION, "Clip fraction"),
    Shown::new(metric::GRADIENT_NORM, "Gradient norm"),
];

/// Shows a run with its learning curve.
pub(crate) fn section(run: &SourceRun, context: Context<'_>) -> Result<PageSection, ReportError> {
    let mut body = facts(run, context);
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
            &lines(PlotSize::Whole, &label, DECISIONS, &curves)?,
        );
    }
    body.raw("<div class=\"pair\">\n");
    let speed = Shown::new(metric::DECISION_RATE, "Speed");
    let drawn = SHOWN.into_iter().map(|shown| (run.record.figures(shown.metric), shown));
    for (all, Shown { metric, title, least }) in drawn.chain([(speeds(run), speed)]) {
        let title = metric.titled(title);
        if all.is_empty() {
            continue;
        }
        let (points, of) = thinned(&all, POINTS);
        let cut = points.iter().filter(|&&(_, y)| y < least).count();
        let points = points.into_iter().map(|(x, y)| (x, y.max(least))).collect();
        let drawing = lines(
            PlotSize::Half,
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
    Ok(PageSection { title: format!("{}: the run {}", context.title_of(&run.config.game), run.name), body })
}

fn facts(run: &SourceRun, context: Context<'_>) -> Html {
    let RunConfig { game, seed, iterations, .. } = &run.config;
    let mut html = Html::default();
    html.raw("<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, text: &str| {
        html.raw("<div>").element("dt", name).element("dd", text).raw("</div>\n");
    };
    fact("Game", &context.title_of(game));
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
            |seconds| Duration::try_from_secs_f64(seconds).map_or_else(|_| "?".to_owned(), format::duration);
        fact("Time", &format!("{}, {} of it measuring", time(seconds), time(measuring)));
        let made: f64 = run.timing.iter().map(|timed| timed.rate * timed.seconds).sum();
        fact("Decisions per second", &count((made / seconds.max(1e-9)) as u64));
    }
    fact("Seed", &seed.to_string());
    let hidden: Vec<String> = run.config.net.hidden.iter().map(ToString::to_string).collect();
    fact("Hidden layers", &hidden.join(", "));
    fact("Folder", &run.name);
    html.raw("</dl>\n");
    let config = format!("{}/config.toml", run.name.trim_end_matches('/'));
    html.command(&format!("cardsharp train {}", word(&config)));
    html
}

/// Returns the decisions per second over the decisions, for every iteration with a known time.
fn speeds(run: &SourceRun) -> Vec<(f64, f64)> {
    let decisions = run.record.steps();
    let of = |timed: &IterationTime| {
        Some((*decisions.get(usize::try_from(timed.iteration).ok()?.checked_sub(1)?)?, timed.rate))
    };
    run.timing.iter().filter_map(of).collect()
}

/// Shows the last measured strength of the learner, and the best one.
fn strength(run: &SourceRun, strengths: &[Strength]) -> Html {
    let heads = ["against", "place score", "first", "at iteration", "best", "at iteration"];
    let mut table = HtmlTable::new("Last measured strength, with 95 % confidence intervals", &heads);
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
    let MeasurementPlan { every, deals, final_deals } = run.config.evaluate;
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
pub(crate) fn comparisons(
    runs: &[&SourceRun],
    context: Context<'_>,
) -> Result<Vec<PageSection>, ReportError> {
    let mut all: Vec<Compared<'_>> = Vec::new();
    for run in runs {
        for strength in run.record.strengths() {
            let (game, curve) = (run.config.game.as_str(), curve(&strength));
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
        with_key(&mut body, "Place score", names, &lines(PlotSize::Whole, &label, DECISIONS, curves)?);
        Ok(PageSection {
            title: format!("{}: runs compared, against {opponent}", context.title_of(game)),
            body,
        })
    };
    several.map(section).collect()
}

/// Returns a table for each game with several runs whose settings differ.
pub(crate) fn differing_settings(runs: &[&SourceRun], context: Context<'_>) -> Vec<PageSection> {
    let mut games: Vec<&str> = Vec::new();
    for run in runs {
        if !games.contains(&run.config.game.as_str()) {
            games.push(&run.config.game);
        }
    }
    let of_game = |game: &str| {
        let runs: Vec<&SourceRun> = runs.iter().copied().filter(|run| run.config.game == game).collect();
        let settings: Vec<_> = runs.iter().map(|run| &run.config.settings).collect();
        let differing = differing(&settings);
        (!differing.is_empty()).then(|| {
            let heads: Vec<&str> =
                std::iter::once("setting").chain(runs.iter().map(|run| run.name.as_str())).collect();
            let mut table = HtmlTable::new("All other settings are equal", &heads);
            for (setting, values) in differing {
                let mut head = Html::default();
                head.setting(setting);
                table.row_under(&head, &values.into_iter().map(cell).collect::<Vec<_>>());
            }
            PageSection {
                title: format!("{}: settings that differ", context.title_of(game)),
                body: table.finish(),
            }
        })
    };
    games.into_iter().filter_map(of_game).collect()
}

fn cell(value: Option<&str>) -> Html {
    text(value.unwrap_or("—"))
}

/// Returns the settings that differ, with the value of each run.
fn differing<'a>(all: &[&'a BTreeMap<String, String>]) -> Vec<(&'a str, Vec<Option<&'a str>>)> {
    let names: BTreeMap<&str, ()> =
        all.iter().flat_map(|settings| settings.keys()).map(|name| (name.as_str(), ())).collect();
    let values = |name: &'a str| -> Vec<Option<&'a str>> {
        all.iter().map(|settings| settings.get(name).map(String::as_str)).collect()
    };
    let rows = names.into_keys().map(|name| (name, values(name)));
    rows.filter(|(_, values)| values.iter().any(|value| *value != values[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::differing;
    use crate::record::settings;

    #[test]
    fn differing_and_missing_settings_are_listed() {
        let [one, two] = [
            "seed = 1\n[ppo]\nclip = 0.2\nepochs = 2\n[[rollout.tables]]\nrules = { players = 4 }\n[evaluate]\nopponents = [\"random\"]",
            "seed = 1\n[ppo]\nclip = 0.1\nepochs = 2\n[[rollout.tables]]\nrules = { players = 4 }\n[[rollout.tables]]\nrules = { players = 5 }\n\
             [evaluate]\nopponents = [\"random\", \"scripted\"]",
        ]
        .map(|text| settings(text).expect("TOML"));
        let found = differing(&[&one, &two, &one]);
        assert_eq!(
            found,
            [
                (
                    "evaluate.opponents",
                    vec![Some("[\"random\"]"), Some("[\"random\",\"scripted\"]"), Some("[\"random\"]")]
                ),
                ("ppo.clip", vec![Some("0.2"), Some("0.1"), Some("0.2")]),
                ("rollout.tables.1.rules.players", vec![None, Some("5"), None]),
            ]
        );
        assert_eq!(differing(&[&one, &one]), []);
        assert_eq!(differing(&[]), []);
    }
}
