//! Ids and labels of actions.

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks::width;
use cardsharp_engine::game::{Actions, parse_label};
use cardsharp_engine::testing::assert_ids_are_moves;

use super::super::{Move, Round};
use super::situation::label;

#[test]
fn the_72_actions_have_their_ids() {
    assert_eq!(width(Round::ACTIONS), 72);
    let expected = [
        (0, "R1"),
        (1, "R3"),
        (7, "R9"),
        (8, "Rstop"),
        (9, "R+2"),
        (10, "Rdir"),
        (11, "Rplus"),
        (12, "Rtaki"),
        (13, "B1"),
        (26, "G1"),
        (39, "Y1"),
        (51, "Ytaki"),
        (52, "color R"),
        (55, "color Y"),
        (56, "super R"),
        (59, "super Y"),
        (60, "king"),
        (61, "+3"),
        (62, "breaker"),
        (63, "draw"),
        (64, "close taki"),
        (65, "leave taki open"),
        (66, "end turn"),
        (67, "decline"),
        (68, "last card"),
        (69, "silent"),
        (70, "catch"),
        (71, "let go"),
    ];
    for (id, name) in expected {
        assert_eq!(label(ActionId(id)), name);
        assert_eq!(parse_label::<Round>(None, &name.to_ascii_uppercase()), Some(ActionId(id)));
    }
}

#[test]
fn every_id_is_a_move_and_every_move_an_id() {
    assert_ids_are_moves::<Round, Move>(Move::of, Move::id);
    let moves: Vec<Move> = Move::all().collect();
    assert_eq!(moves.len(), 72);
    assert!(moves.iter().enumerate().all(|(i, one)| !moves[..i].contains(one)), "each once");
}

#[test]
fn a_round_is_small() {
    // A search copies rounds often, so their size matters.
    assert!(size_of::<Round>() <= 2048, "{}", size_of::<Round>());
}
