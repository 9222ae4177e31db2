//! The ladder of bids: what can be bid, and what each contract promises.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Number of rungs of the ladder.
pub(super) const RUNGS: usize = 71;
/// The most points that can be bid.
pub(super) const MOST_POINTS: u16 = 710;

/// What a bid promises.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BidKind {
    /// At least this many points, with a partner or alone.
    Points(u16),
    /// The bidder may not win any trick.
    Misere,
    /// The first five tricks or more. The winner of the next trick becomes the partner and must win all the
    /// rest.
    Zwabber,
    /// No trick, with an open hand from the second trick on.
    Ouverte,
    /// No trick, with all hands open after the first card.
    Praatje,
    /// The bidder must win all tricks.
    Prive,
    /// A praatje from the hand: the kitty stays on the table.
    PraatjeHand,
    /// A privé from the hand.
    PriveHand,
}

/// The names of the contracts, in the order of [`BidKind::number`].
pub(super) const CONTRACTS: [&str; 8] = [
    "points",
    "misere",
    "zwabber",
    "ouverte",
    "praatje",
    "prive",
    "praatje uit de hand",
    "prive uit de hand",
];

impl BidKind {
    /// Whether the kitty stays on the table, unseen.
    pub const fn from_the_hand(self) -> bool {
        matches!(self, Self::PraatjeHand | Self::PriveHand)
    }

    /// Whether the bidder must not take a trick.
    pub const fn is_misere(self) -> bool {
        matches!(self, Self::Misere | Self::Ouverte | Self::Praatje | Self::PraatjeHand)
    }

    /// Whether all hands are laid open.
    pub const fn is_praatje(self) -> bool {
        matches!(self, Self::Praatje | Self::PraatjeHand)
    }

    /// Whether the bidder must take every trick.
    pub const fn is_prive(self) -> bool {
        matches!(self, Self::Prive | Self::PriveHand)
    }

    /// The value of a fixed contract in points; 0 for points contracts.
    pub const fn worth(self) -> i32 {
        match self {
            Self::Points(_) => 0,
            Self::Misere => 50,
            Self::Zwabber => 60,
            Self::Ouverte => 80,
            Self::Praatje => 100,
            Self::Prive => 120,
            Self::PraatjeHand => 150,
            Self::PriveHand => 180,
        }
    }

    /// The contract's number: 0 for points, 1 to 7 for the fixed contracts in the order of the ladder.
    pub const fn number(self) -> usize {
        match self {
            Self::Points(_) => 0,
            Self::Misere => 1,
            Self::Zwabber => 2,
            Self::Ouverte => 3,
            Self::Praatje => 4,
            Self::Prive => 5,
            Self::PraatjeHand => 6,
            Self::PriveHand => 7,
        }
    }
}

/// A rung of the ladder. From the lowest: 80 to 150, misère, 160 to 190, zwabber, 200, 210, ouverte, 220 to
/// 710, praatje, privé, praatje from the hand, privé from the hand. In text, the points or the contract's
/// name without accents.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bid(u8);

impl Bid {
    /// The lowest bid: 80.
    pub const LOWEST: Self = Self(0);
    /// The bid of [`BidKind::Misere`].
    pub const MISERE: Self = Self(8);
    /// The bid of [`BidKind::Zwabber`].
    pub const ZWABBER: Self = Self(13);
    /// The bid of [`BidKind::Ouverte`].
    pub const OUVERTE: Self = Self(16);
    /// The bid of [`BidKind::Praatje`].
    pub const PRAATJE: Self = Self(67);
    /// The bid of [`BidKind::Prive`].
    pub const PRIVE: Self = Self(68);
    /// Praatje from the hand.
    pub const PRAATJE_HAND: Self = Self(69);
    /// Privé from the hand, the highest bid.
    pub const PRIVE_HAND: Self = Self(70);

    /// Returns the bid on this rung, 0 to 70.
    pub const fn new(rung: u8) -> Option<Self> {
        if (rung as usize) < RUNGS { Some(Self(rung)) } else { None }
    }

    /// Returns the bid of this many points, a multiple of ten from 80 to 710.
    pub const fn points(points: u16) -> Option<Self> {
        if points < 80 || points > MOST_POINTS || !points.is_multiple_of(10) {
            return None;
        }
        let tens = (points / 10) as u8;
        Some(Self(match tens {
            8..=15 => tens - 8,
            16..=19 => tens - 7,
            20..=21 => tens - 6,
            _ => tens - 5,
        }))
    }

    /// The rung, 0 to 70.
    #[inline]
    pub const fn rung(self) -> usize {
        self.0 as usize
    }

    /// What the bid promises.
    #[inline]
    pub const fn kind(self) -> BidKind {
        let rung = self.0 as u16;
        match rung {
            0..=7 => BidKind::Points(80 + 10 * rung),
            8 => BidKind::Misere,
            9..=12 => BidKind::Points(70 + 10 * rung),
            13 => BidKind::Zwabber,
            14..=15 => BidKind::Points(60 + 10 * rung),
            16 => BidKind::Ouverte,
            67 => BidKind::Praatje,
            68 => BidKind::Prive,
            69 => BidKind::PraatjeHand,
            70 => BidKind::PriveHand,
            _ => BidKind::Points(50 + 10 * rung),
        }
    }

    /// All bids in ascending order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..RUNGS as u8).map(Self)
    }
}

/// Returns the bids that the rules allow if points go up to `most`, one bit for each rung.
#[inline]
pub(super) const fn up_to(most: u16) -> u128 {
    let specials = 0b1111_u128 << 67;
    match Bid::points(most) {
        Some(Bid(rung)) => specials | ((1 << (rung + 1)) - 1),
        None => specials | ((1 << 67) - 1),
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            BidKind::Points(points) => write!(f, "{points}"),
            fixed => f.write_str(CONTRACTS[fixed.number()]),
        }
    }
}

impl Serialize for Bid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Bid {
    fn schema_name() -> Cow<'static, str> {
        "Bid".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<String> = Self::all().map(|bid| bid.to_string()).collect();
        json_schema!({ "description": "A bid: points, or a contract by its name.", "enum": names })
    }
}

impl<'de> Deserialize<'de> for Bid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom(format!("`{text}` is not a bid"));
        Self::all().find(|bid| bid.to_string() == text).ok_or_else(wrong)
    }
}
