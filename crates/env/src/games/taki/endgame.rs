//! Endgames: games of two under way in which all cards but a few lie on the discard pile.

use serde::Deserialize;
use serde_json::Value;

use super::deck::{self, Card, Cards};
use super::rules::{Mode, Rules};
use super::state::{Log, Round, Standing};
use super::table::{Answer, Own, SEATS, Table};
use super::{chosen, ending, opening};
use crate::game::{self, Actions, Chosen, Deal, DealError, Deals, Play, Turn};
use crate::ground::Seat;
use crate::ground::mask::{self, Mask};
use crate::ground::rng::DealRng;
use crate::ground::rules::{Rules as _, RulesError};

/// Players of an endgame.
const PLAYERS: usize = 2;

/// Where an endgame begins: a game of two under way in which all cards but a few lie on the discard pile, so
/// that it is small enough to be written down whole ([`crate::enumerate`]) and solved. Seat 0 is to play, and
/// nobody has proven anything about his cards.
///
/// Nothing in it is special but where the cards lie: rounds, rules and views are those of the game.
/// What keeps it finite is the game's own `max_decisions`, which cuts a game off and ranks it by cards
/// left; and no play that the rules allow may need the discards shuffled into a new draw pile, which
/// would be chance beyond the deal. [`Endgame::deals`] refuses endgames in which one does.
///
/// In a file an endgame says which card lies on `top`, which cards are `unseen`, and how many of them each
/// `hand` has; its rules stand elsewhere.
#[derive(Copy, Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endgame {
    /// The card on top of the discard pile, a colored one. Its action has been played out.
    #[serde(with = "deck::card_text")]
    pub top: Card,
    /// The cards in hands and draw pile: at least those of the hands, not the one on top.
    pub unseen: Cards,
    /// Cards in each hand, at least 1.
    pub hand: u8,
}

/// Why an endgame cannot be written down.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndgameError {
    /// The rules are refused.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Not a single game of two.
    #[error(
        "an endgame is a single game of 2 players; expected rules with `players = 2` and `mode = \"single\"`"
    )]
    Game,
    /// The cards do not make an endgame.
    #[error(
        "{unseen} unseen cards with hands of {hand} below `{top}`: expected a colored card on top that is not among the \
         unseen cards, hands that these fill, and a number besides it on the discard pile"
    )]
    Cards {
        /// How many cards are unseen.
        unseen: u32,
        /// Cards in each hand.
        hand: u8,
        /// The card on top.
        top: &'static str,
    },
    /// A play would shuffle the discards.
    #[error(
        "a play draws more than the {pile} cards of the draw pile: expected more unseen cards, or a smaller \
         `max_decisions`"
    )]
    Reshuffled {
        /// Cards in the draw pile at the beginning.
        pile: u32,
    },
}

/// A way in which the cards may lie, as far as anybody has to know.
#[derive(Clone)]
struct Lie {
    probability: f64,
    hands: [Cards; PLAYERS],
    /// The draw pile from the top down, as far as it is settled.
    settled: Vec<Card>,
    /// The cards below.
    below: Cards,
}

impl Endgame {
    /// Every way in which the unseen cards can lie, each once, in a single game of two by `rules`. The
    /// draw pile is told apart only as far down as some play can draw from it.
    ///
    /// # Errors
    /// The rules are refused, the cards make no endgame, or a play would shuffle the discards.
    pub fn deals(&self, rules: &Rules) -> Result<Vec<Deal<Round>>, EndgameError> {
        rules.check()?;
        if usize::from(rules.players) != PLAYERS || rules.mode != Mode::Single {
            return Err(EndgameError::Game);
        }
        let table = self.table(rules).ok_or_else(|| EndgameError::Cards {
            unseen: self.unseen.total(),
            hand: self.hand,
            top: deck::card_name(self.top),
        })?;
        let mut lies = Vec::new();
        for (first, ways) in hands(&self.unseen, self.hand) {
            let left = self.unseen.without(&first);
            for (second, more) in hands(&left, self.hand) {
                let below = left.without(&second);
                lies.push(Lie {
                    probability: ways * more,
                    hands: [first, second],
                    settled: Vec::new(),
                    below,
                });
            }
        }
        let all: f64 = lies.iter().map(|lie| lie.probability).sum();
        let mut deals = Vec::new();
        // The last one first, as a stack; its order is that of hands and cards.
        lies.reverse();
        while let Some(lie) = lies.pop() {
            let round = self.round(&table, &lie);
            if !draws_below(&round, lie.below.total()) {
                deals.push(Deal { probability: lie.probability / all, round });
                continue;
            }
            let below = lie.below.total();
            if below == 0 {
                return Err(EndgameError::Reshuffled { pile: u32::from(table.pile) });
            }
            for card in deck::kinds().filter(|&card| lie.below.has(card)) {
                let mut next = lie.clone();
                next.probability *= f64::from(lie.below.count(card)) / f64::from(below);
                next.settled.push(card);
                next.below.remove(card);
                lies.push(next);
            }
        }
        Ok(deals)
    }

    /// What everybody knows; none if the cards make no endgame.
    fn table(&self, rules: &Rules) -> Option<Table> {
        let gone = Cards::ALL.without(&self.unseen);
        let held = PLAYERS as u32 * u32::from(self.hand);
        let (color, symbol) = deck::parts(self.top)?;
        let mut laid = gone;
        if self.hand == 0 || self.unseen.total() < held || !gone.has(self.top) {
            return None;
        }
        laid.remove(self.top);
        let number = |card: &Card| deck::parts(*card).is_some_and(|(_, symbol)| symbol.is_number());
        let first = laid.cards().find(number)?;
        laid.remove(first);
        let mut table = opening::fresh_table(rules, &ending::FRESH);
        // All has been drawn and laid in turns; the card on top by seat 1, before seat 0's turn.
        for (number, card) in laid.cards().enumerate() {
            table.laid[number % PLAYERS].add(card);
        }
        table.laid[1].add(self.top);
        for seat in 0..PLAYERS {
            table.sizes[seat] = self.hand;
            table.drawn[seat] = self.hand + table.laid[seat].total() as u8;
        }
        (table.color, table.symbol, table.top) = (color, Some(symbol), self.top);
        (table.first, table.discards) = (first, gone);
        table.stock = Cards::ALL.without(&Cards::one(first));
        table.pile = (self.unseen.total() - held) as u8;
        Some(table)
    }

    fn round(&self, table: &Table, lie: &Lie) -> Round {
        let mut own = [Own::NONE; SEATS];
        for (seat, &hand) in lie.hands.iter().enumerate() {
            own[seat] = Own { hand, drew: hand.with(&table.laid[seat]), answer: Answer::Nothing };
        }
        let mut pile = [0; deck::DECK];
        let cards = lie.below.cards().chain(lie.settled.iter().rev().copied());
        pile.iter_mut().zip(cards).for_each(|(place, card)| *place = card);
        // Nothing is drawn from it: no play shuffles.
        let rng = DealRng::new(0, 0);
        Round { table: *table, own, asked: Seat(0), pile, log: Log::default(), rng }
    }
}

impl Deals for Round {
    fn endgame(rules: &Rules, cards: &Value) -> Result<Vec<Deal<Self>>, game::EndgameError> {
        let told =
            Endgame::deserialize(cards).map_err(|source| game::EndgameError::Refused(source.to_string()))?;
        told.deals(rules).map_err(|refused| game::EndgameError::Refused(refused.to_string()))
    }

    fn dealt(
        rules: &Rules,
        standing: &mut Standing,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        chosen::dealt(rules, standing, deal, rng)
    }
}

/// All hands of `size` cards out of `from`, with the number of ways to pick them.
fn hands(from: &Cards, size: u8) -> Vec<(Cards, f64)> {
    let mut found = vec![(Cards::NONE, 1.0)];
    for card in deck::kinds().filter(|&card| from.has(card)) {
        let copies = from.count(card);
        let mut more = Vec::new();
        for (hand, ways) in found {
            // Of `copies` cards `taken` can be picked in so many ways.
            let (mut hand, mut ways) = (hand, ways);
            for taken in 0..=copies {
                more.push((hand, ways));
                if taken < copies {
                    hand.add(card);
                    ways = ways * f64::from(copies - taken) / f64::from(taken + 1);
                }
            }
        }
        found = more;
    }
    found.retain(|(hand, _)| hand.total() == u32::from(size));
    found
}

/// Whether some play leaves fewer than `below` cards in the draw pile, or shuffles.
fn draws_below(round: &Round, below: u32) -> bool {
    if round.table.recycles > 0 || u32::from(round.table.pile) < below {
        return true;
    }
    let Turn::Decide(seat) = round.turn() else { return false };
    mask::actions(Round::legal(round.view(seat)).words()).any(|action| {
        let mut next = *round;
        next.play(action);
        draws_below(&next, below)
    })
}
