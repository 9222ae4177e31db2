//! Failures of `exec:` bots.

use cardsharp_bot::Bot;
#[cfg(feature = "train")]
use cardsharp_bot::Player;
use cardsharp_bot::bot::Fault;

/// The error for a bot process that did not choose its own move.
#[derive(Debug, thiserror::Error)]
#[error("the bot `{name}` failed: {fault}")]
pub(crate) struct Failed {
    name: String,
    fault: Box<Fault>,
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
