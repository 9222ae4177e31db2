//! What everybody knows, and what one seat knows besides.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::deck::{Card, Cards, Trump};
use super::ladder::{Bid, Kind};
use super::rules::{PLAYERS, Rules};
use crate::ground::Seat;
use crate::ground::hands::Positions;

/// Number of seats.
pub const SEATS: usize = PLAYERS as usize;
/// Cards each player is dealt, and tricks.
pub const HAND: usize = 8;
/// Cards played in a whole deal.
pub const PLAYS: usize = SEATS * HAND;

/// One value per seat.
pub type Each<T> = [T; SEATS];

/// All four seats.
pub const ALL_SEATS: Each<Seat> = [Seat(0), Seat(1), Seat(2), Seat(3)];

/// The seat `n` places clockwise from `seat`.
#[inline]
pub const fn clockwise(seat: Seat, n: u8) -> Seat {
    Seat((seat.0 + n) & 3)
}

/// How far the deal has come.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Who dares to bid first?
    Opening,
    /// Higher bids, or passes.
    Auction,
    /// The bidder has taken the kitty and puts a card aside.
    Discard,
    /// The bidder names trump.
    Trump,
    /// The bidder asks for a card, or plays alone.
    Ask,
    /// Cards are being played.
    Play,
    /// The bidder or the partner says how much roem he has.
    Claim,
    /// The deal is over.
    Over,
}

/// Who has bid what.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auction {
    /// The order in which the players may open.
    pub order: Each<Seat>,
    /// Who has held: did not want to speak first.
    pub held: Positions,
    /// Who has passed, for good.
    pub passed: Positions,
    /// The last bid of each seat.
    pub bids: Each<Option<Bid>>,
    /// Who made the highest bid; the bidder, once the auction is over.
    pub high: Option<Seat>,
}

/// Which card the bidder asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// None: not yet, or not a points contract.
    Nothing,
    /// None: he plays alone.
    Solo,
    /// This one; who holds it is his partner.
    Card(Card),
}

/// The cards played, in order; in text one after the other.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Plays {
    /// Number of cards played.
    len: u8,
    /// Card numbers; 0 beyond `len`.
    cards: [u8; PLAYS],
}

impl Plays {
    /// No cards.
    pub const NONE: Self = Self { len: 0, cards: [0; PLAYS] };

    /// Number of cards played, 0 to 32.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no card was played.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The card played as number `i` of the deal.
    #[inline]
    pub fn get(&self, i: usize) -> Option<Card> {
        if i < self.len() { Card::new(self.cards[i]) } else { None }
    }

    /// Adds a card; nothing beyond 32.
    #[inline]
    pub fn push(&mut self, card: Card) {
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

/// The course of play, and what it has shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The cards played, in order.
    pub cards: Plays,
    /// Who led to trick `t`, so also who won trick `t − 1`; seat 0 beyond the tricks begun.
    pub leaders: [Seat; HAND + 1],
    /// In which tricks the asked card was called, bit `t` for trick `t` (from 0).
    pub called: u8,
    /// Who is winning the trick; its leader while it is empty.
    pub best: Seat,
    /// The cards each seat has played.
    pub played: Each<Cards>,
    /// Tricks won by each seat.
    pub won: Each<u8>,
    /// Points in the tricks of each seat.
    pub points: Each<u8>,
    /// Cards that each seat has proven, or everybody saw, not to have in hand.
    pub lacks: Each<Cards>,
    /// How often each seat played another suit on a trump lead: a lone trump jack may stay in hand.
    pub refused: Each<u8>,
    /// Seats that hold no other trump if they hold the trump jack.
    pub lone: Positions,
}

impl Play {
    /// Before the play.
    pub const NONE: Self = Self {
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

    /// The number of the trick in play, from 0; 8 after the last one.
    #[inline]
    pub const fn trick(&self) -> usize {
        self.cards.len() >> 2
    }

    /// Cards in the trick, 0 to 3: with the fourth it is complete, and the next one begins.
    #[inline]
    pub const fn in_trick(&self) -> usize {
        self.cards.len() & 3
    }

    /// Who led, or leads, to the trick in play.
    #[inline]
    pub const fn leader(&self) -> Seat {
        self.leaders[self.trick()]
    }

    /// The card led to the trick in play.
    #[inline]
    pub fn led(&self) -> Option<Card> {
        self.cards.get(self.cards.len() & !3).filter(|_| self.in_trick() != 0)
    }

    /// The card that is winning the trick in play.
    #[inline]
    pub fn best_card(&self) -> Option<Card> {
        let place = usize::from((self.best.0 + SEATS as u8 - self.leader().0) & 3);
        self.cards.get((self.cards.len() & !3) + place).filter(|_| self.in_trick() != 0)
    }

    /// The card a seat has played to the trick in play.
    pub fn card_of(&self, seat: Seat) -> Option<Card> {
        let place = usize::from((seat.0 + SEATS as u8 - self.leader().0) & 3);
        self.cards.get((self.cards.len() & !3) + place).filter(|_| place < self.in_trick())
    }

    /// Whether the asked card is called in the trick in play.
    #[inline]
    pub const fn is_called(&self) -> bool {
        self.called >> (self.trick() & 7) & 1 == 1 && self.trick() < HAND
    }

    /// All cards played.
    #[inline]
    pub fn gone(&self) -> Cards {
        let [a, b, c, d] = self.played;
        a.or(b).or(c).or(d)
    }

    /// Who played the card with number `i` of the deal.
    #[inline]
    pub const fn player(&self, i: usize) -> Seat {
        clockwise(self.leaders[i >> 2], (i & 3) as u8)
    }
}

/// What everybody knows.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The rules of the session.
    pub rules: Rules,
    /// The number of the deal in the session, from 1.
    pub deal: u16,
    /// Points of each seat before this deal.
    pub scores: Each<i32>,
    /// Who dealt.
    pub dealer: Seat,
    /// How often this deal was dealt again because nobody opened.
    pub redeals: u8,
    /// How far the deal has come.
    pub stage: Stage,
    /// Who must act; meaningless once the deal is over.
    pub turn: Seat,
    /// Who has bid what.
    pub auction: Auction,
    /// The card from the middle, once the bidder has taken it.
    pub kitty: Option<Card>,
    /// What is trump, once that is settled.
    pub trump: Option<Trump>,
    /// What the bidder asked for.
    pub asked: Asked,
    /// The bidder's partner, once everybody knows him.
    pub partner: Option<Seat>,
    /// The roem that bidder and partner announced.
    pub roem: [Option<u16>; 2],
    /// Hands that lie face up.
    pub open: Positions,
    /// The cards in them.
    pub shown: Each<Cards>,
    /// The course of play.
    pub play: Play,
}

impl Table {
    /// The highest bid so far.
    #[inline]
    pub fn high(&self) -> Option<Bid> {
        self.auction.high.and_then(|seat| self.auction.bids[seat.index()])
    }

    /// Who won the auction; none while it lasts, or if nobody bid.
    #[inline]
    pub fn bidder(&self) -> Option<Seat> {
        self.auction.high.filter(|_| !matches!(self.stage, Stage::Opening | Stage::Auction))
    }

    /// What is being played for; none while the auction lasts, or if nobody bid.
    #[inline]
    pub fn contract(&self) -> Option<Kind> {
        self.bidder().and_then(|seat| self.auction.bids[seat.index()]).map(Bid::kind)
    }

    /// The asked card.
    #[inline]
    pub fn asked_card(&self) -> Option<Card> {
        match self.asked {
            Asked::Card(card) => Some(card),
            Asked::Nothing | Asked::Solo => None,
        }
    }

    /// What is trump; nothing until it is named.
    #[inline]
    pub fn trump(&self) -> Trump {
        self.trump.unwrap_or(Trump::None)
    }
}

/// What one seat knows besides the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// The cards in hand.
    pub hand: Cards,
    /// The card the bidder has put aside.
    pub discard: Option<Card>,
}
