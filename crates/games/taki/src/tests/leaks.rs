//! Leaks in TAKI: above all, a declined answer to a +3.

use cardsharp_engine::Play;
use cardsharp_engine::game::Determinize;
use cardsharp_engine::game::Narrate;
use cardsharp_engine::testing::leaks::{Secrets, seen};
use cardsharp_engine::testing::random_action;
use cardsharp_engine::{ActionId, DealRng, Draw, Seat, Session, Turn};

use crate::{Answer, BREAKER, KING, Mode, Move, Round, Rules, Stage};

impl Secrets for Round {
    /// Almost any action may draw cards, and a +3 asks the players who can answer it.
    fn shows_only_itself(&self, action: ActionId) -> bool {
        let mut after = *self;
        after.play(action);
        let draws = Round::events(Some(self), &after).iter().any(|event| event["event"] == "draw");
        !draws && self.table().stage != Stage::Window && after.table().stage != Stage::Window
    }

    fn visibly_moved_on(&self, after: &Self) -> bool {
        self.table().stage != after.table().stage
    }
}

cardsharp_engine::leak_tests!(Round, secret_choices);

/// Returns rounds in which a player is asked about a +3, and the seat of that player.
fn questions(sessions: u64) -> impl Iterator<Item = (Round, Seat)> {
    (0..sessions).flat_map(|seed| {
        let mut draw = Draw::new(seed, 5);
        let rules =
            Rules { games: 1, mode: Mode::Single, ..<Rules as cardsharp_engine::Rules>::random(&mut draw) };
        let mut session = Session::<Round>::new(rules, seed);
        let mut found = Vec::new();
        for _ in 0..300 {
            let Turn::Decide(seat) = session.round().turn() else { break };
            if session.round().table().stage == Stage::Window {
                found.push((*session.round(), seat));
            }
            let action = random_action(session.round(), seat, &mut draw);
            session.round_mut().play(action);
        }
        found
    })
}

#[test]
fn who_is_asked_and_declines_is_noticed_by_nobody() {
    let mut checked = 0;
    for (asked, holder) in questions(500) {
        let mut declined = asked;
        declined.play(Move::Decline.id());
        if declined.table().stage == Stage::Window {
            for viewer in asked.present().iter().map(Seat) {
                if viewer != holder && declined.turn() != Turn::Decide(viewer) {
                    assert_eq!(seen(&asked, viewer), seen(&declined, viewer));
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn a_declined_answer_looks_like_none() {
    // Compares with a deal that the viewer cannot tell from the real one, and in which no other player could have
    // answered. What the +3 does must look the same to the viewer in both.
    let mut compared = 0;
    for (asked, holder) in questions(120) {
        let table = asked.table();
        for viewer in asked.present().iter().map(Seat).filter(|&seat| seat != holder) {
            let mut after = asked;
            while after.table().stage == Stage::Window {
                after.play(Move::Decline.id());
            }
            // Dealt from the view after the answers, which must not reveal anything about them.
            let nobody_could = |round: &Round| {
                let next = table.after(table.turn, 1);
                round.present().iter().map(Seat).filter(|&seat| seat != viewer).all(|seat| {
                    let hand = &round.own(seat).hand;
                    let king = seat == next && hand.has(KING);
                    !hand.has(BREAKER) && !king
                })
            };
            let deals =
                (0..40).map(|seed| Round::determinize(after.view(viewer), DealRng::new(seed, 0)).unwrap());
            let Some(other) = deals.into_iter().find(|round| nobody_could(round)) else { continue };
            assert_eq!(seen(&after, viewer), seen(&other, viewer));
            assert_eq!(after.turn(), other.turn());
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn only_the_holder_sees_the_question() {
    for (asked, holder) in questions(200) {
        for seat in asked.present().iter().map(Seat) {
            assert_eq!(asked.own(seat).answer == Answer::Asked, seat == holder);
        }
    }
}
