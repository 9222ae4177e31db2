//! Dealing, the opening and the auction.

use cardsharp_engine::Seat;
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;

use super::contract;
use super::course::{Course, HAND};
use super::deck::{CARDS, Card, Cards};
use super::ladder::Bid;
use super::rules::{AllHold, MOST_REDEALS, OpeningOrder, PLAYERS, Rules};
use super::seats::{Each, SEATS, clockwise};
use super::table::{Asked, Auction, Own, Round, Stage, Standing, Table};

/// The random part of a deal.
struct Dealt {
    own: Each<Own>,
    kitty: Card,
    order: Each<Seat>,
}

/// Shuffles the deck and deals eight cards to each player. The kitty is the last card; any other would have
/// the same distribution.
fn shuffled(rules: &Rules, dealer: Seat, rng: &mut DealRng) -> Dealt {
    let mut cards: [u8; CARDS] = std::array::from_fn(|number| number as u8);
    let mut order = std::array::from_fn(|n| clockwise(dealer, n as u8 + 1));
    rng.draw(|draw| {
        draw.shuffle(&mut cards);
        if rules.opening_order == OpeningOrder::Random {
            draw.shuffle(&mut order);
        }
    });
    let own = std::array::from_fn(|seat| {
        let dealt = &cards[seat * HAND..(seat + 1) * HAND];
        Own { hand: Cards(dealt.iter().fold(0, |hand, number| hand | 1 << number)), discard: None }
    });
    // All numbers are valid card numbers, so the default is never used.
    let kitty = Card::new(cards[CARDS - 1]).unwrap_or(Card::FIRST);
    Dealt { own, kitty, order }
}

/// Returns the auction before the first action.
const fn silent(order: Each<Seat>) -> Auction {
    Auction { order, held: Positions(0), passed: Positions(0), bids: [None; SEATS], high: None }
}

/// Returns the public state before the first action.
pub(super) fn fresh_table(rules: &Rules, standing: &Standing, order: Each<Seat>) -> Table {
    Table {
        rules: *rules,
        deal: standing.deals + 1,
        scores: standing.scores,
        dealer: standing.dealer,
        redeals: 0,
        stage: Stage::Opening,
        turn: order[0],
        auction: silent(order),
        kitty: None,
        trump: None,
        asked: Asked::Nothing,
        partner: None,
        roem: [None; 2],
        open: Positions(0),
        shown: [Cards::NONE; SEATS],
        play: Course::NONE,
    }
}

/// Deals a round.
pub(super) fn deal(rules: &Rules, standing: &Standing, mut rng: DealRng) -> Round {
    let Dealt { own, kitty, order } = shuffled(rules, standing.dealer, &mut rng);
    Round { table: fresh_table(rules, standing, order), own, kitty, rng }
}

/// Plays a hold in the opening. If all players have held, the next dealer deals again or the round ends.
pub(super) fn hold(round: &mut Round) {
    let table = &mut round.table;
    table.auction.held.insert(table.turn.0);
    let spoken = table.auction.held.len() as usize;
    if spoken < SEATS {
        table.turn = table.auction.order[spoken];
    } else if table.rules.all_hold == AllHold::Redeal && table.redeals < MOST_REDEALS {
        deal_again(round);
    } else {
        table.stage = Stage::Over;
    }
}

/// Lets the next dealer deal again.
fn deal_again(round: &mut Round) {
    let table = &mut round.table;
    table.redeals += 1;
    table.dealer = clockwise(table.dealer, 1);
    let Dealt { own, kitty, order } = shuffled(&table.rules, table.dealer, &mut round.rng);
    table.auction = silent(order);
    table.turn = order[0];
    (round.own, round.kitty) = (own, kitty);
}

/// Plays a bid: the opening bid or a higher one.
pub(super) fn bid(table: &mut Table, bid: Bid) {
    table.stage = Stage::Auction;
    table.auction.bids[table.turn.index()] = Some(bid);
    table.auction.high = Some(table.turn);
    next_speaker(table);
}

/// Plays a pass, for the rest of the auction. After three passes the contract starts.
pub(super) fn pass(round: &mut Round) {
    round.table.auction.passed.insert(round.table.turn.0);
    if round.table.auction.passed.len() == u32::from(PLAYERS) - 1 {
        contract::start(round);
    } else {
        next_speaker(&mut round.table);
    }
}

/// Gives the turn to the next player clockwise who has neither passed nor made the highest bid.
fn next_speaker(table: &mut Table) {
    let auction = &table.auction;
    let speaks = |seat: &Seat| !auction.passed.has(seat.0) && auction.high != Some(*seat);
    let mut others = (1..PLAYERS).map(|n| clockwise(table.turn, n));
    if let Some(seat) = others.find(speaks) {
        table.turn = seat;
    }
}
