//! No player learns hidden information from views, rows, legal actions or the order of decisions. Tests of all
//! games are here; the tests of a game adapt them. `CARDSHARP_CAMPAIGN=100` plays a hundred times as many sessions.

use serde_json::json;

use super::random_action;
use crate::base::blocks::width;
use crate::base::rng::{DealRng, Draw};
use crate::base::rules::Rules;
use crate::base::{ActionId, Seat};
use crate::game::{Game, Turn};
use crate::runtime::session::Session;

/// Returns the number of sessions to play: `sessions`, times `CARDSHARP_CAMPAIGN` if that is set.
fn campaign(sessions: u64) -> u64 {
    let times = std::env::var("CARDSHARP_CAMPAIGN").map_or(1, |times| {
        times.parse().unwrap_or_else(|_| panic!("CARDSHARP_CAMPAIGN must be a whole number, not {times:?}"))
    });
    sessions * times
}

/// What these tests need to know about a game's secrets.
pub trait Secrets: Game {
    /// Sessions to play: more where rounds are short.
    const SESSIONS: u64 = 150;
    /// Whether a public action reveals only itself: no cards move between players, and none are dealt or drawn.
    fn shows_only_itself(&self, action: ActionId) -> bool;
    /// Whether everyone sees, by something other than the action, that the round has moved on from `self` to
    /// `after`.
    fn visibly_moved_on(&self, after: &Self) -> bool;
}

/// Returns everything a seat can see: its view as JSON, its row, and its picture.
pub fn seen<G: Game>(round: &G, seat: Seat) -> (String, Vec<u8>, String) {
    let view = round.view(seat);
    let mut row = vec![0xAA; width(G::OBSERVATION)];
    G::observe(view, &mut row);
    (json!(view.to_owned()).to_string(), row, G::picture(view))
}

/// Plays random sessions by random rules, and calls `look` on every round before each action.
pub fn play<G: Game>(sessions: u64, stream: u64, mut look: impl FnMut(&G, Seat, ActionId, &mut Draw)) {
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

/// Returns rounds of sessions by `rules` that start with a question, and the seat that is asked.
pub fn questions<G: Game>(
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

/// Deals what a seat cannot see again: the seat must see the same, and must have the same legal actions.
///
/// # Panics
/// A seat learned something, or too few rounds were compared.
pub fn hidden_cards_are_seen_by_nobody<G: Secrets>() {
    let (mut compared, mut changed) = (0, 0);
    play::<G>(campaign(G::SESSIONS / 5), 29, |round, _, _, draw| {
        if draw.below(8) != 0 {
            return;
        }
        for viewer in round.present().iter().map(Seat) {
            let other = G::determinize(round.view(viewer), DealRng::new(draw.bits(), 1)).unwrap();
            assert_eq!(seen(round, viewer), seen(&other, viewer));
            assert!(G::legal(round.view(viewer)) == G::legal(other.view(viewer)));
            compared += 1;
            // Rounds themselves always differ, in their random streams, so compare the views.
            let differs = |seat| other.view(seat).to_owned() != round.view(seat).to_owned();
            changed += u32::from(round.present().iter().map(Seat).any(differs));
        }
    });
    println!("{}: {compared} views, behind {changed} of which others see something else", G::NAME);
    assert!(changed > 1_000, "{changed} of {compared}");
}

/// A player acts in two rounds that look the same to a viewer: they must still look the same to the viewer.
///
/// # Panics
/// A seat learned something, or too few rounds were compared.
pub fn an_action_shows_only_what_it_puts_on_the_table<G: Secrets>() {
    let mut compared = 0;
    play::<G>(campaign(G::SESSIONS), 17, |before, actor, action, draw| {
        if !(G::is_public(action) && before.shows_only_itself(action)) || draw.below(6) != 0 {
            return;
        }
        let present: Vec<u8> = before.present().iter().collect();
        let viewer = Seat(draw.pick(&present));
        let mut other = G::determinize(before.view(viewer), DealRng::new(draw.bits(), 0)).unwrap();
        let possible = other.turn() == Turn::Decide(actor) && G::is_legal(other.view(actor), action);
        // Whether the action is possible may depend on hidden cards, but never if the viewer itself acts.
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

/// A choice that stays between a player and the dealer must change nothing for the others, as long as no cards
/// move.
///
/// # Panics
/// A seat learned something, or too few rounds were compared.
pub fn secret_choices_are_seen_by_nobody_else<G: Secrets>() {
    let mut checked = 0;
    play::<G>(campaign(400), 23, |before, actor, action, _| {
        if G::is_public(action) {
            return;
        }
        let mut after = *before;
        after.play(action);
        if before.visibly_moved_on(&after) || !G::events(Some(before), &after).is_empty() {
            return;
        }
        // The seat that must decide next sees that it must.
        for seat in before.present().iter().map(Seat) {
            if seat != actor && after.turn() != Turn::Decide(seat) {
                assert_eq!(seen(before, seat), seen(&after, seat));
                checked += 1;
            }
        }
    });
    assert!(checked > 1_000, "{checked}");
}

/// Defines the tests of a game that look for hidden information: see [`Secrets`](crate::testing::leaks::Secrets). With
/// `secret_choices`, in a game where the others may not notice every choice.
#[macro_export]
macro_rules! leak_tests {
    ($round:ty) => {
        #[test]
        fn hidden_cards_are_seen_by_nobody() {
            $crate::testing::leaks::hidden_cards_are_seen_by_nobody::<$round>();
        }

        #[test]
        fn an_action_shows_only_what_it_puts_on_the_table() {
            $crate::testing::leaks::an_action_shows_only_what_it_puts_on_the_table::<$round>();
        }
    };
    ($round:ty, secret_choices) => {
        $crate::leak_tests!($round);

        #[test]
        fn secret_choices_are_seen_by_nobody_else() {
            $crate::testing::leaks::secret_choices_are_seen_by_nobody_else::<$round>();
        }
    };
}
