//! Hyperparameter sweeps: many settings, several seeds each. A sweep decides which run is due, stops hopeless settings
//! early and ranks the results.
//!
//! A [`SweepPlan`] is the content of a sweep file. [`Sweep::ask`] returns the next run to train, and [`Sweep::tell`]
//! takes a value that a run measured. A [`Sweep`] does not know where runs train, or how many train at once. Its
//! decisions depend on the plan and on the measured values, never on the order in which they arrive:
//!
//! * Settings have numbers, and the values that a run measures depend only on its configuration.
//! * A run waits at each measurement that may stop its setting, until that decision is made. The decision depends only
//!   on values of that setting and of settings with lower numbers, up to that iteration.
//! * Suggested settings come in batches. They depend only on the results of the batches before.
//!
//! By induction over setting numbers and iterations, every order of results gives the same settings, stopped at the
//! same iterations, with the same values. So the state of a sweep is the records of its runs, and nothing else
//! ([`recall`](fn@recall)).

mod engine;
mod error;
mod field;
mod file;
mod folder;
mod plan;
mod results;
mod sampler;

pub use engine::{SettingEnd, Sweep, Verdict};
pub use error::SweepError;
pub use field::{Field, FieldValues, Range};
pub use file::SweepFile;
pub use folder::{SweepFolder, recall};
pub use plan::{Better, Method, Rule, RunIndex, Setting, StopRule, SweepPlan};
pub use results::{OfSeed, SecondEvaluation, SettingRow, SweepResults};

#[cfg(test)]
mod tests;
