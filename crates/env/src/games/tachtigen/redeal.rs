//! A full deal, drawn at random, that is consistent with all a view proves.
//!
//! What a view proves: the viewer's own cards; every card played and every open hand; cards that
//! players have shown not to hold, under the follow rules in force ([`super::follow::proof`]); where
//! the kitty and the asked card can and cannot be; that the bidder could ask for what he asked for; and
//! roem that was truly announced. Bids prove nothing: everybody may bid anything.
//!
//! Cards are drawn for one holder after the other so that all others can still be served ([`room`]).
//! Holders whose cards must do more than avoid what they lack are drawn again until they do
//! ([`demand`]); where that takes too long an exact search over their hands takes its place. A search
//! that takes too long itself is given up, and cards are drawn again, far more often. Where chance finds
//! nothing either, the cards are those with which the view was accepted ([`is_possible`]): the one step
//! that always draws from the same stream.

mod demand;
mod room;

use std::cmp::Reverse;

use super::deck::{Card, Cards, Suit};
use super::rules::AskScope;
use super::seats::{ALL_SEATS, Each, SEATS};
use super::table::{Own, Round, Stage, Table, View};
use crate::game::Redeal;
use crate::ground::list::sort_few;
use crate::ground::rng::{DealRng, Draw};
use demand::Demand;
use room::{ASIDE, HOLDERS, Room};

/// Draws for one holder before the next attempt.
const TRIES: usize = 24;

/// How long a deal is looked for.
struct Patience {
    /// Attempts at a whole deal before the exact search.
    attempts: usize,
    /// Hands, whole and under way, that the exact search looks at.
    hands: u32,
    /// Attempts after a search that was given up.
    last_attempts: usize,
}

const PATIENCE: Patience = Patience { attempts: 8, hands: 3_000_000, last_attempts: 100_000 };

impl Redeal for Round {
    fn redeal(view: View<'_>, rng: DealRng) -> Option<Self> {
        Known::of(view).deal(rng, &PATIENCE)
    }

    fn is_auction(view: View<'_>) -> bool {
        matches!(view.table.stage, Stage::Opening | Stage::Auction)
    }
}

/// Finds a deal that leads to this view.
///
/// # Errors
/// There is none, or none was found.
pub(super) fn is_possible(view: View<'_>) -> Result<(), Unsolved> {
    Known::of(view).accepted().map(|_| ())
}

/// Why there is no deal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Unsolved {
    /// No deal leads to the view.
    Impossible,
    /// The search was given up; there may be one.
    GaveUp,
}

/// Cards by holder: the four seats, and the card in the middle or put aside.
type Hands = [Cards; HOLDERS];

/// Where aces are asked for first, a bidder who asked for less has no card of a suit of which somebody
/// else is known to have a higher one: he would have had to ask for that.
fn bar_suits(table: &Table, fixed: &Hands, room: &mut Room) {
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
    /// All other cards, and where they can be.
    room: Room,
    /// What the seats' cards must do.
    demands: Each<Demand>,
    /// Holders in the order in which they are served: those with demands first.
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
        // Who is hardest to serve comes first: few hands are worth much roem.
        let last = |holder: usize| match holder {
            ASIDE => (0, Reverse(0)),
            seat if demands[seat].is_trivial() => (2, Reverse(0)),
            seat => (1, Reverse(demands[seat].roem_points())),
        };
        sort_few(&mut order, |&a, &b| last(a) < last(b));
        Self { view, fixed, room, demands, order }
    }

    /// Whether `holder` can have these cards beside those known to be his.
    fn fits(&self, holder: usize, cards: Cards, hands: &Hands) -> bool {
        let hand = self.fixed[holder].or(cards);
        holder == ASIDE || self.demands[holder].is_met(self.view.table, hand, hands[ASIDE].first())
    }

    /// A round from this stream, or, where none is found in time, the one that every accepted view has.
    fn deal(&self, mut rng: DealRng, patience: &Patience) -> Option<Round> {
        let hands = match rng.draw(|draw| self.solve(draw, patience)) {
            Err(Unsolved::GaveUp) => self.accepted(),
            found => found,
        };
        Some(self.round(&hands.ok()?, rng))
    }

    /// The deal with which the view is accepted: always the same one.
    fn accepted(&self) -> Result<Hands, Unsolved> {
        self.solve(&mut Draw::new(0, 0), &PATIENCE)
    }

    /// A deal that the view allows.
    fn solve(&self, draw: &mut Draw, patience: &Patience) -> Result<Hands, Unsolved> {
        if !self.room.is_enough() {
            return Err(Unsolved::Impossible);
        }
        if let Some(hands) = (0..patience.attempts).find_map(|_| self.attempt(draw)) {
            return Ok(hands);
        }
        match self.search(draw, patience.hands) {
            // Few deals fit, and the search looks for them in a hopeless order: chance finds one in the end.
            Err(Unsolved::GaveUp) => {
                (0..patience.last_attempts).find_map(|_| self.attempt(draw)).ok_or(Unsolved::GaveUp)
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

    /// The exact search: every hand of the holders with demands, in an order drawn at random.
    fn search(&self, draw: &mut Draw, budget: u32) -> Result<Hands, Unsolved> {
        let mut cards: Vec<Card> = self.room.unseen.iter().collect();
        draw.shuffle(&mut cards);
        let mut search = Search { known: self, cards, budget, hands: self.fixed };
        // A holder who can be served by no hand at all needs no search over the others.
        let alone = self.order.into_iter().filter(|&holder| holder != ASIDE);
        for holder in alone.filter(|&holder| !self.demands[holder].is_trivial()) {
            if !search.serve_alone(holder) {
                return Err(search.failed());
            }
        }
        search.budget = budget;
        if search.serve(0, self.room) { Ok(search.hands) } else { Err(search.failed()) }
    }

    /// The round with these cards.
    fn round(&self, hands: &Hands, rng: DealRng) -> Round {
        let table = self.view.table;
        let mut own = ALL_SEATS.map(|seat| Own { hand: hands[seat.index()], discard: None });
        let aside = hands[ASIDE].first();
        if let (Some(bidder), Some(_)) = (table.bidder(), table.kitty) {
            own[bidder.index()].discard = aside;
        }
        own[self.view.seat.index()] = *self.view.own;
        Round { table: *table, own, kitty: table.kitty.or(aside).unwrap_or(Card::FIRST), rng }
    }
}

/// An exact search under way.
struct Search<'k> {
    known: &'k Known<'k>,
    /// Cards to deal out, in the order in which they are tried.
    cards: Vec<Card>,
    /// Hands, whole and under way, that may still be looked at.
    budget: u32,
    hands: Hands,
}

/// A holder's hand under way.
#[derive(Copy, Clone)]
struct Partial {
    /// The place in the order of holders; none if only this holder is looked at.
    place: Option<usize>,
    holder: usize,
    cards: Cards,
    /// The first card that may still be added.
    next: usize,
}

impl Search<'_> {
    /// What it means that nothing was found.
    fn failed(&self) -> Unsolved {
        if self.budget == 0 { Unsolved::GaveUp } else { Unsolved::Impossible }
    }

    /// Serves the holders from this place in the order on.
    fn serve(&mut self, place: usize, room: Room) -> bool {
        let Some(&holder) = self.known.order.get(place) else { return true };
        self.hands[holder] = self.known.fixed[holder];
        self.extend(room, Partial { place: Some(place), holder, cards: Cards::NONE, next: 0 })
    }

    /// Whether any hand satisfies one holder, whatever is put aside.
    fn serve_alone(&mut self, holder: usize) -> bool {
        // What is put aside matters to nobody but a bidder who asked for less than an ace.
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

    /// A whole hand: whether it serves the holder, and all after him can be served.
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

const _: () = assert!(ASIDE == SEATS);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Known, Patience, Unsolved};
    use crate::game::{Check, Play};
    use crate::games::tachtigen::tests::situation::bid;
    use crate::ground::Seat;
    use crate::ground::rng::{DealRng, Draw};

    #[test]
    fn an_accepted_view_is_dealt_again_where_its_own_stream_finds_nothing() {
        let none = Patience { attempts: 0, hands: 0, last_attempts: 0 };
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
