//! Tree search: spends a budget on one or more trees, and adds up their results.

use std::thread;

use cardsharp_env::ActionId;

use super::score::Scores;
use super::settings::Budget;
use super::worker::{Trial, Worker};

/// Passes that justify another tree. More trees allow more threads.
const PASSES: u32 = 2000;
/// The most trees.
const TREES: u32 = 16;
/// Spends the budget on `scores`, and returns the number of deals. For a budget of playouts, the number of trees
/// depends only on the budget, not on the number of threads.
pub(super) fn search(trial: Trial<'_>, budget: &Budget, workers: &mut [Worker], scores: &mut Scores) -> u64 {
    let moves: Vec<ActionId> = scores.moves.iter().map(|score| score.action).collect();
    let plant = |worker: &mut Worker, tree: u64, more: &mut dyn FnMut(u64) -> bool| {
        let mut scores = Scores::default();
        scores.start(moves.iter().copied());
        worker.tree.clear();
        let mut passes = 0;
        while more(passes) {
            worker.pass(trial, tree << 32 | passes, &mut scores);
            passes += 1;
        }
        scores
    };
    let count = workers.len();
    let grown: Vec<Vec<Scores>> = match budget {
        Budget::Simulations(simulations) => {
            let trees = simulations.div_ceil(PASSES).min(TREES);
            let size = |tree: u32| u64::from(simulations / trees + u32::from(tree < simulations % trees));
            each(workers, |worker, number| {
                let own = (0..trees).skip(number).step_by(count);
                own.map(|tree| plant(worker, tree.into(), &mut |passes| passes < size(tree))).collect()
            })
        }
        Budget::Time { each: time, clock } => {
            let start = clock();
            let more = |_| clock().saturating_sub(start) < *time;
            each(workers, |worker, number| vec![plant(worker, number as u64, &mut { more })])
        }
    };
    // Worker `t % count` grew tree `t`. Merge in the order of the trees, so that sums do not depend on threads.
    for round in 0..grown.first().map_or(0, Vec::len) {
        for tree in grown.iter().filter_map(|trees| trees.get(round)) {
            scores.merge(tree);
        }
    }
    scores.simulations()
}

/// Runs `work` on every worker, with the worker's number.
fn each(workers: &mut [Worker], work: impl Fn(&mut Worker, usize) -> Vec<Scores> + Sync) -> Vec<Vec<Scores>> {
    let (mut results, work) = (vec![Vec::new(); workers.len()], &work);
    if let ([worker], [result]) = (&mut *workers, results.as_mut_slice()) {
        *result = work(worker, 0);
        return results;
    }
    thread::scope(|scope| {
        for (number, (worker, result)) in workers.iter_mut().zip(&mut results).enumerate() {
            scope.spawn(move || *result = work(worker, number));
        }
    });
    results
}
