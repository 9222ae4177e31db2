//! Fields that may change after a run has started, and the lines of its configuration that list changes.
//!
//! Fields that completed iterations depend on do not change: weights, the optimizer's state, the record and the best
//! checkpoint are what they would have been. A schedule only influences later iterations. The run lists its changes in
//! comments below the fields, each with the iteration before it, and seals them with the fields.

use crate::config::FieldDifference;

/// The fields that may change. The name of a section stands for all its fields.
pub const MAY_CHANGE: [&str; 15] = [
    "iterations",
    "threads",
    "ppo.learning_rate",
    "ppo.entropy",
    "ppo.uniform_kl",
    "dmc.learning_rate",
    "dmc.exploration",
    "evaluate.every",
    "evaluate.deals",
    "evaluate.final_deals",
    "evaluate.tables",
    "checkpoint.every",
    "checkpoint.keep",
    "metrics.tensorboard",
    "metrics.histograms_every",
];

/// The start of a line that describes a change.
const LINE: &str = "# After iteration ";

/// Whether a field may change.
pub(super) fn may_change(field: &str) -> bool {
    let is_of =
        |one: &&str| field.strip_prefix(*one).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    MAY_CHANGE.iter().any(is_of)
}

/// Whether a change of a field may add or remove a column of the record.
pub(super) fn adds_columns(field: &str) -> bool {
    field.starts_with("ppo.uniform_kl")
}

/// Returns why a field may not change.
pub(super) fn reason(field: &str) -> &'static str {
    match field.split_once('.') {
        Some(("evaluate", _)) => "the measurements so far and the choice of the best checkpoint depend on it",
        Some(("ppo", rest)) if rest.starts_with("uniform_kl") => {
            "its `metrics.csv` has the column `policy/uniform_kl` only if the run started with a value above 0"
        }
        _ => "the completed iterations depend on it",
    }
}

/// Returns the line that describes a change.
pub(super) fn line(iteration: u64, FieldDifference { field, one, other }: &FieldDifference) -> String {
    format!("{LINE}{iteration} `{field}` was changed from {} to {}\n", shown(one), shown(other))
}

/// Formats the value of a field.
pub(super) fn shown(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("not set")
}

/// Returns the lines that describe changes in the text of a configuration.
pub(super) fn lines(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| line.starts_with(LINE)).collect()
}

/// Whether one of these lines describes a change of `field`.
pub(super) fn list(lines: &str, field: &str) -> bool {
    lines.lines().any(|line| line.contains(&format!(" `{field}` was changed from ")))
}
