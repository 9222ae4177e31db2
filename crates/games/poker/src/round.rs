//! One hand: its rules, its state, dealing, playing, the list of all deals, and the scripted player.

use std::marker::PhantomData;

use cardsharp_engine::game::{
    Character, Chosen, DealError, Deals, Determinize, Foresee, Habits, Payoff, Play, PossibleDeal, Scripted,
    Turn,
};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::rules::AllOptions;
use cardsharp_engine::rules::{OptionDoc, RulesError};
use cardsharp_engine::{ActionId, List, Seat, options};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::betting::{Act, Betting, HandEnd};
use super::cards::{Card, RANKS, deck, worth};
use super::{Variant, View};

// The rules options: only the length of a session.

/// Number of seats in every variant.
pub const SEATS: usize = 2;

options! {
    /// The rules of a session.
    Rules {
        /// Number of players, always two.
        players: u8 = SEATS as u8, whole(2..=2);
        /// Hands in a session. Seat 0 acts first in the first hand; then the seats alternate.
        hands: u16 = 2, whole(1..=1000), drawn(|draw| 1 + draw.below(6) as u16);
    }
}

impl cardsharp_engine::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = Self::OPTIONS;
    const ROUNDS_OPTION: &'static str = "hands";

    fn check(&self) -> Result<(), RulesError> {
        self.in_range()
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn rounds(&self) -> u32 {
        u32::from(self.hands)
    }

    fn random(draw: &mut Draw) -> Self {
        Self::drawn(draw)
    }
}

// The public state of a hand and the private state of one seat.

/// The most acts in a hand of any variant.
pub const MOST_ACTS: usize = 8;

/// What both players see.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Table")]
pub struct PublicState {
    /// The rules of the session.
    #[schemars(with = "AllOptions<Rules>")]
    pub rules: Rules,
    /// Number of suits in the deck: 1 in Kuhn poker, 2 in Leduc poker.
    pub suits: u8,
    /// The number of the hand in the session, from 1.
    pub hand: u16,
    /// The acts of this hand so far, in order.
    pub acts: List<Act, MOST_ACTS>,
    /// The card that was turned up; null if there is none.
    pub board: Option<Card>,
}

impl PublicState {
    /// Returns the table before the first act.
    pub(super) fn begin(rules: Rules, suits: u8, hand: u16) -> Self {
        Self { rules, suits, hand, acts: List::default(), board: None }
    }

    /// Returns the seat that acts first (place 0) or second (place 1) in this hand.
    pub fn seat(&self, place: usize) -> Seat {
        Seat(((place + usize::from(self.hand) + 1) % SEATS) as u8)
    }

    /// Returns the place of `seat` in this hand: 0 acts first, 1 second.
    pub fn place(&self, seat: Seat) -> usize {
        (seat.index() + usize::from(self.hand) + 1) % SEATS
    }
}

/// The private state of one seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Own")]
pub struct PrivateState {
    /// The card in hand.
    pub card: Card,
}

// The complete state of a hand.

/// What the next hand needs to know about the hands before.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    /// Number of hands played so far.
    pub hands: u16,
    /// Chips won so far, by seat. Their sum is 0.
    pub chips: [i32; SEATS],
}

/// One hand, with all cards.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round<V> {
    pub(super) table: PublicState,
    pub(super) own: [PrivateState; SEATS],
    /// The card turned up after the first betting round; `None` in a game with one betting round.
    pub(super) board: Option<Card>,
    pub(super) variant: PhantomData<fn() -> V>,
}

impl<V: Variant> Round<V> {
    pub(super) fn new(rules: Rules, hand: u16, cards: [Card; SEATS], board: Card) -> Self {
        Self {
            table: PublicState::begin(rules, V::SUITS, hand),
            own: cards.map(|card| PrivateState { card }),
            board: (V::STAKES.bets.len() > 1).then_some(board),
            variant: PhantomData,
        }
    }

    /// Returns the state of the betting.
    pub(super) fn betting(&self) -> Betting {
        betting::<V>(&self.table)
    }

    /// Returns the chips won or lost by seat; `None` until the hand is over.
    fn result(&self) -> Option<[i32; SEATS]> {
        let betting = self.betting();
        let put = |place: usize| i32::from(betting.put[place]);
        let worth = |place: usize| worth(self.own[self.table.seat(place).index()].card, self.board);
        // The gain of the player who acts first.
        let gain = match betting.end? {
            HandEnd::Folded(0) => -put(0),
            HandEnd::Folded(_) => put(1),
            HandEnd::Showdown if worth(0) > worth(1) => put(1),
            HandEnd::Showdown if worth(0) < worth(1) => -put(0),
            HandEnd::Showdown => 0,
        };
        let first = self.table.seat(0).index();
        Some(std::array::from_fn(|seat| if seat == first { gain } else { -gain }))
    }
}

/// Returns the state of the betting at a table with legal actions.
pub(super) fn betting<V: Variant>(table: &PublicState) -> Betting {
    Betting::after(&V::STAKES, table.acts.as_slice()).unwrap_or(Betting::BEGIN)
}

impl<V: Variant> Play for Round<V> {
    const NAME: &'static str = V::NAME;
    const TITLE: &'static str = V::TITLE;
    const REFERENCE: bool = true;
    const UNIT: &'static str = "chips";
    const VIEW: u32 = 2;

    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(_: &Rules, _: &mut Draw) -> SessionState {
        SessionState { hands: 0, chips: [0; SEATS] }
    }

    fn deal(rules: &Rules, standing: &SessionState, mut rng: DealRng) -> Self {
        let mut cards = deck(V::SUITS);
        rng.draw(|draw| draw.shuffle(cards.as_mut_slice()));
        let [a, b, board, ..] = cards.cards;
        Self::new(*rules, standing.hands + 1, [a, b], board)
    }

    fn present(&self) -> Positions {
        Positions::first(SEATS as u8)
    }

    fn turn(&self) -> Turn {
        let betting = self.betting();
        match betting.end {
            Some(_) => Turn::RoundOver,
            None => Turn::Decide(self.table.seat(betting.next)),
        }
    }

    fn table(&self) -> &PublicState {
        &self.table
    }

    fn own(&self, seat: Seat) -> &PrivateState {
        &self.own[seat.index()]
    }

    fn play(&mut self, action: ActionId) {
        self.table.acts.push(Act::of(action));
        if self.betting().street > 0 {
            self.table.board = self.board;
        }
    }

    fn settle(&self, standing: &mut SessionState) -> Payoff {
        let points = self.result().unwrap_or_default();
        let mut payoff = Payoff { seats: SEATS as u8, ..Payoff::default() };
        for (seat, &points) in points.iter().enumerate() {
            payoff.place[seat] = if points < 0 { 2 } else { 1 };
            payoff.points[seat] = points;
            payoff.reward[seat] = points as f32;
            standing.chips[seat] += points;
        }
        standing.hands = self.table.hand;
        payoff
    }
}

impl<V: Variant> Deals for Round<V> {
    fn deals(rules: &Rules) -> Option<Vec<PossibleDeal<Self>>> {
        let deck = deck(V::SUITS);
        let cards = deck.as_slice();
        let mut rounds = Vec::new();
        for &a in cards {
            for &b in cards.iter().filter(|&&b| b != a) {
                // If the game turns up no card, the third card does not matter: list each pair of hands once.
                let boards = cards.iter().filter(|&&board| board != a && board != b);
                let count = if V::STAKES.bets.len() > 1 { cards.len() - 2 } else { 1 };
                rounds.extend(boards.take(count).map(|&board| Self::new(*rules, 1, [a, b], board)));
            }
        }
        let probability = 1.0 / rounds.len() as f64;
        Some(rounds.into_iter().map(|round| PossibleDeal { probability, round }).collect())
    }

    fn dealt(
        rules: &Rules,
        standing: &mut SessionState,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        let mut cards = deck(V::SUITS);
        let mut take = |card: Card| {
            let there = cards.as_slice().contains(&card);
            cards.remove(card);
            there.then_some(()).ok_or_else(|| format!("{card} is not in the deck, or occurs twice"))
        };
        let hands = deal.hands(SEATS, |_, text| {
            let card: Card = text.parse()?;
            take(card).map(|()| card)
        })?;
        let board: Option<Card> = deal.read::<Option<Card>>("board")?.flatten();
        board.map_or(Ok(()), &mut take).map_err(|problem| format!("`board`: {problem}"))?;
        rng.beside().draw(|draw| draw.shuffle(cards.as_mut_slice()));
        let mut others = cards.as_slice().iter().copied();
        let mut dealt = hands.into_iter().chain([board]).map(|card| card.or_else(|| others.next()));
        let mut next = || dealt.next().flatten().unwrap_or_default();
        let hands = [next(), next()];
        Ok(Self::new(*rules, standing.hands + 1, hands, next()))
    }
}

impl<V: Variant> Foresee for Round<V> {}

impl<V: Variant> Habits for Round<V> {}

// Determinizing: draws the other player's card and the one to be turned up, consistent with a view.

impl<V: Variant> Determinize for Round<V> {
    fn determinize(view: View<'_, V>, mut rng: DealRng) -> Option<Self> {
        let mut cards = deck(V::SUITS);
        cards.remove(view.own.card);
        view.table.board.iter().for_each(|&card| cards.remove(card));
        rng.draw(|draw| draw.shuffle(cards.as_mut_slice()));
        let [theirs, hidden, ..] = cards.cards;
        let mut own = [PrivateState { card: theirs }; SEATS];
        own[view.seat.index()] = *view.own;
        let board = (V::STAKES.bets.len() > 1).then(|| view.table.board.unwrap_or(hidden));
        Some(Self { table: *view.table, own, board, variant: PhantomData })
    }
}

// The scripted player: bets with good hands, calls with fair ones, and never bluffs.

impl<V: Variant> Scripted for Round<V> {
    fn scripted(view: View<'_, V>) -> ActionId {
        choose(view, 0)
    }

    fn character(view: View<'_, V>, character: Character) -> ActionId {
        choose(view, shift(character))
    }
}

/// Returns how many ranks higher a hand must be for this character than for the scripted player.
const fn shift(character: Character) -> i32 {
    match character {
        Character::Cautious => 1,
        Character::Aggressive => -1,
    }
}

/// Returns the move for a view with a decision. Hands must be `shift` ranks higher than usual to count as
/// good or fair.
fn choose<V: Variant>(view: View<'_, V>, shift: i32) -> ActionId {
    let betting = betting::<V>(view.table);
    let hand = worth(view.own.card, view.table.board) as i32 - shift;
    let king = RANKS as i32 - 1;
    // Once a card is turned up, a pair may beat a lone king.
    let (good, fair) = if betting.street == 0 { (king, king - 1) } else { (king + 1, king) };
    let wanted = match hand {
        hand if hand >= good => Act::Raise,
        hand if hand >= fair || !betting.faces_bet() => Act::Call,
        _ => Act::Fold,
    };
    if betting.allows(&V::STAKES, wanted) { wanted.id() } else { Act::Call.id() }
}
