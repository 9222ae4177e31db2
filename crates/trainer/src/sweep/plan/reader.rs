//! From a document to a plan.

use std::path::Path;

use cardsharp_bot::disk;
use cardsharp_document::{ConfigError, Document, Kind, Node, Place, Problem};
use cardsharp_env::rules::nearest;
use cardsharp_env::{AnyGame, Games};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Base, Better, Method, Plan, Setting, Stop, changes};
use crate::config::{Config, text};
use crate::evaluate::Baselines;
use crate::rollout::Tables;
use crate::sweep::field::{Field, Range, Values, toml_of};
use crate::sweep::file::{self, Seeds, SweepFile};
use crate::sweep::trials;

/// Most settings of a sweep.
const MOST: usize = 10_000;
/// Most numbers of a range in a grid.
const MOST_STEPS: usize = 1000;

impl Plan {
    /// Reads a file. Every setting of a grid and every one that is drawn is checked, and of one that will be suggested the
    /// values of every field.
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
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            method,
            trials,
            batch: reader.number("batch", file::batch(), 1, 1000)?,
            seeds: reader.seeds()?,
            seed: reader.number("seed", file::seed(), 0, i64::MAX as u64)?,
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

    /// The settings that are known before anything is trained: of a grid and of those that are drawn all of them, else the
    /// first batch.
    pub(in crate::sweep) fn first(&self) -> Vec<Setting> {
        let count = match self.method {
            Method::Grid => return trials::grid(&self.fields),
            Method::Random => self.trials,
            Method::Suggested => self.batch.min(self.trials),
        };
        let mut drawn: Vec<Setting> = Vec::new();
        for number in 0..count as u64 {
            drawn.push(trials::random(&self.fields, self.seed, number, &drawn));
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
        let problem =
            Problem::Value { field: field.to_owned(), given: given.to_string(), expected: expected.into() };
        self.document.error(&node.origin, problem)
    }

    fn missing(&self, field: &str, expected: &str) -> ConfigError {
        let problem = Problem::Missing { field: field.to_owned(), expected: expected.to_owned() };
        self.document.error_at(&[], problem)
    }

    /// Refuses names that a file cannot have.
    fn names(&self) -> Result<(), ConfigError> {
        let Kind::Table(entries) = &self.document.root.kind else { return Ok(()) };
        self.known("", entries, &SweepFile::FIELDS)
    }

    fn known(&self, section: &str, entries: &[(String, Node)], known: &[&str]) -> Result<(), ConfigError> {
        let Some((field, node)) = entries.iter().find(|(name, _)| !known.contains(&name.as_str())) else {
            return Ok(());
        };
        let problem = Problem::Unknown {
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

    /// The configuration's file, which is looked for from where the sweep's is.
    fn base(&self, games: &Games, path: &Path) -> Result<Base, ConfigError> {
        let expected = "expected the path of a configuration, relative to this file";
        let Some(node) = self.node("config") else { return Err(self.missing("config", expected)) };
        let value = node.value();
        let given = value.as_str().filter(|given| !given.is_empty());
        let given = given.ok_or_else(|| self.wrong(node, "config", &value, expected))?;
        let file = disk::parent(path).join(given);
        // The path of a file in this folder is its name.
        let file = file.strip_prefix(".").map(Path::to_owned).unwrap_or(file);
        let text = text(&file).map_err(|error| {
            let expected = format!("{expected}; {}: {}", file.display(), error.problem());
            self.wrong(node, "config", &value, expected)
        })?;
        Ok(Base { games: games.clone(), name: file.display().to_string(), text, overrides: Vec::new() })
    }

    /// What all runs have changed.
    fn set(&self) -> Result<Vec<(String, &'d Node)>, ConfigError> {
        let Some(node) = self.node("set") else { return Ok(Vec::new()) };
        let Kind::Table(entries) = &node.kind else {
            return Err(self.wrong(
                node,
                "set",
                node.value(),
                "expected a table of fields of the configuration",
            ));
        };
        // A section is one value; its fields are told one by one, so that the others of it stay as they are.
        let mut all = Vec::new();
        entries.iter().for_each(|(name, node)| leaves(name, node, &|_| false, &mut all));
        all.iter().try_for_each(|(field, node)| self.allowed(field, node))?;
        Ok(all)
    }

    /// Refuses fields that belong to the sweep or to the machine.
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
        let expected = "expected how many (1 to 1000), or a list of them, each once, like [1, 2, 7]";
        let seeds: Seeds = self.typed("seeds", expected)?;
        seeds.listed().ok_or_else(|| match self.node("seeds") {
            Some(node) => self.wrong(node, "seeds", node.value(), expected),
            None => self.missing("seeds", expected),
        })
    }

    fn stop(&self) -> Result<Stop, ConfigError> {
        let Some(node) = self.node("stop") else { return Ok(Stop::default()) };
        let Kind::Table(entries) = &node.kind else {
            return Err(self.wrong(
                node,
                "stop",
                node.value(),
                "expected a table, like { rule = \"median\" }",
            ));
        };
        self.known("stop", entries, &["rule", "after", "from"])?;
        let mut stop = Stop::default();
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

    /// What is swept, in the order of the file.
    fn fields(&self, method: Method) -> Result<Vec<(Field, &'d Node)>, ConfigError> {
        let expected = "expected a table of the fields that are swept, like `ppo.clip = [0.1, 0.2]`";
        let Some(node) = self.node("fields") else { return Err(self.missing("fields", expected)) };
        let entries = match &node.kind {
            Kind::Table(entries) if !entries.is_empty() => entries,
            _ => return Err(self.wrong(node, "fields", node.value(), expected)),
        };
        let mut all = Vec::new();
        entries.iter().for_each(|(name, node)| leaves(name, node, &is_range, &mut all));
        let mut fields: Vec<(Field, &Node)> = Vec::new();
        for (field, node) in all {
            self.allowed(&field, node)?;
            if fields.iter().any(|(other, _)| other.field == field) {
                return Err(self.wrong(node, &field, node.value(), "expected each field once"));
            }
            let values = self.values(&field, node, method)?;
            fields.push((Field { field, values }, node));
        }
        Ok(fields)
    }

    /// What a field may be.
    fn values(&self, field: &str, node: &Node, method: Method) -> Result<Values, ConfigError> {
        let expected = "expected a list of values, or a range, like { min = 0.0001, max = 0.01, log = true }";
        let value = node.value();
        let wrong = |node: &Node, expected: &str| self.wrong(node, field, node.value(), expected);
        match &node.kind {
            Kind::List(entries) => {
                let values: Vec<Value> = entries.iter().map(Node::value).collect();
                let again = values.iter().enumerate().find(|(at, value)| values[..*at].contains(value));
                match (again, values.is_empty()) {
                    (Some((at, _)), _) => Err(wrong(&entries[at], "expected each value once")),
                    (None, true) => Err(wrong(node, "expected at least one value")),
                    (None, false) => Ok(Values::List(values)),
                }
            }
            Kind::Table(entries) => {
                self.known(&format!("fields.{field}"), entries, &RANGE)?;
                let range: Range = serde_json::from_value(value).map_err(|_| wrong(node, expected))?;
                let least = if range.int { 1.0 } else { f64::MIN_POSITIVE };
                let whole = [range.min, range.max].iter().all(|end| end.fract() == 0.0 && end.abs() < 9e15);
                let problem = match () {
                    () if range.min > range.max => "expected `min` not above `max`",
                    () if range.log && range.min < least => "expected a `min` above 0 with `log`",
                    () if range.int && !whole => "expected whole numbers with `int`",
                    () => match (method, range.steps) {
                        (Method::Grid, None) => {
                            "expected a list of values or, in a grid, a range with `steps`"
                        }
                        (Method::Grid, Some(steps)) if !(2..=MOST_STEPS).contains(&steps) => {
                            "expected 2 to 1000 `steps`"
                        }
                        (Method::Random | Method::Suggested, Some(_)) => {
                            "expected no `steps`, which only a grid has"
                        }
                        _ => return Ok(Values::Range(range)),
                    },
                };
                Err(wrong(node, problem))
            }
            Kind::Leaf(_) => Err(wrong(node, expected)),
        }
    }

    /// How many settings there are.
    fn trials(&self, method: Method, fields: &[(Field, &Node)]) -> Result<usize, ConfigError> {
        let node = self.node("trials");
        if method == Method::Grid {
            if let Some(node) = node {
                let expected = "expected none with `method = \"grid\"`, which tries every combination";
                return Err(self.wrong(node, "trials", node.value(), expected));
            }
            let count = fields.iter().try_fold(1_usize, |all, (field, _)| {
                all.checked_mul(field.values.grid().len()).filter(|count| *count <= MOST)
            });
            return count.ok_or_else(|| {
                let expected = format!("expected at most {MOST} combinations; `random` tries some of more");
                let node = self.node("fields").unwrap_or(&self.document.root);
                self.wrong(node, "fields", "so many combinations", expected)
            });
        }
        if node.is_none() {
            return Err(self.missing("trials", "expected how many settings there are, 1 to 10000"));
        }
        self.number("trials", 0, 1, MOST as u64)
    }

    /// The plan, once everything that is known of its settings was checked.
    fn settings(&self, mut plan: Plan, fields: &[(Field, &'d Node)]) -> Result<Plan, ConfigError> {
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
    fn moved(
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
    fn entry<'n>(&self, node: &'n Node, given: &str) -> &'n cardsharp_document::Origin {
        match &node.kind {
            Kind::List(entries) => {
                let entry = entries.iter().find(|entry| entry.value().to_string() == given);
                &entry.unwrap_or(node).origin
            }
            _ => &node.origin,
        }
    }
}

/// The names in a range.
const RANGE: [&str; 5] = ["min", "max", "log", "int", "steps"];

/// Whether a table is a range, and not a section with fields.
fn is_range(entries: &[(String, Node)]) -> bool {
    entries.iter().any(|(name, node)| RANGE.contains(&name.as_str()) && matches!(node.kind, Kind::Leaf(_)))
}

/// Everything under a node that is no section, by its path.
fn leaves<'n>(
    path: &str,
    node: &'n Node,
    whole: &dyn Fn(&[(String, Node)]) -> bool,
    into: &mut Vec<(String, &'n Node)>,
) {
    match &node.kind {
        Kind::Table(entries) if !whole(entries) => {
            entries.iter().for_each(|(name, node)| leaves(&format!("{path}.{name}"), node, whole, into));
        }
        _ => into.push((path.to_owned(), node)),
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
