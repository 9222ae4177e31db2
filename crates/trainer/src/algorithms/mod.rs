//! Learning algorithms, one file each, with its config and a glossary of its metrics on top.

pub mod ppo;
