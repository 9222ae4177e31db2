//! What is given to JavaScript as plain objects: the package's types are made of these.

use cardsharp_env::{ActionId, Block, Payoff, SeatView};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Game {
    /// The name in files and calls.
    pub name: &'static str,
    /// The name people use.
    pub title: &'static str,
    /// The fewest players.
    pub least: u8,
    /// The most players.
    pub most: u8,
    /// The version of its rows and actions.
    pub encoding: u32,
    /// Cells of a row.
    pub cells: usize,
    /// Actions, legal or not.
    pub actions: usize,
    /// Whether it is there because its solution is known, and not for people.
    pub reference: bool,
}

/// An option of a game's rules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameOption {
    /// The key.
    pub name: &'static str,
    /// What may be written, in words.
    pub values: String,
    /// The same as a JSON schema, for forms.
    pub schema: Value,
    /// What it does.
    pub meaning: &'static str,
    /// Its value where nothing is said.
    pub default: Value,
}

/// A named run of cells of a row, or of actions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Run {
    /// Its name.
    pub name: &'static str,
    /// The first cell or action.
    pub offset: usize,
    /// How many there are.
    pub len: usize,
    /// The largest value of a cell; 1 for actions.
    pub max: u8,
    /// What it means.
    pub meaning: &'static str,
}

impl From<&Block> for Run {
    fn from(block: &Block) -> Self {
        let &Block { name, offset, len, max, meaning } = block;
        Self { name, offset, len, max, meaning }
    }
}

/// What there is to know of a game before anybody plays it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Description {
    /// The game.
    pub game: Game,
    /// The options of its rules.
    pub options: Vec<GameOption>,
    /// The cells of a row.
    pub observation: Vec<Run>,
    /// The actions.
    pub actions: Vec<Run>,
    /// The name of every action, in the notation of the standard deck.
    pub labels: Vec<String>,
}

/// A move.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Move {
    /// The number of its action.
    pub action: u16,
    /// Its name, as cards are named in this round.
    pub label: String,
}

/// What a round was worth, one entry per seat.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Worth {
    /// Finishing places, 1 is best; 0 of a seat that sat the round out.
    pub place: Vec<u8>,
    /// Points of the game's own scoring.
    pub points: Vec<i32>,
    /// What a learner maximises.
    pub reward: Vec<f32>,
}

impl From<Payoff> for Worth {
    fn from(payoff: Payoff) -> Self {
        let seats = usize::from(payoff.seats);
        Self {
            place: payoff.place[..seats].to_vec(),
            points: payoff.points[..seats].to_vec(),
            reward: payoff.reward[..seats].to_vec(),
        }
    }
}

/// What a bot thinks of a position.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Advice {
    /// The return that the seat can expect, if the bot estimates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// Every legal move, the best first.
    pub moves: Vec<Ranked>,
}

/// A move and how much a bot likes it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Ranked {
    /// The number of its action.
    pub action: u16,
    /// Its name, as the seat's cards are named.
    pub label: String,
    /// How probable it is that the bot plays it; all moves together have 1.
    pub probability: f64,
    /// The return that the seat can expect of it, where the bot estimates that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
}

impl Advice {
    /// Advice in a view, its moves named.
    pub(crate) fn of(advice: cardsharp_bot::Advice, view: SeatView<'_>) -> Self {
        let moves = advice.moves.into_iter().map(|cardsharp_bot::Ranked { action, probability, value }| {
            Ranked { action: action.0, label: view.label(action), probability, value }
        });
        Self { value: advice.value, moves: moves.collect() }
    }
}

impl Move {
    pub(crate) fn of(action: ActionId, label: String) -> Self {
        Self { action: action.0, label }
    }
}

/// A level of a bot.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Level {
    /// Its number, from 1, the weakest.
    pub level: u8,
    /// Its rating in points, 400 of which are odds of ten to one, above a player who moves at random.
    pub rating: f64,
}
