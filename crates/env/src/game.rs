//! What a game is: the traits and small types that every game and every user of games share.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::blocks::Block;
use crate::enumerate::{Deal, EnumerateError};
use crate::hands::Positions;
use crate::mask::Mask;
use crate::rng::{DealRng, Draw};
use crate::rules::Rules;

/// The largest table of any game.
pub const MAX_SEATS: usize = 12;

/// A player's identity, `0..players`, fixed for a whole session. Where the player sits or ranks in
/// a round is data of that round.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An action of a game's fixed list, `0..width(ACTIONS)`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionId(pub u16);

/// Who must act.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This seat has a decision with at least one legal action.
    Decide(Seat),
    /// The round has ended; settle it.
    RoundOver,
}

/// What a finished round is worth to each seat. Entries beyond `seats`, and those of seats that did
/// not play the round, are 0.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Payoff {
    /// Number of seats of the session.
    pub seats: u8,
    /// Finishing place per seat, 1 is best, 0 of a seat that did not play.
    pub place: [u8; MAX_SEATS],
    /// Points of the game's own scoring per seat.
    pub points: [i32; MAX_SEATS],
    /// What a learner maximises, per seat, as the rules' `reward` option says.
    pub reward: [f32; MAX_SEATS],
}

impl Payoff {
    /// Rivals beaten less rivals who did better, and the number of rivals: their quotient is the place
    /// score, 1 − 2(place − 1)/(players − 1) where nobody shares a place. None for a seat that did not
    /// play.
    pub fn margin(&self, seat: usize) -> Option<(i32, i32)> {
        let own = self.place[seat];
        let rivals = self.place.iter().filter(|&&place| place != 0).count() as i32 - 1;
        let than = |better: bool| {
            let other = |&&place: &&u8| place != 0 && if better { place < own } else { place > own };
            self.place.iter().filter(other).count() as i32
        };
        (own != 0).then(|| (than(false) - than(true), rivals))
    }
}

/// A way to play that people know from their own tables, beside the yardstick of [`Game::scripted`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Character {
    /// Keeps what is good for later and promises only what it surely holds.
    Cautious,
    /// Spends what is good at once and promises more.
    Aggressive,
}

impl Character {
    /// All characters.
    pub const ALL: [Self; 2] = [Self::Cautious, Self::Aggressive];

    /// The name of the bot that plays so: lower case, no spaces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cautious => "cautious",
            Self::Aggressive => "aggressive",
        }
    }
}

/// What one seat undertook to do in a round, and whether it did.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Who promised.
    pub seat: Seat,
    /// What, as a place in [`Game::CONTRACTS`].
    pub kind: usize,
    /// Whether the promise was kept.
    pub made: bool,
}

/// All that one seat may know: the public table and the seat's own cards and memories. Legality,
/// encodings, bots and search take a `View`, never a round, so that nothing can leak.
pub struct View<'a, G: Game> {
    /// Whose view it is.
    pub seat: Seat,
    /// What everybody knows.
    pub table: &'a G::Table,
    /// What only this seat knows.
    pub own: &'a G::Own,
}

impl<G: Game> Clone for View<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Game> Copy for View<'_, G> {}

impl<G: Game> View<'_, G> {
    /// A copy that stands on its own, for storing and sending.
    pub fn to_owned(&self) -> OwnedView<G> {
        OwnedView { seat: self.seat, table: *self.table, own: *self.own }
    }
}

/// A [`View`] that stands on its own and round-trips through JSON.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct OwnedView<G: Game> {
    /// Whose view it is.
    pub seat: Seat,
    /// What everybody knows.
    pub table: G::Table,
    /// What only this seat knows.
    pub own: G::Own,
}

impl<G: Game> OwnedView<G> {
    /// The view itself.
    pub fn view(&self) -> View<'_, G> {
        View { seat: self.seat, table: &self.table, own: &self.own }
    }
}

/// Plain data that a view or a standing is made of.
pub trait Data: Copy + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static {}
impl<T: Copy + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Data for T {}

/// One round of a game: a small heap-free value with its rules and its random stream inside.
pub trait Game: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The name used on the command line and in files: lower case, no spaces.
    const NAME: &'static str;
    /// The name people use.
    const TITLE: &'static str;
    /// Whether it is there to check learners and solvers against known answers, and not to be played:
    /// lists of games leave it out unless they are asked for all.
    const REFERENCE: bool = false;
    /// Raised when an action id or an observation cell changes its meaning.
    const ENCODING: u32;
    /// The fixed list of actions.
    const ACTIONS: &'static [Block];
    /// The cells of an observation row.
    const OBSERVATION: &'static [Block];
    /// The cells that [`Game::reveal`] writes.
    const HIDDEN: &'static [Block];

    /// What a seat can undertake in a round, by name; empty in a game without contracts.
    const CONTRACTS: &'static [&'static str] = &[];
    /// Kinds of moves that tell how somebody plays, by name, at most 32; empty in a game without.
    const HABITS: &'static [&'static str] = &[];

    /// The options of the game.
    type Rules: Rules;
    /// What one round hands to the next: ranks, dealer, scores.
    type Standing: Data;
    /// What everybody knows, the rules included.
    type Table: Data;
    /// What one seat knows besides the table.
    type Own: Data;
    /// Legal actions as bits.
    type Legal: Mask;

    /// The standing before the first round of a session.
    fn seating(rules: &Self::Rules, draw: &mut Draw) -> Self::Standing;
    /// Deals a round. `rng` becomes part of the round.
    fn deal(rules: &Self::Rules, standing: &Self::Standing, rng: DealRng) -> Self;
    /// Every deal of a session's first round by checked `rules`, each round once; none of a game with
    /// too many to list. All that chance will bring must be settled in the deal: play from there
    /// depends on the actions alone. See [`crate::enumerate`].
    fn deals(_rules: &Self::Rules) -> Option<Vec<Deal<Self>>> {
        None
    }
    /// Every deal of an endgame by checked `rules`: a round under way of which few cards are left to
    /// guess. `cards` says which, in the game's own words, as its module of endgames explains.
    ///
    /// # Errors
    /// The game has no endgames, or this is none.
    fn endgame(_rules: &Self::Rules, _cards: &Value) -> Result<Vec<Deal<Self>>, EnumerateError> {
        Err(EnumerateError::NoEndgames { game: Self::NAME })
    }
    /// The seats that play this round.
    fn present(&self) -> Positions;
    /// Who must act.
    fn turn(&self) -> Turn;
    /// What everybody knows.
    fn table(&self) -> &Self::Table;
    /// What `seat`, which plays this round, knows besides the table.
    fn own(&self, seat: Seat) -> &Self::Own;
    /// All that `seat` may know: the only door to what follows.
    fn view(&self, seat: Seat) -> View<'_, Self> {
        View { seat, table: self.table(), own: self.own(seat) }
    }
    /// The legal actions of the viewing seat; empty when it has no decision.
    fn legal(view: View<'_, Self>) -> Self::Legal;
    /// Whether one action is legal, straight from the words of the rules and independent of
    /// [`Game::legal`]: the two must agree.
    fn is_legal(view: View<'_, Self>, action: ActionId) -> bool;
    /// Writes the observation row, `width(OBSERVATION)` cells, every one of them.
    fn observe(view: View<'_, Self>, row: &mut [u8]);
    /// Writes what `seat` cannot see, `width(HIDDEN)` cells, for a critic in training only.
    fn reveal(&self, seat: Seat, row: &mut [u8]);
    /// A full round, drawn at random, that is consistent with all the view proves: its view of the
    /// same seat equals `view`.
    fn redeal(view: View<'_, Self>, rng: DealRng) -> Self;
    /// Plays an action of the seat whose turn it is. Trusts that it is legal.
    fn play(&mut self, action: ActionId);
    /// Writes a finished round into the standing and says what it was worth.
    fn settle(&self, standing: &mut Self::Standing) -> Payoff;
    /// What was undertaken in a finished round, if anything was.
    fn contract(&self) -> Option<Contract> {
        None
    }
    /// The kinds of [`Game::HABITS`] that a legal action of the viewing seat is of, one bit each. Asked by
    /// those who describe how somebody plays, and by nothing that plays.
    fn habits(_view: View<'_, Self>, _action: ActionId) -> u32 {
        0
    }
    /// The phase of the decision that is due, in the rules' words (`tax`, `play`, …).
    fn phase(&self) -> &'static str;
    /// Writes an action in plain card notation, unique per action: with the names that cards have at
    /// this table, or, without a table, with those of the game's standard deck.
    fn label(table: Option<&Self::Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    /// Whether everybody at the table sees this action when it is chosen; the others stay between
    /// the seat and the dealer, together with the fact that anything was asked.
    fn is_public(action: ActionId) -> bool;
    /// The built-in rule-based player.
    fn scripted(view: View<'_, Self>) -> ActionId;
    /// The same player with a character: rules of thumb of the same kind, weighed otherwise.
    fn character(view: View<'_, Self>, character: Character) -> ActionId;
    /// Everything dealt, in card notation, for traces (the content of the `deal` line); none before
    /// the cards are dealt.
    fn describe_deal(&self) -> Option<serde_json::Value>;
    /// What happened between two states beyond the chosen action: chance after the deal, and cards
    /// that moved between players. `before` is none right after the deal.
    fn events(before: Option<&Self>, after: &Self) -> Vec<serde_json::Value>;
    /// Refuses a view from outside that no round can show, so that everything else may trust views.
    ///
    /// # Errors
    /// What contradicts what, or which rules are refused.
    fn check_view(view: View<'_, Self>) -> Result<(), crate::games::ViewError>;
    /// Checks the state against the rules' invariants, recomputed from scratch.
    fn audit(&self) -> Result<(), String>;
    /// The view in words and cards, several lines, for a person at a terminal.
    fn picture(view: View<'_, Self>) -> String;
}

/// Displays an action of game `G` in card notation.
pub struct Label<'t, G: Game> {
    action: ActionId,
    table: Option<&'t G::Table>,
}

impl<'t, G: Game> Label<'t, G> {
    /// The label of `action` with the names of the game's standard deck.
    pub fn of(action: ActionId) -> Self {
        Self { action, table: None }
    }

    /// The label of `action` with the names that cards have at `table`.
    pub fn at(table: &'t G::Table, action: ActionId) -> Self {
        Self { action, table: Some(table) }
    }
}

impl<G: Game> fmt::Display for Label<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        G::label(self.table, self.action, f)
    }
}

/// The action with this label (surrounding spaces and letter case are ignored), by the names at
/// `table` or, without one, of the standard deck.
pub fn parse_label<G: Game>(table: Option<&G::Table>, label: &str) -> Option<ActionId> {
    (0..crate::blocks::width(G::ACTIONS) as u16)
        .map(ActionId)
        .find(|&action| Label::<G> { action, table }.to_string().eq_ignore_ascii_case(label.trim()))
}
