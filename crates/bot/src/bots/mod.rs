//! The bots, and how to get one by name.

pub mod levels;
mod mind;
mod policy;
pub mod program;
mod random;
mod scripted;
pub mod search;
mod shipped;
mod sure;
mod trained;
mod values;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cardsharp_env::rules::nearest;
use cardsharp_env::{AnyGame, Character};

pub use policy::{Policy, greedy, probabilities, sample};
pub use random::Random;
pub use scripted::Scripted;
pub use search::Search;
pub use shipped::{SHIPPED, Shipped, shipped};
pub use sure::Sure;
pub use trained::Trained;
pub use values::Values;

use crate::beliefs::{self, Model};
use crate::bot::Bot;
use crate::disk;
use crate::file::{self, FileError, Header, Outputs};
use crate::net::Net;
use crate::policy_net::PolicyNet;
use levels::LevelError;
use program::{Fault, Faults, Log, Outside, PREFIX, Program, ProgramError, TIMEOUT};
use search::{Budget, Clock, DEFAULT_SIMULATIONS, Settings, Spec, SpecError, is_search};

/// The file that a bundle or a checkpoint keeps its network in.
pub const FILE: &str = "bot.safetensors";

/// The name for the bot that ships for the game at hand, whichever game that is.
pub const TRAINED: &str = "trained";

/// The bots that need no file.
pub const BUILT_IN: [&str; 5] = ["random", "scripted", "cautious", "aggressive", "search"];

/// A recipe for bots that differ in nothing but their random stream: what has to be loaded was loaded
/// once, and every thread makes its own bots of it.
#[derive(Clone)]
pub struct Player {
    name: String,
    make: Arc<dyn Fn(u64) -> Box<dyn Bot> + Send + Sync>,
    program: Option<Arc<Program>>,
}

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Player {
    /// A player of any kind; `make` gets the seed of the bot's random stream.
    pub fn new(name: impl Into<String>, make: impl Fn(u64) -> Box<dyn Bot> + Send + Sync + 'static) -> Self {
        Self { name: name.into(), make: Arc::new(make), program: None }
    }

    /// A program: see [`program`].
    pub fn program(program: Program, name: impl Into<String>) -> Self {
        let program = Arc::new(program);
        let plays = Arc::clone(&program);
        let player = Self::new(name, move |seed| Box::new(Outside::new(Arc::clone(&plays), seed)));
        Self { program: Some(program), ..player }
    }

    /// What a program did wrong in all that it played; none of players that are no programs.
    pub fn faults(&self) -> Option<Faults> {
        self.program.as_ref().map(|program| program.faults())
    }

    /// The first exchange in which a program failed, in all that it played.
    pub fn first_fault(&self) -> Option<Fault> {
        self.program.as_ref()?.first_fault()
    }

    /// Says what a program did wrong in all that it played; none if it did nothing wrong or is no program.
    pub fn faults_summary(&self) -> Option<String> {
        self.faults()?.summary(&self.name, self.first_fault().as_ref())
    }

    /// [`Random`].
    pub fn random() -> Self {
        Self::new("random", |seed| Box::new(Random::new(seed)))
    }

    /// [`Scripted`].
    pub fn scripted() -> Self {
        Self::new(Scripted::name_of(None), |_| Box::new(Scripted::default()))
    }

    /// [`Scripted`] with a character.
    pub fn character(character: Character) -> Self {
        Self::new(character.name(), move |_| Box::new(Scripted { character: Some(character) }))
    }

    /// [`Policy`] at a temperature.
    pub fn policy(name: impl Into<String>, net: Arc<dyn PolicyNet>, temperature: f32) -> Self {
        Self::network(name, net, Outputs::Logits, temperature)
    }

    /// [`Policy`] or, where the outputs are action values, [`Values`], which knows no temperature.
    pub fn network(
        name: impl Into<String>,
        net: Arc<dyn PolicyNet>,
        outputs: Outputs,
        temperature: f32,
    ) -> Self {
        let name = name.into();
        Self::new(name.clone(), move |seed| {
            let (name, net) = (name.clone(), Arc::clone(&net));
            match outputs {
                Outputs::Logits => Box::new(Policy::new(name, net, temperature, seed)),
                Outputs::ActionValues => Box::new(Values::new(name, net)),
            }
        })
    }

    /// [`Search`], [`Sure`] of what is certain at about the cost of its tries.
    pub fn search(name: impl Into<String>, settings: Settings) -> Self {
        let (name, positions) = (name.into(), settings.positions());
        let of = name.clone();
        let search = move |seed| Box::new(Search::new(of.clone(), settings.clone(), seed)) as Box<dyn Bot>;
        Self::new(name, search).sure(positions)
    }

    /// The same player, [`Sure`] of what is certain: so many positions may be looked at for a decision.
    pub fn sure(self, positions: u64) -> Self {
        let make = self.make;
        let sure = move |seed| Box::new(Sure::new(make(seed), positions)) as Box<dyn Bot>;
        Self { make: Arc::new(sure), ..self }
    }

    /// The same player by another name, for reports.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The player's name, for reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A bot with this seed.
    pub fn bot(&self, seed: u64) -> Box<dyn Bot> {
        (self.make)(seed)
    }
}

/// Why there is no such bot.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Neither a built-in bot nor anything on the disk.
    #[error(
        "there is no bot `{spec}`: expected `random`, `scripted`, `cautious`, `aggressive`, `search`, `exec:COMMAND`, \
         `trained`, {}or the path of a bot file, bundle or checkpoint{}",
        shipped::names(), nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default()
    )]
    Unknown {
        /// The name as given.
        spec: String,
        /// The built-in or shipped bot, or else the path, that is most similar, if any is similar.
        nearest: Option<String>,
    },
    /// No bot ships for the game.
    #[error("there is no bot `{TRAINED}` for `{game}`: no bot ships for this game")]
    Untrained {
        /// The game.
        game: String,
    },
    /// A folder without a network.
    #[error("{} is neither a bundle nor a checkpoint: it has no `{FILE}`", path.display())]
    NoFile {
        /// The folder.
        path: PathBuf,
    },
    /// A shipped bot without a model of beliefs.
    #[error("the shipped bot `{spec}` has no belief model: export it and learn one with `cardsharp beliefs`")]
    NoModel {
        /// Its name.
        spec: String,
    },
    /// The file was refused.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: FileError,
    },
    /// A level that the bot does not have.
    #[error("there is no bot `{spec}`: {source}")]
    Level {
        /// The name as given.
        spec: String,
        /// The reason.
        source: LevelError,
    },
    /// A program that cannot be a bot.
    #[error("cannot use the bot `{spec}`: {source}")]
    Program {
        /// The name as given.
        spec: String,
        /// The reason.
        source: ProgramError,
    },
    /// A search that cannot be.
    #[error("cannot use the bot `{spec}`: {source}")]
    Search {
        /// The name as given.
        spec: String,
        /// The reason.
        source: SpecError,
    },
}

/// What bots are made with besides their names.
#[derive(Clone)]
pub struct Means {
    /// How networks play: 0 always the most probable move, else drawn after dividing logits by it.
    pub temperature: f32,
    /// Tries per decision of a search whose name gives no budget.
    pub simulations: u32,
    /// Threads that a search may use for one decision.
    pub threads: usize,
    /// What a search by time looks at; without one there is no such search.
    pub clock: Option<Clock>,
    /// What a search may spend in the place of what its name says.
    pub budget: Option<Budget>,
    /// What a program may take for a move.
    pub timeout: Duration,
    /// Where conversations with programs are written down: by default to [`Log::kept`].
    pub log: Option<Arc<Log>>,
    /// Whether what programs write to standard error also goes to ours.
    pub forward_errors: bool,
}

impl Default for Means {
    fn default() -> Self {
        Self {
            temperature: 0.0,
            simulations: DEFAULT_SIMULATIONS,
            threads: 1,
            clock: None,
            budget: None,
            timeout: TIMEOUT,
            log: Log::kept(),
            forward_errors: true,
        }
    }
}

/// The player named `spec`: `random`, `scripted`, a [`Character`], a search (`search:400+PATH`, [`search`]), a program
/// (`exec:python3 my_bot.py`, [`program`]), a game's name for the bot that ships for it ([`SHIPPED`]), `trained` for the bot
/// that ships for `game`, or else the path of a bot file or of a folder that has one (a bundle or a checkpoint). The name
/// of a game is never read as a path; `./taki` is one. A network plays at `temperature` (0: always the most probable move; a network of action values always plays the best), or
/// with `@4` at one of its [`levels`]. Searches think in one thread, and by number of tries.
///
/// # Errors
/// There is no such bot, or it cannot play `game`.
pub fn load(spec: &str, game: &dyn AnyGame, temperature: f32) -> Result<Player, OpenError> {
    load_with(spec, game, &Means { temperature, ..Means::default() })
}

/// [`load`], by other means.
///
/// # Errors
/// As [`load`].
pub fn load_with(spec: &str, game: &dyn AnyGame, means: &Means) -> Result<Player, OpenError> {
    let resolved = resolved(spec, game.name());
    let spec = resolved.as_ref();
    if let Some(character) = Character::ALL.into_iter().find(|character| character.name() == spec) {
        return Ok(Player::character(character));
    }
    match spec {
        "random" => Ok(Player::random()),
        "scripted" => Ok(Player::scripted()),
        _ if is_search(spec) => {
            let wrong = |source| OpenError::Search { spec: spec.to_owned(), source };
            let read = Spec::read(spec).map_err(wrong)?;
            let budget = match (&means.budget, read.time, &means.clock) {
                (Some(budget), ..) => budget.clone(),
                (None, None, _) => Budget::Simulations(read.simulations.unwrap_or(means.simulations)),
                (None, Some(each), Some(clock)) => Budget::Time { each, clock: Arc::clone(clock) },
                (None, Some(_), None) => return Err(wrong(SpecError::NoClock(spec.to_owned()))),
            };
            let settings = Settings { threads: means.threads, ..read.settings(budget) };
            let Some(path) = read.net else { return Ok(Player::search(spec, settings)) };
            let trained = Trained::read(path, game)?;
            let trained = if read.beliefs { trained.with_beliefs_of(game, path)? } else { trained };
            let beliefs = trained.beliefs().cloned();
            Ok(trained.search(spec, Settings { beliefs, ..settings }))
        }
        _ if spec.starts_with(PREFIX) => Program::open(spec, game.name(), means)
            .map(|program| Player::program(program, spec))
            .map_err(|source| OpenError::Program { spec: spec.to_owned(), source }),
        _ => match levels::split(spec) {
            (_, None) => Ok(Trained::read(spec, game)?.player(spec, means.temperature)),
            (path, Some(level)) => {
                let refuse = |source| OpenError::Level { spec: spec.to_owned(), source };
                if BUILT_IN.contains(&path) {
                    return Err(refuse(LevelError::BuiltIn(path.to_owned())));
                }
                let trained = Trained::read(path, game)?.with_levels_of(path).map_err(refuse)?;
                let level = level.parse().map_err(|_| refuse(LevelError::Range(level.to_owned())))?;
                let believes = trained.levels().and_then(|levels| levels.level(level).ok());
                let believes = believes.is_some_and(|level| level.beliefs);
                let trained = if believes { trained.with_beliefs_of(game, path)? } else { trained };
                trained.at_level(spec, level, means.threads).map_err(refuse)
            }
        },
    }
}

/// The network of a shipped bot, of a bot file, or of a folder that has one, which plays `game`, and what the
/// file says about it.
///
/// # Errors
/// There is no such bot or file, or its network cannot play `game`.
pub fn network(spec: &str, game: &dyn AnyGame) -> Result<(Header, Net), OpenError> {
    let resolved = resolved(spec, game.name());
    let spec = resolved.as_ref();
    if spec == TRAINED {
        return Err(OpenError::Untrained { game: game.name().to_owned() });
    }
    let (header, net) = any_network(spec)?;
    match header.fits(game) {
        Ok(()) => Ok((header, net)),
        Err(source) => Err(OpenError::File { path: file_of(Path::new(spec)), source }),
    }
}

/// The settings of a search by its name, with the network that it names, and that bot's model of beliefs where it asks for it.
///
/// # Errors
/// There is no such bot or model, or it is not one for `game`.
pub fn search_settings(spec: &Spec<'_>, budget: Budget, game: &dyn AnyGame) -> Result<Settings, OpenError> {
    let settings = spec.settings(budget);
    let Some(bot) = spec.net else { return Ok(settings) };
    let beliefs = spec.beliefs.then(|| model(bot, game).map(Arc::new)).transpose()?;
    Ok(Settings { net: Some(Arc::new(network(bot, game)?.1)), beliefs, ..settings })
}

/// The model of beliefs beside the network of a bot file, in its folder, or of the bot that ships for a game.
///
/// # Errors
/// There is none, or it is not one for `game`.
pub fn model(spec: &str, game: &dyn AnyGame) -> Result<Model, OpenError> {
    let resolved = resolved(spec, game.name());
    let spec = resolved.as_ref();
    let path = model_file(Path::new(spec));
    let read = match shipped(spec).map(|bot| bot.beliefs) {
        None => Model::read(game, &path),
        Some(Some(bytes)) => Model::from_bytes(game, bytes),
        Some(None) => return Err(OpenError::NoModel { spec: spec.to_owned() }),
    };
    read.map_err(|source| OpenError::File { path, source })
}

/// Whether a bot file, bundle or checkpoint, or the bot that ships for a game, has a model of beliefs.
pub fn has_model(spec: &str) -> bool {
    shipped(spec).map_or_else(|| model_file(Path::new(spec)).exists(), |bot| bot.beliefs.is_some())
}

/// Where the model of beliefs of a bot file, bundle or checkpoint is, if it has one.
pub fn model_file(bot: &Path) -> PathBuf {
    beside(bot, beliefs::FILE)
}

/// Where a file is that stands beside the network of a bundle, checkpoint or bot file.
fn beside(bot: &Path, file: &str) -> PathBuf {
    let folder = if bot.is_dir() { bot } else { bot.parent().unwrap_or(Path::new("")) };
    folder.join(file)
}

/// [`network`], whatever game it plays: the header names it.
///
/// # Errors
/// There is no such bot or file.
pub fn any_network(spec: &str) -> Result<(Header, Net), OpenError> {
    let path = Path::new(spec);
    if let Some(bot) = shipped(spec) {
        return file::from_bytes(bot.network)
            .map_err(|source| OpenError::File { path: path.to_owned(), source });
    }
    if !path.exists() {
        let names = BUILT_IN.into_iter().chain([TRAINED]).chain(SHIPPED.iter().map(|bot| bot.game));
        let path = || disk::nearest(path).map(|path| path.display().to_string());
        let nearest = nearest(spec, names).map(str::to_owned).or_else(path);
        return Err(OpenError::Unknown { spec: spec.to_owned(), nearest });
    }
    let file = file_of(path);
    if path.is_dir() && !file.is_file() {
        return Err(OpenError::NoFile { path: path.to_owned() });
    }
    file::read(&file).map_err(|source| OpenError::File { path: file, source })
}

/// The file with the network, of a folder or as it is.
fn file_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(FILE) } else { path.to_owned() }
}

/// Replaces `trained` in a bot's name (`trained@3`, `search:100+trained`) by the name of the bot that ships for `game`. Other
/// names, and all names where no bot ships, stay the same.
pub fn resolved<'s>(spec: &'s str, game: &str) -> Cow<'s, str> {
    if path_of(spec) != Some(TRAINED) || shipped(game).is_none() {
        return Cow::Borrowed(spec);
    }
    let (before, after) = if is_search(spec) { spec.rsplit_once(TRAINED) } else { spec.split_once(TRAINED) }
        .unwrap_or_default();
    Cow::Owned(format!("{before}{game}{after}"))
}

/// The part of a bot's name that names a network, by path or as the one that ships for a game; none for those that
/// have none.
pub fn path_of(spec: &str) -> Option<&str> {
    if is_search(spec) {
        return spec.split_once('+').map(|(_, path)| path);
    }
    (!BUILT_IN.contains(&spec) && !spec.starts_with(PREFIX)).then_some(levels::split(spec).0)
}

/// As [`path_of`], of a bot that plays what its network prefers, at a level or without one; none of a search.
pub fn plain_path_of(spec: &str) -> Option<&str> {
    path_of(spec).filter(|_| !is_search(spec))
}

/// The BLAKE3 sum of the networks at these paths ([`path_of`]), of their models of beliefs and of their levels, in hexadecimal: on two machines the
/// same path may hold two bots. Those that ship are part of the program, and left out.
///
/// # Errors
/// There is no such bot or file.
pub fn networks_sum<'s>(paths: impl IntoIterator<Item = &'s str>) -> Result<String, OpenError> {
    let mut sum = blake3::Hasher::new();
    for path in paths.into_iter().filter(|path| *path != TRAINED && shipped(path).is_none()) {
        let (header, net) = any_network(path)?;
        let refuse = |source| OpenError::File { path: file_of(Path::new(path)), source };
        sum.update(&file::to_bytes(&header, &net).map_err(refuse)?);
        let path = Path::new(path);
        for file in [model_file(path), levels::path(path)].iter().filter(|file| file.exists()) {
            sum.update(&file::content(file).map_err(refuse)?);
        }
    }
    Ok(sum.finalize().to_hex().to_string())
}

/// A bot's name without the folders in it, for files whose bytes must not depend on where they are made: a network is called
/// by the first digits of its BLAKE3 sum (`search:400+blake3:0123456789abcdef`), and the words of a program's command lose
/// their folders.
///
/// # Errors
/// There is no such bot or file.
pub fn without_folders(spec: &str) -> Result<String, OpenError> {
    if let Some(command) = spec.strip_prefix(PREFIX) {
        let words = command.split_whitespace().filter_map(|word| word.rsplit(['/', '\\']).next());
        return Ok(format!("{PREFIX}{}", words.collect::<Vec<_>>().join(" ")));
    }
    let Some(path) = path_of(spec) else { return Ok(spec.to_owned()) };
    let (header, net) = any_network(path)?;
    let refuse = |source| OpenError::File { path: file_of(Path::new(path)), source };
    let sum = blake3::hash(&file::to_bytes(&header, &net).map_err(refuse)?).to_hex();
    // The path comes last in a search's name, and first where a level follows.
    let (before, after) =
        if is_search(spec) { spec.rsplit_once(path) } else { spec.split_once(path) }.unwrap_or_default();
    Ok(format!("{before}blake3:{}{after}", &sum[..16]))
}

/// The bot named `spec`, as [`load`] finds it, with the seed of its random stream.
///
/// # Errors
/// As [`load`].
pub fn open(spec: &str, game: &dyn AnyGame, temperature: f32, seed: u64) -> Result<Box<dyn Bot>, OpenError> {
    load(spec, game, temperature).map(|player| player.bot(seed))
}

/// [`open`], by other means.
///
/// # Errors
/// As [`load`].
pub fn open_with(
    spec: &str,
    game: &dyn AnyGame,
    means: &Means,
    seed: u64,
) -> Result<Box<dyn Bot>, OpenError> {
    load_with(spec, game, means).map(|player| player.bot(seed))
}

#[cfg(test)]
mod tests;
