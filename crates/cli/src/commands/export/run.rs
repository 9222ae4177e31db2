//! Export from a run folder, and measurements as in training.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::bundle::{self, ExportError, Extras};
use cardsharp_bot::file::Header;
use cardsharp_bot::{Net, PolicyNet};
use cardsharp_trainer::config::Config;
use cardsharp_trainer::evaluate::EvaluatedPolicy;
use cardsharp_trainer::train::{TrainError, cost, worth_exporting};

use crate::args::{thread_count, threads};
use crate::commands::train::TrainingError;
use crate::error::CliError;
use crate::games;

/// How strength is measured, and what it cost.
#[derive(clap::Args)]
pub(super) struct Measuring {
    /// Measure the strength with the [evaluate] section of this configuration, for the card and `arena.json`
    #[arg(long, value_name = "CONFIG", requires = "to")]
    evaluate: Option<PathBuf>,
    /// Threads for --evaluate, 0 = one for each CPU core; does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, requires = "evaluate", value_parser = thread_count())]
    threads: usize,
    /// Add the cost of training, from the `timing.csv` of this run, to the card and `cost.json`
    #[arg(long, value_name = "RUNDIR", requires = "to")]
    cost: Option<PathBuf>,
    /// The name of the processor it was trained on
    #[arg(long, value_name = "NAME", requires = "cost")]
    processor: Option<String>,
}

impl Measuring {
    /// Adds the strength of a network and its cost to `extras`, if the options ask for them.
    pub(super) fn measured(&self, header: &Header, net: &Net, extras: Extras) -> Result<Extras, CliError> {
        let extras = match &self.cost {
            Some(run) => {
                let cost = cost(games::all(), run, header, self.processor.clone())?;
                Extras { cost: Some(cost), ..extras }
            }
            None => extras,
        };
        let Some(path) = &self.evaluate else { return Ok(extras) };
        let game = bundle::fits(games::all(), header).map_err(ExportError::Misfit)?;
        let config = Config::read_among(games::all(), path, &[])?;
        if config.game != header.game {
            let expected = format!("expected a configuration for {}, which the bot plays", header.game);
            return Err(CliError::Option {
                option: "--evaluate",
                given: path.display().to_string(),
                expected,
            });
        }
        let threads = threads(self.threads);
        let (net, stop): (Arc<dyn PolicyNet>, _) = (Arc::new(net.clone()), AtomicBool::new(false));
        let (seed, outputs) = (config.seed, config.algorithm().outputs());
        let learner = EvaluatedPolicy {
            config: &config.evaluate,
            seed,
            outputs,
            game,
            net: &net,
            threads,
            stop: &stop,
        };
        let findings = learner.findings().map_err(TrainError::Evaluate)?;
        // As for the run's own card: no command can repeat deals that were sampled at a temperature.
        let contests = if config.is_repeatable() { findings.contests(games::all())? } else { Vec::new() };
        Ok(Extras { contests, ..extras })
    }
}

/// Returns what to export: the best checkpoint of a run, or its newest if none was measured. Anything else is returned
/// unchanged.
pub(super) fn source(given: &Path) -> Result<PathBuf, CliError> {
    match worth_exporting(games::all(), given) {
        Ok(Some(from)) => Ok(from),
        Ok(None) => Err(TrainingError::NoCheckpoint { run: given.to_owned() }.into()),
        // This conversion shows the faulty lines of the configuration.
        Err(TrainError::Run(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}
