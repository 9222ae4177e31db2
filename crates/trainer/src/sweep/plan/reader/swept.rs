//! Reads the swept fields and their values.

use cardsharp_document::{ConfigError, Node, NodeValue};
use serde_json::Value;

use super::{MOST, Reader};
use crate::sweep::field::{Field, FieldValues, Range};
use crate::sweep::plan::Method;

/// Maximum number of values of a range in a grid.
const MOST_STEPS: usize = 1000;

impl<'d> Reader<'d> {
    /// Returns the swept fields, in the order of the file.
    pub(super) fn fields(&self, method: Method) -> Result<Vec<(Field, &'d Node)>, ConfigError> {
        let expected = "expected a table of the fields that are swept, like `ppo.clip = [0.1, 0.2]`";
        let Some(node) = self.node("fields") else { return Err(self.missing("fields", expected)) };
        let entries = match &node.kind {
            NodeValue::Table(entries) if !entries.is_empty() => entries,
            _ => return Err(self.wrong(node, "fields", node.value(), expected)),
        };
        let mut all = Vec::new();
        entries.iter().for_each(|(name, node)| leaves(name, node, is_range, &mut all));
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

    /// Reads the values of a field.
    fn values(&self, field: &str, node: &Node, method: Method) -> Result<FieldValues, ConfigError> {
        let expected = "expected a list of values, or a range, like { min = 0.0001, max = 0.01, log = true }";
        let value = node.value();
        let wrong = |node: &Node, expected: &str| self.wrong(node, field, node.value(), expected);
        match &node.kind {
            NodeValue::List(entries) => {
                let values: Vec<Value> = entries.iter().map(Node::value).collect();
                let again = values.iter().enumerate().find(|(at, value)| values[..*at].contains(value));
                match (again, values.is_empty()) {
                    (Some((at, _)), _) => Err(wrong(&entries[at], "expected each value once")),
                    (None, true) => Err(wrong(node, "expected at least one value")),
                    (None, false) => Ok(FieldValues::List(values)),
                }
            }
            NodeValue::Table(entries) => {
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
                        _ => return Ok(FieldValues::Range(range)),
                    },
                };
                Err(wrong(node, problem))
            }
            NodeValue::Leaf(_) => Err(wrong(node, expected)),
        }
    }

    /// Returns the number of settings.
    pub(super) fn trials(&self, method: Method, fields: &[(Field, &Node)]) -> Result<usize, ConfigError> {
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
}

const RANGE: [&str; 5] = ["min", "max", "log", "int", "steps"];

/// Whether a table is a range, and not a section with fields.
fn is_range(entries: &[(String, Node)]) -> bool {
    entries
        .iter()
        .any(|(name, node)| RANGE.contains(&name.as_str()) && matches!(node.kind, NodeValue::Leaf(_)))
}

/// Whether a table is one value, and not a section with fields.
type IsWhole = fn(&[(String, Node)]) -> bool;

/// Collects all values under a node, with their paths. Sections are walked through.
pub(super) fn leaves<'n>(path: &str, node: &'n Node, whole: IsWhole, into: &mut Vec<(String, &'n Node)>) {
    match &node.kind {
        NodeValue::Table(entries) if !whole(entries) => {
            entries.iter().for_each(|(name, node)| leaves(&format!("{path}.{name}"), node, whole, into));
        }
        _ => into.push((path.to_owned(), node)),
    }
}
