//! Puzzles: positions from sessions in which a plausible move costs a lot, with the value of every move.
//!
//! [`PuzzleSet::from_text`] reads a set and replays every puzzle, so a set that was read fits the rules of this program.
//! [`find`] makes sets: it plays sessions between bots and judges their decisions twice.

pub mod find;
mod judge;

use cardsharp_env::{ActionId, AnyGame, AnyTable, Seat, seed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::bots::search::Reason;

pub use judge::{Judgement, ValueUnit, judged};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The largest file of puzzles that is read, in bytes.
pub const MAX_FILE: u64 = 16 << 20;

/// A set of puzzles of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleSet {
    /// The version of the format, [`FORMAT`].
    pub format: u32,
    /// The name of the game.
    pub game: String,
    /// How the set was made.
    pub made: Made,
    /// The puzzles. There is at least one.
    pub puzzles: Vec<Puzzle>,
}

/// How a set was made, for information.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// The version of the program.
    pub version: String,
    /// The bot that played the sessions, with its version.
    pub bot: String,
    /// The search that judged.
    pub judge: String,
    /// The number of sessions that were searched.
    pub sessions: usize,
    /// The seed of all randomness.
    #[serde(deserialize_with = "seed::read")]
    pub seed: u64,
}

/// A position in which one seat must find a best move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The number of the puzzle in its set, from 1.
    pub number: usize,
    /// The options of the rules that differ from the defaults.
    pub rules: Map<String, Value>,
    /// The seed of the session.
    #[serde(deserialize_with = "seed::read")]
    pub seed: u64,
    /// The labels of all moves up to the position, forced ones included. Each later round is dealt as soon as the round
    /// before it is over.
    pub choices: Vec<String>,
    /// The number of the round, from 1.
    pub round: u32,
    /// The seat to move.
    pub seat: Seat,
    /// The phase of the round.
    pub phase: String,
    /// The judge of the moves.
    pub judge: Judge,
    /// The number of deals in which the moves were played out.
    pub deals: u32,
    /// The measure of the costs.
    pub unit: ValueUnit,
    /// A plausible wrong move.
    pub tempting: String,
    /// The best moves. Costs refer to the first of them.
    pub best: Vec<String>,
    /// Every legal move, in the order of action ids.
    pub moves: Vec<MoveValue>,
    /// Facts about the tempting move (move 0) and the first best move (move 1).
    pub reasons: Vec<Reason>,
}

/// The kind of judge of a puzzle.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// The endgame solver: hidden cards do not matter.
    Exact,
    /// Playouts in sampled deals.
    Search,
}

/// A legal move and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveValue {
    /// The label of the move.
    #[serde(rename = "move")]
    pub label: String,
    /// The mean finishing place.
    pub place: f64,
    /// The mean points.
    pub points: f64,
    /// The share of the deals in which the seat finishes first.
    pub first: f64,
    /// The loss against the first best move, in the unit of the puzzle. Missing for that move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The exact reward. Missing if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<f32>,
}

/// What a move loses, with its 95 % confidence interval. A positive number is a loss.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Why a set of puzzles is refused.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PuzzleError {
    /// The text is not JSON of this form. The message of the source has the line.
    #[error("not a set of puzzles: {0}")]
    Json(#[from] serde_json::Error),
    /// The set has another format.
    #[error("the format of the puzzles is {0}: expected {FORMAT}")]
    Format(u32),
    /// The puzzles are of another game.
    #[error("the puzzles are for the game `{given}`: expected `{expected}`")]
    Game { given: String, expected: &'static str },
    /// There is no puzzle.
    #[error("the set is empty: expected at least one puzzle")]
    Empty,
    /// A puzzle is wrong.
    #[error("puzzle {number}: {problem}")]
    Puzzle {
        /// The place in the list, from 1.
        number: usize,
        problem: String,
    },
}

impl PuzzleSet {
    /// Reads a set of puzzles of `game`, and replays every puzzle.
    ///
    /// # Errors
    /// The text is not a set of puzzles of this game, or the rules contradict a puzzle.
    pub fn from_text(game: &dyn AnyGame, text: &str) -> Result<Self, PuzzleError> {
        let set: Self = serde_json::from_str(text)?;
        if set.format != FORMAT {
            return Err(PuzzleError::Format(set.format));
        }
        if set.game != game.name() {
            return Err(PuzzleError::Game { given: set.game, expected: game.name() });
        }
        if set.puzzles.is_empty() {
            return Err(PuzzleError::Empty);
        }
        for (puzzle, number) in set.puzzles.iter().zip(1..) {
            let refuse = |problem| PuzzleError::Puzzle { number, problem };
            if puzzle.number != number {
                return Err(refuse(format!("its `number` is {}: expected {number}", puzzle.number)));
            }
            puzzle.check(game).map_err(refuse)?;
        }
        Ok(set)
    }

    /// Returns the puzzle of a day. `day` is the number of days since 1 January 1970 in UTC.
    pub fn of_day(&self, day: u64) -> Option<&Puzzle> {
        let count = self.puzzles.len().max(1) as u64;
        self.puzzles.get((day % count) as usize)
    }
}

impl Puzzle {
    /// Replays the session up to the position.
    ///
    /// # Errors
    /// The rules refuse an option or a move, or the position is not that of the puzzle; the text says which.
    pub fn table(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyTable>, String> {
        let rules =
            game.rules(&Value::Object(self.rules.clone())).map_err(|error| format!("rules: {error}"))?;
        let mut table = rules.table(self.seed);
        for (choice, number) in self.choices.iter().zip(1..) {
            table.deal_next();
            let refuse = |problem: String| format!("choice {number}: {problem}");
            let action = table.parse(choice).ok_or_else(|| refuse(format!("there is no move `{choice}`")))?;
            table.try_play(action).map_err(|error| refuse(error.to_string()))?;
        }
        table.deal_next();
        let found = (table.turn(), table.round(), table.phase());
        if found != (Some(self.seat), self.round, &self.phase) {
            let turn = found.0.map_or_else(|| "no seat".to_owned(), |seat| format!("seat {}", seat.0));
            return Err(format!(
                "the position is round {}, {}, and {turn} must move: expected round {}, {}, and seat {}",
                found.1, found.2, self.round, self.phase, self.seat.0
            ));
        }
        Ok(table)
    }

    /// Returns whether a move, named by its label, is one of the best.
    pub fn is_best(&self, label: &str) -> bool {
        self.best.iter().any(|best| best == label)
    }

    /// Returns the value of a move.
    pub fn value(&self, label: &str) -> Option<&MoveValue> {
        self.moves.iter().find(|value| value.label == label)
    }

    /// Returns the labels of the legal moves in the position of a table.
    fn labels(table: &dyn AnyTable) -> Vec<String> {
        table.legal().into_iter().map(|action: ActionId| table.label(action)).collect()
    }

    fn check(&self, game: &dyn AnyGame) -> Result<(), String> {
        let table = self.table(game)?;
        let (legal, listed) = (Self::labels(table.as_ref()), self.moves.iter().map(|value| &value.label));
        if !listed.eq(&legal) {
            return Err(format!("`moves` must list the legal moves in order: {}", legal.join(", ")));
        }
        if let Some(unknown) = self.best.iter().chain([&self.tempting]).find(|label| !legal.contains(label)) {
            return Err(format!("`{unknown}` is not a legal move: expected one of {}", legal.join(", ")));
        }
        let Some(first) = self.best.first() else { return Err("`best` is empty".to_owned()) };
        if self.is_best(&self.tempting) {
            return Err(format!("`tempting` is the best move `{}`: expected another move", self.tempting));
        }
        for MoveValue { label, cost, .. } in &self.moves {
            match cost {
                None if label != first => return Err(format!("the move `{label}` has no `cost`")),
                Some(_) if label == first => {
                    return Err(format!(
                        "the move `{label}` is the first of `best` and cannot have a `cost`"
                    ));
                }
                Some(cost) if !self.is_best(label) && cost.low <= 0.0 => {
                    return Err(format!("the move `{label}` is not clearly worse than `{first}`"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
