//! Random play, and assertions about it.

use crate::base::blocks::width;
use crate::base::mask::Mask;
use crate::base::rng::Draw;
use crate::base::rules::Rules;
use crate::base::{ActionId, Seat};
use crate::game::{Actions, Label, Observe, Turn};
use crate::runtime::session::Session;

/// Plays one random legal move; false when the round is over.
///
/// # Panics
/// The seat that must act has no legal action.
pub fn random_move<G: Actions>(round: &mut G, draw: &mut Draw) -> bool {
    let Turn::Decide(seat) = round.turn() else { return false };
    round.play(random_action(round, seat, draw));
    true
}

/// Returns a random legal action of the seat to move.
///
/// # Panics
/// It has no legal action.
pub fn random_action<G: Actions>(round: &G, seat: Seat, draw: &mut Draw) -> ActionId {
    G::legal(round.view(seat)).random(draw).expect("who must act may do something")
}

/// Plays random moves until `is_wanted` is true; false if the round ends before that.
///
/// # Panics
/// The seat that must act has no legal action.
pub fn play_until<G: Actions>(
    session: &mut Session<G>,
    draw: &mut Draw,
    mut is_wanted: impl FnMut(&G) -> bool,
) -> bool {
    while !is_wanted(session.round()) {
        if !random_move(session.round_mut(), draw) {
            return false;
        }
    }
    true
}

/// Plays random sessions by random rules. `look` gets every move: the round before it, the seat, its action and the
/// round after it. `over` gets every finished round and its number of decisions. The same `seed` gives the same
/// sessions.
///
/// # Panics
/// The seat that must act has no legal action.
pub fn random_sessions<G: Actions>(
    sessions: u64,
    seed: u64,
    mut look: impl FnMut(&G, Seat, ActionId, &G),
    mut over: impl FnMut(&G, u32),
) {
    let mut draw = Draw::new(seed, 0);
    for number in 0..sessions {
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), number);
        let mut decisions = 0;
        loop {
            let Turn::Decide(seat) = session.round().turn() else {
                over(session.round(), decisions);
                session.settle();
                if session.is_last() {
                    break;
                }
                session.deal_next();
                decisions = 0;
                continue;
            };
            let before = *session.round();
            let action = random_action(&before, seat, &mut draw);
            session.round_mut().play(action);
            decisions += 1;
            look(&before, seat, action, session.round());
        }
    }
}

/// Asserts that the action mask of a seat agrees with the words of the rules ([`Actions::is_legal`]) for every id.
/// That includes the ids of the mask's last word that are not actions: these must be illegal.
///
/// # Panics
/// The two differ; the message has the action and the view.
#[track_caller]
pub fn assert_words_agree<G: Actions>(round: &G, seat: Seat) {
    let view = round.view(seat);
    let legal = G::legal(view);
    for action in (0..64 * G::Legal::WORDS as u16).map(ActionId) {
        let label = Label::<G>::at(view.table, action);
        assert_eq!(legal.contains(action), G::is_legal(view, action), "{label} in {:?}", view.to_owned());
    }
}

/// Asserts in random play that a seat's row and legal actions do not depend on what it cannot see. `hide` changes
/// something that the seat that must act cannot see, or returns false if there is nothing to change. Returns the
/// number of changes. Compare it with a minimum, because a wrong `hide` may change nothing.
///
/// # Panics
/// The row or the legal actions changed.
pub fn unseen_changes<G: Actions + Observe>(
    sessions: u64,
    seed: u64,
    hide: impl Fn(&mut G, Seat) -> bool,
) -> u32 {
    let mut changes = 0;
    let look = |_: &G, _, _, round: &G| {
        let Turn::Decide(seat) = round.turn() else { return };
        let mut other = *round;
        if !hide(&mut other, seat) {
            return;
        }
        let (mut one, mut two) = (vec![1; width(G::OBSERVATION)], vec![2; width(G::OBSERVATION)]);
        G::observe(round.view(seat), &mut one);
        G::observe(other.view(seat), &mut two);
        assert_eq!(one, two);
        assert_eq!(G::legal(round.view(seat)), G::legal(other.view(seat)));
        changes += 1;
    };
    random_sessions(sessions, seed, look, |_, _| {});
    changes
}
