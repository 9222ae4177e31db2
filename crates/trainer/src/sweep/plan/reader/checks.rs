//! What is known of a sweep's settings is checked before anything is trained.

use cardsharp_document::{ConfigError, Kind, Node, Origin, Place, Problem};
use cardsharp_env::AnyGame;
use cardsharp_env::rules::nearest;

use super::Reader;
use crate::config::Config;
use crate::evaluate::Baselines;
use crate::rollout::Tables;
use crate::sweep::field::{Field, Values};
use crate::sweep::plan::{Method, Plan, Setting, changes};

impl<'d> Reader<'d> {
    /// The plan, once everything that is known of its settings was checked.
    pub(super) fn settings(&self, mut plan: Plan, fields: &[(Field, &'d Node)]) -> Result<Plan, ConfigError> {
        let nodes: Vec<(String, &Node)> =
            fields.iter().map(|(field, node)| (field.field.clone(), *node)).collect();
        let first = plan.first();
        let mut checked = None;
        let mut check = |setting: &Setting, which: &str| {
            let config = plan.config_of(setting, plan.seeds[0]);
            let given: Vec<String> = changes(&plan.fields, setting).collect();
            let config = config.map_err(|error| self.moved(error, &given, &nodes, which))?;
            checked.get_or_insert(config);
            Ok(())
        };
        for (number, setting) in first.iter().enumerate() {
            check(setting, &format!(" (in setting {}: {})", number + 1, plan.told(setting)))?;
        }
        if plan.method == Method::Suggested {
            let ends = |values: &Values| match values {
                Values::List(list) => list.clone(),
                Values::Range(range) => vec![range.at(0.0), range.at(1.0)],
            };
            for (at, field) in plan.fields.iter().enumerate() {
                for end in ends(&field.values) {
                    let mut setting = first[0].clone();
                    setting[at] = end;
                    check(&setting, "")?;
                }
            }
        }
        let config = checked.unwrap_or_else(|| plan.config.clone());
        plan.figure = self.figure(&config, std::mem::take(&mut plan.figure))?;
        Ok(plan)
    }

    /// The figure that settings are compared by, which must be one that runs of this configuration have.
    fn figure(&self, config: &Config, given: String) -> Result<String, ConfigError> {
        let refused = |error: String| {
            let node = self.node("config").unwrap_or(&self.document.root);
            self.wrong(node, "config", node.value(), format!("its runs cannot be measured: {error}"))
        };
        let arena: Vec<String> = arena(config).map_err(refused)?;
        let own = config.algorithm().metrics(!config.net.critic.is_empty());
        let all: Vec<String> = arena.iter().cloned().chain(own.into_iter().map(str::to_owned)).collect();
        let Some(node) = self.node("figure") else {
            return Ok(all.into_iter().next().unwrap_or_default());
        };
        if all.contains(&given) {
            return Ok(given);
        }
        let near = nearest(&given, all.iter().map(String::as_str));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let expected = format!("expected a figure that these runs have, like {}{near}", arena.join(", "));
        Err(self.wrong(node, "figure", format!("{given:?}"), expected))
    }

    /// An error of one of the overrides, at the place in the file that it came from.
    pub(super) fn moved(
        &self,
        error: ConfigError,
        overrides: &[String],
        from: &[(String, &Node)],
        which: &str,
    ) -> ConfigError {
        let Place::Override(text) = error.place() else { return error };
        let Some(at) = overrides.iter().position(|given| given == text) else { return error };
        let Some((_, node)) = from.get(at) else { return error };
        let (origin, problem) = match error.into_problem() {
            Problem::Value { field, given, expected } => {
                (self.entry(node, &given), Problem::Value { field, given, expected: expected + which })
            }
            problem @ Problem::Unknown { .. } => (&node.name, problem),
            problem => (&node.origin, problem),
        };
        self.document.error(origin, problem)
    }

    /// The entry of a list that has this value, or the whole.
    fn entry<'n>(&self, node: &'n Node, given: &str) -> &'n Origin {
        match &node.kind {
            Kind::List(entries) => {
                let mut texts = entries.iter().map(|entry| (entry, entry.value().to_string()));
                let entry = texts.find_map(|(entry, text)| (text == given).then_some(entry));
                &entry.unwrap_or(node).origin
            }
            _ => &node.origin,
        }
    }
}

/// The figures of the measurements that runs of this configuration have.
fn arena(config: &Config) -> Result<Vec<String>, String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let game: &dyn AnyGame = config.game().ok_or_else(|| format!("there is no game `{}`", config.game))?;
    let tables = Tables::new(game, &config.rollout).map_err(|error| told(&error))?;
    let baselines = Baselines::new(&config.evaluate, game, &tables.rules[0]).map_err(|error| told(&error))?;
    Ok(baselines.metrics().collect())
}
