//! Moves and their ids.

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks::width;
use cardsharp_engine::game::Actions;
use cardsharp_engine::testing::assert_ids_are_moves;

use super::super::{Move, Round};
use super::situation::label;

#[test]
fn every_id_is_one_move_and_there_are_none_beyond() {
    assert_eq!(width(Round::ACTIONS), 212);
    assert_ids_are_moves::<Round, Move>(Move::of, Move::id);
}

#[test]
fn moves_are_called_what_their_actions_are() {
    for id in (0..width(Round::ACTIONS) as u16).map(ActionId) {
        let name = Move::of(id).map(|chosen| chosen.to_string());
        assert_eq!(name.as_deref(), Some(label(id).as_str()));
    }
    assert_eq!(label(ActionId(212)), "action 212");
}
