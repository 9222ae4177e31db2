//! HTML pages about contests, training runs, sweeps and reviews, without external files or times of creation.
//!
//! [`read`] reads the files that other commands wrote, and [`page`] shows them. A page of a report has no scripts.
//! [`live`] is the page of runs that are training.

mod contest;
mod error;
mod html;
mod link;
pub mod live;
mod page;
mod plot;
mod record;
mod report;
pub mod review;
mod review_page;
mod run;
mod seeds;
mod source;
mod sweep;
#[cfg(test)]
mod tests;

pub use error::ReportError;
pub use page::Context;
pub use report::{check_target, page};
pub use review_page::page as review_page;
pub use seeds::Opponent;
pub use source::{SEED, Source, SourceSeeds, config, contests_of, read, run_of};
