#[cfg(feature = "train")]
mod run;

use std::path::{Path, PathBuf};

use cardsharp_bot::arena::command::word;
use cardsharp_bot::bots::registry::BotLocation;
use cardsharp_bot::bundle::{self, Extras, FILES, MANIFEST, MODEL};
use cardsharp_bot::disk;
use cardsharp_bot::identity::{Identity, IdentityError};
use cardsharp_text::input::InputError;
use serde_json::json;

use crate::args::program;
use crate::error::{CliError, Failure};
use crate::output::Output;
use crate::{bots, games};

/// Export a checkpoint as a bundle: a self-contained folder with everything needed to run the bot.
///
/// A bundle has the weights, an ONNX model, encodings, test vectors, a model card and a manifest. An existing bundle is
/// replaced. From a run folder, the best checkpoint is exported, or the newest if none was measured. --evaluate adds the
/// strength to the card, --cost the cost of training. Measurements in an exported bundle are preserved. Without --to, a
/// missing ONNX model is added to a bundle.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp export runs/quickstart-1 --to bundles/mine
  cardsharp export runs/quickstart-1/checkpoints/00000100 --to bundles/at-100
  cardsharp export runs/quickstart-1 --to bundles/mine --evaluate runs/quickstart-1/config.toml
  cardsharp export runs/quickstart-1/bundle --to bundles/mine --cost runs/quickstart-1 --processor 'AMD EPYC, AVX-512'
  cardsharp export runs/quickstart-1 --to bundles/mine --name mine@v1 --license MIT
  cardsharp export taki --to bundles/taki
  cardsharp export checkpoints/dalmuti/bot

More: ", docs!("training.html")))]
pub(crate) struct Export {
    /// A checkpoint, a run folder, a bundle, a bot file, or the name of a shipped or installed bot
    checkpoint: PathBuf,
    /// Folder for the bundle [default: add what the bundle lacks]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Name and version of the bot, like `mine@v1`, for `cardsharp bots`
    #[arg(long, value_name = "NAME@vN", requires_all = ["to", "license"])]
    name: Option<String>,
    /// License of the network, as an SPDX expression
    #[arg(long, value_name = "SPDX", requires = "name")]
    license: Option<String>,
    /// Seed of the sessions for the test vectors
    #[arg(long, value_name = "S", default_value_t = 1, requires = "to")]
    seed: u64,
    #[cfg(feature = "train")]
    #[command(flatten)]
    run: run::Measuring,
}

impl Failure for IdentityError {
    fn code(&self) -> u8 {
        2
    }
}

impl Export {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let place = bots::place(&self.checkpoint)?;
        let Some(to) = &self.to else {
            return match place {
                BotLocation::Shipped(_) => {
                    Err(CliError::Required { option: "--to", why: "the bot is part of the program" })
                }
                BotLocation::Path(path) => complete(out, &path),
            };
        };
        let from = match &place {
            BotLocation::Shipped(_) => self.checkpoint.clone(),
            #[cfg(feature = "train")]
            BotLocation::Path(path) => run::source(path)?,
            #[cfg(not(feature = "train"))]
            BotLocation::Path(path) => source(path)?,
        };
        let (header, net) = bots::read(&from)?;
        let found = Extras::at(&bots::place(&from)?)?;
        let identity = match (self.name, self.license) {
            (Some(name), Some(license)) => Some(Identity::new(&name, license)?),
            _ => found.identity,
        };
        let extras = Extras { seed: self.seed, identity, ..found };
        #[cfg(feature = "train")]
        let extras = self.run.measured(&header, &net, extras)?;
        bundle::export(games::all(), &header, &net, &extras, to)?;
        let (from, to) = (from.display().to_string(), to.display().to_string());
        let files: Vec<&str> = FILES.into_iter().chain(extras.files()).collect();
        if out.json {
            return out
                .json_page(&json!({ "from": from, "bundle": to, "game": header.game, "files": files }));
        }
        out.line(format!("Exported {from} to {to}: {}.", files.join(", ")))?;
        out.command(format!("Verify it with: {} verify {}", program(), word(&to)))
    }
}

/// Adds the missing files to a bundle.
fn complete(out: &mut Output, folder: &Path) -> Result<(), CliError> {
    if let Err(source) = folder.metadata() {
        let source = disk::unopened(folder, source);
        return Err(InputError::Read { name: folder.display().to_string(), source }.into());
    }
    if !folder.join(MANIFEST).is_file() {
        return Err(CliError::Required { option: "--to", why: "only a bundle can be completed in place" });
    }
    let written = bundle::complete(folder)?;
    let bundle = folder.display().to_string();
    if out.json {
        let files = if written { vec![MODEL] } else { Vec::new() };
        return out.json_page(&json!({ "bundle": bundle, "files": files }));
    }
    match written {
        true => out.line(format!("Added {MODEL} to {bundle}."))?,
        false => out.line(format!("{bundle} already has {MODEL}; nothing was written."))?,
    }
    out.command(format!("Verify it with: {} verify {}", program(), word(&bundle)))
}

/// Returns what to export. Only a program with training can find the best checkpoint of a run.
#[cfg(not(feature = "train"))]
fn source(given: &Path) -> Result<PathBuf, CliError> {
    if given.join("config.toml").is_file() {
        let expected = "expected a checkpoint of the run: this program was built without training";
        let (given, expected) = (given.display().to_string(), expected.to_owned());
        return Err(CliError::Option { option: "CHECKPOINT", given, expected });
    }
    Ok(given.to_owned())
}
