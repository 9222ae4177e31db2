//! The second evaluation of the best setting. The best of many results is biased upwards, because luck helped to select
//! it.

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

/// Names the random stream of the deals of the second evaluation. No run was measured on them.
const AGAIN: u64 = 0x7377_6167;

/// The second evaluation of the best setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Again {
    /// Its number, from 1.
    pub setting: usize,
    /// Deals for each of its runs: as many as in the final evaluation, but different ones.
    pub deals: usize,
    /// The values of its runs on these deals.
    pub figures: Vec<OfSeed>,
    /// Their mean.
    pub mean: Option<f64>,
    /// 95 % confidence interval of the mean over seeds; none with one seed.
    pub interval: Option<Interval>,
}

/// Evaluates the bundles of the best setting like the final evaluation of their runs, on unused deals. Returns none if
/// no setting finished, or if settings are not compared by an `arena/…` metric.
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
