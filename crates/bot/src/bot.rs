//! What a bot is: something that decides, for many games at once, from what one seat may know.

use cardsharp_env::{ActionId, AnyGame, AnyView, Batch, BatchEnv};
use serde::Serialize;

/// Decisions that are due.
#[derive(Copy, Clone)]
pub struct Ask<'a> {
    /// The games, for bots that need more than rows: [`BatchEnv::with_view`].
    pub env: &'a dyn BatchEnv,
    /// Rows and masks of all lanes.
    pub batch: &'a Batch,
    /// The lanes whose decision this bot makes; each of them is in state `Decide`.
    pub lanes: &'a [usize],
}

/// A player. The same bot, made with the same seed and asked the same questions, gives the same answers.
pub trait Bot: Send {
    /// Its name, for reports.
    fn name(&self) -> &str;
    /// Writes a legal action to `picks[lane]` for every lane in `ask.lanes` and leaves the others alone.
    fn choose(&mut self, ask: Ask<'_>, picks: &mut [ActionId]);
    /// What it thinks of every legal move of a view of `game`, which must have a decision.
    fn advise(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> Advice;
    /// How probable it is that [`Bot::choose`] plays each legal move of a view of `game`, which must have
    /// a decision: every one of them, in any order, together 1. What it advises, unless it plays
    /// otherwise.
    fn distribution(&mut self, game: &dyn AnyGame, view: &dyn AnyView) -> Vec<Ranked> {
        self.advise(game, view).moves
    }
}

/// What a bot thinks of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The return that the viewing seat can expect, if the bot estimates it.
    pub value: Option<f32>,
    /// Every legal move, the best first.
    pub moves: Vec<Ranked>,
}

/// A move and how much a bot likes it.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The move.
    pub action: ActionId,
    /// How probable it is that the bot plays it, 0 to 1; all moves together have 1.
    pub probability: f64,
    /// The return that the viewing seat can expect if it plays the move, where the bot estimates that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
}

impl Advice {
    /// Sorts moves by probability, then by value, then by action.
    pub fn new(value: Option<f32>, mut moves: Vec<Ranked>) -> Self {
        moves.sort_by(|a, b| {
            let by_value = b.value.unwrap_or_default().total_cmp(&a.value.unwrap_or_default());
            b.probability.total_cmp(&a.probability).then(by_value).then(a.action.cmp(&b.action))
        });
        Self { value, moves }
    }
}

/// The legal actions of a view of `game` as words.
pub(crate) fn legal_words(game: &dyn AnyGame, view: &dyn AnyView) -> Vec<u64> {
    let mut words = vec![0; game.words()];
    view.legal(&mut words);
    words
}
