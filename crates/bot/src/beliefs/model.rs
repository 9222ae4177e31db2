//! A belief model: how probable deals are, learned from the moves of a player.
//!
//! A view determines which deals are possible. Bids, passes and passed cards also show which of them are probable, if
//! you know the players. The model is a small network that reads the observation row of the seat. It has an output for
//! every mark of the hidden cards ([`Marks`]). The weight of a deal is `exp(Σ outputs of the marks that it reaches)`.
//! So the model rates each card and count independently, without combinations. It is a weight ([`Weigh`]) for searches
//! and for [`beliefs`](super::beliefs()).

use std::path::Path;
use std::sync::Arc;

use cardsharp_env::{AnyGame, Playout, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Marks, Weigh};
use crate::file::{self, FORMAT, FileError, Precision};
use crate::net::{Dense, Net, Scratch, Weights};

/// The file of a bot's belief model, in the folder of its network.
pub const FILE: &str = "beliefs.safetensors";

/// The name of the output layer in the file.
const HEAD: &str = "deal";

/// Limit of the log-weight. Weights beyond it would not change the draw: one deal outweighs all others.
const MOST: f32 = 300.0;

/// Header of a belief model file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BeliefModelHeader {
    /// Version of the file format, the same as that of network files.
    pub format: u32,
    /// Name of the game.
    pub game: String,
    /// Version of the game's encoding of observations and actions.
    pub encoding: u32,
    /// Inputs of each layer, followed by the number of outputs: `[cells, hidden…, outputs]`. There is one output for
    /// each mark of the hidden cards.
    pub layers: Vec<usize>,
    /// Name of the bot whose moves the model learned from. In it, the BLAKE3 hash of a network replaces its path.
    pub player: String,
    /// Number of decisions that the model learned from.
    pub decisions: u64,
    /// Seed of all randomness in the training of the model.
    pub seed: u64,
}

/// A belief model and its header.
#[derive(Clone, Debug)]
pub struct Model {
    about: BeliefModelHeader,
    net: Net,
    marks: Marks,
}

impl Model {
    /// Creates a model from the layers of a network with one head.
    ///
    /// # Errors
    /// The model does not fit the current encoding of `game`.
    pub fn new(
        game: &dyn AnyGame,
        about: BeliefModelHeader,
        (scale, trunk, head): (Vec<f32>, Vec<Dense>, Dense),
    ) -> Result<Self, FileError> {
        if about.format != FORMAT {
            return Err(FileError::Format { given: about.format.into() });
        }
        if about.game != game.name() {
            return Err(FileError::Game { given: about.game, expected: game.name() });
        }
        let Some(cells) = game.cells_of(about.encoding) else {
            let (given, expected) = (about.encoding, game.encoding());
            return Err(FileError::Encoding { game: game.name(), given, expected });
        };
        let marks = Marks::new(game);
        let expected = (cells, marks.len());
        let given = (scale.len(), head.outputs);
        if given != expected {
            return Err(FileError::Widths { game: game.name(), given, expected });
        }
        // [`Net`] requires a value head, which is unused here.
        let value =
            Dense { inputs: head.inputs, outputs: 1, weight: vec![0.0; head.inputs], bias: vec![0.0] };
        let weights = Weights { scale, trunk, policy: head, value };
        if about.layers != weights.layers() {
            return Err(FileError::Layers { given: about.layers });
        }
        file::check_finite(&weights)?;
        Ok(Self { about, net: Net::new(weights)?, marks })
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    /// The content is not exactly as [`Model::to_bytes`] writes it, or not for `game`.
    pub fn from_bytes(game: &dyn AnyGame, bytes: &[u8]) -> Result<Self, FileError> {
        let (about, mut reader) = file::open::<BeliefModelHeader>(bytes)?;
        let layers = file::check_layers(&about.layers)?;
        let (hidden, steps) = (layers[layers.len() - 2], layers[layers.len() - 1]);
        let (scale, trunk) = reader.trunk(layers)?;
        let head = reader.dense(HEAD, hidden, steps)?;
        reader.finish()?;
        Self::new(game, about, (scale, trunk, head))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or as [`Model::from_bytes`].
    pub fn read(game: &dyn AnyGame, path: &Path) -> Result<Self, FileError> {
        Self::from_bytes(game, &file::content(path)?)
    }

    /// Returns the bytes of the model's file. The model determines them.
    ///
    /// # Errors
    /// The file would be too large.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let layers = self.net.named().filter(|(name, _)| name != "value");
        file::of_layers(
            &self.about,
            Precision::Single,
            &self.net.scale,
            layers.map(|(name, layer)| match name.as_str() {
                "policy" => (HEAD.to_owned(), layer),
                _ => (name, layer),
            }),
        )
    }

    /// Returns the header of its file.
    pub fn about(&self) -> &BeliefModelHeader {
        &self.about
    }

    /// Returns the marks that its outputs rate.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Returns its outputs, `[marks]`, for an observation row (`[cells]`).
    pub fn outputs(&self, row: &[u8]) -> Vec<f32> {
        let mut outputs = vec![0.0; self.marks.len()];
        let mut all = vec![0; outputs.len().div_ceil(64)];
        (0..outputs.len()).for_each(|step| all[step / 64] |= 1 << (step % 64));
        self.net.forward(row, &all, &mut Scratch::default(), &mut outputs);
        outputs
    }

    /// Evaluates the model for the deals that a view allows.
    pub fn asked(self: &Arc<Self>, view: SeatView<'_>) -> ViewWeights {
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        ViewWeights {
            outputs: self.outputs(&row),
            hidden: self.marks.cells(),
            seat: view.seat(),
            model: Arc::clone(self),
        }
    }
}

/// The outputs of a model for the deals that one view allows.
#[derive(Clone, Debug)]
pub struct ViewWeights {
    model: Arc<Model>,
    outputs: Vec<f32>,
    /// Number of hidden cells of the game.
    hidden: usize,
    seat: Seat,
}

impl ViewWeights {
    /// Returns the log-weight of a deal from the marks that it reaches.
    pub fn score(outputs: &[f32], reached: &[u16]) -> f32 {
        reached.iter().map(|&step| outputs[usize::from(step)]).sum::<f32>().clamp(-MOST, MOST)
    }
}

impl Weigh for ViewWeights {
    fn weigh(&self, _view: SeatView<'_>, deal: &dyn Playout) -> f64 {
        let (mut hidden, mut reached) = (vec![0; self.hidden], Vec::new());
        deal.reveal(self.seat, &mut hidden);
        self.model.marks.reached(&hidden, &mut reached);
        // `libm` gives the same bits on every machine, unlike the system's `exp`.
        libm::exp(f64::from(Self::score(&self.outputs, &reached)))
    }
}
