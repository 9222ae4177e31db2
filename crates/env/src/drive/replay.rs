//! Replays: rules, seed and action ids are the whole of a session, with the cards that somebody chose for its first round.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::drive::table::{AnyTable, MoveError, Table};
use crate::game::{DealError, Game};
use crate::ground::{ActionId, seed};

/// Why a session cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// It cannot begin with what was chosen.
    #[error("deal: {0}")]
    Deal(#[from] DealError),
    /// An action is not legal.
    #[error("action {number}: {error}")]
    Move {
        /// The number of the action, from 0.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
}

/// A session as its rules, its seed and the actions played in order. Rounds after the first are
/// dealt as soon as the one before is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Replay<G: Game> {
    /// The rules of the session.
    pub rules: G::Rules,
    /// The seed of the session, from 0 to 2^53 - 1.
    #[serde(deserialize_with = "seed::read")]
    pub seed: u64,
    /// What was dealt in the first round, where somebody chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal: Option<Value>,
    /// Every action, forced ones included.
    pub actions: Vec<ActionId>,
}

impl<G: Game> Replay<G> {
    /// A fresh table, before the first action.
    ///
    /// # Errors
    /// The session cannot begin with what was chosen.
    pub fn begin(&self) -> Result<Table<G>, DealError> {
        match &self.deal {
            None => Ok(Table::new(self.rules, self.seed)),
            Some(deal) => Table::of(self.rules, self.seed, deal),
        }
    }

    /// Plays the actions on a fresh table.
    ///
    /// # Errors
    /// The session cannot begin so, or the number (from 0) of the first action that is not legal, and why.
    pub fn table(&self) -> Result<Table<G>, ReplayError> {
        let mut table = self.begin()?;
        for (number, &action) in self.actions.iter().enumerate() {
            AnyTable::deal_next(&mut table);
            table.try_play(action).map_err(|error| ReplayError::Move { number, error })?;
        }
        Ok(table)
    }
}
