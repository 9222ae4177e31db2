//! A game under way, written as cards, played by label and looked at.

use cardsharp_env::blocks::width;
use cardsharp_env::game::{Check as _, Habits as _, Label, Observe as _, parse_label};
use cardsharp_env::{ActionId, Actions as _, DealRng, Payoff, Play as _, Seat, Turn, mask};

use crate::actions::Legal;
use crate::cards::{CARDS, Card, Cards, from_text};
use crate::observation::OBSERVATION;
use crate::table::{Direction, Own};
use crate::{Round, Rules, Standing};

/// A game under way; every state of it is audited.
#[derive(Copy, Clone)]
pub(super) struct Situation(pub(super) Round);

/// Rules for so many players, otherwise as they are by default.
pub(super) fn players(players: u8) -> Rules {
    Rules { players, ..Rules::default() }
}

/// The same with special cards.
pub(super) fn special(count: u8) -> Rules {
    Rules { use_special_cards: true, ..players(count) }
}

impl Situation {
    /// The turn of seat 0 with these hands by seat, this card on top, and this draw pile from the top down; the
    /// other cards lie under the top card or, where `pile` ends with `...`, at the bottom of the pile.
    #[track_caller]
    pub(super) fn new(rules: Rules, hands: &[&str], top: &str, pile: &str) -> Self {
        assert_eq!(hands.len(), usize::from(rules.players));
        let deck = Cards::decks(rules.decks());
        let rest: [Card; CARDS] = std::array::from_fn(|card| Card(card as u8));
        let mut round = Round::begin(&rules, &Standing::FRESH, Seat(0), (rest, 0), DealRng::new(7, 1));
        let table = &mut round.table;
        (table.turn, table.debt, table.direction) = (Seat(0), 0, Direction::Up);
        table.top = top.parse().unwrap();
        table.suit = table.top.face().suit();
        let mut left = deck.without(Cards::one(table.top));
        for (seat, hand) in hands.iter().enumerate() {
            let hand = from_text(hand).unwrap();
            round.own[seat] = Own { hand };
            table.sizes[seat] = hand.len();
            assert_eq!(hand.without(left), Cards::NONE, "cards that lie elsewhere");
            left = left.without(hand);
        }
        let (named, bury) = pile.strip_suffix("...").map_or((pile, true), |named| (named, false));
        let above: Vec<Card> = named.split_whitespace().map(|card| card.parse().unwrap()).collect();
        left = left.without(above.iter().copied().collect());
        let below = if bury { Cards::NONE } else { left };
        let cards: Vec<Card> = below.iter().chain(above.into_iter().rev()).collect();
        round.pile[..cards.len()].copy_from_slice(&cards);
        table.pile = cards.len() as u8;
        table.discards = if bury { left } else { Cards::NONE }.with(Cards::one(table.top));
        table.plays = u16::from(table.discards.len()) - 1;
        let first = table.discards.iter().find(|card| card.face().rank() != crate::cards::Rank::EIGHT);
        table.stock = deck.without(Cards::one(first.unwrap()));
        let aces = table.discards.iter().filter(|card| card.face().rank() == crate::cards::Rank::ACE).count();
        if rules.use_special_cards && aces % 2 == 1 {
            table.direction = Direction::Down;
        }
        round.audit().unwrap();
        Self(round)
    }

    /// The label of an action.
    pub(super) fn label(&self, action: ActionId) -> String {
        Label::<Round>::at(&self.0.table, action).to_string()
    }

    /// Asserts whose turn it is, and all that he may do, in the order of the ids.
    #[track_caller]
    pub(super) fn expect(&self, seat: u8, legal: &str) {
        assert_eq!(self.0.turn(), Turn::Decide(Seat(seat)));
        let view = self.0.view(Seat(seat));
        let legal_now = Round::legal(view);
        for id in (0..64).map(ActionId) {
            assert_eq!(mask::contains(&legal_now.0, id), Round::is_legal(view, id), "{}", self.label(id));
        }
        let names: Vec<String> = mask::actions(&legal_now.0).map(|action| self.label(action)).collect();
        assert_eq!(names.join(" "), legal);
    }

    /// Asserts that a seat has nothing to decide.
    #[track_caller]
    pub(super) fn expect_nothing(&self, seat: u8) {
        assert_eq!(Round::legal(self.0.view(Seat(seat))), Legal::EMPTY);
    }

    /// Plays legal actions.
    #[track_caller]
    pub(super) fn play(&mut self, labels: &str) {
        for label in labels.split_whitespace() {
            let Turn::Decide(seat) = self.0.turn() else { panic!("the game is over before {label}") };
            let action = parse_label::<Round>(Some(&self.0.table), label).unwrap();
            assert!(Round::is_legal(self.0.view(seat), action), "{label} is not legal");
            self.0.play(action);
            self.0.audit().unwrap_or_else(|problem| panic!("after {label}: {problem}"));
        }
    }

    /// The same, on a copy.
    #[track_caller]
    pub(super) fn after(&self, labels: &str) -> Self {
        let mut copy = *self;
        copy.play(labels);
        copy
    }

    /// The cards that a seat holds.
    pub(super) fn hand(&self, seat: usize) -> String {
        crate::cards::to_text(self.0.own[seat].hand.iter())
    }

    /// What the finished game was worth.
    #[track_caller]
    pub(super) fn payoff(&self) -> Payoff {
        assert_eq!(self.0.turn(), Turn::RoundOver);
        self.0.settle(&mut Standing::FRESH.clone())
    }

    /// The cells of one block of the row of a seat.
    #[track_caller]
    pub(super) fn cells(&self, seat: u8, block: &str) -> Vec<u8> {
        let mut row = vec![0xa5; width(OBSERVATION)];
        Round::observe(self.0.view(Seat(seat)), &mut row);
        OBSERVATION.iter().find(|other| other.name == block).unwrap().of(&row).to_vec()
    }

    /// The places of the cells of a block that are 1; the others must be 0.
    #[track_caller]
    pub(super) fn ones(&self, seat: u8, block: &str) -> Vec<usize> {
        let cells = self.cells(seat, block);
        assert!(cells.iter().all(|&cell| cell < 2), "{block}: {cells:?}");
        (0..cells.len()).filter(|&cell| cells[cell] == 1).collect()
    }

    /// What a legal action of the player whose turn it is tells of how he plays.
    #[track_caller]
    pub(super) fn habits(&self, label: &str) -> Vec<&'static str> {
        let action = parse_label::<Round>(Some(&self.0.table), label).unwrap();
        let view = self.0.view(self.0.table.turn);
        assert!(Round::is_legal(view, action), "{label} is not legal");
        let kinds = Round::habits(view, action);
        (0..Round::HABITS.len())
            .filter(|kind| kinds >> kind & 1 == 1)
            .map(|kind| Round::HABITS[kind])
            .collect()
    }
}
