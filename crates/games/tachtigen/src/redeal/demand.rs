//! Demands on a seat's cards, beyond avoiding cards that the seat lacks.

use cardsharp_engine::Seat;

use crate::announce;
use crate::contract;
use crate::course::HAND;
use crate::deck::{Card, Cards};
use crate::roem;
use crate::rules::{RoemClaims, Undertrump};
use crate::table::{BIDDER, Own, PARTNER, Table};

/// A trick that proves one of two things: the seat could have followed suit, or it held none of these higher
/// trumps.
#[derive(Copy, Clone, Default)]
struct Either {
    suit: Cards,
    over: Cards,
    /// Cards that the seat has played since.
    since: Cards,
}

/// Demands on a seat's cards.
#[derive(Copy, Clone, Default)]
pub(super) struct Demand {
    seat: Seat,
    /// The card that the bidder asked for, if this seat is the bidder.
    asked: Option<Card>,
    /// The bidder has called the asked card and must lead one of these.
    led: Option<Cards>,
    /// Index in [`Table::roem`], and the value that this roem must have.
    roem: Option<(usize, u16)>,
    /// If the seat holds the trump jack, it is their only trump.
    lone_jack: bool,
    either: [Option<Either>; HAND],
}

impl Demand {
    pub fn of(table: &Table, seat: Seat) -> Self {
        let bidder = table.bidder() == Some(seat);
        let whose = match () {
            () if bidder => Some(BIDDER),
            () if table.partner == Some(seat) => Some(PARTNER),
            () => None,
        };
        let announced = whose.and_then(|whose| Some((whose, table.roem[whose]?)));
        let true_roem = announced.filter(|&(_, points)| match table.rules.roem_claims {
            RoemClaims::Auto => true,
            RoemClaims::TruthfulChoice => points > 0,
            RoemClaims::FreeClaim => false,
        });
        let asked = table.asked_card().filter(|_| bidder);
        let leads = table.play.is_called() && table.play.in_trick() == 0;
        Self {
            seat,
            asked,
            led: asked.filter(|_| leads).map(|asked| asked.suit().cards()),
            roem: true_roem,
            lone_jack: table.play.lone.has(seat.0),
            either: either(table, seat),
        }
    }

    /// Returns whether there are no demands.
    pub fn is_trivial(&self) -> bool {
        self.asked.is_none() && self.roem.is_none() && !self.lone_jack && self.either[0].is_none()
    }

    /// Returns the value of roem that the cards must have; 0 without such a demand.
    pub fn roem_points(&self) -> u16 {
        self.roem.map_or(0, |(_, points)| points)
    }

    /// Returns false if no hand with all cards of `some`, and only cards of `all`, meets the demands. A fast
    /// check: it may return true for hands that do not. Relies on roem growing with more cards.
    pub fn may_be_met(&self, table: &Table, some: Cards, all: Cards) -> bool {
        let worth = |whose, hand| {
            roem::total(announce::basis(table, whose, hand, self.seat), table.trump(), &table.rules)
        };
        let roem = self
            .roem
            .is_none_or(|(whose, points)| worth(whose, some) <= points && points <= worth(whose, all));
        let led = self.led.is_none_or(|led| all.meets(led));
        let (trumps, jack) = (some.and(table.trump().cards()), table.trump().jack());
        roem && led && !(self.lone_jack && trumps.meets(jack) && trumps != jack)
    }

    /// Returns whether the seat can hold `hand` after `aside` was put aside.
    pub fn is_met(&self, table: &Table, hand: Cards, aside: Option<Card>) -> bool {
        if let Some((whose, points)) = self.roem {
            let basis = announce::basis(table, whose, hand, self.seat);
            if roem::total(basis, table.trump(), &table.rules) != points {
                return false;
            }
        }
        let trumps = hand.and(table.trump().cards());
        if self.led.is_some_and(|led| !hand.meets(led)) {
            return false;
        }
        if self.lone_jack && hand.meets(table.trump().jack()) && trumps != table.trump().jack() {
            return false;
        }
        let either = self.either.iter().map_while(|either| *either).all(|either| {
            let then = hand.or(either.since);
            then.meets(either.suit) || !then.meets(either.over)
        });
        either
            && self.asked.is_none_or(|asked| {
                let own = Own { hand: hand.or(table.play.played[self.seat.index()]), discard: aside };
                contract::askable(table, &own).has(asked)
            })
    }
}

/// Finds tricks that prove one of two things. Under free undertrumping, a low trump on a plain lead means
/// that the player could follow suit or had no higher trump.
fn either(table: &Table, seat: Seat) -> [Option<Either>; HAND] {
    let mut found = [None; HAND];
    let rules = &table.rules;
    if rules.undertrump != Undertrump::Free || !rules.must_ruff_when_void || !rules.ruff_while_able {
        return found;
    }
    let (play, trump) = (&table.play, table.trump());
    let mut since = Cards::NONE;
    let mut places = found.iter_mut();
    for i in (0..play.cards.len()).rev().filter(|&i| play.player(i) == seat) {
        let (Some(card), Some(led)) = (play.cards.get(i), play.cards.get(i & !3)) else { continue };
        let mut over = trump.cards();
        for before in (i & !3..i).filter_map(|i| play.cards.get(i)).filter(|card| trump.is(card.suit())) {
            over = over.and(before.above(trump));
        }
        let called = play.called >> (i >> 2) & 1 == 1;
        let low_trump = trump.is(card.suit()) && !trump.is(led.suit()) && !over.has(card);
        if low_trump
            && !called
            && let Some(place) = places.next()
        {
            *place = Some(Either { suit: led.suit().cards(), over, since });
        }
        since.insert(card);
    }
    found
}
