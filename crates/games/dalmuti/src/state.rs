//! The state of a hand and of a session: what everyone sees, what one seat sees, and all of it.

use cardsharp_climbing::{self as climbing, Memory, MemoryForm, Trick, TrickForm, TrickRules};
use cardsharp_engine::listed;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::AllOptions;
use cardsharp_engine::{MAX_SEATS, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deck::{self, Cards, CardsText, Names, RANKS, RankText};
use super::rules::Rules;

/// The position of the Merchant who may propose an exchange.
pub const PROPOSER: u8 = 2;

/// The pairs that exchange taxes: (Dalmuti's position, Peon's position, number of cards).
pub fn pairs(players: u8) -> [(u8, u8, u8); 2] {
    [(0, players - 1, 2), (1, players - 2, 1)]
}

/// The best `k` cards of a hand. Jesters count as the worst and are never included.
pub fn tribute(hand: &Cards, k: u8) -> Cards {
    climbing::best(hand, k)
}

/// The public stage of the hand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A card was exposed; the Greater Dalmuti decides who gets it.
    Misdeal,
    /// The cards are dealt; a holder of both Jesters may call a revolution.
    Dealt,
    /// Taxes and merchant exchange are under way.
    Taxes,
    /// Cards are being played, or the hand is over.
    Play,
}

/// Whether a revolution was called.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Revolution {
    /// No revolution was called.
    None,
    /// A revolution was called: there are no taxes.
    Revolution,
    /// The Greater Peon called a greater revolution: no taxes, and position `i` of `N` became `N − 1 − i`.
    Greater,
}

/// Who got the exposed card.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExposedFate {
    /// The Greater Dalmuti has not decided yet.
    Open,
    /// The player to whom the card was dealt.
    Kept,
    /// The Greater Peon, who gave another card in exchange.
    ToPeon,
}

/// A card exposed while dealing.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exposed {
    /// The rank of the card.
    // Its rank index: 0 is the Dalmuti, 12 a Jester.
    #[serde(rename = "card", with = "deck::rank_text")]
    #[schemars(with = "RankText")]
    pub rank: u8,
    /// The seat to which the card was dealt.
    pub receiver: Seat,
    /// Who got the card.
    pub fate: ExposedFate,
}

listed! {
    /// The public state. Position 0 is the Greater Dalmuti; positions ascend clockwise.
    pub struct PublicState as Table by rules {
        /// The rules of the session.
        #[schemars(with = "AllOptions<Rules>")]
        pub rules: Rules,
        /// The cards of the deck in play.
        #[serde(with = "deck::AsText")]
    #[schemars(with = "CardsText")]
        pub deck: Cards,
        /// The number of the hand in the session, from 1.
        pub hand: u16,
        /// Points of each seat before this hand.
        pub points: [i32; MAX_SEATS] => Vec<i32> [rules.players],
        /// The seat at each position.
        pub order: [Seat; MAX_SEATS] => Vec<Seat> [rules.players],
        /// The position of each seat.
        pub position: [u8; MAX_SEATS] => Vec<u8> [rules.players],
        /// The stage of the hand.
        pub stage: Stage,
        /// Whether a revolution was called.
        pub revolution: Revolution,
        /// The seat that called the revolution, which was dealt both Jesters; null without a revolution.
        pub caller: Option<Seat>,
        /// The card exposed while dealing; null if there was none.
        pub exposed: Option<Exposed>,
        /// The position of the Merchant with whom the highest Merchant exchanges a card; null without an exchange.
        #[serde(rename = "exchange_position")]
        pub exchange: Option<u8>,
        /// The state of play.
        pub trick: Trick => TrickForm<Names, RANKS> [rules.players],
        /// The cards played, and the passes.
        pub memory: Memory<RANKS> => MemoryForm<Names, RANKS> [rules.players],
    }
}

impl PublicState {
    /// Returns the number of players.
    pub fn players(&self) -> u8 {
        self.rules.players
    }

    /// The rules of the trick in this game: no rank privilege, leaders must play, and the house rules in force.
    #[inline]
    pub fn trick_rules(&self) -> TrickRules {
        let Rules { pass_is_final, equal_rank, .. } = self.rules;
        TrickRules { pass_is_final, equal_rank, ..TrickRules::PLAIN }
    }

    /// Position of the Greater Peon.
    pub fn greater_peon(&self) -> u8 {
        self.rules.players - 1
    }

    /// Whether the first hand is free of taxes by the option of that name.
    pub fn first_deal_revolution(&self) -> bool {
        self.rules.first_deal_revolution && self.hand == 1
    }

    /// Whether taxes are due or were paid in this hand. A later revolution can still change this.
    pub fn taxes(&self) -> bool {
        self.revolution == Revolution::None && !self.first_deal_revolution()
    }

    /// Number of cards dealt to the player who has this position now.
    pub fn dealt(&self, position: u8) -> u8 {
        let players = self.rules.players;
        let then = if self.revolution == Revolution::Greater { players - 1 - position } else { position };
        climbing::dealt(self.deck.total(), players, then)
    }

    /// Number of cards dealt to each position; 0 beyond the players.
    pub(super) fn sizes(&self) -> [u8; MAX_SEATS] {
        std::array::from_fn(|p| if p < usize::from(self.players()) { self.dealt(p as u8) } else { 0 })
    }

    /// Number of cards that the player at this position holds after all exchanges.
    pub fn held(&self, position: u8) -> u8 {
        self.dealt(position) - self.memory.total[usize::from(position)]
    }
}

/// The decision that one player must make before the play.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// No decision before the play. During the play, the public state shows whose turn it is.
    Nothing,
    /// Whether the exposed card stays with its receiver or goes to the Greater Peon.
    Misdeal,
    /// Whether to call a revolution.
    Revolution,
    /// Which card to give back in taxes.
    Tax,
    /// Whether to exchange a card, and with whom.
    Offer,
    /// Which card to give in the merchant exchange.
    Exchange,
}

/// The private state of one seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Own")]
pub struct PrivateState {
    /// The cards in hand.
    #[serde(with = "deck::AsText")]
    #[schemars(with = "CardsText")]
    pub hand: Cards,
    /// Cards that this seat has paid, returned or exchanged, or has picked to give. Picked cards stay in `hand` until
    /// they move.
    #[serde(with = "deck::AsText")]
    #[schemars(with = "CardsText")]
    pub given: Cards,
    /// Cards that this seat has received in taxes or exchange.
    #[serde(with = "deck::AsText")]
    #[schemars(with = "CardsText")]
    pub received: Cards,
    /// The position of the other player in this seat's tax or exchange; null if there is none.
    #[serde(rename = "partner_position")]
    pub partner: Option<u8>,
    /// The card that the Greater Peon gave in exchange for the exposed card. Only the two players see it; null for
    /// all others.
    // Its rank index.
    #[serde(with = "deck::perhaps_rank_text")]
    #[schemars(with = "Option<RankText>")]
    pub replacement: Option<u8>,
    /// The decision that this seat must make now.
    pub ask: Ask,
}

impl PrivateState {
    /// The private state right after the deal.
    pub fn dealt(hand: Cards) -> Self {
        Self {
            hand,
            given: Cards::NONE,
            received: Cards::NONE,
            partner: None,
            replacement: None,
            ask: Ask::Nothing,
        }
    }
}

/// What a seat may know: the public state and its private state.
pub type View<'a> = cardsharp_engine::game::View<'a, Round>;

/// The state that a hand passes on to the next one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    /// Number of hands played.
    pub hands: u16,
    /// The seat at each position, the Greater Dalmuti first; 0 beyond the players.
    pub order: [Seat; MAX_SEATS],
    /// Points so far by seat; 0 beyond the players.
    pub points: [i32; MAX_SEATS],
}

/// The complete state of a hand.
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
        usize::from(self.table.players())
    }
}
