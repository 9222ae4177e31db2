//! Many runs over many settings, several seeds each: which there are, which of them is due, which is hopeless, and what came
//! of all.
//!
//! A [`Plan`] is what a file of a sweep asks for. A [`Sweep`] is asked which run is due ([`Sweep::ask`]) and told what runs
//! measured ([`Sweep::tell`]); where they are trained, and how many at once, it does not know. Whatever it decides follows
//! from the plan and from figures of runs, never from when they were told:
//!
//! * settings have numbers, and the figures of a run depend on nothing but its configuration;
//! * a run is held at a measurement whose outcome may stop its setting until that outcome is known, and the outcome
//!   depends on figures of that setting and of those with lower numbers, up to that iteration;
//! * settings that are suggested come in batches, and depend on what came of the batches before.
//!
//! So by induction over numbers and iterations every order of telling ends in the same settings, stopped at the same
//! iterations, with the same figures; and nothing needs to be kept of a sweep but the records of its runs
//! ([`recall`](fn@recall)).

mod again;
mod engine;
mod error;
mod field;
mod file;
mod folder;
mod plan;
mod record;
mod results;
mod rule;
mod suggest;
mod trials;

pub use again::Again;
pub use engine::{End, Run, Sweep, Verdict};
pub use error::SweepError;
pub use field::{Field, Range, Values};
pub use file::SweepFile;
pub use folder::SweepFolder;
pub use plan::{Better, Method, Plan, Rule, Setting, Stop};
pub use record::recall;
pub use results::{OfSeed, Results, Row};

#[cfg(test)]
mod tests;
