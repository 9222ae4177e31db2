//! The bots, and how to load them by name.

mod endgame;
mod evaluator;
pub mod levels;
mod policy;
pub mod program;
mod random;
pub mod registry;
mod scripted;
pub mod search;
mod shipped;
mod trained;
mod values;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cardsharp_env::rules::nearest;
use cardsharp_env::{AnyGame, Character};

pub use endgame::EndgameBot;
pub use policy::{Policy, greedy, probabilities, sample};
pub use random::Random;
pub use scripted::ScriptedBot;
pub use search::Search;
pub use shipped::{SHIPPED, Shipped, shipped};
pub use trained::Trained;
pub use values::ValueBot;

use crate::beliefs::{self, Model};
use crate::bot::Bot;
use crate::disk;
use crate::file::{self, FileError, Header, Outputs};
use crate::identity::Address;
use crate::net::Net;
use crate::policy_net::PolicyNet;
use levels::LevelError;
use program::{Fault, Faults, Outside, PREFIX, Program, ProgramError, ProgramLog, TIMEOUT};
use registry::{AddressError, BotLocation, place};
use search::{Budget, Clock, DEFAULT_SIMULATIONS, SearchSettings, Spec, SpecError, is_search};

/// The file of the network in a bundle or checkpoint.
pub const FILE: &str = "bot.safetensors";

/// The name of the bot that ships for the current game.
pub const TRAINED: &str = "trained";

/// The bots that need no file.
pub const BUILT_IN: [&str; 5] = ["random", "scripted", "cautious", "aggressive", "search"];

/// A factory for bots that differ only in their random stream. It loads files once, and each thread creates its own
/// bots from it.
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
    /// Creates a player of any kind. `make` gets the seed of the bot's random stream.
    pub fn new(name: impl Into<String>, make: impl Fn(u64) -> Box<dyn Bot> + Send + Sync + 'static) -> Self {
        Self { name: name.into(), make: Arc::new(make), program: None }
    }

    /// Creates a player from a program: see [`program`].
    pub fn program(program: Program, name: impl Into<String>) -> Self {
        let program = Arc::new(program);
        let plays = Arc::clone(&program);
        let player = Self::new(name, move |seed| Box::new(Outside::new(Arc::clone(&plays), seed)));
        Self { program: Some(program), ..player }
    }

    /// Returns the fault counts of a program in all its games. Returns `None` if the player is not a program.
    pub fn faults(&self) -> Option<Faults> {
        self.program.as_ref().map(|program| program.faults())
    }

    /// Returns the first fault of a program in all its games.
    pub fn first_fault(&self) -> Option<Fault> {
        self.program.as_ref()?.first_fault()
    }

    /// Describes the faults of a program in all its games. Returns `None` without faults, or if the player is not a
    /// program.
    pub fn faults_summary(&self) -> Option<String> {
        self.faults()?.summary(&self.name, self.first_fault().as_ref())
    }

    /// Creates a player of [`Random`].
    pub fn random() -> Self {
        Self::new("random", |seed| Box::new(Random::new(seed)))
    }

    /// Creates a player of [`ScriptedBot`].
    pub fn scripted() -> Self {
        Self::new(ScriptedBot::name_of(None), |_| Box::new(ScriptedBot::default()))
    }

    /// Creates a player of [`ScriptedBot`] with a character.
    pub fn character(character: Character) -> Self {
        Self::new(character.name(), move |_| Box::new(ScriptedBot { character: Some(character) }))
    }

    /// Creates a player of [`Policy`] at a temperature.
    pub fn policy(name: impl Into<String>, net: Arc<dyn PolicyNet>, temperature: f32) -> Self {
        Self::network(name, net, Outputs::Logits, temperature)
    }

    /// Creates a player of [`Policy`] or, for action values, of [`ValueBot`], which ignores the temperature.
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
                Outputs::ActionValues => Box::new(ValueBot::new(name, net)),
            }
        })
    }

    /// Creates a player of [`Search`] with the endgame solver ([`EndgameBot`]). The solver takes at most about as long as the
    /// playouts.
    pub fn search(name: impl Into<String>, settings: SearchSettings) -> Self {
        let (name, positions) = (name.into(), settings.positions());
        let of = name.clone();
        let search = move |seed| Box::new(Search::new(of.clone(), settings.clone(), seed)) as Box<dyn Bot>;
        Self::new(name, search).with_endgame_solver(positions)
    }

    /// Returns the player with the endgame solver ([`EndgameBot`]), which may search this many positions for each decision.
    pub fn with_endgame_solver(self, positions: u64) -> Self {
        let make = self.make;
        let wrapped = move |seed| Box::new(EndgameBot::new(make(seed), positions)) as Box<dyn Bot>;
        Self { make: Arc::new(wrapped), ..self }
    }

    /// Returns the player with another name, for reports.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Returns the player's name, for reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates a bot with this seed.
    pub fn bot(&self, seed: u64) -> Box<dyn Bot> {
        (self.make)(seed)
    }
}

/// Why a bot cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum OpenError {
    /// The name is neither a built-in bot nor a path on the disk.
    #[error(
        "there is no bot `{spec}`: expected `random`, `scripted`, `cautious`, `aggressive`, `search`, `exec:COMMAND`, \
         `trained`, {}an installed bot, or the path of a bot file, bundle or checkpoint{}",
        shipped::names(), nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default()
    )]
    Unknown {
        spec: String,
        /// The most similar name of a built-in or shipped bot, or else the most similar path.
        nearest: Option<String>,
    },
    /// The name does not name one bot.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// No bot ships for the game.
    #[error("there is no bot `{TRAINED}` for `{game}`: no bot ships for this game")]
    Untrained { game: String },
    /// The folder has no network.
    #[error("{} is neither a bundle nor a checkpoint: it has no `{FILE}`{}", path.display(), in_run(path))]
    NoFile { path: PathBuf },
    /// The shipped bot has no belief model.
    #[error("the shipped bot `{spec}` has no belief model: export it and learn one with `cardsharp beliefs`")]
    NoModel { spec: String },
    /// The file was refused.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: FileError },
    /// The bot does not have this level.
    #[error("there is no bot `{spec}`: {source}")]
    Level { spec: String, source: LevelError },
    /// The program cannot be a bot.
    #[error("cannot use the bot `{spec}`: {source}")]
    Program { spec: String, source: ProgramError },
    /// The search is not valid.
    #[error("cannot use the bot `{spec}`: {source}")]
    Search { spec: String, source: SpecError },
}

/// The settings for loading bots, apart from their names.
#[derive(Clone)]
pub struct LoadOptions {
    /// The temperature of networks. At 0 they always play the most probable move; otherwise they draw one after
    /// dividing the logits by it.
    pub temperature: f32,
    /// Playouts per decision of a search whose name has no budget.
    pub simulations: u32,
    /// Threads of a search for one decision.
    pub threads: usize,
    /// The clock of searches by time. Without one, such searches are refused.
    pub clock: Option<Clock>,
    /// Overrides the budget in the name of a search.
    pub budget: Option<Budget>,
    /// The timeout of programs for a move.
    pub timeout: Duration,
    /// The log of conversations with programs: by default [`ProgramLog::kept`].
    pub log: Option<Arc<ProgramLog>>,
    /// Whether the standard error of programs also goes to that of this process.
    pub forward_errors: bool,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            temperature: 0.0,
            simulations: DEFAULT_SIMULATIONS,
            threads: 1,
            clock: None,
            budget: None,
            timeout: TIMEOUT,
            log: ProgramLog::kept(),
            forward_errors: true,
        }
    }
}

/// Loads the player named `spec`, which is one of these:
///
/// - `random`, `scripted`, or a [`Character`].
/// - A search, like `search:400+PATH`: see [`search`].
/// - A program, like `exec:python3 my_bot.py`: see [`program`].
/// - A game's name, for the bot that ships for it ([`SHIPPED`]), or `trained` for the bot that ships for `game`.
/// - The name of an installed bot, with a version like `@v3`, or the URL of its archive with a hash: see [`registry`].
/// - The path of a bot file, or of a folder with one (a bundle or a checkpoint).
///
/// The name of a game is never read as a path, but `./taki` is a path. A network plays at `temperature`, or at one of
/// its [`levels`] with an ending like `@4`. At temperature 0 it always plays the most probable move, and a network of
/// action values always plays the best one. Searches use one thread, and a number of playouts.
///
/// # Errors
/// There is no such bot, or it cannot play `game`.
pub fn load(spec: &str, game: &dyn AnyGame, temperature: f32) -> Result<Player, OpenError> {
    load_with(spec, game, &LoadOptions { temperature, ..LoadOptions::default() })
}

/// Works as [`load`], with other settings.
///
/// # Errors
/// As [`load`].
pub fn load_with(spec: &str, game: &dyn AnyGame, means: &LoadOptions) -> Result<Player, OpenError> {
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
            let settings = SearchSettings { threads: means.threads, ..read.settings(budget) };
            let Some(path) = read.net else { return Ok(Player::search(spec, settings)) };
            let trained = Trained::read(path, game)?;
            let trained = if read.beliefs { trained.with_beliefs_of(game, path)? } else { trained };
            let beliefs = trained.beliefs().cloned();
            Ok(trained.search(spec, SearchSettings { beliefs, ..settings }))
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
                let trained = Trained::read(path, game)?.with_levels_at(&place(path)?).map_err(refuse)?;
                let level = level.parse().map_err(|_| refuse(LevelError::Range(level.to_owned())))?;
                let believes = trained.levels().and_then(|levels| levels.level(level).ok());
                let believes = believes.is_some_and(|level| level.beliefs);
                let trained = if believes { trained.with_beliefs_of(game, path)? } else { trained };
                trained.at_level(spec, level, means.threads).map_err(refuse)
            }
        },
    }
}

/// Returns the header and the network of a shipped bot, of a bot file, or of a folder with one. Checks that it fits
/// `game`.
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
        Err(source) => {
            let path = place(spec)?.path().map_or_else(|| spec.into(), file_of);
            Err(OpenError::File { path, source })
        }
    }
}

/// Returns the settings of a search, with the network that it names, and with that bot's belief model if the search
/// asks for it.
///
/// # Errors
/// There is no such bot or model, or it is not for `game`.
pub fn search_settings(
    spec: &Spec<'_>,
    budget: Budget,
    game: &dyn AnyGame,
) -> Result<SearchSettings, OpenError> {
    let settings = spec.settings(budget);
    let Some(bot) = spec.net else { return Ok(settings) };
    let beliefs = spec.beliefs.then(|| model(bot, game).map(Arc::new)).transpose()?;
    Ok(SearchSettings { net: Some(Arc::new(network(bot, game)?.1)), beliefs, ..settings })
}

/// Returns the belief model of a bot file (from its folder) or of a shipped bot.
///
/// # Errors
/// There is no model, or it is not for `game`.
pub fn model(spec: &str, game: &dyn AnyGame) -> Result<Model, OpenError> {
    let resolved = resolved(spec, game.name());
    let spec = resolved.as_ref();
    let (path, read) = match place(spec)? {
        BotLocation::Path(bot) => (model_file(&bot), Model::read(game, &model_file(&bot))),
        BotLocation::Shipped(bot) => match bot.beliefs {
            Some(bytes) => (spec.into(), Model::from_bytes(game, bytes)),
            None => return Err(OpenError::NoModel { spec: spec.to_owned() }),
        },
    };
    read.map_err(|source| OpenError::File { path, source })
}

/// Returns whether a bot file, bundle, checkpoint, shipped or installed bot has a belief model.
pub fn has_model(spec: &str) -> bool {
    match place(spec) {
        Ok(BotLocation::Shipped(bot)) => bot.beliefs.is_some(),
        Ok(BotLocation::Path(path)) => model_file(&path).exists(),
        Err(_) => false,
    }
}

/// Returns the path of the belief model of a bot file, bundle or checkpoint, even if it does not exist.
pub fn model_file(bot: &Path) -> PathBuf {
    beside(bot, beliefs::FILE)
}

/// Returns the path of a file in the folder of a bundle, checkpoint or bot file.
fn beside(bot: &Path, file: &str) -> PathBuf {
    let folder = if bot.is_dir() { bot } else { bot.parent().unwrap_or(Path::new("")) };
    folder.join(file)
}

/// Works as [`network`] for any game; the header names the game.
///
/// # Errors
/// There is no such bot or file.
pub fn any_network(spec: &str) -> Result<(Header, Net), OpenError> {
    let path = match place(spec)? {
        BotLocation::Path(path) => path,
        BotLocation::Shipped(bot) => {
            return file::from_bytes(bot.network)
                .map_err(|source| OpenError::File { path: spec.into(), source });
        }
    };
    let path = path.as_path();
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

/// Suggests the bundle in a folder, as training leaves it in the folder of a run.
fn in_run(path: &Path) -> String {
    let bundle = path.join("bundle");
    if bundle.join(FILE).is_file() { format!("; did you mean {}?", bundle.display()) } else { String::new() }
}

/// Returns the file of the network: in a folder, or the path itself.
fn file_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(FILE) } else { path.to_owned() }
}

/// Replaces `trained` in a bot's name (`trained@3`, `search:100+trained@v1`) with the name of the bot that ships for
/// `game`. Other names stay the same, and so do all names if no bot ships.
pub fn resolved<'s>(spec: &'s str, game: &str) -> Cow<'s, str> {
    let name = path_of(spec).and_then(Address::parse).map(|address| address.name);
    if name != Some(TRAINED) || shipped(game).is_none() {
        return Cow::Borrowed(spec);
    }
    let (before, after) = if is_search(spec) { spec.rsplit_once(TRAINED) } else { spec.split_once(TRAINED) }
        .unwrap_or_default();
    Cow::Owned(format!("{before}{game}{after}"))
}

/// Returns the part of a bot's name that names a network: a path or a shipped bot. Returns `None` if there is none.
pub fn path_of(spec: &str) -> Option<&str> {
    if is_search(spec) {
        return spec.split_once('+').map(|(_, path)| path);
    }
    (!BUILT_IN.contains(&spec) && !spec.starts_with(PREFIX)).then_some(levels::split(spec).0)
}

/// Works as [`path_of`] for a bot that plays by its network without search. Returns `None` for a search.
pub fn plain_path_of(spec: &str) -> Option<&str> {
    path_of(spec).filter(|_| !is_search(spec))
}

/// Returns the BLAKE3 hash of the networks at these paths ([`path_of`]), of their belief models and of their levels, in
/// hexadecimal. It detects that the same path holds different bots on two machines. Shipped bots are part of the
/// program and are left out.
///
/// # Errors
/// There is no such bot or file.
pub fn networks_sum<'s>(paths: impl IntoIterator<Item = &'s str>) -> Result<String, OpenError> {
    let mut sum = blake3::Hasher::new();
    for spec in paths.into_iter().filter(|path| *path != TRAINED) {
        let BotLocation::Path(path) = place(spec)? else { continue };
        let (header, net) = any_network(spec)?;
        let refuse = |source| OpenError::File { path: file_of(&path), source };
        sum.update(&file::to_bytes(&header, &net).map_err(refuse)?);
        for file in [model_file(&path), levels::path(&path)].iter().filter(|file| file.exists()) {
            sum.update(&file::content(file).map_err(refuse)?);
        }
    }
    Ok(sum.finalize().to_hex().to_string())
}

/// Returns a bot's name without its folders, for files that must not depend on the place where they are made. A network
/// gets the first digits of its BLAKE3 hash (`search:400+blake3:0123456789abcdef`). The words of a program's command
/// lose their folders.
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
    // The path is at the end of a search's name, and otherwise at the start, before the level.
    let (before, after) =
        if is_search(spec) { spec.rsplit_once(path) } else { spec.split_once(path) }.unwrap_or_default();
    Ok(format!("{before}blake3:{}{after}", &sum[..16]))
}

/// Loads the bot named `spec`, as [`load`] does, with the seed of its random stream.
///
/// # Errors
/// As [`load`].
pub fn open(spec: &str, game: &dyn AnyGame, temperature: f32, seed: u64) -> Result<Box<dyn Bot>, OpenError> {
    load(spec, game, temperature).map(|player| player.bot(seed))
}

/// Works as [`open`], with other settings.
///
/// # Errors
/// As [`load`].
pub fn open_with(
    spec: &str,
    game: &dyn AnyGame,
    means: &LoadOptions,
    seed: u64,
) -> Result<Box<dyn Bot>, OpenError> {
    load_with(spec, game, means).map(|player| player.bot(seed))
}

#[cfg(test)]
mod tests;
