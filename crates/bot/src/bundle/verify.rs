//! Verifies a bundle: its files must match its manifest, each other, the current game, and what this build computes.

mod checker;
mod error;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use cardsharp_env::Games;
use serde::Serialize;
use serde_json::Value;

use super::card::CardContest;
use super::cost::{self, Cost};
use super::coverage::Coverage;
use super::folder;
use super::manifest::{MANIFEST, Manifest, again};
use super::vectors::{self, VECTORS};
use super::{FILES, MODEL, OPTIONAL, actions, encoding, fits, onnx};
use crate::beliefs::{self, Model};
use crate::bots::levels::{self, Levels};
use crate::file::{self, MAX_FILE};
use crate::identity::{self, Identity};
use crate::net::Scratch;
use crate::text;
use checker::VectorChecker;
use error::remedy;

pub use error::{VerifyError, VerifyReason};

/// The largest difference between a recorded and a computed logit or value: absolute below 1, and relative above. Other
/// builds may round the sums of a layer differently.
pub const TOLERANCE: f32 = 1e-6;

/// The results of a successful verification.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verified {
    /// The name of the game.
    pub game: String,
    /// The version of its encoding.
    pub encoding: u32,
    /// Layer widths, from cells to actions.
    pub layers: Vec<usize>,
    /// Number of verified test vectors.
    pub vectors: usize,
    /// The largest difference, at most [`TOLERANCE`].
    pub difference: f32,
    /// Actions that are legal in some vector.
    pub actions: usize,
    /// Cells that are not 0 in some vector.
    pub cells: usize,
    /// The blocks that no vector covers.
    pub never: Vec<String>,
}

/// Verifies every file of the bundle in `folder`, whose bot plays one of `games`.
///
/// # Errors
/// The first fault: a missing, additional, damaged or different file, with its line.
pub fn verify(games: &Games, folder: &Path) -> Result<Verified, VerifyError> {
    let files = as_written(folder)?;
    // `as_written` returns every file of a bundle.
    let content = |name: &str| files.get(name).map_or(&[][..], Vec::as_slice);
    let refuse = |name: &str, reason: VerifyReason| VerifyError::new(&folder.join(name), reason);

    let refuse_bot = |reason| refuse(crate::bots::FILE, reason);
    let (header, net) =
        file::from_bytes(content(crate::bots::FILE)).map_err(|e| refuse_bot(VerifyReason::Bot(e)))?;
    let game = fits(games, &header).map_err(|e| refuse_bot(VerifyReason::Misfit(e)))?;
    for (name, now) in [("encoding.json", encoding(game, &header)), ("actions.json", actions(game, &header))]
    {
        same_json(content(name), now, folder).map_err(|reason| refuse(name, reason))?;
    }
    if content(MODEL) != onnx::encode(&header, &net) {
        return Err(refuse(MODEL, VerifyReason::Model { remedy: remedy(folder, MODEL, true) }));
    }
    text::from_json::<Vec<CardContest>>(content("arena.json"))
        .map_err(|e| refuse("arena.json", VerifyReason::Json(e)))?;
    if files.contains_key(levels::FILE) {
        let found = Levels::read(folder).map_err(|e| VerifyError::new(folder, VerifyReason::Levels(e)))?;
        let fit = found.fit(game.name(), files.contains_key(beliefs::FILE));
        fit.map_err(|e| refuse(levels::FILE, VerifyReason::Levels(e)))?;
    }
    if let Some(model) = files.get(beliefs::FILE) {
        Model::from_bytes(game, model).map_err(|e| refuse(beliefs::FILE, VerifyReason::Bot(e)))?;
    }
    if let Some(cost) = files.get(cost::FILE) {
        text::from_json::<Cost>(cost).map_err(|e| refuse(cost::FILE, VerifyReason::Json(e)))?;
    }
    if let Some(identity) = files.get(identity::FILE) {
        Identity::from_bytes(identity).map_err(|e| refuse(identity::FILE, VerifyReason::Identity(e)))?;
    }
    if content("card.md").trim_ascii().is_empty() {
        return Err(refuse("card.md", VerifyReason::Empty));
    }

    let path = folder.join(vectors::FILE);
    let coverage = Coverage::none(game, net.scale.len());
    let mut checker =
        VectorChecker { game, net: &net, scratch: Scratch::default(), difference: 0.0, coverage };
    let mut count = 0;
    for line in vectors::lines(content(vectors::FILE)) {
        count += 1;
        let checked = line.map_err(VerifyReason::Text).and_then(|line| checker.check(&line));
        checked.map_err(|reason| VerifyError {
            file: path.clone(),
            line: Some(count),
            reason: Box::new(reason),
        })?;
    }
    if count != VECTORS {
        return Err(VerifyError::new(&path, VerifyReason::Count { found: count }));
    }
    let difference = checker.difference;
    let (game, encoding) = (header.game, header.encoding);
    let coverage = checker.coverage;
    Ok(Verified {
        game,
        encoding,
        layers: header.layers,
        vectors: count,
        difference,
        actions: coverage.actions(),
        cells: coverage.cells(),
        never: coverage.never(),
    })
}

/// Reads the files of a bundle, and checks each against the manifest.
fn as_written(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, VerifyError> {
    let refuse = |name: &str, reason: VerifyReason| VerifyError::new(&folder.join(name), reason);
    let manifest = Manifest::read(folder)
        .map_err(|error| VerifyError::new(&error.path, VerifyReason::Manifest(error.problem)))?;
    let entries = fs::read_dir(folder).map_err(|e| VerifyError::new(folder, VerifyReason::Read(e)))?;
    let mut names = entries
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(|e| VerifyError::new(folder, VerifyReason::Read(e)))?;
    names.sort_unstable();
    if let Some(extra) = names.iter().find(|name| *name != MANIFEST && manifest.get(name).is_none()) {
        let reason = if folder::is_leftover(extra) { VerifyReason::Leftover } else { VerifyReason::Extra };
        return Err(refuse(extra, reason));
    }
    if let Some(name) = FILES.iter().find(|name| **name != MANIFEST && manifest.get(name).is_none()) {
        return Err(refuse(name, VerifyReason::Listed { listed: false }));
    }
    let mut files = BTreeMap::new();
    for (name, entry) in manifest.files() {
        if !FILES.iter().chain(&OPTIONAL).any(|file| *file == name) {
            return Err(refuse(name, VerifyReason::Listed { listed: true }));
        }
        let content = super::manifest::read_regular(&folder.join(name), MAX_FILE).map_err(|error| {
            let missing = error.kind() == io::ErrorKind::NotFound;
            let reason = match missing {
                true => VerifyReason::Missing { remedy: remedy(folder, name, false) },
                false => VerifyReason::Read(error),
            };
            refuse(name, reason)
        })?;
        entry.check(&content).map_err(|changed| {
            refuse(name, VerifyReason::Changed { changed, remedy: remedy(folder, name, true) })
        })?;
        files.insert(name.to_owned(), content);
    }
    Ok(files)
}

/// Refuses JSON that differs from the game's. Explanations may differ, because versions of the program word them
/// differently.
fn same_json(content: &[u8], mut now: Value, folder: &Path) -> Result<(), VerifyReason> {
    let mut found: Value = text::from_json(content).map_err(VerifyReason::Json)?;
    [&mut found, &mut now].into_iter().for_each(drop_explanations);
    match difference(&found, &now, String::new()) {
        None => Ok(()),
        Some((place, found, now)) => Err(VerifyReason::Differs {
            place,
            found,
            now,
            remedy: format!("{} writes it again", again(folder)),
        }),
    }
}

/// Removes the texts that explain blocks, actions and labels.
fn drop_explanations(of: &mut Value) {
    match of {
        Value::Object(fields) => {
            fields.retain(|name, _| !["meaning", "about_labels"].contains(&name.as_str()));
            fields.values_mut().for_each(drop_explanations);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_explanations),
        _ => {}
    }
}

/// Returns the first difference of two values: a JSON pointer and both contents.
fn difference(found: &Value, now: &Value, place: String) -> Option<(String, String, String)> {
    match (found, now) {
        (Value::Object(a), Value::Object(b)) => a.keys().chain(b.keys()).find_map(|key| {
            let (a, b) = (a.get(key), b.get(key));
            difference(a.unwrap_or(&Value::Null), b.unwrap_or(&Value::Null), format!("{place}/{key}"))
        }),
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len())).find_map(|i| {
            let (a, b) = (a.get(i), b.get(i));
            difference(a.unwrap_or(&Value::Null), b.unwrap_or(&Value::Null), format!("{place}/{i}"))
        }),
        _ if found == now => None,
        _ => Some((place, found.to_string(), now.to_string())),
    }
}
