//! The bots that clients may name. A client never names a path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cardsharp_bot::Player;
use cardsharp_bot::bots::levels::{self, LevelError};
use cardsharp_bot::bots::program::PREFIX;
use cardsharp_bot::bots::registry::{self, AddressError, BotLocation};
use cardsharp_bot::bots::search::{Budget, DEFAULT_SIMULATIONS, SearchSettings, Spec, is_search};
use cardsharp_bot::bots::{self, BUILT_IN, SHIPPED, Shipped, TRAINED, Trained};
use cardsharp_bot::file::{self, FileError};
use cardsharp_env::AnyGame;

use crate::refusal::Refusal;

/// A network under a name that clients may use.
#[derive(Clone, Debug)]
pub struct NamedNetwork {
    /// The name, of letters, digits, `-` and `_`.
    pub name: String,
    /// Its bundle, checkpoint or bot file, or the name of a shipped or installed bot.
    pub path: PathBuf,
}

/// Why a server cannot offer a bot.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The name is not valid, or has another meaning.
    #[error(
        "a bot cannot be called `{0}`: expected letters, digits, `-` and `_`, but not the name of a built-in bot"
    )]
    Name(String),
    /// Two bots have the same name.
    #[error("two bots are called `{0}`")]
    Twice(String),
    /// There is no file at the path.
    #[error("there is no bot file, bundle or checkpoint at {}", .0.display())]
    Missing(PathBuf),
    /// The bot is a program.
    #[error("`{0}`: a server starts no programs as bots: expected a bot file, bundle or checkpoint")]
    Program(String),
    /// The network is for an unknown game.
    #[error("{}: the network is for `{game}`, but there is no such game", path.display())]
    Game {
        /// The bot file, bundle or checkpoint.
        path: PathBuf,
        /// The game that it names.
        game: String,
    },
    /// The file is not valid.
    #[error("{}: {source}", path.display())]
    File {
        /// The file, or the name of a bot that ships with the project.
        path: PathBuf,
        /// Why it cannot be read.
        source: FileError,
    },
    /// The levels are not valid.
    #[error(transparent)]
    Levels(#[from] LevelError),
    /// The name does not name one bot.
    #[error(transparent)]
    Address(#[from] AddressError),
}

/// All bots that clients may name.
pub(crate) struct BotCatalog {
    /// The networks by name, each with its game.
    networks: BTreeMap<String, (&'static str, Trained)>,
    tries: u32,
}

impl BotCatalog {
    /// Offers the built-in bots, the shipped bots, and `named`. A named bot replaces a shipped bot of the same name. A
    /// search has at most `tries` playouts per decision.
    pub(crate) fn new(
        games: &[&'static dyn AnyGame],
        named: &[NamedNetwork],
        tries: u32,
    ) -> Result<Self, CatalogError> {
        let mut networks = BTreeMap::new();
        for NamedNetwork { name, path } in named {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let is_taken = name == TRAINED || BUILT_IN.contains(&name.as_str());
            if name.is_empty() || !name.chars().all(plain) || is_taken {
                return Err(CatalogError::Name(name.clone()));
            }
            if networks.insert(name.clone(), read(games, path)?).is_some() {
                return Err(CatalogError::Twice(name.clone()));
            }
        }
        for bot in SHIPPED.iter().filter(|bot| !networks.contains_key(bot.game)).collect::<Vec<_>>() {
            let Some(game) = games.iter().find(|game| game.name() == bot.game) else { continue };
            networks.insert(bot.game.to_owned(), (game.name(), in_program(*game, bot)?));
        }
        Ok(Self { networks, tries })
    }

    /// Returns the names of the bots that clients may use for a game.
    pub(crate) fn names(&self, game: &str) -> Vec<String> {
        let networks = self.networks.iter().filter(|(_, (plays, _))| *plays == game);
        BUILT_IN.iter().map(|name| (*name).to_owned()).chain(networks.map(|(name, _)| name.clone())).collect()
    }

    /// Returns the bot named `given`: a built-in bot, a network `NAME`, a network at a level `NAME@4`, or a search. A
    /// search has a number of playouts, and optionally the name of a network: `search:400+NAME`. Networks sample their
    /// moves at `temperature`; at 0 they play the most probable move.
    pub(crate) fn player(
        &self,
        given: &str,
        game: &dyn AnyGame,
        temperature: f32,
    ) -> Result<Player, Refusal> {
        let resolved = bots::resolved(given, game.name());
        let given = resolved.as_ref();
        let none = || self.no_bot(given, game);
        let network = |name: &str| {
            let found = self.networks.get(name).filter(|(plays, _)| *plays == game.name());
            found.map(|(_, trained)| trained).ok_or_else(none)
        };
        if is_search(given) {
            let spec = Spec::read(given).map_err(|_| none())?;
            let tries = spec.simulations.unwrap_or(DEFAULT_SIMULATIONS);
            if spec.time.is_some() || tries > self.tries {
                return Err(none());
            }
            let settings = spec.settings(Budget::Simulations(tries));
            let Some(name) = spec.net else { return Ok(Player::search(given, settings)) };
            let trained = network(name)?;
            let beliefs = match spec.beliefs {
                true => Some(trained.beliefs().cloned().ok_or_else(none)?),
                false => None,
            };
            return Ok(trained.search(given, SearchSettings { beliefs, ..settings }));
        }
        if BUILT_IN.contains(&given) {
            return bots::load(given, game, temperature).map_err(|_| none());
        }
        match given.split_once('@') {
            None => Ok(network(given)?.player(given, temperature)),
            Some((name, level)) => {
                if self.tries(given) > self.tries {
                    return Err(none());
                }
                let level = level.parse().map_err(|_| none())?;
                network(name)?.at_level(given, level, 1).map_err(|_| none())
            }
        }
    }

    /// Returns the playouts that a decision of this bot costs; 1 for bots that do not search.
    pub(crate) fn tries(&self, given: &str) -> u32 {
        if is_search(given) {
            return Spec::read(given).ok().and_then(|spec| spec.simulations).unwrap_or(DEFAULT_SIMULATIONS);
        }
        let Some((name, level)) = given.split_once('@') else { return 1 };
        // `trained` is another bot for each game. The most expensive one counts.
        let named = self.networks.iter().filter(|(known, (game, _))| match name {
            TRAINED => known.as_str() == *game,
            name => known.as_str() == name,
        });
        let levels = named.filter_map(|(_, (_, bot))| bot.levels()?.level(level.parse().ok()?).ok());
        levels.map(|level| level.simulations).max().unwrap_or_default().max(1)
    }

    /// Returns an estimate of the time of a decision of this bot, in playouts; 1 for bots that do not search. The endgame
    /// solver of the highest level counts as a search.
    pub(crate) fn cost(&self, given: &str) -> u32 {
        /// The solver needs as long as a hundred times more playouts at most, and much less for most decisions.
        const SOLVER: u32 = 200;
        let level = given.split_once('@').and_then(|(_, level)| level.parse().ok());
        if level == Some(levels::LEVELS) { self.tries(given).max(SOLVER) } else { self.tries(given) }
    }

    fn no_bot(&self, given: &str, game: &dyn AnyGame) -> Refusal {
        let names = self.names(game.name()).join(", ");
        let expected = format!(
            "{names}; a trained bot may have a level, like NAME@4, and a search 1 to {} playouts and a network, like \
             search:400+NAME",
            self.tries
        );
        Refusal::NoBot { given: given.chars().take(80).collect(), game: game.name().to_owned(), expected }
    }
}

/// Returns a shipped bot with its levels, and with its belief model if it has one.
fn in_program(game: &dyn AnyGame, bot: &Shipped) -> Result<Trained, CatalogError> {
    let refused = |source| CatalogError::File { path: bot.game.into(), source };
    let trained = Trained::from_bytes(game, bot.network).map_err(refused)?.with_levels(bot.levels)?;
    match bot.beliefs {
        Some(model) => trained.with_beliefs(game, model).map_err(refused),
        None => Ok(trained),
    }
}

/// Reads the network in a bundle, checkpoint or bot file, or of a shipped or installed bot, with its levels and its
/// belief model if it has any. Also returns the name of its game.
fn read(games: &[&'static dyn AnyGame], path: &Path) -> Result<(&'static str, Trained), CatalogError> {
    let place = path.to_str().map(registry::place).transpose()?;
    let named = |name: &str| games.iter().copied().find(|game| game.name() == name);
    let unknown =
        |path: &Path, game: &str| CatalogError::Game { path: path.to_owned(), game: game.to_owned() };
    if let Some(bot) = place.as_ref().and_then(BotLocation::shipped) {
        let game = named(bot.game).ok_or_else(|| unknown(path, bot.game))?;
        return Ok((game.name(), in_program(game, bot)?));
    }
    let path = place.as_ref().and_then(BotLocation::path).unwrap_or(path);
    let file = if path.is_dir() { path.join(bots::FILE) } else { path.to_owned() };
    if !file.is_file() {
        if let Some(spec) = path.to_str().filter(|path| path.starts_with(PREFIX)) {
            return Err(CatalogError::Program(spec.to_owned()));
        }
        return Err(CatalogError::Missing(path.to_owned()));
    }
    let refused = |source| CatalogError::File { path: file.clone(), source };
    let (header, net) = file::read(&file).map_err(refused)?;
    let game = named(&header.game).ok_or_else(|| unknown(&file, &header.game))?;
    let trained = Trained::new(game, header, net).map_err(refused)?;
    let trained = if levels::path(path).exists() { trained.with_levels_beside(path)? } else { trained };
    let trained = trained.with_beliefs_beside(game, path).map_err(refused)?;
    Ok((game.name(), trained))
}
