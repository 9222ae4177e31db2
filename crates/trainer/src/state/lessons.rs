//! The replay buffer as a file.

use cardsharp_env::ActionId;
use safetensors::SafeTensorError;

use crate::columns::{Columns, Refused, Writer};
use crate::rollout::{Decisions, Lessons, NONE, Widths};

pub(super) fn to_bytes(lessons: &Lessons, widths: Widths) -> Result<Vec<u8>, SafeTensorError> {
    let Widths { cells, words, hidden, actions } = widths;
    let (len, of) = (lessons.len(), &lessons.decisions);
    let played: Vec<u16> = of.actions.iter().map(|action| action.0).collect();
    let mut columns = Writer::default();
    columns.add("actions", &[len], &played);
    columns.add("hidden", &[len, hidden], &of.hidden);
    columns.add("legal", &[len, words], &of.legal);
    columns.add("returns", &[len], &of.rewards);
    columns.add("rows", &[len, cells], &of.rows);
    columns.add("targets", &[len, actions], &lessons.targets);
    columns.file()
}

/// Reads lessons that [`to_bytes`] wrote.
pub(super) fn from_bytes(bytes: &[u8], widths: Widths) -> Result<Lessons, Refused> {
    let Widths { cells, words, hidden, actions } = widths;
    let columns = Columns::read(bytes)?;
    let len = columns.len("actions")?;
    let decisions = Decisions {
        rows: columns.get("rows", &[len, cells])?,
        legal: columns.get("legal", &[len, words])?,
        hidden: columns.get("hidden", &[len, hidden])?,
        actions: columns.get("actions", &[len])?.into_iter().map(ActionId).collect(),
        log_probability: vec![0.0; len],
        values: vec![0.0; len],
        rewards: columns.get("returns", &[len])?,
        next: vec![NONE; len],
        discounts: vec![0.0; len],
    };
    Ok(Lessons { decisions, targets: columns.get("targets", &[len, actions])? })
}
