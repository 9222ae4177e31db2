//! Actions, their labels and legality, and observation rows.

use std::fmt;

use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::{Actions, Observe};
use cardsharp_engine::mask::Words;
use cardsharp_engine::{ActionId, Seat};

use super::betting::{Act, Betting, Stakes};
use super::cards::{Card, RANKS};
use super::round::{PublicState, betting};
use super::{Round, Variant, View};

pub const ACTIONS: &[Block] =
    &[Block::first("act", Act::ALL.len(), 1, "Fold; check or call; bet or raise, in this order.")];

pub type Legal = Words<1>;

/// The block for the card in hand.
pub const CARD: Block = Block::first("card", RANKS, 1, "Rank of the card in hand: jack, queen, king.");
/// The cell that says whether the viewer acts first.
pub const FIRST: Block = CARD.then("first", 1, 1, "1 if the viewer acts first in this hand.");

/// Returns the block for the acts so far, for a game with these stakes.
pub const fn acts(stakes: &Stakes) -> Block {
    FIRST.then(
        "acts",
        stakes.bets.len() * stakes.longest() * Act::ALL.len(),
        1,
        "Actions so far: fold, call, raise, for every place in every betting round.",
    )
}

/// Returns the block for the card that was turned up, for a game with these stakes.
pub const fn board(stakes: &Stakes) -> Block {
    acts(stakes).then("board", RANKS, 1, "Rank of the card that was turned up: jack, queen, king.")
}

/// The hidden block for the other player's card.
pub const OTHER: Block = Block::first("other", RANKS, 1, "Rank of the other player's card.");
/// The hidden block for the card that is or will be turned up.
pub const COMING: Block = OTHER.then("coming", RANKS, 1, "Rank of the card that is or will be turned up.");

fn rank(block: Block, card: Option<Card>, row: &mut [u8]) {
    if let Some(card) = card {
        row[block.offset + card.rank()] = 1;
    }
}

impl<V: Variant> Actions for Round<V> {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    fn legal(view: View<'_, V>) -> Legal {
        let betting = betting::<V>(view.table);
        let mut legal = Legal::EMPTY;
        if betting.end.is_none() && view.table.place(view.seat) == betting.next {
            for act in Act::ALL.into_iter().filter(|&act| betting.allows(&V::STAKES, act)) {
                legal.insert(usize::from(act.id().0));
            }
        }
        legal
    }

    /// Returns whether the viewing seat may do this. Considers only the list of acts, independent of `Betting`.
    fn is_legal(view: View<'_, V>, action: ActionId) -> bool {
        let mut left = view.table.acts.as_slice();
        let mut streets = 0;
        // A call ends a betting round, unless it is the first act.
        while let Some(end) = left.iter().skip(1).position(|&act| act == Act::Call) {
            left = &left[end + 2..];
            streets += 1;
        }
        let over = streets == V::STAKES.bets.len() || left.contains(&Act::Fold);
        let raises = left.iter().filter(|&&act| act == Act::Raise).count();
        let mine = view.table.seat(left.len() % 2) == view.seat;
        !over
            && mine
            && match action.0 {
                0 => left.last() == Some(&Act::Raise),
                1 => true,
                2 => raises < usize::from(V::STAKES.raises),
                _ => false,
            }
    }

    fn is_public(_: ActionId) -> bool {
        true
    }

    fn phase(&self) -> &'static str {
        "betting"
    }

    fn label(table: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(act_name(table.map(betting::<V>), Act::of(action)))
    }
}

impl<V: Variant> Observe for Round<V> {
    const ENCODING: u32 = 1;
    const OBSERVATION: &'static [Block] = V::OBSERVATION;
    const HIDDEN: &'static [Block] = V::HIDDEN;

    fn observe(view: View<'_, V>, row: &mut [u8]) {
        row.fill(0);
        let table = view.table;
        rank(CARD, Some(view.own.card), row);
        row[FIRST.offset] = u8::from(table.place(view.seat) == 0);
        let (mut street, mut within) = (0, 0);
        for &act in table.acts.as_slice() {
            let place = (street * V::STAKES.longest() + within) * Act::ALL.len();
            row[acts(&V::STAKES).offset + place + act as usize] = 1;
            within += 1;
            if act == Act::Call && within > 1 {
                (street, within) = (street + 1, 0);
            }
        }
        rank(board(&V::STAKES), table.board, row);
    }

    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        row.fill(0);
        rank(OTHER, Some(self.own[1 - seat.index()].card), row);
        rank(COMING, self.board, row);
    }
}

/// Returns the label of an act: at this state of the betting, or in general without one.
pub(super) fn act_name(betting: Option<Betting>, act: Act) -> &'static str {
    let open = betting.is_some_and(|betting| !betting.faces_bet());
    match act {
        Act::Fold => "fold",
        Act::Call if open => "check",
        Act::Call => "call",
        Act::Raise if open => "bet",
        Act::Raise => "raise",
    }
}
