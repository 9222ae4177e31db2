//! The course of a deal: whose turn it is and which module handles each move; then the tricks: calling, playing cards,
//! announcing roem, opening hands.

use cardsharp_engine::game::{Contract, Payoff, Play, Turn};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{ActionId, Seat};

use super::actions::Move;
use super::bids::{BidKind, CONTRACTS};
use super::deck::{Card, Cards, Trump};
use super::follow::{self, Proof};
use super::roem::{claimant, due, true_roem};
use super::rules::{PLAYERS, RoemClaims, Rules};
use super::state::{
    AskedCard, HAND, PLAYS, PlayState, PrivateState, PublicState, Round, SEATS, SessionState, Stage,
    clockwise,
};
use super::{auction, score};

impl Play for Round {
    const NAME: &'static str = "tachtigen";
    const TITLE: &'static str = "Tachtigen";
    const VIEW: u32 = 3;
    const CONTRACTS: &'static [&'static str] = &CONTRACTS;
    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(_: &Rules, draw: &mut Draw) -> SessionState {
        SessionState { deals: 0, dealer: Seat(draw.below(u32::from(PLAYERS)) as u8), scores: [0; SEATS] }
    }

    fn deal(rules: &Rules, standing: &SessionState, rng: DealRng) -> Self {
        auction::deal(rules, standing, rng)
    }

    fn present(&self) -> Positions {
        Positions::first(PLAYERS)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.table.stage == Stage::Over { Turn::RoundOver } else { Turn::Decide(self.table.turn) }
    }

    #[inline]
    fn table(&self) -> &PublicState {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &PrivateState {
        &self.own[seat.index()]
    }

    #[inline(always)]
    fn play(&mut self, action: ActionId) {
        let Some(chosen) = Move::of(action) else { return };
        match chosen {
            Move::Play(card) => play_card(self, card),
            Move::Call => call(&mut self.table),
            Move::Discard(card) => auction::put_aside(self, card),
            Move::Ask(card) => auction::ask(&mut self.table, AskedCard::Card(card)),
            Move::Solo => auction::ask(&mut self.table, AskedCard::Solo),
            Move::Trump(trump) => auction::name_trump(&mut self.table, trump),
            Move::Bid(bid) => auction::bid(&mut self.table, bid),
            Move::Pass => auction::pass(self),
            Move::Hold => auction::hold(self),
            Move::Claim(total) => claim(&mut self.table, total.points()),
        }
    }

    fn settle(&self, standing: &mut SessionState) -> Payoff {
        score::settle(self, standing)
    }

    fn contract(&self) -> Option<Contract> {
        let (seat, kind) = (self.table.bidder()?, self.table.contract()?.number());
        score::outcome(self).map(|outcome| Contract { seat, kind, made: outcome.made })
    }
}

// Calling, playing cards, announcing roem, opening hands.

/// Number of cards played when the bidder of an ouverte opens their hand.
const OUVERTE_OPENS: usize = 5;
/// Number of cards played when all hands of a praatje are opened.
const PRAATJE_OPENS: usize = 1;

/// Plays a card of the player whose turn it is.
#[inline(always)]
fn play_card(round: &mut Round, card: Card) {
    let seat = round.table.turn;
    round.own[seat.index()].hand.remove(card);
    put(&mut round.table, card);
    if round.table.open.is_empty() {
        lay_open(round);
    }
    announce(round, seat, card);
}

/// Calls the asked card in the trick about to begin.
pub(super) fn call(table: &mut PublicState) {
    table.play.called |= 1 << table.play.trick();
}

/// Puts a card of the player whose turn it is on the table, without private state. Roem and open hands depend
/// on hands, so [`play_card`] adds them.
#[inline]
pub(super) fn put(table: &mut PublicState, card: Card) {
    let seat = table.turn;
    let Proof { lacks, refused, lone } = follow::proof(table, seat, card);
    let barred = bars_trump(table, card);
    let trump = table.trump();
    let play = &mut table.play;
    let who = seat.index();
    play.lacks[who] = play.lacks[who].or(lacks).or(proof_of_jack(play, trump, seat, card));
    play.refused[who] += u8::from(refused);
    if lone {
        play.lone.insert(seat.0);
    }
    let wins = match play.best_card() {
        None => true,
        Some(best) if best.suit() == card.suit() => best.above(trump).has(card),
        Some(_) => trump.is(card.suit()) && !barred,
    };
    if wins {
        play.best = seat;
    }
    play.played[who].insert(card);
    play.cards.push(card);
    table.shown[who].remove(card);
    if table.asked == AskedCard::Card(card) {
        table.partner = Some(seat);
    }
    if table.play.in_trick() == 0 {
        complete(table);
    }
    table.turn = clockwise(table.play.leader(), table.play.in_trick() as u8);
}

/// Returns the cards that a trump play rules out for a player whose trump jack, if held, is their only trump.
#[inline]
fn proof_of_jack(play: &PlayState, trump: Trump, seat: Seat, card: Card) -> Cards {
    match () {
        () if !play.lone.has(seat.0) || !trump.is(card.suit()) => Cards::NONE,
        () if trump.jack().has(card) => trump.cards(),
        () => trump.jack(),
    }
}

/// Returns whether the card cannot win as a trump, because a plain asked card is called in this trick.
#[inline]
fn bars_trump(table: &PublicState, card: Card) -> bool {
    table.play.is_called()
        && !table.rules.forced_trump_wins_called
        && table.play.led().is_some_and(|led| led.suit() != card.suit())
        && table.asked_card().is_some_and(|asked| !table.trump().is(asked.suit()))
}

/// Completes a trick: counts it, finds a zwabber's partner, and checks for the end of the deal.
fn complete(table: &mut PublicState) {
    let trump = table.trump();
    let play = &mut table.play;
    let (end, winner) = (play.cards.len(), play.best);
    play.leaders[end >> 2] = winner;
    play.won[winner.index()] += 1;
    let points: u8 = (end - SEATS..end).filter_map(|i| play.cards.get(i)).map(|card| card.value(trump)).sum();
    play.points[winner.index()] += points;
    let (Some(bidder), Some(kind)) = (table.auction.high, table.contract()) else { return };
    if kind == BidKind::Zwabber && table.partner.is_none() && score::emerges(&table.play, bidder) {
        table.partner = Some(winner);
    }
    if end == PLAYS || table.rules.early_stop && score::is_lost(&table.play, kind, bidder) {
        table.stage = Stage::Over;
    }
}

/// Returns the hands that are open after the cards played so far.
#[inline]
pub(super) fn opens(table: &PublicState) -> Positions {
    let played = table.play.cards.len();
    match (table.contract(), table.auction.high) {
        (Some(BidKind::Ouverte), Some(bidder)) if played >= OUVERTE_OPENS => Positions(1 << bidder.0),
        (Some(kind), _) if kind.is_praatje() && played >= PRAATJE_OPENS => Positions::first(SEATS as u8),
        _ => Positions(0),
    }
}

/// Opens hands when they are due.
#[inline]
fn lay_open(round: &mut Round) {
    round.table.open = opens(&round.table);
    for seat in round.table.open.iter().map(usize::from) {
        round.table.shown[seat] = round.own[seat].hand;
    }
}

/// Announces roem when it is due, or asks for a claim.
fn announce(round: &mut Round, seat: Seat, card: Card) {
    let Some(whose) = due(&round.table, seat, card) else { return };
    if round.table.rules.roem_claims == RoemClaims::Auto {
        let total = true_roem(&round.table, whose, &round.own[seat.index()], seat);
        round.table.roem[whose] = Some(total);
    } else {
        round.table.stage = Stage::Claim;
        round.table.turn = seat;
    }
}

/// Records a claim and continues the play.
pub(super) fn claim(table: &mut PublicState, points: u16) {
    table.roem[claimant(table)] = Some(points);
    table.stage = if table.play.trick() == HAND { Stage::Over } else { Stage::Play };
    table.turn = clockwise(table.play.leader(), table.play.in_trick() as u8);
}
