//! Checks of joining and leaving players, and of their points.

use cardsharp_engine::game::ensure;
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::RosterChange;
use cardsharp_engine::{MAX_SEATS, Seat};

use crate::roster::{self, Changed, Order};
use crate::rules::{JoinPolicy, Rules, Seating};
use crate::table::Table;

/// The best card that a new player can draw for their place: the ace.
const BEST_DRAW: u8 = 12;

/// Checks the players, joins and leaves, and the points of the rounds before.
///
/// # Errors
/// What contradicts the script.
pub(super) fn check(table: &Table) -> Result<(), String> {
    let rules = &table.rules;
    let mut most = [0; MAX_SEATS];
    let mut total = 0;
    // The random order of seats does not matter here, only which seats play.
    let mut rng = DealRng::new(0, 0);
    let mut seats = [Seat(0); MAX_SEATS];
    (0..rules.players).for_each(|seat| seats[usize::from(seat)] = Seat(seat));
    let order = Order { players: rules.players, seats };
    let mut now = Changed { order, left: Positions(0), joined: Positions(0), redrawn: false };
    for round in 2..=table.round {
        let n = i32::from(now.order.players);
        let players = &now.order.seats[..usize::from(now.order.players)];
        players.iter().for_each(|seat| most[seat.index()] += n - 1);
        total += n * (n - 1) / 2;
        now = roster::apply(rules, round, now.order, &mut rng);
    }
    let expected = now.order.players;
    ensure!(table.players == expected, "{} players, but the script says {expected}", table.players);
    let present = |order: &[Seat]| order.iter().fold(0u32, |all, seat| all | 1 << u32::from(seat.0).min(31));
    let n = usize::from(expected);
    ensure!(
        present(&table.order[..n]) == present(&now.order.seats[..n]),
        "`order` does not name the players of `roster_script`"
    );
    ensure!(
        table.left == now.left && table.joined == now.joined,
        "`joined` or `left` does not match `roster_script`"
    );
    let first = table.round == 1 || now.redrawn;
    ensure!(table.first == first, "`first` is {}, but no new draw for places was possible", table.first);
    let fixed = table.round > 1 || rules.seating != Seating::Fixed || table.order[..n] == seats[..n];
    ensure!(fixed, "the first seating is fixed, but `order` is another");
    newcomers(table, rules)?;
    let points = &table.points;
    for (seat, (&points, most)) in points.iter().zip(most).enumerate() {
        ensure!((0..=most).contains(&points), "{points} points for seat {seat}: expected 0..={most}");
    }
    let sum: i32 = points.iter().sum();
    ensure!(sum == total, "{sum} points in all: expected {total}");
    Ok(())
}

/// Checks that new players sit where the script and `join_policy` place them. Removes them again, the last one first.
///
/// # Errors
/// The new player who sits in the wrong place.
pub(crate) fn newcomers(table: &Table, rules: &Rules) -> Result<(), String> {
    let mut order = table.order;
    let mut players = usize::from(table.players);
    for event in rules.roster_script.as_slice().iter().rev().filter(|event| event.round == table.round) {
        let RosterChange::Join(seat) = event.change else { continue };
        let Some(position) = order[..players].iter().position(|&s| s == seat) else { continue };
        order.copy_within(position + 1..players, position);
        players -= 1;
        let fits = match rules.join_policy {
            JoinPolicy::Middle => position == players.div_ceil(2),
            JoinPolicy::Serf => position == players,
            JoinPolicy::Random => position >= usize::from(roster::drawn_place(players as u8, BEST_DRAW)),
            JoinPolicy::Redraw => true,
        };
        ensure!(fits, "seat {} is a newcomer and cannot be at its place in `order`", seat.0);
    }
    Ok(())
}
