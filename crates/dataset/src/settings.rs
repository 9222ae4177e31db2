//! Datasets of sessions between bots.

use std::sync::atomic::AtomicBool;

use cardsharp_bot::{Player, workers};
use cardsharp_env::{AnyGame, GameRules};

use crate::columns::MOST_RULES;
use crate::error::DatasetError;
use crate::folder::Folder;
use crate::metadata::ShardMetadata;
use crate::rows::DecisionColumns;
use crate::unit::{Cast, UNIT};
use crate::writer::ShardWriter;
use crate::written::{SHARD, SHARD_DEFAULT, Written};

/// After this number of sessions without any row, writing fails instead of continuing forever.
const BARREN: u64 = 10_000;

/// How much to write. Sessions are always complete.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// This number of sessions.
    Sessions(u64),
    /// Sessions until they have at least this number of decisions with rows.
    Decisions(u64),
}

/// The rules, the bots and the size of a dataset.
#[derive(Clone, Debug)]
pub struct DatasetSettings {
    /// The rules, all of one game. Session `n` has the rules with index `n` modulo their number.
    pub rules: Vec<GameRules>,
    /// The bots from seat 0 on, repeated until every seat has one. The next session with the same rules starts with the
    /// second bot in seat 0, and so on, so that every bot plays in every seat.
    pub bots: Vec<Player>,
    /// How much is written.
    pub amount: Amount,
    /// The seed of the deals and of the bots' random streams.
    pub seed: u64,
    /// Whether decisions with a single legal action have rows. This does not change the sessions, because bots do not
    /// make these decisions.
    pub forced: bool,
    /// Decisions per shard, within [`SHARD`]. A shard ends with the first group of rows that reaches this number.
    pub shard: u64,
    /// The number of threads. It does not change the files.
    pub threads: usize,
}

impl DatasetSettings {
    /// Returns settings for 100,000 decisions with a choice, with seed 1 and one thread.
    pub fn new(rules: Vec<GameRules>, bots: Vec<Player>) -> Self {
        let amount = Amount::Decisions(100_000);
        Self { rules, bots, amount, seed: 1, forced: false, shard: SHARD_DEFAULT, threads: 1 }
    }

    /// Plays sessions, and writes shards into a folder. Calls `progress` after each block of sessions. Ends early once
    /// `stop` is set.
    ///
    /// # Errors
    /// The settings are not valid, a bot picks an illegal action, a shard cannot be written, or `stop` was set
    /// ([`DatasetError::Stopped`]). Complete shards stay in the folder.
    pub fn write(
        &self,
        folder: Folder,
        progress: &mut dyn FnMut(DatasetProgress),
        stop: &AtomicBool,
    ) -> Result<Written, DatasetError> {
        let game = self.check()?;
        let mut about = ShardMetadata::new(game, Some(self.seed), self.forced);
        self.rules.iter().for_each(|rules| about.rules.push(rules.json().clone()));
        about.bots = self.bots.iter().map(|bot| bot.name().to_owned()).collect();
        let cast = Cast { game, rules: &self.rules, bots: &self.bots, seed: self.seed, forced: self.forced };
        let threads = self.threads.max(1);
        let mut writer = ShardWriter::new(folder, game, about, self.shard, threads)?;
        let mut played = DatasetProgress::default();
        let mut next = 0;
        loop {
            let block = self.block(next, threads);
            let units = workers::until_stopped(threads, (block.end - block.start) as usize, stop, |unit| {
                cast.play(block.start + unit as u64, stop)
            });
            let Ok(units) = units else { return Err(writer.stopped()) };
            next = block.end;
            for unit in units {
                for session in unit? {
                    if self.is_enough(&played) {
                        return writer.finish();
                    }
                    played.add(&session);
                    writer.add(session);
                }
            }
            writer.write()?;
            played.written = writer.written();
            progress(played);
            if self.is_enough(&played) {
                return writer.finish();
            }
            if played.decisions == 0 && played.sessions >= BARREN {
                return Err(DatasetError::Forced { sessions: played.sessions });
            }
        }
    }

    /// Validates the settings, and returns their game.
    fn check(&self) -> Result<&'static dyn AnyGame, DatasetError> {
        let game = self.rules.first().ok_or(DatasetError::NoRules)?.game();
        if self.rules.len() > MOST_RULES {
            return Err(DatasetError::Rules { given: self.rules.len() });
        }
        if let Some(other) = self.rules.iter().map(GameRules::game).find(|other| other.name() != game.name())
        {
            return Err(DatasetError::Game { expected: game.name(), found: other.name() });
        }
        if self.bots.is_empty() {
            return Err(DatasetError::NoBots);
        }
        if matches!(self.amount, Amount::Sessions(0) | Amount::Decisions(0)) {
            return Err(DatasetError::Nothing);
        }
        if !SHARD.contains(&self.shard) {
            return Err(DatasetError::Shard { given: self.shard });
        }
        Ok(game)
    }

    /// Returns the units to play in parallel, from `next` on: 4 per thread, but no more than the requested sessions
    /// need.
    fn block(&self, next: u64, threads: usize) -> std::ops::Range<u64> {
        let most = next + 4 * threads as u64;
        match self.amount {
            Amount::Sessions(sessions) => next..most.min(sessions.div_ceil(UNIT)),
            Amount::Decisions(_) => next..most,
        }
    }

    fn is_enough(&self, played: &DatasetProgress) -> bool {
        match self.amount {
            Amount::Sessions(sessions) => played.sessions >= sessions,
            Amount::Decisions(decisions) => played.decisions >= decisions,
        }
    }
}

/// The progress of a dataset.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct DatasetProgress {
    pub sessions: u64,
    /// Their decisions that have rows.
    pub decisions: u64,
    /// The part of it that is in the folder.
    pub written: Written,
}

impl DatasetProgress {
    fn add(&mut self, session: &DecisionColumns) {
        self.sessions += 1;
        self.decisions += session.len() as u64;
    }
}
