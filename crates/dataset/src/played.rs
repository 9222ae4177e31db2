//! Datasets of recorded sessions.

use cardsharp_env::{ActionId, AnyGame, AnyTable, GameRules, Payoff};

use crate::columns::MOST_RULES;
use crate::error::DatasetError;
use crate::folder::Folder;
use crate::metadata::ShardMetadata;
use crate::rows::{DecisionRow, SessionRecorder, SessionValues};
use crate::writer::ShardWriter;
use crate::written::{SHARD, Written};

/// Writes recorded sessions of one game to shards, in the order of [`SessionWriter::add`].
pub struct SessionWriter {
    game: &'static dyn AnyGame,
    writer: ShardWriter,
    forced: bool,
    /// Sessions begun so far.
    count: u64,
}

/// A session that the caller replays, decision by decision.
pub struct PlayedSession {
    session: SessionRecorder,
    forced: bool,
    /// By seat: the index of the player's name in [`ShardMetadata::bots`].
    bots: Vec<u32>,
    row: Vec<u8>,
    legal: Vec<u64>,
}

impl SessionWriter {
    /// Writes into a folder. A shard ends with the first group of rows that reaches `shard` decisions (within
    /// [`SHARD`]). With `forced`, decisions with a single legal action have rows, too.
    ///
    /// # Errors
    /// `shard` is outside [`SHARD`].
    pub fn new(
        folder: Folder,
        game: &'static dyn AnyGame,
        shard: u64,
        forced: bool,
    ) -> Result<Self, DatasetError> {
        if !SHARD.contains(&shard) {
            return Err(DatasetError::Shard { given: shard });
        }
        let writer = ShardWriter::new(folder, game, ShardMetadata::new(game, None, forced), shard, 1)?;
        Ok(Self { game, writer, forced, count: 0 })
    }

    /// Starts a session with these rules and this seed. `names` has the name of the bot or person in each seat
    /// (`table.seats()` of them).
    ///
    /// # Errors
    /// The rules are of another game, the dataset has too many different rules, or the number of names is not the
    /// number of seats.
    pub fn begin(
        &mut self,
        rules: &GameRules,
        seed: u64,
        names: &[String],
    ) -> Result<PlayedSession, DatasetError> {
        let (expected, found) = (self.game.name(), rules.game().name());
        if expected != found {
            return Err(DatasetError::Game { expected, found });
        }
        if names.len() != rules.seats() {
            return Err(DatasetError::Names { given: names.len(), seats: rules.seats() });
        }
        let about = &mut self.writer.about;
        let rules = about.rules(rules.json());
        let rules = u16::try_from(rules).map_err(|_| DatasetError::Rules { given: MOST_RULES + 1 })?;
        let bots = names.iter().map(|name| about.bot(name) as u32).collect();
        let origin = SessionValues { session: self.count, seed, rules };
        self.count += 1;
        Ok(PlayedSession {
            session: SessionRecorder::new(origin),
            forced: self.forced,
            bots,
            row: Vec::new(),
            legal: vec![0; self.game.words()],
        })
    }

    /// Adds a finished session, and writes the shards that are now full.
    ///
    /// # Errors
    /// The last round has no payoff ([`PlayedSession::paid`]), or a shard cannot be written.
    pub fn add(&mut self, played: PlayedSession) -> Result<(), DatasetError> {
        if !played.session.is_paid() {
            return Err(DatasetError::Unpaid);
        }
        self.writer.add(played.session.finish());
        self.writer.write()
    }

    /// Writes the remaining decisions.
    ///
    /// # Errors
    /// A shard cannot be written, or the dataset is empty because no decision has a row.
    pub fn finish(self) -> Result<Written, DatasetError> {
        let sessions = self.count;
        let written = self.writer.finish()?;
        if written.decisions == 0 { Err(DatasetError::Forced { sessions }) } else { Ok(written) }
    }

    /// Stops, and drops decisions that are not in a complete shard. The returned error says what the folder has.
    pub fn stopped(self) -> DatasetError {
        self.writer.stopped()
    }
}

impl PlayedSession {
    /// Adds a decision of the seat to move at `table`. Call it before you play the legal `action`.
    pub fn decides(&mut self, table: &dyn AnyTable, action: ActionId) {
        let Some(view) = table.asked() else { return };
        if view.legal(&mut self.legal) == 1 && !self.forced {
            return self.session.pass_over();
        }
        self.row.resize(view.cells(), 0);
        view.row(&mut self.row);
        let seat = view.seat();
        self.session.decided(&DecisionRow {
            seat,
            bot: self.bots.get(seat.index()).copied().unwrap_or_default(),
            observation: &self.row,
            legal: &self.legal,
            action,
        });
    }

    /// Ends the round with its payoff.
    pub fn paid(&mut self, payoff: &Payoff) {
        self.session.paid(payoff);
    }
}
