//! Before the play: the ladder of bids, dealing, the opening, the auction, and what the bidder then decides.

use std::borrow::Cow;
use std::fmt;

use cardsharp_engine::Seat;
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::deck::{ACE, CARDS, Card, Cards, Suit, Trump};
use super::play::{Course, HAND};
use super::rules::{AllHold, AskScope, FirstLeader, MOST_REDEALS, OpeningOrder, PLAYERS, Rules, TrumpRule};
use super::state::{
    ALL_SEATS, Asked, Auction, PerSeat, PrivateState, PublicState, Round, SEATS, SessionState, Stage,
    clockwise,
};

// The ladder of bids.

/// Number of rungs of the ladder.
pub(super) const RUNGS: usize = 71;
/// The most points that can be bid.
pub(super) const MOST_POINTS: u16 = 710;

/// What a bid promises.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
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

/// The names of the contracts, in the order of [`Kind::number`].
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

impl Kind {
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
    pub const MISERE: Self = Self(8);
    pub const ZWABBER: Self = Self(13);
    pub const OUVERTE: Self = Self(16);
    pub const PRAATJE: Self = Self(67);
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
    pub const fn kind(self) -> Kind {
        let rung = self.0 as u16;
        match rung {
            0..=7 => Kind::Points(80 + 10 * rung),
            8 => Kind::Misere,
            9..=12 => Kind::Points(70 + 10 * rung),
            13 => Kind::Zwabber,
            14..=15 => Kind::Points(60 + 10 * rung),
            16 => Kind::Ouverte,
            67 => Kind::Praatje,
            68 => Kind::Prive,
            69 => Kind::PraatjeHand,
            70 => Kind::PriveHand,
            _ => Kind::Points(50 + 10 * rung),
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
            Kind::Points(points) => write!(f, "{points}"),
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

// Dealing, the opening and the auction.

/// The random part of a deal.
struct Dealt {
    own: PerSeat<PrivateState>,
    kitty: Card,
    order: PerSeat<Seat>,
}

/// Shuffles the deck and deals eight cards to each player. The kitty is the last card; any other would have
/// the same distribution.
fn shuffled(rules: &Rules, dealer: Seat, rng: &mut DealRng) -> Dealt {
    let mut cards: [u8; CARDS] = std::array::from_fn(|number| number as u8);
    let mut order = std::array::from_fn(|n| clockwise(dealer, n as u8 + 1));
    rng.draw(|draw| {
        draw.shuffle(&mut cards);
        if rules.opening_order == OpeningOrder::Random {
            draw.shuffle(&mut order);
        }
    });
    let own = std::array::from_fn(|seat| {
        let dealt = &cards[seat * HAND..(seat + 1) * HAND];
        PrivateState { hand: Cards(dealt.iter().fold(0, |hand, number| hand | 1 << number)), discard: None }
    });
    // All numbers are valid card numbers, so the default is never used.
    let kitty = Card::new(cards[CARDS - 1]).unwrap_or(Card::FIRST);
    Dealt { own, kitty, order }
}

/// Returns the auction before the first action.
const fn silent(order: PerSeat<Seat>) -> Auction {
    Auction { order, held: Positions(0), passed: Positions(0), bids: [None; SEATS], high: None }
}

/// Returns the public state before the first action.
pub(super) fn fresh_table(rules: &Rules, standing: &SessionState, order: PerSeat<Seat>) -> PublicState {
    PublicState {
        rules: *rules,
        deal: standing.deals + 1,
        scores: standing.scores,
        dealer: standing.dealer,
        redeals: 0,
        stage: Stage::Opening,
        turn: order[0],
        auction: silent(order),
        kitty: None,
        trump: None,
        asked: Asked::Nothing,
        partner: None,
        roem: [None; 2],
        open: Positions(0),
        shown: [Cards::NONE; SEATS],
        play: Course::NONE,
    }
}

pub(super) fn deal(rules: &Rules, standing: &SessionState, mut rng: DealRng) -> Round {
    let Dealt { own, kitty, order } = shuffled(rules, standing.dealer, &mut rng);
    Round { table: fresh_table(rules, standing, order), own, kitty, rng }
}

/// Plays a hold in the opening. If all players have held, the next dealer deals again or the round ends.
pub(super) fn hold(round: &mut Round) {
    let table = &mut round.table;
    table.auction.held.insert(table.turn.0);
    let spoken = table.auction.held.len() as usize;
    if spoken < SEATS {
        table.turn = table.auction.order[spoken];
    } else if table.rules.all_hold == AllHold::Redeal && table.redeals < MOST_REDEALS {
        deal_again(round);
    } else {
        table.stage = Stage::Over;
    }
}

/// Lets the next dealer deal again.
fn deal_again(round: &mut Round) {
    let table = &mut round.table;
    table.redeals += 1;
    table.dealer = clockwise(table.dealer, 1);
    let Dealt { own, kitty, order } = shuffled(&table.rules, table.dealer, &mut round.rng);
    table.auction = silent(order);
    table.turn = order[0];
    (round.own, round.kitty) = (own, kitty);
}

/// Plays a bid: the opening bid or a higher one.
pub(super) fn bid(table: &mut PublicState, bid: Bid) {
    table.stage = Stage::Auction;
    table.auction.bids[table.turn.index()] = Some(bid);
    table.auction.high = Some(table.turn);
    next_speaker(table);
}

/// Plays a pass, for the rest of the auction. After three passes the contract starts.
pub(super) fn pass(round: &mut Round) {
    round.table.auction.passed.insert(round.table.turn.0);
    if round.table.auction.passed.len() == u32::from(PLAYERS) - 1 {
        start_contract(round);
    } else {
        next_speaker(&mut round.table);
    }
}

/// Gives the turn to the next player clockwise who has neither passed nor made the highest bid.
fn next_speaker(table: &mut PublicState) {
    let auction = &table.auction;
    let speaks = |seat: &Seat| !auction.passed.has(seat.0) && auction.high != Some(*seat);
    let mut others = (1..PLAYERS).map(|n| clockwise(table.turn, n));
    if let Some(seat) = others.find(speaks) {
        table.turn = seat;
    }
}

// Between auction and play: kitty, discard, trump, and asking for a partner.

/// Ends the auction. The bidder takes the kitty face up, unless the contract is played from the hand.
fn start_contract(round: &mut Round) {
    let table = &mut round.table;
    let Some(bidder) = table.auction.high else { return };
    table.turn = bidder;
    table.stage = Stage::Discard;
    if table.contract().is_none_or(Kind::from_the_hand) {
        choose_trump(table);
        return;
    }
    take_kitty(table, round.kitty);
    round.own[bidder.index()].hand.insert(round.kitty);
}

/// Makes the kitty public. The table records that only the bidder can hold it.
pub(super) fn take_kitty(table: &mut PublicState, kitty: Card) {
    table.kitty = Some(kitty);
    for seat in ALL_SEATS {
        if table.auction.high != Some(seat) {
            table.play.lacks[seat.index()].insert(kitty);
        }
    }
}

/// Puts a card of the bidder aside.
pub(super) fn put_aside(round: &mut Round, card: Card) {
    let own = &mut round.own[round.table.turn.index()];
    own.hand.remove(card);
    own.discard = Some(card);
    choose_trump(&mut round.table);
}

/// Asks the bidder for trump, or sets no trump if the contract has none.
pub(super) fn choose_trump(table: &mut PublicState) {
    match table.contract().map(|kind| table.rules.trump_rule(kind)) {
        Some(TrumpRule::Named | TrumpRule::NamedOrNone) => table.stage = Stage::Trump,
        Some(TrumpRule::None) | None => name_trump(table, Trump::None),
    }
}

/// Sets trump. Points contracts continue with asking, the others with the first lead.
pub(super) fn name_trump(table: &mut PublicState, trump: Trump) {
    table.trump = Some(trump);
    if matches!(table.contract(), Some(Kind::Points(_))) {
        table.stage = Stage::Ask;
    } else {
        lead(table);
    }
}

/// Returns the cards that the bidder may ask for.
pub(super) fn askable(table: &PublicState, own: &PrivateState) -> Cards {
    let suits = Suit::ALL.into_iter().map(Suit::cards).filter(|&suit| own.hand.meets(suit));
    let mut cards = suits.fold(Cards::NONE, Cards::or).minus(own.hand);
    if let (Some(discard), false) = (own.discard, table.rules.ask_discard) {
        cards.remove(discard);
    }
    match table.rules.ask_scope {
        AskScope::AnyHeldSuit => cards,
        AskScope::AcesFirst => {
            let mut by_rank = (0..=ACE).rev().map(|rank| cards.and(Cards::of_rank(rank)));
            by_rank.find(|some| !some.is_empty()).unwrap_or(Cards::NONE)
        }
    }
}

/// Sets the card that the bidder asked for, or that they play alone. The table records that the bidder lacks
/// the asked card.
pub(super) fn ask(table: &mut PublicState, asked: Asked) {
    table.asked = asked;
    if let (Asked::Card(card), Some(bidder)) = (asked, table.auction.high) {
        table.play.lacks[bidder.index()].insert(card);
    }
    lead(table);
}

/// Starts the first trick.
fn lead(table: &mut PublicState) {
    let leader = match (table.rules.first_leader, table.auction.high) {
        (FirstLeader::Bidder, Some(bidder)) => bidder,
        _ => clockwise(table.dealer, 1),
    };
    table.stage = Stage::Play;
    table.turn = leader;
    table.play.leaders[0] = leader;
    table.play.best = leader;
}
