//! Writes bundles: folders with a network and everything that a program needs to use it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use cardsharp_env::{AnyGame, Games, RulesError};
use serde_json::{Value, json};

use super::card::{self, CardContest};
use super::cost::{self, Cost};
use super::folder::{self, FolderError, at};
use super::manifest::{BundleProblem, FileChange, MANIFEST, Manifest, ManifestError, again};
use super::{FILES, MODEL, Misfit, OPTIONAL, actions, encoding, fits, onnx, vectors};
use crate::beliefs::{self, Model};
use crate::bots::levels::{self, LevelError, Levels};
use crate::bots::registry::BotLocation;
use crate::disk;
use crate::file::{self, FileError, Header};
use crate::identity::{self, Identity, IdentityError};
use crate::net::Net;
use crate::policy_net::PolicyNet;
use crate::text;
use crate::workers::Stopped;

/// The file of the contests.
const CONTESTS: &str = "arena.json";

/// The optional content of a bundle, in addition to the network.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// The measured strength, for the card and `arena.json`; may be empty. Times per move are left out, so that
    /// repeated measurements of a network give the same bytes.
    pub contests: Vec<CardContest>,
    /// The content of `levels.json`, if the network's levels were measured.
    pub levels: Option<Vec<u8>>,
    /// The content of `beliefs.safetensors`, if a belief model was trained on the network's moves.
    pub beliefs: Option<Vec<u8>>,
    /// The cost of training, for the card and `cost.json`. It depends on the clock, so the bytes of both files do, too.
    pub cost: Option<Cost>,
    /// The name, version and license of the bot, for the card and `identity.json`.
    pub identity: Option<Identity>,
    /// The seed of the sessions that the test vectors come from.
    pub seed: u64,
}

impl Extras {
    /// Reads what belongs to the network of a bundle: contests, levels, belief model, cost and identity. Returns nothing
    /// if `bundle` is a checkpoint or a file. Reads a bundle without a manifest unchecked.
    ///
    /// # Errors
    /// A file cannot be read, or a file or the network differs from the manifest.
    pub fn of(bundle: &Path) -> Result<Self, ExportError> {
        let manifest = match Manifest::read(bundle) {
            Ok(manifest) => Some(manifest),
            Err(ManifestError {
                problem: BundleProblem::Absent { .. } | BundleProblem::Checkpoint, ..
            }) => None,
            // A file is not a folder, so it has no manifest.
            Err(_) if !bundle.is_dir() => None,
            Err(error) => return Err(error.into()),
        };
        let read = |name: &str| match &manifest {
            Some(manifest) => Ok(manifest.content(bundle, name)?),
            None => match super::manifest::read_regular(&bundle.join(name), file::MAX_FILE) {
                Ok(content) => Ok(Some(content)),
                Err(_) if !bundle.join(name).exists() => Ok(None),
                Err(error) => Err(ExportError::from(at("read", &bundle.join(name))(error))),
            },
        };
        if manifest.is_some() {
            // Check the network too, because the measurements are valid only for it.
            read(crate::bots::FILE)?;
        }
        let Some(contests) = read(CONTESTS)? else { return Ok(Self::default()) };
        let refuse = |name: &str| {
            let path = bundle.join(name);
            |source| ExportError::Found { path, source }
        };
        let contests = text::from_json(&contests).map_err(refuse(CONTESTS))?;
        let cost = read(cost::FILE)?.map(|cost| text::from_json(&cost)).transpose();
        let cost = cost.map_err(refuse(cost::FILE))?;
        let identity = read(identity::FILE)?.map(|bytes| Identity::from_bytes(&bytes)).transpose();
        let identity =
            identity.map_err(|source| ExportError::Identity { path: bundle.join(identity::FILE), source })?;
        let (levels, beliefs) = (read(levels::FILE)?, read(beliefs::FILE)?);
        Ok(Self { contests, levels, beliefs, cost, identity, seed: 0 })
    }

    /// Works as [`Extras::of`] for a bot in the program, too. Such a bot has no cost.
    ///
    /// # Errors
    /// As [`Extras::of`].
    pub fn at(place: &BotLocation) -> Result<Self, ExportError> {
        let bot = match place {
            BotLocation::Path(path) => return Self::of(path),
            BotLocation::Shipped(bot) => bot,
        };
        let path = |name: &str| Path::new(bot.game).join(name);
        let contests = text::from_json(bot.arena)
            .map_err(|source| ExportError::Found { path: path(CONTESTS), source })?;
        let identity = Identity::from_bytes(bot.identity)
            .map_err(|source| ExportError::Identity { path: path(identity::FILE), source })?;
        let (levels, beliefs) = (Some(bot.levels.to_vec()), bot.beliefs.map(<[u8]>::to_vec));
        Ok(Self { contests, levels, beliefs, cost: None, identity: Some(identity), seed: 0 })
    }

    /// Refuses levels and belief models that readers of the bundle would refuse.
    fn check(&self, game: &dyn AnyGame) -> Result<(), ExportError> {
        if let Some(model) = &self.beliefs {
            Model::from_bytes(game, model).map_err(|source| ExportError::Beliefs { source })?;
        }
        let Some(levels) = &self.levels else { return Ok(()) };
        Levels::from_bytes(levels)?.fit(game.name(), self.beliefs.is_some())?;
        Ok(())
    }

    /// Returns the names of the additional files of the bundle.
    pub fn files(&self) -> impl Iterator<Item = &'static str> {
        let has =
            [self.levels.is_some(), self.beliefs.is_some(), self.cost.is_some(), self.identity.is_some()];
        OPTIONAL.into_iter().zip(has).filter_map(|(file, has)| has.then_some(file))
    }
}

/// Writes the bundle of `net`, which plays one of `games`, as folder `to`. The folder is replaced atomically. An old
/// bundle there is replaced.
///
/// # Errors
/// The header does not fit the current game, `to` exists and is not a bundle, or the system refuses.
pub fn export(
    games: &Games,
    header: &Header,
    net: &Net,
    extras: &Extras,
    to: &Path,
) -> Result<(), ExportError> {
    export_until(games, header, net, extras, to, &AtomicBool::new(false))
}

/// Works as [`export`], but writes nothing once `stop` is set.
///
/// # Errors
/// As [`export`], or `stop` was set before the folder was written.
pub fn export_until(
    games: &Games,
    header: &Header,
    net: &Net,
    extras: &Extras,
    to: &Path,
    stop: &AtomicBool,
) -> Result<(), ExportError> {
    let game = fits(games, header)?;
    // Before the slow test vectors: this refuses a network that does not match the header.
    let weights = file::to_bytes(header, net)?;
    refuse_foreign(to)?;
    extras.check(game)?;
    let positions = vectors::generate(game, header, net, extras.seed, stop)?;
    let positions = vectors::to_bytes(&positions);
    let mut files = vec![
        ("actions.json", pretty("actions.json", &actions(game, header))?),
        (CONTESTS, pretty(CONTESTS, &extras.contests.iter().map(timeless).collect())?),
        ("bot.safetensors", weights),
        ("card.md", card::card(game, header, net, extras).into_bytes()),
        ("encoding.json", pretty("encoding.json", &encoding(game, header))?),
        (MODEL, onnx::encode(header, net)),
        (vectors::FILE, positions.map_err(|source| ExportError::Vectors { source })?),
    ];
    files.extend(extras.levels.iter().map(|levels| (levels::FILE, levels.clone())));
    files.extend(extras.beliefs.iter().map(|model| (beliefs::FILE, model.clone())));
    if let Some(cost) = &extras.cost {
        files.push((cost::FILE, pretty(cost::FILE, &json!(cost))?));
    }
    if let Some(identity) = &extras.identity {
        files.push((identity::FILE, pretty(identity::FILE, &json!(identity))?));
    }
    let manifest = Manifest::of(files.iter().map(|(name, bytes)| (*name, bytes.as_slice()))).to_bytes();
    files.push((MANIFEST, manifest.map_err(|source| ExportError::Json { file: MANIFEST, source })?));
    Ok(folder::write(to, &files)?)
}

/// Writes a network of another architecture as folder `to`, for programs that share no code with this one. The folder
/// has `weights.safetensors`, `model.onnx` (which [`onnx::Graph`] writes), `encoding.json`, `actions.json` and test
/// vectors. It is not a bundle: no command plays it.
///
/// # Errors
/// The header does not fit the game, `to` contains something else, or the system refuses.
pub fn export_model(
    games: &Games,
    header: &Header,
    net: &dyn PolicyNet,
    model: Vec<u8>,
    to: &Path,
) -> Result<(), ExportError> {
    let game = fits(games, header)?;
    let weights = net.to_bytes(header)?;
    refuse_foreign(to)?;
    let positions = vectors::to_bytes(&vectors::generate(game, header, net, 0, &AtomicBool::new(false))?);
    let files = [
        ("actions.json", pretty("actions.json", &actions(game, header))?),
        ("encoding.json", pretty("encoding.json", &encoding(game, header))?),
        (MODEL, model),
        (vectors::FILE, positions.map_err(|source| ExportError::Vectors { source })?),
        (WEIGHTS, weights),
    ];
    Ok(folder::write(to, &files)?)
}

/// The file of [`export_model`] that holds the weights.
const WEIGHTS: &str = "weights.safetensors";

/// Writes the ONNX model of the bundle in `folder` if it is missing. The network determines its bytes on every machine,
/// so a bundle can be distributed without it. Returns whether the model was written.
///
/// # Errors
/// There is no manifest, the network differs from the manifest, this program would write another model than the
/// manifest lists, or the system refuses.
pub fn complete(folder: &Path) -> Result<bool, ExportError> {
    let manifest = Manifest::read(folder)?;
    let model = folder.join(MODEL);
    if model.exists() {
        return Ok(false);
    }
    let unlisted = |name| ManifestError { path: folder.join(name), problem: BundleProblem::Foreign };
    let as_listed = manifest.get(MODEL).ok_or_else(|| unlisted(MODEL))?;
    let weights = manifest.content(folder, crate::bots::FILE)?.ok_or_else(|| unlisted(crate::bots::FILE))?;
    let (header, net) = file::from_bytes(&weights)?;
    let bytes = onnx::encode(&header, &net);
    as_listed.check(&bytes).map_err(|changed| ExportError::Other { folder: folder.to_owned(), changed })?;
    disk::replace(&model, &bytes).map_err(at("write", &model))?;
    Ok(true)
}

/// Returns a contest without its times per move.
fn timeless(contest: &CardContest) -> Value {
    let mut contest = contest.clone();
    contest.report.bots.iter_mut().for_each(|bot| bot.ms_per_move = None);
    json!(contest)
}

fn pretty(file: &'static str, value: &Value) -> Result<Vec<u8>, ExportError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|source| ExportError::Json { file, source })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Refuses to replace anything but a bundle or an empty folder.
fn refuse_foreign(to: &Path) -> Result<(), ExportError> {
    if to.file_name().is_none() {
        return Err(ExportError::Name { to: to.to_owned() });
    }
    let entries = match fs::read_dir(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at("read", to))?,
    };
    for entry in entries {
        let name = entry.map_err(at("read", to))?.file_name();
        let found = name.to_string_lossy().into_owned();
        let known =
            FILES.iter().chain(&OPTIONAL).chain([&FORMER_VECTORS, &WEIGHTS]).any(|file| found == *file);
        if !known && !folder::is_leftover(&found) {
            return Err(ExportError::Occupied { to: to.to_owned(), found });
        }
    }
    Ok(())
}

/// The file name of the vectors in bundles without a manifest.
const FORMER_VECTORS: &str = "vectors.jsonl";

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ExportError {
    /// The network does not fit its game.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The game refuses the rules of training.
    #[error("the rules trained on: {0}")]
    Rules(#[from] RulesError),
    /// The network cannot be read or written.
    #[error(transparent)]
    Bot(#[from] FileError),
    /// The network is not a stack of layers ([`Net`]).
    #[error(
        "a bundle holds a network of layers, and this one has another architecture: `export_model` writes it for other programs"
    )]
    Architecture,
    /// The levels are invalid, or belong to another game.
    #[error(transparent)]
    Levels(#[from] LevelError),
    /// The belief model is invalid, or for another game.
    #[error("{}: {source}", beliefs::FILE)]
    Beliefs { source: FileError },
    /// A file cannot be represented as JSON.
    #[error("cannot write {file}: {source}")]
    Json {
        /// The file of the bundle.
        file: &'static str,
        source: serde_json::Error,
    },
    /// The vectors cannot be written.
    #[error("cannot write {}: {source}", vectors::FILE)]
    Vectors { source: io::Error },
    /// A measurement in the bundle that is exported again cannot be read.
    #[error("{}: not what a bundle holds here: {source}", path.display())]
    Found { path: PathBuf, source: serde_json::Error },
    /// The identity in the bundle that is exported again is not valid.
    #[error("{}: {source}", path.display())]
    Identity { path: PathBuf, source: IdentityError },
    /// The manifest of a bundle is refused, or a file differs from it.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Another version of this program wrote the model.
    #[error(
        "{}: this program writes another {MODEL} than the manifest lists: {changed}; {} writes the whole bundle again",
        folder.display(), again(folder)
    )]
    Other {
        folder: PathBuf,
        /// How the model differs.
        changed: FileChange,
    },
    /// The target holds something foreign to bundles.
    #[error("{} is not a bundle: it holds `{found}`; name a new or an empty folder", to.display())]
    Occupied {
        to: PathBuf,
        /// The first foreign entry.
        found: String,
    },
    /// The target path does not end with a folder name.
    #[error("{} does not name a folder; give one such as `bundles/mine`", to.display())]
    Name { to: PathBuf },
    /// The system refused to write the folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The caller stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
