//! Setting up a game in tests, playing it by labels, and inspecting it.

use cardsharp_engine::game::{Check, Label, Payoff, Play};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{ActionId, Seat};
use serde_json::Value;

use super::super::deck::{self, Card, Cards};
use super::super::memory::{Buried, Proofs};
use super::super::rules::Rules;
use super::super::state::{ActionResults, Answer, Direction, PrivateState, PublicState, SEATS, Stage};
use super::super::{Round, SessionState};
pub use cardsharp_engine::testing::random_move;
use cardsharp_engine::testing::{self, Placed};

/// Parses cards in card notation, as in `hand("R5 Bstop king")`.
pub fn hand(text: &str) -> Cards {
    deck::from_text(text).unwrap()
}

/// Parses cards in card notation, in order.
pub fn list(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|word| deck::card_from(word).unwrap()).collect()
}

/// Reads and checks rules from a JSON object.
pub fn rules(options: Value) -> Rules {
    cardsharp_engine::rules::read(&options).unwrap()
}

/// Returns the label of an action.
pub fn label(action: ActionId) -> String {
    Label::<Round>::of(action).to_string()
}

/// A game in progress.
pub type Situation = testing::Situation<Round>;

impl Placed for Round {
    fn checked(&self) -> Result<(), String> {
        self.audit()
    }
}

/// Returns a game with these hands, one for each player, and this card on top. Seat 0 is to move. The draw
/// pile has all other cards, from the highest face (on top) to the lowest.
#[track_caller]
pub fn setup(mut options: Value, hands: &[&str], top: &str) -> Situation {
    options["players"] = hands.len().into();
    let rules = rules(options);
    let first = deck::card_from(top).unwrap();
    let mut rest = Cards::ALL;
    rest.remove(first);
    let mut own = [PrivateState::NONE; SEATS];
    let mut sizes = [0; SEATS];
    for (seat, text) in hands.iter().enumerate() {
        let hand = hand(text);
        assert!(rest.contains(&hand), "the deck does not have these cards: {text}");
        rest = rest.without(&hand);
        own[seat] = PrivateState { hand, drew: hand, answer: Answer::Nothing };
        sizes[seat] = hand.total() as u8;
    }
    let mut pile = [0; deck::DECK];
    pile.iter_mut().zip(rest.cards()).for_each(|(place, card)| *place = card);
    let (color, symbol) = deck::parts(first).unwrap();
    let mut stages = [0; SEATS];
    if rules.mode == super::super::rules::Mode::Tournament {
        stages[..hands.len()].fill(rules.stages);
    }
    let table = PublicState {
        rules,
        game: 1,
        wins: SessionState::FRESH.wins,
        stage: Stage::Turn,
        turn: Seat(0),
        direction: Direction::Left,
        color,
        symbol: Some(symbol),
        top: first,
        debt: 0,
        open: false,
        remained: None,
        idle: 0,
        decisions: 0,
        sizes,
        stages,
        announced: Positions::default(),
        pile: rest.total() as u8,
        buried: Buried::NONE,
        discards: Cards::one(first),
        first,
        recycles: 0,
        stock: Cards::ALL.without(&Cards::one(first)),
        laid: [Cards::NONE; SEATS],
        drawn: sizes,
        known: [Cards::NONE; SEATS],
        proofs: [Proofs::default(); SEATS],
    };
    let round =
        Round { table, own, asked: Seat(0), pile, log: ActionResults::default(), rng: DealRng::new(1, 1) };
    Situation::of(round).audited()
}

/// What tests look at in a round.
pub trait Inspect {
    fn audited(self) -> Self;
    fn next_cards(self, text: &str) -> Self;
    fn only_cards(self, text: &str) -> Self;
    fn all_cards_to(self, seat: u8) -> Self;
    /// Puts a player into this stage of the tournament.
    fn stage(self, seat: u8, stage: u8) -> Self;
    /// Returns a player's hand in card notation.
    fn hand(&self, seat: u8) -> String;
    /// Returns the number of cards in each hand.
    fn sizes(&self) -> Vec<u8>;
    /// Returns the color and symbol to match, such as `red stop` or `red -`.
    fn leading(&self) -> String;
    fn settle(&self) -> (Payoff, SessionState);
    fn places(&self) -> Vec<u8>;
    fn rewards(&self) -> Vec<f32>;
}

impl Inspect for Situation {
    #[track_caller]
    fn audited(self) -> Self {
        self.0.audit().unwrap();
        self
    }

    /// Puts these cards on top of the draw pile, the first one on top.
    #[track_caller]
    fn next_cards(mut self, text: &str) -> Self {
        let wanted = list(text);
        let n = usize::from(self.0.table.pile);
        let mut rest: Vec<Card> = self.0.pile[..n].to_vec();
        for card in &wanted {
            let place = rest.iter().position(|other| other == card);
            rest.remove(
                place.unwrap_or_else(|| panic!("{} is not in the draw pile", deck::card_name(*card))),
            );
        }
        rest.extend(wanted.iter().rev());
        self.0.pile[..n].copy_from_slice(&rest);
        self.audited()
    }

    /// Reduces the draw pile to these cards, the first one on top. Seat 0 has laid all the others.
    #[track_caller]
    fn only_cards(self, text: &str) -> Self {
        let mut s = self.next_cards(text);
        let keep = list(text).len();
        let n = usize::from(s.0.table.pile);
        let gone: Cards = s.0.pile[..n - keep].iter().copied().collect();
        s.0.pile.copy_within(n - keep..n, 0);
        s.0.table.pile = keep as u8;
        s.0.table.discards = s.0.table.discards.with(&gone);
        s.0.table.laid[0] = gone;
        s.0.table.drawn[0] += gone.total() as u8;
        s.0.own[0].drew = s.0.own[0].drew.with(&gone);
        s.audited()
    }

    /// Gives the whole draw pile to a player.
    #[track_caller]
    fn all_cards_to(mut self, seat: u8) -> Self {
        let who = usize::from(seat);
        let n = std::mem::take(&mut self.0.table.pile);
        let all: Cards = self.0.pile[..usize::from(n)].iter().copied().collect();
        self.0.own[who].hand = self.0.own[who].hand.with(&all);
        self.0.own[who].drew = self.0.own[who].hand;
        self.0.table.sizes[who] += n;
        self.0.table.drawn[who] += n;
        self.audited()
    }

    fn stage(mut self, seat: u8, stage: u8) -> Self {
        self.0.table.stages[usize::from(seat)] = stage;
        self
    }

    fn hand(&self, seat: u8) -> String {
        deck::to_text(&self.0.own[usize::from(seat)].hand)
    }

    fn sizes(&self) -> Vec<u8> {
        self.0.table.sizes[..usize::from(self.0.table.players())].to_vec()
    }

    fn leading(&self) -> String {
        let symbol = self.0.table.symbol.map_or("-", |symbol| symbol.name());
        format!("{} {symbol}", self.0.table.color.name())
    }

    /// Settles the finished game.
    #[track_caller]
    fn settle(&self) -> (Payoff, SessionState) {
        assert_eq!(self.turn(), None, "the game is not over");
        let mut standing = SessionState { games: self.0.table.game - 1, wins: self.0.table.wins };
        let payoff = self.0.settle(&mut standing);
        (payoff, standing)
    }

    /// Returns the places of the finished game.
    #[track_caller]
    fn places(&self) -> Vec<u8> {
        self.settle().0.place[..usize::from(self.0.table.players())].to_vec()
    }

    /// Returns the rewards of the finished game.
    #[track_caller]
    fn rewards(&self) -> Vec<f32> {
        self.settle().0.reward[..usize::from(self.0.table.players())].to_vec()
    }
}
