//! The start of a round before the play: roster changes, decree, deal, and taxes.

use cardsharp_climbing::{self as climbing, Bounded, Memory, Trick};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{MAX_SEATS, Seat};

use super::deck::{self, COPIES, Cards, JOKER, LARGEST, Rank};
use super::roster::{self, Order};
use super::rules::{Decree, Rules};
use super::state::{Ask, PrivateState, PublicState, Round, SeatPosition, SessionState, Stage, tribute};
use super::variant::{JokerOrder, MENU};

/// The table at the start of a round, after roster changes.
fn fresh_table(rules: &Rules, standing: &SessionState, rng: &mut DealRng) -> PublicState {
    let round = standing.rounds + 1;
    let order = Order { players: standing.players, seats: standing.order };
    let changed = roster::apply(rules.roster_script.as_slice(), rules.join_policy, round, order, rng);
    let Order { players, seats: order } = changed.order;
    PublicState {
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
pub fn positions(order: &[Seat]) -> [SeatPosition; MAX_SEATS] {
    let mut position = [SeatPosition::NONE; MAX_SEATS];
    for (p, seat) in order.iter().enumerate() {
        position[seat.index()] = SeatPosition::at(p as u8);
    }
    position
}

/// Starts a round: asks for a decree, or deals.
pub fn deal(rules: &Rules, standing: &SessionState, mut rng: DealRng) -> Round {
    let table = fresh_table(rules, standing, &mut rng);
    let mut round = Round { table, own: [PrivateState::dealt(Cards::NONE); MAX_SEATS], asking: 0, rng };
    match rules.decree {
        Decree::Off => deal_cards(&mut round),
        Decree::Menu(_) => round.ask(0, Ask::Decree),
    }
    round
}

/// Applies the Tahimi's decree, an entry of the menu, and deals.
pub fn decree(round: &mut Round, entry: Bounded<MENU>) {
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
    if round.table.taxes() { start_taxes(round) } else { round.table.stage = Stage::Play }
}

// Taxes: what the low players pay, and what they get back.

pub fn start_taxes(round: &mut Round) {
    round.table.stage = Stage::Taxes;
    for &(high, low, _) in round.table.pairs() {
        round.own[usize::from(high)].partner = Some(low);
        round.own[usize::from(low)].partner = Some(high);
    }
    ask_about_jokers(round, 0);
}

/// Asks the next payer with jokers how many to pay, the lowest first, if payers decide about that. The first `asked`
/// pairs have been handled.
fn ask_about_jokers(round: &mut Round, asked: usize) {
    if round.table.variant.joker_order() == JokerOrder::Holder {
        for &(_, low, _) in &round.table.pairs()[asked..] {
            if round.own[usize::from(low)].hand.0[JOKER] > 0 {
                round.ask(low, Ask::TaxJokers);
                return;
            }
        }
    }
    pay(round);
}

/// Records how many jokers a payer decided to pay.
pub fn pay_jokers(round: &mut Round, jokers: u8) {
    let position = round.asking;
    let own = &mut round.own[usize::from(position)];
    own.ask = Ask::Nothing;
    own.given.0[JOKER] = jokers;
    // The lowest player is in pair 0, the next higher one in pair 1, and so on.
    let number = usize::from(round.table.players - 1 - position);
    ask_about_jokers(round, number + 1);
}

/// Moves all tributes, and asks the highest receiver what to give back.
fn pay(round: &mut Round) {
    let order = round.table.variant.joker_order();
    for &(high, low, k) in round.table.pairs() {
        let own = &mut round.own[usize::from(low)];
        let cards = tribute(&own.hand, k, order, own.given.0[JOKER]);
        own.given = cards;
        hand_over(round, low, high, &cards);
    }
    round.ask(0, Ask::Return);
}

/// Moves cards from one position to another and records them as received.
fn hand_over(round: &mut Round, from: u8, to: u8, cards: &Cards) {
    round.own[usize::from(from)].hand.remove(cards);
    round.own[usize::from(to)].hand.add(cards);
    round.own[usize::from(to)].received.add(cards);
}

/// Picks a card for a receiver to give back. When all have chosen, the cards move and the play starts.
pub fn give_back(round: &mut Round, rank: Rank) {
    let pairs = round.table.pairs();
    let number = usize::from(round.asking);
    let own = &mut round.own[number];
    // Count before adding the card: reading a sum right after writing has to wait for the write.
    let given = own.given.total() + 1;
    own.given.0[rank.get()] += 1;
    if given < u32::from(pairs[number].2) {
        return;
    }
    own.ask = Ask::Nothing;
    if number + 1 < pairs.len() {
        round.ask(round.asking + 1, Ask::Return);
        return;
    }
    for &(high, low, _) in pairs {
        let cards = round.own[usize::from(high)].given;
        hand_over(round, high, low, &cards);
    }
    round.table.stage = Stage::Play;
}
