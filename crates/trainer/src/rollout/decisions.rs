//! Decisions of the learner as columns, each with its reward and a link to the next decision of its seat.

use cardsharp_env::{ActionId, MAX_SEATS, Payoff};

/// Discount factors for later rewards.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Discounts {
    /// From a decision to the same seat's next one in the same round.
    pub gamma: f32,
    /// From a round to the next one.
    pub round_gamma: f32,
}

/// Marks the last decision of a seat in its session.
pub const NONE: u32 = u32::MAX;

/// Decisions in the order in which they were made. Every column has one entry or row for each decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    /// Observations, `[len, cells]` flat.
    pub rows: Vec<u8>,
    /// Action masks as bits, `[len, words]` flat.
    pub legal: Vec<u64>,
    /// Hidden cells, which the seat could not see, `[len, hidden cells]` flat; empty if not requested.
    pub hidden: Vec<u8>,
    /// The action that was played at each decision.
    pub actions: Vec<ActionId>,
    /// Log-probabilities of the chosen actions.
    pub log_probability: Vec<f32>,
    /// Outputs of the value head.
    pub values: Vec<f32>,
    /// Rewards before the seat's next decision: the payoffs of the rounds that ended in between, discounted by
    /// `round_gamma` for each further round.
    pub rewards: Vec<f32>,
    /// Index of the same seat's next decision in the session, or [`NONE`].
    pub next: Vec<u32>,
    /// Discount factor of the next decision's value; 0 if there is none.
    pub discounts: Vec<f32>,
}

impl Decisions {
    /// Returns the number of decisions.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Removes all decisions and keeps the memory.
    pub fn clear(&mut self) {
        let Self { rows, legal, hidden, actions, log_probability, values, rewards, next, discounts } = self;
        rows.clear();
        legal.clear();
        hidden.clear();
        actions.clear();
        log_probability.clear();
        values.clear();
        rewards.clear();
        next.clear();
        discounts.clear();
    }

    /// Adds a decision without a reward and without a successor.
    pub(crate) fn push(
        &mut self,
        row: &[u8],
        legal: &[u64],
        hidden: &[u8],
        action: ActionId,
        log_probability: f32,
        value: f32,
    ) {
        self.rows.extend_from_slice(row);
        self.legal.extend_from_slice(legal);
        self.hidden.extend_from_slice(hidden);
        self.actions.push(action);
        self.log_probability.push(log_probability);
        self.values.push(value);
        self.rewards.push(0.0);
        self.next.push(NONE);
        self.discounts.push(0.0);
    }

    /// Copies decision `number` of `other` with its reward, without a link to a successor.
    pub(super) fn push_from(&mut self, other: &Self, number: usize) {
        let [cells, words, hidden] = other.widths();
        self.push(
            &other.rows[number * cells..][..cells],
            &other.legal[number * words..][..words],
            &other.hidden[number * hidden..][..hidden],
            other.actions[number],
            other.log_probability[number],
            other.values[number],
        );
        if let Some(reward) = self.rewards.last_mut() {
            *reward = other.rewards[number];
        }
    }

    /// Removes the links between decisions.
    pub(super) fn unlink(&mut self) {
        self.next.fill(NONE);
        self.discounts.fill(0.0);
    }

    /// Sizes of a decision: cells, mask words and hidden cells.
    fn widths(&self) -> [usize; 3] {
        [self.rows.len(), self.legal.len(), self.hidden.len()].map(|all| all / self.len().max(1))
    }

    /// Appends other decisions and keeps their links.
    pub fn append(&mut self, other: &Self) {
        self.append_links(&other.next);
        self.rows.extend_from_slice(&other.rows);
        self.legal.extend_from_slice(&other.legal);
        self.hidden.extend_from_slice(&other.hidden);
        self.actions.extend_from_slice(&other.actions);
        self.log_probability.extend_from_slice(&other.log_probability);
        self.values.extend_from_slice(&other.values);
        self.rewards.extend_from_slice(&other.rewards);
        self.discounts.extend_from_slice(&other.discounts);
    }

    /// Appends the links of decisions that the caller appends next.
    pub(super) fn append_links(&mut self, next: &[u32]) {
        let start = self.len() as u32;
        self.next.extend(next.iter().map(|&next| if next == NONE { NONE } else { next + start }));
    }
}

/// The last decision of each seat of a session, which gets the next reward.
#[derive(Copy, Clone, Debug, Default)]
pub struct Links {
    seats: [Option<Open>; MAX_SEATS],
}

#[derive(Copy, Clone, Debug)]
struct Open {
    decision: usize,
    /// Product of the discounts of the rounds that ended since.
    factor: f32,
    /// Whether a round ended since.
    crossed: bool,
}

impl Links {
    /// Links the seat's last decision to the newest one in `decisions`, which has no reward and no successor yet.
    pub fn decided(&mut self, seat: usize, discounts: Discounts, decisions: &mut Decisions) {
        let decision = decisions.actions.len() - 1;
        if let Some(last) = self.seats[seat].replace(Open { decision, factor: 1.0, crossed: false }) {
            decisions.next[last.decision] = decision as u32;
            decisions.discounts[last.decision] = if last.crossed { last.factor } else { discounts.gamma };
        }
    }

    /// Adds a round's payoff to the reward of each seat's last decision. A seat without a decision so far had no
    /// choice, so nothing is learned from its payoff.
    pub fn round_over(&mut self, payoff: &Payoff, discounts: Discounts, decisions: &mut Decisions) {
        for (seat, open) in self.seats.iter_mut().enumerate() {
            if let Some(open) = open {
                decisions.rewards[open.decision] += open.factor * payoff.reward[seat];
                open.factor *= discounts.round_gamma;
                open.crossed = true;
            }
        }
    }
}
