//! What the two reference games share: poker for two with a deck of a few cards, one card each and
//! fixed bets.
//!
//! A game is a [`Variant`]: its deck and its stakes. Both players put in one chip and get a card. In
//! each betting round ([`betting`]) the player who is first that hand speaks first; whoever faces no
//! bet checks or bets, whoever faces one folds, calls, or raises while raises are left. Between two
//! betting rounds a card is turned up for both. At the end the better cards take the pot: a pair with
//! the card on the table before any card alone, then the higher card; equal cards share it.
//!
//! Points and rewards are the chips won or lost in the hand, one chip to one unit of reward.

pub mod betting;
pub mod cards;
mod check;
pub mod encoding;
mod narrate;
mod rules;
mod scripted;
pub mod table;
#[cfg(test)]
pub(crate) mod testing;

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::blocks::Block;
use crate::enumerate::Deal;
use crate::game::{self, ActionId, Character, Game, Payoff, Seat, Turn};
use crate::hands::Positions;
use crate::rng::{DealRng, Draw};
use betting::{Act, Betting, End, Stakes};
use cards::{Card, deck, worth};
use encoding::Legal;
pub use rules::Rules;
use table::{Own, SEATS, Table};

/// One of the games: its deck, its stakes and its encodings.
pub trait Variant: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The name used on the command line and in files.
    const NAME: &'static str;
    /// The name people use.
    const TITLE: &'static str;
    /// Suits of the deck, 1 or 2.
    const SUITS: u8;
    /// The betting rounds.
    const STAKES: Stakes;
    /// The cells of an observation row.
    const OBSERVATION: &'static [Block];
    /// The cells that only a critic sees.
    const HIDDEN: &'static [Block];
}

/// What a seat may know.
pub type View<'a, V> = game::View<'a, Round<V>>;

/// What one hand hands to the next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Hands played.
    pub hands: u16,
    /// Chips won so far by seat; they add up to 0.
    pub chips: [i32; SEATS],
}

/// One hand.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Round<V> {
    table: Table,
    own: [Own; SEATS],
    /// The card that is turned up after the first betting round, if the game has two.
    board: Option<Card>,
    variant: PhantomData<fn() -> V>,
}

impl<V: Variant> Round<V> {
    fn new(rules: Rules, hand: u16, cards: [Card; SEATS], board: Card) -> Self {
        Self {
            table: Table::begin(rules, V::SUITS, hand),
            own: cards.map(|card| Own { card }),
            board: (V::STAKES.bets.len() > 1).then_some(board),
            variant: PhantomData,
        }
    }

    /// How the betting stands.
    fn betting(&self) -> Betting {
        betting::<V>(&self.table)
    }

    /// Chips won or lost by seat; none while the hand is played.
    fn result(&self) -> Option<[i32; SEATS]> {
        let betting = self.betting();
        let put = |place: usize| i32::from(betting.put[place]);
        let worth = |place: usize| worth(self.own[self.table.seat(place).index()].card, self.board);
        // What the player who speaks first gains.
        let gain = match betting.end? {
            End::Folded(0) => -put(0),
            End::Folded(_) => put(1),
            End::Showdown if worth(0) > worth(1) => put(1),
            End::Showdown if worth(0) < worth(1) => -put(0),
            End::Showdown => 0,
        };
        let first = self.table.seat(0).index();
        Some(std::array::from_fn(|seat| if seat == first { gain } else { -gain }))
    }
}

/// How the betting stands at a table whose actions are legal.
fn betting<V: Variant>(table: &Table) -> Betting {
    Betting::after(&V::STAKES, table.acts.as_slice()).unwrap_or(Betting::BEGIN)
}

impl<V: Variant> Game for Round<V> {
    const NAME: &'static str = V::NAME;
    const TITLE: &'static str = V::TITLE;
    const REFERENCE: bool = true;
    const ENCODING: u32 = 1;
    const ACTIONS: &'static [Block] = encoding::ACTIONS;
    const OBSERVATION: &'static [Block] = V::OBSERVATION;
    const HIDDEN: &'static [Block] = V::HIDDEN;

    type Rules = Rules;
    type Standing = Standing;
    type Table = Table;
    type Own = Own;
    type Legal = Legal;

    fn seating(_: &Rules, _: &mut Draw) -> Standing {
        Standing { hands: 0, chips: [0; SEATS] }
    }

    fn deal(rules: &Rules, standing: &Standing, mut rng: DealRng) -> Self {
        let mut cards = deck(V::SUITS);
        rng.draw(|draw| draw.shuffle(cards.as_mut_slice()));
        let [a, b, board, ..] = cards.cards;
        Self::new(*rules, standing.hands + 1, [a, b], board)
    }

    fn deals(rules: &Rules) -> Option<Vec<Deal<Self>>> {
        let deck = deck(V::SUITS);
        let cards = deck.as_slice();
        let mut rounds = Vec::new();
        for &a in cards {
            for &b in cards.iter().filter(|&&b| b != a) {
                // Without a card to turn up, one of the others stands for all of them.
                let boards = cards.iter().filter(|&&board| board != a && board != b);
                let count = if V::STAKES.bets.len() > 1 { cards.len() - 2 } else { 1 };
                rounds.extend(boards.take(count).map(|&board| Self::new(*rules, 1, [a, b], board)));
            }
        }
        let probability = 1.0 / rounds.len() as f64;
        Some(rounds.into_iter().map(|round| Deal { probability, round }).collect())
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

    fn table(&self) -> &Table {
        &self.table
    }

    fn own(&self, seat: Seat) -> &Own {
        &self.own[seat.index()]
    }

    fn legal(view: View<'_, V>) -> Legal {
        encoding::legal(view)
    }

    fn is_legal(view: View<'_, V>, action: ActionId) -> bool {
        check::is_legal(view, action)
    }

    fn observe(view: View<'_, V>, row: &mut [u8]) {
        encoding::observe(view, row);
    }

    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        encoding::reveal(self, seat, row);
    }

    fn redeal(view: View<'_, V>, mut rng: DealRng) -> Self {
        let mut cards = deck(V::SUITS);
        cards.remove(view.own.card);
        view.table.board.iter().for_each(|&card| cards.remove(card));
        rng.draw(|draw| draw.shuffle(cards.as_mut_slice()));
        let [theirs, hidden, ..] = cards.cards;
        let mut own = [Own { card: theirs }; SEATS];
        own[view.seat.index()] = *view.own;
        let board = (V::STAKES.bets.len() > 1).then(|| view.table.board.unwrap_or(hidden));
        Self { table: *view.table, own, board, variant: PhantomData }
    }

    fn play(&mut self, action: ActionId) {
        self.table.acts.push(Act::of(action));
        if self.betting().street > 0 {
            self.table.board = self.board;
        }
    }

    fn settle(&self, standing: &mut Standing) -> Payoff {
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

    fn phase(&self) -> &'static str {
        "betting"
    }

    fn label(table: Option<&Table>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(narrate::word(table.map(betting::<V>), Act::of(action)))
    }

    fn is_public(_: ActionId) -> bool {
        true
    }

    fn scripted(view: View<'_, V>) -> ActionId {
        scripted::choose(view, 0)
    }

    fn character(view: View<'_, V>, character: Character) -> ActionId {
        scripted::choose(view, scripted::shift(character))
    }

    fn describe_deal(&self) -> Option<serde_json::Value> {
        Some(narrate::describe_deal(self))
    }

    fn events(before: Option<&Self>, after: &Self) -> Vec<serde_json::Value> {
        narrate::events(before, after)
    }

    fn check_view(view: View<'_, V>) -> Result<(), crate::games::ViewError> {
        check::check_view(view)
    }

    fn audit(&self) -> Result<(), String> {
        check::audit(self)
    }

    fn picture(view: View<'_, V>) -> String {
        narrate::picture(view)
    }
}
