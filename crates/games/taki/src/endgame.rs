//! Exact play. Endgames: positions of a two-player game with few unseen cards. All other cards are on the
//! discard pile. Foresight for the exact search: within its own turn, a seat can predict everything that its
//! cards do.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{
    self, Actions, Chosen, DealError, Deals, Foresee, Foresight, Key, Play, PossibleDeal, Turn, View,
};
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::{Rules as _, RulesError};
use serde::Deserialize;
use serde_json::Value;

use super::deck::{self, Card, Cards};
use super::opening;
use super::rules::{Mode, Plus3Last, Rules};
use super::state::{
    ActionResults, Answer, GameEnd, PrivateState, PublicState, Round, SEATS, SessionState, Stage,
};

/// Players of an endgame.
const PLAYERS: usize = 2;

/// The start of the recursion in `each_hand`: an empty hand and the number of ways to pick it.
const NOTHING: (Cards, f64) = (Cards::NONE, 1.0);

/// The start of an endgame: a position of a two-player game in which all but a few cards are on the discard pile. It is
/// small enough to list completely ([`cardsharp_engine::enumerate`]) and to solve. Seat 0 is to move, and no seat's
/// moves have proven anything about its hand.
///
/// Apart from its deal, an endgame is an ordinary game with the same rounds, rules and views. The rules
/// option `max_decisions` makes it finite: it cuts a game off and ranks it by cards left. No legal play may
/// shuffle the discards into a new draw pile, because that would add chance after the deal.
/// [`Endgame::deals`] refuses endgames in which a play does.
///
/// In a file, an endgame names the card on `top`, the `unseen` cards, and the number of them in each `hand`.
/// The file does not hold the rules.
#[derive(Copy, Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endgame {
    /// The card on top of the discard pile. It is colored, and its action is over.
    #[serde(with = "deck::card_text")]
    pub top: Card,
    /// The cards in hands and draw pile: at least as many as both hands hold. The top card is not among them.
    pub unseen: Cards,
    /// Cards in each hand, at least 1.
    pub hand: u8,
}

/// Why an endgame cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndgameError {
    /// The rules are invalid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The rules are not those of a single game of two players.
    #[error(
        "an endgame is a single game of 2 players; expected rules with `players = 2` and `mode = \"single\"`"
    )]
    Game,
    /// The cards do not make an endgame.
    #[error(
        "{unseen} unseen cards with hands of {hand} below `{top}`: expected a colored card on top that is not among the \
         unseen cards, hands that these fill, and another card, a number, on the discard pile"
    )]
    Cards {
        /// How many cards are unseen.
        unseen: u32,
        /// Cards in each hand.
        hand: u8,
        /// The card on top.
        top: &'static str,
    },
    /// Some play would shuffle the discards.
    #[error(
        "a play draws more than the {pile} cards of the draw pile: expected more unseen cards, or a smaller \
         `max_decisions`"
    )]
    Reshuffled {
        /// Cards in the draw pile at the beginning.
        pile: u32,
    },
    /// The endgame has more decisions and ends than the caller allows.
    #[error(
        "it has more than {most} decisions and ends: expected fewer unseen cards, hands of another size, or a smaller \
         `max_decisions`"
    )]
    TooLarge {
        /// The number that was exceeded.
        most: u64,
    },
}

/// One distribution of the unseen cards. The order of the draw pile is fixed only as far down as a play can
/// draw.
#[derive(Clone)]
struct Distribution {
    probability: f64,
    hands: [Cards; PLAYERS],
    /// The part of the draw pile whose order is fixed, from the top down.
    settled: Vec<Card>,
    /// The cards below `settled`, in unknown order.
    below: Cards,
}

impl Endgame {
    /// Returns every distribution of the unseen cards once, with its probability, in a single game of two by
    /// `rules`. Deals differ in the draw pile only as far down as some play can draw.
    ///
    /// # Errors
    /// The rules are invalid, the cards make no endgame, or a play would shuffle the discards.
    pub fn deals(&self, rules: &Rules) -> Result<Vec<PossibleDeal<Round>>, EndgameError> {
        self.deals_within(rules, u64::MAX)
    }

    /// Like [`Endgame::deals`], but fails if the deals have more than `most` decisions and ends together.
    fn deals_within(&self, rules: &Rules, most: u64) -> Result<Vec<PossibleDeal<Round>>, EndgameError> {
        rules.check()?;
        if usize::from(rules.players) != PLAYERS || rules.mode != Mode::Single {
            return Err(EndgameError::Game);
        }
        let table = self.table(rules).ok_or_else(|| EndgameError::Cards {
            unseen: self.unseen.total(),
            hand: self.hand,
            top: deck::card_name(self.top),
        })?;
        let (mut all, mut deals, mut left) = (0.0, Vec::new(), most);
        each_hand(NOTHING, &self.unseen, self.hand, &mut |first, ways| {
            let others = self.unseen.without(&first);
            each_hand(NOTHING, &others, self.hand, &mut |second, more| {
                let below = others.without(&second);
                let probability = ways * more;
                all += probability;
                let distribution =
                    Distribution { probability, hands: [first, second], settled: Vec::new(), below };
                self.settle(&table, distribution, &mut left, &mut deals)
            })
        })
        .map_err(|stopped| match stopped {
            Stopped::Large => EndgameError::TooLarge { most },
            Stopped::Reshuffled => EndgameError::Reshuffled { pile: u32::from(table.pile) },
        })?;
        deals.iter_mut().for_each(|deal| deal.probability /= all);
        Ok(deals)
    }

    /// Adds the deals of one distribution. Fixes the order of its draw pile card by card, as far down as some
    /// play draws. Subtracts the decisions and ends of the deals from `left`.
    fn settle(
        &self,
        table: &PublicState,
        distribution: Distribution,
        left: &mut u64,
        deals: &mut Vec<PossibleDeal<Round>>,
    ) -> Result<(), Stopped> {
        let mut distributions = vec![distribution];
        while let Some(distribution) = distributions.pop() {
            let round = self.round(table, &distribution);
            let (before, below) = (*left, distribution.below.total());
            if !draws_below(&round, below, left)? {
                deals.push(PossibleDeal { probability: distribution.probability, round });
                continue;
            }
            if below == 0 {
                return Err(Stopped::Reshuffled);
            }
            // The deals made from this distribution repeat these positions and count them there.
            *left = before;
            for card in deck::kinds().filter(|&card| distribution.below.has(card)) {
                let mut next = distribution.clone();
                next.probability *= f64::from(distribution.below.count(card)) / f64::from(below);
                next.settled.push(card);
                next.below.remove(card);
                distributions.push(next);
            }
        }
        Ok(())
    }

    /// Returns the public state, or `None` if the cards make no endgame.
    fn table(&self, rules: &Rules) -> Option<PublicState> {
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
        let mut table = opening::fresh_table(rules, &SessionState::FRESH);
        // Invents a past: the seats drew and laid all gone cards in turn, and seat 1 laid the top card last.
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

    fn round(&self, table: &PublicState, distribution: &Distribution) -> Round {
        let mut own = [PrivateState::NONE; SEATS];
        for (seat, &hand) in distribution.hands.iter().enumerate() {
            own[seat] = PrivateState { hand, drew: hand.with(&table.laid[seat]), answer: Answer::Nothing };
        }
        let mut pile = [0; deck::DECK];
        let cards = distribution.below.cards().chain(distribution.settled.iter().rev().copied());
        pile.iter_mut().zip(cards).for_each(|(place, card)| *place = card);
        // The seed has no effect, because no play shuffles.
        let rng = DealRng::new(0, 0);
        Round { table: *table, own, asked: Seat(0), pile, log: ActionResults::default(), rng }
    }
}

impl Deals for Round {
    fn endgame(
        rules: &Rules,
        cards: &Value,
        most: u64,
    ) -> Result<Vec<PossibleDeal<Self>>, game::EndgameError> {
        let described =
            Endgame::deserialize(cards).map_err(|source| game::EndgameError::Refused(source.to_string()))?;
        described.deals_within(rules, most).map_err(|error| match error {
            EndgameError::TooLarge { most } => game::EndgameError::TooLarge { most },
            refused => game::EndgameError::Refused(refused.to_string()),
        })
    }

    fn dealt(
        rules: &Rules,
        standing: &mut SessionState,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        opening::deal_chosen(rules, standing, deal, rng)
    }
}

/// Why `each_hand` or `settle` stopped early.
#[derive(Copy, Clone, Debug)]
enum Stopped {
    /// The limit of decisions and ends was exceeded.
    Large,
    /// Some play would shuffle the discards.
    Reshuffled,
}

/// Calls `see` with each hand that adds `missing` cards of `from` to `hand`, and the number of ways to pick
/// it. Stops at the first error.
fn each_hand(
    (mut hand, mut ways): (Cards, f64),
    from: &Cards,
    missing: u8,
    see: &mut dyn FnMut(Cards, f64) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    if missing == 0 {
        return see(hand, ways);
    }
    let Some(card) = deck::kinds().find(|&card| from.has(card)) else { return Ok(()) };
    let copies = from.count(card);
    let mut others = *from;
    (0..copies).for_each(|_| others.remove(card));
    for taken in 0..=copies.min(missing) {
        let missing = missing - taken;
        if u32::from(missing) <= others.total() {
            each_hand((hand, ways), &others, missing, see)?;
        }
        // Updates the binomial coefficient: `ways` to pick `taken + 1` of `copies` equal cards.
        if taken < copies {
            hand.add(card);
            ways = ways * f64::from(copies - taken) / f64::from(taken + 1);
        }
    }
    Ok(())
}

/// Returns whether some play leaves fewer than `below` cards in the draw pile, or shuffles. Subtracts the
/// visited positions from `left`.
fn draws_below(round: &Round, below: u32, left: &mut u64) -> Result<bool, Stopped> {
    *left = left.checked_sub(1).ok_or(Stopped::Large)?;
    if round.table.recycles > 0 || u32::from(round.table.pile) < below {
        return Ok(true);
    }
    let Turn::Decide(seat) = round.turn() else { return Ok(false) };
    for action in mask::actions(Round::legal(round.view(seat)).words()) {
        let mut next = *round;
        next.play(action);
        if draws_below(&next, below, left)? {
            return Ok(true);
        }
    }
    Ok(false)
}

// Foresight for the exact search.

impl Foresee for Round {
    fn foresight(_: View<'_, Self>) -> Foresight {
        Foresight::OwnTurn
    }

    /// Returns false if `seat` drew cards, laid a +3 that others may answer, or declined to answer one. Then
    /// the result depends on cards that the seat does not see.
    fn is_foreseen(&self, before: &Self, seat: Seat) -> bool {
        if before.turn() != Turn::Decide(seat) {
            return false;
        }
        let (hand, held) = (&self.own[seat.index()].hand, &before.own[seat.index()].hand);
        let laid = before.table.discards != self.table.discards;
        let at_once = self.table.rules.plus3_last == Plus3Last::WinsAtOnce
            && self.table.stage == Stage::Over(GameEnd::Won(seat));
        let answered = laid && self.table.top == deck::PLUS3 && !at_once;
        let passed = !laid && before.table.stage == Stage::Window;
        let size = |round: &Self| round.table.sizes[seat.index()];
        let drew = size(self) + u8::from(laid) != size(before) || hand.without(held) != Cards::NONE;
        !answered && !passed && !drew
    }

    /// The upper bound is the reward for winning. There is no lower bound.
    fn stakes(&self, seat: Seat) -> [f32; 2] {
        let mut won = *self;
        won.table.stage = Stage::Over(GameEnd::Won(seat));
        let mut standing = SessionState::FRESH;
        [f32::NEG_INFINITY, won.settle(&mut standing).reward[seat.index()]]
    }

    fn key(&self) -> Option<Key> {
        let table = &self.table;
        // The seat that decides may differ from `table.turn`.
        let Turn::Decide(seat) = self.turn() else { return None };
        let hand = &self.own[seat.index()].hand;
        let stage = match table.stage {
            Stage::Turn => 0,
            Stage::Run => 1,
            Stage::Free => 2,
            Stage::Owe => 3,
            Stage::Window => 4,
            Stage::LastCard { .. } => 5,
            Stage::Catch { .. } => 6,
            Stage::Over(_) => 7,
        };
        let symbol = table.symbol.map_or(0xFF, |symbol| symbol as u8);
        let bytes =
            [stage, table.color as u8, symbol, table.top, u8::from(table.open), table.direction as u8];
        let packed = bytes.into_iter().fold(0, |all, byte| all << 8 | u64::from(byte));
        let rest = u64::from(table.debt) << 32 | u64::from(table.decisions);
        let remained = u64::from(table.remained.map_or(0xFF, |cards| cards));
        let seats = u64::from(table.turn.0) << 8 | u64::from(seat.0);
        Some([hand.once, hand.twice, packed, rest, remained << 16 | seats])
    }
}
