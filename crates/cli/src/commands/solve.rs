use std::path::{Path, PathBuf};
use std::time::Instant;

use cardsharp_bot::endgame_solver::{EndgameSolver, ExactValues};
use cardsharp_bot::solve::{CfrPlus, Measure, NotZeroSum, Strategy, measure};
use cardsharp_env::enumerate::{AnyTree, EnumerateError, Tree};
use cardsharp_env::{ActionId, AnyGame, Foresight, GameRules};
use cardsharp_text::input::{SMALL, read_text};
use serde_json::{Value, json};

use crate::args::{GameArg, RulesArgs, ToArg, temperature};
use crate::error::{CliError, Failure};
use crate::games;
use crate::output::Output;
use crate::position_input::{PositionError, PositionInput};
use crate::progress::Bar;
use crate::tables;

/// Maximum number of decisions and ends of a game. It takes about half a gigabyte of memory.
const MOST: u64 = 5_000_000;
/// Default number of iterations.
const ITERATIONS: u64 = 1000;
/// More iterations would take days.
const MOST_ITERATIONS: u64 = 100_000_000;

/// Solve a small game exactly, or compute the exploitability of a bot in it.
///
/// The complete game tree of the first round is built. Without --bot, CFR+ computes an approximate Nash equilibrium. With
/// --bot, the bot plays all seats. Strategies are measured by exact best responses: NashConv is the sum of the gains of all
/// seats, exploitability their mean. Nothing is sampled, so the results are exact and deterministic.
///
/// --endgame solves the rest of a round with few hidden cards. --view solves one decision as far as its outcome is
/// certain. Climbing games: two players are left, or no other player can answer a set. Tachtigen: all hands are open.
/// TAKI: the own turn.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp solve leduc
  cardsharp solve leduc --iterations 10000 --json
  cardsharp solve kuhn --bot scripted
  cardsharp solve leduc --bot random --iterations 100
  cardsharp solve taki --endgame configs/endgames/taki.toml --players 2 --set max_decisions=5
  cardsharp solve tachtigen --view view.json

More: ", docs!("solve.html")))]
pub(crate) struct Solve {
    /// The game: `kuhn` or `leduc`, `taki` with --endgame, any game with --view
    #[arg(value_parser = GameArg::parser_showing(|_| true))]
    game: GameArg,
    /// TOML file with an endgame to solve instead of a whole round
    #[arg(long, value_name = "FILE")]
    endgame: Option<PathBuf>,
    /// View or event log up to a decision (`-`: standard input): computes what each move wins for certain
    #[arg(long, value_name = "FILE", conflicts_with_all = ["endgame", "bot", "iterations", "temperature", "RulesArgs"])]
    view: Option<PathBuf>,
    /// Measure this bot: `random`, `scripted`, `cautious`, `aggressive`, `trained`, a bundle or a checkpoint
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    /// Iterations of CFR+ [default: 1000, or none with --bot]
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// Sampling temperature of a network: 0 = argmax, 1 = sample from the policy
    #[arg(long, value_name = "T", default_value_t = 1.0, value_parser = temperature)]
    temperature: f32,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    pub(crate) to: ToArg,
}

/// Why a game cannot be solved.
#[derive(Debug, thiserror::Error)]
enum SolveError {
    /// The game has too many deals to list.
    #[error("{error}; expected one of these games: {listed}")]
    Unlisted {
        /// Which game is too large, and its size.
        error: EnumerateError,
        /// The names of the games that can be solved.
        listed: String,
    },
    /// The file does not describe an endgame.
    #[error("{}: {}", path.display(), reason.trim_end())]
    Endgame { path: PathBuf, reason: String },
}

impl Failure for SolveError {
    fn code(&self) -> u8 {
        2
    }
}

impl Failure for EnumerateError {
    fn code(&self) -> u8 {
        2
    }
}

impl Failure for NotZeroSum {
    fn code(&self) -> u8 {
        2
    }
}

/// A strategy with its measurements.
struct Row {
    name: String,
    /// Iterations of CFR+.
    iterations: Option<u64>,
    measure: Measure,
    /// Seconds of all iterations so far.
    learning: Option<f64>,
    /// Seconds for the best responses of all seats.
    measuring: f64,
}

impl Solve {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let refused = |option, given: String, expected: &str| {
            Err(CliError::Option { option, given, expected: expected.to_owned() })
        };
        if let Some(path) = &self.view {
            return solve_view(self.game.0, path, out);
        }
        if let Some(given) = self.iterations.filter(|given| !(1..=MOST_ITERATIONS).contains(given)) {
            return refused("--iterations", given.to_string(), "expected 1 to 100000000");
        }
        let game = self.game.0;
        let rules = self.rules.resolve(game, None)?;
        let begun = Instant::now();
        let explored = match &self.endgame {
            Some(path) => endgame(&rules, path)?,
            None => rules.enumerate(MOST).map_err(listed)?,
        };
        let writing = begun.elapsed().as_secs_f64();
        let tree = explored.tree();
        let mut rows = Vec::new();
        if let Some(name) = &self.bot {
            let mut bot = cardsharp_bot::open(name, game, self.temperature, 0)?;
            let strategy = Strategy::of(bot.as_mut(), explored.as_ref());
            rows.push(Row::new(tree, &strategy, name.clone(), None));
        }
        let iterations = match (self.iterations, &self.bot) {
            (Some(given), _) => given,
            (None, Some(_)) => 0,
            (None, None) => ITERATIONS,
        };
        if iterations > 0 {
            solve_tree(tree, iterations, &mut rows)?;
        }
        let bounds = rows.iter().rfind(|row| row.iterations.is_some()).map(|row| bounds(&row.measure));
        if out.json {
            return out.json_page(&json!({
                "game": game.name(),
                "rules": rules,
                "deals": tree.deals,
                "positions": tree.positions,
                "decisions": tree.decisions.len(),
                "enumerate_seconds": writing,
                "strategies": rows.iter().map(Row::json).collect::<Vec<_>>(),
                "game_value": bounds,
            }));
        }
        out.line(out.bold(format!(
            "{}: {} deals, {} positions, {} decisions, built in {}",
            game.title(),
            tree.deals,
            tree.positions,
            tree.decisions.len(),
            time(writing)
        )))?;
        show(out, &rows)?;
        out.line(format!(
            "Values are rewards per round. Exploitability is NashConv / {}: the gain of a best response, averaged over seats.",
            tree.seats
        ))?;
        match bounds {
            Some([low, high]) => {
                out.line(format!("With optimal play seat 0 gets between {low:+.6} and {high:+.6} per round."))
            }
            None => Ok(()),
        }
    }
}

/// Adds the names of games that can be solved to the error for this one.
fn listed(error: EnumerateError) -> CliError {
    match error {
        EnumerateError::Unlisted { .. } => {
            let listed = games::all().iter().filter(|game| game.lists_deals()).map(|game| game.name());
            SolveError::Unlisted { error, listed: listed.collect::<Vec<_>>().join(", ") }.into()
        }
        other => other.into(),
    }
}

/// Reads an endgame from a file.
fn endgame(rules: &GameRules, path: &Path) -> Result<Box<dyn AnyTree>, CliError> {
    let refused = |reason: String| SolveError::Endgame { path: path.to_owned(), reason };
    let cards: Value =
        toml::from_str(&read_text(path, SMALL)?).map_err(|error| refused(error.to_string()))?;
    rules.enumerate_endgame(&cards, MOST).map_err(|error| match error {
        EnumerateError::Endgame(_) => refused(error.to_string()).into(),
        other => other.into(),
    })
}

/// Solves a game, and measures the strategy at checkpoints.
fn solve_tree(tree: &Tree, iterations: u64, rows: &mut Vec<Row>) -> Result<(), NotZeroSum> {
    let mut solver = CfrPlus::new(tree)?;
    let bar = Bar::units(iterations, "iterations");
    let mut learning = 0.0;
    while solver.iterations() < iterations {
        let begun = Instant::now();
        let next = checkpoint(solver.iterations()).min(iterations);
        while solver.iterations() < next {
            solver.step();
            bar.advance();
        }
        learning += begun.elapsed().as_secs_f64();
        let row = Row::new(tree, &solver.average(), format!("CFR+ {next}"), Some((next, learning)));
        rows.push(row);
    }
    bar.finish();
    Ok(())
}

/// Returns the next of 1, 2, 5, 10, 20, 50, … after `done`.
fn checkpoint(done: u64) -> u64 {
    let mut power = 1;
    loop {
        for next in [power, 2 * power, 5 * power] {
            if next > done {
                return next;
            }
        }
        power *= 10;
    }
}

/// Returns bounds for the value of the game for seat 0. The lower bound is what the best response of seat 1 leaves it,
/// the upper bound its own best response.
fn bounds(measure: &Measure) -> [f64; 2] {
    [-measure.best_response[1], measure.best_response[0]]
}

impl Row {
    fn new(tree: &Tree, strategy: &Strategy, name: String, learnt: Option<(u64, f64)>) -> Self {
        let begun = Instant::now();
        let measure = measure(tree, strategy);
        let measuring = begun.elapsed().as_secs_f64();
        let (iterations, learning) = learnt.unzip();
        Self { name, iterations, measure, learning, measuring }
    }

    fn json(&self) -> Value {
        json!({
            "strategy": if self.iterations.is_some() { "cfr+" } else { self.name.as_str() },
            "iterations": self.iterations,
            "exploitability": self.measure.exploitability(),
            "nash_conv": self.measure.nash_conv(),
            "value": self.measure.value,
            "best_response": self.measure.best_response,
            "solve_seconds": self.learning,
            "best_response_seconds": self.measuring,
        })
    }
}

/// Shows a row for each strategy, with a line for each seat, so that the table fits every terminal.
fn show(out: &mut Output, rows: &[Row]) -> Result<(), CliError> {
    let header = [
        "strategy",
        "exploit-\nability",
        "NashConv",
        "seat",
        "value",
        "best\nresponse",
        "solving +\nmeasuring",
    ];
    // Show no figure as −0.
    let figure = |figure: &f64| format!("{:+.6}", if figure.abs() < 5e-7 { 0.0 } else { *figure });
    let lines = |figures: &[f64]| figures.iter().map(figure).collect::<Vec<_>>().join("\n");
    let cells = rows.iter().map(|row| {
        let measure = &row.measure;
        let seats: Vec<String> = (0..measure.value.len()).map(|seat| seat.to_string()).collect();
        let times = row.learning.into_iter().chain([row.measuring]).map(time);
        vec![
            row.name.clone(),
            format!("{:.7}", measure.exploitability()),
            format!("{:.7}", measure.nash_conv()),
            seats.join("\n"),
            lines(&measure.value),
            lines(&measure.best_response),
            times.collect::<Vec<_>>().join(" +\n"),
        ]
    });
    out.line(tables::table(&header, &[1, 2, 3, 4, 5, 6], cells))
}

/// Formats a time with a suitable unit.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", 1e6 * s),
        s if s < 10.0 => format!("{:.1} ms", 1e3 * s),
        s => format!("{s:.1} s"),
    }
}

/// Maximum number of positions to search: about a minute.
const MOST_POSITIONS: u64 = 500_000_000;

/// Prints what each move of a decision wins for certain.
fn solve_view(game: &dyn AnyGame, path: &Path, out: &mut Output) -> Result<(), CliError> {
    let mut position = PositionInput::read_from(path)?.read(game)?;
    let view = position.view()?;
    let seat = view.seat();
    if view.legal(&mut vec![0; view.words()]) == 0 {
        return Err(PositionError::NoDecision { seat: seat.index() }.into());
    }
    let mut solver = EndgameSolver::default();
    let begun = Instant::now();
    let values = solver.solve(view, MOST_POSITIONS);
    let seconds = begun.elapsed().as_secs_f64();
    let line = solver.line(view, MOST_POSITIONS).unwrap_or_default();
    let foresight = view.foresight();
    if out.json {
        let line = line.iter().map(|step| json!({ "seat": step.seat, "move": view.label(step.action) }));
        let moves = values.iter().flat_map(|values| &values.moves);
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
            "positions": values.as_ref().map(|values| values.positions),
            "seconds": seconds,
        }));
    }
    let Some(values) = values else { return out.line(nothing(foresight, !line.is_empty())) };
    show_moves(out, &values, |action| view.label(action))?;
    let line: Vec<String> =
        line.iter().map(|step| format!("{}:{}", step.seat.0, view.label(step.action))).collect();
    let reward = values.value();
    out.line(match foresight {
        Foresight::OwnTurn => format!(
            "Seat {} gets the most that it still can, {reward:+.3}, whatever cards the others hold: {}",
            seat.0,
            line.join(" ")
        ),
        _ => format!("With optimal play seat {} gets {reward:+.3}: {}", seat.0, line.join(" ")),
    })?;
    out.line(format!("{} positions in {}.", values.positions, time(seconds)))
}

/// Returns why there is no result.
fn nothing(foresight: Foresight, single: bool) -> String {
    match foresight {
        Foresight::Nothing => "Nothing is certain yet: the outcome depends on hidden cards.".to_owned(),
        _ if single => "There is only one move.".to_owned(),
        Foresight::OwnTurn => "No move is certain to win, or to go out next.".to_owned(),
        Foresight::Round => format!("This decision needs more than {MOST_POSITIONS} positions to solve."),
    }
}

/// Shows the moves, the best first.
fn show_moves(
    out: &mut Output,
    values: &ExactValues,
    label: impl Fn(ActionId) -> String,
) -> Result<(), CliError> {
    let mut moves = values.moves.clone();
    moves.sort_by(|one, other| other.1.total_cmp(&one.1));
    let rows = moves.into_iter().map(|(action, reward)| {
        let surely = if reward.is_finite() { format!("{reward:+.3}") } else { "unknown".to_owned() };
        vec![label(action), surely]
    });
    out.line(tables::table(&["move", "certain reward"], &[1], rows))
}

#[cfg(test)]
mod tests {
    use super::checkpoint;

    #[test]
    fn checkpoints_are_1_2_and_5_times_powers_of_ten() {
        let mut all = vec![checkpoint(0)];
        all.extend((0..6).scan(1, |done, _| {
            *done = checkpoint(*done);
            Some(*done)
        }));
        assert_eq!(all, [1, 2, 5, 10, 20, 50, 100]);
        assert_eq!(checkpoint(999), 1000);
        assert_eq!(checkpoint(7), 10);
    }
}
