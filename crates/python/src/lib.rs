//! The engine, its bots and the trainer for Python: what `import cardsharp_rl` loads.
//!
//! Everything that comes from Python is read in `input` and refused there if it is not what it should be; everything
//! that goes there is made in `output`. Records with names (`Move`, `Step`) are Python's own, in
//! `cardsharp_rl._types`. What takes long lets go of the interpreter, and looks for signals (`work`).

mod arena;
mod batch;
mod bots;
mod contest;
mod dataset;
mod environments;
mod failures;
mod games;
mod input;
mod numbers;
mod observer;
mod output;
mod outside;
mod picking;
mod solve;
mod sweep;
mod table;
mod training;
mod view;
mod work;
mod worker;

/// The compiled part of cardsharp. Everything in it is to be had from `cardsharp_rl` itself.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::arena::arena;
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::bots::{Bot, bot, bots, observe};
    #[pymodule_export]
    use crate::contest::Contest;
    #[pymodule_export]
    use crate::dataset::{read_text, write_dataset, write_traces};
    #[pymodule_export]
    use crate::environments::{begin, play_on, play_others, spiel_mask, spiel_tensor};
    #[pymodule_export]
    use crate::games::{Game, game, games};
    #[pymodule_export]
    use crate::numbers::load_numpy;
    #[pymodule_export]
    use crate::observer::Observer;
    #[pymodule_export]
    use crate::picking::{pick_legal, pick_logits};
    #[pymodule_export]
    use crate::solve::{enumerate_deals, solve};
    #[pymodule_export]
    use crate::sweep::{Sweep, recall};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::training::{blake3, exploit_run, export, train_run, verify};
    #[pymodule_export]
    use crate::view::View;
    #[pymodule_export]
    use crate::worker::{Parcel, Worker};
}
