//! Checks of scripted players.

use crate::base::Seat;
use crate::base::mask::Mask;
use crate::base::rng::Draw;
use crate::base::rules::Rules;
use crate::game::{Actions, Character, Label, Payoff, Scripted, Turn, View};
use crate::runtime::session::Session;

/// Returns the mean `score` of the scripted player among random ones, over one round in every seat of every deal.
/// `score` gets the payoff and the seat.
///
/// # Panics
/// The player chose an illegal action.
pub fn against_random<G: Actions + Scripted>(
    rules: G::Rules,
    deals: u64,
    score: impl Fn(&Payoff, usize) -> f64,
) -> f64 {
    let mut sum = 0.0;
    for deal in 0..deals {
        for me in (0..rules.players()).map(Seat) {
            let mut session = Session::<G>::new(rules, deal);
            let mut draw = Draw::new(deal, 100 + u64::from(me.0));
            while let Turn::Decide(seat) = session.round().turn() {
                let view = session.round().view(seat);
                let legal = G::legal(view);
                let random = |draw: &mut Draw| legal.random(draw).expect("who must act may do something");
                let action = if seat == me { G::scripted(view) } else { random(&mut draw) };
                assert!(legal.contains(action), "{}", Label::<G>::of(action));
                session.round_mut().play(action);
            }
            sum += score(&session.settle(), me.index());
        }
    }
    sum / (deals * u64::from(rules.players())) as f64
}

/// Returns the place score of a seat that played: from 1 for the first place to -1 for the last.
///
/// # Panics
/// The seat did not play.
pub fn place_score(payoff: &Payoff, seat: usize) -> f64 {
    let (margin, rivals) = payoff.margin(seat).expect("a seat that played");
    f64::from(margin) / f64::from(rivals)
}

/// Asserts that the scripted player, with each character and without one, makes legal moves that depend on the view
/// alone. Plays random sessions by random rules; `look` gets every view.
///
/// # Panics
/// A move is not legal, or the same view got another answer.
pub fn assert_scripted_answers<G: Actions + Scripted>(look: impl Fn(View<'_, G>)) {
    let mut draw = Draw::new(3, 0);
    for seed in 0..300 {
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), seed);
        loop {
            while let Turn::Decide(seat) = session.round().turn() {
                let view = session.round().view(seat);
                let action = G::scripted(view);
                assert!(G::is_legal(view, action), "{}", Label::<G>::of(action));
                assert_eq!(action, G::scripted(view.to_owned().view()));
                for character in Character::ALL {
                    let other = G::character(view, character);
                    assert!(G::is_legal(view, other), "{character:?}: {}", Label::<G>::of(other));
                    assert_eq!(other, G::character(view.to_owned().view(), character));
                }
                look(view);
                session.round_mut().play(action);
            }
            session.settle();
            if session.is_last() {
                break;
            }
            session.deal_next();
        }
    }
}
