//! Sessions between bots, as lines.

use cardsharp_bot::Bot;
use cardsharp_bot::bot::tell;
use cardsharp_env::log::Line;
use cardsharp_env::table::MoveError;
use cardsharp_env::{ActionId, AnyTable, Audience, Seat};

use super::{Recorder, record};
use crate::faults::{self, Failed};

/// Plays a new session at `table` to its end, with one bot for each seat and their `names`. Passes the lines for the
/// audience `to` to `take`, starting with the header.
///
/// # Errors
/// A bot process failed. The lines must not attribute random moves to it.
pub(crate) fn play<E: From<MoveError> + From<Failed>>(
    table: &mut dyn AnyTable,
    to: Audience,
    names: Vec<String>,
    bots: Vec<Box<dyn Bot>>,
    mut take: impl FnMut(&Line) -> Result<(), E>,
) -> Result<(), E> {
    take(&table.header(to, names))?;
    let bots = bots.into_iter().map(|bot| (bot, 0)).collect();
    record(table, to, &mut Playing { bots, take })
}

/// Asks the bots for moves, and passes the lines on.
struct Playing<F> {
    /// Per seat: the bot, and how many steps of the table it has received.
    bots: Vec<(Box<dyn Bot>, usize)>,
    take: F,
}

impl<E: From<MoveError> + From<Failed>, F: FnMut(&Line) -> Result<(), E>> Recorder for Playing<F> {
    type Error = E;

    fn choose(&mut self, table: &dyn AnyTable) -> Result<ActionId, E> {
        let view = table.asked().ok_or(MoveError::RoundOver)?;
        let bot = self.bots[view.seat().index()].0.as_mut();
        let action = bot.pick(view);
        faults::check(bot)?;
        Ok(action)
    }

    fn line(&mut self, line: &Line) -> Result<(), E> {
        (self.take)(line)
    }

    fn happened(&mut self, table: &dyn AnyTable) {
        for (seat, (bot, heard)) in self.bots.iter_mut().enumerate() {
            tell(bot.as_mut(), 0, Seat(seat as u8), table, heard);
        }
    }
}
