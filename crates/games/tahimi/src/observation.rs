//! The observation: a row of cells in named blocks, with the same layout for all variants and player counts.

use cardsharp_climbing::REMEMBERED_SIZES;
use cardsharp_climbing::observation::{self as climbing, FEW, Others, clockwise, unseen};
use cardsharp_engine::Seat;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::{Block, ones, whole, width};
use cardsharp_engine::game::{Observe, Prefix};
use cardsharp_engine::rules::Rules as _;

use super::deck::{COPIES, JOKER, NATURALS, RANKS, slot};
use super::roster::MOST_PLAYERS;
use super::rules::{Decree, HandCountView, Reward, Rules};
use super::state::{Ask, Round, Stage, TITLES, View, title_index};
use super::variant::{Bundle, JokerOrder, Jokers, MENU};

/// Number of seats other than the viewer's.
const OTHERS: usize = MOST_PLAYERS - 1;
/// Number of cells of a hand as thermometers: eight for each slot, two for the jokers.
const CARDS: usize = COPIES * NATURALS + 2;
/// Largest number of cards in a set: eight naturals and two jokers.
const MOST_IN_SET: usize = COPIES + 2;
/// Number of cells for an entry of the decree menu.
const ENTRY: usize = 6;

blocks! {
    /// All cells, in blocks.
    pub OBSERVATION {
        HAND: "hand",
    CARDS,
    1,
    "Own cards, as thermometers. Each slot 0..=17 (0 is the lowest rank, 17 the highest) has 8 cells, and the \
        jokers have 2; the first n are 1 when n are held.";
        UNSEEN: "unseen", CARDS, 1, "Cards of the deck neither in hand nor played, as thermometers like `hand`.";
        TABLE_RANK: "table_rank", RANKS, 1, "Rank of the set to beat, one-hot: slots 0..=17, then low jokers alone.";
        TABLE_SIZE: "table_size", MOST_IN_SET, 1, "Cards in the set to beat, 1 to 10, one-hot.";
        TABLE_JOKERS: "table_jokers", 1, 2, "Jokers in the set to beat.";
        LAST: "last", MOST_PLAYERS, 1, "The player of the set to beat, one-hot by players clockwise from the viewer \
            (0 is the viewer).";
        PASSED: "passed", MOST_PLAYERS, 1, "Players who have passed since (with pass_is_final: in this trick), by \
            players clockwise from the viewer.";
        PLAYERS: "players", 6, 1, "Number of players, 3 to 8, one-hot.";
        POSITION: "position", MOST_PLAYERS, 1, "Own position, 0 is the Tahimi, one-hot.";
        TITLE: "title",
    TITLES.len(),
    1,
    "Own title one-hot: Tahimi, Vice Tahimi, Senior Vice Tahimi, Junior Vice Tahimi, Merchant, master serf, junior \
         assistant to the master serf, serf.";
        PHASE: "phase", 4, 1, "The phase, one-hot: decree, tax jokers, tax, play. All 0 when no decision is due.";
        PICKS: "picks", 1, 3, "Cards picked so far to give back in taxes.";
        GIVEN: "given", RANKS, 3, "Cards paid or returned in taxes, or picked for it, from the highest slot 17 down \
            to 0, then jokers.";
        RECEIVED: "received", RANKS, 3, "Cards received in taxes, from the highest slot 17 down to 0, then jokers.";
        PARTNER: "partner", MOST_PLAYERS, 1, "The other player of this tax, one-hot by players clockwise from the \
            viewer.";
        DECK: "deck", RANKS, COPIES as u8, "Copies of each rank in the deck in play, from the highest slot 17 down to 0, then jokers.";
        OPTIONS: "options",
    15,
    1,
    "Rules in force: jokers low, wild; in taxes jokers low, high, as the holder decides; rank_privilege; progressive \
         taxes; pass_on_lead; hand_count_view one_card; reward points, tahimi_only; decrees are made; the round counts as \
         a first one; last round of the session; taxes are due or were paid.";
        ROUNDS_LEFT: "rounds_left", 1, 40, "Rounds of the session left after this one, at most 40.";
        MENU_ENTRIES: "menu",
    MENU * ENTRY,
    4,
    "While a decree is due, for each entry of the menu: deck (1 standard, 2 extra_suits, 3 special), jokers (1 none, 2 \
         low, 3 wild), joker_tax (1 coupled, 2 high, 3 low, 4 holder), rank_privilege (1 off, 2 on), tax_schedule (1 auto, 2 \
         basic, 3 progressive), each 0 where the entry changes nothing; and 1 for being on the menu.";
        OUT: "out", OTHERS, 1, "Players who have gone out, by the other players clockwise.";
        PLACE: "place", OTHERS, MOST_PLAYERS as u8, "Finishing places of those who have gone out, by the others.";
        ONE_CARD: "one_card", OTHERS, 1, "Players who have announced their last card, by the others.";
        COUNT: "count", OTHERS, 18, "Cards each other player holds; 0 under hand_count_view one_card.";
        FEW_CARDS: "few_cards",
    OTHERS * FEW,
    1,
    "For each other player 8 cells; the first n are 1 when the player holds n cards (all 8 from 8 on). 0 under \
        hand_count_view one_card.";
        PLAYED: "played",
    OTHERS * RANKS,
    COPIES as u8,
    "For each other player the cards played so far, from the highest slot 17 down to 0, then jokers; 0 under \
        hand_count_view one_card.";
        PASSED_ON: "passed_on",
    OTHERS * REMEMBERED_SIZES,
    RANKS as u8,
    "For each other player and sets of 1 to 6 cards: the lowest rank on which the player passed this round, as slot \
        plus 2 (1 is low jokers alone); 0 without such a pass.";
        HOUSE_RULES: "house_rules", climbing::HOUSE_RULES, 1, climbing::ABOUT_HOUSE_RULES;
        SKIPPED: "skipped",
    MOST_PLAYERS,
    1,
    "The player skipped by a set of equal rank, one-hot by players clockwise from the viewer.";
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
        OTHER_HANDS: "other_hands", OTHERS * RANKS, COPIES as u8, "For each other player, clockwise, the cards in \
            hand, from the highest slot 17 down to 0, then jokers.";
    }
}

/// `ONES[n]` starts with `n` ones. From [`COPIES`] on all cells are 1; the 32 rows cover every masked index.
static ONES: [[u8; COPIES]; 32] = ones();

impl Observe for Round {
    const ENCODING: u32 = 2;
    const PREFIXES: &'static [Prefix] = &[Prefix::ending(1, PASSED_ON, &["pass_is_final", "equal_rank"])];
    const OBSERVATION: &'static [Block] = OBSERVATION;
    const HIDDEN: &'static [Block] = HIDDEN;

    #[inline]
    fn observe(view: View<'_>, row: &mut [u8]) {
        let Some(row) = whole::<WIDTH>(row) else { return };
        let (table, own) = (view.table, view.own);
        let players = table.players;
        let me = table.position_of(view.seat);
        let clockwise = |position: u8| clockwise(me, position, players);

        row.fill(0);
        let (deck, gone, hand) = (&table.deck.0, &table.memory.gone.0, &own.hand.0);
        let unseen = unseen(deck, hand, gone);
        thermometers(HAND, hand, row);
        // Before the deal both the deck and the hand are empty.
        thermometers(UNSEEN, &unseen, row);

        let trick = &table.trick;
        if trick.size != 0 {
            let rank = JOKER - usize::from(trick.strength);
            row[TABLE_RANK.offset + if rank == JOKER { JOKER } else { slot(rank) }] = 1;
            row[TABLE_SIZE.offset + usize::from(trick.size) - 1] = 1;
            row[TABLE_JOKERS.offset] = trick.wilds;
            row[LAST.offset + clockwise(trick.last)] = 1;
        }
        // Passes on an empty table count, too: the last player whom the lead reaches must play.
        if !trick.passed.is_empty() {
            for position in 0..players {
                row[PASSED.offset + clockwise(position)] = u8::from(trick.passed.has(position));
            }
        }
        row[PLAYERS.offset + usize::from(players) - 3] = 1;
        row[POSITION.offset + usize::from(me)] = 1;
        row[TITLE.offset + title_index(me, players, table.variant.is_progressive())] = 1;
        if table.stage == Stage::Play {
            row[PHASE.offset + 3] = u8::from(trick.turn == me && !trick.is_over());
        } else {
            before_play(view, row);
        }
        if let Some(partner) = own.partner {
            row[PARTNER.offset + clockwise(partner)] = 1;
            row[GIVEN.offset..GIVEN.end()].copy_from_slice(&own.given.0);
            row[RECEIVED.offset..RECEIVED.end()].copy_from_slice(&own.received.0);
        }
        row[DECK.offset..DECK.end()].copy_from_slice(&table.deck.0);
        options(view, row);
        climbing::house_rules([HOUSE_RULES, SKIPPED], table.trick_rules(), trick, me, row);
        others(view, me, row);
    }

    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        let hands = self.own.map(|own| own.hand);
        climbing::reveal(&hands[..self.players()], self.table.position_of(seat), row);
    }
}

#[inline]
fn thermometers(block: Block, cards: &[u8; RANKS], row: &mut [u8; WIDTH]) {
    for rank in 0..NATURALS {
        let start = block.offset + COPIES * slot(rank);
        row[start..start + COPIES].copy_from_slice(&ONES[usize::from(cards[rank] & 31)]);
    }
    let start = block.offset + COPIES * NATURALS;
    row[start] = u8::from(cards[JOKER] > 0);
    row[start + 1] = u8::from(cards[JOKER] > 1);
}

#[cold]
fn before_play(view: View<'_>, row: &mut [u8; WIDTH]) {
    let phase = match view.own.ask {
        Ask::Nothing => return,
        Ask::Decree => 0,
        Ask::TaxJokers => 1,
        Ask::Return => 2,
    };
    row[PHASE.offset + phase] = 1;
    match view.own.ask {
        Ask::Return => row[PICKS.offset] = view.own.given.total() as u8,
        Ask::Decree => menu(&view.table.rules, row),
        _ => {}
    }
}

fn menu(rules: &Rules, row: &mut [u8; WIDTH]) {
    let Decree::Menu(menu) = &rules.decree else { return };
    for (entry, bundle) in menu.as_slice().iter().enumerate() {
        // `deuces_high` only changes names, except in the literal special deck. There the block `deck` shows the cards.
        let Bundle { deck, jokers, joker_tax, deuces_high: _, rank_privilege, tax_schedule } = *bundle;
        let cells = [
            deck.map_or(0, |option| option as u8 + 1),
            jokers.map_or(0, |option| option as u8 + 1),
            joker_tax.map_or(0, |option| option as u8 + 1),
            rank_privilege.map_or(0, |option| u8::from(option) + 1),
            tax_schedule.map_or(0, |option| option as u8 + 1),
            1,
        ];
        let start = MENU_ENTRIES.offset + entry * ENTRY;
        row[start..start + ENTRY].copy_from_slice(&cells);
    }
}

#[inline]
fn options(view: View<'_>, row: &mut [u8; WIDTH]) {
    let table = view.table;
    let (rules, variant) = (&table.rules, &table.variant);
    let order = variant.joker_order();
    let has_jokers = variant.jokers != Jokers::None;
    let rounds_left = rules.rounds().saturating_sub(u32::from(table.round));
    let flags = [
        variant.jokers == Jokers::Low,
        variant.jokers == Jokers::Wild,
        has_jokers && order == JokerOrder::Low,
        has_jokers && order == JokerOrder::High,
        has_jokers && order == JokerOrder::Holder,
        variant.rank_privilege,
        variant.is_progressive(),
        rules.pass_on_lead,
        rules.shaping.hand_count_view == HandCountView::OneCard,
        rules.shaping.reward == Reward::Points,
        rules.shaping.reward == Reward::TahimiOnly,
        rules.decree != Decree::Off,
        table.first,
        rounds_left == 0,
        table.taxes(),
    ];
    OPTIONS.set(flags.map(u8::from), row);
    row[ROUNDS_LEFT.offset] = rounds_left.min(40) as u8;
}

#[inline]
fn others(view: View<'_>, me: u8, row: &mut [u8; WIDTH]) {
    let table = view.table;
    let players = table.players;
    let shows_all = table.rules.shaping.hand_count_view == HandCountView::Derivable;
    let mut position = me;
    for other in 0..usize::from(players) - 1 {
        position = if position + 1 == players { 0 } else { position + 1 };
        row[ONE_CARD.offset + other] = u8::from(table.one_card.has(position));
        let held = || shows_all.then(|| table.held(position));
        EACH_OTHER.write((other, position), (&table.trick, &table.memory), held, shows_all, row);
    }
}
