//! Moves and their ids.

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks::width;
use cardsharp_engine::game::{Actions, parse_label};

use super::super::{Move, Round};
use super::situation::label;

#[test]
fn every_id_is_one_move_and_there_are_none_beyond() {
    let ids = width(Round::ACTIONS) as u16;
    assert_eq!(ids, 212);
    for id in (0..ids).map(ActionId) {
        assert_eq!(Move::of(id).map(Move::id), Some(id));
    }
    for id in (ids..=u16::MAX).map(ActionId) {
        assert_eq!(Move::of(id), None);
    }
}

#[test]
fn moves_are_called_what_their_actions_are() {
    for id in (0..width(Round::ACTIONS) as u16).map(ActionId) {
        let name = Move::of(id).map(|chosen| chosen.to_string());
        assert_eq!(name.as_deref(), Some(label(id).as_str()));
        assert_eq!(parse_label::<Round>(None, &label(id)), Some(id));
    }
    assert_eq!(label(ActionId(212)), "action 212");
}
