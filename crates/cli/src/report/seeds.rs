//! Runs that differ only in their seeds, as one curve.

use cardsharp_bot::arena::Interval;
use cardsharp_bot::stats::over_seeds;

use super::error::ReportError;
use super::figures::{count, signed, with_range};
use super::html::{Html, Table, text};
use super::plot::lines::{Curve, Size, lines};
use super::record::Measured;
use super::run::{DECISIONS, with_key};
use super::source::{Run, Seeds};
use super::{Section, title_of};

/// The strength of runs against one opponent.
pub(crate) struct Met {
    pub(crate) opponent: String,
    /// The seed and the last place score of each run.
    pub(crate) last: Vec<(u64, f64)>,
    /// For every iteration at which several runs were measured: the mean of their decisions, and their place score.
    points: Vec<(f64, Interval)>,
}

impl Met {
    /// Returns the mean of the last place scores with its interval; `None` for a single run.
    pub(crate) fn mean(&self) -> Option<Interval> {
        over_seeds(&self.last.iter().map(|(_, score)| *score).collect::<Vec<_>>())
    }
}

impl Seeds {
    /// Returns the curve against an opponent; without a band if there is one run.
    pub(super) fn curve(&self, opponent: Option<&str>) -> Option<Curve> {
        let met = self.met().into_iter().find(|met| Some(met.opponent.as_str()) == opponent)?;
        if !met.points.is_empty() {
            return Some(curve(&met));
        }
        let strengths = self.runs.first()?.record.strengths();
        let strength = strengths.into_iter().find(|strength| Some(strength.opponent.as_str()) == opponent)?;
        let points = strength.points.iter().map(|point| (point.decisions, point.score.mean)).collect();
        Some(Curve { points, band: Vec::new() })
    }

    /// Returns the strength of the runs against each opponent.
    pub(crate) fn met(&self) -> Vec<Met> {
        let all: Vec<_> = self.runs.iter().map(|run| (run, run.record.strengths())).collect();
        let mut opponents: Vec<&str> = Vec::new();
        for strength in all.iter().flat_map(|(_, strengths)| strengths) {
            if !opponents.contains(&strength.opponent.as_str()) {
                opponents.push(&strength.opponent);
            }
        }
        let of = |opponent: &str| {
            let runs: Vec<(&Run, &[Measured])> = (all.iter())
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
                runs.iter().filter_map(|(run, points)| Some((run.asked.seed, points.last()?.score.mean)));
            Met {
                opponent: opponent.to_owned(),
                last: last.collect(),
                points: iterations.into_iter().filter_map(at).collect(),
            }
        };
        opponents.into_iter().map(of).collect()
    }
}

/// Shows a curve with its band for each opponent.
pub(super) fn section(seeds: &Seeds) -> Result<Section, ReportError> {
    let Seeds { name, runs } = seeds;
    let game = runs.first().map_or("", |run| run.asked.game.as_str());
    let mut body = Html::default();
    body.raw("<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, text: &str| {
        body.raw("<div>").element("dt", name).element("dd", text).raw("</div>\n");
    };
    fact("Game", &title_of(game));
    fact("Runs", &count(runs.len() as u64));
    let told: Vec<String> = runs.iter().map(|run| run.asked.seed.to_string()).collect();
    fact("Seeds", &told.join(", "));
    let done: Vec<u64> = runs.iter().map(|run| run.record.iterations()).collect();
    let (few, most) = (done.iter().min().copied().unwrap_or(0), done.iter().max().copied().unwrap_or(0));
    fact("Iterations", &if few == most { count(most) } else { format!("{} to {}", count(few), count(most)) });
    fact("Folder", name);
    body.raw("</dl>\n");
    let met = seeds.met();
    if met.is_empty() {
        body.element("p", "The strength of these runs has not been measured yet.");
    }
    let curves: Vec<Curve> = met.iter().map(curve).collect();
    if curves.iter().any(|curve| !curve.points.is_empty()) {
        let names: Vec<String> = met.iter().map(|met| format!("against {}", met.opponent)).collect();
        let label =
            format!("Place score of {} runs over decisions, their mean with its 95 % interval", runs.len());
        let caption = "Place score, mean over seeds with its 95 % confidence interval; higher is better";
        with_key(&mut body, caption, &names, &lines(Size::Whole, &label, DECISIONS, &curves)?);
    }
    let heads: Vec<&str> = ["seed"].into_iter().chain(met.iter().map(|met| met.opponent.as_str())).collect();
    let mut table = Table::new("Last measured place score of each seed, by opponent", &heads);
    for run in runs {
        let of = |met: &Met| {
            let score = met.last.iter().find(|(seed, _)| *seed == run.asked.seed);
            text(score.map_or_else(|| "—".to_owned(), |(_, score)| signed(*score, 3)))
        };
        table.row(&run.asked.seed.to_string(), &met.iter().map(of).collect::<Vec<_>>());
    }
    let mean = |met: &Met| met.mean().map_or_else(|| text("—"), |mean| with_range(mean, 3));
    table.row("mean, 95 %", &met.iter().map(mean).collect::<Vec<_>>());
    body.add(&table.finish());
    body.element(
        "p",
        "The intervals are of the mean over seeds (Student's t), so they include the variation between seeds.",
    );
    Ok(Section { title: format!("{}: {} seeds of {name}", title_of(game), runs.len()), body })
}

fn curve(met: &Met) -> Curve {
    Curve {
        points: met.points.iter().map(|(x, of)| (*x, of.mean)).collect(),
        band: met.points.iter().map(|(x, of)| (*x, of.low, of.high)).collect(),
    }
}
