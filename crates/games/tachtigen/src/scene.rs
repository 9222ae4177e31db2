//! The parts of a view, for front ends with their own layout.

use cardsharp_engine::game::{Scene, Seated};

use super::narrate::{by_suits, known, seat_notes};
use super::seats::ALL_SEATS;
use super::table::{Stage, View};

/// Returns the parts of a view, seat by seat.
pub(super) fn of(view: View<'_>) -> Scene {
    let table = view.table;
    let player = |seat| Seated {
        seat,
        cards: Some(table.held(seat)),
        points: Some(table.scores[seat.index()]),
        notes: seat_notes(view, seat),
        is_turn: !matches!(table.stage, Stage::Claim | Stage::Over) && seat == table.turn,
    };
    let mut text = String::new();
    known(view, &mut text);
    Scene {
        round: format!("Deal {} of {}", table.deal, table.rules.deals),
        players: ALL_SEATS.map(player).into(),
        table: text.lines().map(str::to_owned).collect(),
        hand: Scene::groups(&by_suits(view.own.hand)),
    }
}
