//! Runs that differ only in their seeds, as one curve.

use cardsharp_bot::arena::Interval;
use cardsharp_bot::stats::over_seeds;

use crate::error::ReportError;
use crate::html::{Html, HtmlTable, count, signed, text, with_range};
use crate::page::{Context, PageSection};
use crate::plot::{Curve, PlotSize, lines, with_key};
use crate::record::Measured;
use crate::run::DECISIONS;
use crate::source::{SourceRun, SourceSeeds};

/// The strength of runs against one opponent.
pub struct Opponent {
    /// The name of the opponent.
    pub name: String,
    /// The seed and the last place score of each run.
    pub last: Vec<(u64, f64)>,
    /// For every iteration at which several runs were measured: the mean of their decisions, and their place score.
    points: Vec<(f64, Interval)>,
}

impl Opponent {
    /// Returns the mean of the last place scores with its interval; `None` for a single run.
    pub fn mean(&self) -> Option<Interval> {
        over_seeds(&self.last.iter().map(|(_, score)| *score).collect::<Vec<_>>())
    }
}

impl SourceSeeds {
    /// Returns the curve against an opponent; without a band if there is one run.
    pub(crate) fn curve(&self, opponent: Option<&str>) -> Option<Curve> {
        let name = opponent?;
        let opponent = self.opponents().into_iter().find(|opponent| opponent.name == name)?;
        if !opponent.points.is_empty() {
            return Some(curve(&opponent));
        }
        let strengths = self.runs.first()?.record.strengths();
        let strength = strengths.into_iter().find(|strength| strength.opponent == name)?;
        let points = strength.points.iter().map(|point| (point.decisions, point.score.mean)).collect();
        Some(Curve { points, band: Vec::new() })
    }

    /// Returns the strength of the runs against each opponent.
    pub fn opponents(&self) -> Vec<Opponent> {
        let all: Vec<_> = self.runs.iter().map(|run| (run, run.record.strengths())).collect();
        let mut opponents: Vec<&str> = Vec::new();
        for strength in all.iter().flat_map(|(_, strengths)| strengths) {
            if !opponents.contains(&strength.opponent.as_str()) {
                opponents.push(&strength.opponent);
            }
        }
        let of = |opponent: &str| {
            let runs: Vec<(&SourceRun, &[Measured])> = (all.iter())
                .filter_map(|(run, strengths)| {
                    let strength = strengths.iter().find(|strength| strength.opponent == opponent)?;
                    Some((*run, strength.points.as_slice()))
                })
                .collect();
            let mut iterations: Vec<u64> =
                runs.iter().flat_map(|(_, points)| points.iter().map(|point| point.iteration)).collect();
            iterations.sort_unstable();
            iterations.dedup();
            let at = |iteration: u64| {
                let there = runs.iter().flat_map(|(_, points)| points.iter());
                let there: Vec<&Measured> = there.filter(|point| point.iteration == iteration).collect();
                let scores: Vec<f64> = there.iter().map(|point| point.score.mean).collect();
                let decisions = there.iter().map(|point| point.decisions).sum::<f64>() / there.len() as f64;
                Some((decisions, over_seeds(&scores)?))
            };
            let last =
                runs.iter().filter_map(|(run, points)| Some((run.config.seed, points.last()?.score.mean)));
            Opponent {
                name: opponent.to_owned(),
                last: last.collect(),
                points: iterations.into_iter().filter_map(at).collect(),
            }
        };
        opponents.into_iter().map(of).collect()
    }
}

/// Shows a curve with its band for each opponent.
pub(crate) fn section(seeds: &SourceSeeds, context: Context<'_>) -> Result<PageSection, ReportError> {
    let SourceSeeds { name, runs } = seeds;
    let game = runs.first().map_or("", |run| run.config.game.as_str());
    let mut body = Html::default();
    body.raw("<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, text: &str| {
        body.raw("<div>").element("dt", name).element("dd", text).raw("</div>\n");
    };
    fact("Game", &context.title_of(game));
    fact("Runs", &count(runs.len() as u64));
    let numbers: Vec<String> = runs.iter().map(|run| run.config.seed.to_string()).collect();
    fact("Seeds", &numbers.join(", "));
    let done: Vec<u64> = runs.iter().map(|run| run.record.iterations()).collect();
    let (few, most) = (done.iter().min().copied().unwrap_or(0), done.iter().max().copied().unwrap_or(0));
    fact("Iterations", &if few == most { count(most) } else { format!("{} to {}", count(few), count(most)) });
    fact("Folder", name);
    body.raw("</dl>\n");
    let opponents = seeds.opponents();
    if opponents.is_empty() {
        body.element("p", "The strength of these runs has not been measured yet.");
    }
    let curves: Vec<Curve> = opponents.iter().map(curve).collect();
    if curves.iter().any(|curve| !curve.points.is_empty()) {
        let names: Vec<String> =
            opponents.iter().map(|opponent| format!("against {}", opponent.name)).collect();
        let label =
            format!("Place score of {} runs over decisions, their mean with its 95 % interval", runs.len());
        let caption = "Place score, mean over seeds with its 95 % confidence interval; higher is better";
        with_key(&mut body, caption, &names, &lines(PlotSize::Whole, &label, DECISIONS, &curves)?);
    }
    let heads: Vec<&str> =
        ["seed"].into_iter().chain(opponents.iter().map(|opponent| opponent.name.as_str())).collect();
    let mut table = HtmlTable::new("Last measured place score of each seed, by opponent", &heads);
    for run in runs {
        let of = |opponent: &Opponent| {
            let score = opponent.last.iter().find(|(seed, _)| *seed == run.config.seed);
            text(score.map_or_else(|| "—".to_owned(), |(_, score)| signed(*score, 3)))
        };
        table.row(&run.config.seed.to_string(), &opponents.iter().map(of).collect::<Vec<_>>());
    }
    let mean = |opponent: &Opponent| opponent.mean().map_or_else(|| text("—"), |mean| with_range(mean, 3));
    table.row("mean, 95 %", &opponents.iter().map(mean).collect::<Vec<_>>());
    body.add(&table.finish());
    body.element(
        "p",
        "The intervals are of the mean over seeds (Student's t), so they include the variation between seeds.",
    );
    Ok(PageSection { title: format!("{}: {} seeds of {name}", context.title_of(game), runs.len()), body })
}

fn curve(opponent: &Opponent) -> Curve {
    Curve {
        points: opponent.points.iter().map(|(x, of)| (*x, of.mean)).collect(),
        band: opponent.points.iter().map(|(x, of)| (*x, of.low, of.high)).collect(),
    }
}
