//! Rates the first moves in a chosen deal.
//!
//! A deal is a JSON object with fields of the `deal` line of traces (`docs/trace.md`). Null hands and missing fields
//! are dealt from a seed, so that one hand can be rated in many deals.

use cardsharp_env::game::DealError;
use cardsharp_env::{ActionId, AnyTable, GameRules, Seat};
use serde_json::Value;

/// A first move and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The move, in card notation.
    pub label: String,
    /// The points of the seat that made it, averaged over the deals.
    pub points: f64,
}

/// Why a deal cannot be judged.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No first round can start with this deal.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// The first seat to move, or its legal moves, depend on the random part of the deal.
    #[error(
        "who moves first, or what he may do, is left to chance: expected a deal that says where everybody sits and what \
         this seat holds"
    )]
    Open,
}

/// Returns the first seat to move, and its moves with their points, best first.
///
/// The missing part of the deal is dealt at random `deals` times (at least once). In each deal the scripted player
/// finishes the round in all seats after each first move. The points are the mean over the deals.
///
/// # Errors
/// No first round can start with this deal, or the first seat or its legal moves are not the same in all deals.
pub fn first_moves(rules: &GameRules, deal: &Value, deals: u64) -> Result<(Seat, Vec<Worth>), Problem> {
    let deals = deals.max(1);
    let mut first: Option<(Seat, Vec<ActionId>)> = None;
    let mut found: Vec<Worth> = Vec::new();
    for seed in 0..deals {
        let mut table = rules.table_of(seed, deal)?;
        let here = (table.turn().ok_or(Problem::Open)?, table.legal());
        let (seat, moves) = first.get_or_insert_with(|| here.clone());
        if (&*seat, &*moves) != (&here.0, &here.1) {
            return Err(Problem::Open);
        }
        if found.is_empty() {
            found = moves.iter().map(|&action| Worth { label: table.label(action), points: 0.0 }).collect();
        }
        for (&action, worth) in moves.iter().zip(&mut found) {
            worth.points += points(table.as_mut(), *seat, action);
        }
    }
    found.iter_mut().for_each(|worth| worth.points /= deals as f64);
    found.sort_by(|a, b| b.points.total_cmp(&a.points));
    first.map(|(seat, _)| (seat, found)).ok_or(Problem::Open)
}

/// Plays this move and, with the scripted player, the rest of the round. Returns the points of `seat`, and undoes
/// everything.
fn points(table: &mut dyn AnyTable, seat: Seat, action: ActionId) -> f64 {
    let mut next = Some(action);
    while let Some(action) = next {
        // All moves are legal: the first comes from the list of legal moves, the others from the scripted player.
        next = table.try_play(action).ok().and_then(|()| table.asked()).map(|view| view.scripted());
    }
    let payoff = table.payoff().unwrap_or_default();
    while table.undo().is_some() {}
    f64::from(payoff.points[seat.index()])
}
