//! `cardsharp export CHECKPOINT`.

use std::path::{Path, PathBuf};

use cardsharp_trainer::checkpoint::{Checkpoints, Latest};
use cardsharp_trainer::export::{self, Extras};
use cardsharp_trainer::run_folder::{CHECKPOINTS, RunError, RunFolder};
use cardsharp_trainer::train::TrainError;
use serde_json::json;

use crate::args::program;
use crate::bots;
use crate::error::CliError;
use crate::output::Output;

/// Write a checkpoint as a folder that stands on its own.
///
/// Weights, ONNX model, encodings, test vectors and a model card; an existing bundle is replaced. Of a
/// run folder, its best checkpoint is taken, or the newest where none was measured.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp export runs/quickstart-1 --to bundles/mine
  cardsharp export runs/quickstart-1/checkpoints/00000100 --to bundles/at-100")]
pub(crate) struct Export {
    /// A checkpoint, the folder of a run, or any bot file
    checkpoint: PathBuf,
    /// The folder of the bundle
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Chooses the sessions that the test vectors come from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

impl Export {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let from = match RunFolder::config(&self.checkpoint) {
            Err(RunError::Absent { .. }) => self.checkpoint,
            Err(other) => return Err(other.into()),
            Ok(_) => best(&self.checkpoint)?,
        };
        let (header, net) = bots::read(&from)?;
        let extras = Extras { contests: Vec::new(), seed: self.seed };
        export::export(&header, &net, &extras, &self.to)?;
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

/// The best checkpoint of a run, or the newest where none was measured.
fn best(run: &Path) -> Result<PathBuf, CliError> {
    let checkpoints = Checkpoints::new(&run.join(CHECKPOINTS), 1);
    let latest = checkpoints.latest_valid().map_err(TrainError::Checkpoint)?;
    let Some(Latest { checkpoint, .. }) = latest else {
        return Err(CliError::NoCheckpoint { run: run.to_owned() });
    };
    Ok(checkpoint.best.map_or(checkpoint.path, |iteration| checkpoints.path(iteration)))
}
