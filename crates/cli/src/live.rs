//! A session at a table with bots on some seats.
//!
//! Bots decide in batches, people at a table. A [`Lane`] is a batch environment of one lane that
//! plays the same session (same rules, same seed, same moves) beside the table.

use cardsharp_bot::{Ask, Bot};
use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::games::AnyGame;
use cardsharp_env::{ActionId, Batch, BatchEnv, RulesError};
use serde_json::Value;

/// One session seen the way bots see it.
pub(crate) struct Lane {
    env: Box<dyn BatchEnv>,
    batch: Batch,
}

impl Lane {
    /// The session by these rules under this seed, at its first decision.
    pub(crate) fn new(game: &dyn AnyGame, rules: &Value, seed: u64) -> Result<Self, RulesError> {
        let options = BatchOptions { lanes: 1, skip_forced: false, reveal: false };
        let env = game.batch_env(std::slice::from_ref(rules), options)?;
        let mut lane = Self { batch: env.batch(), env };
        lane.env.start(0, 0, seed, &mut lane.batch);
        lane.deal();
        Ok(lane)
    }

    /// The move that `bot` makes at the decision that is due.
    pub(crate) fn ask(&self, bot: &mut dyn Bot) -> ActionId {
        let mut picks = [ActionId(0)];
        bot.choose(Ask { env: self.env.as_ref(), batch: &self.batch, lanes: &[0] }, &mut picks);
        picks[0]
    }

    /// Plays a move that the table has checked, and deals on after the end of a round.
    pub(crate) fn play(&mut self, action: ActionId) {
        self.env.step(&[action], &mut self.batch);
        self.deal();
    }

    fn deal(&mut self) {
        while self.batch.state[0] == LaneState::RoundOver {
            self.env.step(&[ActionId(0)], &mut self.batch);
        }
    }
}
