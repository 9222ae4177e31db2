//! Replays: rules, seed and action ids are the whole of a session.

use serde::{Deserialize, Serialize};

use crate::drive::table::{AnyTable, MoveError, Table};
use crate::game::Game;
use crate::ground::ActionId;

/// A session as its rules, its seed and the actions played in order. Rounds after the first are
/// dealt as soon as the one before is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Replay<G: Game> {
    /// The rules of the session.
    pub rules: G::Rules,
    /// The seed of the session.
    pub seed: u64,
    /// Every action, forced ones included.
    pub actions: Vec<ActionId>,
}

impl<G: Game> Replay<G> {
    /// Plays the actions on a fresh table.
    ///
    /// # Errors
    /// The number (from 0) of the first action that is not legal, and why.
    pub fn table(&self) -> Result<Table<G>, (usize, MoveError)> {
        let mut table = Table::new(self.rules, self.seed);
        for (i, &action) in self.actions.iter().enumerate() {
            AnyTable::deal_next(&mut table);
            table.try_play(action).map_err(|error| (i, error))?;
        }
        Ok(table)
    }
}
