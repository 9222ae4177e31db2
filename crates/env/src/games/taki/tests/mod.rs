//! The rules of TAKI as tests.
