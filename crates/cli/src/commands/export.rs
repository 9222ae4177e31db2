//! `cardsharp export CHECKPOINT`.

#[cfg(feature = "train")]
mod run;

use std::path::{Path, PathBuf};

use cardsharp_bot::arena::command::word;
use cardsharp_bot::bundle::{self, Extras, FILES, MANIFEST, MODEL};
use cardsharp_bot::disk;
use serde_json::json;

use crate::args::program;
use crate::error::CliError;
use crate::input::InputError;
use crate::output::Output;
use crate::{bots, list};

/// Write a checkpoint as a folder that stands on its own.
///
/// Weights, ONNX model, encodings, test vectors, a model card and a manifest; an existing bundle is replaced. Of a
/// run folder, its best checkpoint is taken, or the newest where none was measured. With --evaluate the card says
/// how strong it is, with --cost what that took; a bundle that is exported again keeps what was found out. Without --to a bundle that lacks
/// its ONNX model gets it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp export runs/quickstart-1 --to bundles/mine
  cardsharp export runs/quickstart-1/checkpoints/00000100 --to bundles/at-100
  cardsharp export runs/quickstart-1 --to bundles/mine --evaluate runs/quickstart-1/config.toml
  cardsharp export runs/quickstart-1/bundle --to bundles/mine --cost runs/quickstart-1 --processor 'AMD EPYC, AVX-512'
  cardsharp export checkpoints/dalmuti/bot")]
pub(crate) struct Export {
    /// A checkpoint, the folder of a run, a bundle, or any bot file
    checkpoint: PathBuf,
    /// The folder of the bundle [default: none but the bundle itself, which is completed]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Chooses the sessions that the test vectors come from
    #[arg(long, value_name = "S", default_value_t = 1, requires = "to")]
    seed: u64,
    #[cfg(feature = "train")]
    #[command(flatten)]
    run: run::Measuring,
}

impl Export {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let Some(to) = &self.to else { return complete(out, &self.checkpoint) };
        #[cfg(feature = "train")]
        let from = run::source(&self.checkpoint)?;
        #[cfg(not(feature = "train"))]
        let from = source(&self.checkpoint)?;
        let (header, net) = bots::read(&from)?;
        let extras = Extras { seed: self.seed, ..Extras::of(&from)? };
        #[cfg(feature = "train")]
        let extras = self.run.measured(&header, &net, extras)?;
        bundle::export(list::games(), &header, &net, &extras, to)?;
        let (from, to) = (from.display().to_string(), to.display().to_string());
        let files: Vec<&str> = FILES.into_iter().chain(extras.files()).collect();
        if out.json {
            return out
                .json_page(&json!({ "from": from, "bundle": to, "game": header.game, "files": files }));
        }
        out.line(format!("Wrote {from} as {to}: {}.", files.join(", ")))?;
        out.command(format!("Check it with: {} verify {}", program(), word(&to)))
    }
}

/// Writes what is missing of a bundle.
fn complete(out: &mut Output, folder: &Path) -> Result<(), CliError> {
    if let Err(source) = folder.metadata() {
        let source = disk::unopened(folder, source);
        return Err(InputError::Read { name: folder.display().to_string(), source }.into());
    }
    if !folder.join(MANIFEST).is_file() {
        let expected = "expected the folder to write; only a bundle is completed in its place".to_owned();
        return Err(CliError::Option { option: "--to", given: "left out".to_owned(), expected });
    }
    let written = bundle::complete(folder)?;
    let bundle = folder.display().to_string();
    if out.json {
        let files = if written { vec![MODEL] } else { Vec::new() };
        return out.json_page(&json!({ "bundle": bundle, "files": files }));
    }
    match written {
        true => out.line(format!("Wrote {MODEL} into {bundle}."))?,
        false => out.line(format!("{bundle} has its {MODEL}; nothing was written."))?,
    }
    out.command(format!("Check it with: {} verify {}", program(), word(&bundle)))
}

/// What is exported. Which checkpoint of a run is the best one, only a program with training knows.
#[cfg(not(feature = "train"))]
fn source(given: &Path) -> Result<PathBuf, CliError> {
    if given.join("config.toml").is_file() {
        let expected = "expected one of the run's checkpoints: this program was built without training";
        let (given, expected) = (given.display().to_string(), expected.to_owned());
        return Err(CliError::Option { option: "CHECKPOINT", given, expected });
    }
    Ok(given.to_owned())
}
