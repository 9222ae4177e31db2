//! The rules as tests.
