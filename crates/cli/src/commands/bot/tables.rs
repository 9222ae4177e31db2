//! The tables at which a bot plays as a process.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use cardsharp_bot::LoadOptions;
use cardsharp_bot::bots::program::words::ProgramReply;
use cardsharp_bot::bots::search::{Budget, MOST_SIMULATIONS, is_search};
use cardsharp_bot::bots::{OpenError, Player, load_with};
use cardsharp_env::{AnyGame, AnyObserver, Seat, SeatView};
use cardsharp_text::escape::quoted;
use serde_json::{Value, json};

use crate::bots::{self, AdviceJson};
use crate::games;

/// Maximum number of open tables.
const MOST: usize = 10_000;
/// Maximum number of cached budgets.
const BUDGETS: usize = 64;

/// What is wrong with a line, and the table and the request that it names.
pub(super) struct LineProblem {
    pub(super) table: Option<u64>,
    /// The id of the request for a move; null if it has none.
    pub(super) id: Value,
    pub(super) problem: String,
}

impl LineProblem {
    pub(super) fn of(problem: String) -> Self {
        Self { table: None, id: Value::Null, problem }
    }

    fn at(table: u64, problem: String) -> Self {
        Self { table: Some(table), ..Self::of(problem) }
    }
}

/// Milliseconds and playouts of a move, if they are limited.
type Limits = (Option<u64>, Option<u32>);

/// A seat that the bot plays.
struct Table {
    game: &'static dyn AnyGame,
    seed: u64,
    observer: Option<Box<dyn AnyObserver>>,
    /// One bot for each requested budget. They are reused, so that their random streams continue from move to move.
    bots: BTreeMap<Limits, Box<dyn cardsharp_bot::Bot>>,
}

pub(super) struct ProgramTables {
    name: String,
    only: Option<&'static dyn AnyGame>,
    means: LoadOptions,
    seed: u64,
    begun: Instant,
    players: BTreeMap<(&'static str, Limits), Player>,
    tables: BTreeMap<u64, Table>,
}

impl ProgramTables {
    /// Starts without tables. `only` is the game that the bot of this name plays; `None` means any game.
    pub(super) fn new(
        name: String,
        only: Option<&'static dyn AnyGame>,
        means: LoadOptions,
        seed: u64,
    ) -> Self {
        let begun = Instant::now();
        Self { name, only, means, seed, begun, players: BTreeMap::new(), tables: BTreeMap::new() }
    }

    /// Checks that the bot can play a game.
    pub(super) fn check(&mut self, game: &'static dyn AnyGame) -> Result<(), OpenError> {
        self.player(game, (None, None)).map(|_| ())
    }

    fn player(&mut self, game: &'static dyn AnyGame, limits: Limits) -> Result<&Player, OpenError> {
        let key = (game.name(), limits);
        if !self.players.contains_key(&key) {
            if self.players.len() >= BUDGETS {
                self.players.clear();
            }
            let budget = match limits {
                (_, Some(tries)) => Some(Budget::Simulations(tries)),
                (Some(ms), None) => {
                    let begun = self.begun;
                    let clock = std::sync::Arc::new(move || begun.elapsed());
                    Some(Budget::Time { each: Duration::from_millis(ms.max(1)), clock })
                }
                (None, None) => None,
            };
            let means = LoadOptions { budget, ..self.means.clone() };
            self.players.insert(key, load_with(&self.name, game, &means)?);
        }
        Ok(&self.players[&key])
    }

    /// Opens a table where the bot plays `seat`.
    pub(super) fn begin(&mut self, table: u64, game: &str, seat: Seat, seed: u64) -> Result<(), LineProblem> {
        let wrong = |problem: String| LineProblem::at(table, problem);
        let game = self.game(game).map_err(wrong)?;
        // Each seat needs its own random stream, even if the bot plays several seats of one table.
        let seed = cardsharp_env::rng::derive(seed, &[u64::from(seat.0)]);
        self.seated(table, game, seed).map_err(wrong)
    }

    fn seated(&mut self, table: u64, game: &'static dyn AnyGame, seed: u64) -> Result<(), String> {
        if self.tables.len() >= MOST && !self.tables.contains_key(&table) {
            return Err(format!("{MOST} tables are open: `forget` some"));
        }
        self.tables.insert(table, Table { game, seed, observer: None, bots: BTreeMap::new() });
        Ok(())
    }

    fn game(&self, name: &str) -> Result<&'static dyn AnyGame, String> {
        let game = games::game(name).ok_or_else(|| {
            let names: Vec<&str> = games::all().iter().map(|game| game.name()).collect();
            format!("there is no game `{}`: expected one of {}", quoted(name), names.join(", "))
        })?;
        match self.only {
            Some(only) if only.name() != game.name() => {
                Err(format!("the bot plays `{}`, not `{}`", only.name(), game.name()))
            }
            _ => Ok(game),
        }
    }

    /// Handles a line of an event log.
    pub(super) fn hear(&mut self, mut line: Value) -> Result<(), LineProblem> {
        let number = line.as_object_mut().and_then(|fields| fields.remove("table"));
        let Some(number) = number.as_ref().and_then(Value::as_u64) else {
            return Err(LineProblem::of("`table` is not a whole number, 0 or more".to_owned()));
        };
        let wrong = |problem: String| LineProblem::at(number, problem);
        if line["line"] == "header" {
            return self.header(number, &line).map_err(wrong);
        }
        let Some(table) = self.tables.get_mut(&number) else { return Err(wrong(unknown(number))) };
        let Some(observer) = &mut table.observer else {
            return Err(wrong("the event log of this table has no header yet".to_owned()));
        };
        observer.hear(&line).map_err(|error| wrong(error.to_string()))
    }

    fn header(&mut self, number: u64, header: &Value) -> Result<(), String> {
        let game = self.game(header["game"].as_str().unwrap_or_default())?;
        let observer = game.observer(header).map_err(|error| error.to_string())?;
        if self.tables.get(&number).is_none_or(|table| table.game.name() != game.name()) {
            let seed = cardsharp_env::rng::derive(self.seed, &[number]);
            self.seated(number, game, seed)?;
        }
        if let Some(table) = self.tables.get_mut(&number) {
            table.observer = Some(observer);
        }
        Ok(())
    }

    /// Answers a request for a move.
    pub(super) fn go(
        &mut self,
        number: u64,
        id: Value,
        limits: Limits,
        advice: bool,
        view: Option<Value>,
    ) -> Result<ProgramReply, LineProblem> {
        let wrong = |problem: String| LineProblem { id: id.clone(), ..LineProblem::at(number, problem) };
        let Some(table) = self.tables.get(&number) else { return Err(wrong(unknown(number))) };
        let (game, seed) = (table.game, table.seed);
        // Only searches have a budget.
        let limits = if is_search(&self.name) { limits } else { (None, None) };
        if let Some(tries) = limits.1.filter(|tries| !(1..=MOST_SIMULATIONS).contains(tries)) {
            return Err(wrong(format!("`tries` is {tries}: expected 1 to {MOST_SIMULATIONS}")));
        }
        if let Some(ms) = limits.0.filter(|ms| *ms > u32::MAX.into()) {
            return Err(wrong(format!("`time_ms` is {ms}: expected at most {}", u32::MAX)));
        }
        if !table.bots.contains_key(&limits) {
            let bot = self.player(game, limits).map_err(|error| wrong(error.to_string()))?.bot(seed);
            if let Some(table) = self.tables.get_mut(&number) {
                if table.bots.len() >= BUDGETS {
                    table.bots.clear();
                }
                table.bots.insert(limits, bot);
            }
        }
        let Some(Table { observer, bots, .. }) = self.tables.get_mut(&number) else {
            return Err(wrong(unknown(number)));
        };
        let Some(bot) = bots.get_mut(&limits) else { return Err(wrong(unknown(number))) };
        let read;
        let view = match (view, observer) {
            (Some(view), _) => {
                read = game.view_of(&view).map_err(|error| wrong(error.to_string()))?;
                read.view()
            }
            (None, Some(observer)) => observer.decide().map_err(|error| wrong(error.to_string()))?,
            (None, None) => {
                return Err(wrong("expected an event log or a `view` before `go`".to_owned()));
            }
        };
        match answer(bot.as_mut(), view, advice) {
            Ok((choice, value, moves)) => Ok(ProgramReply::Move { table: number, id, choice, value, moves }),
            Err(problem) => Err(wrong(problem)),
        }
    }

    pub(super) fn forget(&mut self, table: u64) {
        self.tables.remove(&table);
    }
}

fn unknown(number: u64) -> String {
    format!("there is no table {number}: send a header or `begin` first")
}

/// Returns the bot's move and, if `advice` is set, the value and the moves of its advice.
fn answer(
    bot: &mut dyn cardsharp_bot::Bot,
    view: SeatView<'_>,
    advice: bool,
) -> Result<(String, Option<f32>, Option<Value>), String> {
    if view.legal(&mut vec![0; view.words()]) == 0 {
        return Err(format!("seat {} has nothing to decide", view.seat().0));
    }
    let choice = view.label(bot.pick(view));
    let thought = advice.then(|| bot.advise(view));
    bots::check(bot).map_err(|failed| failed.to_string())?;
    let value = thought.as_ref().and_then(|advice| advice.value);
    let moves =
        thought.map(|advice| json!(AdviceJson::new(|action| view.label(action), &advice))["moves"].take());
    Ok((choice, value, moves))
}
