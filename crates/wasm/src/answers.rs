//! Plain objects for JavaScript. The package's TypeScript types are generated from them.

use cardsharp_env::{ActionId, Block, Payoff, SeatView};
use js_sys::JSON;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::{JsError, JsValue};

/// Returns the JSON form of a value as a JavaScript object.
pub(crate) fn object(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value)?;
    // This cannot fail: `serde_json` writes valid JSON.
    JSON::parse(&text).map_err(|_| JsError::new("internal error: JavaScript cannot parse this JSON"))
}

/// What a page needs to offer a game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Game {
    /// The name in files and calls.
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// The minimum number of players.
    pub least: u8,
    /// The maximum number of players.
    pub most: u8,
    /// The version of its observation rows and actions.
    pub encoding: u32,
    /// The number of cells in an observation row.
    pub cells: usize,
    /// The number of actions, legal or not.
    pub actions: usize,
    /// The option of the rules that says how many rounds a session has.
    pub rounds: &'static str,
    /// Whether the game has a known solution and serves as a reference, not for people.
    pub reference: bool,
}

/// An option of a game's rules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameOption {
    /// The key of the option in the rules.
    pub name: &'static str,
    /// The allowed values, in words.
    pub values: String,
    /// The allowed values as a JSON schema, for forms.
    pub schema: Value,
    /// What the option does.
    pub meaning: &'static str,
    /// The value if the option is not set.
    pub default: Value,
}

/// A named range of cells in an observation row, or of actions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NamedRange {
    /// The name of the rule set.
    pub name: &'static str,
    /// The first cell or action.
    pub offset: usize,
    /// The number of cells or actions.
    pub len: usize,
    /// The largest value of a cell; 1 for actions.
    pub max: u8,
    /// What the range means.
    pub meaning: &'static str,
}

impl From<&Block> for NamedRange {
    fn from(block: &Block) -> Self {
        let &Block { name, offset, len, max, meaning } = block;
        Self { name, offset, len, max, meaning }
    }
}

/// The options, observation row and actions of a game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Description {
    /// The game that is described.
    pub game: Game,
    /// The options of its rules.
    pub options: Vec<GameOption>,
    /// The cells of an observation row.
    pub observation: Vec<NamedRange>,
    /// The action ids, by block.
    pub actions: Vec<NamedRange>,
    /// The name of every action, in the notation of the standard deck.
    pub labels: Vec<String>,
}

/// A move that the seat may make.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Move {
    /// The number of its action.
    pub action: u16,
    /// Its label, in the card notation of this round.
    pub label: String,
}

/// The result of a round, with one entry per seat.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Worth {
    /// Finishing places: 1 is best, 0 means that the seat did not play this round.
    pub place: Vec<u8>,
    /// Points, as the game counts them.
    pub points: Vec<i32>,
    /// The reward for training.
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

/// How a bot rates a position.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Advice {
    /// The expected return of the seat, if the bot estimates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// All legal moves, best first.
    pub moves: Vec<Ranked>,
}

/// A move and its rating by a bot.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Ranked {
    /// The number of its action.
    pub action: u16,
    /// Its label, in the card notation of this round.
    pub label: String,
    /// The probability that the bot plays it. The probabilities of all moves sum to 1.
    pub probability: f64,
    /// The expected return of the seat after this move, if the bot estimates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
}

impl Advice {
    /// Converts advice, with labels for the moves.
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
    /// Its number. 1 is the weakest level.
    pub level: u8,
    /// Its rating above a player with random moves. 400 points are odds of ten to one.
    pub rating: f64,
}
