//! Parsed configurations: trees of values with their positions in the text.

use std::ops::Range;

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{ConfigError, ConfigProblem};

/// The position of a node: the file or an override, and the byte range in it.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The index of the override; none for the file.
    over: Option<usize>,
    bytes: Range<usize>,
}

/// A value with its position.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position of its name. For entries of lists and the root, which have no name, that of the value.
    pub name: Origin,
    /// The position of the value.
    pub origin: Origin,
    pub kind: NodeValue,
}

/// The value of a node.
#[derive(Clone, Debug)]
pub enum NodeValue {
    /// Values by name, in the order of the text.
    Table(Vec<(String, Node)>),
    /// A list of values.
    List(Vec<Node>),
    /// A string, number or boolean.
    Leaf(Value),
}

impl Node {
    /// Returns the entry of a table by its name, or of a list by its index.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            NodeValue::Table(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            NodeValue::List(nodes) => nodes.get(key.parse::<usize>().ok()?),
            NodeValue::Leaf(_) => None,
        }
    }

    /// Returns the value as JSON, without positions.
    pub fn value(&self) -> Value {
        match &self.kind {
            NodeValue::Table(entries) => {
                entries.iter().map(|(name, node)| (name.clone(), node.value())).collect::<Map<_, _>>().into()
            }
            NodeValue::List(nodes) => nodes.iter().map(Node::value).collect(),
            NodeValue::Leaf(value) => value.clone(),
        }
    }
}

/// A file and the overrides applied to it.
#[derive(Debug)]
pub struct Document<'t> {
    file: &'t str,
    text: &'t str,
    overrides: &'t [String],
    pub root: Node,
}

impl<'t> Document<'t> {
    /// Parses the text of a file, which messages call `file`, and applies the overrides in order.
    ///
    /// # Errors
    /// The text is not TOML, or an override cannot be applied. The error has the position.
    pub fn parse(file: &'t str, text: &'t str, overrides: &'t [String]) -> Result<Self, ConfigError> {
        let origin = Origin { over: None, bytes: 0..0 };
        let root = Node { name: origin.clone(), origin, kind: NodeValue::Table(Vec::new()) };
        let mut document = Self { file, text, overrides, root };
        let table = DeTable::parse(text).map_err(|error| document.syntax(None, 0, &error))?;
        document.root.kind = document.table(table.get_ref(), None, 0)?;
        for (number, over) in overrides.iter().enumerate() {
            document.apply(number, over)?;
        }
        Ok(document)
    }

    /// Returns the error for a problem at this position.
    pub fn error(&self, at: &Origin, problem: ConfigProblem) -> ConfigError {
        match at.over {
            None => ConfigError::in_file(self.file, self.text, at.bytes.clone(), problem),
            Some(number) => ConfigError::in_override(&self.overrides[number], at.bytes.clone(), problem),
        }
    }

    /// Returns the error for a problem with the field at `path`. Its position is the value or, if that is missing, the
    /// innermost section of the path that exists.
    pub fn error_at(&self, path: &[&str], problem: ConfigProblem) -> ConfigError {
        let mut node = &self.root;
        let mut at = None;
        for (depth, key) in path.iter().enumerate() {
            let Some(next) = node.get(key) else { break };
            node = next;
            at = Some(if depth + 1 == path.len() { &node.origin } else { &node.name });
        }
        match at {
            Some(at) => self.error(at, problem),
            None => ConfigError::whole(self.file, problem),
        }
    }

    fn syntax(&self, over: Option<usize>, offset: usize, error: &toml::de::Error) -> ConfigError {
        let bytes = error.span().unwrap_or(0..0);
        let origin = Origin { over, bytes: bytes.start + offset..bytes.end + offset };
        self.error(&origin, ConfigProblem::Syntax(error.message().replace('\n', "; ")))
    }

    /// Converts a parsed value. `offset` is the byte at which the parsed text begins in its source.
    fn node(
        &self,
        name: Range<usize>,
        value: &Spanned<DeValue<'_>>,
        over: Option<usize>,
        offset: usize,
    ) -> Result<Node, ConfigError> {
        let at = |bytes: Range<usize>| Origin { over, bytes: bytes.start + offset..bytes.end + offset };
        let origin = at(value.span());
        let refuse = |given: String, expected: &str| {
            let problem = ConfigProblem::Value {
                field: self.source(&at(name.clone())),
                given,
                expected: expected.into(),
            };
            Err(self.error(&origin, problem))
        };
        let kind = match value.get_ref() {
            DeValue::Table(table) => self.table(table, over, offset)?,
            DeValue::Array(list) => {
                let nodes = list.iter().map(|value| self.node(value.span(), value, over, offset));
                NodeValue::List(nodes.collect::<Result<_, _>>()?)
            }
            DeValue::String(text) => NodeValue::Leaf(Value::from(text.as_ref())),
            DeValue::Boolean(truth) => NodeValue::Leaf(Value::from(*truth)),
            DeValue::Integer(integer) => {
                let signed = i64::from_str_radix(integer.as_str(), integer.radix()).map(Value::from);
                match signed
                    .or_else(|_| u64::from_str_radix(integer.as_str(), integer.radix()).map(Value::from))
                {
                    Ok(value) => NodeValue::Leaf(value),
                    Err(_) => return refuse(integer.to_string(), "the integer is too large"),
                }
            }
            DeValue::Float(float) => match float.as_str().parse().ok().and_then(Number::from_f64) {
                Some(number) => NodeValue::Leaf(Value::Number(number)),
                None => return refuse(float.to_string(), "expected a finite number"),
            },
            DeValue::Datetime(date) => return refuse(date.to_string(), "no field is a date or time"),
        };
        Ok(Node { name: at(name), origin, kind })
    }

    fn table(
        &self,
        table: &DeTable<'_>,
        over: Option<usize>,
        offset: usize,
    ) -> Result<NodeValue, ConfigError> {
        let mut entries = Vec::new();
        for (name, value) in table {
            entries.push((name.get_ref().to_string(), self.node(name.span(), value, over, offset)?));
        }
        // The parser sorts by name, but errors come in the order of the text.
        entries.sort_by_key(|(_, node)| node.name.bytes.start);
        Ok(NodeValue::Table(entries))
    }

    fn source(&self, at: &Origin) -> String {
        let text = at.over.map_or(self.text, |number| &self.overrides[number]);
        text.get(at.bytes.clone()).unwrap_or_default().to_owned()
    }

    /// Parses the value of an override, which begins at byte `offset`. It is TOML, or a word without quotes, because
    /// shells remove quotes.
    fn given(&self, number: usize, text: &str, offset: usize) -> Result<Node, ConfigError> {
        let at = |bytes: Range<usize>| Origin {
            over: Some(number),
            bytes: bytes.start + offset..bytes.end + offset,
        };
        let error = match DeValue::parse(text) {
            Ok(parsed) => return self.node(parsed.span(), &parsed, Some(number), offset),
            Err(error) => error,
        };
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        if is_word {
            let origin = at(0..text.len());
            return Ok(Node { name: origin.clone(), origin, kind: NodeValue::Leaf(Value::from(text)) });
        }
        let quoted = text.starts_with(|c: char| c.is_ascii_alphabetic());
        let hint = match text.starts_with('[') {
            true => "; texts in a list need quotes, like `name='[\"one\", \"two\"]'` in a shell",
            false if quoted => "; a text needs quotes, like `name='\"a text\"'` in a shell",
            false => "",
        };
        let message = error.message().replace('\n', "; ");
        let problem = ConfigProblem::Override(format!("the value is not valid TOML: {message}{hint}"));
        Err(self.error(&at(error.span().unwrap_or(0..text.len())), problem))
    }

    fn apply(&mut self, number: usize, over: &str) -> Result<(), ConfigError> {
        let wrong = |document: &Self, bytes: Range<usize>, problem: String| {
            Err(document.error(&Origin { over: Some(number), bytes }, ConfigProblem::Override(problem)))
        };
        let Some((path, text)) = over.split_once('=') else {
            return wrong(self, 0..over.len(), "expected `key=value`, like `ppo.clip=0.2`".into());
        };
        let offset = path.len() + 1 + (text.len() - text.trim_start().len());
        let text = text.trim();
        let keys: Vec<&str> = path.split('.').map(str::trim).collect();
        if keys.iter().any(|key| key.is_empty()) {
            return wrong(self, 0..path.len(), format!("`{path}` is not a path of names"));
        }
        let name = Origin { over: Some(number), bytes: 0..path.len() };
        let value = Node { name: name.clone(), ..self.given(number, text, offset)? };
        let mut node = &mut self.root;
        for (depth, key) in keys.iter().enumerate() {
            let before = keys[..depth].join(".");
            let problem = match &mut node.kind {
                NodeValue::Table(entries) => {
                    let at = entries.iter().position(|(name, _)| name == key).unwrap_or_else(|| {
                        let new = Node {
                            name: name.clone(),
                            origin: name.clone(),
                            kind: NodeValue::Table(Vec::new()),
                        };
                        entries.push(((*key).to_owned(), new));
                        entries.len() - 1
                    });
                    node = &mut entries[at].1;
                    continue;
                }
                NodeValue::List(nodes) => {
                    let count = nodes.len();
                    match key.parse::<usize>().ok().and_then(|at| nodes.get_mut(at)) {
                        Some(next) => {
                            node = next;
                            continue;
                        }
                        None if count == 0 => format!("`{before}` is an empty list: it has no entry `{key}`"),
                        None if count == 1 => format!("`{before}` has one entry, `0`: it has no `{key}`"),
                        None => format!("`{before}` has entries 0 to {}, not `{key}`", count - 1),
                    }
                }
                NodeValue::Leaf(_) => format!("`{before}` is not a section: it has no field `{key}`"),
            };
            return wrong(self, 0..path.len(), problem);
        }
        *node = value;
        Ok(())
    }
}

/// Returns a value as text for people: strings have no quotes.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Appends every value except tables to `into`, with its path. Paths number the entries in lists of tables.
pub fn leaves(path: &str, value: &Value, into: &mut Vec<(String, String)>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| leaves(&below(key), value, into)),
        Value::Array(list) if list.iter().any(Value::is_object) => {
            list.iter().enumerate().for_each(|(i, value)| leaves(&below(&i.to_string()), value, into));
        }
        leaf => into.push((path.to_owned(), leaf.to_string())),
    }
}
