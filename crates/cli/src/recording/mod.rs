//! Sessions that are played to their end and produce lines.
//!
//! The lines are documented in `docs/trace.md` and `docs/protocol.md`. Writing a trace and checking one are two
//! [`Recorder`]s of the same loop.

pub(crate) mod replay;

use cardsharp_bot::Bot;
use cardsharp_bot::bot::tell;
use cardsharp_env::log::Line;
use cardsharp_env::table::MoveError;
use cardsharp_env::{ActionId, AnyTable, Audience, Seat};

use crate::bots::{self, Failed};

/// Chooses the moves of a session, and receives its lines.
pub(crate) trait Recorder {
    type Error: From<MoveError>;

    /// Returns the move of the seat that must act.
    fn choose(&mut self, table: &dyn AnyTable) -> Result<ActionId, Self::Error>;

    fn line(&mut self, line: &Line) -> Result<(), Self::Error>;

    /// Called after each step, when its lines are complete.
    fn happened(&mut self, _table: &dyn AnyTable) {}
}

/// Plays a new session at `table` to its end, and passes the lines for the audience `to` to the recorder, without the
/// header. The table stores only its last step, so that memory does not grow with the number of rounds.
pub(crate) fn record<R: Recorder>(
    table: &mut dyn AnyTable,
    to: Audience,
    recorder: &mut R,
) -> Result<(), R::Error> {
    loop {
        pass_lines(table, to, recorder)?;
        while table.turn().is_some() {
            table.try_play(recorder.choose(table)?)?;
            pass_lines(table, to, recorder)?;
        }
        if !table.deal_next() {
            return Ok(());
        }
    }
}

fn pass_lines<R: Recorder>(table: &mut dyn AnyTable, to: Audience, recorder: &mut R) -> Result<(), R::Error> {
    table.lines(table.steps(), to).iter().try_for_each(|line| recorder.line(line))?;
    recorder.happened(table);
    table.forget(table.steps());
    Ok(())
}

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
        bots::check(bot)?;
        Ok(action)
    }

    fn line(&mut self, line: &Line) -> Result<(), E> {
        (self.take)(line)
    }

    fn happened(&mut self, table: &dyn AnyTable) {
        for (seat, (bot, received)) in self.bots.iter_mut().enumerate() {
            tell(bot.as_mut(), 0, Seat(seat as u8), table, received);
        }
    }
}
