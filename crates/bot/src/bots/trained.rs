//! A network that plays a game, with its levels, and players made from it. It is read from bytes or from the disk.

use std::path::Path;
use std::sync::Arc;

use cardsharp_env::AnyGame;

use super::levels::{LEVELS, Level, LevelError, Levels};
use super::registry::BotLocation;
use super::search::{Budget, SearchSettings};
use super::{OpenError, Player, model, model_file, network};
use crate::beliefs::Model;
use crate::endgame_solver::DEFAULT_POSITIONS;
use crate::file::{self, FileError, Header};
use crate::net::Net;

/// A network that plays a game.
///
/// ```
/// use cardsharp_bot::bots::Trained;
/// use cardsharp_bot::bots::search::{Budget, SearchSettings};
/// use cardsharp_env::game;
///
/// let taki = game("taki").expect("one of the games");
/// # let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints/taki/bot");
/// # let read = |file: &str| std::fs::read(folder.join(file)).expect("a file of the bundle");
/// // However they came here.
/// let (network, levels): (Vec<u8>, Vec<u8>) = (read("bot.safetensors"), read("levels.json"));
/// let trained = Trained::from_bytes(taki, &network)?.with_levels(&levels)?;
/// let players = [
///     trained.player("best", 0.0),
///     trained.at_level("fair", 4, 1)?,
///     trained.search("deep", SearchSettings::new(Budget::Simulations(100), None)),
/// ];
/// let table = taki.default_rules().table(7);
/// let view = table.asked().expect("a round that was just dealt");
/// for player in players {
///     assert!(table.legal().contains(&player.bot(1).pick(view)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trained {
    header: Header,
    net: Arc<Net>,
    levels: Option<Levels>,
    beliefs: Option<Arc<Model>>,
}

impl Trained {
    /// Creates a trained bot for `game` from the content of a bot file, which every bundle has.
    ///
    /// # Errors
    /// The bytes are not a bot file, or the network cannot play the game.
    pub fn from_bytes(game: &dyn AnyGame, network: &[u8]) -> Result<Self, FileError> {
        let (header, net) = file::from_bytes(network)?;
        Self::new(game, header, net)
    }

    /// Creates a trained bot for `game` from a header and a network.
    ///
    /// # Errors
    /// The network cannot play the game.
    pub fn new(game: &dyn AnyGame, header: Header, net: Net) -> Result<Self, FileError> {
        header.fits(game)?;
        Ok(Self::of(header, net))
    }

    /// Reads a shipped bot, a bot file or a folder with one. Does not read its levels.
    pub(super) fn read(spec: &str, game: &dyn AnyGame) -> Result<Self, OpenError> {
        network(spec, game).map(|(header, net)| Self::of(header, net))
    }

    fn of(header: Header, net: Net) -> Self {
        Self { header, net: Arc::new(net), levels: None, beliefs: None }
    }

    /// Adds the levels, from the content of a bundle's `levels.json`.
    ///
    /// # Errors
    /// The bytes are not such a file, or its bot plays another game.
    pub fn with_levels(self, levels: &[u8]) -> Result<Self, LevelError> {
        let levels = Levels::from_bytes(levels)?;
        self.having(levels, Path::new(super::levels::FILE))
    }

    /// Adds the levels of the bot at this place.
    pub(super) fn with_levels_at(self, place: &BotLocation) -> Result<Self, LevelError> {
        match place {
            BotLocation::Shipped(bot) => self.with_levels(bot.levels),
            BotLocation::Path(path) => self.with_levels_beside(path),
        }
    }

    /// Adds the levels from the folder of the network. `path` is that of a bundle, checkpoint or bot file.
    ///
    /// # Errors
    /// There is no such file, it is not a file of levels, or its bot plays another game.
    pub fn with_levels_beside(self, path: &Path) -> Result<Self, LevelError> {
        let levels = Levels::read(path)?;
        self.having(levels, &super::levels::path(path))
    }

    fn having(self, levels: Levels, path: &Path) -> Result<Self, LevelError> {
        if levels.game != self.header.game {
            let problem =
                format!("the levels of a bot for `{}`: this one plays `{}`", levels.game, self.header.game);
            return Err(LevelError::Content { path: path.to_owned(), problem });
        }
        Ok(Self { levels: Some(levels), ..self })
    }

    /// Adds the belief model, from the content of a bundle's `beliefs.safetensors`.
    ///
    /// # Errors
    /// The bytes are not such a file, or the model or the network is not for `game`.
    pub fn with_beliefs(self, game: &dyn AnyGame, model: &[u8]) -> Result<Self, FileError> {
        self.header.fits(game)?;
        Ok(Self { beliefs: Some(Arc::new(Model::from_bytes(game, model)?)), ..self })
    }

    /// Adds the belief model of the shipped bot that `spec` names, or that in the folder of the network at that path.
    pub(super) fn with_beliefs_of(self, game: &dyn AnyGame, spec: &str) -> Result<Self, OpenError> {
        Ok(Self { beliefs: Some(Arc::new(model(spec, game)?)), ..self })
    }

    /// Adds the belief model from the folder of the network, if there is one. `path` is that of a bundle, checkpoint or
    /// bot file.
    ///
    /// # Errors
    /// The file cannot be read, or as for [`Trained::with_beliefs`].
    pub fn with_beliefs_beside(self, game: &dyn AnyGame, path: &Path) -> Result<Self, FileError> {
        let file = model_file(path);
        if file.exists() { self.with_beliefs(game, &file::content(&file)?) } else { Ok(self) }
    }

    /// Returns the header of the network's file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the network, which all bots of this player share.
    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// Returns its levels, if they were loaded.
    pub fn levels(&self) -> Option<&Levels> {
        self.levels.as_ref()
    }

    /// Returns its belief model, if it was loaded.
    pub fn beliefs(&self) -> Option<&Arc<Model>> {
        self.beliefs.as_ref()
    }

    /// Returns a player of the network at a temperature, as [`Player::network`] does.
    pub fn player(&self, name: impl Into<String>, temperature: f32) -> Player {
        Player::network(name, self.net.clone(), self.header.outputs, temperature)
    }

    /// Returns a player of the network at a level, from 1. The highest level uses the endgame solver
    /// ([`EndgameBot`](super::EndgameBot)). A search uses `threads` threads.
    ///
    /// # Errors
    /// There is no such level, or no levels were loaded.
    pub fn at_level(&self, name: impl Into<String>, level: u8, threads: usize) -> Result<Player, LevelError> {
        let given = self.levels.as_ref().ok_or(LevelError::Unmeasured)?.level(level)?;
        let player = self.playing(given, name, threads)?;
        Ok(if level == LEVELS { player.with_endgame_solver(DEFAULT_POSITIONS) } else { player })
    }

    /// Returns a player of the network at a level below the highest. A search uses `threads` threads.
    ///
    /// # Errors
    /// The level needs a belief model, and none was loaded.
    pub fn playing(
        &self,
        level: &Level,
        name: impl Into<String>,
        threads: usize,
    ) -> Result<Player, LevelError> {
        if level.simulations == 0 {
            return Ok(self.player(name, level.temperature));
        }
        let beliefs = match level.beliefs {
            true => Some(self.beliefs.clone().ok_or(LevelError::NoModel)?),
            false => None,
        };
        let settings = SearchSettings::new(Budget::Simulations(level.simulations), None);
        let play_only = level.play_only;
        Ok(self.search(name, SearchSettings { threads, beliefs, play_only, ..settings }))
    }

    /// Returns a search with this network, which replaces the network in `settings`.
    pub fn search(&self, name: impl Into<String>, settings: SearchSettings) -> Player {
        Player::search(name, SearchSettings { net: Some(Arc::clone(&self.net)), ..settings })
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_env::GAMES;

    use super::*;
    use crate::bots::tests::{header, net};

    #[test]
    fn bytes_and_files_make_the_same_players_and_refuse_the_same() {
        let (game, other) = (GAMES[0], GAMES[1]);
        let net = net(game, 3);
        let bytes = file::to_bytes(&header(game, &net), &net).unwrap();
        let trained = Trained::from_bytes(game, &bytes).unwrap();
        assert_eq!((trained.net().layers(), trained.levels()), (net.layers(), None));
        let foreign = Trained::from_bytes(other, &bytes).unwrap_err().to_string();
        assert_eq!(foreign, format!("the bot plays `{}`, not `{}`", game.name(), other.name()));
        let none = trained.at_level("net", 1, 1).unwrap_err().to_string();
        assert_eq!(none, "the bot has no levels: also pass the `levels.json` of its bundle");
        let refused = trained.clone().with_levels(b"{}").unwrap_err().to_string();
        assert!(refused.starts_with("levels.json: not a file of levels"), "{refused}");
    }

    #[test]
    fn a_level_that_believes_asks_the_model_of_its_bundle() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/dalmuti/bot/");
        let read = |file: &str| std::fs::read(format!("{folder}{file}")).unwrap();
        let game = cardsharp_env::game("dalmuti").unwrap();
        let trained = Trained::from_bytes(game, &read("bot.safetensors")).unwrap();
        let plain = Level { simulations: 30, ..Level::default() };
        let level = Level { beliefs: true, ..plain };
        let refused = trained.playing(&level, "net", 1).unwrap_err().to_string();
        assert_eq!(
            refused,
            "this level needs a belief model: also pass the `beliefs.safetensors` of the bundle"
        );
        let model = read("beliefs.safetensors");
        assert!(trained.clone().with_beliefs(GAMES[0], &model).is_err(), "another game");
        let trained = trained.with_beliefs(game, &model).unwrap();
        let beliefs = trained.beliefs().cloned();
        let settings = SearchSettings { beliefs, ..SearchSettings::new(Budget::Simulations(30), None) };
        let mut bots = [
            trained.playing(&level, "level", 1).unwrap(),
            trained.search("search", settings),
            trained.playing(&plain, "plain", 1).unwrap(),
        ]
        .map(|player| player.bot(1));
        let mut table = game.default_rules().table(7);
        let mut differ = false;
        for _ in 0..20 {
            let Some(view) = table.asked() else { break };
            let [level, search, plain] = bots.each_mut().map(|bot| bot.advise(view).moves);
            assert_eq!(level, search);
            differ |= level != plain;
            let pick = bots[0].pick(view);
            table.try_play(pick).unwrap();
        }
        assert!(differ, "beliefs tell deals apart");
    }

    #[test]
    fn levels_of_another_game_are_refused() {
        let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/taki/bot/levels.json");
        let levels = std::fs::read(shipped).unwrap();
        let taki = cardsharp_env::game("taki").unwrap();
        let dalmuti = cardsharp_env::game("dalmuti").unwrap();
        let trained = |game: &dyn AnyGame| {
            let net = net(game, 3);
            Trained::from_bytes(game, &file::to_bytes(&header(game, &net), &net).unwrap()).unwrap()
        };
        let fitting = trained(taki).with_levels(&levels).unwrap();
        assert_eq!(fitting.at_level("net", 10, 1).unwrap().name(), "net");
        assert_eq!(
            fitting.at_level("net", 0, 1).unwrap_err().to_string(),
            "there is no level `0`: expected 1 to 10"
        );
        let refused = trained(dalmuti).with_levels(&levels).unwrap_err().to_string();
        assert_eq!(refused, "levels.json: the levels of a bot for `taki`: this one plays `dalmuti`");
    }
}
