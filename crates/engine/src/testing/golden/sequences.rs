//! Counts of legal sequences of actions.

use std::fmt::Write as _;

use super::Golden;
use crate::base::ActionId;
use crate::base::blocks::width;
use crate::base::mask::{self, Mask};
use crate::base::rules::Rules;
use crate::game::{Game, Turn};
use crate::runtime::session::Session;

/// The most sequences to count for a deal.
const MOST: u64 = 200_000;
/// The most sequences to count also by the words of the rules, `is_legal`.
const MOST_BY_THE_WORDS: u64 = 5_000;

/// Counts legal sequences of `depth` actions; a sequence that ends the round early counts once.
fn sequences<G: Game>(round: &G, depth: u32) -> u64 {
    let Turn::Decide(seat) = round.turn() else { return 1 };
    let legal = G::legal(round.view(seat));
    if depth == 1 {
        return u64::from(mask::count(legal.words()));
    }
    let after = mask::actions(legal.words()).map(|action| {
        let mut next = *round;
        next.play(action);
        sequences(&next, depth - 1)
    });
    after.sum()
}

/// Counts the same from the naive answer alone.
fn sequences_by_the_words<G: Game>(round: &G, depth: u32) -> u64 {
    let Turn::Decide(seat) = round.turn() else { return 1 };
    if depth == 0 {
        return 1;
    }
    let ids = (0..width(G::ACTIONS) as u16).map(ActionId);
    let after = ids.filter(|&id| G::is_legal(round.view(seat), id)).map(|action| {
        let mut next = *round;
        next.play(action);
        sequences_by_the_words(&next, depth - 1)
    });
    after.sum()
}

/// Returns the counts under all rules that the game names, for two deals each.
pub fn table<G: Golden>() -> String {
    let mut text = String::from(
        "# Legal sequences of 1, 2, 3, … actions from the deal (players, seed, options: counts)\n",
    );
    for (name, rules) in G::counted() {
        for seed in 0..2 {
            let session = Session::<G>::new(rules, seed);
            let mut counts = Vec::new();
            for depth in 1.. {
                counts.push(sequences(session.round(), depth));
                if depth < 4 && counts[depth as usize - 1] < MOST_BY_THE_WORDS {
                    assert_eq!(counts[depth as usize - 1], sequences_by_the_words(session.round(), depth));
                }
                // Expect the next count to grow at least as much as the last one, and at least twelvefold.
                let last = counts.iter().rev().take(2).copied().collect::<Vec<_>>();
                let growth = last[0] / last.get(1).copied().unwrap_or(1).max(1);
                if last[0] * growth.max(12) > MOST || depth == 10 {
                    break;
                }
            }
            let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
            let players = rules.players();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{players:>2} players, seed {seed}, {name}: {}", counts.join(" "));
        }
    }
    text
}
