//! No player learns who was asked about a +3.

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Determinize, Narrate, Play, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::rules::Rules as _;
use serde_json::json;

use super::super::Round;
use super::super::rules::Rules;
use super::super::state::{Answer, Stage};
use super::situation::{Situation, label, random_move, setup};

/// Returns everything that a seat can see: view, observation row, and picture.
fn seen(s: &Situation, seat: u8) -> (String, Vec<u8>, String) {
    (s.view_json(seat).to_string(), s.row(seat), Round::picture(s.0.view(Seat(seat))))
}

#[test]
fn a_declined_answer_leaves_no_trace() {
    // The same game with and without a Breaker in the hand of seat 2.
    let with = setup(json!({}), &["+3 R1 R3", "R4 B1", "breaker B3"], "R5");
    let without = setup(json!({}), &["+3 R1 R3", "R4 B1", "king B3"], "R5");
    let s = with.after("+3");
    assert_eq!(s.turn(), Some(2));
    let declined = s.after("decline");
    let never = without.after("+3");
    for viewer in [0, 1] {
        let [a, b] = [&declined, &never]
            .map(|s| Situation::of(Round::determinize(s.0.view(Seat(viewer)), DealRng::new(4, 4)).unwrap()));
        let mut a_view = declined.view_json(viewer);
        let mut b_view = never.view_json(viewer);
        // Seat 1 drew the same cards from two draw piles that differ by the swap.
        for view in [&mut a_view, &mut b_view] {
            view["own"] = json!(null);
        }
        assert_eq!(a_view, b_view);
        assert_eq!(a.0.table, b.0.table);
        assert_eq!(declined.turn(), never.turn());
    }
    // Neither the count of decisions nor the random stream reveals it.
    assert_eq!(declined.0.table.decisions, never.0.table.decisions);
    assert_eq!(declined.0.rng, never.0.rng);
}

#[test]
fn while_somebody_thinks_the_others_see_a_plus_three_and_no_more() {
    let s = setup(json!({}), &["+3 R1 R3", "breaker B1", "breaker B3", "G1 G3"], "R5").after("+3");
    let later = s.after("decline");
    assert_eq!((s.turn(), later.turn()), (Some(1), Some(2)));
    for viewer in [0, 3] {
        assert_eq!(seen(&s, viewer), seen(&later, viewer));
        assert_eq!(Round::legal(s.0.view(Seat(viewer))).count(), 0);
    }
    let answer = |s: &Situation, seat: usize| s.0.own[seat].answer;
    assert_eq!((answer(&s, 1), answer(&s, 2)), (Answer::Asked, Answer::Nothing));
    assert_eq!((answer(&later, 1), answer(&later, 2)), (Answer::Declined, Answer::Asked));
    assert_eq!(answer(&later.after("decline"), 1), Answer::Nothing);
}

#[test]
fn only_a_declined_answer_is_hidden() {
    for id in 0..72 {
        let action = cardsharp_engine::ActionId(id);
        assert_eq!(Round::is_public(action), label(action) != "decline");
    }
}

#[test]
fn an_action_shows_only_what_it_puts_on_the_table() {
    // A player makes the same move in two games that look the same to another player, and no card is drawn.
    // Then the games still look the same to that player.
    let mut compared = 0;
    let mut draw = Draw::new(17, 0);
    for seed in 0..120 {
        let rules = Rules::random(&mut draw);
        let mut round = *Session::<Round>::new(rules, seed).round();
        for _ in 0..200 {
            let Turn::Decide(actor) = round.turn() else { break };
            let viewer = Seat(draw.below(u32::from(rules.players)) as u8);
            let mut other = Round::determinize(round.view(viewer), DealRng::new(draw.bits(), 0)).unwrap();
            let legal = Round::legal(round.view(actor));
            let action = legal.random(&mut draw).unwrap();
            let same_turn = other.turn() == round.turn();
            if viewer != actor && same_turn && Round::is_legal(other.view(actor), action) {
                let mut one = round;
                one.play(action);
                other.play(action);
                let drew = one.table.pile != round.table.pile || one.table.recycles != round.table.recycles;
                let window = [&one, &other].iter().any(|r| r.table.stage == Stage::Window);
                if !drew && !window && other.table.pile == one.table.pile {
                    let [a, b] = [one, other].map(Situation::of);
                    assert_eq!(seen(&a, viewer.0), seen(&b, viewer.0), "{}", label(action));
                    compared += 1;
                }
            }
            random_move(&mut round, &mut draw);
        }
    }
    assert!(compared > 1_000, "{compared}");
}
