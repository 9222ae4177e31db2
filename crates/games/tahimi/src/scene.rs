//! A round in separate parts, for front ends with their own layout.

use cardsharp_climbing::narrate::{groups, seated};
use cardsharp_engine::game::{Scene, Seated};
use cardsharp_engine::rules::Rules as _;

use super::narrate::known;
use super::state::View;
use super::table::Stage;
use super::titles::title;

/// The viewer's view, with players from the Tahimi down.
pub(super) fn of(view: View<'_>) -> Scene {
    let (table, ladder) = (view.table, view.table.ladder());
    let player = |position: u8| {
        let seat = table.order[usize::from(position)];
        let title = title(position, table.players, table.variant.is_progressive());
        let trick = (table.stage == Stage::Play).then_some(&table.trick);
        let seated = seated(seat, title, u32::from(table.held(position)), trick, position);
        Seated { points: Some(table.points[seat.index()]), ..seated }
    };
    let mut text = String::new();
    known(view, &mut text);
    let is_dealt = table.stage != Stage::Decree;
    Scene {
        round: format!("Round {} of {}", table.round, table.rules.rounds()),
        players: (0..table.players).map(player).collect(),
        table: text.lines().map(str::to_owned).collect(),
        hand: Scene::groups(&if is_dealt {
            groups(&view.own.hand, |rank| ladder.name(rank))
        } else {
            String::new()
        }),
    }
}
