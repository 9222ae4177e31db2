//! A dataset of sessions that were played.

use cardsharp_env::{ActionId, AnyGame, AnyTable, GameRules, Payoff};

use crate::about::About;
use crate::columns::MOST_RULES;
use crate::error::DatasetError;
use crate::folder::Folder;
use crate::rows::{Decision, Origin, Session};
use crate::writer::Writer;
use crate::written::{SHARD, Written};

/// Sessions of one game that become shards, in the order in which they come.
pub struct Sessions {
    game: &'static dyn AnyGame,
    writer: Writer,
    forced: bool,
    /// Sessions so far.
    count: u64,
}

/// A session that is played again, and shown decision by decision.
pub struct Played {
    session: Session,
    forced: bool,
    /// The places of the names of who sits where, per seat.
    bots: Vec<u32>,
    row: Vec<u8>,
    legal: Vec<u64>,
}

impl Sessions {
    /// Into a folder, in shards of so many decisions ([`SHARD`]); with rows of decisions that have a single legal action
    /// if they are asked for (`forced`).
    ///
    /// # Errors
    /// Shards cannot have so many decisions.
    pub fn new(
        folder: Folder,
        game: &'static dyn AnyGame,
        shard: u64,
        forced: bool,
    ) -> Result<Self, DatasetError> {
        if !SHARD.contains(&shard) {
            return Err(DatasetError::Shard { given: shard });
        }
        let writer = Writer::new(folder, game, About::new(game, None, forced), shard, 1)?;
        Ok(Self { game, writer, forced, count: 0 })
    }

    /// Begins a session that was played by these rules, from this seed, by bots or people of these names, one for each
    /// seat (`table.seats()` of them).
    ///
    /// # Errors
    /// It is of another game than the dataset, there are too many rules, or not as many names as seats.
    pub fn begin(&mut self, rules: &GameRules, seed: u64, names: &[String]) -> Result<Played, DatasetError> {
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
        let origin = Origin { session: self.count, seed, rules };
        self.count += 1;
        Ok(Played {
            session: Session::new(origin),
            forced: self.forced,
            bots,
            row: Vec::new(),
            legal: vec![0; self.game.words()],
        })
    }

    /// Takes a session that was played to its end, and writes what shards it fills.
    ///
    /// # Errors
    /// Its last round was not paid ([`Played::paid`]), or the disk refuses a shard.
    pub fn add(&mut self, played: Played) -> Result<(), DatasetError> {
        if !played.session.is_paid() {
            return Err(DatasetError::Unpaid);
        }
        self.writer.add(played.session.finish());
        self.writer.write()
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The disk refuses it, or there is nothing: no session had a decision that has a row.
    pub fn finish(self) -> Result<Written, DatasetError> {
        let sessions = self.count;
        let written = self.writer.finish()?;
        if written.decisions == 0 { Err(DatasetError::Forced { sessions }) } else { Ok(written) }
    }

    /// It ends here: what is not in a whole shard is dropped. The error says what stands in the folder.
    pub fn stopped(self) -> DatasetError {
        self.writer.stopped()
    }
}

impl Played {
    /// The seat that must act at `table` is about to play a legal action.
    pub fn decides(&mut self, table: &dyn AnyTable, action: ActionId) {
        let Some(view) = table.asked() else { return };
        if view.legal(&mut self.legal) == 1 && !self.forced {
            return self.session.pass_over();
        }
        self.row.resize(view.cells(), 0);
        view.row(&mut self.row);
        let seat = view.seat();
        self.session.decided(&Decision {
            seat,
            bot: self.bots.get(seat.index()).copied().unwrap_or_default(),
            observation: &self.row,
            legal: &self.legal,
            action,
        });
    }

    /// The round is over.
    pub fn paid(&mut self, payoff: &Payoff) {
        self.session.paid(payoff);
    }
}
