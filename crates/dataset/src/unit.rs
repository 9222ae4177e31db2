//! Units: 16 sessions that are played in one batch. A unit depends only on the settings and its number.

use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_bot::{Bot, DecisionBatch, Player};
use cardsharp_env::hands::Positions;
use cardsharp_env::rng::derive;
use cardsharp_env::{
    ActionId, AnyGame, Batch, BatchEnv, BatchOptions, GameRules, LaneState, Seat, mask, seed,
};

use crate::error::DatasetError;
use crate::rows::{DecisionColumns, DecisionRow, SessionRecorder, SessionValues};

/// Sessions in a unit.
pub(crate) const UNIT: u64 = 16;

/// The rules, the bots and the seed of all units.
pub(crate) struct Cast<'a> {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) rules: &'a [GameRules],
    pub(crate) bots: &'a [Player],
    pub(crate) seed: u64,
    pub(crate) forced: bool,
}

/// The batch of a unit, with one session per lane.
struct Tables {
    env: Box<dyn BatchEnv>,
    batch: Batch,
    /// The number of the first session.
    first: u64,
    picks: Vec<ActionId>,
}

impl Cast<'_> {
    /// Returns the index of a session's rules.
    fn rules_of(&self, session: u64) -> usize {
        (session % self.rules.len() as u64) as usize
    }

    /// Returns the index of the bot in a seat.
    fn bot(&self, session: u64, seat: Seat) -> usize {
        let moved_on = session / self.rules.len() as u64;
        ((seat.index() as u64 + moved_on) % self.bots.len() as u64) as usize
    }

    /// Plays a unit, and returns the rows of each of its sessions. Once `stop` is set it returns incomplete rows, which
    /// the caller must discard.
    pub(crate) fn play(&self, unit: u64, stop: &AtomicBool) -> Result<Vec<DecisionColumns>, DatasetError> {
        let (lanes, first) = (UNIT as usize, unit * UNIT);
        let options = BatchOptions { lanes, skip_forced: false, rows: true, reveal: false };
        let mut bots: Vec<Box<dyn Bot>> = (self.bots.iter().enumerate())
            .map(|(bot, player)| player.bot(derive(self.seed, &[1, unit, bot as u64])))
            .collect();
        let env = self.game.batch(self.rules, options);
        let batch = env.batch();
        let mut tables = Tables { env, batch, first, picks: vec![ActionId::default(); lanes] };
        let mut sessions: Vec<SessionRecorder> =
            (0..lanes).map(|lane| self.begin(lane, &mut tables, &bots)).collect();
        let mut asked: Vec<Vec<usize>> = vec![Vec::with_capacity(lanes); bots.len()];
        loop {
            self.tell(&tables, &mut bots);
            asked.iter_mut().for_each(Vec::clear);
            let mut idle = true;
            for (lane, session) in sessions.iter_mut().enumerate() {
                match tables.batch.state[lane] {
                    LaneState::Decide => match mask::single(legal(&tables.batch, lane)) {
                        Some(only) => tables.picks[lane] = only,
                        None => asked[self.bot(first + lane as u64, tables.batch.seat[lane])].push(lane),
                    },
                    LaneState::RoundOver | LaneState::SessionOver => session.paid(&tables.batch.payoff[lane]),
                    LaneState::Idle => continue,
                }
                idle = false;
            }
            if idle || stop.load(Ordering::Relaxed) {
                return Ok(sessions.into_iter().map(SessionRecorder::finish).collect());
            }
            for (bot, lanes) in bots.iter_mut().zip(&asked).filter(|(_, lanes)| !lanes.is_empty()) {
                let Tables { env, batch, picks, .. } = &mut tables;
                bot.choose(DecisionBatch { env: env.as_ref(), batch, lanes, stop }, picks);
            }
            if !stop.load(Ordering::Relaxed) {
                self.note(&tables, &mut sessions)?;
                tables.env.step(&tables.picks, &mut tables.batch);
            }
        }
    }

    /// Starts the session of a lane. Bots that listen get the event logs of their seats.
    fn begin(&self, lane: usize, tables: &mut Tables, bots: &[Box<dyn Bot>]) -> SessionRecorder {
        let session = tables.first + lane as u64;
        let (rules, seed) = (self.rules_of(session), seed::derived(self.seed, &[0, session]));
        let mut seats = Positions::default();
        (0..self.rules[rules].seats() as u8)
            .filter(|&seat| bots[self.bot(session, Seat(seat))].listens())
            .for_each(|seat| seats.insert(seat));
        tables.env.listen(lane, seats);
        tables.env.start(lane, rules, seed, &mut tables.batch);
        SessionRecorder::new(SessionValues { session, seed, rules: rules as u16 })
    }

    /// Sends the lines of the last step to the bots that listen, each from the event log of its seat.
    fn tell(&self, tables: &Tables, bots: &mut [Box<dyn Bot>]) {
        for lane in 0..tables.picks.len() {
            for (seat, line) in tables.env.event_lines(lane) {
                bots[self.bot(tables.first + lane as u64, *seat)].hear(lane, *seat, line);
            }
        }
    }

    /// Adds the chosen actions to the sessions before they are played. Returns an error if one is illegal.
    fn note(&self, tables: &Tables, sessions: &mut [SessionRecorder]) -> Result<(), DatasetError> {
        let batch = &tables.batch;
        for (lane, session) in sessions.iter_mut().enumerate() {
            if batch.state[lane] != LaneState::Decide {
                continue;
            }
            let (seat, action, number) = (batch.seat[lane], tables.picks[lane], tables.first + lane as u64);
            let (bot, legal) = (self.bot(number, seat), legal(batch, lane));
            if !mask::contains(legal, action) {
                let bot = self.bots[bot].name().to_owned();
                return Err(DatasetError::Illegal { bot, session: number, seat, action: action.0 });
            }
            if !self.forced && mask::single(legal).is_some() {
                session.pass_over();
            } else {
                let (bot, observation) = (bot as u32, row(batch, lane));
                session.decided(&DecisionRow { seat, bot, observation, legal, action });
            }
        }
        Ok(())
    }
}

/// Returns the action mask of the seat to move in a lane, as 64-bit words.
fn legal(batch: &Batch, lane: usize) -> &[u64] {
    batch.legal.row(lane).to_slice().unwrap_or_default()
}

/// Returns the observation row of the seat to move in a lane.
fn row(batch: &Batch, lane: usize) -> &[u8] {
    batch.row.row(lane).to_slice().unwrap_or_default()
}
