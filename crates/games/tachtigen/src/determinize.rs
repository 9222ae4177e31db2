//! Determinizing: deals a random full deal that is consistent with everything a view proves.
//!
//! A view proves:
//!
//! - the viewer's own cards, all cards played, and all open hands;
//! - cards that players cannot hold, under the follow rules in force ([`super::follow::proof`]);
//! - where the kitty and the asked card can be;
//! - that the bidder was allowed to ask for the asked card;
//! - the value of roem that the rules force players to announce truthfully.
//!
//! Bids prove nothing, because any hand may bid anything.
//!
//! The algorithm deals to one holder after the other, so that the remaining cards always fit the remaining
//! holders ([`Room`]). It draws again for holders with further demands until their cards meet these
//! ([`Demand`]). After [`SearchBudget::attempts`] failed attempts, an exact search over these holders' hands
//! takes over. If that search exceeds its budget, the algorithm makes [`SearchBudget::last_attempts`] more random
//! attempts. If these fail too, it uses the deal with which the view was accepted ([`is_possible`]). Only
//! this last step always draws from the same random stream.

use std::cmp::Reverse;

use cardsharp_engine::game::Determinize;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{Seat, sort_few};

use super::auction::askable;
use super::deck::{Card, Cards, Suit};
use super::roem;
use super::rules::{AskScope, RoemClaims, Undertrump};
use super::state::{
    ALL_SEATS, BIDDER, HAND, PARTNER, PerSeat, PrivateState, PublicState, Round, SEATS, Stage, View,
};

/// Draws for one holder in one attempt.
const TRIES: usize = 24;

/// How long to look for a deal.
struct SearchBudget {
    /// Random attempts at a complete deal before the exact search.
    attempts: usize,
    /// Partial and complete hands that the exact search may visit.
    hands: u32,
    /// Random attempts if the exact search exceeds its budget.
    last_attempts: usize,
}

const BUDGET: SearchBudget = SearchBudget { attempts: 8, hands: 3_000_000, last_attempts: 100_000 };

impl Determinize for Round {
    fn determinize(view: View<'_>, rng: DealRng) -> Option<Self> {
        Known::of(view).deal(rng, &BUDGET)
    }

    fn is_auction(view: View<'_>) -> bool {
        matches!(view.table.stage, Stage::Opening | Stage::Auction)
    }
}

/// Searches for a deal that leads to this view.
///
/// # Errors
/// There is none, or the search found none.
pub(super) fn is_possible(view: View<'_>) -> Result<(), Unsolved> {
    Known::of(view).accepted().map(|_| ())
}

/// Why the search returned no deal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Unsolved {
    /// No deal leads to the view.
    Impossible,
    /// The search exceeded its budget; a deal may exist.
    GaveUp,
}

/// Cards by holder: the four seats, then the card in the middle or put aside.
type Hands = [Cards; HOLDERS];

/// Restricts the bidder's hand under `ask_scope = "aces_first"`. If a card of a suit is higher than the asked
/// one and cannot be the bidder's, the bidder holds no card of that suit. Otherwise they would have had to
/// ask for the higher card.
fn bar_suits(table: &PublicState, fixed: &Hands, room: &mut Room) {
    let (Some(bidder), Some(asked), AskScope::AcesFirst) =
        (table.bidder(), table.asked_card(), table.rules.ask_scope)
    else {
        return;
    };
    let bidder = bidder.index();
    let his = fixed[bidder].or(table.play.played[bidder]).or(room.allowed[bidder]);
    let aside = fixed[ASIDE].or(room.allowed[ASIDE]);
    let elsewhere = |card: Card| !his.has(card) && (table.rules.ask_discard || !aside.has(card));
    for suit in Suit::ALL.map(Suit::cards) {
        let mut higher = Cards::ALL.and(suit).iter().filter(|card| card.rank() > asked.rank());
        if higher.any(elsewhere) {
            room.allowed[bidder] = room.allowed[bidder].minus(suit);
        }
    }
}

/// What a view proves, prepared for dealing.
struct Known<'a> {
    view: View<'a>,
    /// Cards whose holder the viewer knows.
    fixed: Hands,
    /// All other cards, and who can hold them.
    room: Room,
    /// Demands on the cards of each seat.
    demands: PerSeat<Demand>,
    /// Holders in the order of dealing: the card put aside, then seats with demands, then the others.
    order: [usize; HOLDERS],
}

impl<'a> Known<'a> {
    fn of(view: View<'a>) -> Self {
        let (table, own) = (view.table, view.own);
        let me = view.seat.index();
        let mut fixed = [Cards::NONE; HOLDERS];
        fixed[me] = own.hand;
        for seat in table.open.iter().map(usize::from).filter(|&seat| seat != me) {
            fixed[seat] = table.shown[seat];
        }
        fixed[ASIDE] = own.discard.map_or(Cards::NONE, Cards::one);
        let known = fixed.iter().fold(table.play.gone(), |all, cards| all.or(*cards));
        let unseen = Cards::ALL.minus(known);
        let mut room = Room { unseen, size: [0; HOLDERS], allowed: [Cards::NONE; HOLDERS] };
        for seat in ALL_SEATS {
            let s = seat.index();
            room.size[s] = table.held(seat).saturating_sub(fixed[s].len());
            room.allowed[s] = unseen.minus(table.play.lacks[s]);
        }
        room.size[ASIDE] = u32::from(table.stage != Stage::Discard).saturating_sub(fixed[ASIDE].len());
        room.allowed[ASIDE] = match table.asked_card() {
            Some(asked) if !table.rules.ask_discard => unseen.without(asked),
            _ => unseen,
        };
        bar_suits(table, &fixed, &mut room);
        let demands = ALL_SEATS.map(|seat| Demand::of(table, seat));
        let mut order = [ASIDE, 0, 1, 2, 3];
        // Among seats with demands, those with the most roem come first, because few hands fit.
        let last = |holder: usize| match holder {
            ASIDE => (0, Reverse(0)),
            seat if demands[seat].is_trivial() => (2, Reverse(0)),
            seat => (1, Reverse(demands[seat].roem_points())),
        };
        sort_few(&mut order, |&a, &b| last(a) < last(b));
        Self { view, fixed, room, demands, order }
    }

    /// Returns whether `holder` can have these cards in addition to its known ones.
    fn fits(&self, holder: usize, cards: Cards, hands: &Hands) -> bool {
        let hand = self.fixed[holder].or(cards);
        holder == ASIDE || self.demands[holder].is_met(self.view.table, hand, hands[ASIDE].first())
    }

    /// Deals a round with this random stream. If the search exceeds its limits, uses the deal with which the
    /// view was accepted.
    fn deal(&self, mut rng: DealRng, budget: &SearchBudget) -> Option<Round> {
        let hands = match rng.draw(|draw| self.solve(draw, budget)) {
            Err(Unsolved::GaveUp) => self.accepted(),
            found => found,
        };
        Some(self.round(&hands.ok()?, rng))
    }

    /// Finds the deal with which the view is accepted. Deterministic.
    fn accepted(&self) -> Result<Hands, Unsolved> {
        self.solve(&mut Draw::new(0, 0), &BUDGET)
    }

    /// Finds a deal that the view allows.
    fn solve(&self, draw: &mut Draw, budget: &SearchBudget) -> Result<Hands, Unsolved> {
        if !self.room.is_enough() {
            return Err(Unsolved::Impossible);
        }
        if let Some(hands) = (0..budget.attempts).find_map(|_| self.attempt(draw)) {
            return Ok(hands);
        }
        match self.search(draw, budget.hands) {
            // Few deals fit, and the search visits hands in an unlucky order. Random attempts usually find
            // one.
            Err(Unsolved::GaveUp) => {
                (0..budget.last_attempts).find_map(|_| self.attempt(draw)).ok_or(Unsolved::GaveUp)
            }
            found => found,
        }
    }

    fn attempt(&self, draw: &mut Draw) -> Option<Hands> {
        let mut room = self.room;
        let mut hands = self.fixed;
        for holder in self.order {
            let tries = if holder == ASIDE || self.demands[holder].is_trivial() { 1 } else { TRIES };
            let mut drawn = (0..tries).map(|_| room.draw(holder, draw));
            let cards = drawn.find(|&cards| self.fits(holder, cards, &hands))?;
            room.give(holder, cards);
            hands[holder] = hands[holder].or(cards);
        }
        Some(hands)
    }

    /// Exact search: visits every hand of the holders, in random order.
    fn search(&self, draw: &mut Draw, budget: u32) -> Result<Hands, Unsolved> {
        let mut cards: Vec<Card> = self.room.unseen.iter().collect();
        draw.shuffle(&mut cards);
        let mut search = Search { known: self, cards, budget, hands: self.fixed };
        // If no hand meets a holder's demands on its own, skip the search over all holders.
        let alone = self.order.into_iter().filter(|&holder| holder != ASIDE);
        for holder in alone.filter(|&holder| !self.demands[holder].is_trivial()) {
            if !search.serve_alone(holder) {
                return Err(search.failed());
            }
        }
        search.budget = budget;
        if search.serve(0, self.room) { Ok(search.hands) } else { Err(search.failed()) }
    }

    /// Returns the round with these hands.
    fn round(&self, hands: &Hands, rng: DealRng) -> Round {
        let table = self.view.table;
        let mut own = ALL_SEATS.map(|seat| PrivateState { hand: hands[seat.index()], discard: None });
        let aside = hands[ASIDE].first();
        if let (Some(bidder), Some(_)) = (table.bidder(), table.kitty) {
            own[bidder.index()].discard = aside;
        }
        own[self.view.seat.index()] = *self.view.own;
        Round { table: *table, own, kitty: table.kitty.or(aside).unwrap_or(Card::FIRST), rng }
    }
}

/// The state of an exact search.
struct Search<'k> {
    known: &'k Known<'k>,
    /// Cards to deal, in the order in which the search tries them.
    cards: Vec<Card>,
    /// Partial and complete hands that the search may still visit.
    budget: u32,
    hands: Hands,
}

/// A partial hand of one holder.
#[derive(Copy, Clone)]
struct Partial {
    /// Index in the order of holders; `None` if the search considers only this holder.
    place: Option<usize>,
    holder: usize,
    cards: Cards,
    /// Index of the first card that may still be added.
    next: usize,
}

impl Search<'_> {
    /// Returns why the search failed.
    fn failed(&self) -> Unsolved {
        if self.budget == 0 { Unsolved::GaveUp } else { Unsolved::Impossible }
    }

    /// Deals to the holders from index `place` in the order.
    fn serve(&mut self, place: usize, room: Room) -> bool {
        let Some(&holder) = self.known.order.get(place) else { return true };
        self.hands[holder] = self.known.fixed[holder];
        self.extend(room, Partial { place: Some(place), holder, cards: Cards::NONE, next: 0 })
    }

    /// Returns whether any hand meets the demands of one holder, for any card put aside.
    fn serve_alone(&mut self, holder: usize) -> bool {
        // The card put aside matters only to a bidder who asked for less than an ace.
        let aside: Vec<Cards> = match self.known.fixed[ASIDE] {
            Cards::NONE if self.known.room.size[ASIDE] > 0 => {
                self.known.room.allowed[ASIDE].iter().map(Cards::one).collect()
            }
            known => vec![known],
        };
        aside.into_iter().any(|aside| {
            self.hands[ASIDE] = aside;
            self.extend(self.known.room, Partial { place: None, holder, cards: Cards::NONE, next: 0 })
        })
    }

    fn extend(&mut self, room: Room, partial: Partial) -> bool {
        let Partial { place, holder, cards, next } = partial;
        let missing = room.size[holder].saturating_sub(cards.len()) as usize;
        self.budget = self.budget.saturating_sub(1);
        if missing == 0 {
            return self.accept(room, partial);
        }
        if holder != ASIDE {
            let some = self.known.fixed[holder].or(cards);
            let open = room.unseen.and(room.allowed[holder]);
            let all = self.cards[next..].iter().fold(some, |all, &card| all.or(open.and(Cards::one(card))));
            if !self.known.demands[holder].may_be_met(self.known.view.table, some, all) {
                return false;
            }
        }
        for i in next..(self.cards.len() + 1).saturating_sub(missing) {
            let card = self.cards[i];
            if self.budget == 0 {
                return false;
            }
            if room.unseen.and(room.allowed[holder]).has(card)
                && self.extend(room, Partial { place, holder, cards: cards.with(card), next: i + 1 })
            {
                return true;
            }
        }
        false
    }

    /// Handles a complete hand. Returns whether it meets the holder's demands and all later holders can be
    /// served.
    fn accept(&mut self, mut room: Room, partial: Partial) -> bool {
        let Partial { place, holder, cards, .. } = partial;
        if !self.known.fits(holder, cards, &self.hands) {
            return false;
        }
        room.give(holder, cards);
        let Some(place) = place else { return true };
        if !room.is_enough() {
            return false;
        }
        self.hands[holder] = self.known.fixed[holder].or(cards);
        self.serve(place + 1, room)
    }
}

// Unseen cards, and how many each holder can take.

/// Number of holders: the four seats, and the card in the middle or put aside.
const HOLDERS: usize = SEATS + 1;
/// Index of the card in the middle or put aside.
const ASIDE: usize = SEATS;

/// Unseen cards, and the demand for them.
#[derive(Copy, Clone)]
struct Room {
    /// The cards to deal.
    unseen: Cards,
    /// How many cards each holder gets.
    size: [u32; HOLDERS],
    /// The cards that each holder may get.
    allowed: [Cards; HOLDERS],
}

impl Room {
    /// Returns whether the cards can be dealt at all (Hall's theorem). For every group of holders, the cards
    /// that only they may get must fit into their hands.
    fn is_enough(&self) -> bool {
        if self.size.iter().sum::<u32>() != self.unseen.len() {
            return false;
        }
        // Build each group from a smaller one, by adding one holder.
        let mut elsewhere = [Cards::NONE; 1 << HOLDERS];
        let mut sizes = [0; 1 << HOLDERS];
        for group in 1..1usize << HOLDERS {
            let holder = group.trailing_zeros() as usize;
            let others = group & (group - 1);
            elsewhere[group] = elsewhere[others].or(self.allowed[holder]);
            sizes[group] = sizes[others] + self.size[holder];
        }
        let all = (1usize << HOLDERS) - 1;
        (0..=all).all(|group| self.unseen.minus(elsewhere[all & !group]).len() <= sizes[group])
    }

    /// Draws random cards for one holder so that the rest can still be dealt.
    fn draw(&self, holder: usize, draw: &mut Draw) -> Cards {
        let mut room = *self;
        let mut drawn = Cards::NONE;
        let mut open = self.unseen.and(self.allowed[holder]);
        while room.size[holder] > 0 && !open.is_empty() {
            let mut left = open.0;
            for _ in 0..draw.below(open.len()) {
                left &= left - 1;
            }
            let card = Cards(left & left.wrapping_neg());
            open = open.minus(card);
            let mut next = room;
            next.give(holder, card);
            if next.is_enough() {
                room = next;
                drawn = drawn.or(card);
            }
        }
        drawn
    }

    /// Removes cards that a holder gets.
    fn give(&mut self, holder: usize, cards: Cards) {
        self.unseen = self.unseen.minus(cards);
        self.size[holder] = self.size[holder].saturating_sub(cards.len());
    }
}

// Demands on a seat's cards, beyond avoiding cards that the seat lacks.

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
struct Demand {
    seat: Seat,
    /// The card that the bidder asked for, if this seat is the bidder.
    asked: Option<Card>,
    /// The bidder has called the asked card and must lead one of these.
    led: Option<Cards>,
    /// Index in [`PublicState::roem`], and the value that this roem must have.
    roem: Option<(usize, u16)>,
    /// If the seat holds the trump jack, it is their only trump.
    lone_jack: bool,
    either: [Option<Either>; HAND],
}

impl Demand {
    fn of(table: &PublicState, seat: Seat) -> Self {
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
    fn is_trivial(&self) -> bool {
        self.asked.is_none() && self.roem.is_none() && !self.lone_jack && self.either[0].is_none()
    }

    /// Returns the value of roem that the cards must have; 0 without such a demand.
    fn roem_points(&self) -> u16 {
        self.roem.map_or(0, |(_, points)| points)
    }

    /// Returns false if no hand with all cards of `some`, and only cards of `all`, meets the demands. A fast
    /// check: it may return true for hands that do not. Relies on roem growing with more cards.
    fn may_be_met(&self, table: &PublicState, some: Cards, all: Cards) -> bool {
        let worth = |whose, hand| {
            roem::total(roem::basis(table, whose, hand, self.seat), table.trump(), &table.rules)
        };
        let roem = self
            .roem
            .is_none_or(|(whose, points)| worth(whose, some) <= points && points <= worth(whose, all));
        let led = self.led.is_none_or(|led| all.meets(led));
        let (trumps, jack) = (some.and(table.trump().cards()), table.trump().jack());
        roem && led && !(self.lone_jack && trumps.meets(jack) && trumps != jack)
    }

    /// Returns whether the seat can hold `hand` after `aside` was put aside.
    fn is_met(&self, table: &PublicState, hand: Cards, aside: Option<Card>) -> bool {
        if let Some((whose, points)) = self.roem {
            let basis = roem::basis(table, whose, hand, self.seat);
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
                let own =
                    PrivateState { hand: hand.or(table.play.played[self.seat.index()]), discard: aside };
                askable(table, &own).has(asked)
            })
    }
}

/// Finds tricks that prove one of two things. Under free undertrumping, a low trump on a plain lead means
/// that the player could follow suit or had no higher trump.
fn either(table: &PublicState, seat: Seat) -> [Option<Either>; HAND] {
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

const _: () = assert!(ASIDE == SEATS);

#[cfg(test)]
mod tests {
    use cardsharp_engine::Seat;
    use cardsharp_engine::game::{Check, Play};
    use cardsharp_engine::rng::{DealRng, Draw};
    use serde_json::json;

    use super::{Known, SearchBudget, Unsolved};
    use crate::tests::situation::bid;

    #[test]
    fn an_accepted_view_is_dealt_again_where_its_own_stream_finds_nothing() {
        let none = SearchBudget { attempts: 0, hands: 0, last_attempts: 0 };
        let s = bid(json!({}), "80").after("discard SQ, trump H, ask SA, call, SK, SA");
        let view = s.0.view(Seat(2));
        let known = Known::of(view);
        assert_eq!(known.solve(&mut Draw::new(7, 0), &none), Err(Unsolved::GaveUp));
        let rounds = [7, 8].map(|seed| known.deal(DealRng::new(seed, 0), &none).expect("an accepted view"));
        for round in &rounds {
            assert_eq!(round.view(Seat(2)).to_owned(), view.to_owned());
            round.audit().unwrap();
        }
        assert_eq!((rounds[0].own, rounds[0].kitty), (rounds[1].own, rounds[1].kitty));
    }
}
