//! Reads a plan from a TOML document.

mod checks;
mod swept;

use std::path::Path;

use cardsharp_bot::disk;
use cardsharp_document::{ConfigError, ConfigProblem, Document, Node, NodeValue};
use cardsharp_env::rules::nearest;
use cardsharp_env::{Games, seed};
use serde::de::DeserializeOwned;

use super::{Base, Better, Method, Setting, StopRule, SweepPlan};
use crate::config::text;
use crate::sweep::field::{Field, toml_of};
use crate::sweep::file::{self, SeedSpec, SweepFile};
use crate::sweep::sampler;
use swept::leaves;

/// Maximum number of settings of a sweep.
const MOST: usize = 10_000;

impl SweepPlan {
    /// Reads a sweep file. Checks every setting that is known before training. With `method = "suggested"` it also
    /// checks each value of a list, and both ends of a range.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn read(games: &Games, path: &Path) -> Result<Self, ConfigError> {
        let (name, text) = (path.display().to_string(), text(path)?);
        let document = Document::parse(&name, &text, &[])?;
        let reader = Reader { document: &document };
        reader.names()?;
        let mut base = reader.base(games, path)?;
        let set = reader.set()?;
        base.overrides =
            set.iter().map(|(field, node)| format!("{field}={}", toml_of(&node.value()))).collect();
        let config = base.config([]).map_err(|error| reader.moved(error, &base.overrides, &set, ""))?;
        let method = reader.method()?;
        let fields = reader.fields(method)?;
        let trials = reader.trials(method, &fields)?;
        let nodes = |fields: &[(Field, &Node)]| -> Vec<Field> {
            fields.iter().map(|(field, _)| field.clone()).collect()
        };
        let plan = Self {
            name: disk::stem(path),
            method,
            trials,
            batch: reader.number("batch", file::batch(), 1, 1000)?,
            seeds: reader.seeds()?,
            seed: reader.number("seed", file::seed(), 0, seed::MAX)?,
            figure: reader
                .typed("figure", "expected the name of a column, like \"arena/scripted/place_score\"")?,
            better: reader.typed::<Better>("better", "expected \"higher\" or \"lower\"")?,
            stop: reader.stop()?,
            fields: nodes(&fields),
            config,
            base,
        };
        reader.settings(plan, &fields)
    }

    /// Returns the settings that are known before any training: all of a grid or of a random sweep, else the first
    /// batch.
    pub(in crate::sweep) fn first(&self) -> Vec<Setting> {
        let count = match self.method {
            Method::Grid => return sampler::grid(&self.fields),
            Method::Random => self.trials,
            Method::Suggested => self.batch.min(self.trials),
        };
        let mut drawn: Vec<Setting> = Vec::new();
        for number in 0..count as u64 {
            drawn.push(sampler::random(&self.fields, self.seed, number, &drawn));
        }
        drawn
    }
}

/// Reads the fields of a document.
struct Reader<'d> {
    document: &'d Document<'d>,
}

impl<'d> Reader<'d> {
    fn node(&self, name: &str) -> Option<&'d Node> {
        self.document.root.get(name)
    }

    fn wrong(
        &self,
        node: &Node,
        field: &str,
        given: impl ToString,
        expected: impl Into<String>,
    ) -> ConfigError {
        let problem = ConfigProblem::Value {
            field: field.to_owned(),
            given: given.to_string(),
            expected: expected.into(),
        };
        self.document.error(&node.origin, problem)
    }

    fn missing(&self, field: &str, expected: &str) -> ConfigError {
        let problem = ConfigProblem::Missing { field: field.to_owned(), expected: expected.to_owned() };
        self.document.error_at(&[], problem)
    }

    fn names(&self) -> Result<(), ConfigError> {
        let NodeValue::Table(entries) = &self.document.root.kind else { return Ok(()) };
        self.known("", entries, &SweepFile::FIELDS)
    }

    fn known(&self, section: &str, entries: &[(String, Node)], known: &[&str]) -> Result<(), ConfigError> {
        let Some((field, node)) = entries.iter().find(|(name, _)| !known.contains(&name.as_str())) else {
            return Ok(());
        };
        let problem = ConfigProblem::Unknown {
            field: field.clone(),
            section: section.to_owned(),
            nearest: nearest(field, known.iter().copied()).map(str::to_owned),
            known: known.iter().map(|&name| name.to_owned()).collect(),
        };
        Err(self.document.error(&node.name, problem))
    }

    fn typed<T: DeserializeOwned + Default>(&self, name: &str, expected: &str) -> Result<T, ConfigError> {
        let Some(node) = self.node(name) else { return Ok(T::default()) };
        let value = node.value();
        serde_json::from_value(value.clone()).map_err(|_| self.wrong(node, name, value, expected))
    }

    fn number<N: TryFrom<u64>>(&self, name: &str, default: N, min: u64, max: u64) -> Result<N, ConfigError> {
        let Some(node) = self.node(name) else { return Ok(default) };
        let number = node.value().as_u64().filter(|number| (min..=max).contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
            self.wrong(node, name, node.value(), format!("expected a whole number from {min} to {max}"))
        })
    }

    /// Reads the configuration file. Its path is relative to the sweep file.
    fn base(&self, games: &Games, path: &Path) -> Result<Base, ConfigError> {
        let expected = "expected the path of a configuration, relative to this file";
        let Some(node) = self.node("config") else { return Err(self.missing("config", expected)) };
        let value = node.value();
        let given = value.as_str().filter(|given| !given.is_empty());
        let given = given.ok_or_else(|| self.wrong(node, "config", &value, expected))?;
        let file = disk::parent(path).join(given);
        // Without `./`, which `disk::parent` adds to a path in the current folder.
        let file = file.strip_prefix(".").map(Path::to_owned).unwrap_or(file);
        let text = text(&file).map_err(|error| {
            let expected = format!("{expected}; {}: {}", file.display(), error.problem());
            self.wrong(node, "config", &value, expected)
        })?;
        Ok(Base { games: games.clone(), name: file.display().to_string(), text, overrides: Vec::new() })
    }

    /// Returns the fields of `set`, the overrides for all runs.
    fn set(&self) -> Result<Vec<(String, &'d Node)>, ConfigError> {
        let Some(node) = self.node("set") else { return Ok(Vec::new()) };
        let NodeValue::Table(entries) = &node.kind else {
            return Err(self.wrong(
                node,
                "set",
                node.value(),
                "expected a table of fields of the configuration",
            ));
        };
        // One entry for each field of a section, so that the other fields of the section keep their values.
        let mut all = Vec::new();
        entries.iter().for_each(|(name, node)| leaves(name, node, is_schedule, &mut all));
        all.iter().try_for_each(|(field, node)| self.allowed(field, node))?;
        Ok(all)
    }

    /// Refuses `seed` and `threads`, which do not belong to a setting.
    fn allowed(&self, field: &str, node: &Node) -> Result<(), ConfigError> {
        let expected = match field {
            "seed" => "expected no seed here: every setting is trained with each of `seeds`",
            "threads" => {
                "expected no threads here, which change no result: `--threads` says how many each run has"
            }
            _ => return Ok(()),
        };
        Err(self.wrong(node, field, node.value(), expected))
    }

    fn method(&self) -> Result<Method, ConfigError> {
        self.typed("method", "expected \"grid\", \"random\" or \"suggested\"")
    }

    fn seeds(&self) -> Result<Vec<u64>, ConfigError> {
        let expected = "expected how many (1 to 1000), or a list of them, each once and at most 2^53 - 1, like [1, 2, 7]";
        let seeds: SeedSpec = self.typed("seeds", expected)?;
        seeds.listed().ok_or_else(|| match self.node("seeds") {
            Some(node) => self.wrong(node, "seeds", node.value(), expected),
            None => self.missing("seeds", expected),
        })
    }

    fn stop(&self) -> Result<StopRule, ConfigError> {
        let Some(node) = self.node("stop") else { return Ok(StopRule::default()) };
        let NodeValue::Table(entries) = &node.kind else {
            return Err(self.wrong(
                node,
                "stop",
                node.value(),
                "expected a table, like { rule = \"median\" }",
            ));
        };
        self.known("stop", entries, &["rule", "after", "from"])?;
        let mut stop = StopRule::default();
        for (name, node) in entries {
            let value = node.value();
            let number = value.as_u64();
            let expected = match name.as_str() {
                "rule" => match serde_json::from_value(value.clone()) {
                    Ok(rule) => {
                        stop.rule = rule;
                        continue;
                    }
                    Err(_) => "expected \"median\" or \"none\"",
                },
                "after" => match number.filter(|number| (1..=MOST as u64).contains(number)) {
                    Some(number) => {
                        stop.after = number as usize;
                        continue;
                    }
                    None => "expected a whole number from 1 to 10000",
                },
                _ => match number {
                    Some(number) => {
                        stop.from = number;
                        continue;
                    }
                    None => "expected a whole number, at least 0",
                },
            };
            return Err(self.wrong(node, &format!("stop.{name}"), value, expected));
        }
        Ok(stop)
    }
}

/// Whether a table is a complete schedule, which may replace a number.
fn is_schedule(entries: &[(String, Node)]) -> bool {
    ["from", "to"].iter().all(|field| entries.iter().any(|(name, _)| name == field))
}
