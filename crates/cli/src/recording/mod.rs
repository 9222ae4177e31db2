//! Sessions that are played to their end and produce lines.
//!
//! The lines are documented in `docs/trace.md` and `docs/protocol.md`. Writing a trace and checking one are two
//! [`Recorder`]s of the same loop.

pub(crate) mod played;
pub(crate) mod replay;

use cardsharp_env::log::Line;
use cardsharp_env::table::MoveError;
use cardsharp_env::{ActionId, AnyTable, Audience};

/// Chooses the moves of a session, and receives its lines.
pub(crate) trait Recorder {
    /// Why the recorder stopped.
    type Error: From<MoveError>;

    /// Returns the move of the seat that must act.
    fn choose(&mut self, table: &dyn AnyTable) -> Result<ActionId, Self::Error>;

    /// Receives the next line.
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
        tell(table, to, recorder)?;
        while table.turn().is_some() {
            table.try_play(recorder.choose(table)?)?;
            tell(table, to, recorder)?;
        }
        if !table.deal_next() {
            return Ok(());
        }
    }
}

fn tell<R: Recorder>(table: &mut dyn AnyTable, to: Audience, recorder: &mut R) -> Result<(), R::Error> {
    table.told(table.steps(), to).iter().try_for_each(|line| recorder.line(line))?;
    recorder.happened(table);
    table.forget(table.steps());
    Ok(())
}
