//! The observation row: cells in named blocks, with one layout for all variants and player counts. The other
//! players are in turn order, starting after the viewer.

use cardsharp_engine::Seat;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::{Block, ones, whole, width};
use cardsharp_engine::game::{Observe, Prefix};

use super::deck::{self, Cards, DECK, FACES, KINDS, SYMBOLS};
use super::memory::{GROUPS, Proofs};
use super::rules::{Plus3VsPlus3, Rules};
use super::state::{Answer, Direction, PublicState, SEATS, Stage, drawable, unseen};
use super::{Round, View};

/// Seats other than the viewer.
const OTHERS: usize = SEATS - 1;
/// Number of thermometer cells that also show each hand size.
const FEW: usize = 8;
/// Cell value for a proof that a player holds none of some cards. Each possible card lowers the value by 1,
/// to at least 1.
const NONE_HELD: u8 = 9;

blocks! {
    OBSERVATION {
        HAND: "hand",
    DECK,
    1,
    "Own cards: 58 cells for a first copy of each card and 58 for a second one. Of the 58 the first 52 are the colored \
         cards in the order of actions, then 2 Change Color, Super TAKI, King, +3, +3 Breaker; the four Change Color fill \
         their cells from the left.";
        UNSEEN: "unseen", DECK, 1, "Cards neither in hand nor among the discards, laid out like `hand`.";
        DRAWABLE: "drawable",
    DECK,
    1,
    "Unseen cards that can be in the draw pile: they were in the last shuffle, and the viewer has not drawn them \
        since. The other unseen cards are in the others' hands. Laid out like `hand`.";
        DISCARDS: "discards", DECK, 1, "Cards of the discard pile, laid out like `hand`.";
        COLOR: "color", 4, 1, "The active color, one-hot: red, blue, green, yellow.";
        SYMBOL: "symbol", SYMBOLS + 1, 1, "The symbol to match, one-hot: 1, 3, 4, 5, 6, 7, 8, 9, stop, +2, change direction, plus, taki, none.";
        TOP: "top", 5, 1, "A colorless card on top of the discards, one-hot: Change Color, Super TAKI, King, +3, +3 Breaker.";
        DEBT_STEPS: "debt_steps", 8, 1, "The first n cells are 1 when 2n cards are owed for +2 cards (all from 16 on).";
        DEBT: "debt", 1, 40, "Cards owed for +2 cards, at most 40.";
        OPEN: "open", 1, 1, "1 if an open TAKI of the active color is on the table.";
        DIRECTION: "direction", 1, 1, "1 if the turn goes to the right, to descending seats.";
        PHASE: "phase", 7, 1, "The phase, one-hot: turn, run, free, owe, window, last card, catch. All 0 when no \
            decision is due.";
        ACTOR: "actor",
    SEATS,
    1,
    "The player whose turn it is, one-hot in turn order from the viewer (0 is the viewer). In a window: the player \
        of the +3. In announcements: the player who may announce their last card, or was silent.";
        PLAYERS: "players", 9, 1, "Number of players, 2 to 10, one-hot.";
        OPTIONS: "options",
    Rules::SHOWN.len(),
    1,
    "Rules in force: mode tournament; draw_policy anytime; taki_follow optional; taki_close auto; run_wilds none; \
         super_on_king choose; king_vs_plus3 off; plus3_last wins_at_once; plus_last wins; cover_resolved_plus3 false; \
         two_player_direction acts_as_stop; last_card auto, declare, challenge; ranking hand_size.";
        PENALTY: "penalty", 1, 116, "The option last_card_penalty.";
        STAGE: "stage", 8, 1, "Own stage of a tournament, 1 to 8, one-hot; all 0 in a single game.";
        ANNOUNCED: "announced", 1, 1, "1 if the viewer has announced their last card.";
        SIZE: "size", 1, 116, "Cards in the viewer's hand.";
        PILE: "pile", 1, 116, "Cards in the draw pile.";
        RECYCLES: "recycles", 1, 20, "Number of times the discards became a new draw pile, at most 20.";
        DECISIONS: "decisions", 1, 200, "Decisions of this game so far, in two-hundredths of max_decisions.";
        SIZES: "sizes", OTHERS, 116, "Cards each other player holds.";
        FEW_CARDS: "few_cards", OTHERS * FEW, 1, "For each other player 8 cells; the first n are 1 when the player \
            holds n cards (all 8 from 8 on).";
        STAGES: "stages", OTHERS, 8, "The stage of each other player in a tournament; 0 in a single game.";
        LAST_CARDS: "last_cards", OTHERS, 1, "The other players who have announced their last card.";
        LACK: "lacks",
    OTHERS * GROUPS,
    NONE_HELD,
    "What each other player's draws have proven about 4 colors, 13 symbols, and Change Color, Super TAKI, King, +3. \
        9: the player holds none; 9 - n, but at least 1: at most n; 0: nothing is proven.";
        HOUSE_RULES: "house_rules", 1, 1, "House rules in force: plus3_vs_plus3 next_player.";
    }
}

const WIDTH: usize = width(OBSERVATION);

blocks! {
    /// What the others hold, for a critic in training.
    HIDDEN {
        OTHER_HANDS: "other_hands",
    OTHERS * KINDS,
    4,
    "For each other player, in turn order, the cards in hand: 52 colored ones, Change Color, Super TAKI, King, +3, \
        +3 Breaker.";
    }
}

impl Observe for Round {
    const ENCODING: u32 = 2;
    const PREFIXES: &'static [Prefix] = &[Prefix::ending(1, LACK, &["plus3_vs_plus3"])];
    const OBSERVATION: &'static [Block] = OBSERVATION;
    const HIDDEN: &'static [Block] = HIDDEN;

    #[inline]
    fn observe(view: View<'_>, row: &mut [u8]) {
        let Some(row) = whole::<WIDTH>(row) else { return };
        let (table, own) = (view.table, view.own);
        row[DISCARDS.end()..].fill(0);
        bits(HAND, &own.hand, row);
        bits(UNSEEN, &unseen(table, own), row);
        bits(DRAWABLE, &drawable(table, own), row);
        bits(DISCARDS, &table.discards, row);

        row[COLOR.offset + table.color as usize] = 1;
        row[SYMBOL.offset + table.symbol.map_or(SYMBOLS, |symbol| symbol as usize)] = 1;
        match table.top {
            deck::CHANGE => row[TOP.offset] = 1,
            top if top >= deck::SUPER => row[TOP.offset + 1 + usize::from(top - deck::SUPER)] = 1,
            _ => {}
        }
        let debt = table.debt.min(40) as usize;
        row[DEBT_STEPS.offset..DEBT_STEPS.end()].copy_from_slice(&ONES[(debt / 2).min(FEW)]);
        row[DEBT.offset] = debt as u8;
        row[OPEN.offset] = u8::from(table.open);
        row[DIRECTION.offset] = u8::from(table.direction == Direction::Right);
        if let Some(phase) = due(view) {
            row[PHASE.offset + phase] = 1;
        }
        let actor = match table.stage {
            Stage::LastCard { seat, .. } | Stage::Catch { silent: seat, .. } => seat,
            _ => table.turn,
        };
        row[ACTOR.offset + usize::from(table.steps(view.seat, actor))] = 1;
        row[PLAYERS.offset + usize::from(table.players()) - 2] = 1;
        options(table, row);

        let me = view.seat.index();
        if table.stages[me] != 0 {
            row[STAGE.offset + usize::from(table.stages[me]) - 1] = 1;
        }
        row[ANNOUNCED.offset] = u8::from(table.announced.has(view.seat.0));
        row[SIZE.offset] = table.sizes[me];
        row[PILE.offset] = table.pile;
        row[RECYCLES.offset] = table.recycles.min(20) as u8;
        let limit = u64::from(table.rules.limit());
        row[DECISIONS.offset] = (u64::from(table.decisions.min(table.rules.limit())) * 200 / limit) as u8;
        others(view, row);
    }

    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        row.fill(0);
        for steps in 1..self.table.players() {
            let hand = &self.own[self.table.after(seat, steps).index()].hand;
            let start = usize::from(steps - 1) * KINDS;
            for (cell, card) in row[start..start + KINDS].iter_mut().zip(deck::kinds()) {
                *cell = hand.count(card);
            }
        }
    }
}

/// Spreads the bits of a byte over eight cells.
#[inline]
fn spread(byte: u64) -> [u8; 8] {
    let ones = (byte * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (((ones + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101).to_le_bytes()
}

/// Writes 58 cells of `once` and 58 of `twice`. Also overwrites the 6 cells after them with 0.
#[inline]
fn bits(block: Block, cards: &Cards, row: &mut [u8; WIDTH]) {
    for (half, faces) in [cards.once, cards.twice].into_iter().enumerate() {
        let start = block.offset + half * FACES;
        for (i, cells) in row[start..start + 64].chunks_exact_mut(8).enumerate() {
            cells.copy_from_slice(&spread(faces >> (8 * i) & 0xff));
        }
    }
}

/// `ONES[n]` has n ones, then zeros.
static ONES: [[u8; FEW]; FEW + 1] = ones();

/// Returns the index of the phase if the viewer has a decision.
#[inline]
fn due(view: View<'_>) -> Option<usize> {
    let mine = view.table.turn == view.seat;
    match view.table.stage {
        Stage::Turn => mine.then_some(0),
        Stage::Run => mine.then_some(1),
        Stage::Free => mine.then_some(2),
        Stage::Owe => mine.then_some(3),
        Stage::Window => (view.own.answer == Answer::Asked).then_some(4),
        Stage::LastCard { seat, .. } => (seat == view.seat).then_some(5),
        Stage::Catch { asked, .. } => (asked == view.seat).then_some(6),
        Stage::Over(_) => None,
    }
}

#[inline]
fn options(table: &PublicState, row: &mut [u8; WIDTH]) {
    let rules = &table.rules;
    OPTIONS.set(rules.shown(), row);
    row[PENALTY.offset] = rules.last_card_penalty;
    row[HOUSE_RULES.offset] = u8::from(rules.plus3_vs_plus3 == Plus3VsPlus3::NextPlayer);
}

#[inline]
fn others(view: View<'_>, row: &mut [u8; WIDTH]) {
    let table = view.table;
    let mut seat = view.seat;
    for other in 0..usize::from(table.players()) - 1 {
        seat = table.after(seat, 1);
        let size = table.sizes[seat.index()];
        row[SIZES.offset + other] = size;
        let start = FEW_CARDS.offset + other * FEW;
        row[start..start + FEW].copy_from_slice(&ONES[usize::from(size).min(FEW)]);
        row[STAGES.offset + other] = table.stages[seat.index()];
        row[LAST_CARDS.offset + other] = u8::from(table.announced.has(seat.0));
        let start = LACK.offset + other * GROUPS;
        lacks(&table.proofs[seat.index()], &mut row[start..start + GROUPS]);
    }
}

/// Writes the bounds that the proofs give for each group. Later proofs cover fewer faces and allow fewer
/// cards, so they overwrite earlier ones.
#[inline]
fn lacks(proofs: &Proofs, cells: &mut [u8]) {
    let mut all = [0; 3];
    let mut most = u8::MAX;
    for proof in proofs.iter() {
        most = most.min(proof.at_most);
        let value = u64::from(NONE_HELD - most.min(NONE_HELD - 1));
        for (i, cells) in all.iter_mut().enumerate() {
            let ones = u64::from_le_bytes(spread(u64::from(proof.groups) >> (8 * i) & 0xff));
            *cells = (*cells & !(ones * 0xff)) | (ones * value);
        }
    }
    for (cells, all) in cells.chunks_mut(8).zip(all) {
        cells.copy_from_slice(&all.to_le_bytes()[..cells.len()]);
    }
}

const _: () = assert!(WIDTH > DISCARDS.end() + 6);
