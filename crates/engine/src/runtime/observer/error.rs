//! Errors of an observer.

use crate::base::rules::RulesError;

/// Why a line was refused. The observer returns to its state before the line, or before the move that the line
/// belongs to. Lines count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ObserveError {
    /// The first line is not the header of an event log.
    #[error("line 1: not the header of a seat's record: {0}")]
    Header(String),
    /// The rules of the header are refused.
    #[error("line 1: rules: {0}")]
    Rules(#[from] RulesError),
    /// It is not an event log line.
    #[error("line {line}: {problem}")]
    Form {
        line: usize,
        /// What is wrong, and what is valid.
        problem: String,
    },
    /// The rules do not allow this here.
    #[error("line {line}: impossible: {problem}")]
    Impossible { line: usize, problem: String },
    /// A line differs from what the rules give.
    #[error("line {line}: {at} is {found}, but the rules give {expected}")]
    Differs {
        line: usize,
        /// The field, as a path within the line.
        at: String,
        /// What the rules give.
        expected: String,
        /// What the event log has.
        found: String,
    },
    /// The seat has no view now.
    #[error("seat {seat} has no view now: {problem}")]
    NoView { seat: u8, problem: &'static str },
}
