//! Fields and values that earlier versions called by other names. They are refused, and the error has the new name.

use cardsharp_document::Problem;
use serde_json::{Value, json};

/// The old and the new path of each field that was renamed.
pub const FIELDS: [(&str, &str); 22] = [
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
    ("expert.ppo", "expert.ppo_weight"),
    ("expert.weight", "expert.distill_weight"),
    ("expert.doubt", "expert.gain_margin"),
    ("expert.share", "expert.samples_per_decision"),
    ("expert.kept", "expert.buffer_size"),
    ("rollout.exact", "rollout.endgame_solver"),
    ("league.searching", "league.search"),
    ("evaluate.against", "evaluate.opponents"),
];

/// Each value that was renamed: the path of its field, the old and the new text.
pub const VALUES: [(&str, &str, &str); 2] = [("device", "cores", "cpu"), ("device", "card", "gpu")];

/// The error for the field `name` of a section, if it was renamed.
pub(super) fn field(section: &[&str], name: &str) -> Option<Problem> {
    let path = [section, &[name]].concat().join(".");
    let (old, new) = FIELDS.iter().find(|(old, _)| *old == path)?;
    Some(Problem::Renamed { old: (*old).to_owned(), new: (*new).to_owned() })
}

/// The error for the value of the field at `path`, if the value was renamed.
pub(super) fn value(path: &[&str], value: &Value) -> Option<Problem> {
    let path = path.join(".");
    let (_, old, new) = VALUES.iter().find(|(field, old, _)| *field == path && value == old)?;
    let written = |text: &str| format!("{path} = {}", json!(text));
    Some(Problem::Renamed { old: written(old), new: written(new) })
}
