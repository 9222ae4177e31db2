//! The parts of a view, for front ends with their own layout.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Scene, Seated};

use super::narrate::{by_colors, known};
use super::table::Stage;
use super::{View, ending};

/// Returns the parts of a view, seat by seat.
pub(super) fn of(view: View<'_>) -> Scene {
    let table = view.table;
    let is_turn = |seat| match table.stage {
        Stage::Turn | Stage::Run | Stage::Free | Stage::Owe => seat == table.turn,
        Stage::Window | Stage::LastCard { .. } | Stage::Catch { .. } | Stage::Over(_) => false,
    };
    let player = |seat: Seat| {
        let mut notes = Vec::new();
        if table.announced.has(seat.0) {
            notes.push("last card!".to_owned());
        }
        if ending::has_stages(table) {
            notes.push(format!("stage {}", table.stages[seat.index()]));
        }
        let cards = Some(u32::from(table.sizes[seat.index()]));
        Seated { seat, cards, points: None, notes, is_turn: is_turn(seat) }
    };
    let mut text = String::new();
    known(table, &mut text);
    Scene {
        round: format!("Game {} of {}", table.game, table.rules.games),
        players: (0..table.players()).map(Seat).map(player).collect(),
        table: text.lines().map(str::to_owned).collect(),
        hand: Scene::groups(&by_colors(view.own.hand)),
    }
}
