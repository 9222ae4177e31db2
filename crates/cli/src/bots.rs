//! Bots named on the command line, their failures, and their advice as JSON.

use std::io::Write;
use std::path::{Path, PathBuf};

#[cfg(feature = "train")]
use cardsharp_bot::Player;
use cardsharp_bot::bot::Fault;
use cardsharp_bot::bots::program::ProgramLog;
use cardsharp_bot::bots::registry::{self, BotLocation};
use cardsharp_bot::bots::search::{Budget, DEFAULT_SIMULATIONS, SearchSettings, Spec, is_search};
use cardsharp_bot::bots::{FILE, any_network, path_of, resolved, search_settings, shipped};
use cardsharp_bot::disk;
use cardsharp_bot::file::{self, FileError, Header};
use cardsharp_bot::{Advice, Bot, LoadOptions, Net, OpenError, Ranked};
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, AnyGame, GameRules};
use cardsharp_text::escape;
use serde::Serialize;

use crate::error::{CliError, Failure};
use crate::games;

/// Returns the name of the search that judges moves of a game, and its settings. `by` is the value of the option `--by`.
pub(crate) fn judge(
    by: Option<&str>,
    game: &dyn AnyGame,
    threads: usize,
) -> Result<(String, SearchSettings), CliError> {
    let by = match by {
        Some(by) => resolved(by, game.name()).into_owned(),
        None if shipped(game.name()).is_some() => format!("search:{DEFAULT_SIMULATIONS}+{}", game.name()),
        None => format!("search:{DEFAULT_SIMULATIONS}"),
    };
    let refuse = |expected: String| CliError::Option { option: "--by", given: by.clone(), expected };
    if !is_search(&by) {
        return Err(refuse("expected `search`, `search:N` or `search:N+BOT`".to_owned()));
    }
    let spec = Spec::read(&by).map_err(|error| refuse(error.to_string()))?;
    if spec.time.is_some() {
        return Err(refuse(
            "expected a number of playouts, not a time, so that results are deterministic".to_owned(),
        ));
    }
    let budget = Budget::Simulations(spec.simulations.unwrap_or(DEFAULT_SIMULATIONS));
    let settings = search_settings(&spec, budget, game)?;
    Ok((by.clone(), SearchSettings { threads, ..settings }))
}

/// Repeats the names in `names` until there are `seats` of them.
pub(crate) fn around(names: &[String], seats: usize) -> Vec<String> {
    names.iter().cycle().take(seats).cloned().collect()
}

/// Replaces `trained` in these names by the bot that ships for `game`.
pub(crate) fn all_resolved(names: &[String], game: &dyn AnyGame) -> Vec<String> {
    names.iter().map(|name| resolved(name, game.name()).into_owned()).collect()
}

/// Opens the bots of these names, each with its own random stream under `seed`.
pub(crate) fn open_all(
    names: &[String],
    game: &dyn AnyGame,
    means: &LoadOptions,
    seed: u64,
) -> Result<Vec<Box<dyn Bot>>, OpenError> {
    let open = |(seat, name): (usize, &String)| {
        cardsharp_bot::open_with(name, game, means, derive(seed, &[seat as u64]))
    };
    names.iter().enumerate().map(open).collect()
}

/// Checks that the log of `exec:` bots was written in full, if there is one.
pub(crate) fn check_log() -> Result<(), CliError> {
    let Some(log) = ProgramLog::kept() else { return Ok(()) };
    match log.take_error() {
        None => Ok(()),
        Some(source) => Err(CliError::Write { path: log.path().to_owned(), source }),
    }
}

/// Returns where the bot is that `path` names: in the program, installed, or at that path.
pub(crate) fn place(path: &Path) -> Result<BotLocation, CliError> {
    let named = path.to_str().map(registry::place).transpose().map_err(OpenError::from)?;
    Ok(named.unwrap_or_else(|| BotLocation::Path(path.to_owned())))
}

/// Reads the network of a bundle, a checkpoint or a bot file, or of the shipped or installed bot of this name.
pub(crate) fn read(path: &Path) -> Result<(Header, Net), CliError> {
    let path = match place(path)? {
        BotLocation::Path(path) => path,
        BotLocation::Shipped(bot) => {
            let refused = |source| CliError::BotFile { path: path.to_owned(), source };
            return file::from_bytes(bot.network).map_err(refused);
        }
    };
    let file: PathBuf = if path.is_dir() { path.join(FILE) } else { path };
    file::read(&file).map_err(|source| {
        let source = match source {
            FileError::Io { path, source } => FileError::Io { source: disk::unopened(&path, source), path },
            source => source,
        };
        CliError::BotFile { path: file, source }
    })
}

/// Returns the game that a bot was trained for. `None` for bots that play any game, and if the bot or game does not
/// exist: opening the bot reports that.
pub(crate) fn game_of(name: &str) -> Option<&'static dyn AnyGame> {
    let network = path_of(name)?;
    match shipped(network) {
        Some(bot) => games::game(bot.game),
        None => games::game(&any_network(network).ok()?.0.game),
    }
}

/// Warns on standard error, once for each network, about rules that it was not trained with: it may play badly.
pub(crate) fn warn_of_strange_rules<'n>(names: impl IntoIterator<Item = &'n String>, rules: &GameRules) {
    let mut networks: Vec<&str> = names.into_iter().filter_map(|name| path_of(name)).collect();
    networks.sort_unstable();
    networks.dedup();
    for name in networks {
        // Opening the bot reports why it cannot be read.
        let Ok((header, _)) = any_network(name) else { continue };
        let strange: Vec<String> = header.strange(rules).iter().map(ToString::to_string).collect();
        if !strange.is_empty() {
            let text = format!("warning: {name} was not trained with these rules: {}", strange.join("; "));
            // Ignore errors: the terminal may be closed.
            let _ = writeln!(std::io::stderr(), "{}", escape::page(&text));
        }
    }
}

/// The error for a bot process that did not choose its own move.
#[derive(Debug, thiserror::Error)]
#[error("the bot `{name}` failed: {fault}")]
pub(crate) struct Failed {
    name: String,
    fault: Box<Fault>,
}

impl Failure for Failed {
    fn code(&self) -> u8 {
        1
    }
}

/// Returns an error if the bot failed since the last call. After a failure its moves are random.
pub(crate) fn check(bot: &mut dyn Bot) -> Result<(), Failed> {
    match bot.take_fault() {
        None => Ok(()),
        Some(fault) => Err(Failed { name: bot.name().to_owned(), fault: Box::new(fault) }),
    }
}

/// Like [`check`], for the first fault of any bot of this player.
#[cfg(feature = "train")]
pub(crate) fn check_player(player: &Player) -> Result<(), Failed> {
    match player.first_fault() {
        None => Ok(()),
        Some(fault) => Err(Failed { name: player.name().to_owned(), fault: Box::new(fault) }),
    }
}

/// A bot's advice for one position as JSON. Numbers keep the precision in which the bot computes them.
#[derive(Serialize)]
pub(crate) struct AdviceJson {
    /// The expected reward; `None` if the bot does not estimate it.
    value: Option<f32>,
    /// All legal moves, the best first.
    moves: Vec<MoveJson>,
}

/// A legal move and the probability that the bot plays it.
#[derive(Serialize)]
struct MoveJson {
    r#move: String,
    action: ActionId,
    probability: f64,
    /// The expected reward of the move; `None` if the bot does not estimate it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f32>,
}

impl AdviceJson {
    /// Converts `advice`, and names its moves with `label`.
    pub(crate) fn new(label: impl Fn(ActionId) -> String, advice: &Advice) -> Self {
        let named = |&Ranked { action, probability, value }| MoveJson {
            r#move: label(action),
            action,
            probability,
            value,
        };
        Self { value: advice.value, moves: advice.moves.iter().map(named).collect() }
    }
}
