//! Checks of foresight: rounds that look the same to a seat continue identically, as far as the game claims.

use super::LONGEST_ROUND;
use crate::base::Seat;
use crate::base::mask::Mask;
use crate::base::rng::Draw;
use crate::game::{Actions, Foresee, Foresight, Turn};

/// Plays the same random actions in both rounds. `other` is a determinization of the view that `seat` has of
/// `round` at its decision.
pub(super) fn check<G: Foresee + Actions>(
    (round, other): (&G, &G),
    seat: Seat,
    draw: &mut Draw,
) -> Result<(), String> {
    let foresight = G::foresight(round.view(seat));
    let (mut one, mut two) = (*round, *other);
    if foresight == Foresight::Nothing {
        return Ok(());
    }
    let stakes = round.stakes(seat);
    for _ in 0..LONGEST_ROUND {
        let Turn::Decide(turn) = one.turn() else { break };
        if two.turn() != Turn::Decide(turn) {
            return Err(format!("{:?} comes where {:?} was foreseen", two.turn(), one.turn()));
        }
        if foresight == Foresight::OwnTurn && turn != seat {
            return Ok(());
        }
        let legal = G::legal(one.view(turn));
        if G::legal(two.view(turn)) != legal {
            return Err(format!("seat {} has other legal actions than were foreseen", turn.0));
        }
        if one.key() != two.key() {
            return Err("positions that go on alike have different keys".to_owned());
        }
        let Some(action) = legal.random(draw) else { return Ok(()) };
        let before = (one, two);
        one.play(action);
        two.play(action);
        if foresight == Foresight::OwnTurn {
            match (one.is_foreseen(&before.0, seat), two.is_foreseen(&before.1, seat)) {
                (true, true) => {}
                (false, false) => return Ok(()),
                _ => {
                    return Err(
                        "what comes of an action is foreseen in one round and not in the other".to_owned()
                    );
                }
            }
        }
    }
    if one.turn() != Turn::RoundOver {
        // The suite itself reports a round that does not end.
        return Ok(());
    }
    let worth = |round: &G| {
        let mut standing = G::seating(&G::Rules::default(), &mut Draw::new(0, 0));
        round.settle(&mut standing)
    };
    let (worth, other) = (worth(&one), worth(&two));
    let reward = worth.reward[seat.index()];
    if other.reward[seat.index()] != reward {
        return Err(format!("a reward of {} where {reward} was foreseen", other.reward[seat.index()]));
    }
    if !(stakes[0]..=stakes[1]).contains(&reward) {
        return Err(format!("a reward of {reward}, which was not at stake ({} to {})", stakes[0], stakes[1]));
    }
    Ok(())
}
