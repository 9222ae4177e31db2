//! The best setting, measured once more: the best of many looks better than it is, because luck had a part in being the best.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::arena::Interval;
use cardsharp_bot::bots::network;
use cardsharp_env::seed;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::engine::{Run, Sweep};
use super::error::SweepError;
use super::folder::SweepFolder;
use super::results::{OfSeed, Results};
use crate::evaluate::{Baselines, EvaluateError, Learner, Occasion};
use crate::train::TrainError;

/// Names the deals that the best setting is measured on, which no run was measured on.
const AGAIN: u64 = 0x7377_6167;

/// The best setting, measured once more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// Its number, from 1.
    pub setting: usize,
    /// Deals for each of its runs, as in their final evaluation, but others.
    pub deals: usize,
    /// The figures of its runs on them.
    pub figures: Vec<OfSeed>,
    /// Their mean.
    pub mean: Option<f64>,
    /// The mean's 95 % interval over seeds; none of a single one.
    pub interval: Option<Interval>,
}

/// Measures the bots of the best setting as they were measured at the end of their runs, on deals that nothing else saw; none if no
/// setting finished, or if settings are compared by something else than an arena's figure.
///
/// # Errors
/// A bot cannot be read, or `stop` was set.
pub(super) fn again(
    sweep: &Sweep,
    folder: &SweepFolder,
    results: &Results,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Option<Again>, SweepError> {
    let plan = sweep.plan();
    let Some(best) = results.best().filter(|_| plan.figure.starts_with("arena/")) else { return Ok(None) };
    let (mut figures, mut deals) = (Vec::new(), 0);
    for (number, &seed) in plan.seeds.iter().enumerate() {
        let run = Run { setting: best.setting - 1, seed: number };
        let config = sweep.config(run)?;
        let game = config.game().ok_or_else(|| TrainError::Game { game: config.game.clone() })?;
        let net: Arc<dyn PolicyNet> =
            Arc::new(network(&folder.run(run).join("bundle").display().to_string(), game)?.1);
        let rules = game.rules(&Value::Object(config.evaluate.rules.clone())).map_err(EvaluateError::from)?;
        let baselines = Baselines::new(&config.evaluate, game, &rules)?;
        let learner = Learner {
            config: &config.evaluate,
            seed: seed::derived(plan.seed, &[AGAIN, seed]),
            outputs: config.algorithm().outputs(),
            game,
            net: &net,
            threads,
            stop,
        };
        let found = baselines.figures(&baselines.run(&learner, Occasion::Final)?);
        deals = config.evaluate.final_deals;
        let figure = found.into_iter().find(|(name, _)| *name == plan.figure).map(|(_, figure)| figure);
        figures.extend(figure.map(|figure| OfSeed { seed, figure }));
    }
    let (mean, interval) = OfSeed::mean(&figures);
    Ok(Some(Again { setting: best.setting, deals, figures, mean, interval }))
}
