//! Drawing when the draw pile runs out.

use cardsharp_engine::game::Check;
use serde_json::json;

use super::super::deck::to_text;
use super::super::state::{GameEnd, Stage};
use super::situation::{Inspect as _, hand, setup};

#[test]
fn the_discards_become_the_draw_pile() {
    let s = setup(json!({}), &["B1 B3", "R+2 R6 G8", "G1"], "R5").only_cards("Y1");
    let before = s.0.table.discards;
    assert_eq!(s.0.table.pile, 1);
    let s = s.after("draw");
    assert_eq!(s.0.table.recycles, 0, "not before a card is needed");
    let s = s.after("R+2, draw");
    assert_eq!(s.0.table.recycles, 1);
    assert_eq!(s.sizes(), [3, 2, 3], "seat 2 drew two cards");
    assert_eq!(to_text(&s.0.table.discards), "R+2");
    assert_eq!(s.0.table.stock, before, "all discards but the top one were shuffled");
    assert_eq!(u32::from(s.0.table.pile), before.total() - 2);
    assert_eq!(s.leading(), "red +2");
    assert_eq!(s.0.table.debt, 0);
}

#[test]
fn recycling_changes_nothing_on_the_table() {
    let s = setup(json!({}), &["Rtaki B3 B4", "G6 G8", "G1 R9"], "R5").only_cards("");
    let s = s.after("Rtaki, leave taki open");
    let before = s.0.table;
    let s = s.after("draw");
    let after = s.0.table;
    assert_eq!(after.recycles, 1);
    assert_eq!(
        (after.color, after.symbol, after.open, after.debt, after.top, after.direction),
        (before.color, before.symbol, before.open, before.debt, before.top, before.direction)
    );
    assert!(after.open);
}

#[test]
fn what_is_missing_is_forgiven() {
    let s = setup(json!({}), &["R+2 B3", "B4 B8", "G1"], "R5").all_cards_to(2);
    let s = s.after("R+2, draw");
    assert_eq!(s.sizes()[1], 3, "only the card under the +2 could be drawn");
    assert_eq!((s.0.table.debt, s.turn()), (0, Some(2)));
}

#[test]
fn who_cannot_even_draw_passes_and_a_round_of_that_is_a_draw() {
    let rest = ["B1 B3", "B4 B6", "B7 B8"];
    let s = setup(json!({}), &rest, "R5");
    // Seat 1 holds all other cards, so no player can draw.
    let mut s = s.all_cards_to(1);
    assert_eq!((s.0.table.pile, s.0.table.discards.total()), (0, 1));
    let s0 = s.after("draw");
    assert_eq!((s0.turn(), s0.sizes()[0]), (Some(1), 2), "zero cards drawn");
    assert_eq!(s0.0.table.idle, 1);
    // Seat 1 can play; then the count of idle turns restarts.
    let played = s0.after("R1");
    assert_eq!(played.0.table.idle, 0);
    // If drawing is allowed at any time, all players may refuse to move.
    s.0.table.rules.draw_policy = super::super::rules::DrawPolicy::Anytime;
    let s = s.after("draw, draw");
    assert_eq!(s.0.table.idle, 2);
    let s = s.after("draw");
    assert_eq!(s.0.table.stage, Stage::Over(GameEnd::Stalemate));
    assert_eq!((s.places(), s.rewards()), (vec![1, 1, 1], vec![0.0; 3]));
    assert_eq!(s.settle().0.points[..3], [0, 0, 0]);
}

#[test]
fn cards_are_drawn_from_the_top() {
    let s = setup(json!({}), &["B1 B3", "R4 B8", "G1"], "R5").next_cards("Y1 Y3");
    let s = s.after("draw");
    assert_eq!(s.hand(0), "B1 B3 Y1");
    assert_eq!(s.0.own[0].hand, hand("B1 B3 Y1"));
}

#[test]
fn the_same_seed_and_actions_give_the_same_game() {
    let s = setup(json!({}), &["R+2 B3", "B4 B8", "G1"], "R5").only_cards("Y1");
    assert_eq!(s.after("R+2, draw").0, s.after("R+2, draw").0);
    assert!(s.after("R+2, draw").0.audit().is_ok());
}
