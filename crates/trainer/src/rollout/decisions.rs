//! Decisions of the learner as columns, each with what it earned and the decision that follows it.

use cardsharp_env::{ActionId, MAX_SEATS, Payoff};

/// What a later reward is worth to an earlier decision.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Discounts {
    /// From a decision to the same seat's next one in the same round.
    pub gamma: f32,
    /// Across the border of two rounds.
    pub round_gamma: f32,
}

/// Marks a decision that no other one of its seat follows in its session.
pub const NONE: u32 = u32::MAX;

/// Decisions in the order they were made. One entry (or row) per decision everywhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    /// Observation rows, `[len, cells]` flat.
    pub rows: Vec<u8>,
    /// Legal actions as bits, `[len, words]` flat.
    pub legal: Vec<u64>,
    /// What the seat could not see, `[len, hidden cells]` flat; empty unless asked for.
    pub hidden: Vec<u8>,
    /// What was chosen.
    pub actions: Vec<ActionId>,
    /// The logarithm of the probability with which it was chosen.
    pub log_probability: Vec<f32>,
    /// What the value head expected.
    pub values: Vec<f32>,
    /// What the decision earned before the seat's next one: the payoffs of the rounds that ended in
    /// between, discounted by `round_gamma` per border.
    pub rewards: Vec<f32>,
    /// The same seat's next decision in the session, or [`NONE`].
    pub next: Vec<u32>,
    /// What the next decision's value is multiplied with; 0 if there is none.
    pub discounts: Vec<f32>,
}

impl Decisions {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Leaves none.
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

    /// Adds a decision that nothing has come of yet.
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

    /// Adds another's decision with what it earned, without any that follows.
    pub(super) fn copy_of(&mut self, other: &Self, number: usize) {
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

    /// Forgets which decision follows which.
    pub(super) fn part(&mut self) {
        self.next.fill(NONE);
        self.discounts.fill(0.0);
    }

    /// Cells, words and hidden cells of a decision.
    fn widths(&self) -> [usize; 3] {
        [self.rows.len(), self.legal.len(), self.hidden.len()].map(|all| all / self.len().max(1))
    }

    /// Appends other decisions.
    pub fn append(&mut self, other: &Self) {
        self.link(&other.next);
        self.rows.extend_from_slice(&other.rows);
        self.legal.extend_from_slice(&other.legal);
        self.hidden.extend_from_slice(&other.hidden);
        self.actions.extend_from_slice(&other.actions);
        self.log_probability.extend_from_slice(&other.log_probability);
        self.values.extend_from_slice(&other.values);
        self.rewards.extend_from_slice(&other.rewards);
        self.discounts.extend_from_slice(&other.discounts);
    }

    /// Appends which decision follows which, of decisions that are appended after this.
    pub(super) fn link(&mut self, next: &[u32]) {
        let start = self.len() as u32;
        self.next.extend(next.iter().map(|&next| if next == NONE { NONE } else { next + start }));
    }
}

/// The last decision of each seat of a session, to which the next reward goes.
#[derive(Copy, Clone, Debug, Default)]
pub struct Links {
    seats: [Option<Open>; MAX_SEATS],
}

#[derive(Copy, Clone, Debug)]
struct Open {
    decision: usize,
    /// Borders of rounds since, as their product of discounts.
    factor: f32,
    /// Whether any border was crossed.
    crossed: bool,
}

impl Links {
    /// Links the seat's last decision to the newest one in `decisions`, which was just pushed with
    /// reward 0, no next and discount 0.
    pub fn decided(&mut self, seat: usize, discounts: Discounts, decisions: &mut Decisions) {
        let decision = decisions.actions.len() - 1;
        if let Some(last) = self.seats[seat].replace(Open { decision, factor: 1.0, crossed: false }) {
            decisions.next[last.decision] = decision as u32;
            decisions.discounts[last.decision] = if last.crossed { last.factor } else { discounts.gamma };
        }
    }

    /// Gives each seat's last decision its share of a round's payoff. A seat without any decision so
    /// far earned it without a choice, and nothing is learned from it.
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
