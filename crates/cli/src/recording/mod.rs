//! Traces: a session as lines of JSON with complete information.
//!
//! The format is documented in `docs/trace.md`. [`record`] is the only place that knows the order
//! of the lines; writing a trace and checking one are two [`Recorder`]s of the same walk.

pub(crate) mod lines;
pub(crate) mod replay;

use cardsharp_env::table::MoveError;
use cardsharp_env::{ActionId, AnyTable};

use lines::Line;

/// Decides the moves of a session and takes its lines.
pub(crate) trait Recorder {
    /// Why the recorder gave up.
    type Error: From<MoveError>;

    /// The move of the seat that must act.
    fn choose(&mut self, table: &dyn AnyTable) -> Result<ActionId, Self::Error>;

    /// Takes the next line.
    fn line(&mut self, line: &Line) -> Result<(), Self::Error>;
}

/// Plays the session at `table` (just begun) to its end; the header is the caller's.
pub(crate) fn record<R: Recorder>(table: &mut dyn AnyTable, recorder: &mut R) -> Result<(), R::Error> {
    loop {
        let round = table.round();
        let mut dealt = deal(table, recorder)?;
        events(table, recorder)?;
        while let Some(seat) = table.turn() {
            let action = recorder.choose(table)?;
            recorder.line(&Line::Decision {
                round,
                seat,
                phase: table.phase().to_owned(),
                legal: table.legal().into_iter().map(|a| table.label(a)).collect(),
                choice: table.label(action),
            })?;
            table.try_play(action)?;
            if !dealt {
                dealt = deal(table, recorder)?;
            }
            events(table, recorder)?;
        }
        if let Some(payoff) = table.payoff() {
            recorder.line(&Line::payoff(round, &payoff))?;
        }
        if !table.deal_next() {
            return Ok(());
        }
    }
}

/// Tells what was dealt, if it was; whether it was.
fn deal<R: Recorder>(table: &dyn AnyTable, recorder: &mut R) -> Result<bool, R::Error> {
    let Some(deal) = table.describe_deal() else { return Ok(false) };
    recorder.line(&Line::Deal { round: table.round(), deal })?;
    Ok(true)
}

fn events<R: Recorder>(table: &dyn AnyTable, recorder: &mut R) -> Result<(), R::Error> {
    let round = table.round();
    table.events().into_iter().try_for_each(|event| recorder.line(&Line::Event { round, event }))
}
