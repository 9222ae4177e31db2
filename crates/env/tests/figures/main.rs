//! Rounds of random play are as long and wide as those of an independent implementation.

mod dalmuti;
mod tahimi;

use cardsharp_env::mask::{self, Mask};
use cardsharp_env::{Draw, Game, Session, Turn};

/// Means over rounds of uniformly random play.
#[derive(Debug)]
struct Figures {
    /// Decisions in a round.
    decisions: f64,
    /// Tricks that were taken in a round, without the trick in which the round ends.
    tricks: f64,
    /// Legal actions of a decision.
    branching: f64,
    /// Share of decisions with a single legal action, in percent.
    forced: f64,
}

/// Plays the first rounds of `rounds` sessions; `is_lead` returns whether a trick begins.
fn measure<G: Game>(rules: G::Rules, stream: u64, rounds: u32, is_lead: fn(&G) -> bool) -> Figures {
    let mut draw = Draw::new(1, stream);
    let [mut decisions, mut tricks, mut choices, mut forced] = [0u32; 4];
    for seed in 0..u64::from(rounds) {
        let mut session = Session::<G>::new(rules, seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let legal = G::legal(session.round().view(seat));
            let count = mask::count(legal.words());
            tricks += u32::from(is_lead(session.round()));
            decisions += 1;
            choices += count;
            forced += u32::from(count == 1);
            let action = legal.random(&mut draw).expect("there is a legal action");
            session.round_mut().play(action);
        }
    }
    let per_round = |total: u32| f64::from(total) / f64::from(rounds);
    let per_decision = |total: u32| f64::from(total) / f64::from(decisions);
    Figures {
        decisions: per_round(decisions),
        tricks: per_round(tricks - rounds),
        branching: per_decision(choices),
        forced: 100.0 * per_decision(forced),
    }
}
