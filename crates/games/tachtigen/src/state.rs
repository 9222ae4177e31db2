//! The seats, the course of play, what every seat sees, what one seat sees, and the round made of both.

use std::borrow::Cow;

use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::AllOptions;
use cardsharp_engine::{Seat, listed};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bids::{Bid, BidKind};
use super::deck::{Card, Cards, Trump};
use super::rules::{PLAYERS, Rules};

pub(super) const SEATS: usize = PLAYERS as usize;

/// One value for each seat.
pub type PerSeat<T> = [T; SEATS];

pub(super) const ALL_SEATS: PerSeat<Seat> = [Seat(0), Seat(1), Seat(2), Seat(3)];

/// The seat `n` places clockwise from `seat`.
#[inline]
pub(super) const fn clockwise(seat: Seat, n: u8) -> Seat {
    Seat((seat.0 + n) & 3)
}

/// Index of the bidder in [`PublicState::roem`].
pub(super) const BIDDER: usize = 0;
/// Index of the partner in [`PublicState::roem`].
pub(super) const PARTNER: usize = 1;

/// The stage of the deal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Players open or hold.
    Opening,
    /// Players bid higher or pass.
    Auction,
    /// The bidder has taken the kitty and puts a card aside.
    Discard,
    /// The bidder names trump.
    Trump,
    /// The bidder asks for a card, or plays solo.
    Ask,
    /// Cards are being played.
    Play,
    /// The bidder or the partner claims roem.
    Claim,
    /// The deal is over.
    Over,
}

/// The bids, holds and passes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Auction {
    /// The seats in the order in which the players may open.
    pub order: PerSeat<Seat>,
    /// The seats that have held in the opening.
    pub held: Positions,
    /// The seats that have passed. A pass is final.
    pub passed: Positions,
    /// The last bid of each seat; null for a seat that has not bid.
    pub bids: PerSeat<Option<Bid>>,
    /// The seat with the highest bid: the bidder, once the auction is over. Null before the first bid.
    pub high: Option<Seat>,
}

/// Which card the bidder asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskedCard {
    /// No card: the bidder has not asked yet, or the contract is not a points contract.
    Nothing,
    /// No card: the bidder plays solo.
    Solo,
    /// This card; its holder is the partner.
    Card(Card),
}

// The course of play: cards, tricks, and what they prove about the hands.

/// Cards dealt to each player, and number of tricks.
pub(super) const HAND: usize = 8;
/// Cards played in a complete deal.
pub(super) const PLAYS: usize = SEATS * HAND;

/// The cards played, in order. In text, card notation with spaces.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Plays {
    len: u8,
    /// Card numbers; 0 beyond `len`.
    cards: [u8; PLAYS],
}

impl Plays {
    pub(super) const NONE: Self = Self { len: 0, cards: [0; PLAYS] };

    /// Number of cards played, 0 to 32.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no card was played.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of entries in [`PlayState::leaders`], 1 to 9: the tricks begun, including the one
    /// about to begin. The extra entry shows who won the last trick.
    pub(super) const fn begun(&self) -> u8 {
        self.len / SEATS as u8 + 1
    }

    /// Returns the card played as number `i` of the deal, from 0.
    #[inline]
    pub fn get(&self, i: usize) -> Option<Card> {
        if i < self.len() { Card::new(self.cards[i]) } else { None }
    }

    /// Appends a card; ignores cards beyond 32.
    #[inline]
    pub(super) fn push(&mut self, card: Card) {
        if let Some(place) = self.cards.get_mut(usize::from(self.len)) {
            *place = card.number() as u8;
            self.len += 1;
        }
    }

    /// The cards in order.
    pub fn iter(&self) -> impl Iterator<Item = Card> + '_ {
        (0..self.len()).filter_map(|i| self.get(i))
    }
}

impl Serialize for Plays {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names: Vec<String> = self.iter().map(|card| card.to_string()).collect();
        serializer.serialize_str(&names.join(" "))
    }
}

impl JsonSchema for Plays {
    fn schema_name() -> Cow<'static, str> {
        Cards::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Cards::json_schema(generator)
    }
}

impl<'de> Deserialize<'de> for Plays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut plays = Self::NONE;
        for name in text.split_whitespace() {
            if plays.len() == PLAYS {
                return Err(serde::de::Error::custom(format!("more than {PLAYS} cards played")));
            }
            plays.push(name.parse().map_err(serde::de::Error::custom)?);
        }
        Ok(plays)
    }
}

/// Serializes [`PlayState::called`] as a list of trick numbers.
mod tricks {
    use cardsharp_engine::hands::Positions;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::HAND;

    pub(super) fn serialize<S: Serializer>(tricks: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        Positions((*tricks).into()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        let tricks = Positions::deserialize(deserializer)?;
        let beyond =
            || serde::de::Error::custom(format!("{tricks:?} are not tricks: expected 0 to {}", HAND - 1));
        u8::try_from(tricks.0).map_err(|_| beyond())
    }
}

listed! {
    /// The state of play, and what the cards played prove about the hands.
    pub struct PlayState {
        /// The cards played, in order.
        pub cards: Plays,
        /// The seat that leads each trick so far, the next one included: 1 to 9 entries. The entry after that of a
        /// complete trick is its winner.
        pub leaders: [Seat; HAND + 1] => Vec<Seat> [cards.begun()],
        /// The numbers of the tricks, from 0, in which the asked card was called.
        // Bit `t` for trick `t`.
        #[serde(with = "tricks")]
        #[schemars(with = "Positions")]
        pub called: u8,
        /// The seat that is winning the current trick; while the trick is empty, the seat that leads it.
        pub best: Seat,
        /// The cards that each seat has played.
        pub played: PerSeat<Cards>,
        /// Number of tricks that each seat has won.
        pub won: PerSeat<u8>,
        /// Card points in the tricks of each seat.
        pub points: PerSeat<u8>,
        /// Cards that each seat provably does not hold.
        pub lacks: PerSeat<Cards>,
        /// How often each seat played another suit on a trump lead. The player may still hold the trump jack as their
        /// only trump.
        pub refused: PerSeat<u8>,
        /// The seats for which the trump jack, if they hold it, is their only trump.
        pub lone: Positions,
    }
}

impl PlayState {
    /// The state before the first card.
    pub(super) const NONE: Self = Self {
        cards: Plays::NONE,
        leaders: [Seat(0); HAND + 1],
        called: 0,
        best: Seat(0),
        played: [Cards::NONE; SEATS],
        won: [0; SEATS],
        points: [0; SEATS],
        lacks: [Cards::NONE; SEATS],
        refused: [0; SEATS],
        lone: Positions(0),
    };

    /// Returns the number of the current trick, from 0; 8 after the last one.
    #[inline]
    pub const fn trick(&self) -> usize {
        self.cards.len() >> 2
    }

    /// Returns the number of cards in the current trick, 0 to 3. The fourth card completes the trick and
    /// starts the next one.
    #[inline]
    pub const fn in_trick(&self) -> usize {
        self.cards.len() & 3
    }

    /// Returns the leader of the current trick.
    #[inline]
    pub const fn leader(&self) -> Seat {
        self.leaders[self.trick()]
    }

    /// Returns the first card of the current trick.
    #[inline]
    pub fn led(&self) -> Option<Card> {
        self.cards.get(self.cards.len() & !3).filter(|_| self.in_trick() != 0)
    }

    /// Returns the card that is winning the current trick.
    #[inline]
    pub fn best_card(&self) -> Option<Card> {
        let place = usize::from((self.best.0 + SEATS as u8 - self.leader().0) & 3);
        self.cards.get((self.cards.len() & !3) + place).filter(|_| self.in_trick() != 0)
    }

    /// Returns the cards of the current trick.
    #[inline]
    pub fn on_table(&self) -> Cards {
        (self.cards.len() & !3..self.cards.len()).filter_map(|place| self.cards.get(place)).collect()
    }

    /// Returns the card that a seat has played to the current trick.
    pub fn card_of(&self, seat: Seat) -> Option<Card> {
        let place = usize::from((seat.0 + SEATS as u8 - self.leader().0) & 3);
        self.cards.get((self.cards.len() & !3) + place).filter(|_| place < self.in_trick())
    }

    /// Returns whether the asked card is called in the current trick.
    #[inline]
    pub const fn is_called(&self) -> bool {
        self.called >> (self.trick() & 7) & 1 == 1 && self.trick() < HAND
    }

    /// Returns all cards played.
    #[inline]
    pub fn gone(&self) -> Cards {
        let [a, b, c, d] = self.played;
        a.or(b).or(c).or(d)
    }

    /// Returns the seat that played card number `i` of the deal.
    #[inline]
    pub const fn player(&self, i: usize) -> Seat {
        clockwise(self.leaders[i >> 2], (i & 3) as u8)
    }
}

// What every seat sees, what one seat sees, and the round made of both.

/// Serializes [`PublicState::roem`] with a field for each side.
mod roem_text {
    use schemars::JsonSchema;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// The roem that the bidder's side has announced.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(rename = "Roem")]
    pub(super) struct AnnouncedRoem {
        /// Points of roem that the bidder announced; null before that.
        bidder: Option<u16>,
        /// Points of roem that the bidder's partner announced; null before that.
        partner: Option<u16>,
    }

    pub(super) fn serialize<S: Serializer>(
        roem: &[Option<u16>; 2],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let [bidder, partner] = *roem;
        AnnouncedRoem { bidder, partner }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[Option<u16>; 2], D::Error> {
        let AnnouncedRoem { bidder, partner } = AnnouncedRoem::deserialize(deserializer)?;
        Ok([bidder, partner])
    }
}

/// What every seat sees of a deal.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Table")]
pub struct PublicState {
    /// The rules of the session.
    #[schemars(with = "AllOptions<Rules>")]
    pub rules: Rules,
    /// The number of the deal in the session, from 1.
    pub deal: u16,
    /// Points of each seat before this deal.
    pub scores: PerSeat<i32>,
    /// The seat that dealt.
    pub dealer: Seat,
    /// How often the cards were dealt again in this round because no player opened.
    pub redeals: u8,
    /// The stage of the deal.
    pub stage: Stage,
    /// The seat to act; meaningless once the deal is over.
    pub turn: Seat,
    /// The bids, holds and passes.
    pub auction: Auction,
    /// The kitty, once the bidder has taken it; null before that, and always null in contracts uit de hand.
    pub kitty: Option<Card>,
    /// The trump suit, or none for a deal without trump; null before trump is known.
    pub trump: Option<Trump>,
    /// Which card the bidder asked for.
    pub asked: AskedCard,
    /// The seat of the bidder's partner, once everybody knows it; null before that and without a partner.
    pub partner: Option<Seat>,
    /// The roem that bidder and partner announced.
    #[serde(with = "roem_text")]
    #[schemars(with = "roem_text::AnnouncedRoem")]
    pub roem: [Option<u16>; 2],
    /// The seats with open hands.
    pub open: Positions,
    /// The cards in the open hand of each seat; empty for hidden hands.
    pub shown: PerSeat<Cards>,
    /// The state of play.
    pub play: PlayState,
}

impl PublicState {
    /// The highest bid so far.
    #[inline]
    pub fn high(&self) -> Option<Bid> {
        self.auction.high.and_then(|seat| self.auction.bids[seat.index()])
    }

    /// Returns the winner of the auction; `None` during the auction, or if no player bid.
    #[inline]
    pub fn bidder(&self) -> Option<Seat> {
        self.auction.high.filter(|_| !matches!(self.stage, Stage::Opening | Stage::Auction))
    }

    /// Returns the contract; `None` during the auction, or if no player bid.
    #[inline]
    pub fn contract(&self) -> Option<BidKind> {
        self.bidder().and_then(|seat| self.auction.bids[seat.index()]).map(Bid::kind)
    }

    /// The card that the bidder asked for, if any.
    #[inline]
    pub fn asked_card(&self) -> Option<Card> {
        match self.asked {
            AskedCard::Card(card) => Some(card),
            AskedCard::Nothing | AskedCard::Solo => None,
        }
    }

    /// Returns the number of cards that a seat holds.
    pub(super) fn held(&self, seat: Seat) -> u32 {
        let taken = self.stage == Stage::Discard && self.auction.high == Some(seat);
        (HAND as u32 + u32::from(taken)).saturating_sub(self.play.played[seat.index()].len())
    }

    /// Returns trump; [`Trump::None`] until it is named.
    #[inline]
    pub fn trump(&self) -> Trump {
        self.trump.unwrap_or(Trump::None)
    }
}

/// The private state of one seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Own")]
pub struct PrivateState {
    /// The cards in hand.
    pub hand: Cards,
    /// The card that this seat has put aside as the bidder; null for all others, and before it does so.
    pub discard: Option<Card>,
}

/// What carries over from one deal to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    /// Number of deals played.
    pub deals: u16,
    /// The seat that deals next.
    pub dealer: Seat,
    /// Points of each seat so far.
    pub scores: PerSeat<i32>,
}

/// One deal, with all cards.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round {
    pub(super) table: PublicState,
    pub(super) own: PerSeat<PrivateState>,
    /// The card that was dealt to the middle.
    pub(super) kitty: Card,
    pub(super) rng: DealRng,
}

impl Round {
    /// Returns each hand at the first lead: the cards held and those played since.
    pub(super) fn hands(&self) -> PerSeat<Cards> {
        std::array::from_fn(|seat| self.own[seat].hand.or(self.table.play.played[seat]))
    }
}

/// What a seat may know.
pub type View<'a> = cardsharp_engine::game::View<'a, Round>;
