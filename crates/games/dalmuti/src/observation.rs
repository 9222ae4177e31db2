//! The observation: a row of cells in named blocks, with the same layout for all variants and player counts.

use cardsharp_climbing::REMEMBERED_SIZES;
use cardsharp_climbing::observation::{self as climbing, FEW, Others, clockwise, unseen};
use cardsharp_climbing::sets::MAX_SIZE;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::{Block, ones, whole, width};
use cardsharp_engine::game::{Observe, Prefix};
use cardsharp_engine::{MAX_SEATS, Seat};

use super::deck::{self, Cards, JESTER, RANKS};
use super::rules::{HandCountView, Rules};
use super::state::{Ask, ExposedFate, Revolution, Round, Stage, View};

/// Number of seats other than the viewer's.
const OTHERS: usize = MAX_SEATS - 1;
/// One cell for each card of the full deck: rank 1, rank 2 twice, …, the Jesters twice.
const CARDS: usize = deck::DECK;

blocks! {
    /// All cells, in blocks.
    pub OBSERVATION {
        HAND: "hand",
    CARDS,
    1,
    "Own cards, as thermometers. Each rank 1..=12, then the Jesters, has as many cells as the full deck has copies; \
        the first n are 1 when n are held.";
        UNSEEN: "unseen", CARDS, 1, "Cards of the deck neither in hand nor played, as thermometers like `hand`.";
        TABLE_RANK: "table_rank", RANKS, 1, "Rank of the set to beat, 1 to 13, one-hot.";
        TABLE_SIZE: "table_size", MAX_SIZE, 1, "Cards in the set to beat, 1 to 14, one-hot.";
        TABLE_JESTERS: "table_jesters", 1, 2, "Jesters in the set to beat.";
        LAST: "last", MAX_SEATS, 1, "The player of the set to beat, one-hot by seats clockwise from the viewer (0 \
            is the viewer).";
        PASSED: "passed", MAX_SEATS, 1, "Players who have passed since (with pass_is_final: in this trick), by \
            seats clockwise from the viewer.";
        PLAYERS: "players", 9, 1, "Number of players, 4 to 12, one-hot.";
        POSITION: "position", MAX_SEATS, 1, "Own position, 0 is the Greater Dalmuti, one-hot.";
        TITLE: "title", deck::TITLES.len(), 1, "Own title one-hot: Greater Dalmuti, Lesser Dalmuti, Merchant, Lesser Peon, Greater Peon.";
        PHASE: "phase", 6, 1, "The phase, one-hot: misdeal, revolution, tax, exchange offer, exchange, play. All 0 \
            when no decision is due.";
        PICKS: "picks", 1, 2, "Cards picked so far to give in taxes.";
        REVOLUTION: "revolution", 2, 1, "A revolution was called; a greater revolution was called.";
        CALLER: "caller", MAX_SEATS, 1, "The caller of the revolution, one-hot by seats clockwise from the viewer.";
        GIVEN: "given", RANKS, 2, "Cards paid, returned or exchanged, or picked for it, by rank.";
        RECEIVED: "received", RANKS, 2, "Cards received in taxes or exchange, by rank.";
        PARTNER: "partner", MAX_SEATS, 1, "The other player of this tax or exchange, one-hot by seats clockwise \
            from the viewer.";
        EXCHANGE: "exchange", MAX_SEATS, 1, "The two Merchants who exchange a card, by seats clockwise from the viewer.";
        EXPOSED_RANK: "exposed_rank", RANKS, 1, "Rank of the card exposed while dealing, one-hot.";
        EXPOSED_RECEIVER: "exposed_receiver", MAX_SEATS, 1, "The player to whom the exposed card was dealt, one-hot \
            by seats clockwise from the viewer.";
        EXPOSED_TO_PEON: "exposed_to_peon", 1, 1, "1 if the exposed card went to the Greater Peon.";
        REPLACEMENT: "replacement", RANKS, 1, "Rank of the card that replaced the exposed one, one-hot; only in the \
            rows of the Greater Peon and the receiver of the replacement.";
        DECK: "deck", RANKS, 12, "Copies of each rank in the deck in play.";
        OPTIONS: "options",
    Rules::SHOWN.len() + 3,
    1,
    "Rules in force: first_deal_revolution; tax_visibility seen; merchant_exchange blind_choice, blind_random; \
         scoring none, standard, philanthropic; reward score; hand_count_view hidden; first hand of the session; last \
         hand of the session; taxes are due or were paid.";
        MISDEAL_PERCENT: "misdeal_percent", 1, 100, "The option misdeal_prob in percent, rounded.";
        HANDS_LEFT: "hands_left", 1, 40, "Hands of the session left after this one, at most 40.";
        SCORES: "scores",
    MAX_SEATS,
    200,
    "Points before this hand × 200 / (hands played × players), rounded down; by seats clockwise from the viewer.";
        OUT: "out", OTHERS, 1, "Players who have gone out, by the other seats clockwise.";
        PLACE: "place", OTHERS, 12, "Finishing places of those who have gone out, by the other seats.";
        COUNT: "count", OTHERS, 20, "Cards each other player holds; 0 under hand_count_view hidden.";
        FEW_CARDS: "few_cards",
    OTHERS * FEW,
    1,
    "For each other player 8 cells; the first n are 1 when the player holds n cards (all 8 from 8 on). 0 under \
        hand_count_view hidden.";
        PLAYED: "played", OTHERS * RANKS, 12, "For each other player the cards played so far, by rank.";
        PASSED_ON: "passed_on",
    OTHERS * REMEMBERED_SIZES,
    13,
    "For each other player and sets of 1 to 6 cards: 14 minus the worst rank on which the player passed this hand \
        (13 for a Dalmuti, 1 for lone Jesters); 0 without such a pass.";
        HOUSE_RULES: "house_rules", climbing::HOUSE_RULES, 1, climbing::ABOUT_HOUSE_RULES;
        SKIPPED: "skipped",
    MAX_SEATS,
    1,
    "The player skipped by a set of equal rank, one-hot by seats clockwise from the viewer.";
    }
}

/// The blocks with a run of cells for each other player.
const EACH_OTHER: Others = Others {
    out: OUT,
    place: PLACE,
    count: COUNT,
    few_cards: FEW_CARDS,
    played: PLAYED,
    passed_on: PASSED_ON,
};

const WIDTH: usize = width(OBSERVATION);

blocks! {
    /// The hands of the other players, for a critic in training.
    pub HIDDEN {
        OTHER_HANDS: "other_hands", OTHERS * RANKS, 12, "For each other player, clockwise, the cards in hand, by rank.";
    }
}

/// Index of the first cell of each rank in a thermometer block.
const THERMOMETER: [usize; RANKS] = {
    let mut starts = [0; RANKS];
    let mut rank = 1;
    while rank < RANKS {
        starts[rank] = starts[rank - 1] + rank;
        rank += 1;
    }
    starts
};

/// `ONES[n]` starts with `n` ones.
static ONES: [[u8; 16]; 17] = ones();

impl Observe for Round {
    const ENCODING: u32 = 2;
    const PREFIXES: &'static [Prefix] = &[Prefix::ending(1, PASSED_ON, &["pass_is_final", "equal_rank"])];
    const OBSERVATION: &'static [Block] = OBSERVATION;
    const HIDDEN: &'static [Block] = HIDDEN;

    #[inline]
    fn observe(view: View<'_>, row: &mut [u8]) {
        let Some(row) = whole::<WIDTH>(row) else { return };
        let (table, own) = (view.table, view.own);
        let players = table.players();
        let me = table.position[view.seat.index()];
        let clockwise = |position: u8| clockwise(me, position, players);

        row.fill(0);
        let (deck, gone) = (padded(&table.deck), padded(&table.memory.gone));
        let hand = padded(&own.hand);
        let unseen = unseen(&deck, &hand, &gone);
        thermometers(HAND, &hand, row);
        thermometers(UNSEEN, &unseen, row);

        let trick = &table.trick;
        if trick.size != 0 {
            row[TABLE_RANK.offset + JESTER - usize::from(trick.strength)] = 1;
            row[TABLE_SIZE.offset + usize::from(trick.size) - 1] = 1;
            row[TABLE_JESTERS.offset] = trick.wilds;
            row[LAST.offset + clockwise(trick.last)] = 1;
            if !trick.passed.is_empty() {
                for position in 0..players {
                    row[PASSED.offset + clockwise(position)] = u8::from(trick.passed.has(position));
                }
            }
        }
        row[PLAYERS.offset + usize::from(players) - 4] = 1;
        row[POSITION.offset + usize::from(me)] = 1;
        row[TITLE.offset + deck::title_index(me, players)] = 1;
        if table.stage == Stage::Play {
            row[PHASE.offset + 5] = u8::from(trick.turn == me && !trick.is_over());
        } else {
            before_play(view, row);
        }
        if let Some(partner) = own.partner {
            row[PARTNER.offset + clockwise(partner)] = 1;
            row[GIVEN.offset..GIVEN.end()].copy_from_slice(&own.given.0);
            row[RECEIVED.offset..RECEIVED.end()].copy_from_slice(&own.received.0);
        }
        match table.revolution {
            Revolution::None => {}
            Revolution::Revolution => row[REVOLUTION.offset] = 1,
            Revolution::Greater => row[REVOLUTION.offset + 1] = 1,
        }
        if let Some(caller) = table.caller {
            row[CALLER.offset + clockwise(table.position[caller.index()])] = 1;
        }
        if let Some(target) = table.exchange {
            row[EXCHANGE.offset + clockwise(2)] = 1;
            row[EXCHANGE.offset + clockwise(target)] = 1;
        }
        if let Some(exposed) = table.exposed {
            row[EXPOSED_RANK.offset + usize::from(exposed.rank)] = 1;
            row[EXPOSED_RECEIVER.offset + clockwise(table.position[exposed.receiver.index()])] = 1;
            row[EXPOSED_TO_PEON.offset] = u8::from(exposed.fate == ExposedFate::ToPeon);
            if let Some(rank) = own.replacement {
                row[REPLACEMENT.offset + usize::from(rank)] = 1;
            }
        }
        row[DECK.offset..DECK.end()].copy_from_slice(&table.deck.0);
        options(view, row);
        climbing::house_rules([HOUSE_RULES, SKIPPED], table.trick_rules(), trick, me, row);
        others(view, me, deck.iter().map(|&n| u32::from(n)).sum(), row);
    }

    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        let hands = self.own.map(|own| own.hand);
        climbing::reveal(&hands[..self.players()], self.table.position[seat.index()], row);
    }
}

/// The counts in 16 bytes, the width of a register.
#[inline]
fn padded(cards: &Cards) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..RANKS].copy_from_slice(&cards.0);
    bytes
}

/// Writes thermometers rank by rank. Each write of 16 cells overlaps the next rank, which overwrites the excess. After
/// the last rank, zeros overwrite it.
#[inline]
fn thermometers(block: Block, cards: &[u8; 16], row: &mut [u8; WIDTH]) {
    for rank in 0..RANKS {
        let start = block.offset + THERMOMETER[rank];
        row[start..start + 16].copy_from_slice(&ONES[usize::from(cards[rank] & 15)]);
    }
    row[block.end()..block.end() + 16].fill(0);
}

#[cold]
fn before_play(view: View<'_>, row: &mut [u8; WIDTH]) {
    let phase = match view.own.ask {
        Ask::Nothing => return,
        Ask::Misdeal => 0,
        Ask::Revolution => 1,
        Ask::Tax => 2,
        Ask::Offer => 3,
        Ask::Exchange => 4,
    };
    row[PHASE.offset + phase] = 1;
    if view.own.ask == Ask::Tax {
        row[PICKS.offset] = view.own.given.total() as u8;
    }
}

#[inline]
fn options(view: View<'_>, row: &mut [u8; WIDTH]) {
    let table = view.table;
    let rules = &table.rules;
    let mut cells = [0; OPTIONS.len];
    let (shown, hand) = cells.split_at_mut(Rules::SHOWN.len());
    shown.copy_from_slice(&rules.shown());
    // The encoding has the reward before `hand_count_view`, unlike the list of options.
    if let [.., hidden, score] = shown {
        std::mem::swap(hidden, score);
    }
    hand.copy_from_slice(&[table.hand == 1, table.hand == rules.hands, table.taxes()].map(u8::from));
    OPTIONS.set(cells, row);
    if rules.misdeal_prob > 0.0 {
        row[MISDEAL_PERCENT.offset] = (rules.misdeal_prob * 100.0).round() as u8;
    }
    row[HANDS_LEFT.offset] = rules.hands.saturating_sub(table.hand).min(40) as u8;
}

#[inline]
fn others(view: View<'_>, me: u8, cards: u32, row: &mut [u8; WIDTH]) {
    let table = view.table;
    let players = table.players();
    let shows_counts = table.rules.shaping.hand_count_view == HandCountView::Public;
    let reversed = table.revolution == Revolution::Greater;
    let (each, more) = ((cards / u32::from(players)) as u8, (cards % u32::from(players)) as u8);
    let scored = table.hand > 1;
    let share = Share::of((u32::from(table.hand) - 1) * u32::from(players));
    let mut position = me;
    if scored {
        row[SCORES.offset] = share.cell(table.points[view.seat.index()]);
    }
    for other in 0..usize::from(players) - 1 {
        position = if position + 1 == players { 0 } else { position + 1 };
        let p = usize::from(position);
        if scored {
            row[SCORES.offset + other + 1] = share.cell(table.points[table.order[p].index()]);
        }
        let held = || {
            let dealt_as = if reversed { players - 1 - position } else { position };
            shows_counts.then(|| each + u8::from(dealt_as < more) - table.memory.total[p])
        };
        EACH_OTHER.write((other, position), (&table.trick, &table.memory), held, true, row);
    }
}

/// Multiplies by `200 / most`, rounded down, with only one division for a row.
struct Share(u64);

impl Share {
    #[inline]
    fn of(most: u32) -> Self {
        Self((200_u64 << 32).div_ceil(u64::from(most.max(1))))
    }

    #[inline]
    fn cell(&self, points: i32) -> u8 {
        ((points.max(0) as u64 * self.0) >> 32).min(200) as u8
    }
}

const _: () = assert!(WIDTH > UNSEEN.end() + 16);
