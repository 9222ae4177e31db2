//! Replays: a session as its rules, seed and action ids, with the first deal if it was chosen.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::{ActionId, seed};
use crate::game::{DealError, Game};
use crate::runtime::table::{AnyTable, MoveError, Table};

/// Why a session cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// No session can start with the chosen deal.
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

/// A session as its rules, its seed and the actions played in order. Each later round is dealt as soon as the round
/// before it is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Replay<G: Game> {
    /// The rules of the session.
    pub rules: G::Rules,
    /// The seed of the session, from 0 to 2^53 - 1.
    #[serde(deserialize_with = "seed::read")]
    pub seed: u64,
    /// The deal of the first round, if it was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal: Option<Value>,
    /// Every action, forced ones included.
    pub actions: Vec<ActionId>,
}

impl<G: Game> Replay<G> {
    /// Creates a new table, before the first action.
    ///
    /// # Errors
    /// No session can start with the chosen deal.
    pub fn begin(&self) -> Result<Table<G>, DealError> {
        match &self.deal {
            None => Ok(Table::new(self.rules, self.seed)),
            Some(deal) => Table::of(self.rules, self.seed, deal),
        }
    }

    /// Plays the actions on a new table.
    ///
    /// # Errors
    /// The chosen deal is refused, or an action is illegal; the error has the number (from 0) of the first such
    /// action.
    pub fn table(&self) -> Result<Table<G>, ReplayError> {
        let mut table = self.begin()?;
        for (number, &action) in self.actions.iter().enumerate() {
            AnyTable::deal_next(&mut table);
            table.try_play(action).map_err(|error| ReplayError::Move { number, error })?;
        }
        Ok(table)
    }
}
