//! Errors in configurations, with their positions.

use std::fmt;

use cardsharp_env::rules::{RulesError, meant};
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use super::MAX_TEXT;

/// What is wrong with a configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigProblem {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] std::io::Error),
    /// The file is longer than [`MAX_TEXT`].
    #[error("longer than {} KiB, the most that is read", MAX_TEXT >> 10)]
    TooLong,
    /// The text is not TOML.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// The field is unknown.
    #[error("there is no field `{field}`{}; {}", within(section), meant(nearest.as_deref(), known.iter().map(String::as_str)))]
    Unknown {
        field: String,
        /// The section that has it; empty at the root.
        section: String,
        /// The path or name of the most similar field, if any.
        nearest: Option<String>,
        /// All fields of the section.
        known: Vec<String>,
    },
    /// A field or value has another name in this version.
    #[error("`{old}` is now called `{new}`")]
    Renamed {
        /// The field, as a path from the root, or an assignment of the old value.
        old: String,
        /// The same path or assignment with the new name.
        new: String,
    },
    /// A field or value of an earlier version no longer exists.
    #[error("`{old}` was removed: {remedy}")]
    Removed {
        /// The field, as a path from the root, or an assignment of the value.
        old: String,
        /// What to do instead.
        remedy: String,
    },
    /// The value of a field is not valid.
    #[error("`{field}` cannot be {given}: {expected}")]
    Value {
        /// The field, as a path from the root.
        field: String,
        given: String,
        expected: String,
    },
    /// A field without a default is missing.
    #[error("`{field}` is missing: {expected}")]
    Missing {
        /// The field, as a path from the root.
        field: String,
        expected: String,
    },
    /// The rules are not valid.
    #[error("{0}")]
    Rules(#[source] RulesError),
    /// An override cannot be applied.
    #[error("{0}")]
    Override(String),
}

fn within(section: &str) -> String {
    if section.is_empty() { String::new() } else { format!(" in `{section}`") }
}

/// The position of an error in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorPosition {
    File {
        /// The name of the file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
    },
    /// In the override `--set {0}`.
    Override(String),
    /// The whole file or command-line argument with this name.
    Whole(String),
}

impl fmt::Display for ErrorPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { name, line, column } => write!(f, "{name}:{line}:{column}"),
            Self::Override(text) => write!(f, "--set {text}"),
            Self::Whole(name) => write!(f, "{name}"),
        }
    }
}

/// An error in a configuration. As a [`Diagnostic`] it shows the text around the error.
#[derive(Debug)]
pub struct ConfigError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    problem: ConfigProblem,
    place: ErrorPosition,
    /// The text, and the byte range of the error in it.
    shown: Option<(NamedSource<String>, std::ops::Range<usize>)>,
}

impl ConfigError {
    pub fn problem(&self) -> &ConfigProblem {
        &self.0.problem
    }

    /// Returns the problem without its position, so that it can be reported at another one.
    pub fn into_problem(self) -> ConfigProblem {
        self.0.problem
    }

    /// The position of the error.
    pub fn place(&self) -> &ErrorPosition {
        &self.0.place
    }

    /// Returns an error about a whole file or command-line argument `name`.
    pub fn whole(name: &str, problem: ConfigProblem) -> Self {
        Self(Box::new(Inner { problem, place: ErrorPosition::Whole(name.to_owned()), shown: None }))
    }

    pub(crate) fn in_file(
        name: &str,
        text: &str,
        span: std::ops::Range<usize>,
        problem: ConfigProblem,
    ) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let place = ErrorPosition::File { name: name.to_owned(), line, column };
        let shown = Some((NamedSource::new(name, text.to_owned()), span));
        Self(Box::new(Inner { problem, place, shown }))
    }

    pub(crate) fn in_override(text: &str, span: std::ops::Range<usize>, problem: ConfigProblem) -> Self {
        let shown = Some((NamedSource::new("--set", text.to_owned()), span));
        Self(Box::new(Inner { problem, place: ErrorPosition::Override(text.to_owned()), shown }))
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.place, self.0.problem)
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        None // the message of the cause is already part of this one
    }
}

impl Diagnostic for ConfigError {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.shown.as_ref().map(|(text, _)| text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, span) = self.0.shown.as_ref()?;
        let text = match &self.0.problem {
            ConfigProblem::Unknown { nearest: Some(name), .. }
            | ConfigProblem::Rules(RulesError::Unknown { nearest: Some(name), .. }) => {
                format!("did you mean `{name}`?")
            }
            ConfigProblem::Unknown { .. } | ConfigProblem::Rules(RulesError::Unknown { .. }) => {
                "not known".to_owned()
            }
            ConfigProblem::Renamed { new, .. } => format!("now called `{new}`"),
            ConfigProblem::Removed { remedy, .. } => remedy.clone(),
            ConfigProblem::Value { expected, .. }
            | ConfigProblem::Missing { expected, .. }
            | ConfigProblem::Rules(RulesError::Invalid { expected, .. }) => expected.clone(),
            ConfigProblem::Unreadable(_)
            | ConfigProblem::TooLong
            | ConfigProblem::Syntax(_)
            | ConfigProblem::Override(_) => "here".to_owned(),
        };
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(text), span.clone()))))
    }
}

/// A value of a configuration section that is out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{field}` cannot be {given}: {expected}")]
pub struct FieldError {
    /// The field, as a path from its section (`learning_rate.from`, `tables[1].weight`).
    pub field: String,
    pub given: String,
    pub expected: &'static str,
}

/// Refuses `field` unless `right`.
///
/// # Errors
/// `right` is false.
pub fn expect(
    right: bool,
    field: &str,
    given: impl ToString,
    expected: &'static str,
) -> Result<(), FieldError> {
    if right {
        Ok(())
    } else {
        Err(FieldError { field: field.to_owned(), given: given.to_string(), expected })
    }
}
