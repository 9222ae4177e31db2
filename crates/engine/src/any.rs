//! Type-erased games and rules: one interface for every game, selected by name at run time.

#[cfg(not(target_family = "wasm"))]
mod native;
/// Nothing: browsers would have to download what this module has elsewhere.
#[cfg(target_family = "wasm")]
mod native {
    pub trait NativeRules {}
    impl<T> NativeRules for T {}
}

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::base::ActionId;
use crate::base::blocks::{Block, width};
use crate::base::mask::Mask;
use crate::base::rng::Draw;
use crate::base::rules::{self, OptionDoc, Rules, RulesError, Size};
use crate::game::{Actions, DealError, Game, Label, OwnedView, Prefix, ViewError, parse_label};
use crate::runtime::batch::{BatchEnv, BatchOptions, VecEnv};
use crate::runtime::observer::{AnyObserver, ObserveError, Observer};
use crate::runtime::seat_view::AnyView;
use crate::runtime::table::{AnyTable, Table};

use self::native::NativeRules;

/// A game behind a type-erased interface.
pub trait AnyGame: Sync {
    /// The name used on the command line and in files.
    fn name(&self) -> &'static str;
    /// The name people use.
    fn title(&self) -> &'static str;
    /// Whether the game is for reference only; see [`Play::REFERENCE`](crate::Play::REFERENCE).
    fn is_reference(&self) -> bool;
    /// The unit of results, in the plural, such as `points`.
    fn unit(&self) -> &'static str;
    /// The version of the encodings.
    fn encoding(&self) -> u32;
    /// Earlier versions of the encodings that are prefixes of the current one.
    fn prefixes(&self) -> &'static [Prefix];
    /// Returns the number of cells of a row in version `encoding` of the encodings. `None` unless this is the
    /// current version or one of [`AnyGame::prefixes`].
    fn cells_of(&self, encoding: u32) -> Option<usize> {
        let earlier = self.prefixes().iter().find(|prefix| prefix.encoding == encoding);
        match earlier {
            Some(prefix) => Some(prefix.cells),
            None => (encoding == self.encoding()).then(|| width(self.observation())),
        }
    }
    /// The blocks of action ids.
    fn actions(&self) -> &'static [Block];
    /// The blocks of an observation row.
    fn observation(&self) -> &'static [Block];
    /// The blocks of a row of `Batch::hidden`.
    fn hidden(&self) -> &'static [Block];
    /// The names of the contracts that a seat can undertake in a round; empty in a game without contracts.
    fn contracts(&self) -> &'static [&'static str];
    /// The names of the kinds of moves that characterize how a player plays; empty in a game without them.
    fn habits(&self) -> &'static [&'static str];
    /// 64-bit words in an action mask.
    fn words(&self) -> usize;
    /// Returns the options of the game, in the order of its rules.
    fn options(&self) -> &'static [OptionDoc];
    /// The option that says how many rounds a session has.
    fn rounds_option(&self) -> &'static str;
    /// The fewest and the most players.
    fn players(&self) -> std::ops::RangeInclusive<u8>;
    /// Reads and checks rules from a JSON object of options. Options left out keep their defaults.
    ///
    /// # Errors
    /// An option is refused; the error names it and the valid values.
    fn rules(&self, given: &Value) -> Result<GameRules, RulesError> {
        self.sized_rules(given, Size::AS_GIVEN)
    }
    /// [`AnyGame::rules`], with the players and rounds of `size` where it sets them. Rules are checked as a whole,
    /// after all options are set, so the order of the options does not matter.
    ///
    /// # Errors
    /// As [`AnyGame::rules`].
    fn sized_rules(&self, given: &Value, size: Size) -> Result<GameRules, RulesError>;
    /// The rules that the game has by default.
    fn default_rules(&self) -> GameRules;
    /// Valid rules drawn at random over all options and player counts.
    fn random_rules(&self, seed: u64) -> GameRules;
    /// Creates a batch of idle lanes that can play by any of `rules`.
    ///
    /// # Panics
    /// If rules belong to another game.
    fn batch(&self, rules: &[GameRules], options: BatchOptions) -> Box<dyn BatchEnv>;
    /// The label of an action, in the card notation of the standard deck.
    fn label(&self, action: ActionId) -> String;
    /// The action with this label in the card notation of the standard deck.
    fn parse(&self, label: &str) -> Option<ActionId>;
    /// Reads a view from JSON.
    ///
    /// # Errors
    /// The text is not a view of this game, or the view cannot occur.
    fn view(&self, json: &str) -> Result<Box<dyn AnyView>, ViewError>;
    /// Reads a view from parsed JSON.
    ///
    /// # Errors
    /// The value is not a view of this game, or the view cannot occur.
    fn view_of(&self, json: &Value) -> Result<Box<dyn AnyView>, ViewError>;
    /// Creates an observer of a seat's event log from the first line of the log.
    ///
    /// # Errors
    /// It is not the header of an event log of this game.
    fn observer(&self, header: &Value) -> Result<Box<dyn AnyObserver>, ObserveError>;
    /// Whether the game lists its deals under its default rules, so that [`GameRules::enumerate`] works.
    fn lists_deals(&self) -> bool;
}

/// Rules of a game, read and checked. They know their players, seats and rounds, and create tables and batches.
/// Cloning is cheap. As JSON they are an object of all options, defaults included.
#[derive(Clone)]
pub struct GameRules(Arc<dyn AnyRules>);

/// The type-erased content of [`GameRules`].
trait AnyRules: NativeRules + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn game(&self) -> &'static dyn AnyGame;
    fn json(&self) -> &Value;
    fn players(&self) -> usize;
    fn seats(&self) -> usize;
    fn rounds(&self) -> u32;
    fn sized(&self, size: Size) -> Result<GameRules, RulesError>;
    fn table(&self, seed: u64) -> Box<dyn AnyTable>;
    fn table_of(&self, seed: u64, deal: &Value) -> Result<Box<dyn AnyTable>, DealError>;
    fn batch(&self, options: BatchOptions) -> Box<dyn BatchEnv>;
}

impl GameRules {
    fn of<G: Game>(rules: G::Rules) -> Self {
        Self(Arc::new(Checked::<G> { rules, json: json!(rules) }))
    }

    /// Returns the game to which the rules belong.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.0.game()
    }
    /// All options with their values, as a JSON object. Rules are also displayed like this.
    pub fn json(&self) -> &Value {
        self.0.json()
    }
    /// Players in the first round of a session.
    pub fn players(&self) -> usize {
        self.0.players()
    }
    /// Seats of a session: more than players if some join later.
    pub fn seats(&self) -> usize {
        self.0.seats()
    }
    /// The most rounds that a session has.
    pub fn rounds(&self) -> u32 {
        self.0.rounds()
    }
    /// Returns the same rules for another number of players or rounds.
    ///
    /// # Errors
    /// The game does not allow this size; the error names the option and the valid values.
    pub fn sized(&self, size: Size) -> Result<Self, RulesError> {
        self.0.sized(size)
    }
    /// Returns these rules with the `reward` option of `other`; unchanged in games without that option. The reward
    /// is what learners maximize, and does not affect the rules of play.
    ///
    /// # Errors
    /// The game refuses the combined rules.
    pub fn rewarded_as(&self, other: &Self) -> Result<Self, RulesError> {
        let (mut rules, reward) = (self.json().clone(), other.json().get("reward"));
        if let (Some(own), Some(reward)) = (rules.get_mut("reward"), reward) {
            *own = reward.clone();
        }
        self.game().rules(&rules)
    }
    /// Starts a session with this seed.
    pub fn table(&self, seed: u64) -> Box<dyn AnyTable> {
        self.0.table(seed)
    }
    /// Starts a session with a chosen deal in the first round. `deal` has fields of the game's `deal` line
    /// (`docs/trace.md`). Null hands and fields left out are dealt from `seed`, as are all later rounds. The
    /// [header](AnyTable::header) of a trace holds the complete deal.
    ///
    /// # Errors
    /// No first round of these rules has this deal; the error names the fault, the place and what is valid.
    ///
    /// ```
    /// # use cardsharp_env::game;
    /// # use serde_json::json;
    /// let rules = game("tachtigen").expect("one of the games").default_rules();
    /// let deal = json!({ "hands": ["SJ S9 SA ST SK SQ S8 S7", null, null, null], "kitty": "HJ" });
    /// let table = rules.table_of(7, &deal)?;
    /// assert_eq!(table.describe_deal().expect("cards were dealt")["kitty"], "HJ");
    /// let wrong = rules.table_of(7, &json!({ "hands": ["SJ S9", null, null, null] }));
    /// assert_eq!(wrong.err().expect("refused").to_string(), "`hands[0]`: 2 cards, expected 8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn table_of(&self, seed: u64, deal: &Value) -> Result<Box<dyn AnyTable>, DealError> {
        self.0.table_of(seed, deal)
    }
    /// Creates a batch of idle lanes that play by these rules.
    pub fn batch(&self, options: BatchOptions) -> Box<dyn BatchEnv> {
        self.0.batch(options)
    }
}

impl PartialEq for GameRules {
    fn eq(&self, other: &Self) -> bool {
        (self.game().name(), self.json()) == (other.game().name(), other.json())
    }
}

impl fmt::Debug for GameRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.game().name(), self.json())
    }
}

impl fmt::Display for GameRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.json().fmt(f)
    }
}

impl Serialize for GameRules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

/// Checked rules of game `G`.
struct Checked<G: Game> {
    rules: G::Rules,
    json: Value,
}

impl<G: Game> AnyRules for Checked<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn game(&self) -> &'static dyn AnyGame {
        const { &Erased::<G>::new() }
    }
    fn json(&self) -> &Value {
        &self.json
    }
    fn players(&self) -> usize {
        self.rules.players().into()
    }
    fn seats(&self) -> usize {
        self.rules.seats().into()
    }
    fn rounds(&self) -> u32 {
        self.rules.rounds()
    }
    fn sized(&self, size: Size) -> Result<GameRules, RulesError> {
        rules::read_sized::<G::Rules>(&self.json, size).map(GameRules::of::<G>)
    }
    fn table(&self, seed: u64) -> Box<dyn AnyTable> {
        Box::new(Table::<G>::new(self.rules, seed))
    }
    fn table_of(&self, seed: u64, deal: &Value) -> Result<Box<dyn AnyTable>, DealError> {
        Ok(Box::new(Table::<G>::of(self.rules, seed, deal)?))
    }
    fn batch(&self, options: BatchOptions) -> Box<dyn BatchEnv> {
        Box::new(VecEnv::<G>::new(vec![self.rules], options))
    }
}

/// [`AnyGame`] for game `G`.
pub struct Erased<G>(PhantomData<fn() -> G>);

impl<G> Erased<G> {
    /// Creates the interface of the game.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G> Default for Erased<G> {
    fn default() -> Self {
        Self::new()
    }
}

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
    fn unit(&self) -> &'static str {
        G::UNIT
    }
    fn encoding(&self) -> u32 {
        G::ENCODING
    }
    fn prefixes(&self) -> &'static [Prefix] {
        G::PREFIXES
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
        <G as Actions>::Legal::WORDS
    }
    fn options(&self) -> &'static [OptionDoc] {
        G::Rules::OPTIONS
    }
    fn rounds_option(&self) -> &'static str {
        G::Rules::ROUNDS_OPTION
    }
    fn players(&self) -> std::ops::RangeInclusive<u8> {
        G::Rules::PLAYERS
    }
    fn sized_rules(&self, given: &Value, size: Size) -> Result<GameRules, RulesError> {
        rules::read_sized::<G::Rules>(given, size).map(GameRules::of::<G>)
    }
    fn default_rules(&self) -> GameRules {
        GameRules::of::<G>(G::Rules::default())
    }
    fn random_rules(&self, seed: u64) -> GameRules {
        GameRules::of::<G>(G::Rules::random(&mut Draw::new(seed, 0)))
    }
    fn batch(&self, rules: &[GameRules], options: BatchOptions) -> Box<dyn BatchEnv> {
        let own = rules.iter().map(|rules| match rules.0.as_any().downcast_ref::<Checked<G>>() {
            Some(own) => own.rules,
            None => panic!("rules of {} cannot be used in a batch of {}", rules.game().name(), G::NAME),
        });
        Box::new(VecEnv::<G>::new(own.collect(), options))
    }
    fn label(&self, action: ActionId) -> String {
        Label::<G>::of(action).to_string()
    }
    fn parse(&self, label: &str) -> Option<ActionId> {
        parse_label::<G>(None, label)
    }
    fn view(&self, json: &str) -> Result<Box<dyn AnyView>, ViewError> {
        possible(OwnedView::<G>::read(json)?)
    }
    fn view_of(&self, json: &Value) -> Result<Box<dyn AnyView>, ViewError> {
        possible(OwnedView::<G>::of(json)?)
    }
    fn observer(&self, header: &Value) -> Result<Box<dyn AnyObserver>, ObserveError> {
        Ok(Box::new(Observer::<G>::new(header)?))
    }
    fn lists_deals(&self) -> bool {
        G::deals(&G::Rules::default()).is_some()
    }
}

/// Returns the view if it can occur.
fn possible<G: Game>(view: OwnedView<G>) -> Result<Box<dyn AnyView>, ViewError> {
    G::check_view(view.view())?;
    Ok(Box::new(view))
}
