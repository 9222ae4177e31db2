//! Checks of a sweep's settings, before any training.

use cardsharp_document::{ConfigError, ConfigProblem, ErrorPosition, Node, NodeValue, Origin};
use cardsharp_env::AnyGame;
use cardsharp_env::rules::nearest;

use super::Reader;
use crate::config::Config;
use crate::evaluate::Baselines;
use crate::rollout::Tables;
use crate::sweep::field::{Field, FieldValues};
use crate::sweep::plan::{Method, Setting, SweepPlan, changes};

impl<'d> Reader<'d> {
    /// Checks all settings that are known, and returns the plan with its metric.
    pub(super) fn settings(
        &self,
        mut plan: SweepPlan,
        fields: &[(Field, &'d Node)],
    ) -> Result<SweepPlan, ConfigError> {
        let nodes: Vec<(String, &Node)> =
            fields.iter().map(|(field, node)| (field.field.clone(), *node)).collect();
        let first = plan.first();
        let mut figure = self.node("figure").map(|_| plan.figure.clone());
        let mut measured: Option<(Config, Vec<String>)> = None;
        let mut check = |setting: &Setting, which: &str| {
            let config = plan.config_of(setting, plan.seeds[0]);
            let given: Vec<String> = changes(&plan.fields, setting).collect();
            let config = config.map_err(|error| self.moved(error, &given, &nodes, which))?;
            // Settings with the same evaluation share the opened baselines.
            let arena = match measured.take() {
                Some((alike, arena)) if is_measured_alike(&alike, &config) => arena,
                _ => self.arena(&config, which)?,
            };
            self.has(&mut figure, &config, &arena, which)?;
            measured = Some((config, arena));
            Ok(())
        };
        for (number, setting) in first.iter().enumerate() {
            check(setting, &format!(" (in setting {}: {})", number + 1, plan.describe(setting)))?;
        }
        if plan.method == Method::Suggested {
            let ends = |values: &FieldValues| match values {
                FieldValues::List(list) => list.clone(),
                FieldValues::Range(range) => vec![range.at(0.0), range.at(1.0)],
            };
            for (at, field) in plan.fields.iter().enumerate() {
                for end in ends(&field.values) {
                    let mut setting = first[0].clone();
                    setting[at] = end;
                    check(&setting, "")?;
                }
            }
        }
        plan.figure = figure.unwrap_or_default();
        Ok(plan)
    }

    /// Returns the names of the arena metrics of runs with this configuration.
    fn arena(&self, config: &Config, which: &str) -> Result<Vec<String>, ConfigError> {
        arena(config).map_err(|error| {
            let node = self.node("config").unwrap_or(&self.document.root);
            self.wrong(node, "config", node.value(), format!("its runs cannot be measured: {error}{which}"))
        })
    }

    /// Refuses a metric that runs of this configuration lack. The default is the first arena metric of the first
    /// setting.
    fn has(
        &self,
        figure: &mut Option<String>,
        config: &Config,
        arena: &[String],
        which: &str,
    ) -> Result<(), ConfigError> {
        let figure = figure.get_or_insert_with(|| arena.first().cloned().unwrap_or_default());
        let own = config.algorithm().metrics(!config.net.critic.is_empty());
        let all = arena.iter().map(String::as_str).chain(own);
        if all.clone().any(|name| name == figure) {
            return Ok(());
        }
        let like = format!("expected a figure that these runs have, like {}", arena.join(", "));
        let Some(node) = self.node("figure") else {
            let expected = format!("{like}, and all others, too: they have no `{figure}`{which}");
            return Err(self.missing("figure", &expected));
        };
        let near = nearest(figure, all).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Err(self.wrong(node, "figure", format!("{figure:?}"), format!("{like}{near}{which}")))
    }

    /// Moves an error in an override to the place in the sweep file that the override came from.
    pub(super) fn moved(
        &self,
        error: ConfigError,
        overrides: &[String],
        from: &[(String, &Node)],
        which: &str,
    ) -> ConfigError {
        let ErrorPosition::Override(text) = error.place() else { return error };
        let Some(at) = overrides.iter().position(|given| given == text) else { return error };
        let Some((_, node)) = from.get(at) else { return error };
        let (origin, problem) = match error.into_problem() {
            ConfigProblem::Value { field, given, expected } => {
                (self.entry(node, &given), ConfigProblem::Value { field, given, expected: expected + which })
            }
            problem @ (ConfigProblem::Unknown { .. }
            | ConfigProblem::Renamed { .. }
            | ConfigProblem::Removed { .. }) => (&node.name, problem),
            problem => (&node.origin, problem),
        };
        self.document.error(origin, problem)
    }

    /// Returns the place of the list entry with this value, or of the whole list.
    fn entry<'n>(&self, node: &'n Node, given: &str) -> &'n Origin {
        match &node.kind {
            NodeValue::List(entries) => {
                let mut texts = entries.iter().map(|entry| (entry, entry.value().to_string()));
                let entry = texts.find_map(|(entry, text)| (text == given).then_some(entry));
                &entry.unwrap_or(node).origin
            }
            _ => &node.origin,
        }
    }
}

/// Whether runs of both configurations have the same baselines and rules in evaluations.
fn is_measured_alike(one: &Config, other: &Config) -> bool {
    one.game == other.game && one.evaluate == other.evaluate && one.rollout.tables == other.rollout.tables
}

/// Returns the names of the arena metrics of runs with this configuration, or why they cannot be evaluated.
fn arena(config: &Config) -> Result<Vec<String>, String> {
    let message = |error: &dyn std::fmt::Display| error.to_string();
    let game: &dyn AnyGame = config.game().ok_or_else(|| format!("there is no game `{}`", config.game))?;
    let tables = Tables::new(game, &config.rollout).map_err(|error| message(&error))?;
    let baselines =
        Baselines::new(&config.evaluate, game, &tables.rules[0]).map_err(|error| message(&error))?;
    Ok(baselines.metrics().collect())
}
