//! Functions that set up a game for tests.

use cardsharp_env::game::Check as _;
use cardsharp_env::testing::{self, Placed};
use cardsharp_env::{DealRng, Seat};

use crate::cards::{CARDS, Card, Cards, Rank, from_text};
use crate::state::{Direction, PrivateState};
use crate::{Round, Rules, SessionState};

/// A game in progress.
pub(super) type Situation = testing::Situation<Round>;

impl Placed for Round {
    fn checked(&self) -> Result<(), String> {
        self.audit()
    }
}

/// The default rules for this number of players.
pub(super) fn players(players: u8) -> Rules {
    Rules { players, ..Rules::default() }
}

/// The same with special cards.
pub(super) fn special(count: u8) -> Rules {
    Rules { use_special_cards: true, ..players(count) }
}

/// Returns a turn of seat 0 with these hands by seat, this top card, and this draw pile from the top down. The other
/// cards are under the top card or, if `pile` ends with `...`, at the bottom of the pile.
#[track_caller]
pub(super) fn setup(rules: Rules, hands: &[&str], top: &str, pile: &str) -> Situation {
    assert_eq!(hands.len(), usize::from(rules.players));
    let deck = Cards::decks(rules.decks());
    let rest: [Card; CARDS] = std::array::from_fn(|card| Card(card as u8));
    let mut round = Round::begin(&rules, &SessionState::FRESH, Seat(0), (rest, 0), DealRng::new(7, 1));
    let table = &mut round.table;
    (table.turn, table.debt, table.direction) = (Seat(0), 0, Direction::Up);
    table.top = top.parse().unwrap();
    table.suit = table.top.face().suit();
    let mut left = deck.without(Cards::one(table.top));
    for (seat, hand) in hands.iter().enumerate() {
        let hand = from_text(hand).unwrap();
        round.own[seat] = PrivateState { hand };
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
    let first = table.discards.iter().find(|card| card.face().rank() != Rank::EIGHT);
    table.stock = deck.without(Cards::one(first.unwrap()));
    let aces = table.discards.iter().filter(|card| card.face().rank() == Rank::ACE).count();
    if rules.use_special_cards && aces % 2 == 1 {
        table.direction = Direction::Down;
    }
    round.audit().unwrap();
    Situation::of(round)
}

/// The cards that a seat holds.
pub(super) fn hand(table: &Situation, seat: usize) -> String {
    crate::cards::to_text(table.0.own[seat].hand.iter())
}
