//! A hand in separate parts, for front ends with their own layout.

use cardsharp_climbing::narrate::{groups, seated};
use cardsharp_engine::game::{Scene, Seated};

use super::deck::{rank_name, title};
use super::narrate::known;
use super::state::View;
use super::table::Stage;

/// The viewer's view, with players from the Greater Dalmuti down.
pub(super) fn of(view: View<'_>) -> Scene {
    let table = view.table;
    let players = table.players();
    let is_played = table.stage == Stage::Play;
    let player = |position| Seated {
        points: Some(table.points[table.order[usize::from(position)].index()]),
        ..seated(
            table.order[usize::from(position)],
            title(position, players),
            u32::from(if is_played { table.held(position) } else { table.dealt(position) }),
            is_played.then_some(&table.trick),
            position,
        )
    };
    let mut text = String::new();
    known(view, &mut text);
    Scene {
        round: format!("Hand {} of {}", table.hand, table.rules.hands),
        players: (0..players).map(player).collect(),
        table: text.lines().map(str::to_owned).collect(),
        hand: Scene::groups(&groups(&view.own.hand, rank_name)),
    }
}
