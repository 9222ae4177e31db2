//! `cardsharp puzzle`.

mod day;
mod find;

use std::path::PathBuf;

use cardsharp_bot::bots::shipped;
use cardsharp_bot::puzzle::{
    Judge, MAX_FILE, MoveValue, Puzzle as Position, PuzzleError, PuzzleSet, ValueUnit,
};
use cardsharp_env::{AnyGame, AnyTable};
use cardsharp_text::escape::quoted;
use cardsharp_text::format::plain;
use cardsharp_text::input;
use serde_json::json;

use super::play::interface::{Channel, Interface};
use super::play::lessons::{Lessons, When};
use super::play::prompt::{Command, LineReader, Typist, Wish};
use crate::args::GameArg;
use crate::error::{CliError, Failure};
use crate::output::Output;
use crate::{games, tables};
use find::Find;

/// Solve the puzzle of the day: find the best move in a position.
///
/// Each game has one puzzle a day, the same for everyone; the day starts at midnight UTC. The command shows the position
/// and asks for a move. Then it says whether the move is one of the best, and what every move is worth. The positions come
/// from sessions between bots, and a judge played every move out. `cardsharp puzzle find` makes sets of puzzles.
///
/// With --json, the command prints the position without asking. Add --solution for the values of the moves.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = concat!("\
Examples:
  cardsharp puzzle
  cardsharp puzzle dalmuti --day 2026-12-24
  cardsharp puzzle find tahimi --count 3 --to mine.json
  cardsharp puzzle tahimi --from mine.json

More: ", docs!("puzzles.html")))]
pub(crate) struct Puzzle {
    #[command(subcommand)]
    action: Option<Action>,
    /// The game [default: another one every day]
    #[arg(value_parser = GameArg::parser())]
    game: Option<GameArg>,
    /// The puzzle with this number, from 1 [default: the puzzle of the day]
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    /// The puzzle of this day [default: today in UTC]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day::parse, conflicts_with = "number")]
    day: Option<u64>,
    /// A set of puzzles, made with `cardsharp puzzle find` [default: the set that ships for the game]
    #[arg(long, value_name = "FILE", requires = "game")]
    from: Option<PathBuf>,
    /// Answer with this move instead of typing it
    #[arg(long, value_name = "MOVE")]
    answer: Option<String>,
    /// Show the solution without asking
    #[arg(long, conflicts_with = "answer")]
    solution: bool,
}

#[derive(clap::Subcommand)]
enum Action {
    Find(Find),
}

/// No set of puzzles can be used.
#[derive(Debug, thiserror::Error)]
enum SetError {
    #[error("no puzzles ship for `{0}`: use --from FILE; `cardsharp puzzle find` makes a file")]
    Missing(&'static str),
    #[error("{}: {source}", quoted(name))]
    Refused { name: String, source: PuzzleError },
    #[error("--number cannot be {given}: expected 1 to {count}")]
    Number { given: usize, count: usize },
    #[error("puzzle {number}: {problem}")]
    Position { number: usize, problem: String },
}

impl Failure for SetError {
    fn code(&self) -> u8 {
        2
    }
}

/// Standard input ended before an answer.
#[derive(Debug, thiserror::Error)]
#[error("standard input ended before an answer")]
struct Unanswered;

impl Failure for Unanswered {
    fn code(&self) -> u8 {
        3
    }
}

/// The answer of the person.
enum Answer {
    Move(String),
    /// The person wants to see the solution.
    Solution,
    /// The person leaves.
    Left,
}

impl Puzzle {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if let Some(Action::Find(find)) = self.action {
            return find.run(out);
        }
        let day = self.day.unwrap_or_else(day::today);
        let game = match self.game {
            Some(game) => game.0,
            None => of_day(day),
        };
        let (name, text) = match &self.from {
            Some(path) => (input::name(path), input::read_text(path, MAX_FILE)?),
            None => {
                let shipped = shipped(game.name()).ok_or(SetError::Missing(game.name()))?;
                (format!("the puzzles of {}", game.name()), shipped.puzzles.to_owned())
            }
        };
        let set = PuzzleSet::from_text(game, &text).map_err(|source| SetError::Refused { name, source })?;
        let count = set.puzzles.len();
        let puzzle = match self.number {
            Some(number) => number.checked_sub(1).and_then(|place| set.puzzles.get(place)),
            None => set.of_day(day),
        };
        let puzzle = puzzle.ok_or(SetError::Number { given: self.number.unwrap_or_default(), count })?;
        let number = puzzle.number;
        let table = puzzle.table(game).map_err(|problem| SetError::Position { number, problem })?;
        let answer =
            self.answer.as_deref().map(|answer| answered(answer, puzzle, table.as_ref())).transpose()?;
        if out.json {
            return show_json(out, &set, puzzle, table.as_ref(), answer.as_deref(), self.solution);
        }
        let date = if self.number.is_none() { format!(", {}", day::text(day)) } else { String::new() };
        out.line(out.bold(format!("{}: puzzle {number} of {count}{date}", game.title())))?;
        out.line(format!("You are seat {}. Find the best move.", puzzle.seat.0))?;
        let mut interface = Interface::new(out, Channel::Lines(LineReader::Blocking), game.name());
        show_position(&mut interface, table.as_ref())?;
        let answer = match (answer, self.solution) {
            (Some(label), _) => Answer::Move(label),
            (None, true) => Answer::Solution,
            (None, false) => ask(&mut interface, table.as_ref())?,
        };
        match answer {
            Answer::Move(label) => show_solution(out, puzzle, Some(&label)),
            Answer::Solution => show_solution(out, puzzle, None),
            Answer::Left => Ok(()),
        }
    }
}

/// Returns the game of a day among those that have puzzles.
fn of_day(day: u64) -> &'static dyn AnyGame {
    let games: Vec<_> = games::all().iter().filter(|game| shipped(game.name()).is_some()).collect();
    let all = || games::all().iter().next();
    let of_day = games.get(day as usize % games.len().max(1)).copied().or_else(all);
    of_day.unwrap_or(cardsharp_env::GAMES[0])
}

/// Returns the label of a legal move that was named on the command line.
fn answered(answer: &str, puzzle: &Position, table: &dyn AnyTable) -> Result<String, CliError> {
    let label = table.parse(answer).map(|action| table.label(action));
    label.filter(|label| puzzle.value(label).is_some()).ok_or_else(|| {
        let labels: Vec<&str> = puzzle.moves.iter().map(|value| value.label.as_str()).collect();
        let expected = format!("expected one of {}", labels.join(", "));
        CliError::Option { option: "--answer", given: quoted(answer), expected }
    })
}

/// Shows the position and all legal moves.
fn show_position(interface: &mut Interface<'_>, table: &dyn AnyTable) -> Result<(), CliError> {
    let (Some(view), legal) = (table.asked(), table.legal()) else { return Ok(()) };
    interface.show_decision(table, view, &legal, vec![true; legal.len()])
}

/// Asks for a move.
fn ask(interface: &mut Interface<'_>, table: &dyn AnyTable) -> Result<Answer, CliError> {
    let lessons = Lessons::new(table.game(), When::Never);
    let legal = table.legal();
    while let Some(line) = interface.ask("Your move, or `solution`: ")? {
        if line.trim().eq_ignore_ascii_case("solution") {
            return Ok(Answer::Solution);
        }
        let line = interface.numbered(line, table, &legal);
        match Typist::Person.understand(&line, table, &legal, &|action| lessons.why_not(table, action)) {
            Wish::Choice(action) => return Ok(Answer::Move(table.label(action))),
            Wish::Command(Command::Quit) => return Ok(Answer::Left),
            Wish::Command(Command::Show) => show_position(interface, table)?,
            Wish::Command(_) => {
                let help =
                    "Type a move or its number (`#1`), `solution` to see the solution, or `quit` to leave.";
                interface.answer("help", help)?;
            }
            Wish::Unclear(reason) => interface.answer("refused", &reason)?,
        }
    }
    Err(Unanswered.into())
}

/// Shows whether the answer is right, and what every move is worth.
fn show_solution(out: &mut Output, puzzle: &Position, answer: Option<&str>) -> Result<(), CliError> {
    let Position { best, unit, deals, tempting, .. } = puzzle;
    let unit = match unit {
        ValueUnit::Place => "places",
        ValueUnit::Points => "points",
    };
    out.line("")?;
    let verdict = match answer {
        Some(label) if puzzle.is_best(label) => format!("Right: {label} is {}.", one_of(best)),
        Some(label) => {
            let cost = puzzle.value(label).and_then(|value| value.cost).map(|cost| plain(cost.mean, 2));
            format!(
                "Not the best: {label} costs {} {unit}. Best: {}.",
                cost.unwrap_or_default(),
                best.join(", ")
            )
        }
        None => format!("Best: {}.", best.join(", ")),
    };
    out.line(out.bold(verdict))?;
    out.line(match puzzle.judge {
        Judge::Exact => format!("The endgame solver knows the result. Values: played out in {deals} deals."),
        Judge::Search => format!("Every move was played out in the same {deals} deals."),
    })?;
    let mut values: Vec<&MoveValue> = puzzle.moves.iter().collect();
    let cost = |value: &MoveValue| value.cost.map_or(f64::NEG_INFINITY, |cost| cost.mean);
    values.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    let rows = values.into_iter().map(|value| {
        let MoveValue { label, place, points, first, cost, .. } = value;
        let mark = if puzzle.is_best(label) { "best" } else { "" };
        let cost = cost.map_or_else(String::new, |cost| {
            format!("{} ({} … {})", plain(cost.mean, 2), plain(cost.low, 2), plain(cost.high, 2))
        });
        let [place, points] = [*place, *points].map(|mean| plain(mean, 2));
        vec![label.clone(), place, points, format!("{:.0} %", 100.0 * first), cost, mark.to_owned()]
    });
    let costs = format!("cost in {unit}");
    let header = ["move", "place", "points", "first", &costs, ""];
    out.line(tables::table(&header, &[1, 2, 3, 4], rows))?;
    let moves = [tempting.as_str(), best.first().map_or("", String::as_str)];
    if !puzzle.reasons.is_empty() {
        out.line(format!("{} instead of {}:", moves[1], moves[0]))?;
    }
    for reason in &puzzle.reasons {
        out.line(reason.sentence(moves))?;
    }
    Ok(())
}

fn one_of(best: &[String]) -> &'static str {
    if best.len() == 1 { "the best move" } else { "one of the best moves" }
}

fn show_json(
    out: &mut Output,
    set: &PuzzleSet,
    puzzle: &Position,
    table: &dyn AnyTable,
    answer: Option<&str>,
    solution: bool,
) -> Result<(), CliError> {
    // The set was read, so the moves of a puzzle are the legal ones.
    let legal: Vec<&str> = puzzle.moves.iter().map(|value| value.label.as_str()).collect();
    let Position { number, rules, seed, choices, round, seat, phase, .. } = puzzle;
    let mut shown = json!({
        "game": set.game, "number": number, "count": set.puzzles.len(), "rules": rules, "seed": seed,
        "choices": choices, "round": round, "seat": seat, "phase": phase, "legal": legal,
        "view": table.asked().map(|view| view.json()),
    });
    if let Some(label) = answer {
        shown["answer"] = json!({ "move": label, "right": puzzle.is_best(label) });
    }
    if solution || answer.is_some() {
        let Position { judge, deals, unit, best, tempting, moves, reasons, .. } = puzzle;
        shown["solution"] = json!({
            "judge": judge, "deals": deals, "unit": unit, "best": best, "tempting": tempting, "moves": moves,
            "reasons": reasons,
        });
    }
    out.json_page(&shown)
}
