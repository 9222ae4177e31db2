//! Tricks: the course of play (cards, tricks, and what they prove about the hands), calling, playing cards,
//! announcing roem, opening hands.

use std::borrow::Cow;

use cardsharp_engine::hands::Positions;
use cardsharp_engine::{Seat, listed};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::auction::Kind;
use super::deck::{Card, Cards, Trump};
use super::follow::{self, Proof};
use super::roem::{claimant, due, true_roem};
use super::rules::RoemClaims;
use super::score;
use super::state::{Asked, PerSeat, PublicState, Round, SEATS, Stage, clockwise};

// The course of play.

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

    /// Returns the number of entries in [`Course::leaders`], 1 to 9: the tricks begun, including the one
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

/// Serializes [`Course::called`] as a list of trick numbers.
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
    pub struct Course {
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

impl Course {
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

// Calling, playing cards, announcing roem, opening hands.

/// Number of cards played when the bidder of an ouverte opens their hand.
const OUVERTE_OPENS: usize = 5;
/// Number of cards played when all hands of a praatje are opened.
const PRAATJE_OPENS: usize = 1;

/// Returns whether `seat` is the bidder, about to lead, and may call the asked card.
#[inline]
pub(super) fn may_call(table: &PublicState, seat: Seat, hand: Cards) -> bool {
    let Some(asked) = table.asked_card() else { return false };
    let play = &table.play;
    play.in_trick() == 0
        && !play.is_called()
        && table.auction.high == Some(seat)
        && table.partner.is_none()
        && hand.meets(asked.suit().cards())
}

/// Plays a card of the player whose turn it is.
#[inline(always)]
pub(super) fn play(round: &mut Round, card: Card) {
    let seat = round.table.turn;
    round.own[seat.index()].hand.remove(card);
    put(&mut round.table, card);
    if round.table.open.is_empty() {
        lay_open(round);
    }
    announce(round, seat, card);
}

/// Calls the asked card in the trick about to begin.
pub(super) fn call(table: &mut PublicState) {
    table.play.called |= 1 << table.play.trick();
}

/// Puts a card of the player whose turn it is on the table, without private state. Roem and open hands depend
/// on hands, so [`play`] adds them.
#[inline]
pub(super) fn put(table: &mut PublicState, card: Card) {
    let seat = table.turn;
    let Proof { lacks, refused, lone } = follow::proof(table, seat, card);
    let barred = bars_trump(table, card);
    let trump = table.trump();
    let play = &mut table.play;
    let who = seat.index();
    play.lacks[who] = play.lacks[who].or(lacks).or(proof_of_jack(play, trump, seat, card));
    play.refused[who] += u8::from(refused);
    if lone {
        play.lone.insert(seat.0);
    }
    let wins = match play.best_card() {
        None => true,
        Some(best) if best.suit() == card.suit() => best.above(trump).has(card),
        Some(_) => trump.is(card.suit()) && !barred,
    };
    if wins {
        play.best = seat;
    }
    play.played[who].insert(card);
    play.cards.push(card);
    table.shown[who].remove(card);
    if table.asked == Asked::Card(card) {
        table.partner = Some(seat);
    }
    if table.play.in_trick() == 0 {
        complete(table);
    }
    table.turn = clockwise(table.play.leader(), table.play.in_trick() as u8);
}

/// Returns the cards that a trump play rules out for a player whose trump jack, if held, is their only trump.
#[inline]
fn proof_of_jack(play: &Course, trump: Trump, seat: Seat, card: Card) -> Cards {
    match () {
        () if !play.lone.has(seat.0) || !trump.is(card.suit()) => Cards::NONE,
        () if trump.jack().has(card) => trump.cards(),
        () => trump.jack(),
    }
}

/// Returns whether the card cannot win as a trump, because a plain asked card is called in this trick.
#[inline]
fn bars_trump(table: &PublicState, card: Card) -> bool {
    table.play.is_called()
        && !table.rules.forced_trump_wins_called
        && table.play.led().is_some_and(|led| led.suit() != card.suit())
        && table.asked_card().is_some_and(|asked| !table.trump().is(asked.suit()))
}

/// Completes a trick: counts it, finds a zwabber's partner, and checks for the end of the deal.
fn complete(table: &mut PublicState) {
    let trump = table.trump();
    let play = &mut table.play;
    let (end, winner) = (play.cards.len(), play.best);
    play.leaders[end >> 2] = winner;
    play.won[winner.index()] += 1;
    let points: u8 = (end - SEATS..end).filter_map(|i| play.cards.get(i)).map(|card| card.value(trump)).sum();
    play.points[winner.index()] += points;
    let (Some(bidder), Some(kind)) = (table.auction.high, table.contract()) else { return };
    if kind == Kind::Zwabber && table.partner.is_none() && score::emerges(&table.play, bidder) {
        table.partner = Some(winner);
    }
    if end == PLAYS || table.rules.early_stop && score::is_lost(&table.play, kind, bidder) {
        table.stage = Stage::Over;
    }
}

/// Returns the hands that are open after the cards played so far.
#[inline]
pub(super) fn opens(table: &PublicState) -> Positions {
    let played = table.play.cards.len();
    match (table.contract(), table.auction.high) {
        (Some(Kind::Ouverte), Some(bidder)) if played >= OUVERTE_OPENS => Positions(1 << bidder.0),
        (Some(kind), _) if kind.is_praatje() && played >= PRAATJE_OPENS => Positions::first(SEATS as u8),
        _ => Positions(0),
    }
}

/// Opens hands when they are due.
#[inline]
fn lay_open(round: &mut Round) {
    round.table.open = opens(&round.table);
    for seat in round.table.open.iter().map(usize::from) {
        round.table.shown[seat] = round.own[seat].hand;
    }
}

/// Announces roem when it is due, or asks for a claim.
fn announce(round: &mut Round, seat: Seat, card: Card) {
    let Some(whose) = due(&round.table, seat, card) else { return };
    if round.table.rules.roem_claims == RoemClaims::Auto {
        let total = true_roem(&round.table, whose, &round.own[seat.index()], seat);
        round.table.roem[whose] = Some(total);
    } else {
        round.table.stage = Stage::Claim;
        round.table.turn = seat;
    }
}

/// Records a claim and continues the play.
pub(super) fn claim(table: &mut PublicState, points: u16) {
    table.roem[claimant(table)] = Some(points);
    table.stage = if table.play.trick() == HAND { Stage::Over } else { Stage::Play };
    table.turn = clockwise(table.play.leader(), table.play.in_trick() as u8);
}
