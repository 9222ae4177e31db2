//! Bundles: a trained network in a folder with an ONNX model, the meaning of cells and actions, test vectors, a model
//! card and a manifest. `checkpoints/README.md` describes every file.
//!
//! [`export()`] writes a bundle, and [`complete`] writes a missing ONNX model. [`verify()`] checks a bundle against its
//! manifest, its own files and the current game.

pub mod card;
mod cost;
pub mod coverage;
mod export;
mod folder;
pub mod onnx;
mod schema;
pub mod vectors;
pub mod verify;

use cardsharp_env::blocks::width;
use cardsharp_env::game::ABOUT_LABELS;
use cardsharp_env::{ActionId, AnyGame, Block, Games, RulesError};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::file::{FileError, Header};

use crate::manifest::OPTIONAL;
pub use crate::manifest::{self, FILES, MANIFEST, Manifest};
pub use cost::Cost;
pub use export::{ExportError, Extras, complete, export, export_model, export_until};
pub use folder::FolderError;
pub use schema::schema;
pub use verify::{VerifyError, verify};

/// The ONNX model. The network determines its bytes on every machine; [`complete`] writes it.
pub const MODEL: &str = "model.onnx";

/// Returns the game of a header, one of `games`, if the network fits its current encoding.
///
/// # Errors
/// There is no such game, its encoding has another version or other widths, or the game refuses the rules.
pub fn fits(games: &Games, header: &Header) -> Result<&'static dyn AnyGame, Misfit> {
    let game = games.named(&header.game).ok_or_else(|| Misfit::Game {
        given: header.game.clone(),
        known: games.played().map(|game| game.name()).collect::<Vec<_>>().join(", "),
    })?;
    header.fits(game)?;
    if header.rules.is_empty() {
        return Err(Misfit::NoRules);
    }
    for rules in &header.rules {
        game.rules(rules)?;
    }
    Ok(game)
}

/// The content of `encoding.json`.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Encoding {
    /// Name of the game.
    game: &'static str,
    /// Version of the game's encoding of observations and actions.
    encoding: u32,
    /// Number of cells of an observation row.
    cells: usize,
    /// The blocks of an observation row, in order.
    blocks: &'static [Block],
}

/// The content of `actions.json`.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Actions {
    /// Name of the game.
    game: &'static str,
    /// Version of the game's encoding of observations and actions.
    encoding: u32,
    /// Number of action ids.
    actions: usize,
    /// The blocks of action ids, in order.
    blocks: &'static [Block],
    /// A note on the labels, for readers.
    about_labels: &'static str,
    /// Label of each action id, in order. Cards have their names in the standard deck.
    labels: Vec<String>,
}

/// Returns the content of `encoding.json` for a network that fits the game. The blocks cover the cells that the network
/// reads: all cells, or those of an earlier version of the encoding.
fn encoding(game: &dyn AnyGame, header: &Header) -> Value {
    let cells = game.cells_of(header.encoding).unwrap_or_default();
    let blocks = game.observation();
    let blocks = &blocks[..blocks.iter().take_while(|block| block.end() <= cells).count()];
    json!(Encoding { game: game.name(), encoding: header.encoding, cells, blocks })
}

/// Returns the content of `actions.json` for such a network.
fn actions(game: &dyn AnyGame, header: &Header) -> Value {
    let count = width(game.actions());
    json!(Actions {
        game: game.name(),
        encoding: header.encoding,
        actions: count,
        blocks: game.actions(),
        about_labels: ABOUT_LABELS,
        labels: (0..count).map(|id| game.label(ActionId(id as u16))).collect(),
    })
}

/// Why a network cannot play a game.
#[derive(Debug, thiserror::Error)]
pub enum Misfit {
    /// The header names a game outside of the list.
    #[error("there is no game `{given}`; the games are {known}")]
    Game {
        /// The name in the header.
        given: String,
        /// The names of the playable games in the list.
        known: String,
    },
    /// The game's encoding is not the one that the network was trained with.
    #[error(transparent)]
    Header(#[from] FileError),
    /// The header does not list the rules of training.
    #[error("the header names no rules that the network was trained on; one set of rules is the least")]
    NoRules,
    /// The game refuses the rules of training.
    #[error("the rules trained on: {0}")]
    Rules(#[from] RulesError),
}
