//! The observation row: cells in named blocks, the same for all rules and player counts. The other players are
//! in turn order, starting with the one after the viewer.

use cardsharp_env::Seat;
use cardsharp_env::blocks;
use cardsharp_env::blocks::{Block, ones, whole, width};
use cardsharp_env::game::Observe;

use crate::View;
use crate::cards::{Cards, FACES, RANKS, SUITS};
use crate::rules::Rules;
use crate::state::{Direction, Round, SEATS, Stage};

/// Seats other than the viewer.
const OTHERS: usize = SEATS - 1;
/// Hand sizes are also shown as this many thermometer cells.
const FEW: usize = 8;
/// Draws and turns left are shown up to these limits.
const MOST_DRAWS: u8 = 20;
const MOST_TURNS: u8 = 100;

blocks! {
    pub OBSERVATION {
        HAND: "hand", 2 * FACES, 1,
            "Own cards: 52 cells for faces held, in the order of actions, and 52 for faces held twice.";
        UNSEEN: "unseen", 2 * FACES, 1,
            "Cards that can be in the draw pile: shuffled into it when it was last made, and neither among the discards nor in \
             the own hand. Laid out like `hand`.";
        HELD: "held", 2 * FACES, 1,
            "Cards that are surely in others' hands: all that are neither seen nor can be in the draw pile. Laid out like `hand`.";
        RANK: "rank", RANKS, 1, "Rank of the top card, one-hot, from the two to the ace.";
        SUIT: "suit", SUITS, 1, "The suit to follow, one-hot: clubs, diamonds, hearts, spades.";
        NAMING: "naming", 1, 1, "A suit is to be named for the eight on top.";
        DOWN: "down", 1, 1, "The turn goes to lower seats.";
        DEBT: "debt", 1, 16, "Cards owed for twos.";
        DRAWS: "draws", 1, MOST_DRAWS,
            "Cards that may still be drawn in this turn, at most 20; those owed apart.";
        PILE: "pile", 1, 104, "Cards in the draw pile.";
        PASSES: "passes", 1, 13, "Passes in a row since the draw pile was used up.";
        TURNS: "turns", 1, MOST_TURNS,
            "Cards that may still be laid before the game is cut off, at most 100.";
        TURN: "turn", SEATS, 1,
            "Whose turn it is, one-hot in turn order from the viewer (0 is the viewer).";
        PLAYERS: "players", SEATS - 1, 1, "Number of players, 2 to 12, one-hot.";
        OPTIONS: "options", Rules::SHOWN.len(), 1,
            "Rules in force: use_special_cards; reshuffle; scoring by_rank; reward places.";
        SIZE: "size", 1, 104, "Cards in the viewer's hand.";
        SIZES: "sizes", OTHERS, 104, "Cards each other player holds.";
        FEW_CARDS: "few_cards", OTHERS * FEW, 1,
            "For each other player 8 cells; the first n are 1 when the player holds n cards (all 8 from 8 on).";
        OLD: "old", OTHERS, 104, "How many of the cards in `held` each other player holds.";
    }
}
const WIDTH: usize = width(OBSERVATION);

blocks! {
    /// What the others hold, for a critic in training.
    pub HIDDEN {
        OTHER_HANDS: "other_hands", OTHERS * FACES, 2,
            "For each other player, in turn order, the cards he holds by face, in the order of actions.";
    }
}

/// `ONES[n]` starts with `n` ones, and the rest are zeros.
static ONES: [[u8; FEW]; FEW + 1] = ones();

/// Writes a block of `2 * FACES` cells: the faces of the cards, then the faces that occur twice.
#[inline]
fn cards(block: Block, cards: Cards, row: &mut [u8; WIDTH]) {
    let (once, twice) = row[block.offset..block.end()].split_at_mut(FACES);
    for (cells, faces) in [(once, cards.faces()), (twice, cards.twice())] {
        cells.iter_mut().enumerate().for_each(|(face, cell)| *cell = (faces >> face & 1) as u8);
    }
}

impl Observe for Round {
    const ENCODING: u32 = 1;
    const OBSERVATION: &'static [Block] = OBSERVATION;
    const HIDDEN: &'static [Block] = HIDDEN;

    #[inline]
    fn observe(view: View<'_>, row: &mut [u8]) {
        let Some(row) = whole::<WIDTH>(row) else { return };
        let (table, own, rules) = (view.table, view.own, &view.table.rules);
        cards(HAND, own.hand, row);
        cards(UNSEEN, table.unseen_new(own), row);
        cards(HELD, table.unseen_old(own), row);
        row[RANK.offset..].fill(0);
        row[RANK.offset + usize::from(table.top.face().rank().0)] = 1;
        row[SUIT.offset + table.suit as usize] = 1;
        row[NAMING.offset] = u8::from(table.stage == Stage::Suit);
        row[DOWN.offset] = u8::from(table.direction == Direction::Down);
        row[DEBT.offset] = table.debt;
        row[DRAWS.offset] = (rules.max_draw_cards - table.drawn).min(table.pile).min(MOST_DRAWS);
        row[PILE.offset] = table.pile;
        row[PASSES.offset] = table.passes;
        row[TURNS.offset] = (rules.max_turns - table.plays).min(u16::from(MOST_TURNS)) as u8;
        row[PLAYERS.offset + usize::from(rules.players) - 2] = 1;
        OPTIONS.set(rules.shown(), row);
        row[SIZE.offset] = own.hand.len();
        let mut seat = view.seat;
        for other in 0..usize::from(rules.players) {
            if seat == table.turn {
                row[TURN.offset + other] = u8::from(table.stage != Stage::Over);
            }
            seat = table.after(seat, 1);
            if seat == view.seat {
                break;
            }
            let size = table.sizes[seat.index()];
            row[SIZES.offset + other] = size;
            let start = FEW_CARDS.offset + other * FEW;
            row[start..start + FEW].copy_from_slice(&ONES[usize::from(size).min(FEW)]);
            row[OLD.offset + other] = table.old[seat.index()];
        }
    }

    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        row.fill(0);
        for places in 1..self.table.rules.players {
            let hand = self.own[self.table.after(seat, places).index()].hand;
            let start = usize::from(places - 1) * FACES;
            hand.iter().for_each(|card| row[start + usize::from(card.face().0)] += 1);
        }
    }
}
