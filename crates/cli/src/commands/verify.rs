use std::path::{Path, PathBuf};

use cardsharp_bot::bots::registry::BotLocation;
use cardsharp_bot::bots::{FILE, Shipped, Trained};
use cardsharp_bot::bundle::{self, ExportError, MANIFEST, VerifyError};
use cardsharp_bot::disk;
use serde_json::json;

use crate::args::program;
use crate::bots;
use crate::error::{CliError, Failure};
use crate::games;
use crate::output::Output;

/// Verify the files of a bundle and replay its test vectors.
///
/// The files must be exactly those of the bundle's manifest. Each view of the test vectors is encoded and evaluated
/// again; observation row, legal actions, logits, value and move must match. Exits with 1 if anything differs. For a
/// game's name, the files of the shipped bot in this program are checked; they have no test vectors.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp verify taki
  cardsharp verify runs/quickstart-1/bundle --json
  cardsharp export checkpoints/dalmuti/bot && cardsharp verify checkpoints/dalmuti/bot")]
pub(crate) struct Verify {
    /// A bundle, written by `export` or `train`, or the name of a shipped or installed bot
    bundle: PathBuf,
}

impl Failure for VerifyError {
    fn code(&self) -> u8 {
        1
    }
}

impl Verify {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let bundle = match bots::place(&self.bundle)? {
            BotLocation::Shipped(bot) => return shipped(out, bot),
            BotLocation::Path(path) => path,
        };
        if [FILE, MANIFEST].iter().all(|name| !bundle.join(name).is_file()) {
            let meant = disk::meant(&bundle);
            let expected = format!("expected the folder of a bundle, with a {FILE}{meant}");
            return Err(CliError::Option {
                option: "BUNDLE",
                given: self.bundle.display().to_string(),
                expected,
            });
        }
        let report = bundle::verify(games::all(), &bundle)?;
        if out.json {
            return out.json_page(&json!({
                "game": report.game, "encoding": report.encoding, "layers": report.layers,
                "vectors": report.vectors, "difference": report.difference,
                "covered": { "actions": report.actions, "cells": report.cells, "never": report.never },
            }));
        }
        let layers: Vec<String> = report.layers.iter().map(usize::to_string).collect();
        out.line(format!(
            "{} is valid: {}, encoding {}, layers {}; {} test vectors match, largest difference {:.1e}.",
            self.bundle.display(),
            report.game,
            report.encoding,
            layers.join("-"),
            report.vectors,
            report.difference
        ))?;
        let never = if report.never.is_empty() {
            "all blocks".to_owned()
        } else {
            format!("all blocks except {}", report.never.join(", "))
        };
        let (actions, cells) = (report.actions, report.cells);
        out.line(format!("The test vectors cover {actions} actions, {cells} observation cells and {never}."))
    }
}

/// Verifies a bot that is part of the program.
fn shipped(out: &mut Output, bot: &Shipped) -> Result<(), CliError> {
    let (header, net) = bots::read(Path::new(bot.game))?;
    let game = bundle::fits(games::all(), &header).map_err(ExportError::Misfit)?;
    let (encoding, layers) = (header.encoding, net.layers().to_vec());
    let trained = Trained::new(game, header, net).map_err(ExportError::Bot)?;
    let trained = trained.with_levels(bot.levels).map_err(ExportError::Levels)?;
    if let Some(model) = bot.beliefs {
        trained.with_beliefs(game, model).map_err(ExportError::Bot)?;
    }
    let beliefs = bot.beliefs.is_some();
    if out.json {
        return out.json_page(&json!({
            "game": bot.game, "encoding": encoding, "layers": layers, "levels": true, "beliefs": beliefs,
        }));
    }
    let layers: Vec<String> = layers.iter().map(usize::to_string).collect();
    out.line(format!(
        "The shipped bot `{}` is valid: encoding {encoding}, layers {}, levels{}.",
        bot.game,
        layers.join("-"),
        if beliefs { ", belief model" } else { "" }
    ))?;
    out.command(format!(
        "Verify it with test vectors: {program} export {game} --to {game}-bundle && {program} verify {game}-bundle",
        program = program(),
        game = bot.game
    ))
}
