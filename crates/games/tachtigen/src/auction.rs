//! Before the play: dealing, the opening, the auction, and what the bidder then decides.

use cardsharp_engine::Seat;
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::DealRng;

use super::bids::{Bid, BidKind};
use super::deck::{ACE, CARDS, Card, Cards, Suit, Trump};
use super::rules::{AllHold, AskScope, FirstLeader, MOST_REDEALS, OpeningOrder, PLAYERS, Rules, TrumpRule};
use super::state::{
    ALL_SEATS, AskedCard, Auction, HAND, PerSeat, PlayState, PrivateState, PublicState, Round, SEATS,
    SessionState, Stage, clockwise,
};

// Dealing, the opening and the auction.

/// The random part of a deal.
struct Dealt {
    own: PerSeat<PrivateState>,
    kitty: Card,
    order: PerSeat<Seat>,
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
        PrivateState { hand: Cards(dealt.iter().fold(0, |hand, number| hand | 1 << number)), discard: None }
    });
    // All numbers are valid card numbers, so the default is never used.
    let kitty = Card::new(cards[CARDS - 1]).unwrap_or(Card::FIRST);
    Dealt { own, kitty, order }
}

/// Returns the auction before the first action.
const fn silent(order: PerSeat<Seat>) -> Auction {
    Auction { order, held: Positions(0), passed: Positions(0), bids: [None; SEATS], high: None }
}

/// Returns the public state before the first action.
pub(super) fn fresh_table(rules: &Rules, standing: &SessionState, order: PerSeat<Seat>) -> PublicState {
    PublicState {
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
        asked: AskedCard::Nothing,
        partner: None,
        roem: [None; 2],
        open: Positions(0),
        shown: [Cards::NONE; SEATS],
        play: PlayState::NONE,
    }
}

pub(super) fn deal(rules: &Rules, standing: &SessionState, mut rng: DealRng) -> Round {
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
pub(super) fn bid(table: &mut PublicState, bid: Bid) {
    table.stage = Stage::Auction;
    table.auction.bids[table.turn.index()] = Some(bid);
    table.auction.high = Some(table.turn);
    next_speaker(table);
}

/// Plays a pass, for the rest of the auction. After three passes the contract starts.
pub(super) fn pass(round: &mut Round) {
    round.table.auction.passed.insert(round.table.turn.0);
    if round.table.auction.passed.len() == u32::from(PLAYERS) - 1 {
        start_contract(round);
    } else {
        next_speaker(&mut round.table);
    }
}

/// Gives the turn to the next player clockwise who has neither passed nor made the highest bid.
fn next_speaker(table: &mut PublicState) {
    let auction = &table.auction;
    let speaks = |seat: &Seat| !auction.passed.has(seat.0) && auction.high != Some(*seat);
    let mut others = (1..PLAYERS).map(|n| clockwise(table.turn, n));
    if let Some(seat) = others.find(speaks) {
        table.turn = seat;
    }
}

// Between auction and play: kitty, discard, trump, and asking for a partner.

/// Ends the auction. The bidder takes the kitty face up, unless the contract is played from the hand.
fn start_contract(round: &mut Round) {
    let table = &mut round.table;
    let Some(bidder) = table.auction.high else { return };
    table.turn = bidder;
    table.stage = Stage::Discard;
    if table.contract().is_none_or(BidKind::from_the_hand) {
        choose_trump(table);
        return;
    }
    take_kitty(table, round.kitty);
    round.own[bidder.index()].hand.insert(round.kitty);
}

/// Makes the kitty public. The table records that only the bidder can hold it.
pub(super) fn take_kitty(table: &mut PublicState, kitty: Card) {
    table.kitty = Some(kitty);
    for seat in ALL_SEATS {
        if table.auction.high != Some(seat) {
            table.play.lacks[seat.index()].insert(kitty);
        }
    }
}

/// Puts a card of the bidder aside.
pub(super) fn put_aside(round: &mut Round, card: Card) {
    let own = &mut round.own[round.table.turn.index()];
    own.hand.remove(card);
    own.discard = Some(card);
    choose_trump(&mut round.table);
}

/// Asks the bidder for trump, or sets no trump if the contract has none.
pub(super) fn choose_trump(table: &mut PublicState) {
    match table.contract().map(|kind| table.rules.trump_rule(kind)) {
        Some(TrumpRule::Named | TrumpRule::NamedOrNone) => table.stage = Stage::Trump,
        Some(TrumpRule::None) | None => name_trump(table, Trump::None),
    }
}

/// Sets trump. Points contracts continue with asking, the others with the first lead.
pub(super) fn name_trump(table: &mut PublicState, trump: Trump) {
    table.trump = Some(trump);
    if matches!(table.contract(), Some(BidKind::Points(_))) {
        table.stage = Stage::Ask;
    } else {
        lead(table);
    }
}

/// Returns the cards that the bidder may ask for.
pub(super) fn askable(table: &PublicState, own: &PrivateState) -> Cards {
    let suits = Suit::ALL.into_iter().map(Suit::cards).filter(|&suit| own.hand.meets(suit));
    let mut cards = suits.fold(Cards::NONE, Cards::or).minus(own.hand);
    if let (Some(discard), false) = (own.discard, table.rules.ask_discard) {
        cards.remove(discard);
    }
    match table.rules.ask_scope {
        AskScope::AnyHeldSuit => cards,
        AskScope::AcesFirst => {
            let mut by_rank = (0..=ACE).rev().map(|rank| cards.and(Cards::of_rank(rank)));
            by_rank.find(|some| !some.is_empty()).unwrap_or(Cards::NONE)
        }
    }
}

/// Sets the card that the bidder asked for, or that they play alone. The table records that the bidder lacks
/// the asked card.
pub(super) fn ask(table: &mut PublicState, asked: AskedCard) {
    table.asked = asked;
    if let (AskedCard::Card(card), Some(bidder)) = (asked, table.auction.high) {
        table.play.lacks[bidder.index()].insert(card);
    }
    lead(table);
}

/// Starts the first trick.
fn lead(table: &mut PublicState) {
    let leader = match (table.rules.first_leader, table.auction.high) {
        (FirstLeader::Bidder, Some(bidder)) => bidder,
        _ => clockwise(table.dealer, 1),
    };
    table.stage = Stage::Play;
    table.turn = leader;
    table.play.leaders[0] = leader;
    table.play.best = leader;
}
