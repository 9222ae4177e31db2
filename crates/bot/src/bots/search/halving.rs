//! Sequential halving (Karnin, Koren, Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", 2013).
//!
//! The budget is divided into equal parts, as many as it takes to halve the moves until two are left. In each part, all
//! remaining moves are tried in the same new deals. Then the worse half is dropped. The player's own move always
//! remains, so every survivor was compared with it in the same deals.

use std::thread;

use cardsharp_env::{ActionId, sort_few};

use super::score::Scores;
use super::settings::Budget;
use super::worker::{PlayoutWorker, Trial};

/// Deals that a worker plays at once when the budget is a time.
const GLANCE: usize = 4;

/// Expected network choices per playout. A decision has this many for each of its playouts. It makes fewer playouts if
/// they take more choices, as in tournaments of TAKI.
const LONG: u64 = 250;

/// Buffers that decisions reuse.
#[derive(Default)]
pub(super) struct Workspace {
    actions: Vec<ActionId>,
    /// `[deals, moves]`.
    rewards: Vec<f32>,
}

/// Spends the budget on `scores`, which has at least two moves, and returns the number of deals. At the end, dropped
/// moves are behind the remaining ones.
pub(super) fn search(
    trial: Trial<'_>,
    budget: &Budget,
    workers: &mut [PlayoutWorker],
    workspace: &mut Workspace,
    scores: &mut Scores,
) -> u64 {
    let parts = scores.moves.len().next_power_of_two().trailing_zeros();
    let mut search = Halving { trial, workers, workspace, alive: scores.moves.len(), deals: 0, choices: 0 };
    match budget {
        Budget::Simulations(simulations) => {
            let mut left = *simulations as usize;
            let most = u64::from(*simulations) * LONG;
            for part in 0..parts {
                let share = (parts - part) as usize;
                let deals = left / share / search.alive;
                left -= deals * search.alive;
                // The first deal measures how long playouts are.
                let first = if part == 0 { deals.min(1) } else { 0 };
                search.part(first, scores);
                let rest = search.affordable(most, share, scores.simulations());
                search.part((deals - first).min(rest), scores);
                search.halve(scores);
            }
        }
        Budget::Time { each, clock } => {
            let start = clock();
            for part in 0..parts {
                while clock().saturating_sub(start) < *each * (part + 1) / parts && !trial.is_stopped() {
                    search.part(GLANCE * search.workers.len(), scores);
                }
                search.halve(scores);
            }
        }
    }
    search.deals
}

struct Halving<'a, 'w> {
    trial: Trial<'a>,
    workers: &'w mut [PlayoutWorker],
    workspace: &'w mut Workspace,
    /// Number of moves that remain. They are the first ones in `scores`.
    alive: usize,
    deals: u64,
    /// Choices of the network so far.
    choices: u64,
}

impl Halving<'_, '_> {
    /// Tries all remaining moves in `deals` new deals on all workers. Adds the rewards in the order of the deals, so
    /// the sums do not depend on threads. Leaves out deals in which the search was stopped.
    fn part(&mut self, deals: usize, scores: &mut Scores) {
        if deals == 0 {
            return;
        }
        let Self { trial, workers, workspace: Workspace { actions, rewards }, alive, deals: first, choices } =
            self;
        let (trial, moves) = (*trial, &mut scores.moves[..*alive]);
        actions.clear();
        actions.extend(moves.iter().map(|score| score.action));
        let actions = actions.as_slice();
        rewards.clear();
        rewards.resize(deals * actions.len(), f32::NAN);
        let share = deals.div_ceil(workers.len());
        let chunks = rewards.chunks_mut(share * actions.len());
        let mut parts = workers.iter_mut().zip(chunks).zip((*first..).step_by(share));
        if share == deals {
            parts.for_each(|((worker, rewards), first)| worker.tries(trial, actions, first, rewards));
        } else {
            thread::scope(|scope| {
                let last = parts.next();
                for ((worker, rewards), first) in parts {
                    scope.spawn(move || worker.tries(trial, actions, first, rewards));
                }
                if let Some(((worker, rewards), first)) = last {
                    worker.tries(trial, actions, first, rewards);
                }
            });
        }
        *choices += workers.iter_mut().map(|worker| std::mem::take(&mut worker.player.choices)).sum::<u64>();
        let is_whole = |rewards: &&[f32]| rewards.last().is_some_and(|last| !last.is_nan());
        for rewards in rewards.chunks_exact(moves.len()).filter(is_whole) {
            let own = rewards[0];
            moves.iter_mut().zip(rewards).for_each(|(score, &reward)| score.add(reward, own));
            self.deals += 1;
        }
    }

    /// Returns how many deals one of `share` equal parts of the remaining choices pays for, by the mean cost of earlier
    /// playouts.
    fn affordable(&self, most: u64, share: usize, tries: u64) -> usize {
        let left = most.saturating_sub(self.choices) as f64 / share as f64;
        let each = self.choices as f64 / tries.max(1) as f64 * self.alive as f64;
        // Saturates at the largest integer if no choice was counted.
        (left / each) as usize
    }

    /// Drops the worse half, except for the player's own move, which stays first.
    fn halve(&mut self, scores: &mut Scores) {
        let alive = &mut scores.moves[..self.alive];
        let own = alive[0];
        // The sort is stable: equal moves keep their order.
        sort_few(&mut alive[1..], |a, b| a.mean().total_cmp(&b.mean()).is_gt());
        let better = alive[1..].iter().take_while(|score| score.mean() > own.mean()).count();
        let keep = alive.len().div_ceil(2);
        // The player's own move counts among the remaining ones only if it is in the better half.
        self.alive = if better < keep { keep } else { keep + 1 };
    }
}
