//! The start of a round before the taxes: roster changes, decree, deal.

use cardsharp_climbing::{self as climbing, Below, Memory, Trick};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{MAX_SEATS, Seat};

use super::deck::{self, COPIES, Cards, LARGEST};
use super::position::Position;
use super::roster::{self, Order};
use super::rules::{Decree, Rules};
use super::state::{Round, Standing};
use super::table::{Ask, Own, Stage, Table};
use super::tax;
use super::variant::MENU;

/// The table at the start of a round, after roster changes.
fn fresh_table(rules: &Rules, standing: &Standing, rng: &mut DealRng) -> Table {
    let round = standing.rounds + 1;
    let order = Order { players: standing.players, seats: standing.order };
    let changed = roster::apply(rules, round, order, rng);
    let Order { players, seats: order } = changed.order;
    Table {
        rules: *rules,
        variant: rules.variant(),
        decree: None,
        players,
        deck: Cards::NONE,
        round,
        first: round == 1 || changed.redrawn,
        points: standing.points,
        order,
        position: positions(&order[..usize::from(players)]),
        left: changed.left,
        joined: changed.joined,
        stage: Stage::Decree,
        cards: [0; MAX_SEATS],
        one_card: Positions(0),
        trick: Trick::new(players),
        memory: Memory::EMPTY,
    }
}

/// The position of each seat in this order, the Tahimi first.
pub fn positions(order: &[Seat]) -> [Position; MAX_SEATS] {
    let mut position = [Position::NONE; MAX_SEATS];
    for (p, seat) in order.iter().enumerate() {
        position[seat.index()] = Position::at(p as u8);
    }
    position
}

/// Starts a round: asks for a decree, or deals.
pub fn deal(rules: &Rules, standing: &Standing, mut rng: DealRng) -> Round {
    let table = fresh_table(rules, standing, &mut rng);
    let mut round = Round { table, own: [Own::dealt(Cards::NONE); MAX_SEATS], asking: 0, rng };
    match rules.decree {
        Decree::Off => deal_cards(&mut round),
        Decree::Menu(_) => round.ask(0, Ask::Decree),
    }
    round
}

/// Applies the Tahimi's decree, an entry of the menu, and deals.
pub fn decree(round: &mut Round, entry: Below<MENU>) {
    round.own[0].ask = Ask::Nothing;
    let table = &mut round.table;
    if let Decree::Menu(menu) = &table.rules.decree {
        table.variant = table.variant.decreed(&menu.as_slice()[entry.get()]);
        table.decree = Some(entry.get() as u8);
    }
    deal_cards(round);
}

/// Shuffles and deals all cards, one at a time from position 0.
fn deal_cards(round: &mut Round) {
    let table = &mut round.table;
    table.deck = deck::composition(&table.rules, &table.variant, table.players);
    // Extra room for a complete rank, so that all ranks are written with the same fixed length.
    let mut pack = [0u8; LARGEST + COPIES];
    let mut cards = 0;
    for (rank, &n) in table.deck.0.iter().enumerate() {
        pack[cards..cards + COPIES].fill(rank as u8);
        cards += usize::from(n);
    }
    let pack = &mut pack[..cards];
    round.rng.draw(|draw| draw.shuffle(pack));
    let mut position = 0;
    for &rank in pack.iter() {
        round.own[position].hand.0[usize::from(rank)] += 1;
        position = if position + 1 == usize::from(table.players) { 0 } else { position + 1 };
    }
    let players = table.players;
    for (position, held) in table.cards.iter_mut().enumerate().take(usize::from(players)) {
        *held = climbing::dealt(cards as u32, players, position as u8);
    }
    begin(round);
}

/// Continues after the deal with the taxes or the play.
pub(super) fn begin(round: &mut Round) {
    if round.table.taxes() { tax::start(round) } else { round.table.stage = Stage::Play }
}
