//! `cardsharp solve GAME --view FILE`: what each move of a decision wins for certain.

use std::path::Path;
use std::time::Instant;

use cardsharp_bot::exact::{Certainty, Exact};
use cardsharp_env::{AnyGame, Foresight};
use serde_json::json;

use crate::error::CliError;
use crate::given::Given;
use crate::output::Output;
use crate::tables;

/// Maximum number of positions to search: about a minute.
const MOST: u64 = 500_000_000;

pub(super) fn solve(game: &dyn AnyGame, path: &Path, out: &mut Output) -> Result<(), CliError> {
    let mut known = Given::read_from(path)?.read(game)?;
    let view = known.view()?;
    let seat = view.seat();
    if view.legal(&mut vec![0; view.words()]) == 0 {
        return Err(CliError::NoDecision { seat: seat.index() });
    }
    let mut exact = Exact::default();
    let begun = Instant::now();
    let certainty = exact.certain(view, MOST);
    let seconds = begun.elapsed().as_secs_f64();
    let line = exact.line(view, MOST).unwrap_or_default();
    let foresight = view.foresight();
    if out.json {
        let line = line.iter().map(|step| json!({ "seat": step.seat, "move": view.label(step.action) }));
        let moves = certainty.iter().flat_map(|certainty| &certainty.moves);
        // A move without a known outcome has no reward.
        let moves = moves.map(|&(action, reward)| {
            json!({ "move": view.label(action), "reward": reward.is_finite().then_some(reward) })
        });
        return out.json_page(&json!({
            "game": game.name(),
            "seat": seat,
            "foresight": foresight,
            "moves": moves.collect::<Vec<_>>(),
            "line": line.collect::<Vec<_>>(),
            "positions": certainty.as_ref().map(|certainty| certainty.positions),
            "seconds": seconds,
        }));
    }
    let Some(certainty) = certainty else { return out.line(nothing(foresight, !line.is_empty())) };
    show(out, &certainty, |action| view.label(action))?;
    let line: Vec<String> =
        line.iter().map(|step| format!("{}:{}", step.seat.0, view.label(step.action))).collect();
    let reward = certainty.value();
    out.line(match foresight {
        Foresight::OwnTurn => format!(
            "Seat {} gets the most that it still can, {reward:+.3}, whatever cards the others hold: {}",
            seat.0,
            line.join(" ")
        ),
        _ => format!("With optimal play seat {} gets {reward:+.3}: {}", seat.0, line.join(" ")),
    })?;
    out.line(format!("{} positions in {}.", certainty.positions, super::time(seconds)))
}

/// Returns why there is no result.
fn nothing(foresight: Foresight, single: bool) -> String {
    match foresight {
        Foresight::Nothing => "Nothing is certain yet: the outcome depends on hidden cards.".to_owned(),
        _ if single => "There is only one move.".to_owned(),
        Foresight::OwnTurn => "No move is certain to win, or to go out next.".to_owned(),
        Foresight::Round => format!("This decision needs more than {MOST} positions to solve."),
    }
}

/// Shows the moves, the best first.
fn show(
    out: &mut Output,
    certainty: &Certainty,
    label: impl Fn(cardsharp_env::ActionId) -> String,
) -> Result<(), CliError> {
    let mut moves = certainty.moves.clone();
    moves.sort_by(|one, other| other.1.total_cmp(&one.1));
    let rows = moves.into_iter().map(|(action, reward)| {
        let surely = if reward.is_finite() { format!("{reward:+.3}") } else { "unknown".to_owned() };
        vec![label(action), surely]
    });
    out.line(tables::table(&["move", "certain reward"], &[1], rows))
}
