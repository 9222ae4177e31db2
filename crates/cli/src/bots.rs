//! Bots named on the command line.

use std::io::Write;
use std::path::{Path, PathBuf};

use cardsharp_bot::bots::program::Log;
use cardsharp_bot::bots::{FILE, any_network, path_of, shipped};
use cardsharp_bot::disk;
use cardsharp_bot::file::{self, FileError, Header};
use cardsharp_bot::{Bot, Means, Net, OpenError};
use cardsharp_env::rng::derive;
use cardsharp_env::{AnyGame, GameRules};

use crate::error::CliError;
#[cfg(feature = "train")]
pub(crate) use crate::faults::check_player;
pub(crate) use crate::faults::{Failed, check};
use crate::shown;

/// `given`, repeated until there are `seats` names.
pub(crate) fn around(given: &[String], seats: usize) -> Vec<String> {
    given.iter().cycle().take(seats).cloned().collect()
}

/// The bots of these names, each with a random stream of its own under `seed`.
pub(crate) fn open_all(
    names: &[String],
    game: &dyn AnyGame,
    means: &Means,
    seed: u64,
) -> Result<Vec<Box<dyn Bot>>, OpenError> {
    let open = |(seat, name): (usize, &String)| {
        cardsharp_bot::open_with(name, game, means, derive(seed, &[seat as u64]))
    };
    names.iter().enumerate().map(open).collect()
}

/// Whether the log of conversations with programs was written in full, where there is one.
pub(crate) fn check_log() -> Result<(), CliError> {
    let Some(log) = Log::kept() else { return Ok(()) };
    match log.take_error() {
        None => Ok(()),
        Some(source) => Err(CliError::Write { path: log.path().to_owned(), source }),
    }
}

/// The network of a bundle, a checkpoint or a bot file.
pub(crate) fn read(path: &Path) -> Result<(Header, Net), CliError> {
    let file: PathBuf = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    file::read(&file).map_err(|source| {
        let source = match source {
            FileError::Io { path, source } => FileError::Io { source: disk::unopened(&path, source), path },
            source => source,
        };
        CliError::BotFile { path: file, source }
    })
}

/// The game that a bot was trained for; none for those that play any game, and where there is no such
/// bot or game (whoever opens it says why).
pub(crate) fn game_of(name: &str) -> Option<&'static dyn AnyGame> {
    let network = path_of(name)?;
    match shipped(network) {
        Some(bot) => crate::list::game(bot.game),
        None => crate::list::game(&read(Path::new(network)).ok()?.0.game),
    }
}

/// Says on standard error, a line for each bot, which of these rules are strange to it: it may play badly by them. What is no
/// network knows no rules that are.
pub(crate) fn warn_of_strange_rules<'n>(names: impl IntoIterator<Item = &'n String>, rules: &GameRules) {
    let mut networks: Vec<&str> = names.into_iter().filter_map(|name| path_of(name)).collect();
    networks.sort_unstable();
    networks.dedup();
    for name in networks {
        // Whoever opens it says why it cannot be opened.
        let Ok((header, _)) = any_network(name) else { continue };
        let strange: Vec<String> = header.strange(rules).iter().map(ToString::to_string).collect();
        if !strange.is_empty() {
            let text = format!("{name} was not trained by such rules: {}", strange.join("; "));
            // A terminal that was closed takes no message.
            let _ = writeln!(std::io::stderr(), "{}", shown::page(&text));
        }
    }
}
