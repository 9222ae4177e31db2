//! Numbers of the actions that a loss looks at.

use std::ops::{Add, Mul, Sub};
use std::sync::Arc;

use burn::tensor::{Bool, Int, Tensor, activation};

use super::ops::{self, Groups};

/// The logit of an illegal action.
const ILLEGAL: f32 = -1e9;

/// A number for each legal action of each decision: logits, logarithms of probabilities, probabilities.
///
/// On the CPU it has a number for each legal action and no others. On a GPU it has one for every action of the game,
/// and a mask of the legal ones. A loss does not see the difference.
#[derive(Clone)]
pub struct PerAction {
    numbers: Tensor<1>,
    rows: ValueLayout,
}

/// Which number belongs to which decision and action.
#[derive(Clone)]
pub(crate) enum ValueLayout {
    /// A group of numbers for each decision.
    Ragged(Arc<Groups>),
    /// A number for every action of each decision; those that are `true` in the mask, `[decisions, actions]`, do not
    /// count.
    Masked(Box<Tensor<2, Bool>>),
}

/// One action of each decision.
#[derive(Clone)]
pub enum Places {
    /// The place of each action's number.
    Ragged(Arc<Groups>),
    /// The id of each action, `[decisions, 1]`.
    Masked(Box<Tensor<2, Int>>),
}

impl PerAction {
    /// Numbers, one for each legal action of each decision.
    pub(crate) fn ragged(numbers: Tensor<1>, rows: &Arc<Groups>) -> Self {
        Self { numbers, rows: ValueLayout::Ragged(Arc::clone(rows)) }
    }

    /// Numbers of all actions, `[decisions, actions]`, some of which do not count.
    pub(crate) fn masked(numbers: Tensor<2>, illegal: Tensor<2, Bool>) -> Self {
        Self { numbers: numbers.flatten(0, 1), rows: ValueLayout::Masked(Box::new(illegal)) }
    }

    /// Applies an elementwise function.
    pub fn map(self, of: impl FnOnce(Tensor<1>) -> Tensor<1>) -> Self {
        Self { numbers: of(self.numbers), rows: self.rows }
    }

    /// Returns the numbers as constants without a gradient.
    pub fn inner(self) -> Self {
        self.map(Tensor::inner)
    }

    /// The exponential of each number.
    pub fn exp(self) -> Self {
        self.map(ops::exp)
    }

    /// Returns the log-probabilities of each decision, if these are its logits.
    pub fn log_softmax(self) -> Self {
        let numbers = match &self.rows {
            ValueLayout::Ragged(groups) => ops::log_softmax(self.numbers, groups),
            ValueLayout::Masked(illegal) => {
                let logits = self.numbers.reshape(illegal.dims()).mask_fill(Tensor::clone(illegal), ILLEGAL);
                activation::log_softmax(logits, 1).flatten(0, 1)
            }
        };
        Self { numbers, rows: self.rows }
    }

    /// The sum over the legal actions of each decision, `[decisions]`.
    pub fn sum(self) -> Tensor<1> {
        match self.rows {
            ValueLayout::Ragged(groups) => ops::sums(self.numbers, &groups),
            ValueLayout::Masked(illegal) => {
                self.numbers.reshape(illegal.dims()).mask_fill(*illegal, 0.0).sum_dim(1).flatten(0, 1)
            }
        }
    }

    /// The number of legal actions of each decision, `[decisions]`.
    pub fn count(&self) -> Tensor<1> {
        match &self.rows {
            ValueLayout::Ragged(groups) => {
                let counts: Vec<f32> = groups.ranges().map(|group| group.len() as f32).collect();
                Tensor::from_floats(&counts[..], &self.numbers.device())
            }
            ValueLayout::Masked(illegal) => {
                Tensor::clone(illegal).bool_not().float().sum_dim(1).flatten(0, 1)
            }
        }
    }

    /// Returns the number of one action of each decision, `[decisions]`.
    pub fn at(self, places: &Places) -> Tensor<1> {
        match (self.rows, places) {
            (ValueLayout::Ragged(_), Places::Ragged(places)) => ops::sums(self.numbers, places),
            (ValueLayout::Masked(illegal), Places::Masked(actions)) => {
                self.numbers.reshape(illegal.dims()).gather(1, Tensor::clone(actions)).flatten(0, 1)
            }
            _ => unreachable!("a batch is on one device"),
        }
    }

    /// Returns the sums of lists of these numbers; each decision has `each` lists.
    pub(crate) fn lists(self, lists: &Arc<Groups>, each: usize) -> Self {
        let ends = (1..=lists.ends.len() / each).map(|row| (row * each) as u32).collect();
        let rows = ValueLayout::Ragged(Arc::new(Groups { at: None, ends }));
        Self { numbers: ops::sums(self.numbers, lists), rows }
    }
}

/// Implements an operator that works number by number.
macro_rules! elementwise {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for PerAction {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.map(|numbers| numbers.$method(other.numbers))
            }
        }
    )*};
}

elementwise!(Add add, Sub sub, Mul mul);
