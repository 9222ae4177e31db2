//! Plays moves in the same deals to the end of the round, and compares two of them.

use std::panic::resume_unwind;
use std::thread;

use cardsharp_env::{ActionId, DealRng, Payoff, Seat, SeatView};
use schemars::JsonSchema;
use serde::Serialize;

use super::Search;
use super::aim::{AimTally, Aimed};
use super::reason::Reason;
use super::worker::{PlayoutWorker, Trial};
use crate::stats::Z;

/// The results of two moves in the same deals. Arrays have an entry for each move.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Compared {
    /// The number of deals.
    pub deals: u32,
    /// Finishing places: 1 is best.
    pub place: Difference,
    /// Points, as the game counts them.
    pub points: Difference,
    /// The share of the deals in which the seat finishes first.
    pub first: [f64; 2],
    /// The cards in the hand after each move, in card notation, without drawn cards.
    pub left: [String; 2],
    /// How often each move reached its aim; null for a move without an aim.
    pub aim: [Option<Aimed>; 2],
    /// The reasons for the difference, those of the second move first.
    pub reasons: Vec<Reason>,
}

/// The means of two moves over the same deals, and their difference.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// The mean of each move.
    pub means: [f64; 2],
    /// The mean difference: the first move minus the second.
    pub mean: f64,
    /// The standard error of the difference.
    pub error: f64,
    /// The lower end of its 95 % confidence interval.
    pub low: f64,
    /// The upper end of its 95 % confidence interval.
    pub high: f64,
}

impl Difference {
    /// Returns whether the interval excludes 0, so that the difference is significant.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// Computes the difference from pairs of integers, one pair for each deal.
    fn of(pairs: impl Iterator<Item = [i32; 2]>) -> Self {
        // Integer sums are the same in any order.
        let (mut sums, mut squares, mut count) = ([0i64; 2], 0i64, 0i64);
        for [one, other] in pairs.map(|pair| pair.map(i64::from)) {
            sums = [sums[0] + one, sums[1] + other];
            squares += (one - other) * (one - other);
            count += 1;
        }
        let n = count.max(1) as f64;
        let mean = (sums[0] - sums[1]) as f64 / n;
        // Count one extra deal without a difference, so that a few deals with the same result are not certain.
        let total = (sums[0] - sums[1]) as f64;
        let spread = (squares as f64 - total * total / (n + 1.0)).max(0.0);
        let error = (spread / (n * (n + 1.0))).sqrt();
        let means = sums.map(|sum| sum as f64 / n);
        Self { means, mean, error, low: mean - Z * error, high: mean + Z * error }
    }
}

/// The end of a round for the deciding seat.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct SeatResult {
    /// The finishing place: 1 is best.
    pub place: i32,
    /// Points, as the game counts them.
    pub points: i32,
    /// The reward.
    pub reward: f32,
}

impl SeatResult {
    /// Returns the end of a round for `seat`.
    pub fn of(payoff: &Payoff, seat: Seat) -> Self {
        let seat = seat.index();
        Self { place: payoff.place[seat].into(), points: payoff.points[seat], reward: payoff.reward[seat] }
    }
}

impl Search {
    /// Plays each of `moves` to the end of the round in the same `deals` deals, with the player in all seats. Returns the
    /// ends, `[deals, moves]`. The deals differ from those of any search of the position, because a search overrates its
    /// choice in its own deals. The result does not depend on the number of threads.
    pub fn ends(&mut self, view: SeatView<'_>, moves: &[ActionId], deals: u32) -> Vec<SeatResult> {
        self.played_out(view, moves, deals).0
    }

    /// Compares two moves in the same `deals` deals, as [`Search::ends`] plays them.
    pub fn compare(&mut self, view: SeatView<'_>, moves: [ActionId; 2], deals: u32) -> Compared {
        let (ends, aims) = self.played_out(view, &moves, deals);
        let (ends, _) = ends.as_chunks::<2>();
        let firsts = |which: usize| ends.iter().filter(|end| end[which].place == 1).count() as f64;
        let n = ends.len().max(1) as f64;
        let place = Difference::of(ends.iter().map(|end| end.map(|end| end.place)));
        let points = Difference::of(ends.iter().map(|end| end.map(|end| end.points)));
        let first = [firsts(0) / n, firsts(1) / n];
        let left = moves.map(|action| left(view, action));
        let mut aims = aims.into_iter();
        let aim = moves.map(|_| aims.next().and_then(|aim| aim.found(view)));
        let clear = place.is_clear() || points.is_clear();
        let reasons = Reason::all(clear, first, &left, &aim);
        Compared { deals, place, points, first, left, aim, reasons }
    }

    /// Works as [`Search::ends`], and also returns how often each move reached its aim.
    fn played_out(
        &mut self,
        view: SeatView<'_>,
        moves: &[ActionId],
        deals: u32,
    ) -> (Vec<SeatResult>, Vec<AimTally>) {
        /// Separates these deals from those of [`Search::decide`].
        const FRESH: u64 = 0x0C0A_42ED;
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        let seed = cardsharp_env::rng::derive(self.seed_of(view, &row), &[FRESH]);
        let words = view.words();
        let trial = Trial { view, seed, words, weights: None, stop: None };
        let mut ends = vec![SeatResult::default(); deals as usize * moves.len()];
        let share = (deals as usize).div_ceil(self.workers.len()).max(1);
        let chunks = ends.chunks_mut(share * moves.len().max(1));
        let mut parts = self.workers.iter_mut().zip(chunks).zip((0..).step_by(share));
        let own = parts.next();
        let work = |((worker, ends), first): ((&mut PlayoutWorker, &mut [SeatResult]), u64)| {
            worker.ends(trial, moves, first, ends)
        };
        // Browsers have only one thread.
        let tallies: Vec<Vec<AimTally>> = if share == deals as usize {
            own.map(work).into_iter().collect()
        } else {
            thread::scope(|scope| {
                let others: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
                let own = own.map(work);
                let others =
                    others.into_iter().map(|other| other.join().unwrap_or_else(|fault| resume_unwind(fault)));
                own.into_iter().chain(others).collect()
            })
        };
        let mut aims: Vec<AimTally> = moves.iter().map(|_| AimTally::default()).collect();
        for tally in tallies {
            aims.iter_mut().zip(tally).for_each(|(aim, more)| aim.add(more));
        }
        (ends, aims)
    }
}

/// Returns the viewer's remaining cards after a move, in card notation. Omits drawn cards, because their identity is a
/// guess.
fn left(view: SeatView<'_>, action: ActionId) -> String {
    let mut memory = None;
    let Some(round) = view.determinize(DealRng::new(0, 0), &mut memory) else { return view.hand() };
    round.play(action);
    let after = round.view(view.seat()).map(SeatView::hand).unwrap_or_default();
    let mut after: Vec<&str> = after.split_whitespace().collect();
    let before = view.hand();
    let held = before.split_whitespace().filter(|card| {
        let found = after.iter().position(|other| other == card);
        found.is_some_and(|at| after.swap_remove(at) == *card)
    });
    held.collect::<Vec<_>>().join(" ")
}

impl PlayoutWorker {
    /// Plays each of `moves` to the end of the round in the deals from number `first`. Writes the ends, `[deals, moves]`,
    /// and returns how often the moves reached their aims.
    fn ends(
        &mut self,
        trial: Trial<'_>,
        moves: &[ActionId],
        first: u64,
        ends: &mut [SeatResult],
    ) -> Vec<AimTally> {
        let seat = trial.view.seat();
        let mut aims: Vec<AimTally> = moves.iter().map(|_| AimTally::default()).collect();
        for (deal, ends) in (first..).zip(ends.chunks_exact_mut(moves.len().max(1))) {
            // Without a round, all moves keep the same default result.
            let Some((round, player)) = self.deal(trial, deal) else { continue };
            for (number, ((&action, end), aim)) in moves.iter().zip(ends).zip(&mut aims).enumerate() {
                if number > 0 {
                    round.rewind();
                }
                round.play(action);
                aim.follow(round, player, seat);
                player.finish(round);
                *end = SeatResult::of(&round.payoff(), seat);
            }
        }
        aims
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_counts_one_more_deal_without_gain() {
        // 2, 0, 1, 1 and an extra 0: sum 4 over 5 deals, squares 6, spread 6 − 16/5 = 2.8, error √(2.8/20).
        let found = Difference::of([[3, 1], [1, 1], [2, 1], [2, 1]].into_iter());
        assert_eq!((found.means, found.mean), ([2.0, 1.0], 1.0));
        assert!((found.error - (2.8f64 / 20.0).sqrt()).abs() < 1e-12, "{found:?}");
        assert!(found.is_clear());
        assert!(!Difference::of([[1, 2], [2, 1]].into_iter()).is_clear());
        assert!(!Difference::of([[1, 1]; 8].into_iter()).is_clear());
    }
}
