//! `cardsharp verify BUNDLE`.

use std::path::PathBuf;

use cardsharp_bot::bots::FILE;
use cardsharp_bot::bundle::{self, MANIFEST};
use cardsharp_bot::disk;
use serde_json::json;

use crate::error::CliError;
use crate::output::Output;

/// Check every file of an exported bot, and replay its test vectors.
///
/// Every file must be the one that the bundle's manifest lists, and no other may be there. Each vector's view is
/// encoded and put through the network again; row, legal moves, logits, value and move must come out as recorded. Exits with 1 if anything differs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp verify runs/quickstart-1/bundle --json
  cardsharp export checkpoints/dalmuti/bot && cardsharp verify checkpoints/dalmuti/bot")]
pub(crate) struct Verify {
    /// The folder that `export` or `train` wrote
    bundle: PathBuf,
}

impl Verify {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if [FILE, MANIFEST].iter().all(|name| !self.bundle.join(name).is_file()) {
            let meant = disk::meant(&self.bundle);
            let expected = format!("expected the folder of a bundle, which holds a {FILE}{meant}");
            return Err(CliError::Option {
                option: "BUNDLE",
                given: self.bundle.display().to_string(),
                expected,
            });
        }
        let report = bundle::verify(crate::list::games(), &self.bundle)?;
        if out.json {
            return out.json_page(&json!({
                "game": report.game, "encoding": report.encoding, "layers": report.layers,
                "vectors": report.vectors, "difference": report.difference,
                "covered": { "actions": report.actions, "cells": report.cells, "never": report.never },
            }));
        }
        let layers: Vec<String> = report.layers.iter().map(usize::to_string).collect();
        out.line(format!(
            "{} is sound: {}, encoding {}, layers {}; {} test vectors agree, largest difference {:.1e}.",
            self.bundle.display(),
            report.game,
            report.encoding,
            layers.join("-"),
            report.vectors,
            report.difference
        ))?;
        let never = if report.never.is_empty() {
            "every block".to_owned()
        } else {
            format!("all blocks but {}", report.never.join(", "))
        };
        let (actions, cells) = (report.actions, report.cells);
        out.line(format!("The vectors show {actions} actions, {cells} cells and {never}."))
    }
}
