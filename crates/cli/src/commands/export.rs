//! `cardsharp export CHECKPOINT`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardsharp_bot::Net;
use cardsharp_bot::file::Header;
use cardsharp_trainer::card::Contest;
use cardsharp_trainer::checkpoint::{Checkpoints, Latest};
use cardsharp_trainer::config::Config;
use cardsharp_trainer::evaluate::Learner;
use cardsharp_trainer::export::{self, ExportError, Extras};
use cardsharp_trainer::run_folder::{CHECKPOINTS, RunError, RunFolder};
use cardsharp_trainer::train::TrainError;
use serde_json::json;

use crate::args::{program, threads};
use crate::error::CliError;
use crate::output::Output;
use crate::{bots, list, measured};

/// Write a checkpoint as a folder that stands on its own.
///
/// Weights, ONNX model, encodings, test vectors and a model card; an existing bundle is replaced. Of a
/// run folder, its best checkpoint is taken, or the newest where none was measured. With --evaluate the
/// card says how strong it is.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp export runs/quickstart-1 --to bundles/mine
  cardsharp export runs/quickstart-1/checkpoints/00000100 --to bundles/at-100
  cardsharp export runs/quickstart-1 --to bundles/mine --evaluate runs/quickstart-1/config.toml")]
pub(crate) struct Export {
    /// A checkpoint, the folder of a run, or any bot file
    checkpoint: PathBuf,
    /// The folder of the bundle
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Chooses the sessions that the test vectors come from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Measure it as this configuration measures a finished run, for the card and `arena.json`
    #[arg(long, value_name = "CONFIG")]
    evaluate: Option<PathBuf>,
    /// Threads to measure on; 0 is one for each core. Does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, requires = "evaluate")]
    threads: usize,
}

impl Export {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let from = match RunFolder::config_among(list::games(), &self.checkpoint) {
            Err(RunError::Absent { .. }) => self.checkpoint,
            Err(other) => return Err(other.into()),
            Ok(_) => best(&self.checkpoint)?,
        };
        let (header, net) = bots::read(&from)?;
        let contests = match &self.evaluate {
            Some(config) => measured_by(config, &header, &net, threads(self.threads))?,
            None => Vec::new(),
        };
        let extras = Extras { contests, seed: self.seed };
        export::export(list::games(), &header, &net, &extras, &self.to)?;
        let (from, to) = (from.display().to_string(), self.to.display().to_string());
        if out.json {
            return out.json_page(
                &json!({ "from": from, "bundle": to, "game": header.game, "files": export::FILES }),
            );
        }
        out.line(format!("Wrote {from} as {to}: {}.", export::FILES.join(", ")))?;
        out.line(format!("Check it with: {} verify {to}", program()))
    }
}

/// How strong a network is, as the configuration at `path` measures it.
fn measured_by(path: &Path, header: &Header, net: &Net, threads: usize) -> Result<Vec<Contest>, CliError> {
    let game = export::fits(list::games(), header).map_err(ExportError::Misfit)?;
    let config = Config::read_among(list::games(), path, &[])?;
    if config.game != header.game {
        let expected = format!("expected a configuration for {}, which the bot plays", header.game);
        return Err(CliError::Option { option: "--evaluate", given: path.display().to_string(), expected });
    }
    let learner = Learner { config: &config, game, net: &Arc::new(net.clone()), threads };
    measured::contests(&learner.findings().map_err(TrainError::Evaluate)?)
}

/// The best checkpoint of a run, or the newest where none was measured.
fn best(run: &Path) -> Result<PathBuf, CliError> {
    let checkpoints = Checkpoints::new(&run.join(CHECKPOINTS), 1);
    let latest = checkpoints.latest_valid().map_err(TrainError::Checkpoint)?;
    let Some(Latest { checkpoint, .. }) = latest else {
        return Err(CliError::NoCheckpoint { run: run.to_owned() });
    };
    Ok(checkpoint.best.map_or(checkpoint.path, |iteration| checkpoints.path(iteration)))
}
