//! The four seats, the public state, the private state of one seat, and the round made of both.

use cardsharp_engine::game::{Contract, Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::schema::AllOptions;
use cardsharp_engine::{ActionId, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Move;
use super::auction::{self, Bid, CONTRACTS, Kind};
use super::deck::{Card, Cards, Trump};
use super::play::{self, Course, HAND};
use super::rules::{PLAYERS, Rules};
use super::score;

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
pub enum Asked {
    /// No card: the bidder has not asked yet, or the contract is not a points contract.
    Nothing,
    /// No card: the bidder plays solo.
    Solo,
    /// This card; its holder is the partner.
    Card(Card),
}

/// Serializes [`PublicState::roem`] with a field for each side.
mod roem_text {
    use schemars::JsonSchema;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// The roem that the bidder's side has announced.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(rename = "Roem")]
    pub(super) struct Form {
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
        Form { bidder, partner }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[Option<u16>; 2], D::Error> {
        let Form { bidder, partner } = Form::deserialize(deserializer)?;
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
    pub asked: Asked,
    /// The seat of the bidder's partner, once everybody knows it; null before that and without a partner.
    pub partner: Option<Seat>,
    /// The roem that bidder and partner announced.
    #[serde(with = "roem_text")]
    #[schemars(with = "roem_text::Form")]
    pub roem: [Option<u16>; 2],
    /// The seats with open hands.
    pub open: Positions,
    /// The cards in the open hand of each seat; empty for hidden hands.
    pub shown: PerSeat<Cards>,
    /// The state of play.
    pub play: Course,
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
    pub fn contract(&self) -> Option<Kind> {
        self.bidder().and_then(|seat| self.auction.bids[seat.index()]).map(Bid::kind)
    }

    /// The card that the bidder asked for, if any.
    #[inline]
    pub fn asked_card(&self) -> Option<Card> {
        match self.asked {
            Asked::Card(card) => Some(card),
            Asked::Nothing | Asked::Solo => None,
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

// `Play` for Tachtigen: deals, turns, and which module handles a move.

impl Play for Round {
    const NAME: &'static str = "tachtigen";
    const TITLE: &'static str = "Tachtigen";
    const VIEW: u32 = 3;
    const CONTRACTS: &'static [&'static str] = &CONTRACTS;
    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(_: &Rules, draw: &mut Draw) -> SessionState {
        SessionState { deals: 0, dealer: Seat(draw.below(u32::from(PLAYERS)) as u8), scores: [0; SEATS] }
    }

    fn deal(rules: &Rules, standing: &SessionState, rng: DealRng) -> Self {
        auction::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        Positions::first(PLAYERS)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.table.stage == Stage::Over { Turn::RoundOver } else { Turn::Decide(self.table.turn) }
    }

    #[inline]
    fn table(&self) -> &PublicState {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &PrivateState {
        &self.own[seat.index()]
    }

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        let Some(chosen) = Move::of(action) else { return };
        match chosen {
            Move::Play(card) => play::play(self, card),
            Move::Call => play::call(&mut self.table),
            Move::Discard(card) => auction::put_aside(self, card),
            Move::Ask(card) => auction::ask(&mut self.table, Asked::Card(card)),
            Move::Solo => auction::ask(&mut self.table, Asked::Solo),
            Move::Trump(trump) => auction::name_trump(&mut self.table, trump),
            Move::Bid(bid) => auction::bid(&mut self.table, bid),
            Move::Pass => auction::pass(self),
            Move::Hold => auction::hold(self),
            Move::Claim(claim) => play::claim(&mut self.table, claim.points()),
        }
    }

    fn settle(&self, standing: &mut SessionState) -> Payoff {
        score::settle(self, standing)
    }

    fn contract(&self) -> Option<Contract> {
        let (seat, kind) = (self.table.bidder()?, self.table.contract()?.number());
        score::outcome(self).map(|outcome| Contract { seat, kind, made: outcome.made })
    }
}
