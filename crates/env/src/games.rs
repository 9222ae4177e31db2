//! The one list of games, and what anyone can do with a game without knowing its types.

mod check;
pub mod climbing;
pub mod dalmuti;
pub mod kuhn;
pub mod leduc;
pub mod poker;
pub mod tachtigen;
pub mod tahimi;
pub mod taki;
#[cfg(test)]
mod testing;

use std::marker::PhantomData;

use serde_json::Value;

use crate::batch::{AnyView, BatchEnv, BatchOptions, VecEnv};
use crate::blocks::Block;
use crate::conformance;
use crate::enumerate::{AnyTree, EnumerateError, Explored};
use crate::game::{ActionId, Game, Label, OwnedView, parse_label};
use crate::mask::Mask;
use crate::rules::{self, OptionDoc, Rules, RulesError};
use crate::table::{AnyTable, Table};

/// Every game; those that are for reference only come last.
pub const GAMES: &[&dyn AnyGame] = &[
    &Erased::<tahimi::Round>(PhantomData),
    &Erased::<dalmuti::Round>(PhantomData),
    &Erased::<taki::Round>(PhantomData),
    &Erased::<tachtigen::Round>(PhantomData),
    &Erased::<kuhn::Round>(PhantomData),
    &Erased::<leduc::Round>(PhantomData),
];

/// The games that people play: all but those for reference.
pub fn played() -> impl Iterator<Item = &'static dyn AnyGame> {
    GAMES.iter().copied().filter(|game| !game.is_reference())
}

/// The game with this name.
pub fn game(name: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|g| g.name() == name)
}

/// A game without its types. Rules are JSON objects here; whatever takes rules reads and checks
/// them, and options left out keep their defaults.
pub trait AnyGame: Sync {
    /// The name used on the command line and in files.
    fn name(&self) -> &'static str;
    /// The name people use.
    fn title(&self) -> &'static str;
    /// Whether it is for reference only: see [`Game::REFERENCE`].
    fn is_reference(&self) -> bool;
    /// The version of the encodings.
    fn encoding(&self) -> u32;
    /// The list of actions.
    fn actions(&self) -> &'static [Block];
    /// The cells of an observation row.
    fn observation(&self) -> &'static [Block];
    /// The cells of `Batch::hidden`.
    fn hidden(&self) -> &'static [Block];
    /// What a seat can undertake in a round, by name; empty in a game without contracts.
    fn contracts(&self) -> &'static [&'static str];
    /// Kinds of moves that tell how somebody plays, by name; empty in a game without.
    fn habits(&self) -> &'static [&'static str];
    /// 64-bit words in a mask.
    fn words(&self) -> usize;
    /// The options.
    fn options(&self) -> &'static [OptionDoc];
    /// The fewest and the most players.
    fn players(&self) -> std::ops::RangeInclusive<u8>;
    /// Checks rules and fills in the defaults.
    ///
    /// # Errors
    /// Names the option that was refused and what would be right.
    fn rules(&self, given: &Value) -> Result<Value, RulesError>;
    /// Checks rules, fills in the defaults, and puts this number of players and of rounds in a
    /// session in their place where given.
    ///
    /// # Errors
    /// As [`AnyGame::rules`].
    fn resized(&self, given: &Value, players: Option<u8>, rounds: Option<u32>) -> Result<Value, RulesError>;
    /// Valid rules drawn at random over all options and player counts.
    fn random_rules(&self, seed: u64) -> Value;
    /// Idle lanes that play by any of `rules`.
    ///
    /// # Errors
    /// As [`AnyGame::rules`].
    fn batch_env(&self, rules: &[Value], options: BatchOptions) -> Result<Box<dyn BatchEnv>, RulesError>;
    /// One live session.
    ///
    /// # Errors
    /// As [`AnyGame::rules`].
    fn table(&self, rules: &Value, seed: u64) -> Result<Box<dyn AnyTable>, RulesError>;
    /// The name of an action, in the card notation of the standard deck.
    fn label(&self, action: ActionId) -> String;
    /// The action with this name in the notation of the standard deck.
    fn parse(&self, label: &str) -> Option<ActionId>;
    /// Looks at a view given as JSON.
    ///
    /// # Errors
    /// The text is not a view of this game, or one that cannot occur.
    fn with_view(&self, json: &str, look: &mut dyn FnMut(&dyn AnyView)) -> Result<(), ViewError>;
    /// Plays `decisions` random legal moves for a speed measurement; see [`crate::speed::random_play`].
    ///
    /// # Errors
    /// As [`AnyGame::rules`].
    fn random_play(
        &self,
        rules: &Value,
        seed: u64,
        decisions: u64,
        with_row: bool,
    ) -> Result<u64, RulesError>;
    /// Whether it lists its deals by its default rules, so that [`AnyGame::enumerate`] may take it.
    fn lists_deals(&self) -> bool;
    /// The first round of a session by `rules`, all of it; see [`crate::enumerate`].
    ///
    /// # Errors
    /// As [`AnyGame::rules`], or there is too much of it: more than `most` decisions and ends.
    fn enumerate(&self, rules: &Value, most: u64) -> Result<Box<dyn AnyTree>, EnumerateError>;
    /// An endgame by `rules`, all of it; `cards` tell which, as [`Game::endgame`] says.
    ///
    /// # Errors
    /// As [`AnyGame::rules`], it is no endgame, or there is more of it than `most` decisions and ends.
    fn enumerate_endgame(
        &self,
        rules: &Value,
        cards: &Value,
        most: u64,
    ) -> Result<Box<dyn AnyTree>, EnumerateError>;
    /// Runs the conformance suite with `decisions` random decisions.
    ///
    /// # Errors
    /// The first finding, with rules, seed and actions that lead to it.
    fn conformance(&self, decisions: u64, seed: u64) -> Result<conformance::Report, conformance::Finding>;
}

/// Why a view was refused.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// Not a view of the game: what and where, as the JSON reader says.
    #[error("not a {game} view: {source}")]
    Json {
        /// The game's name.
        game: &'static str,
        /// The reader's error, with line and column.
        source: serde_json::Error,
    },
    /// The rules inside the view are refused.
    #[error("the rules in the view: {0}")]
    Rules(#[from] RulesError),
    /// No round can look like this.
    #[error("this view cannot occur: {0}")]
    Impossible(String),
}

/// [`AnyGame`] for game `G`.
pub struct Erased<G>(pub PhantomData<fn() -> G>);

impl<G: Game> AnyGame for Erased<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn title(&self) -> &'static str {
        G::TITLE
    }
    fn is_reference(&self) -> bool {
        G::REFERENCE
    }
    fn encoding(&self) -> u32 {
        G::ENCODING
    }
    fn actions(&self) -> &'static [Block] {
        G::ACTIONS
    }
    fn observation(&self) -> &'static [Block] {
        G::OBSERVATION
    }
    fn hidden(&self) -> &'static [Block] {
        G::HIDDEN
    }
    fn contracts(&self) -> &'static [&'static str] {
        G::CONTRACTS
    }
    fn habits(&self) -> &'static [&'static str] {
        G::HABITS
    }
    fn words(&self) -> usize {
        G::Legal::WORDS
    }
    fn options(&self) -> &'static [OptionDoc] {
        G::Rules::OPTIONS
    }
    fn players(&self) -> std::ops::RangeInclusive<u8> {
        G::Rules::PLAYERS
    }
    fn rules(&self, given: &Value) -> Result<Value, RulesError> {
        rules::read::<G::Rules>(given).map(|r| serde_json::json!(r))
    }
    fn resized(&self, given: &Value, players: Option<u8>, rounds: Option<u32>) -> Result<Value, RulesError> {
        let mut rules: G::Rules = rules::read(given)?;
        rules = players.map_or(rules, |n| rules.with_players(n));
        rules = rounds.map_or(rules, |n| rules.with_rounds(n));
        rules.check()?;
        Ok(serde_json::json!(rules))
    }
    fn random_rules(&self, seed: u64) -> Value {
        serde_json::json!(G::Rules::random(&mut crate::rng::Draw::new(seed, 0)))
    }
    fn batch_env(&self, rules: &[Value], options: BatchOptions) -> Result<Box<dyn BatchEnv>, RulesError> {
        let rules = rules.iter().map(rules::read::<G::Rules>).collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(VecEnv::<G>::new(rules, options)))
    }
    fn table(&self, rules: &Value, seed: u64) -> Result<Box<dyn AnyTable>, RulesError> {
        Ok(Box::new(Table::<G>::new(rules::read(rules)?, seed)))
    }
    fn label(&self, action: ActionId) -> String {
        Label::<G>::of(action).to_string()
    }
    fn parse(&self, label: &str) -> Option<ActionId> {
        parse_label::<G>(None, label)
    }
    fn with_view(&self, json: &str, look: &mut dyn FnMut(&dyn AnyView)) -> Result<(), ViewError> {
        let view: OwnedView<G> =
            serde_json::from_str(json).map_err(|source| ViewError::Json { game: G::NAME, source })?;
        G::check_view(view.view())?;
        look(&view.view());
        Ok(())
    }
    fn random_play(
        &self,
        rules: &Value,
        seed: u64,
        decisions: u64,
        with_row: bool,
    ) -> Result<u64, RulesError> {
        Ok(crate::speed::random_play::<G>(rules::read(rules)?, seed, decisions, with_row))
    }
    fn lists_deals(&self) -> bool {
        G::deals(&G::Rules::default()).is_some()
    }
    fn enumerate(&self, rules: &Value, most: u64) -> Result<Box<dyn AnyTree>, EnumerateError> {
        Ok(Box::new(Explored::<G>::new(rules::read(rules)?, most)?))
    }
    fn enumerate_endgame(
        &self,
        rules: &Value,
        cards: &Value,
        most: u64,
    ) -> Result<Box<dyn AnyTree>, EnumerateError> {
        Ok(Box::new(Explored::<G>::endgame(rules::read(rules)?, cards, most)?))
    }
    fn conformance(&self, decisions: u64, seed: u64) -> Result<conformance::Report, conformance::Finding> {
        conformance::run::<G>(decisions, seed)
    }
}
