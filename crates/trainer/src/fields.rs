//! How a config section refuses a value.

/// A value of a config section that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{field}` cannot be {given}: {expected}")]
pub struct FieldError {
    /// The field, as a path from its section (`learning_rate.from`, `tables[1].weight`).
    pub field: String,
    /// The value as given.
    pub given: String,
    /// What would be right.
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
