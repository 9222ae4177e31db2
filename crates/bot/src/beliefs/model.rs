//! A model of how probable deals are, learned from how somebody plays.
//!
//! A view says which deals are possible. What was bid, passed or given away says besides which of them are probable, to whoever
//! knows the players. The model is a small network over the row that the seat sees; it has an output for every step of what is
//! hidden ([`Marks`]), and a deal weighs `exp(Σ outputs of the steps that it reaches)`. So it judges cards and how many of them somebody
//! holds by themselves, and knows nothing of what goes together. It is a weight ([`Weigh`]) for a search, and for what is told of beliefs.

use std::path::Path;
use std::sync::Arc;

use cardsharp_env::{AnyGame, Playout, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Marks, Weigh};
use crate::file::{self, FORMAT, FileError, Precision};
use crate::net::{Dense, Net, Scratch, Weights};

/// The file of a bot's model, beside its network.
pub const FILE: &str = "beliefs.safetensors";

/// The name of the outputs in the file.
const HEAD: &str = "deal";

/// A weight beyond these says the same: one deal and no other.
const MOST: f32 = 300.0;

/// What a file says about its model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The version of the format, that of bot files.
    pub format: u32,
    /// The name of the game.
    pub game: String,
    /// The version of the game's encodings.
    pub encoding: u32,
    /// The inputs of every layer, and the steps: `[cells, hidden…, steps]`.
    pub layers: Vec<usize>,
    /// Whose play it learned from: a bot's name, in which a network is called by its BLAKE3 sum.
    pub player: String,
    /// Decisions that it learned from.
    pub decisions: u64,
    /// Where all randomness of its learning came from.
    pub seed: u64,
}

/// A model and what is known about it.
#[derive(Clone, Debug)]
pub struct Model {
    about: About,
    net: Net,
    marks: Marks,
}

impl Model {
    /// The model of a network of one head, given its layers.
    ///
    /// # Errors
    /// It is not one for `game`, as it is now.
    pub fn new(
        game: &dyn AnyGame,
        about: About,
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
        // Networks of this program have a value, too; nobody asks for this one.
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
    /// It is not exactly as [`Model::to_bytes`] writes it, or not for `game`.
    pub fn from_bytes(game: &dyn AnyGame, bytes: &[u8]) -> Result<Self, FileError> {
        let (about, mut reader) = file::open::<About>(bytes)?;
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
    /// There is none, or as [`Model::from_bytes`].
    pub fn read(game: &dyn AnyGame, path: &Path) -> Result<Self, FileError> {
        Self::from_bytes(game, &file::content(path)?)
    }

    /// The bytes of its file; the same model always gives the same.
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

    /// What is known about it.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What its outputs are about.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Its outputs for a row (`[cells]`), `[steps]`.
    pub fn outputs(&self, row: &[u8]) -> Vec<f32> {
        let mut outputs = vec![0.0; self.marks.len()];
        let mut all = vec![0; outputs.len().div_ceil(64)];
        (0..outputs.len()).for_each(|step| all[step / 64] |= 1 << (step % 64));
        self.net.forward(row, &all, &mut Scratch::default(), &mut outputs);
        outputs
    }

    /// What it thinks of the deals that a view allows.
    pub fn asked(self: &Arc<Self>, view: SeatView<'_>) -> Asked {
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        Asked {
            outputs: self.outputs(&row),
            hidden: self.marks.cells(),
            seat: view.seat(),
            model: Arc::clone(self),
        }
    }
}

/// A model's opinion of the deals that one view allows.
#[derive(Clone, Debug)]
pub struct Asked {
    model: Arc<Model>,
    outputs: Vec<f32>,
    /// Hidden cells of the game.
    hidden: usize,
    seat: Seat,
}

impl Asked {
    /// The logarithm of what a deal weighs, given the steps that it reaches.
    pub fn score(outputs: &[f32], reached: &[u16]) -> f32 {
        reached.iter().map(|&step| outputs[usize::from(step)]).sum::<f32>().clamp(-MOST, MOST)
    }
}

impl Weigh for Asked {
    fn weigh(&self, _view: SeatView<'_>, deal: &dyn Playout) -> f64 {
        let (mut hidden, mut reached) = (vec![0; self.hidden], Vec::new());
        deal.reveal(self.seat, &mut hidden);
        self.model.marks.reached(&hidden, &mut reached);
        // As the system has it, it would not be the same on every machine.
        libm::exp(f64::from(Self::score(&self.outputs, &reached)))
    }
}
