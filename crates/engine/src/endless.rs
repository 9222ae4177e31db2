//! Parallel sessions without end. The next round is dealt as soon as one is over, and the next session starts as
//! soon as one is over. So every lane always has a decision.

use ndarray::Array2;

use crate::any::{AnyGame, GameRules};
use crate::base::ActionId;
use crate::base::mask;
use crate::base::rng::{Draw, derive};
use crate::base::seed;
use crate::runtime::batch::{Batch, BatchEnv, BatchOptions, LaneState};
use crate::runtime::seat_view::SeatView;

/// What the lanes play.
#[derive(Clone)]
pub struct LaneSource {
    /// The rules, all of one game, each with a weight: how often sessions use it, relative to the others. Not
    /// empty.
    pub rules: Vec<(GameRules, f64)>,
    /// The seed of the first session of each lane. Seeds of later sessions are derived from it. So what a lane
    /// plays does not depend on the lane's index.
    pub seeds: Vec<u64>,
    /// Whether a new session starts when one is over. Otherwise the lane waits for [`Endless::begin`].
    pub restart: bool,
    /// Play decisions with a single legal action automatically.
    pub skip_forced: bool,
    /// Whether to fill [`Batch::hidden`].
    pub reveal: bool,
}

impl LaneSource {
    /// Returns the index of the rules and the seed of session `session` (from 0) of a lane.
    fn session(&self, lane: usize, session: u64) -> (usize, u64) {
        let seed = match session {
            0 => self.seeds[lane],
            later => seed::derived(self.seeds[lane], &[later]),
        };
        let sum: f64 = self.rules.iter().map(|(_, weight)| weight).sum();
        let mut left = f64::from(Draw::new(derive(seed, &[RULES]), 0).unit()) * sum;
        let under = |&(_, weight): &(GameRules, f64)| {
            left -= weight;
            left < 0.0
        };
        // Rounding may leave a remainder: it belongs to the last rules with a positive weight.
        let last = || self.rules.iter().rposition(|(_, weight)| *weight > 0.0).unwrap_or_default();
        (self.rules.iter().position(under).unwrap_or_else(last), seed)
    }

    fn options(&self) -> BatchOptions {
        let Self { skip_forced, reveal, .. } = *self;
        BatchOptions { lanes: self.seeds.len(), skip_forced, rows: true, reveal }
    }
}

/// Outcomes of the last step, one entry or row for each lane. Rows have a column for each seat of the largest
/// rules; columns of seats that a session does not have are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// Sums of the rewards of the rounds that ended in the step, `[lanes, seats]`.
    pub reward: Array2<f32>,
    /// Finishing places of the last round that ended, 1 is best, `[lanes, seats]`.
    pub place: Array2<u8>,
    /// Points of that round by the game's scoring, `[lanes, seats]`.
    pub points: Array2<i32>,
    /// Sums of the session's rewards so far, `[lanes, seats]`; those of the whole session if it ended.
    pub returns: Array2<f32>,
    /// Whether a round ended.
    pub round_over: Vec<bool>,
    /// Whether the session ended. Another one starts if [`LaneSource::restart`] is set; otherwise `done` and `returns` stay
    /// until [`Endless::begin`].
    pub done: Vec<bool>,
}

impl Outcomes {
    fn new(lanes: usize, seats: usize) -> Self {
        Self {
            reward: Array2::zeros((lanes, seats)),
            place: Array2::zeros((lanes, seats)),
            points: Array2::zeros((lanes, seats)),
            returns: Array2::zeros((lanes, seats)),
            round_over: vec![false; lanes],
            done: vec![false; lanes],
        }
    }

    /// Returns the dimensions of every field.
    fn shape(&self) -> [(usize, usize); 6] {
        let Self { reward, place, points, returns, round_over, done } = self;
        [reward.dim(), place.dim(), points.dim(), returns.dim(), (round_over.len(), 0), (done.len(), 0)]
    }
}

/// A session in progress. With [`LaneSource`], this is enough to restore it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedSession {
    /// The number of the session in its lane, from 0.
    pub session: u64,
    /// The index of its rules.
    pub rules: usize,
    /// The seed of the session.
    pub seed: u64,
    /// The picks so far, without forced moves if these are skipped.
    pub picks: Vec<ActionId>,
}

/// Why lanes cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RestoreError {
    /// There are too many or too few sessions or outcomes.
    #[error("sessions and outcomes do not fit {lanes} lanes with {seats} seats")]
    Shape {
        lanes: usize,
        /// The most seats of any session.
        seats: usize,
    },
    /// A pick is not legal where it was made, or comes after the end of the session.
    #[error("lane {lane}: pick {number} is not legal there")]
    Pick {
        lane: usize,
        /// The number of the pick, from 0.
        number: usize,
    },
    /// The picks lead to another session.
    #[error("lane {lane}: the picks lead to another session")]
    SavedSession { lane: usize },
}

/// Lanes that always have a decision.
pub struct Endless {
    stream: LaneSource,
    env: Box<dyn BatchEnv>,
    batch: Batch,
    outcomes: Outcomes,
    sessions: Vec<SavedSession>,
    /// Lanes that a step still has to advance; stored to save allocations.
    due: Vec<usize>,
}

impl Endless {
    /// Starts the first session of every lane.
    ///
    /// # Panics
    /// If there are no rules, or rules of several games.
    pub fn new(stream: LaneSource) -> Self {
        let rules: Vec<GameRules> = stream.rules.iter().map(|(rules, _)| rules.clone()).collect();
        let game: &dyn AnyGame = rules[0].game();
        let env = game.batch(&rules, stream.options());
        let lanes = stream.seeds.len();
        let seats = rules.iter().map(GameRules::seats).max().unwrap_or_default();
        let outcomes = Outcomes::new(lanes, seats);
        let (batch, sessions) = (env.batch(), vec![SavedSession::default(); lanes]);
        let mut endless = Self { stream, env, batch, outcomes, sessions, due: Vec::with_capacity(lanes) };
        (0..lanes).for_each(|lane| endless.play(lane, 0));
        endless
    }

    /// Restores lanes: replays every saved session, and sets the outcomes of the last step. The
    /// rules and the seed of a session follow from its number.
    ///
    /// # Errors
    /// The numbers of sessions or outcomes do not match the lanes and seats, or the picks of a session cannot be
    /// replayed.
    pub fn resumed(
        stream: LaneSource,
        sessions: &[SavedSession],
        outcomes: Outcomes,
    ) -> Result<Self, RestoreError> {
        let mut endless = Self::new(stream);
        if sessions.len() != endless.lanes() || outcomes.shape() != endless.outcomes.shape() {
            return Err(RestoreError::Shape { lanes: endless.lanes(), seats: endless.seats() });
        }
        let mut picks = vec![ActionId::default(); endless.lanes()];
        for (lane, saved) in sessions.iter().enumerate() {
            endless.play(lane, saved.session);
            for (number, &pick) in saved.picks.iter().enumerate() {
                if endless.sessions[lane].session != saved.session || !endless.is_legal(lane, pick) {
                    return Err(RestoreError::Pick { lane, number });
                }
                picks[lane] = pick;
                endless.step(&[lane], &picks);
            }
            if endless.sessions[lane] != *saved {
                return Err(RestoreError::SavedSession { lane });
            }
        }
        Ok(Self { outcomes, ..endless })
    }

    /// What the lanes play.
    pub fn stream(&self) -> &LaneSource {
        &self.stream
    }

    /// Returns the number of lanes.
    pub fn lanes(&self) -> usize {
        self.sessions.len()
    }

    /// The most seats of any session.
    pub fn seats(&self) -> usize {
        self.outcomes.reward.ncols()
    }

    /// Rows, masks and seats of the pending decisions.
    pub fn batch(&self) -> &Batch {
        &self.batch
    }

    /// The outcomes of the last step.
    pub fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    /// The lanes as a [`BatchEnv`], for bots.
    pub fn env(&self) -> &dyn BatchEnv {
        self.env.as_ref()
    }

    /// The view of the seat that decides in a lane.
    pub fn view(&self, lane: usize) -> Option<SeatView<'_>> {
        self.env.view(lane)
    }

    /// The session in a lane, up to its latest decision.
    pub fn saved(&self, lane: usize) -> &SavedSession {
        &self.sessions[lane]
    }

    /// Whether a pick is legal.
    pub fn is_legal(&self, lane: usize, pick: ActionId) -> bool {
        self.batch.legal.row(lane).as_slice().is_some_and(|words| mask::contains(words, pick))
    }

    /// Whether a lane has a decision: always, unless [`LaneSource::restart`] is false.
    pub fn decides(&self, lane: usize) -> bool {
        self.batch.state[lane] == LaneState::Decide
    }

    /// A uniformly random legal action. Every call at the same decision returns the same action.
    pub fn random(&self, lane: usize) -> ActionId {
        let saved = &self.sessions[lane];
        let bits = derive(saved.seed, &[saved.picks.len() as u64, RANDOM]);
        self.batch.legal.row(lane).as_slice().map_or(ActionId::default(), |words| {
            // 64 random bits times a count below 2¹⁶: the bias is less than 2⁻⁴⁸.
            let nth = (u128::from(bits) * u128::from(mask::count(words))) >> 64;
            mask::nth(words, nth as u32).unwrap_or_default()
        })
    }

    /// Plays legal picks (`picks[lane]`) in these lanes, and advances each until it has a decision again or waits.
    /// Other lanes, and lanes that wait, stay unchanged and have no outcomes.
    pub fn step(&mut self, lanes: &[usize], picks: &[ActionId]) {
        self.forget();
        let mut due = std::mem::take(&mut self.due);
        due.clear();
        due.extend(lanes.iter().copied().filter(|&lane| self.decides(lane)));
        for &lane in &due {
            self.sessions[lane].picks.push(picks[lane]);
        }
        while !due.is_empty() {
            self.env.step_lanes(&due, picks, &mut self.batch);
            due.retain(|&lane| !self.decides(lane));
            due.iter().for_each(|&lane| self.settle(lane));
            due.retain(|&lane| self.batch.state[lane] == LaneState::RoundOver);
        }
        self.due = due;
    }

    /// Abandons the sessions of these lanes and starts others. They are the lanes' next sessions, or the first ones
    /// of new seeds (`seeds[lane]`). Clears the outcomes of the last step.
    pub fn begin(&mut self, lanes: &[usize], seeds: Option<&[u64]>) {
        self.forget();
        for &lane in lanes {
            self.outcomes.returns.row_mut(lane).fill(0.0);
            self.outcomes.done[lane] = false;
            match seeds {
                Some(seeds) => {
                    self.stream.seeds[lane] = seeds[lane];
                    self.play(lane, 0);
                }
                None => self.play(lane, self.sessions[lane].session + 1),
            }
        }
    }

    /// Clears the outcomes of the last step.
    fn forget(&mut self) {
        let Outcomes { reward, place, points, returns, round_over, done } = &mut self.outcomes;
        for lane in (0..round_over.len()).filter(|&lane| round_over[lane]) {
            reward.row_mut(lane).fill(0.0);
            place.row_mut(lane).fill(0);
            points.row_mut(lane).fill(0);
        }
        round_over.fill(false);
        if self.stream.restart {
            for lane in (0..done.len()).filter(|&lane| done[lane]) {
                returns.row_mut(lane).fill(0.0);
            }
            done.fill(false);
        }
    }

    /// Starts a session in a lane.
    fn play(&mut self, lane: usize, session: u64) {
        let (rules, seed) = self.stream.session(lane, session);
        let saved = &mut self.sessions[lane];
        (saved.session, saved.rules, saved.seed) = (session, rules, seed);
        saved.picks.clear();
        self.env.start(lane, rules, seed, &mut self.batch);
    }

    /// Records the payoff of a round. After the last round of a session, starts another session if the stream
    /// restarts.
    fn settle(&mut self, lane: usize) {
        let payoff = &self.batch.payoff[lane];
        let outcomes = &mut self.outcomes;
        outcomes.place.row_mut(lane).fill(0);
        outcomes.points.row_mut(lane).fill(0);
        for seat in 0..usize::from(payoff.seats) {
            outcomes.reward[[lane, seat]] += payoff.reward[seat];
            outcomes.returns[[lane, seat]] += payoff.reward[seat];
            outcomes.place[[lane, seat]] = payoff.place[seat];
            outcomes.points[[lane, seat]] = payoff.points[seat];
        }
        outcomes.round_over[lane] = true;
        if self.batch.state[lane] == LaneState::SessionOver {
            outcomes.done[lane] = true;
            if self.stream.restart {
                self.play(lane, self.sessions[lane].session + 1);
            } else {
                self.batch.legal.row_mut(lane).fill(0);
            }
        }
    }
}

/// Separate random picks and the choice of rules from the seeds of sessions.
const RANDOM: u64 = 0x9a7d_0000;
const RULES: u64 = 0x9a7d_0001;
