//! What each first move is worth in a deal that somebody chose.
//!
//! A deal is a JSON object with fields of the `deal` line of traces (`docs/trace.md`). Hands that are null and fields that
//! are left out are dealt from a seed, so that one hand can be looked at in many deals.

use cardsharp_env::game::DealError;
use cardsharp_env::{ActionId, AnyTable, GameRules, Seat};
use serde_json::Value;

/// What came of a first move.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The move, in card notation.
    pub label: String,
    /// The points of who made it, on average over the deals.
    pub points: f64,
}

/// Why a deal cannot be judged.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No first round begins so.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// What is left to chance decides who moves first, or what he may do.
    #[error(
        "who moves first, or what he may do, is left to chance: expected a deal that says where everybody sits and what \
         this seat holds"
    )]
    Open,
}

/// Who moves first, and what each of his moves is worth, the best first, if the players by rule go on: the mean over
/// `deals` ways to deal what is left out, one or more.
///
/// # Errors
/// No round begins so, or the first move is not the same in all of them.
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

/// The points of `seat` after this move and the rest of the round; then everything is taken back.
fn points(table: &mut dyn AnyTable, seat: Seat, action: ActionId) -> f64 {
    let mut next = Some(action);
    while let Some(action) = next {
        // A player by rule makes legal moves only, and so does the list that the first one is from.
        next = table.try_play(action).ok().and_then(|()| table.asked()).map(|view| view.scripted());
    }
    let payoff = table.payoff().unwrap_or_default();
    while table.undo().is_some() {}
    f64::from(payoff.points[seat.index()])
}
