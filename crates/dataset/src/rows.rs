//! Decisions as columns, of one session or of consecutive sessions.

use std::sync::Arc;

use arrow_array::types::UInt32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, FixedSizeBinaryArray, Float32Array, Int32Array, StringArray,
    UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_buffer::Buffer;
use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyGame, MAX_SEATS, Payoff, Seat, mask};

/// Decisions as columns. A column has one entry per decision, unless its comment names another shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DecisionColumns {
    session: Vec<u64>,
    session_seed: Vec<u64>,
    rules: Vec<u16>,
    round: Vec<u32>,
    step: Vec<u32>,
    seat: Vec<u8>,
    /// The index of the bot in [`ShardMetadata::bots`](crate::ShardMetadata::bots).
    bot: Vec<u32>,
    /// `[rows, width(OBSERVATION)]`.
    observation: Vec<u8>,
    /// Action masks as bits, `[rows, words]`.
    legal: Vec<u64>,
    action: Vec<u16>,
    reward: Vec<f32>,
    return_to_go: Vec<f32>,
    round_reward: Vec<f32>,
    place: Vec<u8>,
    points: Vec<i32>,
    last_of_round: Vec<bool>,
    last_of_session: Vec<bool>,
}

impl DecisionColumns {
    pub(crate) fn len(&self) -> usize {
        self.action.len()
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.session.extend(other.session);
        self.session_seed.extend(other.session_seed);
        self.rules.extend(other.rules);
        self.round.extend(other.round);
        self.step.extend(other.step);
        self.seat.extend(other.seat);
        self.bot.extend(other.bot);
        self.observation.extend(other.observation);
        self.legal.extend(other.legal);
        self.action.extend(other.action);
        self.reward.extend(other.reward);
        self.return_to_go.extend(other.return_to_go);
        self.round_reward.extend(other.round_reward);
        self.place.extend(other.place);
        self.points.extend(other.points);
        self.last_of_round.extend(other.last_of_round);
        self.last_of_session.extend(other.last_of_session);
    }

    /// Returns the columns as Arrow arrays, in the order of [`COLUMNS`](crate::COLUMNS).
    pub(crate) fn arrays(
        &self,
        game: &dyn AnyGame,
        bots: &[String],
    ) -> Result<Vec<ArrayRef>, arrow_schema::ArrowError> {
        let legal = spread(&self.legal, game.words(), width(game.actions()));
        let bytes = |bytes: Vec<u8>, size: usize| {
            FixedSizeBinaryArray::try_new(size as i32, Buffer::from_vec(bytes), None)
        };
        let names: ArrayRef = Arc::new(StringArray::from_iter_values(bots));
        Ok(vec![
            Arc::new(UInt64Array::from(self.session.clone())),
            Arc::new(UInt64Array::from(self.session_seed.clone())),
            Arc::new(UInt16Array::from(self.rules.clone())),
            Arc::new(UInt32Array::from(self.round.clone())),
            Arc::new(UInt32Array::from(self.step.clone())),
            Arc::new(UInt8Array::from(self.seat.clone())),
            Arc::new(DictionaryArray::<UInt32Type>::try_new(UInt32Array::from(self.bot.clone()), names)?),
            Arc::new(bytes(self.observation.clone(), width(game.observation()))?),
            Arc::new(bytes(legal, width(game.actions()))?),
            Arc::new(UInt16Array::from(self.action.clone())),
            Arc::new(Float32Array::from(self.reward.clone())),
            Arc::new(Float32Array::from(self.return_to_go.clone())),
            Arc::new(Float32Array::from(self.round_reward.clone())),
            Arc::new(UInt8Array::from(self.place.clone())),
            Arc::new(Int32Array::from(self.points.clone())),
            Arc::new(BooleanArray::from(self.last_of_round.clone())),
            Arc::new(BooleanArray::from(self.last_of_session.clone())),
        ])
    }
}

/// Converts action masks from bits, `[rows, words]`, to bytes, `[rows, actions]`.
fn spread(bits: &[u64], words: usize, actions: usize) -> Vec<u8> {
    let mut bytes = vec![0; bits.len() / words * actions];
    for (row, words) in bytes.chunks_exact_mut(actions).zip(bits.chunks_exact(words)) {
        mask::actions(words).for_each(|action| row[usize::from(action.0)] = 1);
    }
    bytes
}

/// The values that all rows of a session share.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SessionValues {
    pub(crate) session: u64,
    pub(crate) seed: u64,
    /// The index of the rules in [`ShardMetadata::rules`](crate::ShardMetadata::rules).
    pub(crate) rules: u16,
}

/// A decision and the chosen action.
pub(crate) struct DecisionRow<'a> {
    pub(crate) seat: Seat,
    /// The index of the bot in [`ShardMetadata::bots`](crate::ShardMetadata::bots).
    pub(crate) bot: u32,
    pub(crate) observation: &'a [u8],
    pub(crate) legal: &'a [u64],
    pub(crate) action: ActionId,
}

/// Collects the decisions of one session while it is played.
pub(crate) struct SessionRecorder {
    origin: SessionValues,
    rows: DecisionColumns,
    /// The round in play, from 1.
    round: u32,
    /// Decisions so far, with or without a row.
    steps: u32,
    /// For each finished round: the number of rows up to its end, and the rewards by seat.
    rounds: Vec<(usize, [f32; MAX_SEATS])>,
}

impl SessionRecorder {
    pub(crate) fn new(origin: SessionValues) -> Self {
        Self { origin, rows: DecisionColumns::default(), round: 1, steps: 0, rounds: Vec::new() }
    }

    /// Counts a decision without a row.
    pub(crate) fn pass_over(&mut self) {
        self.steps += 1;
    }

    /// Adds the row of a decision.
    pub(crate) fn decided(&mut self, decision: &DecisionRow<'_>) {
        let rows = &mut self.rows;
        rows.session.push(self.origin.session);
        rows.session_seed.push(self.origin.seed);
        rows.rules.push(self.origin.rules);
        rows.round.push(self.round);
        rows.step.push(self.steps);
        rows.seat.push(decision.seat.0);
        rows.bot.push(decision.bot);
        rows.observation.extend_from_slice(decision.observation);
        rows.legal.extend_from_slice(decision.legal);
        rows.action.push(decision.action.0);
        self.steps += 1;
    }

    /// Ends a round, and adds its payoff to its rows.
    pub(crate) fn paid(&mut self, payoff: &Payoff) {
        let (rows, begun) = (&mut self.rows, self.rounds.last().map_or(0, |(end, _)| *end));
        for seat in &rows.seat[begun..] {
            let seat = usize::from(*seat);
            rows.round_reward.push(payoff.reward[seat]);
            rows.place.push(payoff.place[seat]);
            rows.points.push(payoff.points[seat]);
        }
        rows.last_of_round.extend(lasts(&rows.seat[begun..]));
        self.rounds.push((rows.seat.len(), payoff.reward));
        self.round += 1;
    }

    /// Whether all rows have a payoff.
    pub(crate) fn is_paid(&self) -> bool {
        self.rows.round_reward.len() == self.rows.len()
    }

    /// Ends the session, and returns its complete rows.
    pub(crate) fn finish(mut self) -> DecisionColumns {
        self.rows.last_of_session = lasts(&self.rows.seat);
        let count = self.rows.len();
        (self.rows.reward, self.rows.return_to_go) = (vec![0.0; count], vec![0.0; count]);
        // Double precision, so that the rounded sums do not depend on the order of the rounds.
        let (mut to_go, mut since) = ([0.0_f64; MAX_SEATS], [0.0_f64; MAX_SEATS]);
        for (number, (end, reward)) in self.rounds.iter().enumerate().rev() {
            for sums in [&mut to_go, &mut since] {
                sums.iter_mut().zip(reward).for_each(|(sum, reward)| *sum += f64::from(*reward));
            }
            let begun = number.checked_sub(1).map_or(0, |before| self.rounds[before].0);
            for row in (begun..*end).rev() {
                let seat = usize::from(self.rows.seat[row]);
                self.rows.return_to_go[row] = to_go[seat] as f32;
                self.rows.reward[row] = std::mem::take(&mut since[seat]) as f32;
            }
        }
        self.rows
    }
}

/// Returns for each entry whether it is the last one of its seat.
fn lasts(seats: &[u8]) -> Vec<bool> {
    let mut seen = [false; MAX_SEATS];
    let last = |seat: &u8| !std::mem::replace(&mut seen[usize::from(*seat)], true);
    let mut lasts: Vec<bool> = seats.iter().rev().map(last).collect();
    lasts.reverse();
    lasts
}
