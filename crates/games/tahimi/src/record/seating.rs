//! The seating of a reconstructed round: from the rules, or from the event log.

use cardsharp_engine::game::ensure;
use cardsharp_engine::hands::Positions;
use cardsharp_engine::{MAX_SEATS, Seat};
use serde_json::Value;

use crate::check::roster::newcomers;
use crate::opening;
use crate::rules::{JoinPolicy, Rules, Seating};
use crate::table::Table;

/// Applies the seating in the event log to a new round, where the seating is random.
///
/// # Errors
/// The seating is impossible.
pub(crate) fn arrange(table: &mut Table, rules: &Rules, told: &Value) -> Result<(), String> {
    let drawn = matches!(rules.join_policy, JoinPolicy::Redraw | JoinPolicy::Random);
    let by_chance = match table.round {
        1 => rules.seating == Seating::Random,
        _ => drawn && !table.joined.is_empty(),
    };
    if !by_chance {
        return Ok(());
    }
    let order = order(table, told)?;
    let by_rules = &table.order[..order.len()];
    if table.round > 1 && rules.join_policy == JoinPolicy::Random {
        let stayed = |order: &[Seat]| -> Vec<Seat> {
            order.iter().copied().filter(|seat| !table.joined.has(seat.0)).collect()
        };
        let expected = stayed(by_rules);
        ensure!(
            stayed(&order) == expected,
            "`order`: among themselves, those who stayed sit {}",
            list(&expected)
        );
    }
    table.order[..order.len()].copy_from_slice(&order);
    table.position = opening::positions(&order);
    if table.round > 1 { newcomers(table, rules) } else { Ok(()) }
}

/// The order of seats in the event log, which must name each playing seat once.
fn order(table: &Table, told: &Value) -> Result<Vec<Seat>, String> {
    let players = usize::from(table.players);
    let playing = table.present();
    let told = told["order"].as_array().filter(|order| order.len() == players);
    let told = told.ok_or_else(|| format!("`order` is not a list of the {players} seats that play"))?;
    let mut order = Vec::with_capacity(MAX_SEATS);
    let mut seated = Positions(0);
    for named in told {
        let seat = named.as_u64().filter(|&seat| seat < MAX_SEATS as u64).map(|seat| Seat(seat as u8));
        let seat = seat.filter(|seat| playing.has(seat.0) && !seated.has(seat.0));
        let Some(seat) = seat else {
            let playing: Vec<Seat> = playing.iter().map(Seat).collect();
            return Err(format!("`order` names {named}, expected each of seats {} once", list(&playing)));
        };
        seated.insert(seat.0);
        order.push(seat);
    }
    Ok(order)
}

fn list(seats: &[Seat]) -> String {
    let seats: Vec<String> = seats.iter().map(|seat| seat.0.to_string()).collect();
    seats.join(", ")
}
