//! Small games, exactly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_bot::solve::{CfrPlus, Measure, Strategy, measure};
use cardsharp_env::{AnyGame, GameRules};
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::{Value, json};

use crate::bots::{means, player};
use crate::games::GameArg;
use crate::input::{self, Anything, ObjectArg, SeedArg, refused};
use crate::output::{self, Dealt, Object};
use crate::outside::Raised;
use crate::work::or_abandon;

/// The most decisions and ends of a game that is written down.
const MOST: u64 = 20_000_000;
/// The most iterations.
const MOST_ITERATIONS: u64 = 100_000_000;

fn refuse_unlisted(game: &dyn AnyGame) -> PyErr {
    let listed = cardsharp_env::GAMES.iter().filter(|game| game.lists_deals()).map(|game| game.name());
    let listed: Vec<&str> = listed.collect();
    refused(format!("{} has too many deals to list them; games that do: {}", game.name(), listed.join(", ")))
}

/// Lists all deals of a session's first round.
///
/// Parameters
/// ----------
/// game : str or Game
///     The game or its name.
/// rules : mapping, optional
///     Options of the rules.
///
/// Returns
/// -------
/// list of (float, dict)
///     The probability of each deal, and the deal for `Table(game, rules, deal=...)`.
///
/// Raises
/// ------
/// ValueError
///     If the game has too many deals.
///
/// Examples
/// --------
/// >>> len(cardsharp_rl.enumerate_deals("kuhn"))
/// 6
#[pyfunction]
#[pyo3(signature = (game, rules=None))]
pub(crate) fn enumerate_deals<'py>(
    py: Python<'py>,
    game: GameArg,
    rules: Option<ObjectArg>,
) -> PyResult<Dealt<'py>> {
    let deals = input::rules(game.0, rules)?.deals().ok_or_else(|| refuse_unlisted(game.0))?;
    let all = PyList::empty(py);
    for (probability, deal) in deals {
        all.append((probability, output::json(py, &deal)?))?;
    }
    Ok(Dealt(all.into_any()))
}

/// What a strategy is worth.
fn strategy_value(name: &str, iterations: Option<u64>, measure: &Measure) -> Value {
    json!({
        "strategy": name,
        "iterations": iterations,
        "exploitability": measure.exploitability(),
        "nash_conv": measure.nash_conv(),
        "value": measure.value,
        "best_response": measure.best_response,
    })
}

/// What `cardsharp_rl.solve` calls: what was found as a dict.
#[pyfunction]
// Its one caller names them all.
#[expect(clippy::too_many_arguments)]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    game: GameArg,
    rules: Option<ObjectArg>,
    bot: Option<Anything<'py>>,
    endgame: Option<ObjectArg>,
    iterations: u64,
    temperature: f64,
    seed: SeedArg,
) -> PyResult<Object<'py>> {
    let (game, raised) = (game.0, Raised::default());
    let rules: GameRules = input::rules(game, rules)?;
    if iterations > MOST_ITERATIONS {
        return Err(refused(format!(
            "iterations: {iterations} is out of range: expected 0 to {MOST_ITERATIONS}"
        )));
    }
    if endgame.is_none() && !game.lists_deals() {
        return Err(refuse_unlisted(game));
    }
    let means = means(temperature, None, 1)?;
    let bot = bot.map(|bot| player(game, None, &bot.0, &means, &raised)).transpose()?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    // What writes a game down does not stop half-way.
    let found = or_abandon(py, &stop, &mut |_| raised.again(), move || -> Result<Option<Value>, String> {
        let explored = match endgame {
            Some(ObjectArg(cards)) => rules.enumerate_endgame(&cards, MOST),
            None => rules.enumerate(MOST),
        };
        let explored = explored.map_err(|error| error.to_string())?;
        let tree = explored.tree();
        let mut strategies = Vec::new();
        if let Some(bot) = bot {
            let strategy = Strategy::of(bot.bot(seed.0).as_mut(), explored.as_ref());
            strategies.push(strategy_value(bot.name(), None, &measure(tree, &strategy)));
        }
        let mut bounds = None;
        if iterations > 0 {
            let mut solver = CfrPlus::new(tree).map_err(|error| error.to_string())?;
            while solver.iterations() < iterations {
                if stopped.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                solver.step();
            }
            let found = measure(tree, &solver.average());
            bounds = Some([-found.best_response[1], found.best_response[0]]);
            strategies.push(strategy_value("cfr+", Some(iterations), &found));
        }
        Ok(Some(json!({
            "game": rules.game().name(),
            "rules": rules,
            "deals": tree.deals,
            "positions": tree.positions,
            "decisions": tree.decisions.len(),
            "strategies": strategies,
            "game_value": bounds,
        })))
    })?;
    raised.again()?;
    let found = found.map_err(refused)?.ok_or_else(|| refused("it was stopped"))?;
    output::json(py, &found).map(Object)
}
