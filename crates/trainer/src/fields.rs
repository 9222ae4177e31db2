//! Errors for values of a configuration section.

/// A value of a configuration section that is out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{field}` cannot be {given}: {expected}")]
pub struct FieldError {
    /// The field, as a path from its section (`learning_rate.from`, `tables[1].weight`).
    pub field: String,
    /// The invalid value.
    pub given: String,
    /// The valid values.
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
