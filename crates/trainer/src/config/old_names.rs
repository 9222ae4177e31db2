//! Fields and values of earlier versions. They are refused: the error has the new name, or says what to do instead.

use cardsharp_document::{ConfigProblem, Node, NodeValue};
use serde_json::{Value, json};

/// The old and the new path of each field that was renamed.
pub const RENAMED_FIELDS: [(&str, &str); 22] = [
    ("net.start", "net.init_from"),
    ("ppo.imitate", "ppo.imitation_iterations"),
    ("ppo.magnet", "ppo.reference_policy"),
    ("ppo.magnet_every", "ppo.reference_policy_every"),
    ("ppo.spread", "ppo.uniform_kl"),
    ("ppo.value_bound", "ppo.value_huber"),
    ("ppo.gradient_norm", "ppo.max_grad_norm"),
    ("ppo.lambda", "ppo.gae_lambda"),
    ("ppo.normalise_advantages", "ppo.normalize_advantages"),
    ("ppo.epsilon", "ppo.adam_epsilon"),
    ("dmc.explore", "dmc.exploration"),
    ("dmc.bound", "dmc.huber"),
    ("dmc.gradient_norm", "dmc.max_grad_norm"),
    ("dmc.epsilon", "dmc.adam_epsilon"),
    ("expert.weight", "distill.weight"),
    ("expert.distill_weight", "distill.weight"),
    ("expert.share", "distill.samples_per_decision"),
    ("expert.samples_per_decision", "distill.samples_per_decision"),
    ("expert.kept", "distill.buffer_size"),
    ("expert.buffer_size", "distill.buffer_size"),
    ("rollout.exact", "rollout.endgame_solver"),
    ("evaluate.against", "evaluate.opponents"),
];

/// Each value that was renamed: the path of its field, the old and the new text.
pub const RENAMED_VALUES: [(&str, &str, &str); 2] = [("device", "cores", "cpu"), ("device", "card", "gpu")];

const FULL_WEIGHT: &str = "delete it; the PPO objective always has its full weight";
const CERTAIN: &str =
    "delete it; only the endgame solver gives distillation targets, and its moves are certain";
const NO_SEARCH: &str = "delete it; the only search in training is one that is the `league.opponent`";

/// The path of each field that was removed, and what to do instead.
pub const REMOVED_FIELDS: [(&str, &str); 7] = [
    ("expert.ppo", FULL_WEIGHT),
    ("expert.ppo_weight", FULL_WEIGHT),
    ("expert.doubt", CERTAIN),
    ("expert.gain_margin", CERTAIN),
    ("league.search", NO_SEARCH),
    ("league.searching", NO_SEARCH),
    ("league.searcher", NO_SEARCH),
];

/// Each value that was removed: the path of its field, its text, and what to do instead.
pub const REMOVED_VALUES: [(&str, &str, &str); 1] = [(
    "algorithm",
    "expert",
    "write `algorithm = \"ppo\"`; with `distill.weight` above 0 it learns the moves of the endgame solver",
)];

/// Returns the error for the field `name` of a section if it was renamed or removed, with its node. If it is an unknown
/// section, returns that of the first such field in it.
pub(super) fn field<'n>(section: &[&str], name: &str, node: &'n Node) -> Option<(&'n Node, ConfigProblem)> {
    let path = [section, &[name]].concat();
    let old = path.join(".");
    if let Some((_, new)) = RENAMED_FIELDS.iter().find(|(known, _)| *known == old) {
        return Some((node, ConfigProblem::Renamed { old, new: (*new).to_owned() }));
    }
    if let Some((_, remedy)) = REMOVED_FIELDS.iter().find(|(known, _)| *known == old) {
        return Some((node, ConfigProblem::Removed { old, remedy: (*remedy).to_owned() }));
    }
    let NodeValue::Table(entries) = &node.kind else { return None };
    entries.iter().find_map(|(name, node)| field(&path, name, node))
}

/// Returns the error for the value of the field at `path`, if the value was renamed or removed.
pub(super) fn value(path: &[&str], value: &Value) -> Option<ConfigProblem> {
    let path = path.join(".");
    let written = |text: &str| format!("{path} = {}", json!(text));
    let is_old = |(field, old, _): &&(&str, &str, &str)| *field == path && value == *old;
    if let Some((_, old, new)) = RENAMED_VALUES.iter().find(is_old) {
        return Some(ConfigProblem::Renamed { old: written(old), new: written(new) });
    }
    let (_, old, remedy) = REMOVED_VALUES.iter().find(is_old)?;
    Some(ConfigProblem::Removed { old: written(old), remedy: (*remedy).to_owned() })
}
