//! A trained network as a folder that stands on its own: weights, ONNX model, what rows and actions
//! mean, test vectors, a model card. `checkpoints/README.md` describes every file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cardsharp_bot::bots::levels;
use cardsharp_bot::file::{self, FileError, Header};
use cardsharp_bot::net::Net;
use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyGame, Games, RulesError};
use serde_json::{Value, json};

use crate::card::{self, Contest};
use crate::{onnx, vectors};

/// The files of a bundle.
pub const FILES: [&str; 7] = [
    "actions.json",
    "arena.json",
    "bot.safetensors",
    "card.md",
    "encoding.json",
    "model.onnx",
    "vectors.jsonl",
];

/// What a bundle holds besides the network.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// How strong the network is, for the card and `arena.json`; may be empty.
    pub contests: Vec<Contest>,
    /// Chooses the sessions that the test vectors come from.
    pub seed: u64,
}

/// Writes the bundle of `net`, which plays one of `games`, as folder `to`. The folder appears complete or not at all: it is
/// written beside, flushed to the disk and renamed. A bundle that is already there is replaced.
///
/// # Errors
/// The header does not fit the game as it is now, `to` exists and is no bundle, or the disk refuses.
pub fn export(
    games: &Games,
    header: &Header,
    net: &Net,
    extras: &Extras,
    to: &Path,
) -> Result<(), ExportError> {
    let game = fits(games, header)?;
    // Before anything is played: it refuses a network that is not the header's.
    let weights = file::to_bytes(header, net)?;
    refuse_foreign(to)?;
    let mut lines = Vec::new();
    for vector in vectors::generate(game, header, net, extras.seed)? {
        serde_json::to_writer(&mut lines, &vector)
            .map_err(|source| ExportError::Json { file: "vectors.jsonl", source })?;
        lines.push(b'\n');
    }
    let files: [(&str, Vec<u8>); FILES.len()] = [
        ("actions.json", pretty("actions.json", &actions(game))?),
        ("arena.json", pretty("arena.json", &json!(extras.contests))?),
        ("bot.safetensors", weights),
        ("card.md", card::card(game, header, net, &extras.contests).into_bytes()),
        ("encoding.json", pretty("encoding.json", &encoding(game))?),
        ("model.onnx", onnx::encode(header, net)),
        ("vectors.jsonl", lines),
    ];
    write_folder(to, &files)
}

/// The game of a header, one of `games`, if the network can play it as it is now.
///
/// # Errors
/// There is no such game, its encoding has another version or other widths, or it refuses the rules.
pub fn fits(games: &Games, header: &Header) -> Result<&'static dyn AnyGame, Misfit> {
    let game = games.named(&header.game).ok_or_else(|| Misfit::Game { given: header.game.clone() })?;
    header.fits(game)?;
    if header.rules.is_empty() {
        return Err(Misfit::NoRules);
    }
    for rules in &header.rules {
        game.rules(rules)?;
    }
    Ok(game)
}

/// The content of `encoding.json`: the blocks of an observation row.
pub fn encoding(game: &dyn AnyGame) -> Value {
    json!({
        "game": game.name(),
        "encoding": game.encoding(),
        "cells": width(game.observation()),
        "blocks": game.observation(),
    })
}

/// The content of `actions.json`: the blocks of action ids, and the label of every id in order.
pub fn actions(game: &dyn AnyGame) -> Value {
    let count = width(game.actions());
    let labels: Vec<String> = (0..count).map(|id| game.label(ActionId(id as u16))).collect();
    json!({
        "game": game.name(),
        "encoding": game.encoding(),
        "actions": count,
        "blocks": game.actions(),
        "labels": labels,
    })
}

fn pretty(file: &'static str, value: &Value) -> Result<Vec<u8>, ExportError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|source| ExportError::Json { file, source })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Refuses to replace anything but a bundle or an empty folder.
fn refuse_foreign(to: &Path) -> Result<(), ExportError> {
    let entries = match fs::read_dir(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at("read", to))?,
    };
    for entry in entries {
        let name = entry.map_err(at("read", to))?.file_name();
        // Levels are those of the network that goes.
        if !FILES.iter().chain([&levels::FILE]).any(|file| name == *file) {
            let found = name.to_string_lossy().into_owned();
            return Err(ExportError::Occupied { to: to.to_owned(), found });
        }
    }
    Ok(())
}

fn write_folder(to: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), ExportError> {
    let parent = match to.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent).map_err(at("create", parent))?;
    let partial = beside(to, "writing")?;
    let former = beside(to, "removing")?;
    // Left by an export that was interrupted.
    for leftover in [&partial, &former] {
        if leftover.exists() {
            fs::remove_dir_all(leftover).map_err(at("remove", leftover))?;
        }
    }
    fs::create_dir(&partial).map_err(at("create", &partial))?;
    for (name, bytes) in files {
        let path = partial.join(name);
        let mut file = File::create(&path).map_err(at("create", &path))?;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(at("write", &path))?;
    }
    sync(&partial)?;
    if to.exists() {
        fs::rename(to, &former).map_err(at("rename", to))?;
    }
    fs::rename(&partial, to).map_err(at("rename", &partial))?;
    sync(parent)?;
    if former.exists() {
        fs::remove_dir_all(&former).map_err(at("remove", &former))?;
    }
    Ok(())
}

fn beside(to: &Path, what: &str) -> Result<PathBuf, ExportError> {
    let name = to.file_name().ok_or_else(|| ExportError::Name { to: to.to_owned() })?;
    Ok(to.with_file_name(format!(".{what}-{}", name.to_string_lossy())))
}

/// Waits until the names in a folder are on the disk.
fn sync(folder: &Path) -> Result<(), ExportError> {
    // Elsewhere a folder cannot be opened as a file.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(at("flush", folder))?;
    }
    Ok(())
}

fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ExportError {
    let path = path.to_owned();
    move |source| ExportError::Io { doing, path, source }
}

/// Why a network cannot play a game.
#[derive(Debug, thiserror::Error)]
pub enum Misfit {
    /// The header names a game that is not in the list.
    #[error("there is no game `{given}`; the games are {}", cardsharp_env::games::played().map(|g| g.name()).collect::<Vec<_>>().join(", "))]
    Game {
        /// The name as given.
        given: String,
    },
    /// The game's encodings are not those the network was trained with.
    #[error(transparent)]
    Header(#[from] FileError),
    /// The header does not say what was trained on.
    #[error("the header names no rules that the network was trained on; one set of rules is the least")]
    NoRules,
    /// The game refuses the rules trained on.
    #[error("the rules trained on: {0}")]
    Rules(#[from] RulesError),
}

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The network does not fit its game.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The game refuses the rules trained on.
    #[error("the rules trained on: {0}")]
    Rules(#[from] RulesError),
    /// The network cannot be written.
    #[error(transparent)]
    Bot(#[from] FileError),
    /// A file cannot be put into JSON.
    #[error("cannot write {file}: {source}")]
    Json {
        /// The file of the bundle.
        file: &'static str,
        /// What JSON refuses.
        source: serde_json::Error,
    },
    /// The target holds something that is not part of a bundle.
    #[error("{} is not a bundle: it holds `{found}`; name a new or an empty folder", to.display())]
    Occupied {
        /// The target.
        to: PathBuf,
        /// The first foreign entry.
        found: String,
    },
    /// The target has no name of its own.
    #[error("{} does not name a folder; give one such as `bundles/mine`", to.display())]
    Name {
        /// The target.
        to: PathBuf,
    },
    /// The disk refused.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
