//! The state of a game: what everyone sees, what one seat sees, and all of it.

use cardsharp_engine::hands::Positions;
use cardsharp_engine::listed;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::AllOptions;
use cardsharp_engine::{MAX_SEATS, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deck::{self, Card, CardText, Cards, Color, DECK, Symbol};
use super::memory::{Buried, Proofs};
use super::rules::{KingVsPlus3, Mode, Plus3VsPlus3, Rules};

/// The most seats at a table of TAKI.
pub(super) const SEATS: usize = 10;

/// Which way the turn goes around the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the left: ascending seats.
    Left,
    /// To the right: descending seats.
    Right,
}

impl Direction {
    pub(super) const fn turned(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// How the game continues after the decisions about a last card.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AfterLastCard {
    /// The seat whose turn it is then.
    pub seat: Seat,
    /// Whether this seat has cancelled a +3 with a King, and continues as after any King.
    pub king: bool,
    /// Whether this seat has answered a +3 with another +3, which may then be answered in turn. Absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plus3: bool,
}

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    /// The player in this seat won.
    Won(Seat),
    /// A draw: no card has moved for as many turns as there are players.
    Stalemate,
    /// The game was cut off after `max_decisions` decisions.
    CutOff,
}

/// The public stage of the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Stage {
    /// The start of a turn.
    Turn,
    /// A TAKI is in progress.
    Run,
    /// After a King: the same player may lay any card, or none.
    Free,
    /// After a Plus: the same player must lay another card, or draw one.
    Owe,
    /// A +3 was laid and may be answered.
    Window,
    /// This player has one card left and may announce it.
    LastCard {
        /// The seat of the player.
        seat: Seat,
        /// How the game continues after this decision.
        next: AfterLastCard,
    },
    /// This player was silent; the others may catch them, one after the other.
    Catch {
        /// The seat of the silent player.
        silent: Seat,
        /// The seat that may catch the silent player now.
        asked: Seat,
        /// How the game continues after this decision.
        next: AfterLastCard,
    },
    /// The game is over.
    Over(GameEnd),
}

listed! {
    /// What every seat sees of a game.
    pub struct PublicState as Table by rules {
        /// The rules of the session.
        #[schemars(with = "AllOptions<Rules>")]
        pub rules: Rules,
        /// The number of the game in the session, from 1.
        pub game: u16,
        /// Games won by each seat before this one.
        pub wins: [i32; MAX_SEATS] => Vec<i32> [rules.players],
        /// The stage of the game.
        pub stage: Stage,
        /// The seat whose turn it is; while a +3 may be answered, the player of the +3.
        pub turn: Seat,
        /// Which way the turn goes around the table.
        pub direction: Direction,
        /// The color that a card must match.
        pub color: Color,
        /// The leading symbol; null after a King or Change Color.
        pub symbol: Option<Symbol>,
        /// The card on top of the discard pile.
        #[serde(with = "deck::card_text")]
        #[schemars(with = "CardText")]
        pub top: Card,
        /// Number of cards that the player in turn owes because of +2 cards; 0 without a debt.
        pub debt: u32,
        /// Whether an open TAKI of the leading color is on the table.
        pub open: bool,
        /// Number of cards that the player in turn held right after the latest card they laid in this turn. Null if
        /// they have laid none, or have already gone out with it.
        pub remained: Option<u8>,
        /// Number of turns in a row in which no card moved, because there was none to draw.
        pub idle: u8,
        /// Number of decisions in this game so far that everybody can see.
        pub decisions: u32,
        /// Number of cards in the hand of each seat.
        pub sizes: [u8; SEATS] => Vec<u8> [rules.players],
        /// The stage of each seat in a tournament; 0 in a single game.
        pub stages: [u8; SEATS] => Vec<u8> [rules.players],
        /// The seats that have announced their last card and still hold one card.
        pub announced: Positions,
        /// Number of cards in the draw pile.
        pub pile: u8,
        /// Cards known to be at the bottom of the draw pile, the bottom one first.
        pub buried: Buried,
        /// The cards of the discard pile.
        pub discards: Cards,
        /// The bottom card of the discard pile.
        #[serde(with = "deck::card_text")]
        #[schemars(with = "CardText")]
        pub first: Card,
        /// How often the discards were shuffled into a new draw pile.
        pub recycles: u32,
        /// The cards of which the draw pile was made at the last such shuffle. Before the first one: all cards but
        /// `first`, dealt cards included.
        pub stock: Cards,
        /// Cards that each seat has laid since the last such shuffle, or since the deal.
        pub laid: [Cards; SEATS] => Vec<Cards> [rules.players],
        /// Number of cards of `stock` that each seat has drawn. Before the first shuffle, dealt cards count as drawn.
        pub drawn: [u8; SEATS] => Vec<u8> [rules.players],
        /// Cards that each seat is known to hold, because it drew them from the `buried` cards.
        pub known: [Cards; SEATS] => Vec<Cards> [rules.players],
        /// Upper limits for certain cards in the hand of each seat, proven by its moves and by the discards.
        pub proofs: [Proofs; SEATS] => Vec<Proofs> [rules.players],
    }
}

impl PublicState {
    /// Returns the number of players.
    #[inline]
    pub const fn players(&self) -> u8 {
        self.rules.players
    }

    /// Returns whether the rules have tournament stages.
    pub(super) fn has_stages(&self) -> bool {
        self.rules.mode == Mode::Tournament
    }

    /// The seat `steps` (at most the number of players) after `seat` in turn order.
    #[inline]
    pub const fn after(&self, seat: Seat, steps: u8) -> Seat {
        let n = self.rules.players;
        let sum = match self.direction {
            Direction::Left => seat.0 + steps,
            Direction::Right => seat.0 + n - steps,
        };
        Seat(if sum >= n { sum - n } else { sum })
    }

    /// How many steps `seat` is after `from` in turn order.
    #[inline]
    pub const fn steps(&self, from: Seat, seat: Seat) -> u8 {
        let n = self.rules.players;
        let d = match self.direction {
            Direction::Left => seat.0 + n - from.0,
            Direction::Right => from.0 + n - seat.0,
        };
        if d >= n { d - n } else { d }
    }

    /// The colored cards that match color or symbol, as faces.
    #[inline]
    pub fn matching(&self) -> u64 {
        self.color.faces() | self.symbol.map_or(0, Symbol::faces)
    }

    /// The cards that may be played in an ordinary turn without debt, as faces.
    #[inline]
    pub fn playable(&self) -> u64 {
        let mut faces =
            self.matching() | deck::bit(deck::KING) | deck::bit(deck::PLUS3) | deck::bit(deck::BREAKER);
        if self.rules.cover_resolved_plus3 || self.top != deck::PLUS3 {
            faces |= deck::bit(deck::CHANGE) | deck::bit(deck::SUPER);
        }
        faces
    }

    /// The cards with which this player could answer the +3 on the table, as faces.
    #[inline]
    pub fn answers(&self, seat: Seat) -> u64 {
        self.answers_to(self.turn, seat)
    }

    /// The cards with which `seat` could answer a +3 of `player`, as faces.
    #[inline]
    pub(super) fn answers_to(&self, player: Seat, seat: Seat) -> u64 {
        let next = self.after(player, 1) == seat;
        let king = next && self.rules.king_vs_plus3 == KingVsPlus3::NextPlayer;
        let plus3 = next && self.rules.plus3_vs_plus3 == Plus3VsPlus3::NextPlayer;
        let face = |may: bool, card: Card| if may { deck::bit(card) } else { 0 };
        deck::bit(deck::BREAKER) | face(king, deck::KING) | face(plus3, deck::PLUS3)
    }
}

/// Whether a seat is asked to answer a +3.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The seat is not asked about a +3.
    Nothing,
    /// The seat is asked now.
    Asked,
    /// The seat was asked and has declined.
    Declined,
}

/// The private state of one seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Own")]
pub struct PrivateState {
    /// The cards in hand.
    pub hand: Cards,
    /// The cards of the table's `stock` that this seat has drawn. Before the first shuffle, dealt cards count as
    /// drawn.
    pub drew: Cards,
    /// Whether the seat is asked to answer a +3.
    pub answer: Answer,
}

impl PrivateState {
    /// A seat without cards.
    pub(super) const NONE: Self = Self { hand: Cards::NONE, drew: Cards::NONE, answer: Answer::Nothing };
}

/// Returns the cards that the viewer has not seen: neither in their hand nor on the discard pile.
#[inline]
pub(super) fn unseen(table: &PublicState, own: &PrivateState) -> Cards {
    Cards::ALL.without(&own.hand).without(&table.discards)
}

/// Returns the unseen cards that can be in the draw pile: they were in its last shuffle, and the viewer did
/// not draw them.
#[inline]
pub(super) fn drawable(table: &PublicState, own: &PrivateState) -> Cards {
    unseen(table, own).common(&table.stock.without(&own.drew))
}

const _: () = assert!(DECK <= u8::MAX as usize);

/// What one game hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    /// Number of games played so far.
    pub games: u16,
    /// Games won by each seat.
    pub wins: [i32; MAX_SEATS],
}

impl SessionState {
    /// The state before the first game.
    pub(super) const FRESH: Self = Self { games: 0, wins: [0; MAX_SEATS] };
}

/// One game, or one tournament.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: PublicState,
    pub(super) own: [PrivateState; SEATS],
    /// The seat that is asked about a +3; seat 0 if no seat is asked.
    pub(super) asked: Seat,
    /// The draw pile: the first `table.pile` cards, the top one last. The cards after them were drawn.
    pub(super) pile: [Card; DECK],
    pub(super) log: ActionResults,
    pub(super) rng: DealRng,
}

/// A result of the last action, for events.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum ActionResult {
    /// A player drew this many cards.
    Drew(Seat, u8),
    /// A player finished a stage of the tournament and drew the cards of the next one.
    Rose(Seat),
    /// A +3 was settled, but there was no card left to draw.
    Settled,
}

/// The most results of one action: ten players draw, and two of them also start a new stage.
const MOST: usize = SEATS + 4;

/// The results of the last action, in order.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct ActionResults {
    entries: [ActionResult; MOST],
    len: u8,
}

impl Default for ActionResults {
    fn default() -> Self {
        Self { entries: [ActionResult::Settled; MOST], len: 0 }
    }
}

impl ActionResults {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn add(&mut self, happened: ActionResult) {
        if let Some(entry) = self.entries.get_mut(usize::from(self.len)) {
            *entry = happened;
            self.len += 1;
        }
    }

    pub(super) fn entries(&self) -> &[ActionResult] {
        &self.entries[..usize::from(self.len)]
    }
}
