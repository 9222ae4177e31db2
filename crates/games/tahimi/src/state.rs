//! The state of a round and of a session: what everyone sees, what one seat sees, and all of it; the players' titles.

use std::fmt;

use cardsharp_climbing::{self as climbing, LeadAfterOut, Memory, MemoryForm, Trick, TrickForm, TrickRules};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::listed;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::AllOptions;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::{MAX_SEATS, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deck::{self, Cards, CardsText, JOKER, Ladder, Names, RANKS};
use super::rules::Rules;
use super::variant::{JokerOrder, Variant};

/// A pair that exchanges taxes: (receiver's position, payer's position, number of cards).
pub type Pair = (u8, u8, u8);

/// The pairs of a table, the highest receiver first.
pub fn pairs(players: u8, progressive: bool) -> &'static [Pair] {
    match (players, progressive) {
        (3, _) => &[(0, 2, 2)],
        (4, _) => &[(0, 3, 2), (1, 2, 1)],
        (5, _) => &[(0, 4, 2), (1, 3, 1)],
        (6, false) => &[(0, 5, 2), (1, 4, 1)],
        (6, true) => &[(0, 5, 3), (1, 4, 1)],
        (7, false) => &[(0, 6, 2), (1, 5, 1)],
        (7, true) => &[(0, 6, 3), (1, 5, 2)],
        (8, false) => &[(0, 7, 2), (1, 6, 1)],
        (8, true) => &[(0, 7, 3), (1, 6, 2), (2, 5, 1)],
        _ => &[],
    }
}

/// The tribute from a hand: its `k` highest cards. `chosen` is the number of jokers that the payer decided to pay; it
/// counts only if the payer decides.
pub fn tribute(hand: &Cards, k: u8, order: JokerOrder, chosen: u8) -> Cards {
    let jokers = match order {
        JokerOrder::Low => 0,
        JokerOrder::High => hand.0[JOKER].min(k),
        JokerOrder::Holder => chosen,
    };
    let mut cards = climbing::best(hand, k - jokers);
    cards.0[JOKER] = jokers;
    cards
}

/// The public stage of the round.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The Tahimi chooses a decree; no cards are dealt yet.
    Decree,
    /// Taxes are under way.
    Taxes,
    /// Cards are being played, or the round is over.
    Play,
}

listed! {
    /// The public state. Position 0 is the Tahimi; positions ascend clockwise. Views write ranks with their names
    /// under aces high, even with deuces high.
    pub struct PublicState as Table by rules {
        /// The rules of the session.
        #[schemars(with = "AllOptions<Rules>")]
        pub rules: Rules,
        /// The options in force in this round.
        pub variant: Variant,
        /// The decreed entry of the menu, counted from 0; null before the decree and without a menu.
        pub decree: Option<u8>,
        /// Number of players in this round.
        pub players: u8,
        /// The cards of the deck in play; empty before the deal.
        #[serde(with = "deck::AsText")]
    #[schemars(with = "CardsText")]
        pub deck: Cards,
        /// The number of the round in the session, from 1.
        pub round: u16,
        /// Whether this counts as a first round: it is the first, or all players have drawn for new places.
        pub first: bool,
        /// Points of each seat before this round.
        pub points: [i32; MAX_SEATS] => Vec<i32> [rules.seats()],
        /// The seat at each position.
        pub order: [Seat; MAX_SEATS] => Vec<Seat> [players],
        /// The position of each seat; null for seats that sit this round out.
        pub position: [SeatPosition; MAX_SEATS] => Vec<SeatPosition> [rules.seats()],
        /// The seats that left just before this round.
        pub left: Positions,
        /// The seats that joined just before this round.
        pub joined: Positions,
        /// The stage of the round.
        pub stage: Stage,
        /// Number of cards that each position holds. Taxes do not change it, because as many cards come back.
        pub cards: [u8; MAX_SEATS] => Vec<u8> [players],
        /// The positions that have announced that one card is left after their last play.
        #[serde(rename = "one_card_positions")]
        pub one_card: Positions,
        /// The state of play.
        pub trick: Trick => TrickForm<Names, RANKS> [players],
        /// The cards played, and the passes.
        pub memory: Memory<RANKS> => MemoryForm<Names, RANKS> [players],
    }
}

impl PublicState {
    /// The rules of the trick in this round.
    #[inline]
    pub fn trick_rules(&self) -> TrickRules {
        let lead_after_out =
            if self.variant.rank_privilege { LeadAfterOut::HighestRank } else { LeadAfterOut::NextClockwise };
        let Rules { pass_on_lead, pass_is_final, equal_rank, .. } = self.rules;
        TrickRules { lead_after_out, pass_on_lead, pass_is_final, equal_rank }
    }

    /// The ranks of the deck in play and their names.
    pub fn ladder(&self) -> Ladder {
        Ladder::of(&self.variant, self.players)
    }

    /// The position of a seat that plays.
    #[inline]
    pub fn position_of(&self, seat: Seat) -> u8 {
        self.position[seat.index()].of_player()
    }

    /// The pairs that exchange taxes in this round, the highest receiver first.
    pub fn pairs(&self) -> &'static [Pair] {
        pairs(self.players, self.variant.is_progressive())
    }

    /// Whether taxes are due, or were paid, in this round.
    #[inline]
    pub fn taxes(&self) -> bool {
        self.rules.first_round_tax || !self.first
    }

    /// Number of cards that the player at this position holds.
    #[inline]
    pub fn held(&self, position: u8) -> u8 {
        self.cards[usize::from(position)]
    }

    /// The seats that play.
    pub fn present(&self) -> Positions {
        let mut seats = Positions(0);
        self.order[..usize::from(self.players)].iter().for_each(|seat| seats.insert(seat.0));
        seats
    }
}

/// The decision that one player must make before the play.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// No decision before the play. During the play, the public state shows whose turn it is.
    Nothing,
    /// Which entry of the menu to decree.
    Decree,
    /// How many jokers to pay in taxes.
    TaxJokers,
    /// Which card to give back for the taxes received.
    Return,
}

/// The private state of one seat.
// Aligned to a cache line: a hand across two lines takes longer to read.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[repr(align(64))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Own")]
pub struct PrivateState {
    /// The cards in hand.
    #[serde(with = "deck::AsText")]
    #[schemars(with = "CardsText")]
    pub hand: Cards,
    /// Cards that this seat has paid or returned in taxes, or has picked to give. Picked cards stay in `hand` until
    /// they move.
    #[serde(with = "deck::AsText")]
    #[schemars(with = "CardsText")]
    pub given: Cards,
    /// Cards that this seat has received in taxes.
    #[serde(with = "deck::AsText")]
    #[schemars(with = "CardsText")]
    pub received: Cards,
    /// The position of the other player in this seat's tax; null if there is none.
    #[serde(rename = "partner_position")]
    pub partner: Option<u8>,
    /// The decision that this seat must make now.
    pub ask: Ask,
}

impl PrivateState {
    /// The private state right after the deal.
    pub fn dealt(hand: Cards) -> Self {
        Self { hand, given: Cards::NONE, received: Cards::NONE, partner: None, ask: Ask::Nothing }
    }
}

// The position of a seat.

/// The position of a seat, from 0; null if the seat sits this round out. Stored in one byte, because every turn reads
/// it.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Option<u8>", into = "Option<u8>")]
#[schemars(inline)]
pub struct SeatPosition(u8);

impl SeatPosition {
    /// The value for a seat that does not play.
    pub const NONE: Self = Self(u8::MAX);

    /// This position, counted from 0.
    pub(super) const fn at(position: u8) -> Self {
        Self(position)
    }

    /// The position, or `None` if the seat does not play.
    pub const fn get(self) -> Option<u8> {
        if self.0 == Self::NONE.0 { None } else { Some(self.0) }
    }

    /// The position of a seat that plays. For other seats the number is beyond every table.
    #[inline]
    pub const fn of_player(self) -> u8 {
        self.0
    }
}

impl Default for SeatPosition {
    fn default() -> Self {
        Self::NONE
    }
}

impl fmt::Debug for SeatPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl TryFrom<Option<u8>> for SeatPosition {
    type Error = String;

    fn try_from(position: Option<u8>) -> Result<Self, String> {
        match position {
            None => Ok(Self::NONE),
            Some(position) if usize::from(position) < MAX_SEATS => Ok(Self(position)),
            Some(other) => {
                Err(format!("{other} is no position: expected 0 to {}, or null for none", MAX_SEATS - 1))
            }
        }
    }
}

impl From<SeatPosition> for Option<u8> {
    fn from(position: SeatPosition) -> Self {
        position.get()
    }
}

// The titles of the positions.

/// All titles, from the highest to the lowest.
pub const TITLES: [&str; 8] = [
    "Tahimi",
    "Vice Tahimi",
    "Senior Vice Tahimi",
    "Junior Vice Tahimi",
    "Merchant",
    "master serf",
    "junior assistant to the master serf",
    "serf",
];

/// The index into [`TITLES`] of a position's title. `progressive` is the tax schedule.
#[inline]
pub fn title_index(position: u8, players: u8, progressive: bool) -> usize {
    let from_bottom = players - 1 - position;
    let large = players == 8 && progressive;
    match (position, from_bottom) {
        (0, _) => 0,
        (_, 0) => 7,
        (1, 1) => 4,
        (1, _) => 1 + usize::from(large),
        (2, _) if large => 3,
        (_, 1) => 5 + usize::from(large),
        (_, 2) if large => 5,
        _ => 4,
    }
}

/// The title of a position.
pub fn title(position: u8, players: u8, progressive: bool) -> &'static str {
    TITLES[title_index(position, players, progressive)]
}

/// What a seat may know: the public state and its private state.
pub type View<'a> = cardsharp_engine::game::View<'a, Round>;

/// The state that a round passes on to the next one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    /// Number of rounds played.
    pub rounds: u16,
    /// Number of players in the last round; before the first round, in the first.
    pub players: u8,
    /// The seat at each position, the Tahimi first; 0 beyond the players.
    pub order: [Seat; MAX_SEATS],
    /// Points so far by seat, one for each player beaten in each round; 0 beyond the seats.
    pub points: [i32; MAX_SEATS],
    /// Number of rounds in which each seat went out first; 0 beyond the seats.
    pub tahimi: [u16; MAX_SEATS],
}

/// The complete state of a round.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: PublicState,
    /// Private states by position.
    pub(super) own: [PrivateState; MAX_SEATS],
    /// The position that decides before the play.
    pub(super) asking: u8,
    pub(super) rng: DealRng,
}

impl Round {
    pub(super) fn ask(&mut self, position: u8, ask: Ask) {
        self.asking = position;
        self.own[usize::from(position)].ask = ask;
    }

    pub(super) fn players(&self) -> usize {
        usize::from(self.table.players)
    }
}
