//! Reads and writes `bot.safetensors`, a network with everything that is needed to play it, in one file.
//!
//! The tensors are `scale`, `trunk.0.weight`, `trunk.0.bias`, …, `policy.weight`, `policy.bias`, `value.weight` and
//! `value.bias`, with the shapes of [`Weights`], all 32-bit floats. The metadata has one key, `cardsharp`: JSON with
//! the [`Header`] and the BLAKE3 hash of the tensors' bytes. There is only one key, because safetensors does not order
//! its keys, and the same network must give the same bytes.
//!
//! Files for browsers ([`to_half_bytes`]) store weights as 16-bit floats. Such a tensor holds bytes and has the shape
//! `[2, …]`: first the upper bytes of all numbers, then the lower ones. This order compresses better.
//!
//! Readers refuse every deviation from the format with a reason, because a file may come from anywhere.

mod error;
mod write;

use std::fs;
use std::path::Path;

use cardsharp_env::blocks::width;
use cardsharp_env::{AnyGame, GameRules, Size};
use half::f16;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::manifest::{self, BundleProblem};
use crate::net::{Activation, Dense, Net, Weights};

pub use crate::manifest::{MAX_FILE, by_a_newer};
pub use error::FileError;
pub(crate) use write::{Precision, of_layers};
pub use write::{tensors_to_bytes, to_bytes, to_half_bytes};

/// The version of the format.
pub const FORMAT: u32 = 1;
/// The largest safetensors header that is read, in bytes.
pub const MAX_HEADER: u64 = 1 << 20;
/// The most tensors that are read.
pub const MAX_TENSORS: usize = 1024;
/// The key in [`Header::training`] for the training of the bot that a network was initialized from.
pub const START: &str = "start";

/// The key of the header in the metadata of the safetensors file.
const KEY: &str = "cardsharp";

/// Header of a network file: what a program needs to use the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the file format; currently 1.
    pub format: u32,
    /// Name of the game.
    pub game: String,
    /// Version of the game's encoding of observations and actions.
    pub encoding: u32,
    /// The rule sets that the network was trained on.
    pub rules: Vec<Value>,
    /// Share of the training sessions that used other rules, drawn at random from all rules of the game, 0 to 1.
    /// Missing if it is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub random_rules: f64,
    /// Inputs of each layer, followed by the number of actions: `[cells, hidden…, actions]`.
    pub layers: Vec<usize>,
    /// Meaning of the outputs for actions. Missing if they are logits, so that such files equal those from before this
    /// field.
    #[serde(default, skip_serializing_if = "Outputs::are_logits")]
    pub outputs: Outputs,
    /// The function after each hidden layer. Missing if it is a ReLU.
    #[serde(default, skip_serializing_if = "Activation::is_relu")]
    pub activation: Activation,
    /// Facts about the training, which do not affect play. If the weights of another network were the initial weights,
    /// `start` has the facts about that network.
    pub training: Value,
}

/// Takes a reference, because serde passes one.
fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

/// Meaning of a network's outputs for actions.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outputs {
    /// Logits. Their softmax over the legal actions is the probability of each action.
    #[default]
    Logits,
    /// Action values: the return that the seat can expect after each action. The bot plays the legal action with the
    /// largest value.
    ActionValues,
}

impl Outputs {
    fn are_logits(&self) -> bool {
        *self == Self::Logits
    }
}

/// Metadata of a file: its header, and a checksum that detects damage.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metadata<H = Header> {
    /// Header of the file.
    header: H,
    /// BLAKE3 hash of the tensors' bytes, in hexadecimal.
    blake3: String,
}

impl Header {
    /// Returns the number of multiplications for one decision: the products of the layers' widths. A decision needs
    /// fewer, because most cells of a row are 0 and only legal actions are computed.
    pub fn multiplications(&self) -> usize {
        self.layers.windows(2).map(|pair| pair[0] * pair[1]).sum()
    }

    /// Checks that the network can play `game` with its current encoding.
    ///
    /// # Errors
    /// The header names another game, another version of its encoding, or other numbers of cells or actions.
    pub fn fits(&self, game: &dyn AnyGame) -> Result<(), FileError> {
        if self.game != game.name() {
            return Err(FileError::Game { given: self.game.clone(), expected: game.name() });
        }
        let Some(cells) = game.cells_of(self.encoding) else { return Err(self.other_encoding(game)) };
        let given = (self.layers.first().copied().unwrap_or(0), self.layers.last().copied().unwrap_or(0));
        let expected = (cells, width(game.actions()));
        if given != expected {
            return Err(FileError::Widths { game: game.name(), given, expected });
        }
        Ok(())
    }

    /// Checks that the network fits `game` and reads the whole row, as networks in training do.
    ///
    /// # Errors
    /// As [`Header::fits`], or the network reads an earlier version of the encoding or has no ReLU.
    pub fn fits_whole(&self, game: &dyn AnyGame) -> Result<(), FileError> {
        self.fits(game)?;
        if !self.activation.is_relu() {
            return Err(FileError::Activation { given: self.activation, expected: Activation::Relu });
        }
        if self.encoding == game.encoding() { Ok(()) } else { Err(self.other_encoding(game)) }
    }

    fn other_encoding(&self, game: &dyn AnyGame) -> FileError {
        FileError::Encoding { game: game.name(), given: self.encoding, expected: game.encoding() }
    }

    /// Returns the options of `rules` with values that none of the training rules had. The number of rounds of a
    /// session does not count. A network that was trained with random rules knows every value, except of options that
    /// its rows do not show.
    pub fn strange(&self, rules: &GameRules) -> Vec<UnseenOption> {
        let earlier = rules.game().prefixes().iter().find(|prefix| prefix.encoding == self.encoding);
        let unseen = earlier.map_or(&[][..], |prefix| prefix.unseen);
        let one = Size { players: None, rounds: Some(1) };
        let alike = |rules: &GameRules| rules.sized(one).unwrap_or_else(|_| rules.clone());
        let met = self.rules.iter().filter_map(|met| rules.game().rules(met).ok());
        let met: Vec<GameRules> = met.map(|met| alike(&met)).collect();
        let asked = alike(rules);
        let options = asked.json().as_object().into_iter().flatten();
        let options =
            options.filter(|(option, _)| self.random_rules == 0.0 || unseen.contains(&option.as_str()));
        let strange = options.filter_map(|(option, value)| {
            let mut trained: Vec<Value> = Vec::new();
            for met in &met {
                let known = met.json()[option].clone();
                if !trained.contains(&known) {
                    trained.push(known);
                }
            }
            let strange = UnseenOption { option: option.clone(), value: value.clone(), trained };
            (!strange.trained.contains(value)).then_some(strange)
        });
        strange.collect()
    }
}

/// An option with a value that a network never met in training.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnseenOption {
    /// The name of the option.
    pub option: String,
    /// The value that it has now.
    pub value: Value,
    /// The values that it had in training.
    pub trained: Vec<Value>,
}

impl std::fmt::Display for UnseenOption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let trained: Vec<String> = self.trained.iter().map(Value::to_string).collect();
        write!(f, "{} = {} (trained: {})", self.option, self.value, trained.join(", "))
    }
}

fn not_safetensors(error: SafeTensorError) -> FileError {
    match error {
        SafeTensorError::MetadataIncompleteBuffer | SafeTensorError::InvalidHeaderLength => {
            FileError::Truncated
        }
        other => FileError::NotSafetensors(other.to_string()),
    }
}

/// Reads a bot file.
///
/// # Errors
/// The system refuses to read it, or as [`from_bytes`].
pub fn read(path: &Path) -> Result<(Header, Net), FileError> {
    from_bytes(&content(path)?)
}

/// Returns the content of a file. Refuses a file that is too large, or that differs from the manifest of its bundle.
pub(crate) fn content(path: &Path) -> Result<Vec<u8>, FileError> {
    let refuse = |source| FileError::Io { path: path.to_owned(), source };
    let given = fs::metadata(path).map_err(refuse)?.len();
    if given > MAX_FILE {
        return Err(FileError::TooLarge { given });
    }
    manifest::content(path, MAX_FILE).map_err(|problem| match problem {
        BundleProblem::Read(source) => refuse(source),
        problem => FileError::Bundle(problem),
    })
}

/// Reads the content of a bot file. [`Header::fits`] checks it against a game.
///
/// # Errors
/// The reason why the content is not exactly as [`to_bytes`] or [`to_half_bytes`] writes it.
pub fn from_bytes(bytes: &[u8]) -> Result<(Header, Net), FileError> {
    let (header, mut reader) = open::<Header>(bytes)?;
    let layers = check_layers(&header.layers)?;
    let weights = reader.weights(layers)?;
    reader.finish()?;
    check_finite(&weights)?;
    let net = Net::with_activation(weights, header.activation)?;
    Ok((header, net))
}

/// Reads the content of a file that [`tensors_to_bytes`] wrote. Returns the numbers of all tensors, one tensor after
/// the other.
///
/// # Errors
/// The file is damaged, or its tensors are not exactly those with these names and shapes.
pub fn tensors_from_bytes(
    bytes: &[u8],
    tensors: &[(String, Vec<usize>)],
) -> Result<(Header, Vec<f32>), FileError> {
    let (header, mut reader) = open::<Header>(bytes)?;
    let mut all = Vec::new();
    for (name, shape) in tensors {
        let numbers = reader.take(name, shape)?;
        finite(name, &numbers)?;
        all.extend(numbers);
    }
    reader.finish()?;
    Ok((header, all))
}

/// Returns the layers of a header if they make a network: cells, at least one hidden layer, and actions.
pub(crate) fn check_layers(layers: &[usize]) -> Result<&[usize], FileError> {
    let wrong = layers.len() < 3 || layers.contains(&0);
    if wrong { Err(FileError::Layers { given: layers.to_vec() }) } else { Ok(layers) }
}

/// Refuses weights that are not finite.
pub(crate) fn check_finite(weights: &Weights) -> Result<(), FileError> {
    finite("scale", &weights.scale)?;
    for (name, layer) in weights.named() {
        finite(&format!("{name}.weight"), &layer.weight)?;
        finite(&format!("{name}.bias"), &layer.bias)?;
    }
    Ok(())
}

/// Reads the header of a file, and returns a reader for its tensors.
pub(crate) fn open<H: DeserializeOwned>(bytes: &[u8]) -> Result<(H, Reader<'_>), FileError> {
    let length = bytes.len() as u64;
    if length > MAX_FILE {
        return Err(FileError::TooLarge { given: length });
    }
    let Some((claim, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(FileError::NotSafetensors(format!("it has only {length} bytes")));
    };
    let claim = u64::from_le_bytes(*claim);
    if rest.first().is_some_and(|&first| first != b'{') {
        return Err(FileError::NotSafetensors("its header does not begin with `{`".to_owned()));
    }
    if claim > MAX_HEADER {
        return Err(FileError::HeaderTooLarge { given: claim });
    }
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(not_safetensors)?;
    let tensors = SafeTensors::deserialize(bytes).map_err(not_safetensors)?;
    if tensors.len() > MAX_TENSORS {
        return Err(FileError::TooManyTensors { given: tensors.len() });
    }
    let metadata = metadata.metadata().as_ref().and_then(|all| all.get(KEY)).ok_or(FileError::Foreign)?;
    let Metadata { header, blake3: expected } = metadata_of(metadata)?;
    // `claim` is within the file, because the header was read.
    Ok((header, Reader { tensors, taken: Vec::new(), data: &rest[claim as usize..], expected }))
}

/// Reads the metadata. Checks the version first, because other versions may have other fields.
fn metadata_of<H: DeserializeOwned>(text: &str) -> Result<Metadata<H>, FileError> {
    let value: Value = serde_json::from_str(text).map_err(FileError::Metadata)?;
    if let Some(given) = value["header"]["format"].as_u64().filter(|&given| given != u64::from(FORMAT)) {
        return Err(FileError::Format { given });
    }
    serde_json::from_value(value).map_err(FileError::Metadata)
}

fn finite(tensor: &str, values: &[f32]) -> Result<(), FileError> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(at) => Err(FileError::NotFinite { tensor: tensor.to_owned(), at, value: values[at] }),
        None => Ok(()),
    }
}

/// Reads tensors from a file.
pub(crate) struct Reader<'a> {
    tensors: SafeTensors<'a>,
    taken: Vec<String>,
    /// The bytes of all tensors, and their BLAKE3 hash according to the file.
    data: &'a [u8],
    expected: String,
}

impl Reader<'_> {
    fn weights(&mut self, layers: &[usize]) -> Result<Weights, FileError> {
        let (hidden, actions) = (layers[layers.len() - 2], layers[layers.len() - 1]);
        let (scale, trunk) = self.trunk(layers)?;
        let policy = self.dense("policy", hidden, actions)?;
        Ok(Weights { scale, trunk, policy, value: self.dense("value", hidden, 1)? })
    }

    /// Reads the scale and the hidden layers. `layers` also has the outputs of the head at its end.
    pub(crate) fn trunk(&mut self, layers: &[usize]) -> Result<(Vec<f32>, Vec<Dense>), FileError> {
        let scale = self.take("scale", &layers[..1])?;
        let sizes = layers[..layers.len() - 1].windows(2).enumerate();
        let trunk = sizes.map(|(number, size)| self.dense(&format!("trunk.{number}"), size[0], size[1]));
        Ok((scale, trunk.collect::<Result<_, _>>()?))
    }

    pub(crate) fn dense(&mut self, name: &str, inputs: usize, outputs: usize) -> Result<Dense, FileError> {
        let weight = self.take(&format!("{name}.weight"), &[inputs, outputs])?;
        let bias = self.take(&format!("{name}.bias"), &[outputs])?;
        Ok(Dense { inputs, outputs, weight, bias })
    }

    fn take(&mut self, name: &str, expected: &[usize]) -> Result<Vec<f32>, FileError> {
        let tensor = name.to_owned();
        let Ok(view) = self.tensors.tensor(name) else { return Err(FileError::Missing(tensor)) };
        let planes: &[usize] = match view.dtype() {
            Dtype::F32 => &[],
            Dtype::U8 => &[2],
            given => return Err(FileError::Type { tensor, given }),
        };
        let expected = [planes, expected].concat();
        if view.shape() != expected {
            return Err(FileError::Shape { tensor, given: view.shape().to_vec(), expected });
        }
        self.taken.push(tensor);
        let data = view.data();
        if planes.is_empty() {
            return Ok(data.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect());
        }
        let (upper, lower) = data.split_at(data.len() / 2);
        // Every 16-bit float is exact as a 32-bit float.
        let whole = |(&upper, &lower)| f16::from_le_bytes([lower, upper]).to_f32();
        Ok(upper.iter().zip(lower).map(whole).collect())
    }

    /// Checks that no tensor is left over, and that the hash matches.
    pub(crate) fn finish(self) -> Result<(), FileError> {
        let Self { tensors, taken, data, expected } = self;
        let extra = |name: &&str| !taken.iter().any(|taken| taken == name);
        if let Some(extra) = tensors.names().into_iter().filter(extra).min() {
            return Err(FileError::Extra(extra.to_owned()));
        }
        let given = blake3::hash(data).to_string();
        if given == expected { Ok(()) } else { Err(FileError::Checksum { given, expected }) }
    }
}

#[cfg(test)]
mod tests;
