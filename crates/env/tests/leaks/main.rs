//! Nobody learns what he must not: by views, rows, legal actions or the order of decisions. What
//! holds in every game is here; a file for each game says how, and tests what only that game has.

mod dalmuti;
mod tachtigen;
mod tahimi;
mod taki;

use cardsharp_env::blocks::width;
use cardsharp_env::mask::Mask;
use cardsharp_env::{ActionId, DealRng, Draw, Game, Rules, Seat, Session, Turn};
use serde_json::json;

/// How a game keeps its secrets.
trait Secrets: Game {
    /// Sessions that are looked at: more where rounds are short.
    const SESSIONS: u64 = 150;
    /// Whether a public action brings nothing to light but itself: no cards move between players, and
    /// nothing is dealt or drawn.
    fn shows_only_itself(&self, action: ActionId) -> bool;
    /// Whether everybody sees, by other things than the action, that the round has moved on from
    /// `self` to `after`.
    fn visibly_moved_on(&self, after: &Self) -> bool;
}

/// Everything a seat can see, as bytes.
fn seen<G: Game>(round: &G, seat: Seat) -> (String, Vec<u8>, String) {
    let view = round.view(seat);
    let mut row = vec![0xAA; width(G::OBSERVATION)];
    G::observe(view, &mut row);
    (json!(view.to_owned()).to_string(), row, G::picture(view))
}

fn random_action<G: Game>(round: &G, seat: Seat, draw: &mut Draw) -> ActionId {
    let legal = G::legal(round.view(seat));
    legal.random(draw).expect("there is a legal action")
}

/// Plays random sessions by random rules and looks at every round before each action.
fn play<G: Game>(sessions: u64, stream: u64, mut look: impl FnMut(&G, Seat, ActionId, &mut Draw)) {
    let mut draw = Draw::new(stream, 0);
    for seed in 0..sessions {
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), seed);
        loop {
            while let Turn::Decide(actor) = session.round().turn() {
                let action = random_action(session.round(), actor, &mut draw);
                look(session.round(), actor, action, &mut draw);
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

/// Rounds of sessions by `rules` that begin with a question, and who is asked.
fn questions<G: Game>(
    rules: G::Rules,
    is_asked: impl Fn(&G, Seat) -> bool,
) -> impl Iterator<Item = (G, Seat)> {
    (0..).filter_map(move |seed| {
        let round = *Session::<G>::new(rules, seed).round();
        match round.turn() {
            Turn::Decide(seat) if is_asked(&round, seat) => Some((round, seat)),
            _ => None,
        }
    })
}

/// A player acts in two rounds that look the same to somebody: they still look the same to him.
fn an_action_shows_only_what_it_puts_on_the_table<G: Secrets>() {
    let mut compared = 0;
    play::<G>(G::SESSIONS, 17, |before, actor, action, draw| {
        if !(G::is_public(action) && before.shows_only_itself(action)) || draw.below(6) != 0 {
            return;
        }
        let present: Vec<u8> = before.present().iter().collect();
        let viewer = Seat(draw.pick(&present));
        let mut other = G::redeal(before.view(viewer), DealRng::new(draw.bits(), 0)).unwrap();
        let possible = other.turn() == Turn::Decide(actor) && G::is_legal(other.view(actor), action);
        // What is possible in one deal and not in another depends on hidden cards, never on his own.
        assert!(possible || viewer != actor);
        if possible {
            let mut round = *before;
            round.play(action);
            other.play(action);
            assert_eq!(seen(&round, viewer), seen(&other, viewer));
            assert_eq!(round.turn(), other.turn());
            compared += 1;
        }
    });
    assert!(compared > 2_000, "{compared}");
}

/// A choice that stays between a player and the dealer changes nothing for the others, as long as no
/// cards move.
fn secret_choices_are_seen_by_nobody_else<G: Secrets>() {
    let mut checked = 0;
    play::<G>(400, 23, |before, actor, action, _| {
        if G::is_public(action) {
            return;
        }
        let mut after = *before;
        after.play(action);
        if before.visibly_moved_on(&after) || !G::events(Some(before), &after).is_empty() {
            return;
        }
        // Whoever is asked next sees that he is.
        for seat in before.present().iter().map(Seat) {
            if seat != actor && after.turn() != Turn::Decide(seat) {
                assert_eq!(seen(before, seat), seen(&after, seat));
                checked += 1;
            }
        }
    });
    assert!(checked > 1_000, "{checked}");
}
