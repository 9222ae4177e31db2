//! A dataset of sessions between bots.

use std::sync::atomic::AtomicBool;

use cardsharp_bot::{Player, workers};
use cardsharp_env::{AnyGame, GameRules};

use crate::about::About;
use crate::columns::MOST_RULES;
use crate::error::DatasetError;
use crate::folder::Folder;
use crate::rows::Rows;
use crate::unit::{Cast, UNIT};
use crate::writer::Writer;
use crate::written::{SHARD, SHARD_DEFAULT, Written};

/// Sessions without a row after which no row is expected any more.
const BARREN: u64 = 10_000;

/// How much is written. Sessions are always whole.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So many sessions.
    Sessions(u64),
    /// Sessions until there are so many decisions.
    Decisions(u64),
}

/// What is played, by whom, and how it is written.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules, of one game: session `n` is played by the rules `n` modulo their number.
    pub rules: Vec<GameRules>,
    /// Who plays, from seat 0 on, repeated until every seat is taken. In the next session of the same rules seat 0
    /// is the second bot's, and so on, so that every bot has every seat.
    pub bots: Vec<Player>,
    /// How much is written.
    pub amount: Amount,
    /// What deals and the bots' random streams are drawn from.
    pub seed: u64,
    /// Whether decisions with a single legal action have rows. Changes no session: nobody is asked there.
    pub forced: bool,
    /// Decisions of a shard, of [`SHARD`]: it ends with the first group of rows that reaches them.
    pub shard: u64,
    /// Threads; they change no byte.
    pub threads: usize,
}

impl Settings {
    /// 100,000 decisions with a choice, seed 1, in one thread.
    pub fn new(rules: Vec<GameRules>, bots: Vec<Player>) -> Self {
        let amount = Amount::Decisions(100_000);
        Self { rules, bots, amount, seed: 1, forced: false, shard: SHARD_DEFAULT, threads: 1 }
    }

    /// Plays and writes shards into a folder. `progress` is called now and then with what was played and what stands
    /// in the folder; once `stop` is set, nothing more is begun.
    ///
    /// # Errors
    /// The settings fit no dataset, a bot breaks the rules, the disk refuses a shard, or `stop` was set
    /// ([`DatasetError::Stopped`]). Whole shards that stand in the folder stay there.
    pub fn write(
        &self,
        folder: Folder,
        progress: &mut dyn FnMut(Progress),
        stop: &AtomicBool,
    ) -> Result<Written, DatasetError> {
        let game = self.check()?;
        let mut about = About::new(game, Some(self.seed), self.forced);
        self.rules.iter().for_each(|rules| about.rules.push(rules.json().clone()));
        about.bots = self.bots.iter().map(|bot| bot.name().to_owned()).collect();
        let cast = Cast { game, rules: &self.rules, bots: &self.bots, seed: self.seed, forced: self.forced };
        let threads = self.threads.max(1);
        let mut writer = Writer::new(folder, game, about, self.shard, threads)?;
        let mut played = Progress::default();
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

    /// The game, of settings that fit a dataset.
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

    /// The units that are played side by side, from `next` on: not many more than are needed.
    fn block(&self, next: u64, threads: usize) -> std::ops::Range<u64> {
        let most = next + 4 * threads as u64;
        match self.amount {
            Amount::Sessions(sessions) => next..most.min(sessions.div_ceil(UNIT)),
            Amount::Decisions(_) => next..most,
        }
    }

    fn is_enough(&self, played: &Progress) -> bool {
        match self.amount {
            Amount::Sessions(sessions) => played.sessions >= sessions,
            Amount::Decisions(decisions) => played.decisions >= decisions,
        }
    }
}

/// How far a dataset is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Sessions played.
    pub sessions: u64,
    /// Their decisions that have rows.
    pub decisions: u64,
    /// What of it stands in the folder.
    pub written: Written,
}

impl Progress {
    fn add(&mut self, session: &Rows) {
        self.sessions += 1;
        self.decisions += session.len() as u64;
    }
}
