//! Functions of rules that browsers do not have: enumeration, speed measurements, and sessions that continue.

use serde::Deserialize;
use serde_json::Value;

use super::{Checked, GameRules};
use crate::base::rules::Rules;
use crate::game::{Game, PossibleDeal};
use crate::runtime::enumerate::{AnyTree, EnumerateError, Explored};
use crate::runtime::speed;
use crate::runtime::table::{AnyTable, Table};

/// The type-erased form of these functions.
pub trait NativeRules {
    fn random_play(&self, seed: u64, decisions: u64, with_row: bool) -> u64;
    fn deals(&self) -> Option<Vec<(f64, Value)>>;
    fn enumerate(&self, most: u64) -> Result<Box<dyn AnyTree>, EnumerateError>;
    fn enumerate_endgame(&self, cards: &Value, most: u64) -> Result<Box<dyn AnyTree>, EnumerateError>;
    fn resumed(&self, seed: u64, round: u32, standing: &Value, steps: usize) -> Option<Box<dyn AnyTable>>;
}

impl<G: Game> NativeRules for Checked<G> {
    fn random_play(&self, seed: u64, decisions: u64, with_row: bool) -> u64 {
        speed::random_play::<G>(self.rules, seed, decisions, with_row)
    }
    fn deals(&self) -> Option<Vec<(f64, Value)>> {
        let entry =
            |deal: PossibleDeal<G>| (deal.probability, deal.round.describe_deal().unwrap_or_default());
        G::deals(&self.rules).map(|deals| deals.into_iter().map(entry).collect())
    }
    fn enumerate(&self, most: u64) -> Result<Box<dyn AnyTree>, EnumerateError> {
        Ok(Box::new(Explored::<G>::new(self.rules, most)?))
    }
    fn enumerate_endgame(&self, cards: &Value, most: u64) -> Result<Box<dyn AnyTree>, EnumerateError> {
        Ok(Box::new(Explored::<G>::endgame(self.rules, cards, most)?))
    }
    fn resumed(&self, seed: u64, round: u32, standing: &Value, steps: usize) -> Option<Box<dyn AnyTable>> {
        let standing = G::SessionState::deserialize(standing).ok()?;
        let exists = (1..=self.rules.rounds()).contains(&round);
        exists.then(|| {
            Box::new(Table::<G>::resumed(self.rules, seed, round, standing, steps)) as Box<dyn AnyTable>
        })
    }
}

impl GameRules {
    /// Plays `decisions` random legal moves for a speed measurement; see [`speed::random_play`].
    pub fn random_play(&self, seed: u64, decisions: u64, with_row: bool) -> u64 {
        self.0.random_play(seed, decisions, with_row)
    }
    /// Returns every deal of a session's first round with its probability, in the form that [`GameRules::table_of`]
    /// takes. `None` for a game with too many deals to list.
    pub fn deals(&self) -> Option<Vec<(f64, Value)>> {
        self.0.deals()
    }
    /// Enumerates the first round of a session completely; see [`crate::enumerate`].
    ///
    /// # Errors
    /// The round has more than `most` decisions and ends.
    pub fn enumerate(&self, most: u64) -> Result<Box<dyn AnyTree>, EnumerateError> {
        self.0.enumerate(most)
    }
    /// Enumerates an endgame completely. `cards` selects it, as [`Deals::endgame`](crate::game::Deals::endgame)
    /// describes.
    ///
    /// # Errors
    /// `cards` is not an endgame, or the endgame has more than `most` decisions and ends.
    pub fn enumerate_endgame(&self, cards: &Value, most: u64) -> Result<Box<dyn AnyTree>, EnumerateError> {
        self.0.enumerate_endgame(cards, most)
    }
    /// Continues a session right after the deal of a round, without the moves before it. Takes the rules, the
    /// [standing](AnyTable::standing), the number of the round and the number of steps of that moment. The table has no
    /// history. `None` if the game has no such standing or the session no such round.
    pub fn resumed(
        &self,
        seed: u64,
        round: u32,
        standing: &Value,
        steps: usize,
    ) -> Option<Box<dyn AnyTable>> {
        self.0.resumed(seed, round, standing, steps)
    }
}
