//! Filled in with the other tests.
